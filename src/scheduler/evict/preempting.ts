/**
 * The search for the place where a preemption hurts least (P4). What could be freed is known level by level (evictable.ts): that gives for
 * every place a bound on the harm without naming a victim. Victims are worked out only for the few places of a block whose bounds promise
 * most, and not at all where the bound is no better than what was found. What was found in a block is kept until it changes.
 */
import type { Place } from "../../cell/state.ts";
import { CPU, RAM } from "../mirror/dimensions.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { BLOCK } from "../search/blocks.ts";
import type { Filter, Search } from "../search/search.ts";
import type { Slots } from "../search/slots.ts";
import { LEVELS, lowestOf, NOBODY, topLevel } from "./level.ts";
import { compareHarm, type Harm, type Preemption, victimsAt } from "./preempt.ts";

/** Places of a block for which victims are worked out, if one of them has been found: the best few. */
export const FEW = 8;

export interface Found {
  readonly slot: number;
  readonly preemption: Preemption;
  /** What of the score does not depend on room. */
  readonly value: number;
}

/** A place that may be worth working out. */
interface Promising extends Harm {
  readonly slot: number;
  readonly value: number;
}

export class Preempting {
  readonly #mirror: Mirror;
  readonly #search: Search;
  readonly #slots: Slots;
  readonly #top: number;
  readonly #limit: readonly number[];
  readonly #asked: readonly number[];
  readonly #found: (Found | undefined)[];
  readonly #seen: Int32Array;
  /** Searches for victims that were made, with success and without. */
  found = 0;
  missed = 0;
  looks = 0;

  constructor(mirror: Mirror, search: Search) {
    this.#mirror = mirror;
    this.#search = search;
    this.#slots = search.slots;
    const { dimensions } = search.slots;
    this.#top = topLevel(search.need.face.priority);
    this.#limit = dimensions.amounts(search.need.limit);
    this.#asked = this.#limit.flatMap((amount, d) => (amount > 0 || d === CPU ? [d] : []));
    this.#found = new Array<Found | undefined>(search.slots.blocks.capacity);
    this.#seen = new Int32Array(search.slots.blocks.capacity).fill(-1);
  }

  /** `fresh`: nothing that was found before may be used, because it depends on more than its block. */
  best(filter: Filter, fresh: boolean): Found | undefined {
    if (this.#isHopeless) return undefined;
    this.#slots.flush();
    this.#slots.evictable.demand(this.#asked);
    if (fresh) this.#seen.fill(-1);
    let best: Found | undefined;
    const { blocks } = this.#slots;
    for (let b = 0; b < blocks.size; b++) {
      if (this.#seen[b] !== blocks.versions[b]) this.#lookInto(b, best, filter);
      const found = this.#found[b];
      if (found !== undefined && (best === undefined || this.#isBetter(found, best))) best = found;
    }
    return best;
  }

  /** The best among some slots only. */
  bestOf(slots: Iterable<number>, filter: Filter): Found | undefined {
    if (this.#isHopeless) return undefined;
    this.#slots.flush();
    let best: Found | undefined;
    for (const i of slots) {
      const value = this.#search.standing(i);
      if (value === Number.NEGATIVE_INFINITY || this.#slots.isClosed(i) || !filter(this.#slots.places[i] as Place)) continue;
      const found = this.#workOut(i, value);
      if (found !== undefined && (best === undefined || this.#isBetter(found, best))) best = found;
    }
    return best;
  }

  /** Nobody has what it asks for, or nobody could be evicted for it. */
  get #isHopeless(): boolean {
    return !this.#slots.dimensions.knows(this.#search.need.limit) || !this.#mirror.totals.hasVictims(this.#top);
  }

  #isBetter(a: Found, b: Found): boolean {
    const harm = compareHarm(a.preemption, b.preemption);
    if (harm !== 0) return harm < 0;
    if (a.value !== b.value) return a.value > b.value;
    return a.slot < b.slot;
  }

  /** A block that cannot be better than `best` is left for later. */
  #lookInto(b: number, best: Found | undefined, filter: Filter): void {
    const { evictable, blocks } = this.#slots;
    this.#found[b] = undefined;
    evictable.refresh(b);
    const level = this.#levelIn(evictable.roomsMax, b * LEVELS, this.#top);
    const isPossible = level <= this.#top;
    if (isPossible && best !== undefined && lowestOf(level) > best.preemption.highest) return;
    this.#seen[b] = blocks.versions[b] as number;
    if (isPossible) this.#found[b] = this.#bestIn(b, filter);
  }

  /** The lowest level at which everything asked for is there; more than `top`: none. */
  #levelIn(rooms: readonly (Float64Array | undefined)[], at: number, top: number): number {
    const asked = this.#asked;
    const limit = this.#limit;
    let level = NOBODY;
    for (let k = 0; k < asked.length; k++) {
      const d = asked[k] as number;
      const room = rooms[d] as Float64Array;
      const amount = limit[d] as number;
      while (level <= top && (room[at + level] as number) < amount) level += 1;
    }
    return level;
  }

  #bestIn(b: number, filter: Filter): Found | undefined {
    let best: Found | undefined;
    let tried = 0;
    for (const promise of this.#promises(b, filter)) {
      if (best !== undefined && (tried >= FEW || !this.#promisesMore(promise, best))) break;
      tried += 1;
      const found = this.#workOut(promise.slot, promise.value);
      if (found !== undefined && (best === undefined || this.#isBetter(found, best))) best = found;
    }
    return best;
  }

  #workOut(slot: number, value: number): Found | undefined {
    const preemption = victimsAt(this.#mirror, this.#search.need, this.#slots.places[slot] as Place);
    if (preemption === undefined) this.missed += 1;
    else this.found += 1;
    return preemption === undefined ? undefined : { slot, preemption, value };
  }

  #promisesMore(promise: Promising, best: Found): boolean {
    const harm = compareHarm(promise, best.preemption);
    if (harm !== 0) return harm < 0;
    if (promise.value !== best.value) return promise.value > best.value;
    return promise.slot < best.slot;
  }

  /** Places of a block that could take the task, the most promising first. */
  #promises(b: number, filter: Filter): readonly Promising[] {
    const { places, blocks, evictable } = this.#slots;
    const { rooms } = evictable;
    const to = b * BLOCK + (blocks.counts[b] as number);
    const out: Promising[] = [];
    for (let k = b * BLOCK; k < to; k++) {
      const i = blocks.members[k] as number;
      const level = this.#levelIn(rooms, i * LEVELS, this.#top);
      if (level > this.#top) continue;
      const value = this.#search.standing(i);
      if (value === Number.NEGATIVE_INFINITY || !filter(places[i] as Place)) continue;
      out.push(this.#promise(i, level, value, rooms));
    }
    this.looks += blocks.counts[b] as number;
    return out.sort((x, y) => compareHarm(x, y) || y.value - x.value || x.slot - y.slot);
  }

  /** At least so many must go: as many as the largest of them would be needed. */
  #promise(slot: number, level: number, value: number, rooms: readonly (Float64Array | undefined)[]): Promising {
    const { evictable } = this.#slots;
    const at = slot * LEVELS;
    let instances = level === NOBODY ? 0 : 1;
    for (const d of [CPU, RAM] as const) {
      const missing = rooms[d] === undefined ? 0 : (this.#limit[d] as number) - ((rooms[d] as Float64Array)[at] as number);
      if (missing > 0) instances = Math.max(instances, Math.ceil(missing / (evictable.biggest[d][at + level] as number)));
    }
    const lowest = evictable.lowest[at + level] as number;
    const highest = lowestOf(level);
    const priorities = instances === 0 ? 0 : (instances - 1) * lowest + Math.max(highest, lowest);
    return { slot, value, highest, instances, priorities };
  }
}
