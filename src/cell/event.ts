/** What ops tell people: the kinds of events, and what an event says. */
import type { InstanceId, MachineId } from "../base/id.ts";
import type { EventKind as WireKind } from "../wire/gen/borg/v1/event_pb.ts";
import type { Cause } from "./cause.ts";

type WireKinds = typeof WireKind;

/** EVENT_KIND_JOB_KILLED is `job.killed`. */
type KindOf<Name> = Name extends `${infer Noun}_${infer Verb}` ? `${Lowercase<Noun>}.${Lowercase<Verb>}` : never;

/**
 * The kinds of events by their numbers on the wire. It does not compile unless every value of event.proto's enum has its row here, with its number.
 * The numbers are written out, so that a command which only wants the words does not load the generated code.
 */
export const EVENT_KINDS = {
  "cell.changed": 1,
  "user.changed": 2,
  "quota.changed": 3,
  "scheduler.changed": 4,
  "cell.clock": 5,
  "role.changed": 6,
  "job.submitted": 10,
  "job.resized": 11,
  "job.released": 12,
  "job.state": 13,
  "job.forgotten": 14,
  "job.killed": 15,
  "job.updated": 16,
  "framework.changed": 17,
  "task.state": 20,
  "task.added": 21,
  "task.removed": 22,
  "instance.changed": 23,
  "instance.gone": 24,
  "reservation.changed": 25,
  "task.changed": 26,
  "task.entered": 27,
  "machine.joined": 30,
  "machine.changed": 31,
  "machine.left": 32,
} as const satisfies { readonly [Name in Exclude<keyof WireKinds, "UNSPECIFIED"> as KindOf<Name>]: WireKinds[Name] };

export type EventKind = keyof typeof EVENT_KINDS;

/** What happened. `subject` is the user, job, task or machine it is about. */
export interface CellEvent {
  readonly kind: EventKind;
  readonly subject: string;
  readonly instance?: InstanceId;
  readonly machine?: MachineId;
  readonly from?: string;
  readonly to?: string;
  readonly cause?: Cause;
  readonly preemptor?: InstanceId;
  readonly detail?: string;
}
