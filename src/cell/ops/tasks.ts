/** Tasks of a job come, go and come back. */
import { taskId } from "../../base/id.ts";
import { recount } from "../bounds.ts";
import { NO_PAST, remember } from "../past.ts";
import type { Instance, Job, Stop, Task } from "../state.ts";
import type { Turn } from "../turn.ts";
import { move, stopInstance } from "./lifecycle.ts";

/** Brings a job up to `count` tasks: dead ones come back, then new ones are added. */
export function grow(turn: Turn, job: Job, count: number): void {
  const from = job.count;
  job.count = count;
  turn.touch.job(job);
  for (let index = from; index < count; index++) {
    const task = job.tasks[index];
    if (task === undefined) addTask(turn, job);
    else revive(turn, task);
  }
  recount(turn.state, job);
}

/** The caller counts it. */
export function addTask(turn: Turn, job: Job): Task {
  const task = newTask(job, job.tasks.length, turn.timeMs);
  task.incarnation = turn.nextIncarnation();
  job.tasks.push(task);
  turn.emit({ kind: "task.added", subject: task.id });
  turn.touch.task(task);
  return task;
}

/** Without a place in its job yet, nor an incarnation. */
export function newTask(job: Job, index: number, timeMs: number): Task {
  return {
    job,
    index,
    id: taskId(job.id, index),
    state: "pending",
    cause: "submitted",
    sinceMs: timeMs,
    incarnation: 0,
    starts: 0,
    failures: 0,
    firstStartMs: 0,
    notBeforeMs: 0,
    pinned: undefined,
    past: NO_PAST,
    told: undefined,
    launched: undefined,
    instance: undefined,
  };
}

export function revive(turn: Turn, task: Task): void {
  task.starts = 0;
  task.failures = 0;
  task.firstStartMs = 0;
  task.notBeforeMs = 0;
  task.past = NO_PAST;
  task.told = undefined;
  turn.touch.task(task);
  move(turn, task, "submit", "submitted");
}

/** Failures and back-off are forgotten: it begins anew. */
export function forgive(turn: Turn, task: Task): void {
  task.failures = 0;
  task.notBeforeMs = 0;
  remember(task, { failedRuns: 0 });
  turn.touch.task(task);
}

export function killTask(turn: Turn, task: Task): void {
  if (task.instance === undefined) move(turn, task, "kill", "killed");
  else stopInstance(turn, task.instance, "kill", stopOf(turn, task.instance, "killed"));
}

export const stopOf = (turn: Turn, instance: Instance, cause: Stop["cause"]): Stop => ({
  cause,
  timeMs: turn.timeMs,
  noticeMs: instance.noticeMs,
  lameDuckMs: instance.lameDuckMs,
  preemptor: undefined,
});
