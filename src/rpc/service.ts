/** The types of CellService for those who serve it and those who call it. Only types: nothing is loaded for them. */
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { CellService } from "../wire/gen/borg/v1/api_pb.ts";

type Methods = (typeof CellService)["method"];

/** Whom a token stands for. */
export interface Identity {
  readonly user: string;
  /** The instance whose token was shown, which may do less than its user. */
  readonly controller?: string;
  /** Whether it may use the reserve. */
  readonly isAdmin?: boolean;
}

/** What a user may ask for, where that is not what everybody may; 0: as everybody. */
export interface CallBounds {
  readonly calls: number;
  readonly polls: number;
  readonly workPerSecond: number;
}

/** What a handler knows of a call beside its message. */
export interface Call extends Identity {
  /** The message's own request id, when it has one and it is not empty. */
  readonly requestId?: string;
  /** Time left when the handler was called; after it the caller has been answered `unknown`. */
  readonly deadlineMs: number;
  /** A page of a browser asks, with a session of this user. */
  readonly isPage?: boolean;
  /** A read that may be answered at once, however old: the caller said so with the header `Borg-Stale: true`. */
  readonly stale: boolean;
  /** Tells the caller of a read which state it shows: the headers `Borg-Position` and, of a stale one, `Borg-Age-Ms`. */
  readonly shown: (position: number, ageMs: number | undefined) => void;
  /** Tells what the answer cost, in units of work. */
  readonly charge: (price: number) => void;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** One function for each method. The message has been checked; a problem is thrown as a CallError. */
export type CellHandlers = {
  readonly [M in keyof Methods]: (
    request: MessageShape<Methods[M]["input"]>,
    call: Call,
  ) => MessageInitShape<Methods[M]["output"]> | Promise<MessageInitShape<Methods[M]["output"]>>;
};

export interface CallOptions {
  /** Take a read from any replica at once, however old it is. */
  readonly stale?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Told which state a read showed, before it is answered: the headers Borg-Position and, of a stale one, Borg-Age-Ms. */
  readonly shown?: (position: number, ageMs: number | undefined) => void;
}

export type CellMethods = {
  readonly [M in keyof Methods]: (
    request: MessageInitShape<Methods[M]["input"]>,
    options?: CallOptions,
  ) => Promise<MessageShape<Methods[M]["output"]>>;
};
