/** What the API hears and says: calls of users on one side, the other actors of its master process on the other. */
import type { FromScheduler, ToScheduler } from "../../scheduler/message.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type {
  ClientAnswer,
  ClientRequest,
  ConfirmAnswer,
  ConfirmRequest,
  Followed,
  FollowerAnswer,
  FollowerForget,
  FollowerQuestion,
  ToFollower,
  UsageTold,
} from "../message.ts";
import type { CellMethod } from "./access.ts";

/** One call. Who calls was authenticated at the edge, and the request was checked there against its bounds. */
export interface ApiCall {
  readonly type: "call";
  /** The caller's own name for it; the answer carries it. A second call under an id that is still open is taken for a copy. */
  readonly id: string;
  readonly method: CellMethod;
  readonly user: string;
  /** The instance whose token was shown: it may do less than its user. Absent: the user itself calls. */
  readonly controller?: string;
  readonly request: object;
  /** Empty: a change without one gets a fresh one, and cannot be asked for again. */
  readonly requestId: string;
  /** The time it may take, from now on. */
  readonly deadlineMs: number;
  /** A read that is answered at once from this copy, however old it is. */
  readonly stale: boolean;
}

/** Nobody waits for that call any more. What it asked for may still happen. */
export interface ApiCancel {
  readonly type: "cancel";
  readonly id: string;
}

/** What a call comes to besides an answer; rpc/call-error.ts says what callers do with each. */
export type FailureCode = "refused" | "bad-request" | "not-found" | "not-permitted" | "unavailable" | "unknown";

/** `position`: the entry that decided it, or the state that it was read from. `price`: what it cost, in units of work. `ageMs`: of a stale read, how old that state may be, if that is known. */
export type ApiAnswer =
  | {
      readonly type: "answered";
      readonly id: string;
      readonly response: object;
      readonly position: number;
      readonly price: number;
      readonly ageMs: number | undefined;
    }
  | {
      readonly type: "failed";
      readonly id: string;
      readonly code: FailureCode;
      readonly reason: string;
      readonly position: number;
      readonly price: number;
      readonly retryAfterMs: number | undefined;
    };

/** What only a task's borglet knows, asked through the link: `request` is an encoded LogRequest, FileRequest, ShellRequest or UsageRequest, `chunk` the answer to it. */
export interface BorgletAsk {
  readonly type: "ask-borglet";
  readonly about: "log" | "file" | "shell" | "usage";
  readonly id: string;
  readonly machine: string;
  readonly request: Uint8Array;
}

/** What a framework says to its executor, through the link; it may be lost. */
export interface TellExecutor {
  readonly type: "tell-executor";
  readonly machine: string;
  readonly instance: string;
  readonly data: Uint8Array;
}

/** What an executor says to its framework. That the machine speaks for itself was checked; whose the instance is was not. */
export interface ExecutorSaid {
  readonly type: "executor-said";
  readonly machine: string;
  readonly instance: string;
  readonly data: Uint8Array;
}

export type BorgletAnswer =
  | { readonly type: "borglet-said"; readonly id: string; readonly chunk: Uint8Array }
  | { readonly type: "borglet-silent"; readonly id: string; readonly reason: string };

/**
 * Bytes of packages, asked of whoever keeps them. `owned`: the user has a record of these bytes; without one only who has sent them all is believed to have them.
 */
export type PackageAsk =
  | {
      readonly type: "package-put";
      readonly id: string;
      readonly user: string;
      readonly owned: boolean;
      readonly digest: string;
      readonly total: number;
      readonly offset: number;
      readonly data: Uint8Array;
    }
  | {
      readonly type: "package-kept";
      readonly id: string;
      readonly user: string;
      readonly owned: boolean;
      readonly digest: string;
      readonly total: number;
    };

/** `kept`: all of it is there, verified, and on the disk. */
export type PackageAnswer =
  | { readonly type: "package-received"; readonly id: string; readonly received: number; readonly kept: boolean }
  | { readonly type: "package-refused"; readonly id: string; readonly code: FailureCode; readonly reason: string };

/** The link asks for what a task of a machine names. `position`: what it has seen of the feed; nothing older is given. */
export interface SecretsAsk {
  readonly type: "secrets-ask";
  readonly id: string;
  readonly position: number;
  readonly user: string;
  readonly names: readonly string[];
  /** The instance that they are for. */
  readonly instance: string;
}

export type SecretsAnswer =
  | {
      readonly type: "secrets";
      readonly id: string;
      readonly values: readonly { readonly name: string; readonly data: Uint8Array }[];
      /** Of a controller: its way to the API; else empty. */
      readonly controller: Uint8Array;
    }
  | { readonly type: "no-secrets"; readonly id: string; readonly reason: string };

/** Counters of the process, of its links, and of the threads of its schedulers. */
export type CountAsk = { readonly type: "count-process" | "count-links" | "count-steps"; readonly id: string };

export type CountAnswer =
  | { readonly type: "process"; readonly id: string; readonly view: object }
  | {
      readonly type: "links";
      readonly id: string;
      readonly links: number;
      readonly linksFormer: number;
      readonly authority: string;
      readonly polls: number;
      readonly pollMsMedian: number;
      readonly pollMsMax: number;
    }
  | { readonly type: "steps"; readonly id: string; readonly busyMs: number; readonly upMs: number };

/** Machines that wait at the door of the link. */
export type JoinsAsk =
  | { readonly type: "list-joins"; readonly id: string }
  | { readonly type: "deny-join"; readonly id: string; readonly machine: string; readonly key: string };

/** A machine from elsewhere that nobody has approved; `key` is the SHA-256 of its public key. */
export interface JoinWaiting {
  readonly machine: string;
  readonly key: string;
  readonly capacity: Resources;
  readonly address: string;
  readonly sinceMs: number;
}

export type JoinsAnswer =
  | { readonly type: "joins"; readonly id: string; readonly waiting: readonly JoinWaiting[] }
  | { readonly type: "denied"; readonly id: string; readonly denied: number };

/** The answers that a question with an id gets. */
export type Told =
  | Extract<ClientAnswer, { readonly id: string }>
  | ClaimsAnswer
  | FollowerAnswer
  | BorgletAnswer
  | CountAnswer
  | JoinsAnswer
  | PackageAnswer;

export type ClaimsAnswer = Extract<ToScheduler, { readonly type: "claimed" | "not-claimed" }>;

export type ToApi =
  | ApiCall
  | ApiCancel
  | Extract<ToFollower, { readonly type: "restore" | "entry" }>
  | UsageTold
  | ConfirmAnswer
  | SecretsAsk
  | ExecutorSaid
  | Told;

export type FromApi =
  | ApiAnswer
  | SecretsAnswer
  | ClientRequest
  | ConfirmRequest
  | FromScheduler
  | FollowerQuestion
  | FollowerForget
  | BorgletAsk
  | TellExecutor
  | CountAsk
  | JoinsAsk
  | Followed
  | PackageAsk;
