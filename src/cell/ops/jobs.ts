/** Ops on jobs and alloc sets that are there: kill, restart, resize, forget. */
import type { JobId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { exact } from "../../base/vector.ts";
import { ActorKind, type JobResize, type JobRestart } from "../../wire/gen/borg/v1/op_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { boundProblem, type Growth, outgrown, uncount } from "../bounds.ts";
import { domainProblem } from "../domain.ts";
import { expiryAt } from "../expiry.ts";
import { isPerMachine } from "../job.ts";
import { called, chargeOf, gangProblem, isGang, partOf } from "../spec.ts";
import type { CellState, Job, Task } from "../state.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { FORGET_ASKED } from "../version.ts";
import { settle, stopInstance, unhold } from "./lifecycle.ts";
import { charge, quotaProblem } from "./quota.ts";
import { dropUpdates } from "./statuses.ts";
import { forgive, grow, killTask, stopOf } from "./tasks.ts";

export function findJob(state: CellState, id: string): Result<Job> {
  const job = state.jobs.get(id as JobId);
  return job === undefined ? refused(`Job "${id}" does not exist: borg ls shows those that do`) : ok(job);
}

/** Killing a dead job is done already. */
export function killJob(turn: Turn, id: string): Result<Answer> {
  const found = findJob(turn.state, id);
  if (!found.ok) return found;
  const job = found.value;
  if (job.state === "dead") return ok(ALREADY);
  if (!job.killed) turn.emit({ kind: "job.killed", subject: job.id });
  job.killed = true;
  turn.touch.job(job);
  if (job.held) unhold(turn.state, job);
  if (job.led !== undefined) dropUpdates(turn, job, job.led);
  for (const task of [...job.tasks]) killTask(turn, task);
  settle(turn, job);
  return ok(DONE);
}

/** Stops what runs, and forgets failures and back-off of what does not. */
export function restartJob(turn: Turn, op: JobRestart): Result<undefined> {
  const found = findJob(turn.state, op.job);
  if (!found.ok) return found;
  const job = found.value;
  if (job.led !== undefined) return refused(`"${job.id}" is a framework, which restarts its tasks itself: borg kill ${job.id} ends it`);
  if (job.state === "dead") return refused(`${called(job)} is dead: submit it again`);
  const missing = op.tasks.find((index) => index >= job.count);
  if (missing !== undefined)
    return refused(`${called(job)} has no ${partOf(job)} ${missing}: it has ${partOf(job)}s 0 to ${job.count - 1}`);
  const tasks = op.tasks.length === 0 ? [...job.tasks] : [...new Set(op.tasks)].map((index) => job.tasks[index] as Task);
  for (const task of tasks) restartTask(turn, task);
  return ok(undefined);
}

function restartTask(turn: Turn, task: Task): void {
  if (task.failures > 0 || task.notBeforeMs > 0) turn.emit({ kind: "task.changed", subject: task.id });
  forgive(turn, task);
  if (task.instance === undefined || !isPlaced(task.state)) return;
  turn.raise(task.instance.place.machine);
  stopInstance(turn, task.instance, "restart", stopOf(turn, task.instance, "restart"));
}

/** A smaller job kills its highest indexes; a larger one must be within quota. */
export function resizeJob(turn: Turn, op: JobResize): Result<Answer> {
  const { state } = turn;
  const found = findJob(state, op.job);
  if (!found.ok) return found;
  const job = found.value;
  if (job.led !== undefined) return refused(`"${job.id}" is a framework, which launches its tasks itself: it has no count to change`);
  if (job.state === "dead") return refused(`${called(job)} is dead: submit it again`);
  if (isPerMachine(job)) return refused(`Job "${job.id}" has one task per machine: it grows and shrinks with the cell`);
  if (job.wants.keptDirectory !== "" && op.count > 1)
    return refused(`Job "${job.id}" has a kept directory, and so one task: submit another job for more`);
  if (op.count === 0) return refused(`${called(job)} needs at least one ${partOf(job)}: kill it instead (borg kill ${job.id})`);
  if (job.update !== undefined) return refused(`${called(job)} is being updated: commit or undo that first (borg update show ${job.id})`);
  const problem =
    gangProblem(isGang(job), op.count) ??
    domainProblem(job.wants.spread, op.count, false) ??
    overrideProblem(job, op.count) ??
    growthProblem(state, job, op.count);
  if (problem !== undefined) return refused(problem);
  for (const each of goneFor(state, job, op.count)) dropJob(turn, each);
  const before = job.count;
  if (op.count !== before) turn.emit({ kind: "job.resized", subject: job.id, detail: `${before} to ${op.count} ${partOf(job)}s` });
  charge(state, job, chargeOf(job.spec, op.count));
  if (op.count > before) grow(turn, job, op.count);
  else shrink(turn, job, op.count);
  return ok(before === op.count ? ALREADY : DONE);
}

function overrideProblem(job: Job, count: number): string | undefined {
  const overrides = job.wants.overrides;
  const beyond = overrides.find((o) => o.last >= count);
  return beyond === undefined
    ? undefined
    : `Job "${job.id}" has overrides up to task ${beyond.last}: it cannot shrink to ${count}; kill it and submit it with fewer`;
}

function growthProblem(state: CellState, job: Job, count: number): string | undefined {
  if (count <= job.count) return undefined;
  const wanted = chargeOf(job.spec, count);
  if (!exact(wanted)) return "More is asked for than can be counted: lower the limits or the count";
  const user = state.users.get(job.owner);
  if (user === undefined) return `User "${job.owner}" is unknown`;
  return (
    quotaProblem(state, user, job.priority, wanted, job.charge)?.reason ??
    boundProblem(state, user, growthOf(job, count), goneFor(state, job, count))
  );
}

const growthOf = (job: Job, count: number): Growth => ({ jobs: 0, tasks: count - job.count, specBytes: 0 });

/** Dead jobs that make room for a job that grows. */
function goneFor(state: CellState, job: Job, count: number): readonly Job[] {
  const owner = state.users.get(job.owner);
  return owner === undefined || count <= job.count ? [] : outgrown(state, owner, growthOf(job, count), job);
}

export function shrink(turn: Turn, job: Job, count: number): void {
  job.count = count;
  turn.touch.job(job);
  for (const task of job.tasks.slice(count).reverse()) killTask(turn, task);
  settle(turn, job);
}

/** Removes a dead job of which nothing is left on any machine: when its time is over, or (from version 2 on) when its owner says so. */
export function forgetJob(turn: Turn, id: string): Result<undefined> {
  const { state } = turn;
  const found = findJob(state, id);
  if (!found.ok) return found;
  const job = found.value;
  if (job.state !== "dead") return refused(`${called(job)} is not dead: kill it first (borg kill ${id})`);
  if (job.tasks.some((task) => task.instance !== undefined))
    return refused(`${called(job)} still has instances that stop: ask again when they are gone`);
  const isAsked = turn.actor.kind === ActorKind.USER;
  if (isAsked && state.version < FORGET_ASKED)
    return refused(`The cell has version ${state.version}: it forgets jobs only by itself, after a while`);
  const leftMs = job.sinceMs + state.config.deadJobKeepMs - expiryAt(state, state.timeMs);
  if (leftMs > 0 && !isAsked) return refused(`${called(job)} is kept for ${leftMs} ms more`);
  if (state.inSets.has(job.id))
    return refused(`Alloc set "${id}" has jobs that would run in it: kill those first, or submit the set again`);
  dropJob(turn, job);
  return ok(undefined);
}

/** A dead job is no more; its instances have gone. */
export function dropJob(turn: Turn, job: Job): void {
  turn.state.jobs.delete(job.id);
  turn.touch.job(job);
  uncount(turn.state, job);
  turn.emit({ kind: "job.forgotten", subject: job.id });
}
