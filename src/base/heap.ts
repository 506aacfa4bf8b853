/** A binary heap by (time, sequence): what is due first comes out first, and among equals what came in first. */

export interface Timed {
  readonly timeMs: number;
  /** Unique, and rising in the order of arrival. */
  readonly sequence: number;
}

const before = (a: Timed, b: Timed): boolean => a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.sequence < b.sequence);

export class Heap<T extends Timed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as T;
      if (!before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts an item in at the top and lets it down to its place. */
  #sink(item: T): void {
    const items = this.#items;
    const size = items.length;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1;
      if (right < size && before(items[right] as T, items[child] as T)) child = right;
      const below = items[child] as T;
      if (!before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
