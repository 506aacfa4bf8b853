/** What an update does next, done. The master only says that it is time; everything is decided here, on the state as it is. */
import { ok, type Result } from "../../base/result.ts";
import { equal } from "../../base/vector.ts";
import { releaseSpec } from "../generation.ts";
import { count, counts, uncount } from "../place.ts";
import { limitOf } from "../spec.ts";
import type { Face, Instance, Job, Task, Update, UpdatePhase } from "../state.ts";
import type { Turn } from "../turn.ts";
import { canStay, countOf, nextStep, type Planned } from "../update-plan.ts";
import { ADJUSTMENTS } from "../version.ts";
import { findJob, shrink } from "./jobs.ts";
import { credit, debit, stopInstance } from "./lifecycle.ts";
import { recharge } from "./quota.ts";
import { succeed, tell } from "./successor.ts";
import { forgive, grow, stopOf } from "./tasks.ts";
import { dropUpdate, tasksCharged } from "./update-end.ts";

/** A step that finds nothing to do changes nothing. */
export function stepUpdate(turn: Turn, id: string): Result<undefined> {
  const found = findJob(turn.state, id);
  if (!found.ok) return found;
  const job = found.value;
  const step = nextStep(job, turn.timeMs, turn.state.version);
  const { update } = job;
  if (step === undefined || update === undefined) return ok(undefined);
  if (step.kind === "grow") growFirst(turn, job, update);
  if (step.kind === "turn") for (const planned of step.tasks) turnTask(turn, update, planned);
  if (step.kind === "turn" && update.phase === "rolled") enterPhase(turn, job, update, "rolling");
  if (step.kind === "undo") beginUndo(turn, job, update, step.reason);
  if (step.kind === "return") for (const planned of step.tasks) returnTask(turn, job, planned);
  if (step.kind === "rolled") endRolling(turn, job, update);
  if (step.kind === "undone") endUndo(turn, job, update);
  return ok(undefined);
}

/** Tasks that come with the update run its spec from the beginning. */
function growFirst(turn: Turn, job: Job, update: Update): void {
  const before = job.count;
  grow(turn, job, countOf(job, update));
  for (const task of job.tasks.slice(before)) tell(turn, task, "free");
}

/** Others of the same step may have taken the room that it was to grow into: then the next step looks again. */
const isTooLate = (turn: Turn, { task: { instance }, change }: Planned, face: Face): boolean =>
  turn.state.version >= ADJUSTMENTS && change === "in-place" && !canStay(instance as Instance, face);

function turnTask(turn: Turn, update: Update, planned: Planned): void {
  if (isTooLate(turn, planned, update)) return;
  const { task, change } = planned;
  tell(turn, task, change);
  if (change === "skip") return;
  if (change === "in-place") adopt(turn, task.instance as Instance, update, update.generation);
  else leaveOld(turn, task);
}

function returnTask(turn: Turn, job: Job, planned: Planned): void {
  if (isTooLate(turn, planned, job)) return;
  const { task, change } = planned;
  if (change === "in-place") adopt(turn, task.instance as Instance, job, job.generation);
  tell(turn, task, "back");
  if (change === "in-place" || task.instance === undefined) task.told = undefined;
  if (change !== "in-place") leaveOld(turn, task);
}

/** What it runs has to stop; who does not run just begins anew. */
function leaveOld(turn: Turn, task: Task): void {
  forgive(turn, task);
  const { instance } = task;
  if (instance === undefined || instance.stop !== undefined) return;
  turn.raise(instance.place.machine);
  stopInstance(turn, instance, "restart", stopOf(turn, instance, "update"));
  // An alloc with nothing inside has gone at once.
  if (task.instance === undefined) succeed(turn, instance);
}

/** It goes on as it is, by another spec that asks nothing else of its processes; but they may be held to another limit. */
function adopt(turn: Turn, instance: Instance, face: Face, generation: number): void {
  const limit = turn.state.version >= ADJUSTMENTS ? limitOf(face, instance.task.index) : instance.limit;
  const counted = counts(instance);
  if (counted) uncount(instance);
  if (counted) debit(turn.state, instance);
  instance.priority = face.priority;
  if (!equal(limit, instance.limit)) {
    instance.limit = limit;
    // As of one that begins: what it uses under its new limit nobody has seen.
    instance.reservation = limit;
    if (instance.inside !== undefined) instance.inside.capacity = limit;
  }
  if (counted) credit(turn.state, instance);
  if (counted) count(instance);
  if (releaseSpec(turn.state, instance)) turn.touch.job(instance.task.job);
  instance.generation = generation;
  turn.touch.instance(instance);
  turn.raise(instance.place.machine);
}

export function enterPhase(turn: Turn, job: Job, update: Update, phase: UpdatePhase): void {
  update.phase = phase;
  update.sinceMs = turn.timeMs;
  turn.touch.job(job);
}

/** Surplus tasks are killed last. */
function endRolling(turn: Turn, job: Job, update: Update): void {
  enterPhase(turn, job, update, "rolled");
  turn.emit({ kind: "job.updated", subject: job.id, detail: "is rolled out: commit it, or undo it" });
  const wanted = countOf(job, update);
  if (wanted < job.count) shrink(turn, job, wanted);
}

/** Tasks that the update removed return first. */
export function beginUndo(turn: Turn, job: Job, update: Update, reason: string): void {
  enterPhase(turn, job, update, "undoing");
  update.reason = reason;
  turn.emit({ kind: "job.updated", subject: job.id, detail: reason === "" ? "is undone" : `is undone: ${reason}` });
  if (job.count < update.countBefore) grow(turn, job, update.countBefore);
}

function endUndo(turn: Turn, job: Job, update: Update): void {
  dropUpdate(turn, job, update);
  recharge(turn.state, job, tasksCharged({ ...job, count: update.countBefore }));
  turn.emit({ kind: "job.updated", subject: job.id, detail: "was undone: every task has its old spec" });
  if (job.count > update.countBefore && !update.wants.perMachine) shrink(turn, job, update.countBefore);
}
