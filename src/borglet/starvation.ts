/**
 * Whether a task goes without the processor: it wants to run, waits most of the time, and gets less than half of its limit. A minute of that is
 * told to the master, which moves somebody away (Borg §6.2).
 */

/** So much of the time at least somebody of it waited for a processor. */
const WAITING_SHARE = 0.5;
/** Less than this of its limit is too little. */
const GOT_SHARE = 0.5;
export const STARVED_MS = 60_000;

/** Of one second. `waitedShare`: of the time in which some process of it could have run and did not. */
export const isHungry = (waitedShare: number, cpuMilli: number, limitMilli: number): boolean =>
  waitedShare >= WAITING_SHARE && cpuMilli < limitMilli * GOT_SHARE;

/** Silence means: as before. */
export class Starvation {
  #sinceMs: number | undefined;

  add(nowMs: number, isHungryNow: boolean): void {
    if (!isHungryNow) this.#sinceMs = undefined;
    else this.#sinceMs ??= nowMs;
  }

  isStarved(nowMs: number): boolean {
    return this.#sinceMs !== undefined && nowMs - this.#sinceMs >= STARVED_MS;
  }
}
