/** Whether somebody still looks: who looks writes down how often it did, and who reads that remembers when it last rose. */

/** Nobody has looked for so long: what was found then says nothing of now. */
const OLD_MS = 30_000;

export class Looks {
  readonly #now: () => number;
  #look = -1;
  #roseMs = Number.NEGATIVE_INFINITY;

  /** `now`: of a clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** `look`: as it was read now; undefined: nothing was there to read. */
  isOld(look: number | undefined): boolean {
    if (look !== undefined && look !== this.#look) [this.#look, this.#roseMs] = [look, this.#now()];
    return this.#now() - this.#roseMs >= OLD_MS;
  }
}
