/** The last items of the change feed, for readers outside this process. Nothing is kept while nobody reads: an item costs as much as the entry itself. */
import type { Outcome } from "../../cell/cell.ts";
import { type FeedItem, feedItem } from "../../cell/feed.ts";
import type { CellState } from "../../cell/state.ts";
import type { LoggedEvent } from "./event-log.ts";

/** A reader that is further behind gets the whole cell. */
const ITEMS_MAX = 4096;
/** Entries after which items are no longer made, if nobody has asked since. */
const UNREAD_MAX = 2 * ITEMS_MAX;

/** An item, and who made its events happen. */
export interface ReadItem extends FeedItem {
  readonly logged: readonly LoggedEvent[];
}

export class FeedRing {
  #items: ReadItem[] = [];
  #isRead = false;
  #unread = 0;

  reset(): void {
    this.#items = [];
    this.#isRead = false;
  }

  add(state: CellState, outcomes: readonly Outcome[], events: readonly LoggedEvent[]): void {
    if (!this.#isRead) return;
    this.#unread += 1;
    if (this.#unread > UNREAD_MAX) return this.reset();
    this.#items.push({ ...feedItem(state, outcomes), logged: events });
    if (this.#items.length > 2 * ITEMS_MAX) this.#items = this.#items.slice(-ITEMS_MAX);
  }

  /** Items from `from` on, until they weigh `most`; undefined where they are not kept. From now on they are. */
  read(state: CellState, from: number, most: number): readonly ReadItem[] | undefined {
    this.#unread = 0;
    const wasRead = this.#isRead;
    this.#isRead = true;
    const first = this.#items[0]?.position ?? state.position + 1;
    if (!wasRead || from < first || from > state.position + 1) return undefined;
    let weight = 0;
    const below = this.#items.findIndex((item, i) => {
      if (i < from - first) return false;
      weight += weightOf(item);
      return weight >= most;
    });
    return this.#items.slice(from - first, below === -1 ? undefined : below + 1);
  }
}

/** A task counts as much as a record of anything else. */
const weightOf = ({ records, removed }: FeedItem): number =>
  records.reduce((sum, { body }) => sum + (body.case === "tasks" ? body.value.tasks.length : 1), 1 + removed.length);
