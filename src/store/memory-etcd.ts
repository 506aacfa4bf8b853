/**
 * A model of etcd, as far as the journal and the lock use it: revisions, transactions, leases, watches and compaction. It answers at once and whole; what is slow,
 * lost or late is made by whoever stands between (fauxmaster/world). Conversations with a real etcd, recorded in test/etcd, hold it to the truth.
 */
import type { Answer, Guard, KeyRange, KeyValue, Op, Question, WatchEvent } from "./etcd/port.ts";

/** With etcd's default timers: three halves of an election timeout, in whole seconds. */
const TTL_S_MIN = 2;

interface Lease {
  readonly ttlS: number;
  untilMs: number;
}

interface Watcher {
  readonly range: KeyRange;
  readonly listener: (event: WatchEvent) => void;
}

export class MemoryEtcd {
  readonly #now: () => number;
  #values = new Map<string, KeyValue>();
  /** Of `#values`, sorted. */
  #keys: string[] = [];
  #revision = 1;
  /** Everything that was put at `#compacted` and after, in order. */
  #history: KeyValue[] = [];
  #compacted = 0;
  readonly #leases = new Map<string, Lease>();
  #leaseCount = 0;
  readonly #watchers = new Set<Watcher>();

  /** `now`: milliseconds on etcd's own clock, by which leases end. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get revision(): number {
    return this.#revision;
  }

  ask(question: Question): Answer {
    this.expire();
    switch (question.type) {
      case "txn":
        return this.#txn(question);
      case "grant":
        return this.#grant(Math.max(TTL_S_MIN, question.ttlS));
      case "keep-alive":
        return this.#keepAlive(question.lease);
      case "revoke":
        return this.#leases.has(question.lease) ? this.#revoke(question.lease) : failed("etcdserver: requested lease not found");
      case "compact":
        return this.#compact(question.revision);
      case "status":
        return { type: "status", usedBytes: this.#bytes(), quotaBytes: 0, isFull: false };
    }
  }

  /** Everything put since `revision`, and what comes; the answer ends it. */
  watch(range: KeyRange, revision: number, listener: (event: WatchEvent) => void): () => void {
    const watcher: Watcher = { range, listener };
    if (revision < this.#compacted) {
      listener({ type: "ended", reason: `etcd ended the watch: everything before revision ${this.#compacted} is compacted` });
      return () => {};
    }
    for (const entry of this.#history) if (entry.modified >= revision && isIn(range, entry.key)) listener({ type: "put", entry });
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Every watch ends, as when a member goes. */
  breakWatches(): void {
    const all = [...this.#watchers];
    this.#watchers.clear();
    for (const { listener } of all) listener({ type: "ended", reason: "the connection broke" });
  }

  /** A new leader of etcd gives every lease its whole time again. */
  changeLeader(): void {
    this.expire();
    for (const lease of this.#leases.values()) lease.untilMs = this.#now() + lease.ttlS * 1000;
  }

  /** Leases that ran out go, and their keys with them. */
  expire(): void {
    for (const [id, { untilMs }] of [...this.#leases]) if (this.#now() >= untilMs) this.#revoke(id);
  }

  /** What is there now, without a question. */
  get(range: KeyRange): readonly KeyValue[] {
    const from = this.#place(range.key);
    if (range.end === undefined) return this.#keys[from] === range.key ? [this.#values.get(range.key) as KeyValue] : [];
    const to = Math.min(this.#place(range.end), range.limit ? from + range.limit : Number.POSITIVE_INFINITY);
    return this.#keys.slice(from, to).map((key) => this.#values.get(key) as KeyValue);
  }

  #txn({ guards, ops, otherwise }: Question & { readonly type: "txn" }): Answer {
    const done = guards.every((guard) => this.#holds(guard));
    const branch = done ? ops : otherwise;
    const lost = branch.some((op) => op.type === "put" && op.lease !== undefined && !this.#leases.has(op.lease));
    if (lost) return failed("etcdserver: requested lease not found");
    const revision = this.#revision + 1;
    const puts: KeyValue[] = [];
    const found = branch.map((op) => this.#do(op, revision, puts));
    this.#told(puts);
    return { type: "txn", done, found, revision: this.#revision };
  }

  /** A value is never equal to that of a key that is not there. */
  #holds(guard: Guard): boolean {
    const found = this.#values.get(guard.key);
    if ("created" in guard) return (found?.created ?? 0) === guard.created;
    return found !== undefined && found.value.length === guard.value.length && found.value.every((byte, i) => byte === guard.value[i]);
  }

  /** The revision rises with the first change of a transaction, and with no other. */
  #do(op: Op, revision: number, puts: KeyValue[]): readonly KeyValue[] {
    if (op.type === "get") return this.get(op);
    if (op.type === "delete") {
      for (const { key } of this.get(op)) {
        this.#revision = revision;
        this.#values.delete(key);
        this.#keys.splice(this.#place(key), 1);
      }
      return [];
    }
    const before = this.#values.get(op.key);
    const entry: KeyValue = {
      key: op.key,
      value: op.value.slice(),
      created: before?.created ?? revision,
      modified: revision,
      lease: op.lease ?? "0",
    };
    if (before === undefined) this.#keys.splice(this.#place(op.key), 0, op.key);
    this.#revision = revision;
    this.#values.set(op.key, entry);
    puts.push(entry);
    return [];
  }

  #told(puts: readonly KeyValue[]): void {
    this.#history.push(...puts);
    for (const { range, listener } of [...this.#watchers])
      for (const entry of puts) if (isIn(range, entry.key)) listener({ type: "put", entry });
  }

  #grant(ttlS: number): Answer {
    this.#leaseCount += 1;
    const lease = String(this.#leaseCount);
    this.#leases.set(lease, { ttlS, untilMs: this.#now() + ttlS * 1000 });
    return { type: "granted", lease, ttlS };
  }

  #keepAlive(id: string): Answer {
    const lease = this.#leases.get(id);
    if (lease === undefined) return { type: "kept", ttlS: 0 };
    lease.untilMs = this.#now() + lease.ttlS * 1000;
    return { type: "kept", ttlS: lease.ttlS };
  }

  #revoke(id: string): Answer {
    this.#leases.delete(id);
    const revision = this.#revision + 1;
    for (const { key, lease } of [...this.#values.values()]) if (lease === id) this.#do({ type: "delete", key }, revision, []);
    return { type: "revoked" };
  }

  #compact(revision: number): Answer {
    if (revision <= this.#compacted) return failed("etcdserver: mvcc: required revision has been compacted");
    if (revision > this.#revision) return failed("etcdserver: mvcc: required revision is a future revision");
    this.#compacted = revision;
    this.#history = this.#history.filter(({ modified }) => modified >= revision);
    return { type: "compacted" };
  }

  #bytes(): number {
    let bytes = 0;
    for (const { key, value } of this.#values.values()) bytes += key.length + value.length;
    return bytes;
  }

  /** Where a key stands, or would. */
  #place(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isIn = ({ key, end }: KeyRange, each: string): boolean => (end === undefined ? each === key : each >= key && each < end);
const failed = (reason: string): Answer => ({ type: "failed", outcome: "unknown", reason: `etcd: ${reason}` });
