/** The last items of the change feed, for schedulers outside this process. Nothing is kept while nobody reads: an item costs as much as the entry itself. */
import type { Outcome } from "../../cell/cell.ts";
import { type FeedItem, feedItem, type Image, imageOf } from "../../cell/feed.ts";
import type { CellState } from "../../cell/state.ts";

/** A reader that is further behind gets the whole cell. */
const ITEMS_MAX = 4096;
/** Entries after which items are no longer made, if nobody has asked since. */
const UNREAD_MAX = 2 * ITEMS_MAX;

export class FeedRing {
  #items: FeedItem[] = [];
  #isRead = false;
  #unread = 0;

  reset(): void {
    this.#items = [];
    this.#isRead = false;
  }

  add(state: CellState, outcomes: readonly Outcome[]): void {
    if (!this.#isRead) return;
    this.#unread += 1;
    if (this.#unread > UNREAD_MAX) return this.reset();
    this.#items.push(feedItem(state, outcomes));
    if (this.#items.length > 2 * ITEMS_MAX) this.#items = this.#items.slice(-ITEMS_MAX);
  }

  /** Items from `from` on, at most `limit`; the whole cell where they are not kept. */
  read(state: CellState, from: number, limit: number): { readonly image: Image } | { readonly items: readonly FeedItem[] } {
    this.#unread = 0;
    const wasRead = this.#isRead;
    this.#isRead = true;
    const first = this.#items[0]?.position ?? state.position + 1;
    if (!wasRead || from < first || from > state.position + 1) return { image: imageOf(state) };
    return { items: this.#items.slice(from - first, from - first + limit) };
  }
}
