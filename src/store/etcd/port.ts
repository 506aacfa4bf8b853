/**
 * What the journal asks of etcd, in plain data: the gRPC client answers it in production (etcd-client.ts), and a model of etcd in the simulation
 * (memory-etcd.ts). Every question is sent once and answered once; whoever asks decides what an outcome that nobody knows means.
 */

/** Keys are ASCII text. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision of the put that made it; a key that is deleted and put again gets a new one. */
  readonly created: number;
  readonly modified: number;
  /** The key goes when this lease ends; "0": none. */
  readonly lease: string;
}

/** `end` is the first key after the range; without it the range is one key. */
export interface KeyRange {
  readonly key: string;
  readonly end?: string;
  readonly limit?: number;
}

/** True or the transaction takes its other branch. `created: 0` says that the key is not there. */
export type Guard = { readonly key: string; readonly created: number } | { readonly key: string; readonly value: Uint8Array };

export type Op =
  | ({ readonly type: "get" } & KeyRange)
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array; readonly lease?: string }
  | ({ readonly type: "delete" } & KeyRange);

export type Question =
  /** Linearizable, also if it only reads. */
  | { readonly type: "txn"; readonly guards: readonly Guard[]; readonly ops: readonly Op[]; readonly otherwise: readonly Op[] }
  | { readonly type: "grant"; readonly ttlS: number }
  | { readonly type: "keep-alive"; readonly lease: string }
  | { readonly type: "revoke"; readonly lease: string }
  | { readonly type: "compact"; readonly revision: number }
  | { readonly type: "status" };

export type Answer =
  /** One list for each op of the branch that was taken: what a get found; empty for puts and deletes. */
  | { readonly type: "txn"; readonly done: boolean; readonly found: readonly (readonly KeyValue[])[]; readonly revision: number }
  | { readonly type: "granted"; readonly lease: string; readonly ttlS: number }
  /** 0: there is no such lease any more. */
  | { readonly type: "kept"; readonly ttlS: number }
  | { readonly type: "revoked" }
  | { readonly type: "compacted" }
  | ({ readonly type: "status" } & EtcdStatus)
  /** `never`: surely not done, and never will be. `unknown`: done, or not, or still to come. */
  | { readonly type: "failed"; readonly outcome: "never" | "unknown"; readonly reason: string };

/** Of the member that was asked. `quotaBytes` 0: this etcd does not tell. `isFull`: it takes no more puts until an operator has made room. */
export interface EtcdStatus {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly isFull: boolean;
  /** Whether it leads the others; undefined: nobody told. */
  readonly isLeader?: boolean;
}

export type AnswerOf<T extends Answer["type"]> = Extract<Answer, { readonly type: T }>;

export type WatchEvent =
  | { readonly type: "put"; readonly entry: KeyValue }
  /** Nothing more comes: the connection broke, or the revision asked for is compacted. */
  | { readonly type: "ended"; readonly reason: string };

export interface Etcd {
  ask(question: Question, then: (answer: Answer) => void): void;
  /** Puts in the range from `revision` on, in order; events may be lost without word while a member is cut off. The answer ends it. */
  watch(range: KeyRange, revision: number, listener: (event: WatchEvent) => void): () => void;
}
