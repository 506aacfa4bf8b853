/**
 * Whether a task that an update has changed is well, so that the next ones may be changed. This is the only place that decides it. A task without a health check is well
 * when it runs and has not failed; one with a check must also be found healthy.
 */
import { faceOf } from "./face.ts";
import type { Task } from "./state.ts";
import { isBackingOff, isDead } from "./task.ts";

/** Who is not well so long after it was changed has failed. */
export const PROGRESS_MS = 10 * 60_000;

/** `waiting`: nobody can say yet. */
export type Verdict = "passed" | "waiting" | "failed";

/** `sinceMs`: when it was changed; `watchMs`: how long it has to be well. Failures before that were forgotten. */
export function gate(task: Task, sinceMs: number, watchMs: number, nowMs: number): Verdict {
  if (isDead(task.state)) return task.cause === "failed" || task.cause === "lost" ? "failed" : "passed";
  if (task.failures > 0 || failedRuns(task) > 0) return "failed";
  if (isReady(task) && nowMs - upSinceMs(task) >= watchMs) return "passed";
  return nowMs - sinceMs >= PROGRESS_MS ? "failed" : "waiting";
}

/** Whether it does its work now, as far as anybody knows. */
export function isReady(task: Task): boolean {
  const { state, instance } = task;
  if (state !== "running" || instance === undefined || !instance.place.machine.reachable) return false;
  if (isBackingOff(state, instance.failing.backOffUntilMs)) return false;
  return faceOf(task).wants.task?.health === undefined ? instance.health !== "bad" : instance.health === "good";
}

/** Of the one that stops nobody asks any more. */
const failedRuns = ({ instance }: Task): number => (instance?.stop === undefined ? (instance?.failing.runs ?? 0) : 0);

const upSinceMs = ({ instance }: Task): number => instance?.runMs || (instance?.startedMs ?? 0);
