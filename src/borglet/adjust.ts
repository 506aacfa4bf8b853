/** Limits that change while a task runs: the order to start it, as it would be given now. Only what a running process can be held to anew changes. */
import type { AdjustOrder, StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";

export function adjusted(order: StartOrder, { generation, limit, priority, slackRam }: AdjustOrder): StartOrder {
  const { task } = order;
  if (task === undefined) return { ...order, generation, priority };
  // Absent stays absent: a task without a limit has the machine's own bounds.
  const { limit: _before, ...rest } = task;
  return { ...order, generation, priority, task: { ...rest, slackRam, ...(limit === undefined ? {} : { limit }) } };
}
