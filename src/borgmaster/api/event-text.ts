/** What happened, as a sentence for people. Everything in it comes from the event: no state is needed to read an old one. */
import { taskOf } from "../../base/id.ts";
import type { Cause } from "../../cell/cause.ts";
import type { CellEvent, EventKind } from "../../cell/event.ts";
import { ActorKind, type Principal } from "../../wire/gen/borg/v1/op_pb.ts";

const WHY: Readonly<Record<Cause, string>> = {
  preemption: "preempted",
  "out-of-resources": "its machine ran out of resources",
  "machine-failure": "its machine failed",
  "machine-shutdown": "its machine is being drained",
  other: "stopped",
  failed: "it failed",
  killed: "killed",
  lost: "its machine does not answer and was given up",
  finished: "it finished",
  restart: "a restart was asked for",
  submitted: "submitted",
  placed: "placed",
  started: "started",
  "machine-restart": "its machine was restarted",
  update: "an update gives it a new spec",
  revocation: "revoked",
};

type Says = (event: CellEvent) => string;

const plain =
  (words: string): Says =>
  ({ subject, detail }) =>
    `${subject} ${words}${detail === undefined || detail === "" ? "" : `: ${detail}`}`;

const SAYS: Readonly<Record<EventKind, Says>> = {
  "cell.changed": ({ subject, detail }) => `cell ${subject}: ${detail ?? "changed"}`,
  "cell.clock": ({ subject, detail }) => `cell ${subject}: clock ${detail ?? "set ahead"}; nothing ends by it for ten minutes`,
  "user.changed": ({ subject, detail }) => `user ${subject}: ${detail ?? "changed"}`,
  "quota.changed": ({ subject, detail }) => `user ${subject}: ${detail ?? ""} quota changed`,
  "scheduler.changed": plain("is a scheduler of this cell, or has new limits"),
  "role.changed": ({ subject }) => `role ${subject}: weight, guarantee or users changed`,
  "framework.changed": ({ subject, detail }) => `framework ${subject}: ${detail ?? "changed"}`,
  "job.submitted": plain("was submitted"),
  "job.resized": plain("was resized"),
  "job.released": plain("no longer waits"),
  "job.killed": plain("was killed"),
  "job.updated": ({ subject, detail }) => `${subject}: update ${detail ?? ""}`,
  "job.state": ({ subject, from, to }) => `${subject} is ${to ?? ""} (was ${from ?? ""})`,
  "job.forgotten": plain("was forgotten"),
  "task.state": taskText,
  "task.added": plain("was added"),
  "task.removed": plain("was removed"),
  "task.changed": ({ subject, detail }) => `${subject} ${detail ?? "may be tried again"}`,
  "task.entered": ({ subject, machine }) => `${subject} on ${machine ?? "?"}: a shell was opened`,
  "instance.changed": ({ subject, machine, detail }) =>
    `${subject} on ${machine ?? "?"}: ${detail === undefined || detail === "" ? "changed" : detail}`,
  "instance.gone": ({ subject, machine, instance }) => `${subject} has left ${machine ?? "?"} (${instance ?? ""})`,
  "reservation.changed": ({ subject, machine }) => `${subject} on ${machine ?? "?"}: reservation changed`,
  "machine.joined": plain("joined the cell"),
  "machine.changed": plain("changed"),
  "machine.left": plain("left the cell"),
};

function taskText({ subject, to, cause, machine, preemptor, detail }: CellEvent): string {
  const more = detail === undefined || detail === "" ? "" : `: ${detail}`;
  const where = machine === undefined ? "" : ` on ${machine}`;
  if (to === "starting") return `${subject} was placed${where}`;
  if (to === "running") return `${subject} runs${where}`;
  const by = preemptor === undefined ? "" : ` by ${taskOf(preemptor)}`;
  return `${subject} is ${to ?? "?"}${where}, ${cause === undefined ? "?" : WHY[cause]}${by}${more}`;
}

export const eventText = (event: CellEvent, actor: Principal | undefined): string =>
  `${SAYS[event.kind](event)}${actor?.kind === ActorKind.USER ? ` (by ${actor.controller || actor.name})` : ""}`;

/** Events that say nothing to people: a reservation that follows usage, a first run that "runs" tells as well. Readers of the feed see their records. */
export const isNoise = ({ kind, detail }: CellEvent): boolean =>
  kind === "reservation.changed" || (kind === "instance.changed" && (detail ?? "") === "");
