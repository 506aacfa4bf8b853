/** Planted bugs. Each must be caught by the simulation within SEEDS_MAX seeds, by one of the invariants named, while the same seeds without it are clean. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  /** Invariants that may catch it; the first is the one that should. */
  readonly caughtBy: readonly string[];
}

export const SEEDS_MAX = 300;

export const MUTANTS: readonly Mutant[] = [
  {
    name: "quota not checked",
    file: "src/cell/quota.ts",
    text: 'if (missing === undefined) return undefined;\n  return refused(`User "${user.id}" lacks',
    replacement: 'if (missing === undefined || band === "production") return undefined;\n  return refused(`User "${user.id}" lacks',
    caughtBy: ["KR3"],
  },
];
