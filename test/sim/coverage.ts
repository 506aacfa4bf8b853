/**
 * What many seeds together must have met: every class of faults often enough, and every rare path. The parts of a long run write down what each of them met
 * (run.ts --tally FILE); together they are judged once, because few seeds meet a rare fault too seldom by chance.
 * Usage: node test/sim/coverage.ts --first N --seeds N FILE...
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { FAULT_KINDS } from "../../src/fauxmaster/options.ts";
import { Tally } from "../../src/fauxmaster/world/tally.ts";

/** So many seeds must have met every fault and every rare path; fewer prove nothing. */
export const COVERAGE_SEEDS = 300;
/** In so many of the seeds every class of faults strikes. */
const SHARE_MIN = 0.4;

/** What seeds from `first` on met. */
export interface Met {
  readonly first: number;
  readonly seeds: number;
  /** In how many seeds each class of faults struck; how often each rare path was taken. */
  readonly classes: Tally;
  readonly probes: Tally;
}

/** Rare paths that the code marks with `env.log("~name")` or `probes.add("name")`. */
export function knownProbes(): readonly string[] {
  const names = new Set<string>();
  for (const file of globSync("src/{borglet,borgmaster,scheduler,fauxmaster,store}/**/*.ts")) {
    if (file.endsWith(".test.ts") || file.includes("toy")) continue;
    const text = readFileSync(file, "utf8");
    for (const match of text.matchAll(/log\("~([^"]+)"\)|probes\.add\("([^"]+)"/g)) names.add((match[1] ?? match[2]) as string);
  }
  return [...names].sort();
}

export function coverageProblems({ seeds, classes, probes }: Omit<Met, "first">): readonly string[] {
  if (seeds < COVERAGE_SEEDS) return [];
  const problems: string[] = [];
  for (const name of FAULT_KINDS) {
    const share = classes.of(name) / seeds;
    if (share < SHARE_MIN)
      problems.push(
        `Fault class ${name} struck in ${(share * 100).toFixed(1)} % of ${seeds} seeds, less than ${SHARE_MIN * 100} %: make it come more often (GAP_MS in src/fauxmaster/world/faults.ts), or in more seeds (CHANCES in src/fauxmaster/options.ts)`,
      );
  }
  for (const name of knownProbes())
    if (probes.of(name) === 0)
      problems.push(`Rare path "${name}" was never taken in ${seeds} seeds: make the world go there, or remove the mark`);
  return problems;
}

export function writeMet(path: string, { first, seeds, classes, probes }: Met): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ first, seeds, classes: classes.entries(), probes: probes.entries() })}\n`);
}

export function readMet(path: string): Met {
  const { first, seeds, classes, probes } = JSON.parse(readFileSync(path, "utf8")) as Record<"first" | "seeds", number> &
    Record<"classes" | "probes", [string, number][]>;
  return { first, seeds, classes: tallyOf(classes), probes: tallyOf(probes) };
}

function tallyOf(counts: readonly (readonly [string, number])[]): Tally {
  const tally = new Tally();
  for (const [name, count] of counts) tally.add(name, count);
  return tally;
}

/** All of them as one, or why they are not one range of that length: one is missing, or of another commit. */
export function together(all: readonly Met[], first: number, seeds: number): Met | string {
  const whole = { first, seeds: 0, classes: new Tally(), probes: new Tally() };
  for (const met of [...all].sort((a, b) => a.first - b.first)) {
    if (met.first !== first + whole.seeds)
      return notOne(`the seeds after ${first + whole.seeds - 1} are missing; there are some from ${met.first} on`);
    whole.seeds += met.seeds;
    whole.classes.merge(met.classes);
    whole.probes.merge(met.probes);
  }
  return whole.seeds === seeds ? whole : notOne(`expected ${seeds} seeds, found ${whole.seeds}`);
}

const notOne = (why: string): string =>
  `Cannot judge what seeds met: ${why}. Run every part of this commit's range first (make sim-commit, or make soak ARGS=--fresh)`;

function main(): number {
  const { values, positionals } = parseArgs({
    options: { first: { type: "string", default: "1" }, seeds: { type: "string", default: "0" } },
    allowPositionals: true,
  });
  const met = together(positionals.filter((path) => existsSync(path)).map(readMet), Number(values.first), Number(values.seeds));
  const problems = typeof met === "string" ? [met] : coverageProblems(met);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (typeof met !== "string") process.stdout.write(words(met, problems.length));
  return problems.length > 0 ? 1 : 0;
}

function words({ first, seeds, classes }: Met, problems: number): string {
  const verdict =
    problems > 0 ? "too little was met" : seeds < COVERAGE_SEEDS ? `fewer than ${COVERAGE_SEEDS} prove nothing` : "all was met";
  return `Classes of faults that struck, by seeds: ${classes}\n${seeds} seeds from ${first} on: ${verdict}\n`;
}

if (import.meta.main) process.exitCode = main();
