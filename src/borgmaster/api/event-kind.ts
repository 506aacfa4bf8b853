/** The kinds of events by their numbers on the wire. A kind without a number does not compile. */
import type { EventKind } from "../../cell/turn.ts";
import { EventKind as WireKind } from "../../wire/gen/borg/v1/event_pb.ts";

const WIRE: Readonly<Record<EventKind, WireKind>> = {
  "cell.changed": WireKind.CELL_CHANGED,
  "cell.clock": WireKind.CELL_CLOCK,
  "user.changed": WireKind.USER_CHANGED,
  "quota.changed": WireKind.QUOTA_CHANGED,
  "scheduler.changed": WireKind.SCHEDULER_CHANGED,
  "job.submitted": WireKind.JOB_SUBMITTED,
  "job.resized": WireKind.JOB_RESIZED,
  "job.released": WireKind.JOB_RELEASED,
  "job.killed": WireKind.JOB_KILLED,
  "job.state": WireKind.JOB_STATE,
  "job.forgotten": WireKind.JOB_FORGOTTEN,
  "task.state": WireKind.TASK_STATE,
  "task.added": WireKind.TASK_ADDED,
  "task.removed": WireKind.TASK_REMOVED,
  "task.changed": WireKind.TASK_CHANGED,
  "instance.changed": WireKind.INSTANCE_CHANGED,
  "instance.gone": WireKind.INSTANCE_GONE,
  "reservation.changed": WireKind.RESERVATION_CHANGED,
  "machine.joined": WireKind.MACHINE_JOINED,
  "machine.changed": WireKind.MACHINE_CHANGED,
  "machine.left": WireKind.MACHINE_LEFT,
};

export const wireKind = (kind: EventKind): WireKind => WIRE[kind];
