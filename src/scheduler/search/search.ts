/**
 * The search for the best place of one class of tasks (Borg §3.4), exact and lazy: each block of places has a bound or the best score that
 * was found in it; only blocks whose bound is above the best found so far are looked into. A class with many tasks keeps what it found
 * (Borg's score cache): after a placement only the block that changed is looked into again.
 */

import { freePorts } from "../../cell/place.ts";
import type { Place } from "../../cell/state.ts";
import { CPU, FIRST_EXTRA, RAM } from "../mirror/dimensions.ts";
import type { Tally } from "../mirror/tally.ts";
import { BLOCK } from "./blocks.ts";
import { type Board, ROW, UNKNOWN } from "./board.ts";
import { type Columns, CPU_ROOM, CPU_SURPLUS, MIX, RAM_ROOM, RAM_SURPLUS, SUM } from "./columns.ts";
import type { Need } from "./feasible.ts";
import { isTaken } from "./openings.ts";
import { type CostOpinion, costsOf, type FactOpinion, factsOf, partOf, said } from "./opinions.ts";
import type { Shape } from "./policy.ts";
import { MIX_POINTS, PACKING_POINTS, PREFERENCE_POINTS, type Score, spreadCost } from "./score.ts";
import type { Shares } from "./shares.ts";
import type { Slots } from "./slots.ts";
import type { Verdict } from "./traits.ts";

const NONE = Number.NEGATIVE_INFINITY;
/** Instead of a slot: nothing of the block is feasible. */
const NOWHERE = -1;

/** Which of the short cuts are taken: all of them, unless their worth is to be measured. */
export interface Shortcuts {
  /** Keep what was found in a block until it changes. */
  readonly cache: boolean;
  /** Tasks that ask the same share one search. */
  readonly classes: boolean;
  /** Pass over blocks by their bounds. */
  readonly blocks: boolean;
  /** Take the best of some, not of all: for cells so large that exact searches do not pay. */
  readonly sampling: Sampling | undefined;
}

export const ALL_SHORTCUTS: Shortcuts = { cache: true, classes: true, blocks: true, sampling: undefined };

/** Relaxed randomisation (Borg §3.4): blocks are looked into from a random one on, until enough places with room were seen. */
export interface Sampling {
  readonly enough: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Whether a place may be used after all: asked only of those that would be the best so far. */
export type Filter = (place: Place) => boolean;

export class Search {
  readonly slots: Slots;
  readonly need: Need;
  readonly #shortcuts: Shortcuts;
  readonly #tally: Tally | undefined;
  readonly #view: Columns;
  readonly #limit: readonly number[];
  /** What it asks for beside cpu and ram, and the columns of the room for it. */
  readonly #others: readonly number[];
  readonly #columns: readonly number[];
  readonly #impossible: boolean;
  readonly #verdict: Verdict | undefined;
  readonly #groupVerdict: Verdict | undefined;
  /** Of the terms of the table (terms.ts) those that say something of this task; of most tasks none does. */
  readonly #facts: readonly FactOpinion[];
  readonly #costs: readonly CostOpinion[];
  /** Points of mix for a machine with that part of other work, at most MIX_POINTS. */
  readonly #mixScale: number;
  readonly #weight: number;
  /** From one shape to the next in what is asked: 0 if it is the same for all. */
  readonly #stride: number;
  /** Neither constraints, terms of the table nor anything but cpu and ram matters. */
  readonly #isPlain: boolean;
  #board: Board | undefined;
  #losses = 0;
  /** How many places were looked at. */
  looks = 0;

  constructor(slots: Slots, need: Need, tally: Tally | undefined, shares: Shares, shortcuts: Shortcuts) {
    this.slots = slots;
    this.need = need;
    this.#tally = tally;
    this.#shortcuts = shortcuts;
    const { dimensions, packing, traits } = slots;
    this.#view = slots.view;
    this.#impossible = !dimensions.knows(need.limit);
    this.#limit = dimensions.amounts(need.limit);
    const others = this.#limit.flatMap((amount, d) => (amount > 0 && d !== CPU && d !== RAM ? [d] : []));
    this.#others = others.map((d) => this.#limit[d] as number);
    this.#columns = others.map((d) => slots.view.roomColumn(d));
    this.#verdict = traits.verdict(need.constraints);
    this.#groupVerdict = this.#verdict === undefined ? undefined : slots.groupVerdict(this.#verdict);
    this.#facts = factsOf(slots, need);
    this.#costs = costsOf(need);
    this.#mixScale = shares.scale(need.prod);
    this.#weight = packing.weight;
    this.#stride = packing.isSum ? dimensions.size : 0;
    const isBare = this.#verdict === undefined && this.#facts.length === 0 && this.#others.length === 0;
    this.#isPlain = isBare && !packing.isSum && dimensions.size === FIRST_EXTRA;
  }

  /** What was found so far, or a clean board. */
  get #findings(): Board {
    if (this.#board !== undefined) return this.#board;
    const { packing, shapes } = this.slots;
    const board = this.slots.board();
    board.known = -1;
    for (let s = 0; s < shapes.length; s++) {
      if (s === 0 || this.#stride > 0) packing.asked(this.#limit, shapes[s] as Shape, board.asked, s * this.#stride);
      const { constant, depth } = packing.terms(this.#limit, shapes[s] as Shape);
      board.constant[s] = constant;
      board.depth[s] = depth;
    }
    this.#board = board;
    return board;
  }

  /** Forgets what was found: nobody is going to ask again soon. */
  release(): void {
    if (this.#board !== undefined) this.slots.giveBack(this.#board);
    this.#board = undefined;
  }

  /** The best slot, or less than zero. */
  best(filter: Filter): number {
    if (this.#impossible || this.slots.places.length === 0) return NOWHERE;
    this.slots.flush();
    const board = this.#findings;
    this.#forget(board);
    this.#bounds(board);
    const { sampling } = this.#shortcuts;
    return sampling === undefined ? this.#exact(board, filter) : this.#sampled(board, sampling, filter);
  }

  /** Begins where most is promised: what is found there spares most of the rest. */
  #exact(board: Board, filter: Filter): number {
    const { tops, values, found } = board;
    const { size } = this.slots.blocks;
    const rows = Math.ceil(size / ROW);
    let lead = 0;
    for (let row = 1; row < rows; row++) if ((tops[row] as number) > (tops[lead] as number)) lead = row;
    let best = NONE;
    let at = NOWHERE;
    for (let k = -1; k < rows; k++) {
      const row = k < 0 ? lead : k;
      if ((tops[row] as number) < best || tops[row] === NONE) continue;
      const to = Math.min(size, (row + 1) * ROW);
      for (let j = -1; j < to - row * ROW; j++) {
        const b = j < 0 ? highestIn(values, row * ROW, to) : row * ROW + j;
        if ((values[b] as number) < best || !this.#isWorth(board, b, best, at)) continue;
        this.#resolve(board, b, best, filter);
        if ((found[b] as number) < 0 || !this.#isWorth(board, b, best, at)) continue;
        best = values[b] as number;
        at = found[b] as number;
      }
      board.top(row, size);
    }
    return at;
  }

  #sampled(board: Board, { enough, random }: Sampling, filter: Filter): number {
    const { size, counts } = this.slots.blocks;
    const first = Math.floor(random() * size);
    let [best, at, seen] = [NONE, NOWHERE, 0];
    for (let k = 0; k < size && (at < 0 || seen < enough); k++) {
      const b = (first + k) % size;
      if (board.values[b] === NONE) continue;
      this.#resolve(board, b, NONE, filter);
      seen += counts[b] as number;
      if ((board.found[b] as number) < 0 || !this.#isWorth(board, b, best, at)) continue;
      best = board.values[b] as number;
      at = board.found[b] as number;
    }
    return at;
  }

  /** The best among some slots only. */
  bestOf(slots: Iterable<number>, filter: Filter): number {
    if (this.#impossible) return NOWHERE;
    this.slots.flush();
    let [best, at] = [NONE, NOWHERE];
    for (const i of slots) {
      this.looks += 1;
      const value = this.valueOf(i);
      if (value < best || value === NONE || (value === best && i > at)) continue;
      if (filter(this.slots.places[i] as Place)) [best, at] = [value, i];
    }
    return at;
  }

  /** The score of one slot; minus infinity: it is not feasible as it is. */
  valueOf(i: number): number {
    if (!this.#hasSpace(this.#view.rows, this.#rowOf(i))) return NONE;
    const value = this.#base(i);
    return value === NONE ? NONE : this.#settled(i, value);
  }

  /** What of the score does not depend on room: for places that victims are needed for. */
  standing(i: number): number {
    const points = this.#points(i);
    return points === NONE ? NONE : points - this.#spread(i);
  }

  /** What the score of a feasible slot is made of. */
  parts(i: number): Score {
    const { slots } = this;
    const preference = this.#verdict === undefined ? 0 : PREFERENCE_POINTS * (this.#verdict[slots.traitOf[i] as number] as number);
    const { rows } = this.#view;
    const row = this.#rowOf(i);
    const packing = 0 - PACKING_POINTS * this.#cost(this.#findings, slots.shapeOf[i] as number, rows, row);
    return {
      total: this.valueOf(i),
      preference,
      ...said(this.#facts, this.#costs, i, slots.places[i] as Place),
      packing,
      mix: this.#mix(rows[row + MIX] as number),
      spread: 0 - this.#spread(i),
    };
  }

  /** Whether a block's value, exact or not, would be the best so far. */
  #isWorth(board: Board, b: number, best: number, at: number): boolean {
    const value = board.values[b] as number;
    if (value !== best) return value > best;
    if (value === NONE) return false;
    const found = board.found[b] as number;
    return (found >= 0 ? found : (this.slots.blocks.first[b] as number)) < at;
  }

  #forget(board: Board): void {
    const losses = this.#tally?.losses ?? 0;
    if (this.#shortcuts.cache && losses === this.#losses) return;
    this.#losses = losses;
    board.known = -1;
  }

  /** Brings every block that changed up to date, as far as bounds go. */
  #bounds(board: Board): void {
    const { blocks } = this.slots;
    const changed = board.known < 0 ? undefined : blocks.changedSince(board.known);
    board.known = blocks.now;
    if (changed === undefined) {
      board.begin(blocks.versions, blocks.size);
      for (let b = 0; b < blocks.size; b++) board.values[b] = this.#hope(board, b);
      for (let row = 0; row * ROW < blocks.size; row++) board.top(row, blocks.size);
      return;
    }
    for (const b of changed) {
      if (board.seen[b] === blocks.versions[b]) continue;
      this.#bring(board, b);
      board.raise(b);
    }
  }

  #bring(board: Board, b: number): void {
    board.values[b] = this.#hope(board, b);
    board.seen[b] = this.slots.blocks.versions[b] as number;
    board.found[b] = UNKNOWN;
  }

  #hope(board: Board, b: number): number {
    return this.#shortcuts.blocks ? this.#bound(board, b) : Number.POSITIVE_INFINITY;
  }

  /** No place of the block has a higher score. */
  #bound(board: Board, b: number): number {
    const { bounds, width } = this.#view;
    const at = b * width;
    if (!this.#hasSpace(bounds, at)) return NONE;
    let points = 0;
    if (this.#groupVerdict !== undefined) {
      const group = this.slots.blocks.group[b] as number;
      const share = group < 0 ? 1 : (this.#groupVerdict[group] as number);
      if (share < 0) return NONE;
      points = PREFERENCE_POINTS * share;
    }
    // All that a place could have, in the order of #points: then the bound is rounded as the scores are.
    for (let k = 0; k < this.#facts.length; k++) points += (this.#facts[k] as FactOpinion).points;
    const shape = this.slots.blocks.shape[b] as number;
    const least = shape >= 0 ? this.#cost(board, shape, bounds, at) : this.#leastCost(board, at);
    return points + this.#mix(bounds[at + MIX] as number) - PACKING_POINTS * least;
  }

  #leastCost(board: Board, at: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let shape = 0; shape < this.slots.shapes.length; shape++) least = Math.min(least, this.#cost(board, shape, this.#view.bounds, at));
    return least;
  }

  /** Looks into a block, unless what is known of it is exact. Spread only ever lowers a score: what was exact is a bound afterwards. */
  #resolve(board: Board, b: number, best: number, filter: Filter): void {
    const revision = this.#tally?.revision ?? 0;
    if ((board.found[b] as number) !== UNKNOWN && board.revisions[b] === revision) return;
    board.revisions[b] = revision;
    this.#scan(board, b, best, filter);
  }

  /** Places that are worse than `floor` even before spread need not be told apart: what is left is a bound. */
  #scan(board: Board, b: number, floor: number, filter: Filter): void {
    const { places, blocks, scores } = this.slots;
    const { members, counts } = blocks;
    const from = b * BLOCK;
    const count = counts[b] as number;
    if (this.#isPlain) this.#scorePlainly(board, from, count);
    else this.#score(board, from, count);
    let best = floor;
    let at = NOWHERE;
    let most = NONE;
    for (let k = 0; k < count; k++) {
      const value = scores[k] as number;
      if (value === NONE) continue;
      const i = members[from + k] as number;
      const isBehind = value < best || (value === best && at >= 0 && i > at);
      const settled = isBehind ? value : this.#settled(i, value);
      if (isBehind || settled < best || (settled === best && at >= 0 && i > at)) {
        if (settled > most) most = settled;
      } else if (settled !== NONE && filter(places[i] as Place)) {
        best = settled;
        at = i;
      }
    }
    this.looks += count;
    board.values[b] = at >= 0 ? best : most;
    board.found[b] = at >= 0 ? at : most === NONE ? NOWHERE : UNKNOWN;
  }

  /** Scores before spread of some places that stand together; minus infinity: not feasible. */
  #score(board: Board, from: number, count: number): void {
    const { shapeOf, blocks, scores } = this.slots;
    const { rows, width } = this.#view;
    for (let k = 0; k < count; k++) {
      const row = (from + k) * width;
      const i = blocks.members[from + k] as number;
      const points = this.#hasSpace(rows, row) ? this.#points(i) : NONE;
      const cost = points === NONE ? 0 : this.#cost(board, shapeOf[i] as number, rows, row);
      scores[k] = points + this.#mix(rows[row + MIX] as number) - PACKING_POINTS * cost;
    }
  }

  /** The same for most tasks: cpu and ram are all that counts. Nothing is called here: it is what a scheduler does most. */
  #scorePlainly(board: Board, from: number, count: number): void {
    const { shapeOf, blocks, scores } = this.slots;
    const { members } = blocks;
    const { rows, width } = this.#view;
    const { asked, constant, depth } = board;
    const [cpu, ram] = [this.#limit[CPU] as number, this.#limit[RAM] as number];
    const [cpuPart, ramPart] = [asked[CPU] as number, asked[RAM] as number];
    const [weight, scale] = [this.#weight, this.#mixScale];
    for (let k = 0; k < count; k++) {
      const row = (from + k) * width;
      scores[k] = NONE;
      if ((rows[row + CPU_ROOM] as number) < cpu || (rows[row + RAM_ROOM] as number) < ram) continue;
      const shape = shapeOf[members[from + k] as number] as number;
      let deepest = cpuPart - (rows[row + CPU_SURPLUS] as number);
      const ofRam = ramPart - (rows[row + RAM_SURPLUS] as number);
      if (ofRam > deepest) deepest = ofRam;
      let mix = (rows[row + MIX] as number) * scale;
      if (mix > MIX_POINTS) mix = MIX_POINTS;
      scores[k] =
        mix - PACKING_POINTS * (weight * (rows[row + SUM] as number) + (depth[shape] as number) * deepest + (constant[shape] as number));
    }
  }

  /** Where a slot's row begins. */
  #rowOf(i: number): number {
    return (this.slots.blocks.rowOf[i] as number) * this.#view.width;
  }

  /** Of a place, or of the best of a block. */
  #hasSpace(rows: Float64Array, row: number): boolean {
    if ((rows[row + CPU_ROOM] as number) < (this.#limit[CPU] as number)) return false;
    if ((rows[row + RAM_ROOM] as number) < (this.#limit[RAM] as number)) return false;
    return this.#others.length === 0 || this.#hasOthers(rows, row);
  }

  #hasOthers(rows: Float64Array, row: number): boolean {
    const columns = this.#columns;
    const others = this.#others;
    for (let k = 0; k < columns.length; k++) if ((rows[row + (columns[k] as number)] as number) < (others[k] as number)) return false;
    return true;
  }

  /** Everything but spread, of a place with room. */
  #base(i: number): number {
    const points = this.#points(i);
    if (points === NONE) return NONE;
    const { rows } = this.#view;
    const row = this.#rowOf(i);
    const cost = this.#cost(this.#findings, this.slots.shapeOf[i] as number, rows, row);
    return points + this.#mix(rows[row + MIX] as number) - PACKING_POINTS * cost;
  }

  /** Preference and facts; minus infinity: a hard constraint is not met. */
  #points(i: number): number {
    let points = 0;
    if (this.#verdict !== undefined) {
      const share = this.#verdict[this.slots.traitOf[i] as number] as number;
      if (share < 0) return NONE;
      points = PREFERENCE_POINTS * share;
    }
    for (let k = 0; k < this.#facts.length; k++) points += partOf(this.#facts[k] as FactOpinion, i);
    return points;
  }

  /** With spread, and with what only few places are asked for: whether ports are free by number, cost terms, and whether a task of the job is there. */
  #settled(i: number, before: number): number {
    const tally = this.#tally;
    const { limit } = this.need;
    if (limit.ports > 0 && limit.ports > freePorts(this.slots.places[i] as Place)) return NONE;
    const value = this.#costs.length === 0 ? before : this.#less(i, before);
    if (value === NONE || tally === undefined) return value;
    const here = tally.onMachine(this.slots.machineOf[i] as number);
    return this.need.hardSpread && isTaken(this.slots, this.need, tally, i, here) ? NONE : value - this.#spreadWith(tally, i, here);
  }

  /** A cost without end leaves minus infinity: not feasible. */
  #less(i: number, value: number): number {
    const place = this.slots.places[i] as Place;
    for (const { points, cost } of this.#costs) value -= points * cost(place);
    return value;
  }

  #spread(i: number): number {
    const tally = this.#tally;
    return tally === undefined ? 0 : this.#spreadWith(tally, i, tally.onMachine(this.slots.machineOf[i] as number));
  }

  #spreadWith(tally: Tally, i: number, here: number): number {
    const { rackOf, powerOf } = this.slots;
    return spreadCost(this.need, here, tally.inRack(rackOf[i] as number), tally.inPower(powerOf[i] as number));
  }

  #mix(part: number): number {
    const points = part * this.#mixScale;
    return points > MIX_POINTS ? MIX_POINTS : points;
  }

  /** Of a place, or with the bounds of a block of the best that could be in it: every step is monotone, also in its rounding. */
  #cost(board: Board, s: number, rows: Float64Array, row: number): number {
    const { asked, constant, depth } = board;
    const extras = row + this.#view.extrasColumn - FIRST_EXTRA;
    const cpu = rows[row + CPU_SURPLUS] as number;
    const ram = rows[row + RAM_SURPLUS] as number;
    if (this.#stride > 0) {
      const at = s * this.#stride;
      let cost = 0 - (asked[at + CPU] as number) * cpu - (asked[at + RAM] as number) * ram;
      for (let d = FIRST_EXTRA; d < this.#limit.length; d++) cost -= (asked[at + d] as number) * (rows[extras + d] as number);
      return cost;
    }
    let deepest = (asked[CPU] as number) - cpu;
    const ofRam = (asked[RAM] as number) - ram;
    if (ofRam > deepest) deepest = ofRam;
    for (let d = FIRST_EXTRA; d < this.#limit.length; d++) {
      const extra = (asked[d] as number) - (rows[extras + d] as number);
      if (extra > deepest) deepest = extra;
    }
    return this.#weight * (rows[row + SUM] as number) + (depth[s] as number) * deepest + (constant[s] as number);
  }
}

function highestIn(values: Float64Array, from: number, to: number): number {
  let highest = from;
  for (let b = from + 1; b < to; b++) if ((values[b] as number) > (values[highest] as number)) highest = b;
  return highest;
}
