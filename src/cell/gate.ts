/**
 * Whether a task that an update has changed is well, so that the next ones may be changed. It is well when it is ready
 * (ready.ts) for as long as the update says, and has not failed since.
 */
import { isReady as isInstanceReady, isReadyFor } from "./ready.ts";
import type { Task } from "./state.ts";
import { isDead } from "./task.ts";
import { PATIENT_GATES } from "./version.ts";

/** Who is not well so long after it was changed has failed. */
export const PROGRESS_MS = 10 * 60_000;

/** `waiting`: nobody can say yet. */
export type Verdict = "passed" | "waiting" | "failed";

/** What a gate goes by. */
export interface Watch {
  /** How long it has to be well. */
  readonly forMs: number;
  readonly nowMs: number;
  /** The cell's. */
  readonly version: number;
}

/** `sinceMs`: when it was changed. Failures before that were forgotten. Who is ready at last is given its time. */
export function gate(task: Task, sinceMs: number, { forMs, nowMs, version }: Watch): Verdict {
  if (isDead(task.state)) return task.cause === "failed" || task.cause === "lost" ? "failed" : "passed";
  if (task.failures > 0 || failedRuns(task) > 0) return "failed";
  if (task.instance !== undefined && isReadyFor(task.instance, forMs, nowMs)) return "passed";
  if (version >= PATIENT_GATES && isReady(task)) return "waiting";
  return nowMs - sinceMs >= PROGRESS_MS ? "failed" : "waiting";
}

/** Whether it does its work now, as far as anybody knows. */
export const isReady = ({ instance }: Task): boolean => instance !== undefined && isInstanceReady(instance);

/** Of the one that stops nobody asks any more. */
const failedRuns = ({ instance }: Task): number => (instance?.stop === undefined ? (instance?.faring.failures ?? 0) : 0);
