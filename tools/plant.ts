/**
 * Plants each bug of mutants.ts in turn and sees that it is noticed: by an invariant of the simulation, or by a test of its suite. What runs with
 * the bug runs without it too, and must be clean. Prints a table; with --write keeps it in docs/mutants.md. A bug that nobody notices means that a
 * checker is missing. Usage: node tools/plant.ts [--only NAME] [--today] [--missing] [--part K --of N] [--seeds N] [--jobs N] [--write]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Mutant } from "./mutants/mutant.ts";
import { Planter } from "./mutants/planter.ts";
import { chosenToday, readTable, rowOf, TABLE_HEAD } from "./mutants/table.ts";
import { MUTANTS, SEEDS_MAX } from "./mutants.ts";

const TABLE = "docs/mutants.md";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    today: { type: "boolean", default: false },
    /** Those that the table does not have yet, or has in another file. */
    missing: { type: "boolean", default: false },
    /** Every Nth, from the Kth on. */
    part: { type: "string", default: "0" },
    of: { type: "string", default: "1" },
    seeds: { type: "string", default: String(SEEDS_MAX) },
    jobs: { type: "string", default: "2" },
    write: { type: "boolean", default: false },
  },
});

function chosen(): readonly Mutant[] {
  if (values.only !== undefined) return MUTANTS.filter((mutant) => mutant.name.includes(values.only as string));
  if (values.missing) return MUTANTS.filter(({ name, file }) => known.get(name)?.file !== file);
  return values.today
    ? chosenToday(MUTANTS, Math.floor(Date.now() / 86_400_000))
    : MUTANTS.filter((_, i) => i % Number(values.of) === Number(values.part));
}

const known = readTable(readFileSync(TABLE, "utf8"));
const planter = new Planter(Number(values.seeds), known);
const mutants = chosen();
const rows = new Map<string, string>();
let noticed = 0;
let next = 0;

async function work(): Promise<void> {
  for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
    const found = await planter.plant(mutant);
    rows.set(mutant.name, rowOf(mutant, found));
    noticed += Number(found.noticed);
    process.stdout.write(`${rows.get(mutant.name)}\n`);
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const unclean = await planter.control();
for (const line of unclean) process.stdout.write(`${line}\n`);
process.stdout.write(`${noticed} of ${mutants.length} planted bugs are noticed; ${planter.controls} runs without them\n`);
if (values.write) {
  const lines = MUTANTS.map(({ name }) => rows.get(name) ?? known.get(name)?.line ?? "");
  writeFileSync(TABLE, `${[...TABLE_HEAD, ...lines.filter((line) => line !== "")].join("\n")}\n`);
}
process.exitCode = noticed === mutants.length && unclean.length === 0 ? 0 : 1;
