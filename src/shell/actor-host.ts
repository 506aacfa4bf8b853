/**
 * Drives actors in one thread with real time: messages in order, timers, one step after the other. It holds no opinion: what an actor decides
 * is the actor's. An exception out of an actor is a bug of ours and ends the process: a stale master is better than a wrong one.
 */
import { randomUUID } from "node:crypto";
import type { Actor, Address, Env, TimerHandle } from "../base/env.ts";

/** Messages that wait in one thread; beyond it something is stuck in a loop, and the process stops. */
const QUEUE_MAX = 2_000_000;
/** After so long with messages waiting, timers and sockets get their turn. */
const SLICE_MS = 5;
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface HostOptions {
  /** For addresses that no actor of this thread has. */
  readonly route: (from: Address, to: Address, message: unknown) => void;
  readonly log: (line: string) => void;
  /** Called with what an actor threw; must end the process. */
  readonly crash: (error: unknown) => void;
}

interface Letter {
  readonly from: Address;
  readonly to: Address;
  readonly message: unknown;
}

/** How long steps took; `longestMs` since it was last asked for. */
export interface Steps {
  readonly count: number;
  readonly longestMs: number;
  readonly totalMs: number;
}

export class ActorHost {
  readonly #options: HostOptions;
  readonly #actors = new Map<Address, Actor<never>>();
  readonly #timers = new Map<TimerHandle, NodeJS.Timeout>();
  #queue: Letter[] = [];
  #next = 0;
  #scheduled = false;
  #stopped = false;
  #steps = { count: 0, longestMs: 0, totalMs: 0 };

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** The actor gets its Env before it exists, so that its constructor can take it. */
  add<In, Out>(address: Address, make: (env: Env<Out>) => Actor<In>): void {
    this.#actors.set(address, make(this.#envFor(address)) as unknown as Actor<never>);
  }

  start(): void {
    for (const actor of this.#actors.values()) this.#step(() => actor.start());
  }

  /** No more steps, and nothing of its own that would keep the process alive. */
  stop(): void {
    this.#stopped = true;
    this.#queue = [];
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Handed over in the order of calls, never inside the caller's own step. */
  deliver(from: Address, to: Address, message: unknown): void {
    if (this.#stopped) return;
    if (this.#queue.length - this.#next >= QUEUE_MAX)
      return this.#options.crash(new Error(`More than ${QUEUE_MAX} messages wait for a step`));
    this.#queue.push({ from, to, message });
    this.#schedule();
  }

  /** Reads and resets. */
  takeSteps(): Steps {
    const steps = this.#steps;
    this.#steps = { count: 0, longestMs: 0, totalMs: 0 };
    return steps;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    const until = performance.now() + SLICE_MS;
    while (this.#next < this.#queue.length && performance.now() < until) {
      const { from, to, message } = this.#queue[this.#next] as Letter;
      this.#next += 1;
      this.#step(() => this.#actors.get(to)?.onMessage(from, message as never));
    }
    if (this.#next > 0) {
      this.#queue = this.#queue.slice(this.#next);
      this.#next = 0;
    }
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
  }

  #step(act: () => void): void {
    if (this.#stopped) return;
    const startedMs = performance.now();
    try {
      act();
    } catch (error) {
      this.#stopped = true;
      this.#options.crash(error);
    }
    const tookMs = performance.now() - startedMs;
    this.#steps.count += 1;
    this.#steps.totalMs += tookMs;
    if (tookMs > this.#steps.longestMs) this.#steps.longestMs = tookMs;
  }

  #envFor<Out>(address: Address): Env<Out> {
    return {
      now: () => performance.now(),
      wall: () => Date.now(),
      random: () => Math.random(),
      id: () => randomUUID(),
      timer: (afterMs, tag) => {
        const handle: TimerHandle = { tag };
        const fire = (): void => {
          this.#timers.delete(handle);
          this.#step(() => this.#actors.get(address)?.onTimer(tag));
        };
        this.#timers.set(handle, setTimeout(fire, Math.min(Math.max(afterMs, 0), TIMER_MS_MAX)));
        return handle;
      },
      cancel: (handle) => {
        clearTimeout(this.#timers.get(handle));
        this.#timers.delete(handle);
      },
      send: (to, message) => {
        if (this.#actors.has(to)) this.deliver(address, to, message);
        else this.#options.route(address, to, message);
      },
      // A line that begins with ~ marks a rare path for the simulation; nobody reads it here.
      log: (line) => {
        if (!line.startsWith("~")) this.#options.log(`${address}: ${line}`);
      },
    };
  }
}
