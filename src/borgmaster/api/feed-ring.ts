/** The last items of the change feed, for readers outside this process. Nothing is kept while nobody reads: an item costs as much as the entry itself. */
import type { Outcome } from "../../cell/cell.ts";
import { type FeedItem, feedItem } from "../../cell/feed.ts";
import { itemWeight } from "../../cell/feed-weight.ts";
import type { CellState } from "../../cell/state.ts";
import type { LoggedEvent } from "./event-log.ts";

/** A reader that is further behind gets the whole cell. */
const ITEMS_MAX = 4096;
/** When items weigh twice as much, about 128 MiB, the oldest go until they weigh this: an item may hold the spec of a job that is long dead. */
const WEIGHT_MAX = 64 * 1024;
/** Entries after which items are no longer made, if nobody has asked since. */
const UNREAD_MAX = 2 * ITEMS_MAX;

/** An item, and who made its events happen. */
export interface ReadItem extends FeedItem {
  readonly logged: readonly LoggedEvent[];
  readonly weight: number;
}

export class FeedRing {
  readonly #weightMax: number;
  #items: ReadItem[] = [];
  #weight = 0;
  #isRead = false;
  #unread = 0;

  constructor(weightMax = WEIGHT_MAX) {
    this.#weightMax = weightMax;
  }

  reset(): void {
    this.#items = [];
    this.#weight = 0;
    this.#isRead = false;
  }

  add(state: CellState, outcomes: readonly Outcome[], events: readonly LoggedEvent[]): void {
    if (!this.#isRead) return;
    this.#unread += 1;
    if (this.#unread > UNREAD_MAX) return this.reset();
    const item = feedItem(state, outcomes);
    const weight = itemWeight(state, item);
    this.#items.push({ ...item, logged: events, weight });
    this.#weight += weight;
    if (this.#items.length > 2 * ITEMS_MAX || this.#weight > 2 * this.#weightMax) this.#drop();
  }

  /** Items from `from` on, until they weigh `most`; undefined where they are not kept. From now on they are. */
  read(state: CellState, from: number, most: number): readonly ReadItem[] | undefined {
    this.#unread = 0;
    const wasRead = this.#isRead;
    this.#isRead = true;
    const first = this.#items[0]?.position ?? state.position + 1;
    if (!wasRead || from < first || from > state.position + 1) return undefined;
    let end = from - first;
    for (let weight = 0; end < this.#items.length && weight < most; end++) weight += (this.#items[end] as ReadItem).weight;
    return this.#items.slice(from - first, end);
  }

  /** The newest stay, up to half of what may be kept. */
  #drop(): void {
    let begin = this.#items.length;
    let weight = 0;
    while (begin > 0 && this.#items.length - begin < ITEMS_MAX) {
      weight += (this.#items[begin - 1] as ReadItem).weight;
      if (weight > this.#weightMax) break;
      this.#weight = weight;
      begin -= 1;
    }
    if (begin === this.#items.length) this.#weight = 0;
    this.#items = this.#items.slice(begin);
  }
}
