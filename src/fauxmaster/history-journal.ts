/**
 * The history equals the journal: every acknowledged mutation stands at its position, takes effect once, and in an order that fits
 * the clock on the wall of the world; every read saw exactly the prefix it names. The journal is replayed to show it, and
 * every invariant of states and steps is checked on the way.
 */
import { apply, applyEntry, newState, type Outcome } from "../cell/cell.ts";
import { stateViolations } from "../cell/invariants.ts";
import { outcomeViolations } from "../cell/invariants-outcome.ts";
import { decodeEntry, type Op } from "../cell/op.ts";
import { REQUEST_KEEP_MS } from "../cell/requests.ts";
import type { CellState } from "../cell/state.ts";
import type { JournalEntry } from "../wire/journal.ts";
import type { Call, History } from "./history.ts";
import type { Violation } from "./kernel.ts";

export interface Replayed {
  readonly state: CellState;
  readonly violations: readonly Violation[];
  /** Request ids that took effect. */
  readonly effects: ReadonlySet<string>;
  /** Request ids that took effect again after the cell had forgotten them, as it may after REQUEST_KEEP_MS of its own time. */
  readonly forgotten: ReadonlySet<string>;
}

/** `entries` from position 1 on, without gap. `stateEvery`: how often the whole state is checked, in entries. */
export function replay(entries: readonly JournalEntry[], history: History, stateEvery = 1): Replayed {
  const replayer = new Replayer(history);
  replayer.advance(entries, stateEvery);
  replayer.finish();
  return replayer;
}

/** A replay that can go on when the journal has grown. It stops at the first violation. */
export class Replayer implements Replayed {
  readonly state = newState();
  readonly violations: Violation[] = [];
  readonly forgotten = new Set<string>();
  readonly #reads = new Map<number, Call[]>();
  /** Positions at which each request id stands, and the one where it took effect. */
  readonly #standsAt = new Map<string, Set<number>>();
  readonly #effectAt = new Map<string, { readonly position: number; readonly timeMs: number }>();
  readonly #history: History;
  #term = 0;

  constructor(history: History) {
    this.#history = history;
    for (const call of history.calls) {
      if (call.heard.type !== "job") continue;
      const { position } = call.heard;
      this.#reads.set(position, [...(this.#reads.get(position) ?? []), call]);
    }
  }

  get effects(): ReadonlySet<string> {
    return new Set(this.#effectAt.keys());
  }

  /** Entries that were replayed before are passed over. */
  advance(entries: readonly JournalEntry[], stateEvery: number): void {
    for (const entry of entries) {
      if (this.violations.length > 0) return;
      if (entry.position > this.state.position) this.#entry(entry, entry.position % stateEvery === 0);
    }
  }

  #entry({ position, term, payload }: JournalEntry, whole: boolean): void {
    if (term < this.#term) this.#broken("KL1", `Entry ${position} has term ${term} after term ${this.#term}`);
    this.#term = term;
    const entry = decodeEntry(payload);
    if (!entry.ok) return this.#broken("KD5", `Entry ${position}: ${entry.reason}`);
    // Op by op: what must hold right after each.
    applyEntry(this.state, position, { ...entry.value, ops: [] });
    for (const op of entry.value.ops) this.#step(position, op, apply(this.state, op));
    if (whole) this.violations.push(...stateViolations(this.state));
    for (const call of this.#reads.get(position) ?? []) this.#read(call);
  }

  /** What can be said only at the end: is everything there that was acknowledged? */
  finish(): void {
    if (this.violations.length > 0) return;
    for (const call of this.#history.calls) {
      if (call.heard.type === "done") this.#acknowledged(call, call.heard.position);
      if (call.heard.type === "job" && call.heard.position > this.state.position) {
        this.#broken("KD1", `Call ${call.id} read position ${call.heard.position}, and the journal ends at ${this.state.position}`);
      }
    }
    this.violations.push(...outOfOrder(this.#history));
  }

  #step(position: number, op: Op, outcome: Outcome): void {
    this.violations.push(...outcomeViolations(this.state, op, outcome));
    if (op.requestId === "") return;
    this.#standsAt.set(op.requestId, (this.#standsAt.get(op.requestId) ?? new Set()).add(position));
    if (!outcome.ok || outcome.answer.type === "repeated" || (outcome.answer.type === "submitted" && outcome.answer.already)) return;
    this.#effect(op.requestId, position);
  }

  /** Once; again only when more time has passed in the cell than request ids are kept. A wall clock that jumps makes that soon. */
  #effect(requestId: string, position: number): void {
    const before = this.#effectAt.get(requestId);
    const { timeMs } = this.state;
    this.#effectAt.set(requestId, { position, timeMs });
    if (before === undefined) return;
    if (timeMs - before.timeMs > REQUEST_KEEP_MS) this.forgotten.add(requestId);
    else this.#broken("KD3", `Request ${requestId} took effect at ${before.position} and again at ${position}`);
  }

  #acknowledged(call: Call, position: number): void {
    if (this.#standsAt.get(call.id)?.has(position) === true) return;
    this.#broken("KD1", `Call ${call.id} of ${call.client} was acknowledged at position ${position} and does not stand there`);
  }

  #read(call: Call): void {
    if (call.heard.type !== "job" || call.asked.type !== "read") return;
    const { found } = call.heard;
    const job = this.state.jobs.get(call.asked.job as never);
    const same = found === undefined ? job === undefined : job?.state === found.state && job.count === found.count;
    if (!same) {
      const is = job === undefined ? "absent" : `${job.state} with ${job.count} tasks`;
      const said = found === undefined ? "absent" : `${found.state} with ${found.count} tasks`;
      this.#broken("KD3", `Call ${call.id} read ${call.asked.job} at ${call.heard.position} as ${said}; it is ${is}`);
    }
  }

  #broken(id: string, text: string): void {
    this.violations.push({ id, text });
  }
}

/** What was asked after an answer was heard must not stand before it. */
function outOfOrder(history: History): Violation[] {
  const placed = history.calls.filter((call) => positionOf(call) !== undefined);
  const byReturn = [...placed].sort((a, b) => a.returnedMs - b.returnedMs);
  const byInvocation = [...placed].sort((a, b) => a.invokedMs - b.invokedMs);
  let heard = 0;
  let highest: Call | undefined;
  for (const call of byInvocation) {
    for (; heard < byReturn.length && byReturn[heard]!.returnedMs < call.invokedMs; heard++) {
      const earlier = byReturn[heard]!;
      if (highest === undefined || positionOf(earlier)! > positionOf(highest)!) highest = earlier;
    }
    if (highest === undefined || isAfter(call, highest)) continue;
    const text = `Call ${call.id}, invoked at ${call.invokedMs}, has position ${positionOf(call)}; call ${highest.id} had ${positionOf(highest)} at ${highest.returnedMs}`;
    return [{ id: "KD3", text }];
  }
  return [];
}

/** A mutation needs a position of its own; a read or a refusal may share the one it saw. */
const isAfter = (call: Call, earlier: Call): boolean =>
  positionOf(call)! > positionOf(earlier)! || (call.heard.type !== "done" && positionOf(call) === positionOf(earlier));

function positionOf({ heard }: Call): number | undefined {
  return heard.type === "open" ? undefined : heard.position;
}
