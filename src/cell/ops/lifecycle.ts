/** Moves tasks along the table of task.ts and keeps everything that hangs on them true: instances, sums, jobs. */
import { assert } from "../../base/assert.ts";
import { compareIds, type InstanceId, type JobId } from "../../base/id.ts";
import { minus, plus } from "../../base/vector.ts";
import { RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import { forgetDetails, recount } from "../bounds.ts";
import type { Cause } from "../cause.ts";
import { countEviction, countRun } from "../eviction-days.ts";
import { causeInside, executorOf, isExecutor, tasksInside } from "../executor.ts";
import { faceOf } from "../face.ts";
import { releaseSpec } from "../generation.ts";
import { jobEvent, jobStep } from "../job.ts";
import { remember } from "../past.ts";
import { count, counts, uncount } from "../place.ts";
import { afterEnd, endsText } from "../start-after.ts";
import type { CellState, Instance, Job, Stop, Task } from "../state.ts";
import { stopTimes } from "../stop-times.ts";
import { FINAL, isDead, isPlaced, step, type TaskEvent, type TaskState } from "../task.ts";
import type { Turn } from "../turn.ts";
import { EXECUTORS, GENERATIONS, RUNS } from "../version.ts";
import { backOff } from "./back-off.ts";
import { keepDirectory } from "./directories.ts";
import { releaseQuota } from "./quota.ts";
import { reportMove } from "./statuses.ts";
import { dropUpdate } from "./update-end.ts";

/** Takes one arrow. False: the event means nothing in this state, and nothing changed. */
export function move(turn: Turn, task: Task, event: TaskEvent, cause: Cause, detail?: string): boolean {
  const to = step(task.state, task.launched === undefined ? event : (FINAL[event] ?? event));
  if (to === undefined) return false;
  const instance = task.instance;
  const from = task.state;
  enter(turn, task, to, cause);
  turn.emit({
    kind: "task.state",
    subject: task.id,
    from,
    to,
    cause,
    ...(instance === undefined ? {} : { instance: instance.id, machine: instance.place.machine.id }),
    ...(instance?.stop?.preemptor === undefined ? {} : { preemptor: instance.stop.preemptor }),
    ...(detail === undefined ? {} : { detail }),
  });
  if (instance !== undefined && isPlaced(from) && !isPlaced(to)) countEviction(turn.state, instance, cause);
  if (task.launched !== undefined) reportMove(turn, task, task.launched, cause, detail);
  if (instance !== undefined && isPlaced(from) && isDead(to) && cause !== "finished") endGroup(turn, instance);
  const leaves = instance !== undefined && (to === "pending" || to === "dead");
  if (leaves) depart(turn, instance, cause);
  settle(turn, task.job);
  return true;
}

function enter(turn: Turn, task: Task, state: TaskState, cause: Cause): void {
  const job = task.job;
  const again = (state === "pending" || state === "stopping") && task.state !== "stopping";
  if (again) task.incarnation = turn.nextIncarnation();
  job.placed += Number(isPlaced(state)) - Number(isPlaced(task.state));
  job.dead += Number(isDead(state)) - Number(isDead(task.state));
  task.state = state;
  task.cause = cause;
  task.sinceMs = turn.timeMs;
  turn.touch.task(task);
}

/** Puts an instance onto its place. */
export function settleIn(state: CellState, instance: Instance): void {
  assert(!instance.place.occupants.has(instance.id), "An instance is placed twice");
  instance.task.instance = instance;
  instance.place.occupants.set(instance.id, instance);
  if (!counts(instance)) return;
  count(instance);
  credit(state, instance);
}

/** Tells an instance to stop. As a victim (with a preemptor) it no longer counts from now on. What is inside an alloc stops with it. */
export function stopInstance(turn: Turn, instance: Instance, event: "evict" | "restart" | "kill", stop: Stop, detail?: string): void {
  if (instance.stop === undefined) {
    // Evicted because it was over its memory limit: that is a failure of its own, or it would evict its successor at once.
    if (event === "evict" && instance.overRam) backOff(turn, instance);
    if (stop.preemptor !== undefined) debit(turn.state, instance);
    if (stop.preemptor !== undefined) uncount(instance);
    instance.stop = stop;
    turn.touch.instance(instance);
  }
  move(turn, instance.task, event, stop.cause, detail ?? lameWords(instance));
  if (instance.inside !== undefined) stopInside(turn, instance, stop);
}

/** Only of what has a process. */
const lameWords = ({ stop, inside }: Instance): string | undefined =>
  inside === undefined && stop !== undefined && stop.lameDuckMs > 0 ? `SIGTERM comes ${stop.lameDuckMs} ms after the order` : undefined;

/** If an alloc must go, its tasks are rescheduled with it (Borg §2.4). */
function stopInside(turn: Turn, alloc: Instance, stop: Stop): void {
  const inside = alloc.inside?.occupants ?? new Map<InstanceId, Instance>();
  const cause = stop.cause === "killed" ? "other" : stop.cause;
  for (const inner of sorted(inside)) {
    const times = stopTimes(inner, stop.noticeMs + stop.lameDuckMs);
    stopInstance(turn, inner, "evict", { ...stop, cause, ...times }, `Alloc "${alloc.task.id}" stops`);
  }
  leaveIfEmpty(turn, alloc);
}

/** So long a revoked task waits: the role that it went for has to be offered the room, and to answer. Without it the task would be back first. */
export const HEAD_START_MS = 30_000;

/** Removes an instance from its place: it is gone, or given up. */
function depart(turn: Turn, instance: Instance, cause: Cause): void {
  if (counts(instance)) {
    uncount(instance);
    debit(turn.state, instance);
  }
  if (instance.inside !== undefined) keepDirectory(turn, instance);
  instance.place.occupants.delete(instance.id);
  instance.task.instance = undefined;
  turn.touch.instance(instance);
  // One that backs off anyway waits as long as that says.
  const isBack = instance.stop?.cause === "revocation" && instance.task.notBeforeMs <= turn.timeMs;
  if (isBack) instance.task.notBeforeMs = turn.timeMs + HEAD_START_MS;
  countRun(turn.state, instance);
  if (releaseSpec(turn.state, instance)) turn.touch.job(instance.task.job);
  if (turn.state.version >= RUNS)
    remember(instance.task, { last: { instance: instance.id, machine: instance.place.machine.id, preemptor: instance.stop?.preemptor } });
  turn.emit({ kind: "instance.gone", subject: instance.task.id, instance: instance.id, machine: instance.place.machine.id, cause });
  if (instance.inside !== undefined) loseInside(turn, instance, cause);
  if (isExecutor(instance.task)) endInside(turn, instance, cause);
  const alloc = instance.place.machine.place.occupants.get(instance.place.id as InstanceId);
  if (alloc !== undefined) leaveIfEmpty(turn, alloc);
}

function loseInside(turn: Turn, alloc: Instance, cause: Cause): void {
  const inside = alloc.inside?.occupants ?? new Map<InstanceId, Instance>();
  for (const inner of sorted(inside)) lose(turn, inner, cause);
}

/** The others of a group that a framework launched stop when one of them ends otherwise than well. */
function endGroup(turn: Turn, { task, place }: Instance): void {
  const group = task.launched?.group ?? 0;
  if (group === 0 || turn.state.version < EXECUTORS) return;
  for (const other of sorted(place.occupants)) {
    if (other.task.job !== task.job || other.task.launched?.group !== group || !isPlaced(other.task.state)) continue;
    const { noticeMs, lameDuckMs } = other;
    const stop = { cause: "killed", timeMs: turn.timeMs, noticeMs, lameDuckMs, preemptor: undefined } as const;
    stopInstance(turn, other, "kill", stop, `Task "${task.launched?.taskId}" of its group ended`);
  }
}

/** What an executor had ends with it: nobody else knows of it. [Z12] */
function endInside(turn: Turn, executor: Instance, cause: Cause): void {
  const why = causeInside(executor.stop?.cause ?? cause);
  const words = `Its executor "${executorOf(executor.task)?.id}" ended`;
  for (const { task } of tasksInside(executor)) move(turn, task, why === "failed" ? "failForGood" : "lostForGood", why, words);
}

/** A stopping alloc is gone when the last instance inside it is. */
function leaveIfEmpty(turn: Turn, alloc: Instance): void {
  if (alloc.stop !== undefined && alloc.inside?.occupants.size === 0) move(turn, alloc.task, "gone", alloc.stop.cause);
}

/** Gives an instance up. The policy decides whether its task may run again. */
export function lose(turn: Turn, instance: Instance, cause: Cause): void {
  const task = instance.task;
  const forGood = faceOf(task).wants.restart?.when === RestartWhen.NEVER && !isLeftOver(turn.state, instance);
  move(turn, task, forGood ? "lostForGood" : "lost", cause);
}

/** Killed, but its task has to run all the same: the job's name was used again, or it grew again. How this one ends is no matter of the task's. */
export const isLeftOver = ({ version }: CellState, { stop, task }: Instance): boolean =>
  version >= GENERATIONS && stop?.cause === "killed" && task.state === "stopping";

/** Brings the job's state in line with its tasks', and lets those go on that waited for its end. */
export function settle(turn: Turn, job: Job): void {
  dropSurplus(turn, job);
  const next = jobStep(job.state, jobEvent(job));
  if (next === undefined) return;
  turn.emit({ kind: "job.state", subject: job.id, from: job.state, to: next });
  job.state = next;
  job.sinceMs = turn.timeMs;
  turn.touch.job(job);
  recount(turn.state, job);
  if (next !== "dead") return;
  if (job.update !== undefined) dropUpdate(turn, job, job.update);
  releaseQuota(turn.state, job);
  forgetDetails(turn.state, job);
  turn.state.perMachine.delete(job.id);
  release(turn, job.id);
}

/** It no longer waits for the end of another job. */
export function unhold(state: CellState, job: Job): void {
  job.held = false;
  if (job.spec.kind !== "job") return;
  const prior = job.spec.job.startAfter as JobId;
  const waiters = state.waiters.get(prior);
  waiters?.delete(job.id);
  if (waiters?.size === 0) state.waiters.delete(prior);
}

/** Tasks beyond the wanted count leave when nothing of them is left. */
function dropSurplus(turn: Turn, job: Job): void {
  while (job.tasks.length > job.count) {
    const last = job.tasks[job.tasks.length - 1] as Task;
    if (last.state !== "dead") return;
    job.tasks.pop();
    job.dead -= 1;
    turn.touch.task(last);
    recount(turn.state, job);
    turn.emit({ kind: "task.removed", subject: last.id });
  }
}

/** Of jobs that are dead already some may be waited for that ended well by what counts from now on. */
export function releaseAll(turn: Turn): void {
  for (const id of [...turn.state.waiters.keys()].sort(compareIds)) if (turn.state.jobs.get(id)?.state === "dead") release(turn, id);
}

/** One after the other: whoever fails with the job before may have others that wait for it, and a chain of them must not need a stack as deep as it is long. */
function release(turn: Turn, ended: JobId): void {
  if (turn.ended !== undefined) {
    turn.ended.push(ended);
    return;
  }
  turn.ended = [ended];
  for (const id of turn.ended) releaseFrom(turn, id);
  turn.ended = undefined;
}

function releaseFrom(turn: Turn, ended: JobId): void {
  const waiters = turn.state.waiters.get(ended);
  if (waiters === undefined) return;
  const prior = turn.state.jobs.get(ended);
  const how = endsText(turn.state, prior);
  for (const id of [...waiters].sort(compareIds)) {
    const job = turn.state.jobs.get(id) as Job;
    const next = afterEnd(turn.state, job.wants, prior);
    if (next === "wait") continue;
    unhold(turn.state, job);
    turn.touch.job(job);
    if (next === "start") turn.emit({ kind: "job.released", subject: id, detail: `Job "${ended}" has ended (${how})` });
    else failWith(turn, job, `Job "${ended}" did not end well (${how})`);
  }
}

/** Nothing of it was started since it waits; what may be left of its life before is told to stop. */
function failWith(turn: Turn, job: Job, why: string): void {
  job.killed = true;
  turn.emit({ kind: "job.killed", subject: job.id, detail: why });
  for (const task of [...job.tasks]) {
    if (task.instance === undefined) move(turn, task, "kill", "killed", why);
    else {
      const { noticeMs, lameDuckMs } = task.instance;
      stopInstance(turn, task.instance, "kill", { cause: "killed", timeMs: turn.timeMs, noticeMs, lameDuckMs, preemptor: undefined });
    }
  }
  settle(turn, job);
}

/** What a scheduler has claimed counts against its cap while it counts on the machine. */
export function credit(state: CellState, instance: Instance): void {
  const scheduler = state.schedulers.get(instance.scheduler);
  if (scheduler === undefined) return;
  scheduler.claimed = plus(scheduler.claimed, instance.limit);
  const job = instance.task.job.id;
  scheduler.claimedJobs.set(job, (scheduler.claimedJobs.get(job) ?? 0) + 1);
}

export function debit(state: CellState, instance: Instance): void {
  const scheduler = state.schedulers.get(instance.scheduler);
  if (scheduler === undefined) return;
  scheduler.claimed = minus(scheduler.claimed, instance.limit);
  const job = instance.task.job.id;
  const left = (scheduler.claimedJobs.get(job) ?? 0) - 1;
  if (left > 0) scheduler.claimedJobs.set(job, left);
  else scheduler.claimedJobs.delete(job);
}

const sorted = (occupants: ReadonlyMap<InstanceId, Instance>): Instance[] => [...occupants.values()].sort((a, b) => compareIds(a.id, b.id));
