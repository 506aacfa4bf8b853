/**
 * The Journal in etcd that several masters share. One key, the head, holds term and last position, and every change is one transaction that is guarded
 * by it, so what an old leader sends after a new one took over finds another head and does nothing. Nothing is sent twice: a change without an answer
 * is `unknown`, and only its bytes at its position, or a higher term, settle what became of it. An entry that is absent may still land.
 */
import { assert } from "../../base/assert.ts";
import { ENTRY_BYTES_MAX, type Journal, type JournalAnswer, type JournalListener, type Snapshot, type Space } from "../../wire/journal.ts";
import { QUEUE_BYTES_MAX, QUEUE_ENTRIES_MAX } from "../log-journal.ts";
import { Confirming } from "./confirming.ts";
import { Following } from "./following.ts";
import { decodeHead, encodeHead, encodeTermed, type Head, Keys } from "./keys.ts";
import type { Answer, Etcd, Guard } from "./port.ts";
import { readPage } from "./reading.ts";
import type { Shelf } from "./shelf.ts";
import { spaceOf } from "./space.ts";
import { Trimming } from "./trimming.ts";

/** Heads that another one changed between the read and the lead. */
const LEADS_MAX = 5;
/** Seconds between two looks at how full etcd is. */
const SPACE_EVERY = 10;

export interface EtcdJournalParts {
  readonly etcd: Etcd;
  readonly cell: string;
  /** This replica, and how many there are. */
  readonly name: string;
  readonly replicas: number;
  readonly shelf: Shelf;
  readonly listener: JournalListener;
  /** The revision of the lock while this replica has it: a lead is guarded by it. Without a lock there is one master only. */
  readonly lockRevision?: () => number | undefined;
  /** For an etcd that does not tell its quota (before 3.6). */
  readonly quotaBytes?: number;
  /** A majority has other snapshots than this replica, which must stop. */
  readonly onDiverged?: (reason: string) => void;
}

/** What waits for its turn. `run` calls `done` when the next one may begin. */
interface Change {
  readonly bytes: number;
  readonly run: (done: () => void) => void;
}

export class EtcdJournal implements Journal {
  readonly #etcd: Etcd;
  readonly #keys: Keys;
  readonly #parts: EtcdJournalParts;
  readonly #confirming: Confirming;
  readonly #following: Following;
  readonly #trimming: Trimming;
  readonly #changes: Change[] = [];
  #changeBytes = 0;
  #isChanging = false;
  #isClosed = false;
  /** Where this handle leads from, as etcd answered it last; term 0: it does not lead. */
  #head: Head = { term: 0, position: 0 };
  #seconds = 0;
  #space: Space = { level: "fine", reason: "" };
  /** A snapshot that was asked for while etcd did not answer: it is asked for again with the next second. */
  #wanted: number | undefined;

  constructor(parts: EtcdJournalParts) {
    this.#parts = parts;
    this.#etcd = parts.etcd;
    this.#keys = new Keys(parts.cell);
    this.#confirming = new Confirming(parts.etcd, this.#keys);
    this.#following = new Following(parts.etcd, this.#keys, (answer) => this.#tell(answer));
    this.#trimming = new Trimming(parts.etcd, this.#keys, parts);
  }

  /** Nothing is told any more. What was asked may still happen. */
  close(): void {
    this.#isClosed = true;
    this.#following.end();
  }

  /** How full etcd is, as it was last looked at. */
  get space(): Space {
    return this.#space;
  }

  /** When this copy was last known to be whole; on the clock of `second`. */
  get freshMs(): number | undefined {
    return this.#following.freshMs;
  }

  lead(): void {
    this.#head = { term: 0, position: 0 };
    this.#change(0, (done) => this.#lead(LEADS_MAX, done));
  }

  append(term: number, position: number, payload: Uint8Array): void {
    assert(payload.length <= ENTRY_BYTES_MAX, "An entry is too large for a journal");
    const isFull = this.#changes.length >= QUEUE_ENTRIES_MAX || this.#changeBytes + payload.length > QUEUE_BYTES_MAX;
    if (isFull) this.#change(0, (done) => this.#notAppended(position, "unavailable", "Too many appends are waiting for etcd", done));
    else this.#change(payload.length, (done) => this.#append({ term, position }, payload, done));
  }

  confirm(term: number): void {
    this.#confirming.ask((head) => {
      if (!head.ok) return this.#tell({ type: "not-confirmed", term, reason: head.reason });
      const { term: newest, position } = head.value;
      if (term === newest && term > 0) this.#tell({ type: "confirmed", term, position });
      else this.#tell({ type: "not-confirmed", term, reason: `Term ${term} is not the newest one, ${newest}` });
    });
  }

  read(from: number, bytesMax: number): void {
    readPage(this.#etcd, this.#keys, from, bytesMax, (page) => {
      if (page.type === "page") this.#tell({ type: "entries", from, entries: page.entries, last: page.last });
      else this.#tell({ type: "not-read", from, reason: page.reason });
    });
  }

  follow(from: number): void {
    this.#following.begin(from);
  }

  unfollow(): void {
    this.#following.end();
  }

  /** It is on this replica's disk; etcd holds only its position and hash, for those who trim. */
  saveSnapshot(snapshot: Snapshot): void {
    const { position } = snapshot;
    const refuse = (reason: string): void => this.#tell({ type: "snapshot-not-saved", position, reason });
    this.#confirming.ask((head) => {
      if (!head.ok) return refuse(head.reason);
      if (head.value.position < position) return refuse(`The journal ends at ${head.value.position}`);
      this.#parts.shelf.save(snapshot, (saved) => {
        if (!saved.ok) return refuse(saved.reason);
        this.#trimming.record();
        this.#tell({ type: "snapshot-saved", position });
      });
    });
  }

  loadSnapshot(atMost: number): void {
    this.#trimming.first((first) => {
      if (!first.ok) {
        this.#wanted = atMost;
        return;
      }
      this.#parts.shelf.load(atMost, first.value, (loaded) => {
        if (loaded.ok) this.#tell({ type: "snapshot", snapshot: loaded.value });
        else this.#tell({ type: "snapshot-not-loaded", reason: loaded.reason });
      });
    });
  }

  /** To be called once a second, with any clock that only goes forward. */
  second(nowMs: number): void {
    if (this.#following.isOn) this.#confirming.ask((head) => this.#following.saw(head, nowMs));
    if (this.#seconds % SPACE_EVERY === 0) this.#lookAtSpace();
    this.#seconds += 1;
    this.#trimming.tick();
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.loadSnapshot(wanted);
    const { onDiverged } = this.#parts;
    if (onDiverged !== undefined) this.#trimming.compare(onDiverged);
    if (this.#head.term > 0) this.#trimming.propose((last, first) => this.#trim(last, first));
  }

  // One change at a time, in call order

  #change(bytes: number, run: Change["run"]): void {
    this.#changes.push({ bytes, run });
    this.#changeBytes += bytes;
    this.#next();
  }

  #next(): void {
    const change = this.#isChanging ? undefined : this.#changes.shift();
    if (change === undefined) return;
    this.#isChanging = true;
    change.run(() => {
      this.#isChanging = false;
      this.#changeBytes -= change.bytes;
      this.#next();
    });
  }

  /** The lead writes term + 1 over the very head that was read; whoever wrote in between, or took the lock, makes it fail. */
  #lead(tries: number, done: () => void): void {
    const refuse = (reason: string): void => {
      this.#tell({ type: "not-leading", reason });
      done();
    };
    const lock = this.#parts.lockRevision?.();
    if (this.#parts.lockRevision !== undefined && lock === undefined) return refuse("This replica does not have the lock");
    if (tries === 0) return refuse("Others changed the journal all the time");
    this.#confirming.ask((head) => {
      if (!head.ok) return refuse(head.reason);
      const next = { term: head.value.term + 1, position: head.value.position };
      const guards = [this.#isHead(head.value), ...(lock === undefined ? [] : [{ key: this.#keys.lock, created: lock }])];
      const put = { type: "put", key: this.#keys.head, value: encodeHead(next) } as const;
      this.#etcd.ask({ type: "txn", guards, ops: [put], otherwise: [] }, (answer) => {
        if (answer.type !== "txn") return refuse(reasonOf(answer));
        if (!answer.done) return this.#lead(tries - 1, done);
        this.#head = next;
        this.#tell({ type: "leading", term: next.term, last: next.position });
        done();
      });
    });
  }

  #isHead(head: Head): Guard {
    return head.term === 0 ? { key: this.#keys.head, created: 0 } : { key: this.#keys.head, value: encodeHead(head) };
  }

  #append(entry: Head, payload: Uint8Array, done: () => void): void {
    const { term, position } = entry;
    if (term === 0) return this.#notAppended(position, "fenced", "Nobody leads under term 0", done);
    const guards = [this.#isHead({ term, position: position - 1 })];
    const puts = [
      { type: "put", key: this.#keys.entry(position), value: encodeTermed(term, payload) },
      { type: "put", key: this.#keys.head, value: encodeHead(entry) },
    ] as const;
    this.#etcd.ask({ type: "txn", guards, ops: puts, otherwise: [{ type: "get", key: this.#keys.head }] }, (answer) => {
      if (answer.type !== "txn") {
        const isNever = answer.type === "failed" && answer.outcome === "never";
        return this.#notAppended(position, isNever ? "unavailable" : "unknown", reasonOf(answer), done);
      }
      if (!answer.done) return this.#notAppended(position, "fenced", headWords(answer), done);
      if (this.#head.term === term) this.#head = entry;
      this.#tell({ type: "appended", position });
      done();
    });
  }

  #notAppended(position: number, fault: "fenced" | "unavailable" | "unknown", reason: string, done: () => void): void {
    this.#tell({ type: "not-appended", position, fault, reason });
    done();
  }

  /** Between appends, so that the head is known and guards it like any other change. */
  #trim(last: number, first: number): void {
    this.#change(0, (done) => {
      if (this.#head.term === 0) return done();
      this.#trimming.trim(this.#isHead(this.#head), first, last, done);
    });
  }

  #lookAtSpace(): void {
    this.#etcd.ask({ type: "status" }, (answer) => {
      if (answer.type !== "status") return;
      const before = this.#space.level;
      this.#space = spaceOf(answer, this.#parts.quotaBytes);
      if (this.#space.level !== before) this.#tell({ type: "space", ...this.#space });
    });
  }

  #tell(answer: JournalAnswer): void {
    if (!this.#isClosed) this.#parts.listener(answer);
  }
}

const reasonOf = (answer: Answer): string => (answer.type === "failed" ? answer.reason : `etcd answered "${answer.type}"`);

function headWords(answer: Answer & { readonly type: "txn" }): string {
  const head = decodeHead(answer.found[0]?.[0]);
  return head.ok ? `The journal is in term ${head.value.term} and ends at ${head.value.position}` : head.reason;
}
