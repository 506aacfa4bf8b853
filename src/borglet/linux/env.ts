/** A real Env for the one actor of a borglet process: the kernel's clocks and timers, one turn after the other. */
import { randomUUID } from "node:crypto";
import type { Actor, Address, Env, TimerHandle } from "../../base/env.ts";

/** The longest that setTimeout can wait; later than that nothing here asks for. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface RealEnvOptions<Out> {
  readonly send: (to: Address, message: Out) => void;
  readonly log: (line: string) => void;
  /** Called with what the actor threw; must end the process. */
  readonly crash: (error: unknown) => void;
}

export class RealEnv<In, Out> implements Env<Out> {
  readonly #options: RealEnvOptions<Out>;
  readonly #timers = new Map<TimerHandle, NodeJS.Timeout>();
  readonly #queue: (() => void)[] = [];
  #actor: Actor<In> | undefined;
  #busy = false;

  constructor(options: RealEnvOptions<Out>) {
    this.#options = options;
  }

  now = (): number => performance.now();
  wall = (): number => Date.now();
  random = (): number => Math.random();
  id = (): string => randomUUID();
  /** A line that begins with "~" marks a rare path for the simulation; people need not read it. */
  log = (line: string): void => {
    if (!line.startsWith("~")) this.#options.log(line);
  };
  send = (to: Address, message: Out): void => this.#options.send(to, message);

  timer(afterMs: number, tag: string): TimerHandle {
    const handle = { tag };
    const fire = (): void => {
      this.#timers.delete(handle);
      this.#turn((actor) => actor.onTimer(tag));
    };
    this.#timers.set(handle, setTimeout(fire, Math.min(Math.max(0, afterMs), TIMER_MS_MAX)));
    return handle;
  }

  cancel(timer: TimerHandle): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  start(actor: Actor<In>): void {
    this.#actor = actor;
    this.#turn((each) => each.start());
  }

  deliver(from: Address, message: In): void {
    this.#turn((actor) => actor.onMessage(from, message));
  }

  /** No more turns. */
  stop(): void {
    this.#actor = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** What happens inside a turn waits for its end. */
  #turn(act: (actor: Actor<In>) => void): void {
    this.#queue.push(() => {
      if (this.#actor !== undefined) act(this.#actor);
    });
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) next();
    } catch (error) {
      this.stop();
      this.#options.crash(error);
    } finally {
      this.#busy = false;
    }
  }
}
