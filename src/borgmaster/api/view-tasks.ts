/**
 * Which tasks a view has. There may be 144,339 of them at once: jobs are counted by what their tasks show (task-counts.ts), and only of the jobs in
 * which the window begins and ends single tasks are looked at.
 */
import { type JobId, type MachineId, splitTask } from "../../base/id.ts";
import { everythingOn } from "../../cell/place.ts";
import type { CellState, Task } from "../../cell/state.ts";
import type { View as WireView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import type { ShownState } from "./shown.ts";
import { CODES, codeOf, isFailing, shownOf, type TaskCounts } from "./task-counts.ts";
import { firstTasks, SORTED_AS, TASK_FIGURES } from "./task-order.ts";
import type { ViewIndex } from "./view-index.ts";
import { has, LIMIT_DEFAULT, type Query, queryOf, type Window, windowOf } from "./view-window.ts";

/** What wants attention first. */
const RANK_OF: Readonly<Record<ShownState, number>> = {
  "backing-off": 0,
  pending: 1,
  starting: 2,
  stopping: 3,
  ending: 3,
  running: 4,
  dead: 5,
};
const RANKS = 6;
const NOT_MEANT = 255;
/** A task whose name no word can be in. */
const NO_NAME = 255;
/** A code is looked at faster than a record. */
const CODES_LOOKED_AT = 20;

/** In which part of the list a task of each code is; NOT_MEANT: in none. */
function ranksOf({ keys }: Query, sort: string): Uint8Array {
  const state = keys.get("state");
  const isAbout = keys.has("job") || keys.has("task");
  const byRank = sort === "" || sort === "wrong";
  const ranks = new Uint8Array(NO_NAME + 1).fill(NOT_MEANT);
  for (let code = 0; code < CODES; code++) {
    const shown = shownOf(code);
    if (shown === undefined || (state === undefined ? shown === "dead" && !isAbout : state !== "any" && shown !== state)) continue;
    ranks[code] = !byRank || (isFailing(code) && shown !== "dead") ? 0 : RANK_OF[shown];
  }
  return ranks;
}

/** A job whose tasks may be in the list. */
interface Lot {
  readonly job: JobId;
  readonly codes: Uint8Array;
  readonly byCode: ReadonlyMap<number, number>;
}

export function taskWindow(copy: Copy, index: ViewIndex, view: WireView, user: string, meter: Meter): Window {
  const query = queryOf(view.query);
  const ranks = ranksOf(query, view.sort);
  const named = query.keys.get("machine") !== undefined || query.keys.get("task") !== undefined;
  const isFigure = Object.hasOwn(TASK_FIGURES, view.sort.replace(/^-/, ""));
  if (named) {
    const few = fewTasks(copy.state, query, ranks, meter);
    const names = isFigure ? firstTasks(few, view.sort, few.length, copy.usage) : few.map(({ id }) => id);
    return windowOf(names, view);
  }
  const lots = lotsOf(copy, index, query, user, meter);
  const total = lots.reduce((sum, lot) => sum + tasksIn(lot, (code) => ranks[code] !== NOT_MEANT), 0);
  if (!isFigure) return { names: cut(lots, ranks, view, meter), total };
  meter.lookedAt(SORTED_AS * total);
  const most = view.first + (view.limit || LIMIT_DEFAULT);
  return { names: firstTasks(tasksOf(copy.state, lots, ranks), view.sort, most, copy.usage).slice(view.first), total };
}

function* tasksOf({ jobs }: CellState, lots: readonly Lot[], ranks: Uint8Array): Generator<Task> {
  for (const { job, codes } of lots)
    for (const [i, task] of (jobs.get(job)?.tasks ?? []).entries()) if (ranks[codes[i] ?? NO_NAME] !== NOT_MEANT) yield task;
}

/** Of a machine, or one. */
function fewTasks(state: CellState, { keys, words }: Query, ranks: Uint8Array, meter: Meter): Task[] {
  const parts: Task[][] = Array.from({ length: RANKS }, () => []);
  const machine = state.machines.get((keys.get("machine") ?? "") as MachineId);
  const tasks = keys.has("machine")
    ? [...(machine === undefined ? [] : everythingOn(machine))].map(({ task }) => task)
    : taskNamed(state, keys.get("task") ?? "");
  meter.lookedAt(2 * tasks.length);
  for (const task of tasks) if (has(task.id, words)) parts[ranks[codeOf(task)] as number]?.push(task);
  return parts.flat();
}

export function taskNamed({ jobs }: CellState, name: string): readonly Task[] {
  const { job, index } = splitTask(name);
  return jobs.get(job)?.tasks.slice(index, index + 1) ?? [];
}

function tasksIn({ byCode }: Lot, isMeant: (code: number) => boolean): number {
  let sum = 0;
  for (const [code, tasks] of byCode) if (isMeant(code)) sum += tasks;
  return sum;
}

/** By name. */
function lotsOf(copy: Copy, index: ViewIndex, { keys, words }: Query, user: string, meter: Meter): readonly Lot[] {
  const { all } = index.jobs(meter);
  const owner = keys.get("user") === "me" ? user : keys.get("user");
  const job = keys.get("job");
  const lots: Lot[] = [];
  for (const id of job === undefined ? copy.jobNames.after(owner === undefined ? "" : `${owner}/`) : [job as JobId]) {
    const line = all.get(id);
    if (line === undefined) continue;
    if (owner !== undefined && line.owner !== owner) break;
    meter.lookedAt(1);
    const lot = lotOf(id, line.counts, words, meter);
    if (lot !== undefined) lots.push(lot);
  }
  return lots;
}

function lotOf(job: JobId, { codes, byCode }: TaskCounts, words: readonly string[], meter: Meter): Lot | undefined {
  const lower = words.length === 0 ? "" : job.toLowerCase();
  const open = words.filter((word) => !lower.includes(word));
  if (open.length === 0) return { job, codes, byCode };
  // A word that is not in the job's name ends in the task's number, or is in none of its names.
  if (!open.every((word) => /^(.*\/)?\d*$/.test(word))) return undefined;
  meter.lookedAt(codes.length);
  const meant = codes.map((code, i) => (has(`${lower}/${i}`, open) ? code : NO_NAME));
  const found = new Map<number, number>();
  for (const code of meant) found.set(code, (found.get(code) ?? 0) + 1);
  return { job, codes: meant, byCode: found };
}

/** The names in the window: part after part, job after job. */
function cut(lots: readonly Lot[], ranks: Uint8Array, { first, limit }: WireView, meter: Meter): string[] {
  const names: string[] = [];
  let passed = first;
  const most = limit || LIMIT_DEFAULT;
  for (let rank = 0; rank < RANKS; rank++)
    for (const lot of lots) {
      const { job, codes } = lot;
      const there = tasksIn(lot, (code) => ranks[code] === rank);
      if (passed >= there) {
        passed -= there;
        continue;
      }
      meter.lookedAt(codes.length / CODES_LOOKED_AT);
      for (let i = 0; i < codes.length && names.length < most; i++) {
        if (ranks[codes[i] as number] !== rank) continue;
        if (passed > 0) passed -= 1;
        else names.push(`${job}/${i}`);
      }
      if (names.length >= most) return names;
    }
  return names;
}
