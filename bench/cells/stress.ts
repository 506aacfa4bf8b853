/**
 * The stress set of packing: a recorded cell, cells made from it that lack memory or cpu, parts of it, and twice of it; made-up cells; each with prod
 * alone and with all its work, in every order. It is fixed, so that figures of different days can be compared.
 */
import { join } from "node:path";
import { UsageError } from "../usage.ts";
import { ORDERS, type Order } from "./order.ts";

export interface StressRow {
  /** Words: cell, prod or all, order. */
  readonly name: string;
  readonly cell: string;
  readonly band: "prod" | "all";
  readonly order: Order;
  /** Made from the recorded cell's files. */
  readonly isRecorded: boolean;
  /** The arguments that make the cell. */
  readonly args: readonly string[];
}

const SAMPLES = { half: "0.5", quarter: "0.25", sixteenth: "0.0625" };
const SAMPLE_SEEDS = ["1", "2", "3"];

/** Made from the recorded one. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  recorded: [],
  "ram-1.5": ["--scale-ram", "1.5"],
  "ram-2": ["--scale-ram", "2"],
  "cpu-1.5": ["--scale-cpu", "1.5"],
  "cpu-2": ["--scale-cpu", "2"],
  ...Object.fromEntries(
    Object.entries(SAMPLES).flatMap(([name, sample]) =>
      SAMPLE_SEEDS.map((seed) => [`${name}-${seed}`, ["--sample", sample, "--vary", seed]]),
    ),
  ),
  twice: ["--clone", "2"],
};

const MADE_UP: Readonly<Record<string, readonly string[]>> = {
  "synthetic-200": ["--synthetic", "200"],
  "synthetic-1000": ["--synthetic", "1000"],
  "synthetic-1000-ram-2": ["--synthetic", "1000", "--scale-ram", "2"],
};

/** The recorded cell's files: those that were said, or those of BORG_TRACE_DIR. Without them the set is made-up cells alone. */
export function stressSet(machines: string, tasks: string): readonly StressRow[] {
  const files = filesOf(machines, tasks);
  const said = files === undefined ? [] : ["--machines", files[0], "--tasks", files[1]];
  const recorded = Object.entries(files === undefined ? {} : RECORDED).map(([cell, args]) => ({
    cell,
    args: [...said, ...args],
    isRecorded: true,
  }));
  const cells = [...recorded, ...Object.entries(MADE_UP).map(([cell, args]) => ({ cell, args, isRecorded: false }))];
  const bands = ["prod", "all"] as const;
  return bands.flatMap((band) =>
    cells.flatMap(({ cell, args, isRecorded }) =>
      ORDERS.map((order) => ({ name: `${cell} ${band} ${order}`, cell, band, order, isRecorded, args: [...args, "--only", band] })),
    ),
  );
}

/** Machines and tasks. */
export function filesOf(machines: string, tasks: string): readonly [string, string] | undefined {
  if (machines !== "" && tasks !== "") return [machines, tasks];
  if (machines !== "" || tasks !== "") throw new UsageError("Say both files of a recorded cell: --machines FILE --tasks FILE");
  const directory = process.env["BORG_TRACE_DIR"] ?? "";
  if (directory === "") return undefined;
  return [join(directory, "machines.csv.gz"), join(directory, "tasks.csv.gz")];
}

/** Rows that have every one of the words. */
export function selected(rows: readonly StressRow[], only: string): readonly StressRow[] {
  const words = only.split(/[ ,]+/).filter((word) => word !== "");
  const known = new Set(rows.flatMap(({ name }) => name.split(" ")));
  const unknown = words.find((word) => !known.has(word));
  if (unknown !== undefined) throw new UsageError(`Cannot find "${unknown}" in --only "${only}": there are ${[...known].join(", ")}`);
  const found = rows.filter(({ name }) => words.every((word) => name.split(" ").includes(word)));
  if (found.length === 0) throw new UsageError(`Cannot find a row with all of "${only}": a row has one cell, prod or all, and one order`);
  return found;
}
