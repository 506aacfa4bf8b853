/**
 * A change that nobody answers: a master whose store is silent must say so to those who wait (suspended), and not keep them. It lives in the master's own process, so it
 * stops when that is paused, and only counts what the master had the time to notice. [KL3]
 */
import type { Actor, Env } from "../../base/env.ts";

/** What a change in flight may take before its callers are answered, whatever the store does. */
export const HANG_MS = 2000;
const LOOK_MS = 100;
/** A gap between two looks that only a pause makes. */
const PAUSE_MS = 3 * LOOK_MS;
/** After a pause a master first reads its post: answers and timers that are long due. */
const LOOKS = 5;

export class Hanging implements Actor<never> {
  readonly #env: Env<never>;
  readonly #heldMs: () => number;
  readonly #violate: (text: string) => void;
  #lookedMs = 0;
  #looks = 0;

  /** `heldMs`: for how long somebody waits for the entry in flight; 0: nobody does. */
  constructor(env: Env<never>, heldMs: () => number, violate: (text: string) => void) {
    this.#env = env;
    this.#heldMs = heldMs;
    this.#violate = violate;
  }

  start(): void {
    this.#env.timer(LOOK_MS, "look");
  }

  onMessage(): void {}

  onTimer(): void {
    this.#env.timer(LOOK_MS, "look");
    const now = this.#env.now();
    const wasPaused = now - this.#lookedMs > PAUSE_MS;
    this.#lookedMs = now;
    const heldMs = this.#heldMs();
    this.#looks = wasPaused || heldMs <= HANG_MS ? 0 : this.#looks + 1;
    if (this.#looks >= LOOKS) this.#violate(`Callers wait for ${Math.round(heldMs)} ms for an entry in flight, and hear nothing`);
  }
}
