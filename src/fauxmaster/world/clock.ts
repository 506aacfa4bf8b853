/**
 * The clocks of one process. The monotonic one runs at its own rate, which may change but never turns back; the wall clock
 * is off by some amount and jumps. Both are whole milliseconds.
 */
import { assert } from "../../base/assert.ts";

/** Wall time at the beginning of every world: 2023-11-14T22:13:20Z. */
export const WALL_START_MS = 1_700_000_000_000;

/** No clock of a world runs faster than this. */
export const RATE_MAX = 1.1;

export class Clock {
  #rate = 1;
  /** At `#sinceMs` of the world the monotonic clock showed `#shown`. */
  #shown = 0;
  #sinceMs = 0;
  #wallOffsetMs = 0;

  get rate(): number {
    return this.#rate;
  }

  monotonic(worldMs: number): number {
    return Math.floor(this.#shown + (worldMs - this.#sinceMs) * this.#rate);
  }

  wall(worldMs: number): number {
    return WALL_START_MS + worldMs + this.#wallOffsetMs;
  }

  /** How long the world has to wait until the monotonic clock has moved on by `ms`. */
  worldMs(ms: number): number {
    return Math.ceil(ms / this.#rate);
  }

  setRate(worldMs: number, rate: number): void {
    assert(rate > 0, "A monotonic clock moves on");
    this.#shown += (worldMs - this.#sinceMs) * this.#rate;
    this.#sinceMs = worldMs;
    this.#rate = rate;
  }

  /** A new process begins to count somewhere. */
  restart(worldMs: number, shownMs: number): void {
    this.#shown = shownMs;
    this.#sinceMs = worldMs;
  }

  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  setWallOffset(ms: number): void {
    this.#wallOffsetMs = ms;
  }
}
