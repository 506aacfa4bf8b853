/**
 * The walking skeleton's middle: the smallest master there can be. An op comes in, goes into the journal, is applied when it is
 * durable, is answered, and its effects go to the borglet; what the borglet reports goes the same way. A synchronous actor like all of ours.
 */
import { assert } from "../../src/base/assert.ts";
import type { Actor, Address, Env } from "../../src/base/env.ts";
import { applyEntry, newState, type Outcome } from "../../src/cell/cell.ts";
import { stateHash } from "../../src/cell/checkpoint.ts";
import { decodeEntry, encodeEntry, makeEntry, type Op, opFault } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import type { Journal, JournalAnswer } from "../../src/wire/journal.ts";

export type In =
  | { readonly type: "journal"; readonly answer: JournalAnswer }
  | { readonly type: "op"; readonly id: string; readonly op: Op };

export type Out =
  | { readonly type: "ready"; readonly term: number; readonly position: number }
  | { readonly type: "answer"; readonly id: string; readonly outcome: Outcome; readonly hash: string }
  | { readonly type: "start"; readonly instance: string; readonly command: readonly string[] }
  | { readonly type: "stop"; readonly instance: string }
  | { readonly type: "failed"; readonly reason: string };

const READ_BYTES = 1 << 20;

export class SkeletonMaster implements Actor<In> {
  readonly #env: Env<Out>;
  readonly #journal: Journal;
  readonly state: CellState = newState();
  #term = 0;
  #last = 0;
  /** Ops that wait for their entry; one entry is in flight at a time. */
  readonly #waiting: { readonly from: Address; readonly id: string; readonly op: Op }[] = [];
  #flight: { readonly from: Address; readonly id: string; readonly op: Op } | undefined;

  constructor(env: Env<Out>, journal: Journal) {
    this.#env = env;
    this.#journal = journal;
  }

  start(): void {
    this.#journal.lead();
  }

  onTimer(): void {}

  onMessage(from: Address, message: In): void {
    if (message.type === "journal") this.#onJournal(message.answer);
    else this.#onOp(from, message.id, message.op);
  }

  #onOp(from: Address, id: string, op: Op): void {
    const fault = opFault(op);
    if (fault !== undefined) {
      this.#answer(from, id, { ok: false, reason: `Op${fault}` });
      return;
    }
    this.#waiting.push({ from, id, op });
    this.#appendNext();
  }

  #onJournal(answer: JournalAnswer): void {
    if (answer.type === "leading") {
      this.#term = answer.term;
      this.#last = answer.last;
      this.#readOn();
    } else if (answer.type === "entries") {
      for (const entry of answer.entries) this.#apply(entry.position, entry.payload);
      this.#readOn();
    } else if (answer.type === "appended") {
      this.#appended(answer.position);
    } else {
      this.#env.send("shell", { type: "failed", reason: JSON.stringify(answer) });
    }
  }

  /** Up to the end of the journal; then the cell is what it was, and what should run is asked for again. */
  #readOn(): void {
    if (this.state.position < this.#last) {
      this.#journal.read(this.state.position + 1, READ_BYTES);
      return;
    }
    this.#env.send("shell", { type: "ready", term: this.#term, position: this.#last });
    for (const job of this.state.jobs.values()) {
      for (const task of job.tasks) if (task.state === "starting" || task.state === "running") this.#order(task.instance?.id ?? "");
    }
    this.#appendNext();
  }

  #appendNext(): void {
    if (this.#term === 0 || this.#flight !== undefined || this.state.position < this.#last) return;
    this.#flight = this.#waiting.shift();
    if (this.#flight === undefined) return;
    const payload = encodeEntry(makeEntry(this.#env.wall(), [this.#flight.op]));
    this.#pending = payload;
    this.#journal.append(this.#term, this.#last + 1, payload.slice());
  }

  #pending: Uint8Array | undefined;

  /** Durable: only now is it applied, answered and acted on. */
  #appended(position: number): void {
    assert(this.#flight !== undefined && this.#pending !== undefined, "An answer to no append");
    const { from, id } = this.#flight;
    this.#last = position;
    const [outcome] = this.#apply(position, this.#pending);
    this.#flight = undefined;
    this.#answer(from, id, outcome as Outcome);
    for (const effect of outcome?.ok ? outcome.effects : []) {
      if (effect.type === "start") this.#order(effect.instance ?? "");
      if (effect.type === "stop") this.#env.send("borglet", { type: "stop", instance: effect.instance ?? "" });
    }
    this.#appendNext();
  }

  #apply(position: number, payload: Uint8Array): Outcome[] {
    const entry = decodeEntry(payload);
    assert(entry.ok, "The journal holds what was never appended");
    return applyEntry(this.state, position, entry.value);
  }

  #order(instance: string): void {
    const task = [...this.state.jobs.values()].flatMap((job) => job.tasks).find((each) => each.instance?.id === instance);
    const spec = task?.job.spec;
    if (spec?.kind === "job") this.#env.send("borglet", { type: "start", instance, command: spec.job.task?.command ?? [] });
  }

  #answer(to: Address, id: string, outcome: Outcome): void {
    this.#env.send(to, { type: "answer", id, outcome, hash: stateHash(this.state) });
  }
}
