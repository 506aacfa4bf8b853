/**
 * The history equals the journal: every answer is the outcome that the journal has for its position, every change takes effect once, nobody does what
 * they have no right to, every refusal is true of the state that refused, and every read saw exactly the prefix it names. The journal is replayed
 * to show it, and every invariant of states and steps is checked on the way. What needs the times of the world is order.ts's.
 */
import type { NewHash } from "../../base/sha256.ts";
import { apply, applyEntry, newState, type Outcome } from "../../cell/cell.ts";
import { stateHash } from "../../cell/checkpoint/checkpoint.ts";
import { stateViolations } from "../../cell/invariants.ts";
import { outcomeViolations } from "../../cell/invariants-outcome.ts";
import { decodeEntry, type Op } from "../../cell/op.ts";
import { REQUEST_KEEP_MS } from "../../cell/ops/requests.ts";
import type { CellState } from "../../cell/state.ts";
import { encode } from "../../wire/codec.ts";
import { ActorKind, OpSchema } from "../../wire/gen/borg/v1/op_pb.ts";
import type { JournalEntry } from "../../wire/journal.ts";
import type { Violation } from "../world/kernel.ts";
import { isOverheard } from "../world/workload-secrets.ts";
import { answerProblem, isAccessRefusal, type Stands } from "./answers.ts";
import { type Call, type History, keyOf, mayBeDone, requestKey } from "./history.ts";
import { outOfOrder, tooOld } from "./order.ts";
import { readProblem } from "./read-model.ts";
import { foreseenProblem, mayAsk, mayRead, refusalProblem } from "./refusal-model.ts";

/** Requests that took effect, and the op that did it. */
export interface Effects {
  has(key: string): boolean;
  get(key: string): { readonly op: Op } | undefined;
}

export interface Replayed {
  readonly state: CellState;
  readonly violations: readonly Violation[];
  /** Requests that took effect, by user and id. */
  readonly effects: Effects;
  /** Requests that took effect again after the cell had forgotten them, as it may after REQUEST_KEEP_MS of its own time. */
  readonly forgotten: ReadonlySet<string>;
}

/** What the world was like: some things can be said only of some worlds. */
export interface Weather {
  /** Clocks are wrong: then so is the age of a stale read. */
  readonly clocks: boolean;
}

/** The hash of the whole state costs: what a stranger's op left unchanged is looked at so often, in positions. */
const HASH_EVERY = 4;

const CALM: Weather = { clocks: false };

/** `entries` from position 1 on, without gap. `stateEvery`: how often the whole state is checked, in entries. */
export function replay(entries: readonly JournalEntry[], history: History, stateEvery = 1, weather = CALM): Replayed {
  const replayer = new Replayer(history, weather);
  replayer.advance(entries, stateEvery);
  replayer.finish();
  return replayer;
}

/** A secret that another overtook: the API encrypts it for the next version and asks again, within the same call. Whether it was overtaken, the model of refusals has seen. */
const isAskedAgain = (outcome: Outcome): boolean => !outcome.ok && outcome.reason.includes("was encrypted for version");

/** A replay that can go on when the journal has grown. It stops at the first violation. */
export class Replayer implements Replayed {
  readonly state = newState();
  readonly violations: Violation[] = [];
  readonly forgotten = new Set<string>();
  /** Calls that tell what the state was at a position. */
  readonly #looks = new Map<number, Call[]>();
  /** Where each request stands, and what came of it there. */
  readonly #stands = new Map<string, Stands[]>();
  readonly #effectAt = new Map<string, { readonly position: number; readonly timeMs: number; readonly op: Op }>();
  readonly #history: History;
  readonly #weather: Weather;
  readonly #newHash: NewHash | undefined;
  #term = 0;

  constructor(history: History, weather: Weather = CALM, newHash?: NewHash) {
    this.#history = history;
    this.#weather = weather;
    this.#newHash = newHash;
    for (const call of history.calls) {
      const { heard } = call;
      if (heard.type !== "read" && (heard.type !== "refused" || !isAccessRefusal(heard))) continue;
      this.#looks.set(heard.position, [...(this.#looks.get(heard.position) ?? []), call]);
    }
  }

  get effects(): Effects {
    return this.#effectAt;
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
    for (const op of entry.value.ops) this.#step(position, op);
    if (whole) this.violations.push(...stateViolations(this.state));
    for (const call of this.#looks.get(position) ?? []) this.#look(call);
  }

  /** What can be said only at the end: is everything there that was acknowledged, and nothing that was said never to be? */
  finish(): void {
    if (this.violations.length > 0) return;
    for (const call of this.#history.calls) {
      const problem = answerProblem(call, this.#stands.get(keyOf(call)) ?? []);
      if (problem !== undefined) this.violations.push(problem);
      if (call.heard.type === "read" && call.heard.position > this.state.position)
        this.#broken("KD1", `Call ${call.id} read position ${call.heard.position}, and the journal ends at ${this.state.position}`);
    }
    this.#neverDone();
    this.violations.push(...outOfOrder(this.#history));
    if (!this.#weather.clocks) this.violations.push(...tooOld(this.#history));
  }

  #step(position: number, op: Op): void {
    const isUsers = op.actor?.kind === ActorKind.USER;
    if (op.body.case === "secretSet" && isOverheard(encode(OpSchema, op)))
      this.#broken("KA3", `A secret stands in the journal at ${position}, and not encrypted`);
    const may = !isUsers || mayAsk(this.state, op);
    const before = may || position % HASH_EVERY !== 0 ? undefined : this.#hash();
    const outcome = apply(this.state, op);
    this.violations.push(...outcomeViolations(this.state, op, outcome));
    if (!may && (outcome.ok || (before !== undefined && this.#hash() !== before)))
      this.#broken("KA2", `${op.body.case} of "${op.actor?.name}" at ${position} had an effect, and they had no right to it`);
    if (isUsers) this.#usersStep(position, op, outcome);
  }

  #hash(): string {
    return stateHash(this.state, undefined, this.#newHash);
  }

  /** What has no id may be done any number of times, and nobody is told of it by one. */
  #usersStep(position: number, op: Op, outcome: Outcome): void {
    if (op.requestId === "" && outcome.ok) return;
    const key = requestKey(op.actor?.name ?? "", op.requestId);
    this.#stands.set(key, [...(this.#stands.get(key) ?? []), { position, outcome }]);
    if (!outcome.ok) {
      const problem = refusalProblem(this.state, op, outcome.reason, this.#effectAt.has(key));
      if (problem !== undefined)
        this.#broken("KD3", `${op.body.case} ${key} at ${position} was refused with "${outcome.reason}": ${problem}`);
    } else if (outcome.answer.type === "repeated") {
      if (this.#effectAt.get(key)?.position !== outcome.answer.position)
        this.#broken("KD3", `Request ${key} at ${position} repeats what was done at ${outcome.answer.position}, and it was not done there`);
    } else if (outcome.answer.type !== "submitted" || !outcome.answer.already) this.#effect(key, position, op);
    else this.#effectAt.set(key, { position, timeMs: this.state.timeMs, op });
  }

  /** Once; again only when more time has passed in the cell than request ids are kept. A wall clock that jumps makes that soon. */
  #effect(key: string, position: number, op: Op): void {
    const before = this.#effectAt.get(key);
    const { timeMs } = this.state;
    this.#effectAt.set(key, { position, timeMs, op });
    if (before === undefined) return;
    if (timeMs - before.timeMs > REQUEST_KEEP_MS) this.forgotten.add(key);
    else this.#broken("KD3", `Request ${key} took effect at ${before.position} and again at ${position}`);
  }

  /** A read, or a no that was said from a copy: is it true of the state at its position? */
  #look(call: Call): void {
    const { asked, heard, id } = call;
    if (heard.type === "refused") {
      const problem = foreseenProblem(this.state, asked, heard.reason);
      if (problem !== undefined) this.#broken("KD3", `Call ${id} was told at ${heard.position}: ${heard.reason}; ${problem}`);
    }
    if (heard.type !== "read") return;
    if (!mayRead(this.state, asked.user)) this.#broken("KA2", `Call ${id} of "${asked.user}", who has no role, was answered`);
    const problem = readProblem(this.state, asked, heard.found);
    if (problem !== undefined) this.#broken("KD3", `Call ${id}, ${asked.method} at ${heard.position}, ${problem}`);
  }

  /** `unavailable` promises that nothing was done: of each request no more copies stand in the journal than attempts (and their twins) were told otherwise. */
  #neverDone(): void {
    const may = new Map<string, number>();
    for (const call of this.#history.calls) {
      if (call.asked.requestId === "") continue;
      const key = keyOf(call);
      may.set(key, (may.get(key) ?? 0) + mayBeDone(this.#history, call));
    }
    for (const [key, all] of this.#stands) {
      const most = may.get(key);
      const stands = all.filter(({ outcome }) => !isAskedAgain(outcome)).length;
      if (most !== undefined && stands > most)
        this.#broken(
          "KD3",
          `Request ${key} stands ${stands} times in the journal, and all but ${most} attempts were told that it was never done`,
        );
    }
  }

  #broken(id: string, text: string): void {
    this.violations.push({ id, text });
  }
}
