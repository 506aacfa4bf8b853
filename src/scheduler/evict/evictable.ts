/**
 * What could be freed at each place, level by level, summed up from below: whether a task would fit after evicting everything up to a level
 * is one comparison in each dimension. Blocks keep the most of their places. Read lazily: who never preempts does not pay for it.
 */

import { isProd } from "../../wire/band.ts";
import { CPU, RAM } from "../mirror/dimensions.ts";
import { LEVEL, PRIORITY, ROW, type Roster } from "../mirror/residents.ts";
import { BLOCK } from "../search/blocks.ts";
import type { Slots } from "../search/slots.ts";
import { LEVELS } from "./level.ts";

/** By dimension, slot (or block) times LEVELS plus level; only the dimensions that somebody asked for are there. */
type Spaces = (Float64Array | undefined)[];

export class Evictable {
  readonly #slots: Slots;
  /** Room after evictions, and the most of each block. */
  readonly rooms: Spaces = [];
  readonly roomsMax: Spaces = [];
  /** For prod, what is free by limits after evictions, while a place is read. */
  readonly #byLimit = new Float64Array(LEVELS);
  /** The largest single victim up to a level, in cpu and ram, and the lowest priority. */
  readonly biggest: readonly [Float64Array, Float64Array];
  readonly lowest: Float64Array;
  readonly #revisions: Int32Array;
  readonly #versions: Int32Array;

  constructor(slots: Slots) {
    this.#slots = slots;
    const size = slots.places.length * LEVELS;
    this.biggest = [new Float64Array(size), new Float64Array(size)];
    this.lowest = new Float64Array(size);
    this.#revisions = new Int32Array(slots.places.length).fill(-1);
    this.#versions = new Int32Array(slots.blocks.capacity).fill(-1);
  }

  /** Makes sure that some dimensions are known. */
  demand(dimensions: readonly number[]): void {
    const { places, blocks } = this.#slots;
    for (const d of dimensions) {
      if (this.rooms[d] !== undefined) continue;
      this.rooms[d] = new Float64Array(places.length * LEVELS);
      this.roomsMax[d] = new Float64Array(blocks.capacity * LEVELS);
      this.#revisions.fill(-1);
      this.#versions.fill(-1);
    }
  }

  /** Reads what changed in a block. */
  refresh(b: number): void {
    const { blocks, revisions } = this.#slots;
    if (this.#versions[b] === blocks.versions[b]) return;
    this.#versions[b] = blocks.versions[b] as number;
    const to = b * BLOCK + (blocks.counts[b] as number);
    for (let k = b * BLOCK; k < to; k++) {
      const i = blocks.members[k] as number;
      if (this.#revisions[i] === revisions[i]) continue;
      this.#revisions[i] = revisions[i] as number;
      this.#read(i);
    }
    for (let d = 0; d < this.rooms.length; d++) maxima(this.rooms[d], this.roomsMax[d], b, blocks.members, to);
  }

  #read(i: number): void {
    const closed = this.#slots.isClosed(i);
    const roster = this.#slots.rosterAt(i);
    for (let d = 0; d < this.rooms.length; d++) {
      const room = this.rooms[d];
      if (room === undefined) continue;
      if (closed) room.fill(-1, i * LEVELS, (i + 1) * LEVELS);
      else this.#readRoom(room, i, d, roster);
    }
    if (!closed) this.#readSizes(i * LEVELS, roster);
  }

  /** First what each level frees, then all up to it. */
  #readRoom(room: Float64Array, i: number, d: number, roster: Roster): void {
    const { dimensions, prod, view } = this.#slots;
    const at = i * LEVELS;
    const byLimit = this.#byLimit;
    room.fill(0, at, at + LEVELS);
    byLimit.fill(0);
    for (let k = 0; k < roster.size; k++) {
      const level = roster.numbers[k * ROW + LEVEL] as number;
      room[at + level] = (room[at + level] as number) + roster.reservation(k, dimensions, d);
      if (prod && isProd(roster.numbers[k * ROW + PRIORITY] as number))
        byLimit[level] = (byLimit[level] as number) + roster.limit(k, dimensions, d);
    }
    // Prod goes by limits, and by reservations too.
    const from = i * 2 * dimensions.size + d;
    let freeByLimit = prod ? (view.free[from] as number) : Number.POSITIVE_INFINITY;
    let free = view.free[prod ? from + dimensions.size : from] as number;
    for (let level = 0; level < LEVELS; level++) {
      free += room[at + level] as number;
      freeByLimit += byLimit[level] as number;
      room[at + level] = Math.min(free, freeByLimit);
    }
  }

  #readSizes(at: number, roster: Roster): void {
    const { dimensions } = this.#slots;
    const [cpu, ram] = this.biggest;
    cpu.fill(0, at, at + LEVELS);
    ram.fill(0, at, at + LEVELS);
    this.lowest.fill(Number.POSITIVE_INFINITY, at, at + LEVELS);
    for (let k = 0; k < roster.size; k++) {
      const level = at + (roster.numbers[k * ROW + LEVEL] as number);
      const priority = roster.numbers[k * ROW + PRIORITY] as number;
      const prod = isProd(priority);
      raise(cpu, level, prod ? roster.limit(k, dimensions, CPU) : roster.reservation(k, dimensions, CPU));
      raise(ram, level, prod ? roster.limit(k, dimensions, RAM) : roster.reservation(k, dimensions, RAM));
      if (priority < (this.lowest[level] as number)) this.lowest[level] = priority;
    }
    for (let level = at + 1; level < at + LEVELS; level++) {
      raise(cpu, level, cpu[level - 1] as number);
      raise(ram, level, ram[level - 1] as number);
      if ((this.lowest[level - 1] as number) < (this.lowest[level] as number)) this.lowest[level] = this.lowest[level - 1] as number;
    }
  }
}

function raise(values: Float64Array, k: number, value: number): void {
  if (value > (values[k] as number)) values[k] = value;
}

function maxima(rooms: Float64Array | undefined, most: Float64Array | undefined, b: number, members: Int32Array, to: number): void {
  if (rooms === undefined || most === undefined) return;
  most.fill(Number.NEGATIVE_INFINITY, b * LEVELS, (b + 1) * LEVELS);
  for (let k = b * BLOCK; k < to; k++) {
    const at = (members[k] as number) * LEVELS;
    for (let level = 0; level < LEVELS; level++) raise(most, b * LEVELS + level, rooms[at + level] as number);
  }
}
