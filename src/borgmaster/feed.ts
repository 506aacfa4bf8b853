/** The change feed's sending side: the last items, and who reads them. A reader that is too far behind gets an image of the whole cell. */
import type { Address, Env } from "../base/env.ts";
import { type FeedItem, imageOf } from "../cell/feed.ts";
import type { CellState } from "../cell/state.ts";
import type { FromMaster } from "./message.ts";

export class Feed {
  readonly #env: Env<FromMaster>;
  readonly #itemsMax: number;
  #items: FeedItem[] = [];
  readonly #readers = new Set<Address>();

  constructor(env: Env<FromMaster>, itemsMax: number) {
    this.#env = env;
    this.#itemsMax = itemsMax;
  }

  /** A new leader's readers start from an image: what an earlier one told them may never have been durable. */
  reset(): void {
    this.#items = [];
    this.#readers.clear();
  }

  /** One message per entry, so that readers never see half of one. */
  publish(item: FeedItem): void {
    this.#items.push(item);
    if (this.#items.length > 2 * this.#itemsMax) this.#items = this.#items.slice(-this.#itemsMax);
    for (const reader of this.#readers) this.#env.send(reader, { type: "items", items: [item] });
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
    this.#env.send(reader, { type: "image", image: imageOf(state) });
  }
}
