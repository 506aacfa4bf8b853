/**
 * Prints the first seed of a range that the commit's hash decides, so that nobody can choose seeds that are known to be clean.
 * Usage: node tools/seed-range.ts [--half 0|1 --seeds N]; the second half begins N / 2 seeds later.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";

/** 28 bits: more ranges than there will be commits, and far from the small seeds that everybody tries. */
export const firstSeed = (hash: string): number => 10_000_000 + Number.parseInt(hash.slice(0, 7), 16);

if (import.meta.main) {
  const { values } = parseArgs({ options: { half: { type: "string", default: "0" }, seeds: { type: "string", default: "0" } } });
  const hash = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  process.stdout.write(`${firstSeed(hash) + Number(values.half) * Math.floor(Number(values.seeds) / 2)}\n`);
}
