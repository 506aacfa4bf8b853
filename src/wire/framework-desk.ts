/**
 * The door between whoever speaks HTTP and the frameworks' sessions. A call comes in whole, checked against its bounds and with its caller authenticated; its
 * answer is there at once. What takes time comes later as events on the stream that SUBSCRIBE opened. Types only.
 */
import type { Call, Event } from "./gen/mesos/v1/scheduler/scheduler_pb.ts";

/** Who calls, as the edge authenticated it. A framework acts as its user. */
export interface Caller {
  readonly user: string;
  readonly isAdmin: boolean;
}

/** Of one subscriber. The session never waits for it. */
export interface EventStream {
  /** False: its reader is too slow and the stream holds as much as it may; it is cut off. */
  send(event: Event): boolean;
  /** Ends the stream cleanly, after what was sent. The reason is for the log; a framework that must know it is sent an ERROR before. */
  end(reason: string): void;
}

export type CallAnswer =
  | { readonly kind: "streaming"; readonly streamId: string }
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly status: 400 | 401 | 403 | 404 | 409 | 503; readonly text: string };

export interface FrameworkDesk {
  /**
   * `stream`: of a SUBSCRIBE, where its events go; the desk may send before it returns. `streamId`: of every other call, the header that the answer to SUBSCRIBE
   * named.
   */
  call(caller: Caller, streamId: string | undefined, call: Call, stream: EventStream | undefined): CallAnswer;
  /** Nobody reads that stream any more. Said once for every stream, whoever ended it. */
  gone(streamId: string): void;
}
