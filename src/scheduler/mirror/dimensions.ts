/**
 * Resources by number, so that amounts can stand in arrays: the dimensions in their order, and then whatever else the cell's
 * machines have (gpu...), in the order in which it was first seen. Nothing below treats one of the latter differently from another.
 */
import { DIMENSIONS } from "../../base/dimension.ts";
import { amountAt, amountOf, type Vector } from "../../base/vector.ts";

/** The places of these three in DIMENSIONS are known here: packing goes by them. */
export const CPU = 0;
export const RAM = 1;
export const DISK = 2;
/** Extras come from here on. */
export const FIRST_EXTRA = DIMENSIONS.length;

export class Dimensions {
  readonly #extras: string[] = [];

  get size(): number {
    return FIRST_EXTRA + this.#extras.length;
  }

  /** Makes the extras of a vector known. */
  learn(vector: Vector): void {
    for (const { name } of vector.extras) if (!this.#extras.includes(name)) this.#extras.push(name);
  }

  /** Whether every extra of a vector is known: if not, nobody has it. */
  knows(vector: Vector): boolean {
    return vector.extras.every(({ name }) => this.#extras.includes(name));
  }

  amount(vector: Vector, dimension: number): number {
    if (dimension < FIRST_EXTRA) return amountAt(vector, dimension);
    return vector.extras.length === 0 ? 0 : amountOf(vector, this.#extras[dimension - FIRST_EXTRA] ?? "");
  }

  /** Every amount of a vector, by dimension. */
  amounts(vector: Vector): number[] {
    return Array.from({ length: this.size }, (_, dimension) => this.amount(vector, dimension));
  }
}
