/**
 * Cells from files: machines (machine_id,platform,cpu,mem) and tasks (job,index,user,sched_class,priority,cpu,mem,disk,diff_machines,
 * running_on), as the public Google trace of 2011 gives them: the largest machine is 1.0 in both, priorities are 0 to 11. Further
 * columns: `res_NAME` is an extra resource on both sides; of machines `rack`, `power` and `attr_NAME`; of tasks `spread`, as in specs,
 * and `beside`: limits on other jobs of the same user as JOB-PRIORITY:MAX, with spaces between them.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { UsageError } from "../usage.ts";
import { type CellPlan, GI, type JobPlan, KI, type MachinePlan } from "./plan.ts";

/** What 1.0 stands for. */
const CPU_MILLI = 64_000;
const RAM_BYTES = 256 * GI;

type Row = ReadonlyMap<string, string>;

export function readCell(machinesFile: string, tasksFile: string): CellPlan {
  const machines = readRows(machinesFile, ["machine_id", "cpu", "mem"]);
  const tasks = readRows(tasksFile, ["job", "user", "priority", "cpu", "mem"]);
  return { machines: machines.map(machineOf), jobs: jobsOf(tasks) };
}

function readRows(file: string, columns: readonly string[]): readonly Row[] {
  const [head = "", ...lines] = textOf(file).trim().split(/\r?\n/);
  const names = head.split(",");
  const missing = columns.find((column) => !names.includes(column));
  if (missing !== undefined)
    throw new UsageError(`File "${file}" has no column "${missing}": its first line must name ${columns.join(", ")}`);
  return lines.map((line) => {
    const values = line.split(",");
    return new Map(names.map((name, i) => [name, values[i] ?? ""]));
  });
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (cause) {
    throw new UsageError(`Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
}

function numberIn(row: Row, name: string): number {
  const value = Number(row.get(name) || 0);
  if (!(value >= 0)) throw new UsageError(`Column "${name}" has "${row.get(name)}" where a number is expected, not below zero`);
  return value;
}

const limitIn = (row: Row) => ({
  cpuMilli: Math.round(numberIn(row, "cpu") * CPU_MILLI),
  ramBytes: Math.round((numberIn(row, "mem") * RAM_BYTES) / KI) * KI,
  extras: namesIn(row, "res_")
    .map((column) => ({ name: column.slice("res_".length), amount: numberIn(row, column) }))
    .filter(({ amount }) => amount > 0),
});

const namesIn = (row: Row, prefix: string): string[] => [...row.keys()].filter((name) => name.startsWith(prefix));

const machineName = (id: string): string => `m${id.padStart(10, "0")}`;

function machineOf(row: Row): MachinePlan {
  const attributes = namesIn(row, "attr_").map((name) => ({ key: name.slice("attr_".length), value: row.get(name) ?? "" }));
  if (row.get("platform")) attributes.push({ key: "platform", value: row.get("platform") ?? "" });
  const facts = { capacity: limitIn(row), attributes, rack: row.get("rack") ?? "", powerDomain: row.get("power") ?? "" };
  return { name: machineName(row.get("machine_id") ?? ""), facts };
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
    const key = `${row.get("job")}-${row.get("priority")}`;
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
  const said = row.get("spread") || (row.get("diff_machines") === "1" ? "hard" : "soft");
  const spread = SPREADS.get(said);
  if (spread === undefined) throw new UsageError(`Column "spread" has "${said}": expected ${[...SPREADS.keys()].join(", ")}`);
  return spread;
}

/** A job is called by its name and priority here, since tasks of one job may have several. */
function besideIn(row: Row): { readonly job: string; readonly max: number }[] {
  const said = (row.get("beside") ?? "").split(" ").filter((each) => each !== "");
  return said.map((each) => {
    const [, job, max] = /^([^:]+):([0-9]{1,5})$/.exec(each) ?? [];
    if (job === undefined) throw new UsageError(`Column "beside" has "${each}": expected JOB-PRIORITY:MAX, as in 7-9:1`);
    return { job: `${row.get("user") ?? ""}/${job}`, max: Number(max) };
  });
}

function jobOf(name: string, rows: readonly Row[]): JobPlan {
  const first = rows[0] as Row;
  const limits = rows.map(limitIn);
  const keys = limits.map((limit) => JSON.stringify(limit));
  const overrides: { first: number; last: number; limit: (typeof limits)[number] }[] = [];
  for (const [i, key] of keys.entries()) {
    if (key === keys[0]) continue;
    const last = overrides.at(-1);
    if (last?.last === i - 1 && keys[i - 1] === key) last.last = i;
    else overrides.push({ first: i, last: i, limit: limits[i] as (typeof limits)[number] });
  }
  const spec = {
    user: first.get("user") ?? "",
    name,
    priority: priorityOf(numberIn(first, "priority")),
    count: rows.length,
    task: { command: ["run"], limit: limits[0] as (typeof limits)[number] },
    overrides,
    spread: spreadIn(first),
    beside: besideIn(first),
  };
  return { spec, ranOn: rows.map((row) => (row.get("running_on") ? machineName(row.get("running_on") ?? "") : undefined)) };
}
