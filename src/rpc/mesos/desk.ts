/** Who decides about frameworks, as this room sees it: calls go in, events come out. Types only. */
import type { Call, Event } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";

/** Who calls. A framework acts as its user. */
export interface Caller {
  readonly user: string;
  readonly isAdmin: boolean;
}

export interface FrameworkDesk {
  /**
   * A checked call of a known user. `streamId`: the header of that name, which every call but SUBSCRIBE has. `stream`: where events of a SUBSCRIBE go; the desk
   * may send before it returns.
   */
  call(caller: Caller, streamId: string | undefined, call: Call, stream: EventStream | undefined): CallAnswer;
  /** Nobody reads this stream any more. Said once for every stream, whoever ended it. */
  gone(streamId: string): void;
}

export interface EventStream {
  /** False: its reader is too far behind, and it is cut off. */
  send(event: Event): boolean;
  /** Ends the stream cleanly, after what was sent. The reason is for the log; a framework that must know it is sent an ERROR before. */
  end(reason: string): void;
}

export type CallAnswer =
  | { readonly kind: "streaming"; readonly streamId: string }
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly status: 400 | 401 | 403 | 404 | 409 | 503; readonly text: string };
