/** Counts by name: how often each fault fired, each rare path was taken. */

export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** By name. */
  entries(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  merge(other: Tally): void {
    for (const [name, count] of other.#counts) this.add(name, count);
  }

  toString(): string {
    return this.entries()
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  }
}
