/**
 * Journals for simulated masters, with their faults. Embedded: a Log on a MemoryDisk that survives its process, as files do. Shared:
 * one MemoryStore for all masters, as etcd would be. Answers go through the process that asked: late after a pause, never after its death.
 */
import type { Random } from "../base/random.ts";
import { IDLE_MARK_MS, Log } from "../store/log.ts";
import { LogJournal } from "../store/log-journal.ts";
import { type DiskOperation, type InjectedFault, MemoryDisk } from "../store/memory-disk.ts";
import type { MemoryJournal } from "../store/memory-journal.ts";
import { type DelayClass, type JournalCall, type JournalFault, MemoryStore } from "../store/memory-store.ts";
import type { Journal, JournalAnswer, JournalListener } from "../wire/journal.ts";
import type { Kernel } from "./kernel.ts";
import type { Birth } from "./process.ts";

/** Small, so that a run of some minutes has several segments. */
const SEGMENT_BYTES = 64 * 1024;

/** One master's own disk and the log on it. */
export class EmbeddedJournals {
  readonly disk = new MemoryDisk();
  /** Longest time that the disk takes for one batch. */
  slowMs = 0;
  /** The chance that a sync fails; after one failure the journal is dead until the process starts again. */
  syncFailure = 0;
  /** Nothing more fits. */
  full = false;
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #cell: string;

  constructor(kernel: Kernel, cell: string) {
    this.#kernel = kernel;
    this.#random = kernel.streams.of("disk");
    this.#cell = cell;
    this.disk.fault = (operation) => this.#fault(operation);
  }

  /** What the journal holds before the world begins. */
  begin(payloads: readonly Uint8Array[], wallMs: number): void {
    const log = Log.open(this.disk, { cell: this.#cell, wall: () => wallMs, segmentBytes: SEGMENT_BYTES });
    log.lead();
    log.append(log.term, log.last + 1, payloads);
    log.mark();
  }

  /** For one incarnation. Throws DiskError when the disk fails just now, and DamagedError when it lost what was acknowledged. */
  open(birth: Birth, wall: () => number, listener: JournalListener): Journal {
    const log = Log.open(this.disk, { cell: this.#cell, wall, segmentBytes: SEGMENT_BYTES });
    if (log.cut !== undefined) this.#kernel.probes.add("a torn tail was cut off");
    let lastMs = 0;
    let idle: () => void = () => {};
    const defer = (act: () => void): void => {
      lastMs = Math.max(lastMs, this.#kernel.nowMs + this.#random.int(0, 4) + (this.slowMs > 0 ? this.#random.int(0, this.slowMs) : 0));
      this.#kernel.at(lastMs, birth.callback("disk", act));
      idle();
    };
    const journal = new LogJournal({ log, listener, defer });
    idle = this.#idleMark(birth, log, journal);
    return journal;
  }

  /** The host lost power: what was not synced may be there, torn, or gone. */
  powerCut(): void {
    this.#kernel.faults.add("disk.power-cut");
    this.disk.crash(this.#random);
  }

  heal(): void {
    this.slowMs = 0;
    this.syncFailure = 0;
    this.full = false;
  }

  /** To be called when the journal is used: when nothing was appended for a while after that, the log gets its mark. */
  #idleMark(birth: Birth, log: Log, journal: LogJournal): () => void {
    let waiting = false;
    let seen = -1;
    const look = birth.callback("idle mark", () => {
      waiting = false;
      if (log.last === seen) journal.idle();
      else wait();
    });
    const wait = (): void => {
      if (waiting) return;
      waiting = true;
      seen = log.last;
      this.#kernel.after(IDLE_MARK_MS, look);
    };
    return wait;
  }

  #fault(operation: DiskOperation): InjectedFault | undefined {
    const { type } = operation;
    if (this.full && (type === "create" || type === "write")) {
      if (type === "write" && operation.offset + operation.bytes.length <= this.disk.size(operation.name)) return undefined;
      this.#kernel.faults.add("disk.full");
      return "full";
    }
    if (type === "sync" && this.syncFailure > 0 && this.#random.chance(this.syncFailure)) {
      // Half of them are the moment in which the power goes: what was on its way is there, torn, or gone.
      if (this.#random.chance(0.5)) this.powerCut();
      this.#kernel.faults.add("disk.sync-failed");
      return "io";
    }
    return undefined;
  }
}

/** Longest delays of the shared store. */
const DELAY_MS: Readonly<Record<DelayClass, readonly [from: number, below: number]>> = {
  request: [0, 4],
  answer: [0, 4],
  slow: [100, 6000],
  deadline: [1000, 1010],
};

interface Handle {
  readonly owner: string;
  readonly held: JournalAnswer[];
  readonly tell: JournalListener;
}

/** The store that all masters share. */
export class SharedJournals {
  readonly store: MemoryStore;
  /** Chances per call. */
  slow = 0;
  unknown = 0;
  unavailable = 0;
  /** Masters that cannot reach the store. */
  readonly #cutOff = new Set<string>();
  readonly #handles = new Map<MemoryJournal, Handle>();
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = kernel.streams.of("store");
    this.store = new MemoryStore((delay, act) => this.#kernel.after(this.#random.int(...DELAY_MS[delay]), act));
    this.store.fault = (call, handle) => this.#fault(call, handle);
  }

  /** What the journal holds before the world begins. */
  begin(payloads: readonly Uint8Array[]): void {
    const term = this.store.fence();
    for (const payload of payloads) this.store.append(term, this.store.last + 1, payload);
  }

  /** For one incarnation. What a dead one asked for may still happen; it only never hears of it. */
  open(birth: Birth, listener: JournalListener): Journal {
    const handle: Handle = { owner: birth.process, held: [], tell: birth.callback("journal", listener) };
    const journal = this.store.open((answer) => this.#answer(handle, answer));
    this.#handles.set(journal, handle);
    return journal;
  }

  /** Its process died: nobody listens any more. What it asked for goes on, so the handle stays as it is but follows nothing. */
  abandon(master: string): void {
    for (const [journal, { owner }] of this.#handles) {
      if (owner !== master) continue;
      journal.unfollow();
      this.#handles.delete(journal);
    }
  }

  cutOff(master: string): void {
    this.#kernel.faults.add("store.cut-off");
    this.#cutOff.add(master);
  }

  reconnect(master: string): void {
    if (!this.#cutOff.delete(master)) return;
    for (const handle of this.#handles.values()) {
      if (handle.owner === master) for (const answer of handle.held.splice(0)) handle.tell(answer);
    }
  }

  heal(): void {
    this.slow = 0;
    this.unknown = 0;
    this.unavailable = 0;
    for (const master of [...this.#cutOff]) this.reconnect(master);
  }

  /** What the store tells by itself waits while the master is cut off; its own deadlines do not. */
  #answer(handle: Handle, answer: JournalAnswer): void {
    if (answer.type === "followed" && (this.#cutOff.has(handle.owner) || handle.held.length > 0)) handle.held.push(answer);
    else handle.tell(answer);
  }

  #fault(call: JournalCall, journal: MemoryJournal): JournalFault | undefined {
    const owner = this.#handles.get(journal)?.owner ?? "";
    const fault = this.#draw(call, this.#cutOff.has(owner));
    if (fault !== undefined) this.#kernel.faults.add(`store.${fault}`);
    return fault;
  }

  #draw(call: JournalCall, cutOff: boolean): JournalFault | undefined {
    const random = this.#random;
    if (cutOff) return call === "append" ? "unknown-lost" : "unavailable";
    if (this.unavailable > 0 && random.chance(this.unavailable)) return "unavailable";
    if (call === "append" && this.unknown > 0 && random.chance(this.unknown)) {
      return random.pick(["unknown-done", "unknown-lost", "unknown-late"] as const);
    }
    return this.slow > 0 && random.chance(this.slow) ? "slow" : undefined;
  }
}
