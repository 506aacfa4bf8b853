/** What a search writes down: of each block what was found in it, and the terms of its task for each shape of machine. */

/** Blocks in a row: a search looks at rows first, and into few of them. */
export const ROW = 32;

/** Instead of a slot: only a bound is known. */
export const UNKNOWN = -2;

export class Board {
  /** By block: a bound, or the best score that was found; where; in which version of the block; and at which state of the job's spread. */
  readonly values: Float64Array;
  readonly found: Int32Array;
  readonly seen: Int32Array;
  readonly revisions: Int32Array;
  /** The highest value of each row of blocks, or more. */
  readonly tops: Float64Array;
  /** Improved of blocks up to here are known (`Blocks.now`); less than zero: nothing is. */
  known = -1;
  /** By shape (policy.ts). */
  readonly constant: Float64Array;
  readonly depth: Float64Array;
  /** By shape and dimension. */
  readonly asked: Float64Array;

  constructor(blocks: number, shapes: number, dimensions: number) {
    this.values = new Float64Array(blocks);
    [this.found, this.seen, this.revisions] = [new Int32Array(blocks), new Int32Array(blocks), new Int32Array(blocks)];
    this.tops = new Float64Array(Math.ceil(blocks / ROW));
    [this.constant, this.depth] = [new Float64Array(shapes), new Float64Array(shapes)];
    this.asked = new Float64Array(shapes * dimensions);
  }

  /** Nothing has been found yet in blocks of these versions. */
  begin(versions: Int32Array, blocks: number): void {
    this.seen.set(versions.subarray(0, blocks));
    this.found.fill(UNKNOWN, 0, blocks);
  }

  /** A block's value changed. If it fell, its row promises more than it has until somebody looks. */
  raise(b: number): void {
    const row = Math.floor(b / ROW);
    if ((this.values[b] as number) > (this.tops[row] as number)) this.tops[row] = this.values[b] as number;
  }

  /** Takes the highest value of a row anew. */
  top(row: number, blocks: number): void {
    const to = Math.min(blocks, (row + 1) * ROW);
    let most = Number.NEGATIVE_INFINITY;
    for (let b = row * ROW; b < to; b++) if ((this.values[b] as number) > most) most = this.values[b] as number;
    this.tops[row] = most;
  }
}
