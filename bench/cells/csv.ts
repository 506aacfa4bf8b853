/**
 * Cells from files: machines (machine_id,platform,cpu,mem) and tasks (job,index,user,sched_class,priority,cpu,mem,disk,diff_machines,
 * running_on), as the public Google trace of 2011 gives them: the largest machine is 1.0 in both, priorities are 0 to 11. Further
 * columns: `res_NAME` is an extra resource on both sides, `dev_NAME` devices: of machines how many, or COUNTxTHOUSANDTHS, of tasks how many whole
 * ones or a part of one; of machines `rack`, `power` and `attr_NAME`; of tasks `spread`, as in specs, `need_NAME`, a value that the machine's
 * `attr_NAME` must have (or !VALUE, or * for any), and `beside`: limits on other jobs of the same user as JOB-PRIORITY:MAX, with spaces between them.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { extraOfDevice, WHOLE_MILLI } from "../../src/base/device-name.ts";
import { UNITS_MAX } from "../../src/cell/device.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { UsageError } from "../usage.ts";
import { type CellPlan, GI, type JobPlan, KI, type MachinePlan } from "./plan.ts";

/** What 1.0 stands for. */
const CPU_MILLI = 64_000;
const RAM_BYTES = 256 * GI;

/** No amount in a file is larger, in parts of the largest machine or of a named resource: more is a slip. */
const AMOUNT_MAX = 1e6;
const PRIORITY_MAX = 11;
/** Most named resources of a task. */
const EXTRAS_MAX = 16;

/** What is said in thousandths may be off by what a double is off. */
const ROUNDING = 1e-6;

interface Extra {
  readonly name: string;
  readonly amount: number;
}

interface Row {
  readonly file: string;
  /** Of the file, the first line being 1. */
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

export function readCell(machinesFile: string, tasksFile: string): CellPlan {
  const machines = readRows(machinesFile, MACHINE_COLUMNS);
  const tasks = readRows(tasksFile, TASK_COLUMNS);
  unique(machines, "machine_id", (row) => machineName(row.values.get("machine_id") ?? ""));
  if (tasks[0]?.values.has("index") === true) unique(tasks, "index", (row) => `${row.values.get("job")}\n${row.values.get("index")}`);
  same(tasks, "job", ["user"]);
  return { machines: machines.map(machineOf), jobs: jobsOf(tasks) };
}

/** Which columns a file must have, which others it may have, and how the rest of them begin. */
interface Columns {
  readonly must: readonly string[];
  readonly may: readonly string[];
  readonly begin: readonly string[];
}

const MACHINE_COLUMNS: Columns = {
  must: ["machine_id", "cpu", "mem"],
  may: ["platform", "rack", "power"],
  begin: ["res_", "dev_", "attr_"],
};
const TASK_COLUMNS: Columns = {
  must: ["job", "user", "priority", "cpu", "mem"],
  may: ["index", "sched_class", "disk", "diff_machines", "running_on", "spread", "beside"],
  begin: ["res_", "dev_", "need_"],
};

const isKnown = (name: string, { must, may, begin }: Columns): boolean =>
  must.includes(name) || may.includes(name) || begin.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);

/** One line: file, row and column, what is there and what is expected. */
const wrong = ({ file, line, values }: Row, column: string, expected: string): UsageError =>
  new UsageError(`File "${file}", row ${line}, column "${column}": "${values.get(column) ?? ""}" where ${expected} is expected`);

function readRows(file: string, known: Columns): readonly Row[] {
  const columns = known.must;
  const [head = "", ...lines] = textOf(file).trimEnd().split(/\r?\n/);
  const names = cut(head) ?? [];
  const missing = columns.find((column) => !names.includes(column));
  if (missing !== undefined)
    throw new UsageError(`File "${file}" has no column "${missing}": its first line must name ${columns.join(", ")}`);
  const unknown = names.find((name) => !isKnown(name, known));
  if (unknown !== undefined)
    throw new UsageError(
      `File "${file}", row 1: nobody reads column "${unknown}": there are ${[...columns, ...known.may, ...known.begin.map((prefix) => `${prefix}NAME`)].join(", ")}`,
    );
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`File "${file}", row 1: column "${twice}" is named twice`);
  if (lines.length === 0) throw new UsageError(`File "${file}" has no rows below its first line: at least one is expected`);
  return lines.map((text, i) => {
    const cells = cut(text);
    if (cells === undefined || cells.length !== names.length)
      throw new UsageError(
        `File "${file}", row ${i + 2}: ${cells?.length ?? "unclosed"} fields where ${names.length} are expected, one for each column`,
      );
    const row = { file, line: i + 2, values: new Map(names.map((name, k) => [name, cells[k] as string])) };
    const empty = columns.find((column) => row.values.get(column) === "");
    if (empty !== undefined) throw wrong(row, empty, "something");
    return row;
  });
}

/** The fields of a line. One in quotes may hold commas, and quotes written twice. Undefined: a quote is not closed. */
function cut(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(",");
  const fields: string[] = [];
  let [field, quoted] = ["", false];
  for (let i = 0; i < line.length; i++) {
    const sign = line[i] as string;
    if (sign === '"' && quoted && line[i + 1] === '"') [field, i] = [`${field}"`, i + 1];
    else if (sign === '"') quoted = !quoted;
    else if (sign === "," && !quoted) [field] = ["", fields.push(field)];
    else field += sign;
  }
  return quoted ? undefined : [...fields, field];
}

/** No two rows mean the same by that column. */
function unique(rows: readonly Row[], column: string, keyOf: (row: Row) => string): void {
  const seen = new Map<string, number>();
  for (const row of rows) {
    const before = seen.get(keyOf(row));
    if (before !== undefined) throw wrong(row, column, `something other than in row ${before}`);
    seen.set(keyOf(row), row.line);
  }
}

/** Rows that are the same in one column are the same in others. */
function same(rows: readonly Row[], of: string, columns: readonly string[]): void {
  const seen = new Map<string, Row>();
  for (const row of rows) {
    const first = seen.get(row.values.get(of) ?? "");
    if (first === undefined) seen.set(row.values.get(of) ?? "", row);
    else for (const column of columns) agree(first, row, column);
  }
}

function agree(first: Row, other: Row, column: string): void {
  const [before, found] = [first.values.get(column), other.values.get(column)];
  if (found !== before) throw wrong(other, column, `"${before}", as in row ${first.line} of the same job,`);
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (cause) {
    throw new UsageError(`Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
}

function numberIn(row: Row, name: string, most = AMOUNT_MAX): number {
  const text = row.values.get(name) || "0";
  const value = /^\d*\.?\d*(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= most)) throw wrong(row, name, `a number from 0 to ${most}`);
  return value;
}

function wholeIn(row: Row, name: string, most = AMOUNT_MAX): number {
  const value = numberIn(row, name, most);
  if (!Number.isInteger(value)) throw wrong(row, name, `a whole number from 0 to ${most}`);
  return value;
}

/** What a task asks for: whole devices, or a part of one. */
function devicesAsked(row: Row): Extra[] {
  return namesIn(row, "dev_").map((column) => {
    const milli = numberIn(row, column, UNITS_MAX) * WHOLE_MILLI;
    if (Math.abs(milli - Math.round(milli)) > ROUNDING) throw wrong(row, column, "a number with at most three digits behind the point");
    return { name: extraOfDevice(column.slice("dev_".length)), amount: Math.round(milli) };
  });
}

/** What a machine has: how many, and how large one is where that is not whole. */
function devicesThere(row: Row): (Extra & { readonly unit: number })[] {
  return namesIn(row, "dev_").map((column) => {
    const [, count, unit = String(WHOLE_MILLI)] = /^([0-9]{1,2})(?:x([0-9]{1,4}))?$/.exec(row.values.get(column) || "0") ?? [];
    if (count === undefined || Number(count) > UNITS_MAX || Number(unit) < 1 || Number(unit) > WHOLE_MILLI)
      throw wrong(row, column, `how many from 0 to ${UNITS_MAX}, or with the thousandths of each, as in 8x250,`);
    return { name: extraOfDevice(column.slice("dev_".length)), amount: Number(count) * Number(unit), unit: Number(unit) };
  });
}

function limitIn(row: Row, devices: readonly Extra[]) {
  const extras = namesIn(row, "res_")
    .map((column): Extra => ({ name: column.slice("res_".length), amount: wholeIn(row, column) }))
    .concat(devices.map(({ name, amount }) => ({ name, amount })))
    .filter(({ amount }) => amount > 0);
  if (extras.length > EXTRAS_MAX)
    throw wrong(row, `res_${extras[EXTRAS_MAX]?.name}`, `no more than ${EXTRAS_MAX} named resources in a row`);
  return {
    cpuMilli: Math.round(numberIn(row, "cpu") * CPU_MILLI),
    // Down, so that ten tenths of a machine fit on it.
    ramBytes: Math.floor((numberIn(row, "mem") * RAM_BYTES) / KI + ROUNDING) * KI,
    extras,
  };
}

const namesIn = ({ values }: Row, prefix: string): string[] => [...values.keys()].filter((name) => name.startsWith(prefix));

const machineName = (id: string): string => `m${id.padStart(10, "0")}`;

function machineOf(row: Row): MachinePlan {
  const attributes = namesIn(row, "attr_").map((name) => ({ key: name.slice("attr_".length), value: row.values.get(name) ?? "" }));
  if (row.values.get("platform")) attributes.push({ key: "platform", value: row.values.get("platform") ?? "" });
  const there = devicesThere(row);
  const devices = there.filter(({ amount }) => amount > 0).map(({ name, unit }) => ({ name, unit }));
  const where = { rack: row.values.get("rack") ?? "", powerDomain: row.values.get("power") ?? "" };
  const facts = { capacity: limitIn(row, there), attributes, ...where, ...(devices.length === 0 ? {} : { devices }) };
  return { name: machineName(row.values.get("machine_id") ?? ""), facts };
}

/** free 0-1, batch 2-8, production 9-10, monitoring 11. */
function priorityOf(trace: number): number {
  if (trace <= 1) return 25 * trace;
  if (trace <= 8) return 100 + 3 * (trace - 2);
  return trace <= 10 ? 120 + 80 * (trace - 9) : 360;
}

/** Tasks of one job that were given different priorities are different jobs here. */
function jobsOf(rows: readonly Row[]): readonly JobPlan[] {
  const jobs = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.values.get("job")}-${wholeIn(row, "priority", PRIORITY_MAX)}`;
    const known = jobs.get(key);
    if (known === undefined) jobs.set(key, [row]);
    else known.push(row);
  }
  return [...jobs].map(([name, tasks]) => jobOf(name, tasks));
}

const SPREADS: ReadonlyMap<string, Spread> = new Map([
  ["soft", Spread.SOFT],
  ["hard", Spread.HARD],
  ["rack", Spread.RACK],
  ["power", Spread.POWER],
]);

function spreadIn(row: Row): Spread {
  const said = row.values.get("spread") || (row.values.get("diff_machines") === "1" ? "hard" : "soft");
  const spread = SPREADS.get(said);
  if (spread === undefined) throw wrong(row, "spread", [...SPREADS.keys()].join(", "));
  return spread;
}

/** A job is called by its name and priority here, since tasks of one job may have several. */
function besideIn(row: Row): { readonly job: string; readonly max: number }[] {
  const said = (row.values.get("beside") ?? "").split(" ").filter((each) => each !== "");
  return said.map((each) => {
    const [, job, max] = /^([^:]+):([0-9]{1,5})$/.exec(each) ?? [];
    if (job === undefined) throw wrong(row, "beside", "JOB-PRIORITY:MAX, as in 7-9:1,");
    return { job: `${row.values.get("user") ?? ""}/${job}`, max: Number(max) };
  });
}

/** `need_os`: the value that the machine's `attr_os` must have; `!b` another one, `*` any. All tasks of a job need the same. */
function needsIn(row: Row, column: string): Need[] {
  const said = row.values.get(column) ?? "";
  const attribute = column.slice("need_".length);
  if (said === "") return [];
  if (said === "*") return [{ attribute, operator: Operator.EXISTS, values: [] }];
  return said.startsWith("!")
    ? [{ attribute, operator: Operator.NOT_EQUAL, values: [said.slice(1)] }]
    : [{ attribute, operator: Operator.EQUAL, values: [said] }];
}

interface Need {
  readonly attribute: string;
  readonly operator: Operator;
  readonly values: string[];
}

function needsOf(rows: readonly Row[]): Need[] {
  const first = rows[0] as Row;
  return namesIn(first, "need_").flatMap((column) => needsIn(first, column));
}

function jobOf(name: string, rows: readonly Row[]): JobPlan {
  const first = rows[0] as Row;
  for (const column of ["spread", "diff_machines", "beside", ...namesIn(first, "need_")]) for (const row of rows) agree(first, row, column);
  const limits = rows.map((row) => limitIn(row, devicesAsked(row)));
  const keys = limits.map((limit) => JSON.stringify(limit));
  const overrides: { first: number; last: number; limit: (typeof limits)[number] }[] = [];
  for (const [i, key] of keys.entries()) {
    if (key === keys[0]) continue;
    const last = overrides.at(-1);
    if (last?.last === i - 1 && keys[i - 1] === key) last.last = i;
    else overrides.push({ first: i, last: i, limit: limits[i] as (typeof limits)[number] });
  }
  const spec = {
    user: first.values.get("user") ?? "",
    name,
    priority: priorityOf(wholeIn(first, "priority", PRIORITY_MAX)),
    count: rows.length,
    task: { command: ["run"], limit: limits[0] as (typeof limits)[number] },
    overrides,
    constraints: needsOf(rows),
    spread: spreadIn(first),
    beside: besideIn(first),
  };
  return { spec, ranOn: rows.map((row) => (row.values.get("running_on") ? machineName(row.values.get("running_on") ?? "") : undefined)) };
}
