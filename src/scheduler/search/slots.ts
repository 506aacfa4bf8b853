/**
 * Places in typed arrays, for the scan that decides where a task goes: what is free in each dimension, features of packing, attribute
 * class. One `Slots` holds the machines of the cell as prod sees them, another as everyone else does, others the allocs of a set: an alloc
 * is a place like a machine.
 *
 * The records remain the truth: whoever changes one says `touchAt`, and `flush` reads it anew and puts it where its like are (blocks.ts).
 */
import { compareIds } from "../../base/id.ts";
import { keyOf, type Vector, ZERO } from "../../base/vector.ts";
import { isOver } from "../../cell/place.ts";
import type { Place } from "../../cell/state.ts";
import { Evictable } from "../evict/evictable.ts";
import { CPU, Dimensions, RAM } from "../mirror/dimensions.ts";
import type { Numbering } from "../mirror/numbering.ts";
import { type Residents, Roster } from "../mirror/residents.ts";
import { BLOCK, Blocks } from "./blocks.ts";
import { Board } from "./board.ts";
import { Columns, CPU_SURPLUS, RAM_SURPLUS, SUM } from "./columns.ts";
import { Packing, type Policy, type Shape, shapeOf } from "./policy.ts";
import type { Facts } from "./term.ts";
import { FACT_TERMS } from "./terms.ts";
import { Traits, type Verdict } from "./traits.ts";

/** Improved of a block's places after which its bounds are taken anew. */
const LOOSE_MAX = 16;

export class Slots {
  /** In the order of their names: ties go to the first. */
  readonly places: readonly Place[];
  readonly prod: boolean;
  readonly traitOf: Int32Array;
  readonly shapeOf: Int32Array;
  /** Where each is, by number (numbering.ts). */
  readonly machineOf: Int32Array;
  readonly rackOf: Int32Array;
  readonly powerOf: Int32Array;
  /** Rises with every change of a place. */
  readonly revisions: Int32Array;
  readonly dimensions = new Dimensions();
  readonly traits = new Traits();
  readonly shapes: Shape[] = [];
  /** What the terms of the score know of these places, in the order of FACT_TERMS. */
  readonly facts: readonly Facts[];
  readonly packing: Packing;
  /** In which proportions room is worth something. */
  readonly demand: Vector;
  readonly view: Columns;
  readonly blocks: Blocks;
  /** For whoever looks into a block: scores of its places. */
  readonly scores = new Float64Array(BLOCK);
  readonly #shapeIds = new Map<string, number>();
  /** Places of one shape with the same attributes, those aside that few share. */
  readonly #groupIds = new Map<string, number>();
  readonly #groupOf: Int32Array;
  readonly #groupTraits: Set<number>[] = [];
  readonly #dirty: number[] = [];
  readonly #isDirty: Uint8Array;
  readonly #boards: Board[] = [];
  #groupVerdicts = new WeakMap<Verdict, Verdict>();
  readonly #numbering: Numbering;
  readonly #residents: Residents | undefined;
  readonly #rosters: (Roster | undefined)[];
  #evictable: Evictable | undefined;

  /**
   * `places` in the order of their names. `residents`: of machines, who is there; of other places it is read from the records. `demand`: in which
   * proportions room is worth something; nothing: in those that the places have.
   */
  constructor(places: readonly Place[], policy: Policy, prod: boolean, numbering: Numbering, residents?: Residents, demand: Vector = ZERO) {
    this.places = places;
    this.#numbering = numbering;
    this.#residents = residents;
    this.prod = prod;
    this.demand = demand;
    for (const { capacity, reserved, prodLimit } of places)
      for (const vector of [capacity, reserved, prodLimit]) this.dimensions.learn(vector);
    const size = places.length;
    [this.traitOf, this.shapeOf, this.#groupOf] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
    [this.machineOf, this.rackOf, this.powerOf] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
    [this.#isDirty, this.revisions] = [new Uint8Array(size), new Int32Array(size)];
    this.#rosters = new Array<Roster | undefined>(size);
    this.facts = FACT_TERMS.map(({ term }) => term.learn(size));
    this.packing = new Packing(policy, unitsOf(this.dimensions, places, demand));
    for (const [i, place] of places.entries()) this.#describe(i, place);
    this.view = new Columns(this.dimensions, this.packing);
    this.blocks = new Blocks(size, this.view, this.shapeOf, this.#groupOf);
    for (let i = 0; i < size; i++) {
      this.#read(i);
      this.blocks.put(i, this.#cellOf(i));
    }
    this.blocks.tightenAll();
  }

  /** What could be freed by evicting; made when it is first asked for. */
  get evictable(): Evictable {
    this.#evictable ??= new Evictable(this);
    return this.#evictable;
  }

  /** Who could be evicted there. */
  rosterAt(i: number): Roster {
    const known = this.#rosters[i];
    if (known !== undefined) return known;
    const place = this.places[i] as Place;
    if (this.#residents === undefined) return new Roster(place);
    const roster = this.#residents.at(this.machineOf[i] as number, place);
    this.#rosters[i] = roster;
    return roster;
  }

  /** Something to write a search on. It is given back when the search is over, and used again. */
  board(): Board {
    return this.#boards.pop() ?? new Board(this.blocks.capacity, this.shapes.length, this.dimensions.size);
  }

  giveBack(board: Board): void {
    this.#boards.push(board);
  }

  /** By group, the best that a verdict says of one of its attribute classes. */
  groupVerdict(verdict: Verdict): Verdict {
    const known = this.#groupVerdicts.get(verdict);
    if (known !== undefined) return known;
    const best = Float64Array.from(this.#groupTraits, (traits) => Math.max(...[...traits].map((trait) => verdict[trait] as number)));
    this.#groupVerdicts.set(verdict, best);
    return best;
  }

  /** Takes nothing, whatever goes. */
  isClosed(i: number): boolean {
    return this.view.isClosed(this.blocks.rowOf[i] as number);
  }

  /** A record changed. It is read before the next search, once, however often it changes until then. */
  touchAt(i: number): void {
    if (this.#isDirty[i] === 1) return;
    this.#isDirty[i] = 1;
    this.#dirty.push(i);
  }

  /** Facts of the machine changed: attributes, rack, packages. Capacity is the same. */
  describe(i: number): void {
    this.#describe(i, this.places[i] as Place);
    this.#groupVerdicts = new WeakMap();
    this.blocks.remove(i);
    this.blocks.put(i, this.#cellOf(i));
    this.touchAt(i);
  }

  /** Reads what was touched, and puts it where its like are. */
  flush(): void {
    if (this.#dirty.length === 0) return;
    for (let k = 0; k < this.#dirty.length; k++) {
      const i = this.#dirty[k] as number;
      this.#isDirty[i] = 0;
      this.revisions[i] = (this.revisions[i] as number) + 1;
      this.#read(i);
      this.blocks.put(i, this.#cellOf(i));
    }
    this.#dirty.length = 0;
    this.blocks.tighten(LOOSE_MAX);
  }

  #describe(i: number, place: Place): void {
    const { machine, capacity } = place;
    const shape = keyOf(capacity);
    const shapeId = idOf(this.#shapeIds, shape);
    if (shapeId === this.shapes.length) this.shapes.push(shapeOf(this.dimensions, capacity));
    this.shapeOf[i] = shapeId;
    this.traitOf[i] = this.traits.traitOf(machine.attributes);
    const group = idOf(this.#groupIds, `${shapeId} ${sharedAttributes(place)}`);
    this.#groupOf[i] = group;
    this.#groupTraits[group] ??= new Set();
    (this.#groupTraits[group] as Set<number>).add(this.traitOf[i] as number);
    for (const facts of this.facts) facts.describe(i, place);
    const address = this.#numbering.of(machine);
    this.machineOf[i] = address.machine;
    this.rackOf[i] = address.rack;
    this.powerOf[i] = address.power;
  }

  #read(i: number): void {
    const place = this.places[i] as Place;
    const { machine, capacity, reserved, prodLimit } = place;
    const row = this.blocks.rowOf[i] as number;
    const shape = this.shapes[this.shapeOf[i] as number] as Shape;
    const [used, other] = this.prod ? [prodLimit, reserved] : [reserved, prodLimit];
    const isWithin = this.view.read(i, row, shape, used, other, this.prod);
    if (!isWithin || !machine.reachable || machine.draining || (machine.place !== place && isOver(machine.place))) {
      this.view.close(row);
      return;
    }
    const others = this.prod ? Math.max(0, reserved.cpu - prodLimit.cpu) : prodLimit.cpu;
    this.view.mix(row, capacity.cpu === 0 ? 0 : others / capacity.cpu);
  }

  /** Like places share a cell: of one group, about as full, and with about as much of cpu or ram to spare beside the other. */
  #cellOf(i: number): number {
    const { rows, width } = this.view;
    const cells = (this.#groupOf[i] as number) * SUM_STEPS * (2 * SURPLUS_STEPS);
    if (this.isClosed(i)) return cells;
    const row = (this.blocks.rowOf[i] as number) * width;
    const spare = (rows[row + CPU_SURPLUS] as number) - (rows[row + RAM_SURPLUS] as number);
    const side = spare < 0 ? SURPLUS_STEPS : 0;
    return cells + stepOf(rows[row + SUM] as number, SUM_STEPS) * 2 * SURPLUS_STEPS + side + stepOf(spare * spare, SURPLUS_STEPS);
  }
}

/** Steps are small where values are small: two of them double a value, and the last one is endless. */
const SUM_STEPS = 20;
const SURPLUS_STEPS = 16;
const LARGEST = 4;

function stepOf(value: number, steps: number): number {
  if (value <= 0) return 0;
  const below = Math.floor(2 * Math.log2(LARGEST / value));
  return Math.max(0, steps - 1 - Math.max(0, below));
}

function idOf(ids: Map<string, number>, key: string): number {
  const known = ids.get(key);
  if (known !== undefined) return known;
  ids.set(key, ids.size);
  return ids.size - 1;
}

/** Attributes that most machines share with few others would leave no two together. */
function sharedAttributes({ machine }: Place): string {
  const text: string[] = [];
  for (const [key, value] of machine.attributes) if (key !== "rack" && key !== "power" && key !== "zone") text.push(`${key}=${value}`);
  return text.sort(compareIds).join(" ");
}

/**
 * Parts of the mean machine, over those that have any, times how much more of it there is for what is asked than of the scarcer of cpu and ram. Where
 * the cell's work wants twice as much memory as cpu, a machine with as many parts of both is full when its memory is.
 */
function unitsOf(dimensions: Dimensions, places: readonly Place[], demand: Vector): readonly number[] {
  const [sums, counts] = [new Array<number>(dimensions.size).fill(0), new Array<number>(dimensions.size).fill(0)];
  for (const { capacity } of places) {
    for (let d = 0; d < dimensions.size; d++) {
      const amount = dimensions.amount(capacity, d);
      if (amount === 0) continue;
      sums[d] = (sums[d] as number) + amount;
      counts[d] = (counts[d] as number) + 1;
    }
  }
  const asked = sums.map((sum, d) => (sum === 0 ? 0 : dimensions.amount(demand, d) / sum));
  const most = Math.max(asked[CPU] as number, asked[RAM] as number);
  return sums.map((sum, d) => (sum === 0 ? 0 : ((counts[d] as number) / sum) * abundance(asked[d] as number, most)));
}

/**
 * Nothing is taken for more abundant than so: work that came first says little about what will come. And nothing for scarcer than the scarcer of cpu
 * and ram: a device that many wait for must not make the rest of its machine worthless.
 */
const ABUNDANCE_MAX = 8;

const abundance = (asked: number, most: number): number => (most === 0 ? 1 : Math.max(1, Math.min(ABUNDANCE_MAX, most / asked)));
