/**
 * How often a property is tried: RUNS multiplies the counts (soak), SEED repeats a failure. fast-check prints the seed when one fails. A property
 * that takes long says which share of its count is tried when nobody says RUNS.
 */
const factor = process.env["RUNS"];
const seed = process.env["SEED"];

export const settings = (runs: number, share = 1): { numRuns: number; seed?: number; verbose: boolean } => ({
  numRuns: Math.max(1, Math.round(runs * (factor === undefined ? share : Number(factor)))),
  verbose: false,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
