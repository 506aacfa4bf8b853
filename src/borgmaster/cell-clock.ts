/**
 * The time that a leader stamps its entries with. It goes on when the wall clock steps back, because back-offs and deadlines are counted by it: it is
 * the wall clock, but never less than the last entry's time and what this process's own monotonic clock has counted since. A wall clock that is far
 * ahead of that is more likely wrong than right, so it is believed only after several readings; until then time goes on as if it were not there.
 */
import type { Env } from "../base/env.ts";

/** A wall clock up to so far ahead is believed at once. */
export const AT_ONCE_MS = 3_600_000;
/** One further ahead is believed at the third reading, when these lie so far apart. */
const READINGS = 3;
const READING_GAP_MS = 5_000;
/** Readings that differ by more than this are not of one clock that is right. */
const SAME_MS = 60_000;

interface Doubt {
  readonly aheadMs: number;
  readonly readings: number;
  /** When it was last counted, by the monotonic clock. */
  readonly readMs: number;
}

export class CellClock {
  readonly #env: Pick<Env<never>, "now" | "wall">;
  /** Cell time was `#timeMs` when the monotonic clock showed `#shownMs`; undefined: no entry is known yet. */
  #timeMs: number | undefined;
  #shownMs = 0;
  #doubt: Doubt | undefined;

  constructor(env: Pick<Env<never>, "now" | "wall">) {
    this.#env = env;
  }

  /** Cell time after an entry, this master's own or another one's. A new cell has none (0). */
  heard(timeMs: number): void {
    if (timeMs > (this.#steady() ?? 0)) this.#set(timeMs);
  }

  /** Cell time now: what the next entry is stamped with. */
  read(): number {
    const wallMs = this.#env.wall();
    const steadyMs = this.#steady() ?? Number.NEGATIVE_INFINITY;
    const aheadMs = wallMs - steadyMs;
    if (aheadMs > AT_ONCE_MS && this.#timeMs !== undefined) {
      this.#doubts(aheadMs);
      return steadyMs;
    }
    this.#doubt = undefined;
    if (aheadMs <= 0) return steadyMs;
    this.#set(wallMs);
    return wallMs;
  }

  /** The time of a wall clock that is far ahead and was read often enough to be believed; told once, then it is doubted anew. */
  takeBelieved(): number | undefined {
    if (this.#doubt === undefined || this.#doubt.readings < READINGS) return undefined;
    this.#doubt = undefined;
    return this.#env.wall();
  }

  #doubts(aheadMs: number): void {
    const nowMs = this.#env.now();
    const before = this.#doubt;
    if (before === undefined || Math.abs(aheadMs - before.aheadMs) > SAME_MS) this.#doubt = { aheadMs, readings: 1, readMs: nowMs };
    else if (nowMs - before.readMs >= READING_GAP_MS) this.#doubt = { ...before, readings: before.readings + 1, readMs: nowMs };
  }

  /** Counted from the last time that the wall clock or an entry said more, so that nothing is lost by rounding. */
  #steady(): number | undefined {
    return this.#timeMs === undefined ? undefined : this.#timeMs + Math.floor(this.#env.now() - this.#shownMs);
  }

  #set(timeMs: number): void {
    this.#timeMs = timeMs;
    this.#shownMs = this.#env.now();
  }
}
