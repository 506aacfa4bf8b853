/**
 * What could be freed at each place, level by level, summed up from below: whether a task would fit after evicting everything up to a level
 * is one comparison in each dimension. Blocks keep the most of their places. Read lazily: who never preempts does not pay for it.
 */

import type { Vector } from "../base/vector.ts";
import { isProd } from "../cell/band.ts";
import type { Place } from "../cell/state.ts";
import { BLOCK } from "./blocks.ts";
import { CPU, RAM } from "./dimensions.ts";
import { LEVELS, victimLevel } from "./level.ts";
import type { Slots } from "./slots.ts";

/** By dimension, slot (or block) times LEVELS plus level; only the dimensions that somebody asked for are there. */
type Rooms = (Float64Array | undefined)[];

export class Evictable {
  readonly #slots: Slots;
  /** Room after evictions, and the most of each block. */
  readonly rooms: Rooms = [];
  readonly roomsMax: Rooms = [];
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
    const at = i * LEVELS;
    const victims = this.#slots.isClosed(i) ? [] : victimsOn(this.#slots.places[i] as Place);
    for (let d = 0; d < this.rooms.length; d++) {
      const room = this.rooms[d];
      if (room !== undefined) this.#readRoom(room, i, d, victims);
    }
    for (const sizes of this.biggest) sizes.fill(0, at, at + LEVELS);
    this.lowest.fill(Number.POSITIVE_INFINITY, at, at + LEVELS);
    for (const { limit, reservation, priority, level } of victims) {
      const size = isProd(priority) ? limit : reservation;
      for (let k = at + level; k < at + LEVELS; k++) {
        raise(this.biggest[CPU], k, size.cpu);
        raise(this.biggest[RAM], k, size.ram);
        if (priority < (this.lowest[k] as number)) this.lowest[k] = priority;
      }
    }
  }

  #readRoom(room: Float64Array, i: number, d: number, victims: readonly Victim[]): void {
    const { dimensions, prod, places } = this.#slots;
    const { capacity, reserved, prodLimit } = places[i] as Place;
    const at = i * LEVELS;
    const whole = dimensions.amount(capacity, d);
    const byLimit = this.#byLimit;
    room.fill(this.#slots.isClosed(i) ? -1 : whole - dimensions.amount(reserved, d), at, at + LEVELS);
    byLimit.fill(prod ? whole - dimensions.amount(prodLimit, d) : Number.POSITIVE_INFINITY);
    for (const { limit, reservation, priority, level } of victims) {
      const freed = dimensions.amount(reservation, d);
      const limited = prod && isProd(priority) ? dimensions.amount(limit, d) : 0;
      for (let k = level; k < LEVELS; k++) {
        room[at + k] = (room[at + k] as number) + freed;
        byLimit[k] = (byLimit[k] as number) + limited;
      }
    }
    for (let k = 0; k < LEVELS; k++) if ((byLimit[k] as number) < (room[at + k] as number)) room[at + k] = byLimit[k] as number;
  }
}

interface Victim {
  readonly limit: Vector;
  readonly reservation: Vector;
  readonly priority: number;
  readonly level: number;
}

/** Whoever might have to go for somebody. */
function victimsOn(place: Place): readonly Victim[] {
  const out: Victim[] = [];
  for (const occupant of place.occupants.values()) {
    const level = victimLevel(occupant);
    if (level >= LEVELS) continue;
    const { limit, reservation, priority } = occupant;
    out.push({ limit, reservation, priority, level });
  }
  return out;
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
