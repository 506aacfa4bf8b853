/** Which rows a view has, in which order, and what each says: names first, from what the index knows, and only the rows of the window in full. */
import { compareIds, type JobId, type MachineId, splitTask } from "../../base/id.ts";
import { plus, ZERO } from "../../base/vector.ts";
import { resourcesOf } from "../../cell/amounts.ts";
import { everythingOn } from "../../cell/place.ts";
import { isAllocSet } from "../../cell/spec.ts";
import type { CellState, Job, Task } from "../../cell/state.ts";
import { BANDS } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import { type ViewChangeSchema, ViewJobSchema, ViewKind, type View as WireView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import { maySee } from "./veil.ts";
import type { JobLine, MachineLine, ViewIndex } from "./view-index.ts";
import { machineView, shownState, sumUsage, taskView } from "./views.ts";

const LIMIT_DEFAULT = 100;
/** Of a job with more tasks the sums are left out: a page would pay for them with every look. */
const SUMMED_TASKS_MAX = 2000;

/** A row that is sorted among others costs as much as so many that are only looked at: measured on 4,078 jobs and on 12,477 machines. */
const SORTED = 8;

/** A query in parts: `user:ann state:pending web` has two keys and a word. */
export interface Query {
  readonly keys: ReadonlyMap<string, string>;
  readonly words: readonly string[];
}

export function queryOf(text: string): Query {
  const keys = new Map<string, string>();
  const words: string[] = [];
  for (const part of text.split(" ").filter((each) => each !== "")) {
    const colon = part.indexOf(":");
    if (colon > 0) keys.set(part.slice(0, colon), part.slice(colon + 1));
    else words.push(part.toLowerCase());
  }
  return { keys, words };
}

/** The window's names, and how many rows there are in all. */
export interface Window {
  readonly names: readonly string[];
  readonly total: number;
}

const windowOf = (names: readonly string[], { first, limit }: WireView): Window => ({
  names: names.slice(first, first + (limit || LIMIT_DEFAULT)),
  total: names.length,
});

const has = (name: string, words: readonly string[]): boolean => words.every((word) => name.toLowerCase().includes(word));

/** Rows by a figure, the largest first; the same figure by name. Names themselves the other way round: a first. */
function sorted<Row>(
  rows: Row[],
  sort: string,
  name: (row: Row) => string,
  figures: Readonly<Record<string, (row: Row) => number>>,
): Row[] {
  const back = sort.startsWith("-") ? -1 : 1;
  const figure = figures[sort.replace(/^-/, "") || "wrong"];
  const byName = (a: Row, b: Row): number => compareIds(name(a), name(b));
  if (figure === undefined) return rows.sort((a, b) => back * byName(a, b));
  return rows.sort((a, b) => back * (figure(b) - figure(a)) || byName(a, b));
}

const JOB_FIGURES: Readonly<Record<string, (line: JobLine) => number>> = {
  wrong: ({ wrong, view }) => (view.state === "dead" ? wrong - 2 : wrong),
  age: ({ view }) => -view.submittedMs,
  priority: ({ view }) => view.priority,
  tasks: ({ view }) => view.count,
  cpu: ({ view }) => (view.limit?.cpuMilli ?? 0) * view.count,
  ram: ({ view }) => (view.limit?.ramBytes ?? 0) * view.count,
};

export function jobWindow(index: ViewIndex, view: WireView, user: string, meter: Meter): Window {
  const { keys, words } = queryOf(view.query);
  const owner = keys.get("user") === "me" ? user : keys.get("user");
  const isMeant = (line: JobLine): boolean => (owner === undefined || line.owner === owner) && isMeantJob(line, keys, words);
  const lines = [...index.jobs(meter).values()];
  meter.lookedAt(SORTED * lines.length);
  const meant = sorted(lines.filter(isMeant), view.sort, (line) => line.view.name, JOB_FIGURES);
  return windowOf(
    meant.map((line) => line.view.name),
    view,
  );
}

function isMeantJob({ view, wrong }: JobLine, keys: ReadonlyMap<string, string>, words: readonly string[]): boolean {
  const state = keys.get("state");
  if (state === undefined ? view.state === "dead" : !isInState(view.state, wrong, state)) return false;
  const band = keys.get("band");
  if (band !== undefined && BANDS.find(({ name }) => name === band)?.wire !== view.band) return false;
  const kind = keys.get("kind");
  if (kind !== undefined && (kind === "alloc") !== view.allocSet) return false;
  const job = keys.get("job");
  return (job === undefined || job === view.name) && has(view.name, words);
}

const isInState = (state: string, wrong: number, asked: string): boolean =>
  asked === "any" || (asked === "wrong" ? wrong > 0 && state !== "dead" : state === asked);

const MACHINE_FIGURES: Readonly<Record<string, (line: MachineLine) => number>> = {
  wrong: ({ wrong }) => wrong,
  tasks: ({ tasks }) => tasks,
  age: ({ sinceMs }) => -sinceMs,
  cpu: ({ production, rest, capacity }) => (production.used.cpu + rest.used.cpu) / Math.max(1, capacity.cpu),
  ram: ({ production, rest, capacity }) => (production.used.ram + rest.used.ram) / Math.max(1, capacity.ram),
};

export function machineWindow(index: ViewIndex, view: WireView, meter: Meter): Window {
  const { keys, words } = queryOf(view.query);
  const lines = [...index.machines(meter).values()];
  meter.lookedAt(SORTED * lines.length);
  const isMeant = ({ name, state, rack }: MachineLine): boolean =>
    (keys.get("state") ?? state) === state &&
    (keys.get("rack") ?? rack) === rack &&
    (keys.get("machine") ?? name) === name &&
    has(name, words);
  const meant = sorted(lines.filter(isMeant), view.sort, (line) => line.name, MACHINE_FIGURES);
  return windowOf(
    meant.map((line) => line.name),
    view,
  );
}

/** What wants attention first. */
const TASK_RANKS: Readonly<Record<string, number>> = {
  "backing-off": 0,
  pending: 1,
  starting: 2,
  stopping: 3,
  ending: 3,
  running: 4,
  dead: 5,
};
const RANKS = 6;

/** There may be 144,339 of them at once: they are not sorted, but laid into one list for each rank, in the order of jobs and indexes. */
export function taskWindow(copy: Copy, view: WireView, user: string, meter: Meter): Window {
  const { keys, words } = queryOf(view.query);
  const state = keys.get("state");
  const byRank = view.sort === "" || view.sort === "wrong";
  const ranks: string[][] = Array.from({ length: RANKS }, () => []);
  for (const task of candidates(copy, keys, user)) {
    meter.lookedAt(2);
    const shown = shownState(task);
    if (state === undefined ? shown === "dead" && !keys.has("job") && !keys.has("task") : state !== "any" && shown !== state) continue;
    if (!has(task.id, words)) continue;
    const rank = task.failures > 0 && shown !== "dead" ? 0 : (TASK_RANKS[shown] ?? 0);
    ranks[byRank ? rank : 0]!.push(task.id);
  }
  return windowOf(ranks.flat(), view);
}

function* candidates({ state, jobNames }: Copy, keys: ReadonlyMap<string, string>, user: string): Generator<Task> {
  const machine = keys.get("machine");
  if (machine !== undefined) {
    const found = state.machines.get(machine as MachineId);
    if (found !== undefined) for (const { task } of everythingOn(found)) yield task;
    return;
  }
  const task = keys.get("task");
  if (task !== undefined) return yield* taskNamed(state, task);
  const job = keys.get("job");
  const owner = keys.get("user") === "me" ? user : keys.get("user");
  const jobs = job === undefined ? jobNames.after(owner === undefined ? "" : `${owner}/`) : [job as JobId];
  for (const id of jobs) {
    const found = state.jobs.get(id);
    if (found === undefined) continue;
    if (owner !== undefined && found.owner !== owner) return;
    yield* found.tasks;
  }
}

function taskNamed({ jobs }: CellState, name: string): readonly Task[] {
  const { job, index } = splitTask(name);
  return jobs.get(job)?.tasks.slice(index, index + 1) ?? [];
}

/** The rows of these names, in full. */
export function rowsOf(copy: Copy, index: ViewIndex, kind: ViewKind, names: Iterable<string>, user: string, meter: Meter): Rows {
  const { state, usage } = copy;
  const found = [...names];
  meter.answered(found.length);
  switch (kind) {
    case ViewKind.JOBS: {
      const lines = index.jobs(meter);
      return { jobs: found.flatMap((name) => jobRow(copy, lines.get(name as JobId), meter)) };
    }
    case ViewKind.TASKS:
      return { tasks: found.flatMap((name) => taskRow(copy, name)) };
    case ViewKind.MACHINES: {
      const machines = found.flatMap((name) => state.machines.get(name as MachineId) ?? []);
      meter.lookedAt(machines.reduce((sum, { place }) => sum + 2 * place.occupants.size, 0));
      return { machines: machines.map((machine) => machineView(machine, usage, (owner) => maySee(state, user, owner))) };
    }
    default:
      return {};
  }
}

export type Rows = Pick<Init<typeof ViewChangeSchema>, "jobs" | "tasks" | "machines">;

const taskRow = ({ state, usage }: Copy, name: string) => taskNamed(state, name).map((task) => taskView(task, usage));

function jobRow({ state, usage }: Copy, line: JobLine | undefined, meter: Meter) {
  const job = line === undefined ? undefined : state.jobs.get(line.view.name as JobId);
  if (line === undefined || job === undefined) return [];
  const update = job.update?.phase ?? "";
  if (job.tasks.length > SUMMED_TASKS_MAX) return [make(ViewJobSchema, { job: line.view, update })];
  meter.lookedAt(2 * job.tasks.length);
  return [make(ViewJobSchema, { job: line.view, update, ...sumsOf(job, usage) })];
}

function sumsOf(job: Job, usage: Copy["usage"]) {
  let limit = ZERO;
  let reserved = ZERO;
  let restarts = 0;
  let unreachable = 0;
  const used = [];
  for (const { instance, starts } of job.tasks) {
    restarts += Math.max(0, starts - 1) + Math.max(0, (instance?.run ?? 1) - 1);
    if (instance === undefined) continue;
    const { machine } = instance.place;
    limit = plus(limit, instance.limit);
    reserved = plus(reserved, instance.reservation);
    if (!machine.reachable) unreachable += 1;
    used.push(...(usage.of(machine.id, instance.id) === undefined ? [] : [usage.of(machine.id, instance.id)!]));
  }
  const usageSum = isAllocSet(job) ? {} : { usage: sumUsage(used) };
  return { limit: resourcesOf(limit), reservation: resourcesOf(reserved), ...usageSum, restarts, unreachable };
}
