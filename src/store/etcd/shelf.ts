/** Where a replica keeps its snapshots: on its own disk. What a disk cannot give, a peer may: whoever makes the shelf decides that. */
import { type Disk, DiskError } from "../../base/env.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { Sha256 } from "../../base/sha256.ts";
import type { Snapshot } from "../../wire/journal.ts";
import { Snapshots } from "../log/snapshot.ts";
import type { SnapshotMark } from "./keys.ts";

const HASH_LETTERS = 32;

export interface Shelf {
  /** Answers when it was read back and verified. */
  save(snapshot: Snapshot, then: (saved: Result<void>) => void): void;
  /** The newest intact one at or before `atMost` that history, which begins at `first`, goes on from; undefined if none is needed. */
  load(atMost: number, first: number, then: (loaded: Result<Snapshot | undefined>) => void): void;
  /** All that are intact, newest first. */
  marks(): readonly SnapshotMark[];
}

export const hashOf = (payload: Uint8Array): string => new Sha256().update(payload).hex().slice(0, HASH_LETTERS);

export class DiskShelf implements Shelf {
  readonly #snapshots: Snapshots;
  readonly #hashes = new Map<number, string>();

  constructor(disk: Disk, cell: string) {
    this.#snapshots = new Snapshots(disk, cell);
  }

  save(snapshot: Snapshot, then: (saved: Result<void>) => void): void {
    const saved = onDisk(() => this.#snapshots.save(snapshot));
    if (saved.ok) this.#hashes.set(snapshot.position, hashOf(snapshot.payload));
    then(saved);
  }

  load(atMost: number, first: number, then: (loaded: Result<Snapshot | undefined>) => void): void {
    const passed: string[] = [];
    for (const position of this.#snapshots.positions().filter((each) => each <= atMost)) {
      const loaded = this.#snapshots.load(position);
      if (loaded.ok && first <= position + 1) return then(loaded);
      passed.push(loaded.ok ? `the snapshot at ${position} is older than that` : loaded.reason);
    }
    if (first === 1) return then(ok(undefined));
    const why = passed.length > 0 ? passed.join("; ") : "there is no snapshot";
    then(refused(`Cannot load a snapshot at or before ${atMost}: history begins at ${first}, and ${why}`));
  }

  marks(): readonly SnapshotMark[] {
    return this.#snapshots.positions().flatMap((position) => {
      const hash = this.#hashes.get(position) ?? this.#hash(position);
      return hash === undefined ? [] : [{ position, hash }];
    });
  }

  #hash(position: number): string | undefined {
    const loaded = this.#snapshots.load(position);
    if (!loaded.ok) return undefined;
    const hash = hashOf(loaded.value.payload);
    this.#hashes.set(position, hash);
    return hash;
  }
}

/** A shelf whose owner may take from the shelves of its peers what its own does not have. It saves on its own only. */
export class SharedShelf implements Shelf {
  readonly #own: Shelf;
  readonly #peers: readonly Shelf[];

  constructor(own: Shelf, peers: readonly Shelf[]) {
    this.#own = own;
    this.#peers = peers;
  }

  save(snapshot: Snapshot, then: (saved: Result<void>) => void): void {
    this.#own.save(snapshot, then);
  }

  load(atMost: number, first: number, then: (loaded: Result<Snapshot | undefined>) => void): void {
    this.#own.load(atMost, first, (own) => {
      if (own.ok) then(own);
      else this.#ask(this.#peers, atMost, first, own.reason, then);
    });
  }

  marks(): readonly SnapshotMark[] {
    return this.#own.marks();
  }

  /** What a peer gives is verified as its own is; the reason told in the end is this replica's own. */
  #ask(peers: readonly Shelf[], atMost: number, first: number, reason: string, then: (loaded: Result<Snapshot | undefined>) => void): void {
    const [peer, ...others] = peers;
    if (peer === undefined) return then(refused(`${reason}; no other replica has one either`));
    peer.load(atMost, first, (loaded) => {
      if (loaded.ok) then(loaded);
      else this.#ask(others, atMost, first, reason, then);
    });
  }
}

function onDisk<T>(act: () => Result<T>): Result<T> {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof DiskError) return refused(cause.message);
    throw cause;
  }
}
