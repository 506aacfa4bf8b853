/**
 * Packing on many cells: how few machines each policy needs on every row of the stress set (bench/cells/stress.ts), beside a bound that no packing
 * can go below. A policy is as good as its worst row: somebody's cell is like that. What is measured is what a master's scheduler runs.
 *
 * It takes hours. `--only "WORDS"` takes rows that have all the words; `--results FILE` keeps each figure as it is found, a JSON object a line, and
 * what stands there already is not measured again.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../src/base/random.ts";
import type { Policy } from "../src/scheduler/search/policy.ts";
import { cellArgs, cellOf } from "./cells/args.ts";
import { countIn } from "./cells/numbers.ts";
import { filesOf, type StressRow, selected, stressSet } from "./cells/stress.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { PACKING_OPTIONS, parsed } from "./options.ts";
import { drawn } from "./packing-plot.ts";
import { digestOf } from "./sources.ts";
import { Sizes, softened } from "./trials.ts";
import { UsageError } from "./usage.ts";

export interface PackingArgs {
  readonly machines: string;
  readonly tasks: string;
  readonly only: string;
  readonly seeds: number;
  readonly seed: number;
  readonly results: string;
  readonly svg: string;
}

export function packingArgs(argv: readonly string[]): PackingArgs {
  const values = parsed("packing", argv, PACKING_OPTIONS, PACKING_OPTIONS);
  const { machines, tasks, only, results, svg } = values;
  return { machines, tasks, only, results, svg, seeds: countIn("seeds", values.seeds, 1), seed: countIn("seed", values.seed, 0) };
}

/** The two that are held against each other. */
const COMPARED = ["hybrid", "best-fit"] as const satisfies readonly Policy[];
/** How exactly the fewest machines are found, in parts of the cell. */
const SLACK = 0.0005;

/** What a figure depends on: only when all of it is the same, the figure is. */
export interface Asked {
  readonly row: string;
  readonly policy: Policy;
  readonly seeds: number;
  readonly seed: number;
  /** Digests of the programs that find it, and of the recorded cell's files; empty: it is of no recorded cell. */
  readonly code: string;
  readonly files: string;
}

/** One policy on one row. */
export interface Result extends Asked {
  /** Percent of the cell's machines: the 90th percentile over the seeds, the least and the most; the bound. */
  readonly p90: number;
  readonly min: number;
  readonly max: number;
  readonly bound: number;
}

interface Stage {
  readonly key: string;
  readonly sizes: Sizes;
}

export function benchPacking(args: PackingArgs): Figures {
  const rows = selected(stressSet(args.machines, args.tasks), args.only);
  const known = read(args.results);
  const code = digestOf(...SOURCES);
  const files = digestOf(...(filesOf(args.machines, args.tasks) ?? []));
  const results: Result[] = [];
  let stage: Stage | undefined;
  for (const row of rows) {
    for (const policy of COMPARED) {
      const { seeds, seed } = args;
      const asked = { row: row.name, policy, seeds, seed, code, files: row.isRecorded ? files : "" };
      const before = known.find((each) => isAnswer(each, asked));
      if (before === undefined) stage = stageFor(row, stage);
      const result = before ?? measured(row, asked, stage as Stage);
      results.push(result);
      if (before !== undefined) continue;
      if (args.results !== "") appendFileSync(args.results, `${JSON.stringify(result)}\n`);
      process.stderr.write(`${row.name}, ${policy}: ${result.p90} % (${result.min} to ${result.max}), bound ${result.bound} %\n`);
    }
  }
  process.stderr.write(`\n${table(rows, results)}\n`);
  if (args.svg !== "") writeFileSync(args.svg, drawn(rows, results));
  return figuresOf(rows, results);
}

/** What a cell does, how it is planned and how that is measured. */
const SOURCES = ["../src/base", "../src/cell", "../src/scheduler", "../src/wire", "."].map((path) => join(import.meta.dirname, path));

/** Whether a result that was kept is what is asked for now. */
export const isAnswer = (result: Result, asked: Asked): boolean =>
  Object.entries(asked).every(([name, value]) => result[name as keyof Asked] === value);

function read(file: string): readonly Result[] {
  if (file === "" || !existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, i) => {
    if (line === "") return [];
    try {
      return [JSON.parse(line) as Result];
    } catch (cause) {
      throw new UsageError(`File "${file}", line ${i + 1}: cannot read "${line.slice(0, 40)}" as a result; remove the line`, { cause });
    }
  });
}

/** The cell of a row, built once for all its orders and policies. */
function stageFor(row: StressRow, stage: Stage | undefined): Stage {
  const key = `${row.cell} ${row.band}`;
  return stage?.key === key ? stage : { key, sizes: new Sizes(softened(cellOf(cellArgs(row.args)))) };
}

function measured({ order }: StressRow, asked: Asked, { sizes }: Stage): Result {
  const { policy, seeds, seed } = asked;
  const percents: number[] = [];
  for (let k = 1; k <= seeds; k++) {
    const way = { order, options: { policy }, seed: seed + k };
    const draw = (all: readonly string[]): readonly string[] => new Random(seed + k, "compaction").shuffle(all);
    const { names } = sizes.fewest(draw, way, Math.max(1, Math.round(sizes.machines * SLACK)));
    percents.push((100 * names.length) / sizes.machines);
  }
  const at = (part: number): number => rounded(percentile(percents, part), 2);
  return { ...asked, p90: at(0.9), min: at(0), max: at(1), bound: rounded(100 * sizes.at(1).bound, 2) };
}

const of = (results: readonly Result[], row: StressRow, policy: Policy): Result | undefined =>
  results.find((result) => result.row === row.name && result.policy === policy);

/** By row, as Markdown. */
function table(rows: readonly StressRow[], results: readonly Result[]): string {
  const lines = rows.map((row) => {
    const [hybrid, bestFit] = COMPARED.map((policy) => of(results, row, policy));
    return `| ${row.name} | ${hybrid?.p90.toFixed(1)} | ${bestFit?.p90.toFixed(1)} | ${hybrid?.bound.toFixed(1)} |`;
  });
  return ["| cell, work, order | hybrid | best fit | bound |", "|---|---|---|---|", ...lines].join("\n");
}

/** `worst` and `mean`: hybrid less best fit, in points; below zero hybrid needs fewer machines. */
function figuresOf(rows: readonly StressRow[], results: readonly Result[]): Figures {
  const differences = rows.map((row) => (of(results, row, "hybrid")?.p90 ?? 0) - (of(results, row, "best-fit")?.p90 ?? 0));
  const all = results.flatMap(({ row, policy, p90, bound }) => [[`${row} ${policy}`, p90] as const, [`${row} bound`, bound] as const]);
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  return { rows: rows.length, worst: rounded(Math.max(...differences), 2), mean: rounded(mean, 2), ...Object.fromEntries(all) };
}
