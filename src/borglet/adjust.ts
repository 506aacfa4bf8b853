/** Limits that change while a task runs: the order to start it, as it would be given now. Only what a running process can be held to anew changes. */
import type { AdjustOrder, StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";

/** Whether it is held to that already. */
export const isHeldTo = (order: StartOrder, { generation, allocLimit, allocGeneration }: AdjustOrder): boolean =>
  order.generation === generation && (allocLimit === undefined || order.allocGeneration === allocGeneration);

export function adjusted(order: StartOrder, adjust: AdjustOrder): StartOrder {
  const { generation, limit, priority, slackRam, holdCpu, allocLimit, allocGeneration, appClass, restart } = adjust;
  const { task } = order;
  // Who is in no alloc, or is told nothing of it, keeps what it has.
  const shared = allocLimit === undefined ? {} : { allocLimit, allocGeneration };
  const treated = { generation, priority, ...(appClass === undefined ? {} : { appClass }), ...(restart === undefined ? {} : { restart }) };
  if (task === undefined) return { ...order, ...shared, ...treated };
  // Absent stays absent: a task without a limit has the machine's own bounds.
  const { limit: _before, ...rest } = task;
  return { ...order, ...shared, ...treated, task: { ...rest, slackRam, holdCpu, ...(limit === undefined ? {} : { limit }) } };
}
