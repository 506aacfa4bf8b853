/**
 * What one kind of task sees of the places: non-prod counts on what is not reserved; prod on limits, and on reservations too. A place is a
 * row: features of packing, and the room in each dimension. A block of places is a row of the same form with bounds over its places: the
 * smallest sum, and the largest of everything else. A closed place has no room at all.
 */
import type { Vector } from "../../base/vector.ts";
import { CPU, type Dimensions, FIRST_EXTRA, RAM } from "../mirror/dimensions.ts";
import type { Packing, Shape } from "./policy.ts";

/** Columns. What every search asks for comes first, so that it is one line of the processor's cache. */
export const SUM = 0;
/** How much of the machine the other kind of work has. */
export const MIX = 1;
export const CPU_ROOM = 2;
export const RAM_ROOM = 3;
export const CPU_SURPLUS = 4;
export const RAM_SURPLUS = 5;
const MORE = 8;
const ROW_STEP = 8;

const CLOSED = -1;

export class Columns {
  /** Places of a block stand together, so that a scan of one reads on and on; where each stands is the blocks' business (`rowOf`). */
  rows = new Float64Array(0);
  bounds = new Float64Array(0);
  /** What is free by the way of counting that packing goes by, and then by the other, of each place in its order. */
  free = new Float64Array(0);
  readonly width: number;
  readonly #dimensions: Dimensions;
  readonly #packing: Packing;
  readonly #size: number;
  readonly #surplus: number[];

  /** `dimensions`: all that these places have are known already. */
  constructor(dimensions: Dimensions, packing: Packing) {
    this.#dimensions = dimensions;
    this.#packing = packing;
    this.#size = dimensions.size;
    const columns = MORE + (this.#size - 2) + (this.#size - FIRST_EXTRA);
    this.width = Math.ceil(columns / ROW_STEP) * ROW_STEP;
    this.#surplus = new Array<number>(this.#size).fill(0);
  }

  makeRoom(places: number, rows: number, blocks: number): void {
    this.free = new Float64Array(places * 2 * this.#size);
    this.rows = new Float64Array(rows * this.width);
    this.bounds = new Float64Array(blocks * this.width).fill(Number.NEGATIVE_INFINITY);
  }

  /** The column of the room in a dimension. */
  roomColumn(dimension: number): number {
    return dimension === CPU || dimension === RAM ? CPU_ROOM + dimension : MORE + dimension - 2;
  }

  /** The column of the surplus of an extra; the others follow. */
  get extrasColumn(): number {
    return MORE + this.#size - 2;
  }

  /**
   * Reads a place. `used` is what packing goes by, `other` the same resources counted the other way: where `both` is said, room must be
   * left by both. False: it is over-full by one of them.
   */
  read(i: number, row: number, shape: Shape, used: Vector, other: Vector, both: boolean): boolean {
    const { rows, free } = this;
    const dimensions = this.#dimensions;
    const surplus = this.#surplus;
    const at = row * this.width;
    const from = i * 2 * surplus.length;
    let isWithin = true;
    for (let d = 0; d < surplus.length; d++) {
      const whole = shape.capacity[d] as number;
      const left = whole - dimensions.amount(used, d);
      const byOther = whole - dimensions.amount(other, d);
      if (left < 0 || byOther < 0) isWithin = false;
      free[from + d] = left;
      free[from + surplus.length + d] = byOther;
      rows[at + this.roomColumn(d)] = both && byOther < left ? byOther : left;
      surplus[d] = 0;
    }
    rows[at + SUM] = this.#packing.features(shape, free, from, surplus);
    rows[at + CPU_SURPLUS] = surplus[CPU] as number;
    rows[at + RAM_SURPLUS] = surplus[RAM] as number;
    for (let d = FIRST_EXTRA; d < surplus.length; d++) rows[at + this.extrasColumn + d - FIRST_EXTRA] = surplus[d] as number;
    return isWithin;
  }

  mix(row: number, part: number): void {
    this.rows[row * this.width + MIX] = part;
  }

  close(row: number): void {
    const at = row * this.width;
    this.rows.fill(0, at, at + this.width);
    this.rows[at + SUM] = Number.POSITIVE_INFINITY;
    for (let d = 0; d < this.#size; d++) this.rows[at + this.roomColumn(d)] = CLOSED;
  }

  isClosed(row: number): boolean {
    return this.rows[row * this.width + SUM] === Number.POSITIVE_INFINITY;
  }

  move(from: number, to: number): void {
    const { rows, width } = this;
    rows.copyWithin(to * width, from * width, (from + 1) * width);
  }

  /** Bounds hold for a place too. */
  widen(row: number, block: number): void {
    const { rows, bounds, width } = this;
    const from = row * width;
    const to = block * width;
    if ((rows[from + SUM] as number) < (bounds[to + SUM] as number)) bounds[to + SUM] = rows[from + SUM] as number;
    for (let column = SUM + 1; column < width; column++) {
      const value = rows[from + column] as number;
      if (value > (bounds[to + column] as number)) bounds[to + column] = value;
    }
  }

  /** Bounds of nothing. */
  clear(block: number): void {
    const at = block * this.width;
    this.bounds.fill(Number.NEGATIVE_INFINITY, at, at + this.width);
    this.bounds[at + SUM] = Number.POSITIVE_INFINITY;
  }
}
