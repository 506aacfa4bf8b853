/** How much of the cell prod and other work have, as a pass finds it: a machine should have a mix that is near the cell's own. */

import type { Totals } from "../mirror/totals.ts";
import { MIX_POINTS } from "./score.ts";

/** Shares are rounded to this part, so that small changes of the cell change nothing. */
const STEP = 1 / 8;

export class Shares {
  readonly #prod: number;
  readonly #others: number;

  constructor({ capacity, prodLimit, reserved }: Pick<Totals, "capacity" | "prodLimit" | "reserved">) {
    this.#prod = rounded(prodLimit, capacity);
    this.#others = rounded(Math.max(0, reserved - prodLimit), capacity);
  }

  /** Points for a machine wholly used by the other kind of work: so many that it is enough to have the cell's share. */
  scale(isProd: boolean): number {
    const share = isProd ? this.#others : this.#prod;
    return share === 0 ? 0 : MIX_POINTS / share;
  }
}

const rounded = (amount: number, whole: number): number => (whole === 0 ? 0 : Math.round(amount / whole / STEP) * STEP);
