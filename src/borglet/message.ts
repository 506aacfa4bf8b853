/** What a borglet hears and says. Messages are values: nobody changes one after it was sent. */
import type { LogChunk, LogRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { MachineFacts, Poll, Report } from "../wire/gen/borg/v1/machine_pb.ts";
import type { HealthAnswer, Sample, Seen } from "./machine.ts";

/** From a master, over the link. `connected`: there is a new link, and whatever was asked over an old one is void. */
export type FromMaster =
  | { readonly type: "connected" }
  | { readonly type: "poll"; readonly poll: Poll }
  | { readonly type: "log-request"; readonly request: LogRequest };

/** From its own machine. */
export type FromMachine =
  | { readonly type: "seen"; readonly seen: readonly Seen[] }
  | { readonly type: "usage"; readonly samples: readonly Sample[] }
  | { readonly type: "health"; readonly answer: HealthAnswer };

export type ToBorglet = FromMaster | FromMachine;

export type FromBorglet =
  | { readonly type: "hello"; readonly machine: string; readonly facts: MachineFacts }
  | { readonly type: "report"; readonly report: Report }
  | { readonly type: "log-chunk"; readonly chunk: LogChunk };
