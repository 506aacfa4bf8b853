/** Names are typed, never bare strings. Forms are checked at the edge (wire/check.ts); here they are put together and taken apart. */

declare const brand: unique symbol;
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type UserId = Id<"user">;
/** `ubar/jfoo`: a job, or an alloc set, which is like a job (Borg §2.4). */
export type JobId = Id<"job">;
/** `ubar/jfoo/50`: a task, or an alloc. */
export type TaskId = Id<"task">;
/** `ubar/jfoo/50:48213`: one incarnation of a task. Never reused. */
export type InstanceId = Id<"instance">;
export type MachineId = Id<"machine">;
/** Where a claim puts a task: a machine, or an instance of an alloc. */
export type PlaceId = MachineId | InstanceId;

export const userId = (name: string): UserId => name as UserId;
export const machineId = (name: string): MachineId => name as MachineId;
export const jobId = (user: string, name: string): JobId => `${user}/${name}` as JobId;
export const taskId = (job: JobId, index: number): TaskId => `${job}/${index}` as TaskId;
export const instanceId = (task: TaskId, incarnation: number): InstanceId => `${task}:${incarnation}` as InstanceId;

/** Takes `ubar/jfoo/50` apart. */
export function splitTask(task: string): { readonly job: JobId; readonly index: number } {
  const slash = task.lastIndexOf("/");
  return { job: task.slice(0, slash) as JobId, index: Number(task.slice(slash + 1)) };
}

/** `ubar/jfoo/50` of `ubar/jfoo/50:48213`. */
export const taskOf = (instance: string): TaskId => instance.slice(0, instance.lastIndexOf(":")) as TaskId;

export const incarnationOf = (instance: string): number => Number(instance.slice(instance.lastIndexOf(":") + 1));

export const isInstance = (place: string): place is InstanceId => place.includes(":");

/** Code-unit order: the same on every machine, whatever its locale. */
export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
