/**
 * The way of ops into the journal: one entry in flight, the next one closed from what came meanwhile. An append whose outcome is
 * unknown stops everything until its position was read back: appending on top of it could put one op in twice, or lose one. News that nobody waits for goes
 * with the next entry, or by itself when it has waited for a moment: an entry costs every copy of the cell as much as some ten reports in it.
 */
import { assert } from "../base/assert.ts";
import type { Env } from "../base/env.ts";
import { sealEntry } from "../cell/op.ts";
import type { Journal, JournalAnswer } from "../wire/journal.ts";
import type { CellClock } from "./cell-clock.ts";
import { Lanes, type WaitingBounds, type WaitingOp } from "./lanes.ts";

/** After an answer that nobody can read: so long the position is looked at before those who wait are told that nobody knows. Well within the two seconds that a refusal may take. */
const STALL_MS = 400;
/** Between two looks at a position that could not be read. */
const AGAIN_MS = 200;

interface Flight {
  readonly position: number;
  readonly timeMs: number;
  readonly payload: Uint8Array;
  ops: readonly WaitingOp[];
  readonly sentMs: number;
  /** When its outcome became unknown; undefined: it is not. */
  unknownMs: number | undefined;
  /** `reading-back`: nobody knows whether it was appended, so its position is being read. */
  state: "sent" | "reading-back" | "wants-reading";
  /** Sent more than once: a refusal may come from its own first copy. */
  again: boolean;
}

/** What was appended, with the ops that its bytes hold. */
export type DurableEntry = Pick<Flight, "position" | "timeMs" | "payload" | "ops">;

export interface PipelineHost {
  /** Whether the copies of the cell keep up; while they do not, what users ask for waits. */
  readonly keepsUp: boolean;
  /** An entry is durable: apply it, tell everyone. */
  committed(entry: DurableEntry): void;
  /** Never appended. */
  refusedAppend(ops: readonly WaitingOp[], reason: string): void;
  /** The outcome of an append stays unknown. What became of it is looked for on and on; those who wait should not. */
  stalled(): void;
  /** Another leader has taken over, or the journal can no longer be trusted (`exit`). */
  deposed(reason: string, exit: boolean): void;
}

export class Pipeline {
  readonly lanes: Lanes;
  readonly #env: Env<never>;
  readonly #clock: CellClock;
  readonly #journal: Journal;
  readonly #host: PipelineHost;
  readonly #opsMax: number;
  readonly #bytesMax: number;
  readonly #newsMs: number;
  #term = 0;
  #last = 0;
  #flight: Flight | undefined;
  /** Since when nothing but patient news waits. */
  #heldMs: number | undefined;

  constructor(
    env: Env<never>,
    clock: CellClock,
    journal: Journal,
    host: PipelineHost,
    bounds: WaitingBounds & { readonly entryOpsMax: number; readonly entryBytesMax: number; readonly newsMs: number },
  ) {
    this.#env = env;
    this.#clock = clock;
    this.#journal = journal;
    this.#host = host;
    this.lanes = new Lanes(bounds);
    this.#opsMax = bounds.entryOpsMax;
    this.#bytesMax = bounds.entryBytesMax;
    this.#newsMs = bounds.newsMs;
  }

  /** The journal is this master's under `term`, and ends at `last`. */
  open(term: number, last: number): void {
    assert(this.#flight === undefined, "A pipeline is opened while an entry is in flight");
    this.#term = term;
    this.#last = last;
    this.pump();
  }

  /** Nothing is in flight, and nothing waits. */
  get isIdle(): boolean {
    return this.#flight === undefined && this.lanes.size === 0;
  }

  /** For how long somebody waits for the entry in flight; 0: nobody does. */
  get heldMs(): number {
    const flight = this.#flight;
    return flight?.ops.some(({ reply }) => reply.kind !== "none") ? this.#env.now() - flight.sentMs : 0;
  }

  /** Whoever waits is let go, with what is unknown and what was never appended. The entry in flight is applied all the same if it turns out to be there. */
  release(): { readonly unknown: readonly WaitingOp[]; readonly never: readonly WaitingOp[] } {
    const unknown = this.#flight?.ops ?? [];
    if (this.#flight !== undefined) this.#flight.ops = unknown.map((op) => ({ ...op, reply: { kind: "none" } }));
    this.#heldMs = undefined;
    return { unknown, never: this.lanes.drain() };
  }

  get isOpen(): boolean {
    return this.#term > 0;
  }

  /** Closes it for good in this term. What was in flight is unknown to its callers; what waited was never appended. */
  close(): { readonly unknown: readonly WaitingOp[]; readonly never: readonly WaitingOp[] } {
    const unknown = this.#flight?.ops ?? [];
    this.#flight = undefined;
    this.#heldMs = undefined;
    this.#term = 0;
    return { unknown, never: this.lanes.drain() };
  }

  /** Appends what waits, if nothing is in flight and it need not be held. */
  pump(isDue = false): void {
    if (this.#term === 0 || this.#flight !== undefined || (!isDue && this.#isHeld())) return;
    this.#heldMs = undefined;
    const ops = this.lanes.take(this.#opsMax, this.#bytesMax, this.#host.keepsUp);
    if (ops.length === 0) return;
    const timeMs = this.#clock.read();
    const payload = sealEntry(timeMs, ops);
    this.#flight = {
      position: this.#last + 1,
      timeMs,
      payload,
      ops,
      state: "sent",
      again: false,
      sentMs: this.#env.now(),
      unknownMs: undefined,
    };
    this.#journal.append(this.#term, this.#flight.position, payload.slice());
  }

  /** A timer named "news" ends it, or the end of an entry that was in flight then. */
  #isHeld(): boolean {
    if (this.lanes.isUrgent || this.lanes.size === 0) return false;
    const now = this.#env.now();
    if (this.#heldMs === undefined) this.#env.timer(this.#newsMs, "news");
    this.#heldMs ??= now;
    return now - this.#heldMs < this.#newsMs;
  }

  onAnswer(answer: JournalAnswer): void {
    const flight = this.#flight;
    if (flight === undefined) return;
    if (answer.type === "appended" && answer.position === flight.position) this.#landed(flight);
    if (answer.type === "not-appended" && answer.position === flight.position && flight.state === "sent") this.#failed(flight, answer);
    if (answer.type === "entries" && answer.from === flight.position && flight.state === "reading-back") this.#readBack(flight, answer);
    if (answer.type === "not-read" && answer.from === flight.position && flight.state === "reading-back") {
      flight.state = "wants-reading";
      this.#env.timer(AGAIN_MS, "flight");
    }
  }

  /** By a timer named "flight": looks again, and says when it has taken too long. */
  again(): void {
    const flight = this.#flight;
    if (flight?.unknownMs === undefined) return;
    if (this.#env.now() - flight.unknownMs >= STALL_MS) this.#host.stalled();
    if (flight.state === "wants-reading") this.#read(flight);
  }

  /** Called now and then: tries again to read back what could not be read. */
  tick(): void {
    if (this.#flight?.state === "wants-reading") this.#read(this.#flight);
    this.pump();
  }

  #read(flight: Flight): void {
    flight.state = "reading-back";
    this.#journal.read(flight.position, 1);
  }

  #landed(flight: Flight): void {
    this.#last = flight.position;
    this.#flight = undefined;
    this.#host.committed(flight);
    this.pump();
  }

  #failed(flight: Flight, answer: JournalAnswer & { type: "not-appended" }): void {
    if (answer.fault === "unavailable" && !flight.again) {
      this.#flight = undefined;
      this.#host.refusedAppend(flight.ops, answer.reason);
      this.pump();
    } else if (answer.fault === "unknown" || (answer.fault !== "failed" && flight.again)) {
      this.#env.log("~append-unknown");
      flight.unknownMs ??= this.#env.now();
      this.#env.timer(STALL_MS, "flight");
      this.#read(flight);
    } else {
      this.#host.deposed(answer.reason, answer.fault === "failed");
    }
  }

  /**
   * What stands at the position now? Ours, somebody else's, or nothing yet. In that last case it may still arrive, so it is sent again:
   * the journal takes one of the two, and refuses the other because the position is taken.
   */
  #readBack(flight: Flight, answer: JournalAnswer & { type: "entries" }): void {
    const found = answer.entries[0];
    if (found === undefined && flight.again) {
      this.#host.deposed(`Position ${flight.position} stayed empty after two tries`, false);
    } else if (found === undefined) {
      this.#env.log("~append-unknown-absent");
      flight.state = "sent";
      flight.again = true;
      this.#journal.append(this.#term, flight.position, flight.payload.slice());
    } else if (found.term === this.#term && sameBytes(found.payload, flight.payload)) {
      this.#env.log("~append-unknown-there");
      this.#landed(flight);
    } else {
      this.#host.deposed(`Position ${flight.position} was taken in term ${found.term}`, false);
    }
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
