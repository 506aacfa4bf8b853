/** The change feed's sending side: the last items, and who reads them. A reader that is too far behind gets an image of the whole cell. */
import type { Address, Env } from "../base/env.ts";
import type { FeedItem, Image, ImageOf } from "../cell/feed.ts";
import type { CellState } from "../cell/state.ts";
import type { FromMaster } from "./message.ts";

export class Feed {
  readonly #env: Env<FromMaster>;
  readonly #itemsMax: number;
  readonly #weightMax: number;
  readonly #imageOf: ImageOf;
  #items: FeedItem[] = [];
  #weights: number[] = [];
  #weight = 0;
  readonly #readers = new Set<Address>();

  /** The last image that was made. Who asks before the next entry gets the same one, and whoever packs it does that once. */
  #image: Image | undefined;

  /** `weightMax`: items may weigh twice as much, then the oldest go until they weigh this (cell/feed-weight.ts). */
  constructor(env: Env<FromMaster>, itemsMax: number, weightMax: number, makeImage: ImageOf) {
    this.#imageOf = makeImage;
    this.#env = env;
    this.#itemsMax = itemsMax;
    this.#weightMax = weightMax;
  }

  /** A new leader's readers start from an image: what an earlier one told them may never have been durable. */
  reset(): void {
    this.#items = [];
    this.#weights = [];
    this.#weight = 0;
    this.#readers.clear();
    this.#image = undefined;
  }

  /** One message per entry, so that readers never see half of one. */
  publish(item: FeedItem, weight: number): void {
    this.#image = undefined;
    this.#items.push(item);
    this.#weights.push(weight);
    this.#weight += weight;
    if (this.#items.length > 2 * this.#itemsMax || this.#weight > 2 * this.#weightMax) this.#drop();
    for (const reader of this.#readers) this.#env.send(reader, { type: "items", items: [item] });
  }

  /** The newest stay, as many as may and until they weigh enough: one item of a wide job holds a record of each of its tasks. */
  #drop(): void {
    let begin = Math.max(0, this.#items.length - this.#itemsMax);
    let weight = this.#weights.slice(begin).reduce((sum, each) => sum + each, 0);
    for (; weight > this.#weightMax; begin++) weight -= this.#weights[begin] as number;
    this.#items = this.#items.slice(begin);
    this.#weights = this.#weights.slice(begin);
    this.#weight = weight;
  }

  /** Items from `from` on if they are still there, else an image. From now on the reader gets every item. */
  watch(reader: Address, from: number, state: CellState): void {
    this.#readers.add(reader);
    const first = this.#items[0]?.position ?? state.position + 1;
    if (from >= first && from <= state.position + 1) {
      const items = this.#items.slice(from - first);
      if (items.length > 0) this.#env.send(reader, { type: "items", items });
      return;
    }
    if (from > 0) this.#env.log("~feed-resync");
    if (this.#image?.position !== state.position) this.#image = this.#imageOf(state);
    this.#env.send(reader, { type: "image", image: this.#image });
  }
}
