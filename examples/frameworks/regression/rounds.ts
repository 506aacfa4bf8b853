/**
 * Which part of the data is worked on where (Mesos §5.3): a part stays with the machine whose executor has it in memory. It waits for that machine for a while, and then takes another one, which
 * has to read it. It knows no network.
 */
export class Rounds {
  readonly #parts: number;
  readonly #delayMs: number;
  /** New parts that one offer takes: the first machine is not to have them all. */
  readonly #newMost: number;
  /** By part: who has it in memory. */
  readonly #home = new Map<number, string>();
  /** By part: since when it waits. */
  readonly #waiting = new Map<number, number>();
  readonly #running = new Set<number>();
  round = 0;

  constructor(parts: number, delayMs: number, newMost: number) {
    this.#parts = parts;
    this.#delayMs = delayMs;
    this.#newMost = newMost;
  }

  /** All parts, once more. */
  begin(nowMs: number): void {
    this.round += 1;
    for (let part = 0; part < this.#parts; part++) this.#waiting.set(part, nowMs);
  }

  get isOver(): boolean {
    return this.#waiting.size === 0 && this.#running.size === 0;
  }

  get waits(): boolean {
    return this.#waiting.size > 0;
  }

  /** So many parts at most, to be worked on there now. */
  take(machine: string, most: number, nowMs: number): readonly number[] {
    const taken: number[] = [];
    let [left, isNew] = [most, this.#newMost];
    for (const [part, sinceMs] of [...this.#waiting]) {
      const home = this.#home.get(part);
      const isHere = home === machine;
      const mayMove = home === undefined || nowMs - sinceMs >= this.#delayMs;
      if (left === 0 || !(isHere || (mayMove && isNew > 0))) continue;
      left -= 1;
      if (!isHere) isNew -= 1;
      this.#waiting.delete(part);
      this.#running.add(part);
      this.#home.set(part, machine);
      taken.push(part);
    }
    return taken;
  }

  done(part: number): void {
    this.#running.delete(part);
  }

  again(part: number, nowMs: number): void {
    if (this.#running.delete(part)) this.#waiting.set(part, nowMs);
  }

  /** What its executor had in memory is gone. */
  forget(machine: string): void {
    for (const [part, home] of [...this.#home]) if (home === machine) this.#home.delete(part);
  }
}
