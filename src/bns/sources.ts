/** How often each address may ask, and all together: who asks in a loop must not keep others out for long, nor the processor busy. */
import { TokenBucket } from "../rpc/token-bucket.ts";

/** More are forgotten, the oldest first; an address that is forgotten begins anew, within the bound for all. */
const SOURCES_MAX = 10_000;

export class Sources {
  readonly #perSource: number;
  readonly #all: TokenBucket;
  readonly #known = new Map<string, TokenBucket>();

  constructor(perSource: number, all: number) {
    this.#perSource = perSource;
    this.#all = new TokenBucket(all);
  }

  /** What its own bucket refuses takes nothing from the others'. */
  take(source: string, nowMs: number): boolean {
    return this.#bucketOf(source).take(nowMs) && this.#all.take(nowMs);
  }

  #bucketOf(source: string): TokenBucket {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    if (this.#known.size >= SOURCES_MAX) this.#known.delete(this.#known.keys().next().value as string);
    const bucket = new TokenBucket(this.#perSource);
    this.#known.set(source, bucket);
    return bucket;
  }
}
