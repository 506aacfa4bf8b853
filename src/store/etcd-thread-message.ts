/** What the store thread of a replica and its main thread say to each other. Buffers are handed over, never copied. */
import type { JournalAnswer, Snapshot, Space } from "../wire/journal.ts";
import type { LockQuestion, LockVerdict } from "./etcd/lock.ts";
import type { EtcdTls } from "./etcd-client.ts";
import type { PackedEntries } from "./files/message.ts";

export interface ReplicaStoreOptions {
  readonly cell: string;
  /** This replica, and how many there are. */
  readonly name: string;
  readonly replicas: number;
  readonly urls: readonly string[];
  readonly tls?: EtcdTls;
  /** The directory of this replica's snapshots, and those of its peers, for when its own are too old. */
  readonly snapshots: string;
  readonly peers: readonly string[];
}

export type StoreRequest =
  /** The first one, once. */
  | { readonly type: "open"; readonly options: ReplicaStoreOptions }
  | { readonly type: "lead" }
  | { readonly type: "append"; readonly term: number; readonly position: number; readonly payload: Uint8Array }
  | { readonly type: "confirm"; readonly term: number }
  | { readonly type: "read"; readonly from: number; readonly bytesMax: number }
  | { readonly type: "follow"; readonly from: number }
  | { readonly type: "unfollow" }
  | { readonly type: "save-snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "load-snapshot"; readonly atMost: number }
  | { readonly type: "acquire"; readonly question: LockQuestion; readonly sequence: number }
  | { readonly type: "release" }
  /** The one that has the lock is gone. */
  | { readonly type: "depose" }
  | { readonly type: "close" };

export type StoreReply =
  | { readonly type: "loaded" }
  | { readonly type: "opened" }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "answer"; readonly answer: JournalAnswer }
  | { readonly type: "packed"; readonly from: number; readonly last: number; readonly entries: PackedEntries }
  | { readonly type: "lock"; readonly verdict: LockVerdict; readonly sequence: number }
  /** Once a second. `ageMs`: since this copy was last known to be whole. */
  | { readonly type: "state"; readonly space: Space; readonly ageMs: number | undefined }
  /** This replica's snapshots are not those of the others. */
  | { readonly type: "diverged"; readonly reason: string };
