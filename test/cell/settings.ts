/** How often a property is tried: RUNS multiplies the counts (soak), SEED repeats a failure. fast-check prints the seed when one fails. */
const factor = Number(process.env["RUNS"] ?? "1");
const seed = process.env["SEED"];

export const settings = (runs: number): { numRuns: number; seed?: number; verbose: boolean } => ({
  numRuns: Math.max(1, Math.round(runs * factor)),
  verbose: false,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
