/** The table of docs/mutants.md, and which of its bugs are planted today. */
import { isTested, type Mutant } from "./mutant.ts";

export interface Found {
  readonly noticed: boolean;
  /** The seed that noticed, or the test. */
  readonly where: string;
  /** The invariant that broke, in the simulation. */
  readonly id: string;
  readonly seconds: number;
}

export interface Row {
  readonly name: string;
  readonly file: string;
  readonly noticedBy: string;
  readonly where: string;
  readonly line: string;
}

/** How many bugs of each kind `make test` plants; others every day. */
const A_DAY = 2;

export const TABLE_HEAD = [
  "# Planted bugs",
  "Each of these is put into the code by a load hook (tools/mutate.ts) and must be noticed: by the simulation within 300 seeds, through an invariant that fits",
  "(docs/RELIABILITY.md), or by a test of the suite named, which is part of `make test`. The same seeds and suites are clean without it. `make mutants` plants",
  "them all and writes this table anew with ARGS=--write; `node tools/plant.ts --only NAME` plants one; `make test` plants four, others every day.",
  "",
  "| bug | file | noticed by | where first | seconds |",
  "|---|---|---|---|---|",
];

export function rowOf(mutant: Mutant, found: Found): string {
  const by = isTested(mutant) ? mutant.suite : found.noticed ? found.id : mutant.caughtBy.join(", ");
  const where = found.noticed ? found.where : `**not noticed**: ${found.where}`;
  return `| ${mutant.name} | ${mutant.file} | ${by} | ${where} | ${Math.round(found.seconds)} |`;
}

/** The rows by name. Titles of tests hold no bars. */
export function readTable(text: string): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const line of text.split("\n")) {
    const [, name = "", file = "", noticedBy = "", where = ""] = line.split("|").map((cell) => cell.trim());
    if (file.includes("/")) rows.set(name, { name, file, noticedBy, where, line });
  }
  return rows;
}

/** Goes through all of them, a few a day, some of each kind. */
export function chosenToday(mutants: readonly Mutant[], day: number): readonly Mutant[] {
  const simulated = mutants.filter((mutant) => !isTested(mutant));
  const tested = mutants.filter(isTested);
  return [...some(simulated, day, A_DAY), ...some(tested, day, A_DAY)];
}

const some = <T>(all: readonly T[], day: number, count: number): readonly T[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(day * count + i) % all.length] as T);
