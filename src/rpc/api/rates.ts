/** How many calls each user may make a second: a bucket for each that fills at the rate, up to a burst. Full ones are forgotten. */

interface Bucket {
  left: number;
  atMs: number;
}

/** Buckets are looked through for full ones when there are so many. */
const BUCKETS_MAX = 10_000;

export class Rates {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** 0: this call may go on, and is counted. Else after how many milliseconds the next one may. */
  take(user: string, nowMs: number): number {
    if (this.#buckets.size >= BUCKETS_MAX) this.#forgetFull(nowMs);
    const bucket = this.#buckets.get(user) ?? { left: this.#burst, atMs: nowMs };
    this.#buckets.set(user, bucket);
    bucket.left = this.#leftAt(bucket, nowMs);
    bucket.atMs = nowMs;
    if (bucket.left < 1) return Math.ceil(((1 - bucket.left) * 1000) / this.#perSecond);
    bucket.left -= 1;
    return 0;
  }

  #leftAt({ left, atMs }: Bucket, nowMs: number): number {
    return Math.min(this.#burst, left + ((nowMs - atMs) * this.#perSecond) / 1000);
  }

  #forgetFull(nowMs: number): void {
    for (const [user, bucket] of this.#buckets) if (this.#leftAt(bucket, nowMs) >= this.#burst) this.#buckets.delete(user);
  }
}
