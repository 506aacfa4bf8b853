/** How often something happened in the last hour, to within five minutes: twelve numbers, whatever happens. */
const SLOT_MS = 300_000;
const SLOTS = 12;

export class LastHour {
  readonly #counts = new Uint32Array(SLOTS);
  /** The newest that is counted. */
  #slot = 0;

  add(timeMs: number, count: number): void {
    this.#turn(timeMs);
    const at = this.#slot % SLOTS;
    this.#counts[at] = (this.#counts[at] as number) + count;
  }

  at(timeMs: number): number {
    this.#turn(timeMs);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** Slots that begin now were other slots an hour ago. */
  #turn(timeMs: number): void {
    const slot = Math.max(this.#slot, Math.floor(timeMs / SLOT_MS));
    for (let next = Math.max(this.#slot + 1, slot - SLOTS + 1); next <= slot; next++) this.#counts[next % SLOTS] = 0;
    this.#slot = slot;
  }
}
