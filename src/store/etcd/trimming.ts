/**
 * Which entries may go: those that a majority of the replicas can do without, because each of them has told etcd of a verified snapshot at that place,
 * and all with the same hash. The newest snapshot does not count, only the one before it: if the newest is damaged, history must reach back to the other.
 */
import { ok, type Result, refused } from "../../base/result.ts";
import { decodeFirst, decodeMarks, encodeFirst, encodeMarks, type Keys, type SnapshotMark } from "./keys.ts";
import type { Etcd, Guard } from "./port.ts";
import type { Shelf } from "./shelf.ts";

/** Entries that go in one transaction: more would hold up the appends behind it. */
const TRIMMED_AT_ONCE = 1000;
/** Seconds between two looks at what may go. */
const PROPOSE_EVERY = 10;

/** The last position that may be trimmed, 0 if there is none. `records`: the marks of each replica, newest first. */
export function trimPoint(records: readonly (readonly SnapshotMark[])[], replicas: number): number {
  const counts = new Map<string, { readonly position: number; count: number }>();
  for (const marks of records) {
    for (const { position, hash } of marks.slice(1)) {
      const known = counts.get(`${position}:${hash}`) ?? { position, count: 0 };
      known.count += 1;
      counts.set(`${position}:${hash}`, known);
    }
  }
  const agreed = [...counts.values()].filter(({ count }) => count > replicas / 2);
  return Math.max(0, ...agreed.map(({ position }) => position));
}

/** Why this replica must stop: at a place where it has a snapshot, a majority has another one. `records`: the marks of each replica. */
export function difference(records: ReadonlyMap<string, readonly SnapshotMark[]>, name: string, replicas: number): string | undefined {
  for (const { position, hash } of records.get(name) ?? []) {
    const counts = new Map<string, number>();
    for (const marks of records.values()) {
      const other = marks.find((mark) => mark.position === position)?.hash;
      if (other !== undefined) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    const agreed = [...counts].find(([, count]) => 2 * count > replicas)?.[0];
    if (agreed !== undefined && agreed !== hash)
      return `The snapshot at ${position} of this replica, "${name}", has hash ${hash.slice(0, 8)}, and that of the others has ${agreed.slice(0, 8)}`;
  }
  return undefined;
}

export class Trimming {
  readonly #etcd: Etcd;
  readonly #keys: Keys;
  readonly #name: string;
  readonly #replicas: number;
  readonly #shelf: Shelf;
  /** What this replica has is not in etcd yet, or may not be. */
  #isUntold = true;
  #isTelling = false;
  #ticks = 0;

  constructor(etcd: Etcd, keys: Keys, parts: { readonly name: string; readonly replicas: number; readonly shelf: Shelf }) {
    this.#etcd = etcd;
    this.#keys = keys;
    this.#name = parts.name;
    this.#replicas = parts.replicas;
    this.#shelf = parts.shelf;
  }

  /** This replica's snapshots changed. */
  record(): void {
    this.#isUntold = true;
    this.#tell();
  }

  tick(): void {
    this.#ticks += 1;
    this.#tell();
  }

  /** The oldest entry that is still there. */
  first(then: (first: Result<number>) => void): void {
    this.#etcd.ask({ type: "txn", guards: [], ops: [{ type: "get", key: this.#keys.first }], otherwise: [] }, (answer) => {
      if (answer.type === "txn") then(ok(decodeFirst(answer.found[0]?.[0])));
      else then(refused(answer.type === "failed" ? answer.reason : `etcd answered "${answer.type}"`));
    });
  }

  /** Now and then: calls `stop` if a majority has other snapshots than this replica. */
  compare(stop: (reason: string) => void): void {
    if (this.#ticks % PROPOSE_EVERY !== 1) return;
    this.#etcd.ask({ type: "txn", guards: [], ops: [{ type: "get", ...this.#keys.snapshots }], otherwise: [] }, (answer) => {
      if (answer.type !== "txn") return;
      const records = new Map((answer.found[0] ?? []).map((found) => [this.#keys.nameOf(found), decodeMarks(found)]));
      const reason = difference(records, this.#name, this.#replicas);
      if (reason !== undefined) stop(reason);
    });
  }

  /** Now and then: calls `trim` if entries from `first` to `last` may go. */
  propose(trim: (last: number, first: number) => void): void {
    if (this.#ticks % PROPOSE_EVERY !== 0) return;
    const gets = [
      { type: "get", key: this.#keys.first },
      { type: "get", ...this.#keys.snapshots },
    ] as const;
    this.#etcd.ask({ type: "txn", guards: [], ops: gets, otherwise: [] }, (answer) => {
      if (answer.type !== "txn") return;
      const [firsts, records] = answer.found;
      const first = decodeFirst(firsts?.[0]);
      const last = trimPoint((records ?? []).map(decodeMarks), this.#replicas);
      if (last >= first) trim(Math.min(last, first + TRIMMED_AT_ONCE - 1), first);
    });
  }

  /** One transaction under `guard`; then etcd forgets the revisions before it. Followers that are further back find their place by position. */
  trim(guard: Guard, first: number, last: number, done: () => void): void {
    const guards: Guard[] = [
      guard,
      first === 1 ? { key: this.#keys.first, created: 0 } : { key: this.#keys.first, value: encodeFirst(first) },
    ];
    const ops = [
      { type: "delete", key: this.#keys.entry(first), end: this.#keys.entry(last + 1) },
      { type: "put", key: this.#keys.first, value: encodeFirst(last + 1) },
    ] as const;
    this.#etcd.ask({ type: "txn", guards, ops, otherwise: [] }, (answer) => {
      if (answer.type === "txn" && answer.done) this.#etcd.ask({ type: "compact", revision: answer.revision }, () => {});
      done();
    });
  }

  #tell(): void {
    if (!this.#isUntold || this.#isTelling) return;
    this.#isUntold = false;
    this.#isTelling = true;
    const put = { type: "put", key: this.#keys.snapshot(this.#name), value: encodeMarks(this.#shelf.marks()) } as const;
    this.#etcd.ask({ type: "txn", guards: [], ops: [put], otherwise: [] }, (answer) => {
      this.#isTelling = false;
      if (answer.type !== "txn") this.#isUntold = true;
    });
  }
}
