/**
 * Packing on many cells: how few machines each policy needs on every row of the stress set (bench/cells/stress.ts), beside a bound that no packing
 * can go below. A policy is as good as its worst row: somebody's cell is like that. What is measured is what a master's scheduler runs.
 *
 * It takes hours. `--only "WORDS"` takes rows that have all the words; `--results FILE` keeps each figure as it is found, a JSON object a line, and
 * what stands there already is not measured again.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { Random } from "../src/base/random.ts";
import type { Policy } from "../src/scheduler/search/policy.ts";
import { cellArgs, cellOf } from "./cells/args.ts";
import { countIn } from "./cells/numbers.ts";
import { type StressRow, selected, stressSet } from "./cells/stress.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { PACKING_OPTIONS, parsed } from "./options.ts";
import { drawn } from "./packing-plot.ts";
import { enough, softened, type Trials } from "./trials.ts";
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

/** One policy on one row. */
export interface Result {
  readonly row: string;
  readonly policy: Policy;
  readonly seeds: number;
  readonly seed: number;
  /** Percent of the cell's machines: the 90th percentile over the seeds, the least and the most; the bound. */
  readonly p90: number;
  readonly min: number;
  readonly max: number;
  readonly bound: number;
}

interface Stage {
  readonly key: string;
  readonly machines: number;
  readonly trials: Trials;
}

export function benchPacking(args: PackingArgs): Figures {
  const rows = selected(stressSet(args.machines, args.tasks), args.only);
  const known = read(args.results);
  const results: Result[] = [];
  let stage: Stage | undefined;
  for (const row of rows) {
    for (const policy of COMPARED) {
      const before = known.find((each) => isOf(each, row, policy, args));
      if (before === undefined) stage = stageFor(row, args, stage);
      const result = before ?? measured(row, policy, args, stage as Stage);
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

const isOf = (result: Result, row: StressRow, policy: Policy, { seeds, seed }: PackingArgs): boolean =>
  result.row === row.name && result.policy === policy && result.seeds === seeds && result.seed === seed;

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
function stageFor(row: StressRow, { seed }: PackingArgs, stage: Stage | undefined): Stage {
  const key = `${row.cell} ${row.band}`;
  if (stage?.key === key) return stage;
  const cell = softened(cellOf(cellArgs(row.args)));
  return { key, machines: cell.machines.length, trials: enough(cell, { order: row.order, options: { policy: "hybrid" }, seed }) };
}

function measured({ name, order }: StressRow, policy: Policy, { seeds, seed }: PackingArgs, { machines, trials }: Stage): Result {
  const percents: number[] = [];
  for (let k = 1; k <= seeds; k++) {
    const names = new Random(seed + k, "compaction").shuffle(trials.machines);
    const fewest = trials.fewest(names, { order, options: { policy }, seed: seed + k }, Math.max(1, Math.round(machines * SLACK)));
    percents.push((100 * fewest) / machines);
  }
  const at = (part: number): number => rounded(percentile(percents, part), 2);
  return { row: name, policy, seeds, seed, p90: at(0.9), min: at(0), max: at(1), bound: rounded(100 * trials.bound * trials.times, 2) };
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
