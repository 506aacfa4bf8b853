/** What became of a task's instances before. */
import type { Past, Task } from "./state.ts";

export const NO_PAST: Past = Object.freeze({ failedRuns: 0, avoid: Object.freeze([]), lastExit: undefined, last: undefined });

export function past({ failedRuns, avoid, lastExit, last }: Past): Past {
  const isNone = failedRuns === 0 && avoid.length === 0 && lastExit === undefined && last === undefined;
  return isNone ? NO_PAST : { failedRuns, avoid, lastExit, last };
}

/** What else is as it was. Whoever calls it touches the task. */
export function remember(task: Task, more: Partial<Past>): void {
  task.past = past({ ...task.past, ...more });
}
