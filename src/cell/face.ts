/**
 * What a task runs, or is to run next. A job has one spec; while it is updated it has a second one, and each task goes by the one or the other: by the
 * update's from the moment it was told to, whatever becomes of its instances meanwhile. [cell.J17] A task of a framework goes by what it was launched with.
 */
import type { Face, Job, Task, Told } from "./state.ts";

/** Whether the update that is under way has told it something, and what. */
export function toldBy(task: Task): Told | undefined {
  const { told, job } = task;
  return told !== undefined && told.generation === job.update?.generation ? told : undefined;
}

/** Whether it goes by the update's spec. */
export function isTold(task: Task): boolean {
  const told = toldBy(task);
  return told !== undefined && told.kind !== "skip" && told.kind !== "back";
}

export const faceOf = (task: Task): Face => task.launched?.spec ?? (isTold(task) ? (task.job.update as Face) : task.job);

/** Which spec its next instance names. */
export const generationOf = (task: Task): number => (isTold(task) ? (task.job.update?.generation ?? 0) : task.job.generation);

/** Every spec that tasks of the job go by. */
export function facesOf(job: Job): readonly Face[] {
  if (job.led !== undefined) return [...job.led.specs.values()];
  return job.update === undefined ? [job] : [job, job.update];
}
