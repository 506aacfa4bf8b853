/**
 * What masters and borglets say to each other over an open link: the bodies of LinkFrame (proto/borg/v1/link.proto), and nothing beside them. Actors
 * hear them as messages; the shell puts the same values into frames (rpc/link-frame.ts). They are values: nobody changes one after it was sent.
 */
import type { Address } from "../base/env.ts";
import type { LinkFrame } from "./gen/borg/v1/link_pb.ts";

/** A borglet says hello until it is polled, and speaks only when asked; for pieces of packages and for secrets it asks itself. */
export type FromBorglet = Extract<
  LinkFrame["body"],
  {
    readonly case:
      | "hello"
      | "report"
      | "logChunk"
      | "packageRequest"
      | "packageGranted"
      | "secretRequest"
      | "fileChunk"
      | "shellChunk"
      | "usageChunk"
      | "executorMessage";
  }
>;

export type ToBorglet = Extract<
  LinkFrame["body"],
  {
    readonly case:
      | "poll"
      | "logRequest"
      | "packageChunk"
      | "packageSource"
      | "packageGrant"
      | "secretValues"
      | "fileRequest"
      | "shellRequest"
      | "usageRequest"
      | "executorMessage";
  }
>;

/** What borglets say to each other: one asks for a piece of a package, the other answers. */
export type BetweenBorglets = Extract<LinkFrame["body"], { readonly case: "peerRequest" | "packageChunk" }>;

/** Where a borglet sends what is for the borglet of another machine. */
export const peerAddress = (machine: string): Address => `borglet/${machine}`;

/** As an actor hears it, among its other messages. */
export interface Framed<Frame extends FromBorglet | ToBorglet | BetweenBorglets> {
  readonly type: "frame";
  readonly frame: Frame;
}
