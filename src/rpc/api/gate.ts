/**
 * Where calls of strangers wait while the thread that would answer them is late: it says so by its own clock, whatever the cause. Admins do not come by here, so
 * what they ask for is answered first. When the thread is in time again, a few go on at each look; who waited too long is told to come again.
 */

export interface GateLimits {
  /** A look that comes so much later than it should makes the thread late. */
  readonly lateMs: number;
  /** How long a call waits; then it is told to come again. */
  readonly lateWaitMs: number;
  /** Calls that wait; one more is told to come again at once. */
  readonly lateCalls: number;
}

interface Waiting {
  readonly untilMs: number;
  readonly go: (may: boolean) => void;
}

/** How often the gate looks, and how many calls go on at a look. */
export const LOOK_MS = 50;
const AT_ONCE = 40;

export class Gate {
  readonly #bounds: GateLimits;
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #lookedMs: number;
  #isLate = false;

  constructor(bounds: GateLimits, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
    this.#lookedMs = now();
  }

  /** True when the call may go on; false: it is told to come again. */
  enter(): Promise<boolean> | boolean {
    if (!this.#isLate && this.#waiting.length === 0) return true;
    if (this.#waiting.length >= this.#bounds.lateCalls) return false;
    return new Promise((go) => this.#waiting.push({ untilMs: this.#now() + this.#bounds.lateWaitMs, go }));
  }

  /** To be called every LOOK_MS. */
  look(): void {
    const now = this.#now();
    this.#isLate = now - this.#lookedMs - LOOK_MS > this.#bounds.lateMs;
    this.#lookedMs = now;
    const going = this.#isLate ? 0 : AT_ONCE;
    for (const { go } of this.#waiting.splice(0, going)) go(true);
    while (this.#waiting[0] !== undefined && this.#waiting[0].untilMs <= now) this.#waiting.shift()?.go(false);
  }
}
