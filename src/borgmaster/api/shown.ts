/** A task's state as people see it. */
import type { Task } from "../../cell/state.ts";
import { isBackingOff, type TaskState } from "../../cell/task.ts";

export type ShownState = TaskState | "backing-off";

/** A task between two runs does not run. */
export const shownState = ({ state, instance }: Task): ShownState =>
  isBackingOff(state, instance?.faring.backOffUntilMs ?? 0) ? "backing-off" : state;
