/**
 * The event loop of a simulated world: virtual milliseconds, events in the order (time, sequence), one seed. Nothing in
 * here knows masters or machines. The first violation stops the run, because what follows a broken invariant proves nothing.
 */
import { assert } from "../../base/assert.ts";
import { Heap } from "../../base/heap.ts";
import { Streams } from "./streams.ts";
import { Tally } from "./tally.ts";
import { Trace } from "./trace.ts";

/** A broken invariant: its id (docs/RELIABILITY.md) and what was seen. */
export interface Violation {
  readonly id: string;
  readonly text: string;
  /** The exception that an actor threw, for whoever can print where. */
  readonly cause?: unknown;
}

export interface Happened extends Violation {
  readonly timeMs: number;
}

/** Something that will happen. Cancelled, it stays in the heap until its time and does nothing. */
export class Event {
  readonly timeMs: number;
  readonly sequence: number;
  #act: (() => void) | undefined;

  constructor(timeMs: number, sequence: number, act: () => void) {
    this.timeMs = timeMs;
    this.sequence = sequence;
    this.#act = act;
  }

  cancel(): void {
    this.#act = undefined;
  }

  happen(): void {
    this.#act?.();
  }
}

export interface KernelOptions {
  readonly seed: number;
  /** Hashes every message whole: slower, for runs whose determinism is compared. */
  readonly deepTrace?: boolean;
}

export class Kernel {
  readonly seed: number;
  readonly streams: Streams;
  readonly trace: Trace;
  /** How often each fault fired. */
  readonly faults = new Tally();
  /** How often each rare path was taken. */
  readonly probes = new Tally();
  readonly #heap = new Heap<Event>();
  #sequence = 0;
  #nowMs = 0;
  #events = 0;
  #violation: Happened | undefined;

  constructor({ seed, deepTrace = false }: KernelOptions) {
    this.seed = seed;
    this.streams = new Streams(seed);
    this.trace = new Trace(deepTrace);
  }

  /** Virtual time since the beginning of the world. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Events that happened. */
  get events(): number {
    return this.#events;
  }

  get violation(): Happened | undefined {
    return this.#violation;
  }

  /** At a moment; never before now. */
  at(timeMs: number, act: () => void): Event {
    this.#sequence += 1;
    const event = new Event(timeMs < this.#nowMs ? this.#nowMs : timeMs, this.#sequence, act);
    this.#heap.push(event);
    return event;
  }

  after(delayMs: number, act: () => void): Event {
    return this.at(this.#nowMs + delayMs, act);
  }

  /** Again and again, first after one period. */
  every(periodMs: number, act: () => void): void {
    assert(periodMs > 0, "A period has to be longer than nothing");
    this.after(periodMs, () => {
      act();
      this.every(periodMs, act);
    });
  }

  /** Lets everything happen that is due up to `untilMs`, or until an invariant breaks. */
  run(untilMs: number): void {
    while (this.#violation === undefined) {
      const next = this.#heap.peek();
      if (next === undefined || next.timeMs > untilMs) break;
      this.#heap.pop();
      this.#nowMs = next.timeMs;
      this.#events += 1;
      next.happen();
    }
    if (this.#violation === undefined && this.#nowMs < untilMs) this.#nowMs = untilMs;
  }

  /** Notes one event for people and for the hash. */
  note(kind: string, to: string, from: string, detail: unknown): void {
    this.trace.note(this.#nowMs, kind, to, from, detail);
  }

  /** Only the first one counts. */
  violate(violation: Violation): void {
    this.#violation ??= { ...violation, timeMs: this.#nowMs };
    this.note("violation", violation.id, "", violation.text);
  }

  expect(condition: boolean, id: string, text: () => string): void {
    if (!condition) this.violate({ id, text: text() });
  }
}
