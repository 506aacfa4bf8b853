/**
 * A journal for simulation that several masters share, as they would share etcd: one MemoryStore, and a handle for
 * each master. It has no timers: every step goes through `defer`, so the simulation decides how long it takes and what
 * overtakes what. Faults are asked for call by call, through `fault`.
 */
import type { JournalEntry, JournalListener, Snapshot } from "../wire/journal.ts";
import { SNAPSHOTS_KEPT } from "./log/snapshot.ts";
import { MemoryJournal } from "./memory-journal.ts";

/** How long something takes: a request on its way in, an answer on its way out, a slow one, or until the caller's deadline. */
export type DelayClass = "request" | "answer" | "slow" | "deadline";
export type Defer = (delay: DelayClass, act: () => void) => void;

export type JournalCall = "lead" | "append" | "confirm" | "read" | "save-snapshot" | "load-snapshot";

/**
 * - `unavailable`: refused, nothing happened.
 * - `slow`: the answer takes long.
 * - `unknown-done`, `unknown-lost`, `unknown-late` (appends only): answered `unknown` at the deadline; the entry is there,
 *   will never be there, or may still arrive after the answer, if its term and position are still good then.
 */
export type JournalFault = "unavailable" | "slow" | "unknown-done" | "unknown-lost" | "unknown-late";

export class MemoryStore {
  /** Asked once for every call of every handle. */
  fault: ((call: JournalCall, handle: MemoryJournal) => JournalFault | undefined) | undefined;
  readonly #defer: Defer;
  readonly #handles = new Set<MemoryJournal>();
  #entries: JournalEntry[] = [];
  #first = 1;
  #term = 0;
  #snapshots: Snapshot[] = [];

  constructor(defer: Defer) {
    this.#defer = defer;
  }

  get last(): number {
    return this.#first + this.#entries.length - 1;
  }

  get first(): number {
    return this.#first;
  }

  get term(): number {
    return this.#term;
  }

  /** A handle for one incarnation of a master. */
  open(listener: JournalListener): MemoryJournal {
    const handle = new MemoryJournal(this, this.#defer, listener, () => this.#handles.delete(handle));
    this.#handles.add(handle);
    return handle;
  }

  /** Raises the term, as another leader would: every handle that leads is fenced from now on. */
  fence(): number {
    this.#term += 1;
    return this.#term;
  }

  /** Why `term` no longer leads; undefined when it does. */
  confirmProblem(term: number): string | undefined {
    return term === this.#term && term > 0 ? undefined : `Term ${term} is not the store's term ${this.#term}`;
  }

  append(term: number, position: number, payload: Uint8Array): string | undefined {
    if (term !== this.#term || term === 0) return `Term ${term} is not the log's term ${this.#term}`;
    if (position !== this.last + 1) return `Position ${position} is not the next one, ${this.last + 1}`;
    this.#entries.push({ position, term, payload: payload.slice() });
    for (const handle of this.#handles) handle.wake();
    return undefined;
  }

  /** Undefined when history no longer reaches back. */
  read(from: number, bytesMax: number): JournalEntry[] | undefined {
    if (from < this.#first) return undefined;
    const entries: JournalEntry[] = [];
    for (let at = from, bytes = 0; at <= this.last && (bytes < bytesMax || entries.length === 0); at++) {
      const entry = this.#entries[at - this.#first]!;
      entries.push(entry);
      bytes += entry.payload.length;
    }
    return entries;
  }

  save(snapshot: Snapshot): string | undefined {
    if (snapshot.position > this.last) return `The log ends at ${this.last}`;
    const newest = this.#snapshots[0]?.position ?? 0;
    if (snapshot.position < newest) return `There is a newer snapshot already, at position ${newest}`;
    if (snapshot.position > newest) this.#snapshots = [snapshot, ...this.#snapshots].slice(0, SNAPSHOTS_KEPT);
    return undefined;
  }

  load(atMost: number): Snapshot | undefined {
    return this.#snapshots.find((snapshot) => snapshot.position <= atMost);
  }

  /** Forgets entries up to `position`, as far as the oldest snapshot covers them. */
  trim(position: number): void {
    const covered = Math.min(position, this.#snapshots.at(-1)?.position ?? 0);
    if (covered < this.#first) return;
    this.#entries = this.#entries.slice(covered - this.#first + 1);
    this.#first = covered + 1;
  }
}
