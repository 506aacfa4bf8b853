/** The events that a framework hears, put together. */
import type { Machine } from "../cell/state.ts";
import { type Init, make } from "../wire/codec.ts";
import {
  type Attribute,
  AttributeSchema,
  type Offer as MesosOffer,
  OfferSchema,
  type TaskState,
  type TaskStatus,
  type TaskStatus_Reason,
  TaskStatus_Source,
  TaskStatusSchema,
  Value_Type,
} from "../wire/gen/mesos/v1/mesos_pb.ts";
import { type Event, Event_Type, EventSchema } from "../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import type { Offer } from "./ledger.ts";
import { resourcesOf } from "./resources.ts";

/** As often as the edge sends them on every stream. */
const HEARTBEAT_MS = 5_000;

/** The attribute of an offer whose tasks must declare how long they take at most, in seconds. */
export const MAX_COMPLETION = "max_completion_time_seconds";

const MESSAGE_LENGTH = 4_000;

export const subscribedEvent = (frameworkId: string, master: string): Event =>
  make(EventSchema, {
    type: Event_Type.SUBSCRIBED,
    subscribed: {
      frameworkId: { value: frameworkId },
      heartbeatIntervalSeconds: HEARTBEAT_MS / 1000,
      masterInfo: { id: master, hostname: master },
    },
  });

export const errorEvent = (message: string): Event =>
  make(EventSchema, { type: Event_Type.ERROR, error: { message: message.slice(0, MESSAGE_LENGTH) } });

export const offersEvent = (offers: MesosOffer[]): Event => make(EventSchema, { type: Event_Type.OFFERS, offers: { offers } });

export const rescindEvent = (offerId: string): Event =>
  make(EventSchema, { type: Event_Type.RESCIND, rescind: { offerId: { value: offerId } } });

export const updateEvent = (status: TaskStatus): Event => make(EventSchema, { type: Event_Type.UPDATE, update: { status } });

export const failureEvent = (agent: string): Event =>
  make(EventSchema, { type: Event_Type.FAILURE, failure: { agentId: { value: agent } } });

/** An executor ended. `status` is as wait(2) says it. */
export const executorEvent = (
  agent: string,
  executor: string,
  { code, signal }: { readonly code: number; readonly signal: number },
): Event =>
  make(EventSchema, {
    type: Event_Type.FAILURE,
    failure: { agentId: { value: agent }, executorId: { value: executor }, status: signal > 0 ? signal : code * 256 },
  });

export const messageEvent = (agent: string, executor: string, data: Uint8Array): Event =>
  make(EventSchema, { type: Event_Type.MESSAGE, message: { agentId: { value: agent }, executorId: { value: executor }, data } });

const ADDRESS = /^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-fA-F:]+:[0-9a-fA-F:]*)$/;

/** A machine is called by its name in the cell: several may share one address. */
export function mesosOffer(offer: Offer, frameworkId: string, machine: Machine): MesosOffer {
  const { host } = machine.facts;
  const ip = ADDRESS.test(host) ? host : "127.0.0.1";
  return make(OfferSchema, {
    id: { value: offer.id },
    frameworkId: { value: frameworkId },
    agentId: { value: machine.id },
    hostname: machine.id,
    url: { scheme: "http", address: { hostname: host === "" ? machine.id : host, ip, port: AGENT_PORT }, path: `/agent/${machine.id}` },
    resources: resourcesOf(offer),
    attributes: [...attributesOf(machine)].map(([name, value]) => attribute(name, value)).concat(shortOf(offer)),
    allocationInfo: { role: offer.role },
  });
}

/** Mesos' agents answer there; ours answer their master only. */
const AGENT_PORT = 5051;

const attribute = (name: string, value: string): Attribute => make(AttributeSchema, { name, type: Value_Type.TEXT, text: { value } });

const shortOf = ({ maxCompletionMs }: Offer): Attribute[] =>
  maxCompletionMs === undefined ? [] : [attribute(MAX_COMPLETION, String(maxCompletionMs / 1000))];

/** What everybody may know of a machine. Whose volumes it has is nobody else's business. */
export function attributesOf({ facts }: Machine): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  if (facts.rack !== "") out.set("rack", facts.rack);
  if (facts.powerDomain !== "") out.set("power", facts.powerDomain);
  for (const { key, value } of facts.attributes) out.set(key, value);
  return out;
}

/** What this master says of a task that the cell does not know, or no longer. It is not kept, so nobody has to acknowledge it. */
export function masterStatus(
  taskId: string,
  state: TaskState,
  reason: TaskStatus_Reason,
  message: string,
  more: Init<typeof TaskStatusSchema> = {},
): TaskStatus {
  return make(TaskStatusSchema, {
    taskId: { value: taskId },
    state,
    reason,
    source: TaskStatus_Source.MASTER,
    message: message.slice(0, MESSAGE_LENGTH),
    ...more,
  });
}
