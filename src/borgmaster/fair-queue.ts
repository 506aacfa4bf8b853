/**
 * What waits of many users, who are served in portions: each may put so much weight through in one, and what it did not use it has in the next. So whoever asks for little
 * waits for one portion of each of the others, however much they ask for. Inside one user it is first come, first served.
 */

/** Weight that a user may put through in one portion. */
const PORTION_WEIGHT = 64 * 1024;

export interface Weighed {
  readonly user: string;
  readonly weight: number;
}

interface Line<T> {
  readonly items: T[];
  credit: number;
}

export class FairQueue<T extends Weighed> {
  /** In the order in which they are served; no user without something that waits. */
  readonly #lines = new Map<string, Line<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    const line = this.#lines.get(item.user);
    if (line === undefined) this.#lines.set(item.user, { items: [item], credit: PORTION_WEIGHT });
    else line.items.push(item);
    this.#size += 1;
  }

  /** The next one; it stays. */
  peek(): T | undefined {
    return this.#next()?.items[0];
  }

  shift(): T | undefined {
    const line = this.#next();
    const item = line?.items.shift();
    if (line === undefined || item === undefined) return undefined;
    line.credit -= item.weight;
    this.#size -= 1;
    if (line.items.length === 0) this.#lines.delete(item.user);
    return item;
  }

  drain(): T[] {
    const all = [...this.#lines.values()].flatMap(({ items }) => items);
    this.#lines.clear();
    this.#size = 0;
    return all;
  }

  /** The first in the order whose credit is enough. Whoever it is not enough for goes to the end of the order, with more. */
  #next(): Line<T> | undefined {
    for (;;) {
      const first = this.#lines.entries().next().value;
      if (first === undefined) return undefined;
      const [user, line] = first;
      if (line.credit >= (line.items[0] as T).weight) return line;
      line.credit += PORTION_WEIGHT;
      this.#lines.delete(user);
      this.#lines.set(user, line);
    }
  }
}
