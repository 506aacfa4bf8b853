/**
 * Places in blocks. A block holds places that are alike and have about as much room, and keeps bounds over them, so that a search can pass
 * over all of them at once. A place that changed enough moves to a block of its like. Bounds may be loose (too hopeful) for a while, never
 * wrong.
 */
import type { Columns } from "./columns.ts";

/** Places in a block: a scan of one costs about as much as asking all blocks of a large cell for their bounds. */
export const BLOCK = 64;
/** Blocks beyond those that are needed when all are full, by place. When they are used up, unlike places share a block. */
const SPARE = 1 / 12;

/** Blocks that changed, newest last, that are remembered; when there are more, the older half goes. */
const CHANGED_MAX = 20_000;

const NO_CELL = -1;

export class Blocks {
  readonly #view: Columns;
  readonly #shapeOf: Int32Array;
  readonly #groupOf: Int32Array;
  /** How many there can be, and how many there have been at a time. */
  readonly capacity: number;
  size = 0;
  readonly members: Int32Array;
  /** In which row of the view a place stands: that of its block and position, or the spare one while it has none. */
  readonly rowOf: Int32Array;
  readonly #spareRow: number;
  readonly counts: Int32Array;
  /** Rises with every change in a block. */
  readonly versions: Int32Array;
  /** The first name in each block, or one before it. */
  readonly first: Int32Array;
  /** The only shape and group in a block, or less than zero. */
  readonly shape: Int32Array;
  readonly group: Int32Array;
  readonly #cell: Int32Array;
  readonly #loose: Int32Array;
  readonly #blockOf: Int32Array;
  /** Blocks of a cell that may have space; who takes one looks. */
  readonly #open = new Map<number, number[]>();
  readonly #empty: number[] = [];
  readonly #toTighten: number[] = [];
  #log: number[] = [];
  #forgotten = 0;

  constructor(slots: number, view: Columns, shapeOf: Int32Array, groupOf: Int32Array) {
    this.#view = view;
    this.#shapeOf = shapeOf;
    this.#groupOf = groupOf;
    this.capacity = Math.min(slots, Math.ceil(slots / BLOCK) + Math.ceil(slots * SPARE));
    const array = (): Int32Array => new Int32Array(this.capacity);
    this.members = new Int32Array(this.capacity * BLOCK);
    [this.counts, this.versions, this.first] = [array(), array(), array()];
    [this.shape, this.group, this.#cell, this.#loose] = [array(), array(), array().fill(NO_CELL), array()];
    this.#spareRow = this.capacity * BLOCK;
    [this.#blockOf, this.rowOf] = [new Int32Array(slots).fill(-1), new Int32Array(slots).fill(this.#spareRow)];
    view.makeRoom(slots, this.#spareRow + 1, this.capacity);
  }

  /** A place is new, or changed: it goes where its like are. */
  put(i: number, cell: number): void {
    const before = this.#blockOf[i] as number;
    if (before >= 0 && this.#cell[before] === cell) {
      this.#changed(before);
      this.#view.widen(this.rowOf[i] as number, before);
      return;
    }
    if (before >= 0) this.#remove(i, before);
    this.#insert(i, this.#blockFor(cell));
  }

  /** A place leaves its block; it is put again at once, before another is. */
  remove(i: number): void {
    const b = this.#blockOf[i] as number;
    if (b < 0) return;
    this.#remove(i, b);
    this.#blockOf[i] = -1;
  }

  /** Takes bounds anew where they have become loose. */
  tighten(looseMax: number): void {
    for (const b of this.#toTighten) if ((this.#loose[b] as number) >= looseMax) this.#tighten(b);
    this.#toTighten.length = 0;
  }

  tightenAll(): void {
    for (let b = 0; b < this.size; b++) this.#tighten(b);
  }

  /** A point in time, for `changedSince`. */
  get now(): number {
    return this.#forgotten + this.#log.length;
  }

  /** Blocks that changed since then, the same one perhaps more than once; undefined: nobody remembers. */
  changedSince(then: number): readonly number[] | undefined {
    if (then < this.#forgotten) return undefined;
    return then === this.now ? NONE : this.#log.slice(then - this.#forgotten);
  }

  #changed(b: number): void {
    this.#log.push(b);
    if (this.#log.length > CHANGED_MAX) {
      this.#forgotten += CHANGED_MAX / 2;
      this.#log = this.#log.slice(CHANGED_MAX / 2);
    }
    this.versions[b] = (this.versions[b] as number) + 1;
    this.#loose[b] = (this.#loose[b] as number) + 1;
    this.#toTighten.push(b);
  }

  #tighten(b: number): void {
    this.#loose[b] = 0;
    const from = b * BLOCK;
    const to = from + (this.counts[b] as number);
    this.#view.clear(b);
    let first = this.#blockOf.length;
    for (let k = from; k < to; k++) {
      const i = this.members[k] as number;
      this.#view.widen(k, b);
      if (i < first) first = i;
    }
    this.first[b] = first;
  }

  #remove(i: number, b: number): void {
    const count = (this.counts[b] as number) - 1;
    const last = this.members[b * BLOCK + count] as number;
    const row = this.rowOf[i] as number;
    this.#view.move(row, this.#spareRow);
    if (last !== i) this.#view.move(b * BLOCK + count, row);
    this.members[row] = last;
    this.rowOf[last] = row;
    this.rowOf[i] = this.#spareRow;
    this.counts[b] = count;
    this.#changed(b);
    if (count === 0) this.#clear(b);
    else if (count === BLOCK - 1) this.#offer(b);
  }

  #clear(b: number): void {
    this.#cell[b] = NO_CELL;
    this.#tighten(b);
    this.#empty.push(b);
  }

  #offer(b: number): void {
    const cell = this.#cell[b] as number;
    const known = this.#open.get(cell);
    if (known === undefined) this.#open.set(cell, [b]);
    else known.push(b);
  }

  #hasSpace(b: number, cell: number): boolean {
    return this.#cell[b] === cell && (this.counts[b] as number) < BLOCK;
  }

  #blockFor(cell: number): number {
    const open = this.#open.get(cell) ?? [];
    while (open.length > 0 && !this.#hasSpace(open[open.length - 1] as number, cell)) open.pop();
    const known = open[open.length - 1];
    if (known !== undefined) return known;
    const fresh = this.#empty.pop() ?? (this.size < this.capacity ? this.size++ : this.#anyWithSpace());
    if (this.counts[fresh] === 0) {
      this.#cell[fresh] = cell;
      this.#offer(fresh);
    }
    return fresh;
  }

  /** There is one: all of them together hold more than there are places. */
  #anyWithSpace(): number {
    return this.counts.findIndex((count) => count < BLOCK);
  }

  #insert(i: number, b: number): void {
    const count = this.counts[b] as number;
    const shape = this.#shapeOf[i] as number;
    const group = this.#groupOf[i] as number;
    if (count === 0) {
      this.shape[b] = shape;
      this.group[b] = group;
      this.first[b] = i;
      this.#view.clear(b);
    } else {
      if (this.shape[b] !== shape) this.shape[b] = -1;
      if (this.group[b] !== group) this.group[b] = -1;
      if (i < (this.first[b] as number)) this.first[b] = i;
    }
    const row = b * BLOCK + count;
    this.members[row] = i;
    this.counts[b] = count + 1;
    this.#blockOf[i] = b;
    this.#view.move(this.rowOf[i] as number, row);
    this.rowOf[i] = row;
    this.#changed(b);
    this.#view.widen(row, b);
  }
}

const NONE: readonly number[] = [];
