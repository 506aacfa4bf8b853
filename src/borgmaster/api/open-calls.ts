/** Calls that are not answered yet, the questions that each of them has put to other actors, and the time at which it is over. */
import type { Address, Env, TimerHandle } from "../../base/env.ts";
import type { Copy } from "./copy.ts";
import type { ApiAnswer, ApiCall, FailureCode, FromApi, Told } from "./message.ts";
import { Meter } from "./price.ts";

/** Open at a time; one more is told to come again. */
export const OPEN_MAX = 20_000;
/** A call ends so long before the caller's own deadline, so that the answer comes from us and says what to do. */
const ANSWER_MARGIN_MS = 200;

export interface OpenCall {
  readonly number: number;
  readonly key: string;
  readonly from: Address;
  readonly call: ApiCall;
  /** By the monotonic clock. */
  untilMs: number;
  readonly questions: Set<string>;
  readonly meter: Meter;
  timer: TimerHandle | undefined;
  ended: boolean;
  /** What is answered when its time is over. */
  late: () => void;
  /** Called with each question that is open when the call ends. */
  unasked: ((id: string) => void) | undefined;
}

/** What every kind of call needs to be answered. */
export interface Desk {
  readonly copy: Copy;
  readonly calls: OpenCalls;
  readonly answer: (open: OpenCall, value: object) => void;
  /** `position`: of the entry that decided it; the copy's when absent. */
  readonly fail: (open: OpenCall, code: FailureCode, reason: string, position?: number) => void;
}

interface Question {
  readonly open: OpenCall;
  readonly take: (told: never) => void;
}

export class OpenCalls {
  readonly #env: Env<FromApi>;
  readonly #byKey = new Map<string, OpenCall>();
  readonly #byTag = new Map<string, OpenCall>();
  readonly #questions = new Map<string, Question>();
  #last = 0;

  constructor(env: Env<FromApi>) {
    this.#env = env;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** "open": a copy of a call that is open already; it needs no second answer. "full": too many are. */
  begin(from: Address, call: ApiCall): OpenCall | "open" | "full" {
    const key = `${from} ${call.id}`;
    if (this.#byKey.has(key)) return "open";
    if (this.#byKey.size >= OPEN_MAX) return "full";
    this.#last += 1;
    const untilMs = this.#env.now() + Math.max(call.deadlineMs - ANSWER_MARGIN_MS, 1);
    const open: OpenCall = {
      number: this.#last,
      key,
      from,
      call,
      untilMs,
      questions: new Set(),
      meter: new Meter(),
      timer: undefined,
      ended: false,
      late: () => {},
      unasked: undefined,
    };
    this.#byKey.set(key, open);
    return open;
  }

  leftMs(open: OpenCall): number {
    return open.untilMs - this.#env.now();
  }

  /** To be called for a call that was not answered at once. */
  watch(open: OpenCall): void {
    if (open.timer !== undefined) this.#unwatch(open.timer);
    const tag = `late ${open.number}`;
    this.#byTag.set(tag, open);
    open.timer = this.#env.timer(this.leftMs(open), tag);
  }

  /** It ends sooner than its deadline. */
  endBy(open: OpenCall, untilMs: number): void {
    open.untilMs = untilMs;
    this.watch(open);
  }

  onTimer(tag: string): void {
    const open = this.#byTag.get(tag);
    if (open !== undefined) open.late();
  }

  /** Sends a question; `take` gets its answer, unless the call is over by then. */
  ask<T extends Told>(open: OpenCall, to: Address, question: (id: string) => FromApi, take: (told: T) => void): void {
    const id = `${open.number}/${open.questions.size}`;
    open.questions.add(id);
    this.#questions.set(id, { open, take });
    this.#env.send(to, question(id));
  }

  /** An answer that nobody waits for any more is dropped. */
  told(told: Told): void {
    const question = this.#questions.get(told.id);
    if (question === undefined) return;
    this.#questions.delete(told.id);
    question.take(told as never);
  }

  answer(open: OpenCall, answer: ApiAnswer): void {
    this.#end(open);
    this.#env.send(open.from, answer);
  }

  cancel(from: Address, id: string): void {
    const open = this.#byKey.get(`${from} ${id}`);
    if (open !== undefined) this.#end(open);
  }

  #end(open: OpenCall): void {
    open.ended = true;
    this.#byKey.delete(open.key);
    for (const id of open.questions) if (this.#questions.delete(id)) open.unasked?.(id);
    if (open.timer !== undefined) this.#unwatch(open.timer);
  }

  #unwatch(timer: TimerHandle): void {
    this.#byTag.delete(timer.tag);
    this.#env.cancel(timer);
  }
}
