/**
 * How much work each user may ask for: a bucket for each that fills at a rate, up to a burst. A call pays what calls of its method cost lately when it begins, and
 * the difference to its own price when it has ended, so that many at once cannot spend what is not there. All together have a rate too: those who spend at
 * the same time share it, and whoever has hardly asked for anything does not wait for them. Admins have their own rate whatever others do.
 */

export interface BudgetLimits {
  readonly workPerSecond: number;
  readonly workBurst: number;
  readonly workOfAll: number;
  readonly workBurstOfAll: number;
}

/** Who asks, and how much of its own it may ask for each second. Its burst is as much larger or smaller than everybody's. */
export interface Spender {
  readonly user: string;
  readonly isAdmin: boolean;
  readonly workPerSecond: number;
}

interface Bucket {
  left: number;
  /** As it asked last. */
  by: Spender;
}

/** While all together have spent their burst, only who has spent less than this part of its own goes on. */
const HARDLY = 1 / 16;
/** Buckets are filled, and full ones forgotten, no more often than this. */
const FILL_MS = 20;
/** How much of a method's expected price the newest one changes, when it is lower: heavy ones must be expected at once. */
const PRICE_FALLS_BY = 0.2;

export class Budgets {
  readonly #bounds: BudgetLimits;
  /** Of those who spent something lately. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #prices = new Map<string, number>();
  #filledMs = 0;
  /** Of all but admins together; below nothing when those who had hardly spent anything went on. */
  #leftOfAll: number;

  constructor(bounds: BudgetLimits) {
    this.#bounds = bounds;
    this.#leftOfAll = bounds.workBurstOfAll;
  }

  /** What a call of this method will cost, as far as one can tell before. */
  expected(method: string): number {
    return this.#prices.get(method) ?? 1;
  }

  /** 0: the call may go on, and `price` is taken. Else after how many milliseconds it may. */
  take(by: Spender, price: number, nowMs: number): number {
    this.#fill(nowMs);
    const bucket = this.#bucketOf(by);
    const burst = this.#burst(by);
    const missing = Math.min(price, burst) - bucket.left;
    if (missing > 0) return Math.ceil((missing * 1000) / this.#rate(by));
    if (!by.isAdmin && this.#leftOfAll < price && bucket.left < (1 - HARDLY) * burst)
      return Math.ceil(((price - this.#leftOfAll) * 1000) / this.#bounds.workOfAll);
    this.#spend(bucket, price);
    return 0;
  }

  #bucketOf(by: Spender): Bucket {
    const bucket = this.#buckets.get(by.user) ?? { left: this.#burst(by), by };
    bucket.by = by;
    this.#buckets.set(by.user, bucket);
    return bucket;
  }

  #spend(bucket: Bucket, work: number): void {
    bucket.left = Math.min(this.#burst(bucket.by), bucket.left - work);
    if (!bucket.by.isAdmin) this.#leftOfAll = Math.min(this.#bounds.workBurstOfAll, this.#leftOfAll - work);
  }

  /** A call that paid `taken` has ended, and cost `price`. */
  settle(by: Spender, method: string, taken: number, price: number): void {
    const expected = this.expected(method);
    this.#prices.set(method, price >= expected ? price : expected + (price - expected) * PRICE_FALLS_BY);
    this.#spend(this.#bucketOf(by), price - taken);
  }

  /** It had paid for more than it used. */
  giveBack({ user }: Spender, work: number): void {
    const bucket = this.#buckets.get(user);
    if (bucket !== undefined) this.#spend(bucket, -work);
  }

  #burst({ workPerSecond }: Spender): number {
    return (this.#bounds.workBurst * workPerSecond) / this.#bounds.workPerSecond;
  }

  #rate({ isAdmin, workPerSecond }: Spender): number {
    return isAdmin ? workPerSecond : Math.min(workPerSecond, this.#bounds.workOfAll / Math.max(1, this.#buckets.size));
  }

  #fill(nowMs: number): void {
    const passedMs = nowMs - this.#filledMs;
    if (passedMs < FILL_MS) return;
    this.#filledMs = nowMs;
    const { workOfAll, workBurstOfAll } = this.#bounds;
    this.#leftOfAll = Math.min(workBurstOfAll, this.#leftOfAll + (workOfAll * passedMs) / 1000);
    const more = [...this.#buckets].map(([user, bucket]) => [user, bucket, (this.#rate(bucket.by) * passedMs) / 1000] as const);
    for (const [user, bucket, by] of more) {
      bucket.left += by;
      if (bucket.left >= this.#burst(bucket.by)) this.#buckets.delete(user);
    }
  }
}
