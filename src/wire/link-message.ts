/**
 * What masters and borglets say to each other over an open link: the bodies of LinkFrame (proto/borg/v1/link.proto), and nothing beside them. Actors
 * hear them as messages; the shell puts the same values into frames (rpc/link-frame.ts). They are values: nobody changes one after it was sent.
 */
import type { LinkFrame } from "./gen/borg/v1/link_pb.ts";

/** A borglet says hello until it is polled, and speaks only when asked; for pieces of packages it asks itself, one after the other. */
export type FromBorglet = Extract<
  LinkFrame["body"],
  { readonly case: "hello" | "report" | "logChunk" | "packageRequest" | "fileChunk" | "shellChunk" }
>;

export type ToBorglet = Extract<
  LinkFrame["body"],
  { readonly case: "poll" | "logRequest" | "packageChunk" | "fileRequest" | "shellRequest" }
>;

/** As an actor hears it, among its other messages. */
export interface Framed<Frame extends FromBorglet | ToBorglet> {
  readonly type: "frame";
  readonly frame: Frame;
}
