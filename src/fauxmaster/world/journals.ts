/**
 * Journals for simulated masters, with their faults. Embedded: a Log on a MemoryDisk that survives its process, as files do. Shared:
 * one MemoryStore for all masters, as etcd would be. Answers go through the process that asked: late after a pause, never after its death.
 */
import type { Random } from "../../base/random.ts";
import { DamagedError, UnusableError } from "../../store/log/error.ts";
import { IDLE_MARK_MS, Log } from "../../store/log.ts";
import { LogJournal } from "../../store/log-journal.ts";
import type { MemoryJournal } from "../../store/memory-journal.ts";
import { type DelayClass, type JournalCall, type JournalFault, MemoryStore } from "../../store/memory-store.ts";
import type { Journal, JournalAnswer, JournalEntry, JournalListener } from "../../wire/journal.ts";
import { SimulatedDisk } from "./disk.ts";
import type { Kernel } from "./kernel.ts";
import type { Birth } from "./process.ts";
import { mend, type Rot, rotten } from "./rot.ts";

/** Small, so that a run of some minutes has several segments. */
const SEGMENT_BYTES = 64 * 1024;

/** One master's own disk and the log on it. After one failed sync the journal is dead until the process starts again. */
export class EmbeddedJournals extends SimulatedDisk {
  /** Longest time that the disk takes for one batch. */
  slowMs = 0;
  #rot: Rot | undefined;
  readonly #cell: string;

  constructor(kernel: Kernel, cell: string) {
    super(kernel, kernel.streams.of("disk"), "disk");
    this.#cell = cell;
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
    this.#checkNoticed(log);
    if (log.cut !== undefined) this.kernel.probes.add("a torn tail was cut off");
    let lastMs = 0;
    let idle: () => void = () => {};
    const defer = (act: () => void): void => {
      lastMs = Math.max(lastMs, this.kernel.nowMs + this.random.int(0, 4) + (this.slowMs > 0 ? this.random.int(0, this.slowMs) : 0));
      this.kernel.at(lastMs, birth.callback("disk", act));
      idle();
    };
    const journal = new LogJournal({ log, listener, defer });
    idle = this.#idleMark(birth, log, journal);
    return journal;
  }

  get isRotten(): boolean {
    return this.#rot !== undefined;
  }

  /** A bit of what is needed at the next start flips. False: there is too little to choose from. */
  rot(): boolean {
    this.#rot = rotten(this.disk, this.random);
    if (this.#rot === undefined) return false;
    this.kernel.faults.add(`disk.rot-${this.#rot.kind}`);
    return true;
  }

  /** Somebody brings the byte back, from a replica or a backup. */
  restore(): void {
    if (this.#rot !== undefined) mend(this.disk, this.#rot);
    this.#rot = undefined;
  }

  /** A refusal to start, noted: it is what should happen while a byte is wrong. */
  refusesRightly(error: unknown): boolean {
    const refused = this.isRotten && (error instanceof DamagedError || error instanceof UnusableError);
    if (refused) this.kernel.probes.add("bit rot was refused");
    return refused;
  }

  /** Nothing is opened over a wrong byte, except that a bad snapshot may be passed over for an older one. [KD5] */
  #checkNoticed(log: Log): void {
    if (this.#rot === undefined || this.#rot.noticed) return;
    const { kind, file, bit } = this.#rot;
    this.#rot.noticed = kind === "snapshot" && log.damagedSnapshots.length > 0;
    if (this.#rot.noticed) this.kernel.probes.add("a rotten snapshot was passed over");
    else this.kernel.violate({ id: "KD5", text: `The journal was opened with bit ${bit} of "${file}" wrong, and nobody noticed` });
  }

  override heal(): void {
    super.heal();
    this.slowMs = 0;
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
      this.kernel.after(IDLE_MARK_MS, look);
    };
    return wait;
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

/** What faults do to a store that all masters share. */
export interface SharedStore {
  /** Chances per call. */
  slow: number;
  unknown: number;
  unavailable: number;
  cutOff(master: string): void;
  reconnect(master: string): void;
  heal(): void;
}

/** The store that all masters share. */
export class SharedJournals implements SharedStore {
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

  entries(): readonly JournalEntry[] {
    return this.store.read(1, Number.POSITIVE_INFINITY) ?? [];
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
