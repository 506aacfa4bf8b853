/** Executors of frameworks as orders: a program that takes tasks, and tasks that have no process of their own. */
import { make } from "../wire/codec.ts";
import { ExecutorMessageSchema } from "../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { type Resources, ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";
import type { FromBorglet } from "../wire/link-message.ts";
import { isEnded, type Memory } from "./kept.ts";

/** The executor that a task is given to; empty: it is a process of its own. */
export const executorFor = ({ task }: StartOrder): string => task?.executor?.instance ?? "";

/** Whether it is a program that takes tasks. */
export const isExecutor = ({ task }: StartOrder): boolean => task?.executor?.instance === "";

/** An executor is held to its own limits and to those of all that it has: its processes do their work. */
export function heldOrder(order: StartOrder, { instances }: Memory): StartOrder {
  const { task } = order;
  if (!isExecutor(order) || task?.limit === undefined) return order;
  let { limit } = task;
  for (const kept of instances.values())
    if (executorFor(kept.order) === order.instance && !isEnded(kept)) limit = sum(limit, kept.order.task?.limit);
  return limit === task.limit ? order : { ...order, task: { ...task, limit } };
}

/** What an executor says to its framework. */
export const messageFrame = (
  machine: string,
  { instance, data }: { readonly instance: string; readonly data: Uint8Array },
): FromBorglet => ({
  case: "executorMessage",
  value: make(ExecutorMessageSchema, { machine, instance, data }),
});

const sum = (a: Resources, b: Resources | undefined): Resources =>
  make(ResourcesSchema, {
    cpuMilli: a.cpuMilli + (b?.cpuMilli ?? 0),
    ramBytes: a.ramBytes + (b?.ramBytes ?? 0),
    diskBytes: a.diskBytes + (b?.diskBytes ?? 0),
    diskBandwidth: a.diskBandwidth + (b?.diskBandwidth ?? 0),
    extras: a.extras,
  });
