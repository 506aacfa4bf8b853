/**
 * What masters and borglets say to each other over a link. The two actors speak these values; the shell puts them into frames (rpc/link-frame.ts).
 * Messages are values: nobody changes one after it was sent.
 */
import type { LogChunk, LogRequest } from "./gen/borg/v1/link_pb.ts";
import type { MachineFacts, Poll, Report } from "./gen/borg/v1/machine_pb.ts";

/** A borglet says hello until it is polled, and speaks only when asked. */
export type FromBorglet =
  | { readonly type: "hello"; readonly machine: string; readonly facts: MachineFacts }
  | { readonly type: "report"; readonly report: Report }
  | { readonly type: "log-chunk"; readonly chunk: LogChunk };

export type ToBorglet = { readonly type: "poll"; readonly poll: Poll } | { readonly type: "log-request"; readonly request: LogRequest };
