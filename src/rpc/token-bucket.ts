/** So many a second, and no more: whoever dials in a loop must not keep others out, nor the processor busy. */

/** At most one second's worth at once. */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #sinceMs = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  take(nowMs: number): boolean {
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((nowMs - this.#sinceMs) * this.#perSecond) / 1000);
    this.#sinceMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
