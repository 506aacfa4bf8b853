/** What a master hears and says. Messages are values: nobody changes one after it was sent. */
import type { Answer } from "../cell/answer.ts";
import type { Slice } from "../cell/checkpoint/checkpoint.ts";
import type { FeedItem, Image } from "../cell/feed.ts";
import type { FromScheduler, ToScheduler } from "../scheduler/message.ts";
import type { InstanceReport, Strain, Usage } from "../wire/gen/borg/v1/machine_pb.ts";
import type { JournalAnswer } from "../wire/journal.ts";
import type { SecretsAnswer } from "./api/message.ts";
import type { PieceAnswer } from "./link/package-requests.ts";
import type { LockAnswer, LockRequest } from "./lock-message.ts";

/** From the shell of a master that cannot reach its journal: another master's process says that it leads in this term. */
export interface Outled {
  readonly type: "outled";
  readonly term: number;
}

/** From users, through the API. The actor in the op, which comes in its bytes, was authenticated at the edge. */
export type ClientRequest = { readonly type: "request"; readonly id: string; readonly op: Uint8Array };

/** From the API: does this master still lead, and how far does the journal go? What makes a read linearizable. */
export interface ConfirmRequest {
  readonly type: "confirm";
  readonly id: string;
}

/** Everything that was acknowledged before it was asked stands at or before `position`. */
export type ConfirmAnswer =
  | { readonly type: "confirmed"; readonly id: string; readonly position: number }
  | { readonly type: "not-confirmed"; readonly id: string; readonly reason: string };

/**
 * The four answers. `done` and `refused` are final; `unavailable` was never appended and is safe to send again; `unknown`: the append
 * was under way when the master stepped down, and the same request id tells the outcome.
 */
export type ClientAnswer =
  | { readonly type: "answer"; readonly id: string; readonly result: "done"; readonly position: number; readonly answer: Answer }
  | { readonly type: "answer"; readonly id: string; readonly result: "refused"; readonly position: number; readonly reason: string }
  | { readonly type: "answer"; readonly id: string; readonly result: "unavailable"; readonly reason: string; readonly retryAfterMs: number }
  | { readonly type: "answer"; readonly id: string; readonly result: "unknown"; readonly reason: string };

export type ToMaster =
  | { readonly type: "journal"; readonly answer: JournalAnswer }
  | LockAnswer
  | Outled
  | ClientRequest
  | ConfirmRequest
  | FromScheduler
  | FromLink
  | FromFollower;

export type FromMaster = ClientAnswer | ConfirmAnswer | ToScheduler | ToLink | ToFollower | LockRequest | Exit;

/** Sent to "shell": the process cannot go on, and starting again is the cure. */
export interface Exit {
  readonly type: "exit";
  readonly reason: string;
}

/** From the link shard of any replica, to the masters of all: who leads? Also says that this life of the shard goes on. */
export interface ShardAsk {
  readonly type: "shard-ask";
  readonly replica: string;
  readonly life: string;
  /** The highest cell version that its build can do. */
  readonly versionMax: number;
  readonly sequence: number;
  /** Replicas that it cannot reach, so that it could lead no machine's link on to them; absent: it can reach all. */
  readonly cut?: readonly string[];
}

/** From the one that leads. `leftMs`: of its lease when it was asked, 0 while it is suspended. `position`: how far it had applied the journal. */
export interface ShardTold {
  readonly type: "shard-told";
  readonly term: number;
  readonly sequence: number;
  readonly leftMs: number;
  readonly position: number;
}

/** A link shard is a reader of the feed; what it learns from borglets becomes ops. */
export type ToLink =
  | { readonly type: "lead"; readonly term: number; readonly image: Image }
  /** From the master of one of several replicas, whether it leads or not: the cell as it is; items follow. */
  | { readonly type: "cell"; readonly image: Image }
  | ShardTold
  | { readonly type: "items"; readonly items: readonly FeedItem[] }
  /** A master with a lock holds it until then; one that is alone never says so. After it nothing is started, because somebody else may lead. */
  | { readonly type: "lease"; readonly untilMs: number }
  | { readonly type: "stand-down" }
  | Introduced
  | Disconnected
  | PieceAnswer
  | SecretsAnswer;

/** From the shell, in a borglet's name: it opened a link. `key`: with which a machine from elsewhere proved itself; empty for those of the cell's own directory. */
export interface Introduced {
  readonly type: "introduced";
  readonly machine: string;
  readonly key: string;
}

/** From the shell, in a borglet's name: the link that it opened is closed. It says hello when there is a new one. */
export interface Disconnected {
  readonly type: "disconnected";
  readonly machine: string;
}

/** Under which (term, epoch) it was found out: 0 of a term, while the leader's shard has all machines. */
export type FromLink =
  | { readonly type: "ops"; readonly term: number; readonly epoch: number; readonly ops: readonly Uint8Array[] }
  | (UsageTold & { readonly term: number; readonly epoch: number })
  | ShardAsk;

/** What was heard since the last one, the newest of each machine. Nothing of it is journaled. */
export interface UsageTold {
  readonly type: "usage";
  readonly machines: readonly MachineUsage[];
}

export interface MachineUsage {
  readonly machine: string;
  readonly usage: readonly Usage[];
  /** Instances in a back-off, that wait for packages, or that are starved. */
  readonly waiting: readonly InstanceReport[];
  /** Undefined: it does not tell. */
  readonly strain?: Strain | undefined;
}

/** The follower applies the same entries to a copy of its own. */
export type ToFollower =
  | { readonly type: "restore"; readonly position: number; readonly checkpoint: Uint8Array | undefined }
  | { readonly type: "entry"; readonly position: number; readonly payload: Uint8Array }
  | { readonly type: "compare"; readonly position: number; readonly slice: Slice; readonly hash: string }
  | { readonly type: "snapshot"; readonly position: number };

/** Questions that are too large for the master's own thread; the answer goes to whoever asked. Messages are bytes: they come from another thread. */
export type FollowerQuestion =
  | { readonly type: "explain"; readonly id: string; readonly user: string; readonly name: string; readonly nowMs: number }
  | { readonly type: "check-job"; readonly id: string; readonly user: string; readonly spec: Uint8Array };

/** Nobody waits for that answer any more. */
export interface FollowerForget {
  readonly type: "forget";
  readonly id: string;
}

/** `payload`: an encoded Explanation or CheckJobResponse. */
export type FollowerAnswer =
  | { readonly type: "explained"; readonly id: string; readonly payload: Uint8Array }
  | { readonly type: "not-explained"; readonly id: string; readonly reason: string };

/** From a copy of the cell: it has applied the entry, and all before it. */
export interface Followed {
  readonly type: "followed";
  readonly position: number;
}

export type FromFollower =
  | Followed
  | { readonly type: "checkpoint"; readonly position: number; readonly payload: Uint8Array }
  | { readonly type: "diverged"; readonly position: number; readonly reason: string };
