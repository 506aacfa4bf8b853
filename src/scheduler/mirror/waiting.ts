/** Tasks of a job that can be planned: pending, and without a claim under way. */
import type { JobId } from "../../base/id.ts";
import type { Task } from "../../cell/state.ts";

export interface Waiting {
  readonly indexes: Set<number>;
  /** Rises when an index is added, or one may go sooner than it could. */
  revision: number;
}

/** Jobs with nobody who waits are not there. */
export function setWaiting(waiting: Map<JobId, Waiting>, task: Task, waits: boolean): void {
  const known = waiting.get(task.job.id);
  if (waits === (known?.indexes.has(task.index) ?? false)) return;
  if (known === undefined) {
    waiting.set(task.job.id, { indexes: new Set([task.index]), revision: 1 });
  } else if (waits) {
    known.indexes.add(task.index);
    known.revision += 1;
  } else {
    known.indexes.delete(task.index);
    if (known.indexes.size === 0) waiting.delete(task.job.id);
  }
}

/** Its back-off became shorter: who thought that there was time looks again. */
export function hurry(waiting: ReadonlyMap<JobId, Waiting>, task: Task): void {
  const known = waiting.get(task.job.id);
  if (known?.indexes.has(task.index)) known.revision += 1;
}
