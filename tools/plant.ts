/**
 * Plants each bug of mutants.ts in turn and runs seeds of the simulation until one breaks an invariant. Prints a table, and with --write keeps it in
 * docs/mutants.md. A bug that is not caught within SEEDS_MAX seeds means that a checker is missing. Usage: node tools/plant.ts [--only NAME] [--seeds N] [--write]
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { MUTANTS, type Mutant, SEEDS_MAX } from "./mutants.ts";

interface Caught {
  readonly mutant: Mutant;
  readonly seed: number | undefined;
  readonly id: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: { only: { type: "string" }, seeds: { type: "string", default: String(SEEDS_MAX) }, write: { type: "boolean", default: false } },
});

/** In a process of its own, with the bug loaded. */
function plant(mutant: Mutant): Caught {
  const started = performance.now();
  const args = ["--import", "./tools/mutate.ts", "test/sim/run.ts", "--seeds", values.seeds, "--failures", "1", "--json"];
  const env = { ...process.env, MUTANT: mutant.name };
  let output = "";
  try {
    output = execFileSync(process.execPath, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    output = String((error as { stdout?: unknown }).stdout ?? "");
    if (!output.includes('"failures"')) throw new Error(`Mutant "${mutant.name}" does not run: ${String(error)}`, { cause: error });
  }
  const line = output.trim().split("\n").at(-1) as string;
  const [first] = (JSON.parse(line) as { failures: { seed: number; id: string }[] }).failures;
  return { mutant, seed: first?.seed, id: first?.id ?? "", seconds: (performance.now() - started) / 1000 };
}

const isGood = ({ mutant, seed, id }: Caught): boolean => seed !== undefined && mutant.caughtBy.includes(id);

function row({ mutant, seed, id, seconds }: Caught): string {
  const verdict = seed === undefined ? `**not caught in ${values.seeds} seeds**` : `${seed}`;
  return `| ${mutant.name} | ${mutant.file} | ${verdict} | ${id}${mutant.caughtBy.includes(id) || id === "" ? "" : " (unexpected)"} | ${Math.round(seconds)} |`;
}

const chosen = MUTANTS.filter((mutant) => values.only === undefined || mutant.name.includes(values.only));
const caught = chosen.map((mutant) => {
  const result = plant(mutant);
  process.stdout.write(`${row(result)}\n`);
  return result;
});
const good = caught.filter(isGood).length;
process.stdout.write(`${good} of ${chosen.length} planted bugs are caught\n`);
if (values.write) {
  const head = [
    "# Planted bugs",
    `Each of these is put into the code by a load hook (tools/mutate.ts) and must be caught by the simulation within ${SEEDS_MAX} seeds, by an invariant that fits; the same`,
    "seeds without it are clean (`make sim`). `make mutants` plants them all again; `node tools/plant.ts --only NAME` one.",
    "",
    "| bug | file | first seed that caught it | invariant | seconds |",
    "|---|---|---|---|---|",
  ];
  writeFileSync("docs/mutants.md", `${[...head, ...caught.map(row)].join("\n")}\n`);
}
process.exitCode = good === chosen.length ? 0 : 1;
