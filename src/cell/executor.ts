/**
 * Executors of frameworks (Mesos §3.2): an executor is a task of its framework with a program that takes other tasks of it, on the same machine. Those are tasks of
 * the cell too, with limits of their own, but no processes: they end when their executor does. What is said of an executor stands in the spec that it was launched with.
 */
import { compareIds } from "../base/id.ts";
import type { Executor } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Cause } from "./cause.ts";
import type { Instance, Job, Machine, Task } from "./state.ts";

export const executorOf = ({ launched }: Pick<Task, "launched">): Executor | undefined => launched?.spec.wants.task?.executor;

/** Whether it is a program that takes tasks. */
export const isExecutor = (task: Pick<Task, "launched">): boolean => executorOf(task)?.instance === "";

/** The executor of that name which a machine has and keeps. */
export function livingExecutor(machine: Machine | undefined, job: Job, id: string): Instance | undefined {
  for (const instance of machine?.place.occupants.values() ?? []) {
    const { task, stop } = instance;
    if (task.job === job && stop === undefined && isExecutor(task) && executorOf(task)?.id === id) return instance;
  }
  return undefined;
}

/** The tasks that an executor has, in the order of their names. */
export function tasksInside({ id, task: { job }, place }: Instance): readonly Instance[] {
  return [...place.occupants.values()]
    .filter(({ task }) => task.job === job && executorOf(task)?.instance === id)
    .sort((a, b) => compareIds(a.id, b.id));
}

/** Why tasks end whose executor did: as it was told to, or because it failed them, however well it ended itself. */
export const causeInside = (cause: Cause): Cause => (cause === "finished" ? "failed" : cause);
