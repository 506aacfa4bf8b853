/** Why a task is pending, computed by the tests that decide: for each place the first one that fails, counted. Not part of a pass. */
import { compareIds } from "../base/id.ts";
import { isGang, limitOf } from "../cell/spec.ts";
import type { Task } from "../cell/state.ts";
import { placesOf } from "./candidates.ts";
import { limitsProblem, machineProblem, needOf, roomProblem, withinCap } from "./feasible.ts";
import type { Mirror } from "./mirror.ts";
import { TRANSACTION_CLAIMS_MAX } from "./pass.ts";
import { victimsAt } from "./preempt.ts";

export interface Explanation {
  /** What holds it up wherever it would go. */
  readonly problem: string | undefined;
  /** Places that would take it, with or without victims. */
  readonly feasible: number;
  /** The most frequent reason first. */
  readonly reasons: readonly { readonly reason: string; readonly places: number }[];
}

export function explain(mirror: Mirror, task: Task, nowMs: number): Explanation {
  const need = needOf(task.job, task.index, task.pinned);
  const reasons = new Map<string, number>();
  let feasible = 0;
  for (const place of placesOf(mirror, need, undefined)) {
    const reason = machineProblem(need, place.machine) ?? roomProblem(need, place);
    const fits =
      reason === undefined || (machineProblem(need, place.machine) === undefined && victimsAt(mirror, need, place) !== undefined);
    if (fits) feasible += 1;
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const sorted = [...reasons].sort(([a, x], [b, y]) => y - x || compareIds(a, b));
  return {
    problem: taskProblem(mirror, task, nowMs),
    feasible,
    reasons: sorted.map(([reason, places]) => ({ reason, places })),
  };
}

function taskProblem(mirror: Mirror, task: Task, nowMs: number): string | undefined {
  const { job } = task;
  if (job.held) return "waits for another job's end";
  if (task.state === "stopping") return "still has an instance that stops";
  if (task.state !== "pending") return "is not pending";
  if (task.notBeforeMs > nowMs) return `backs off for ${task.notBeforeMs - nowMs} ms more`;
  const limits = limitsProblem(mirror, job);
  if (limits !== undefined) return limits;
  if (!withinCap(mirror, limitOf(job, task.index))) return `would take scheduler "${mirror.name}" above its cap`;
  const waiting = mirror.waiting.get(job.id)?.indexes.size ?? 0;
  if (isGang(job) && waiting > TRANSACTION_CLAIMS_MAX)
    return `is one of ${waiting} that start together, more than ${TRANSACTION_CLAIMS_MAX}`;
  if (isGang(job) && waiting > 1) return `starts only together with the ${waiting - 1} other pending tasks of its job`;
  return undefined;
}
