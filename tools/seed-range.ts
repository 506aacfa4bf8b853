/**
 * Prints the first seed of a range that the commit's hash decides, so that nobody can choose seeds that are known to be clean.
 * Usage: node tools/seed-range.ts [--part K --of N --seeds S]; each part has S / N seeds.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";

/** 28 bits: more ranges than there will be commits, and far from the small seeds that everybody tries. */
export const firstSeed = (hash: string): number => 10_000_000 + Number.parseInt(hash.slice(0, 7), 16);

if (import.meta.main) {
  const text = { type: "string", default: "0" } as const;
  const { values } = parseArgs({ options: { part: text, of: { ...text, default: "1" }, seeds: text } });
  const hash = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  process.stdout.write(`${firstSeed(hash) + Number(values.part) * Math.floor(Number(values.seeds) / Number(values.of))}\n`);
}
