/**
 * A lower bound of the part of a cell's machines that its work needs, whoever packs it: work may be cut into pieces of any size here, but each piece
 * goes only where its whole task would fit on an empty machine.
 *
 * Every price list gives a bound (the dual of a linear program): let a unit of each resource on each kind of machine cost something, all machines
 * together 1. A task costs at least what it asks for on the kind where that is cheapest, so all tasks together cost at least the sum, and a part of
 * the cell smaller than that sum cannot be worth it. The list is made better step by step: what would be asked for most becomes dearer. Whichever
 * list was best counts, so that the bound is right wherever the steps end.
 */

import { keyOf } from "../../src/base/vector.ts";
import { isHardSpread, limitOf } from "../../src/cell/spec.ts";
import type { CellState, Job } from "../../src/cell/state.ts";
import type { Dimensions } from "../../src/scheduler/mirror/dimensions.ts";
import { dimensionsOf, expectHomes, fitting, type Kind, kindsOf } from "./kinds.ts";

const STEPS = 400;
/** How far a price moves in the first step; after as many steps as the second says it is half of that. */
const FIRST_RATE = 0.3;
const RATE_STEPS = 10;
/** Against the price of the resource with which a climb begins: that of the others. */
const FAINT = 1e-4;

interface TaskClass {
  readonly limit: readonly number[];
  /** Kinds that would take one of its tasks while empty. */
  readonly kinds: readonly number[];
  count: number;
}

/** The part of the machines, 0 and more. Up to `pendingPart` of the tasks may be left out. Refused when more than may wait fit nowhere. */
export function lowerBound(state: CellState, pendingPart: number): number {
  expectHomes(state, pendingPart);
  const dimensions = dimensionsOf(state);
  const kinds = kindsOf(state, dimensions);
  const classes = new Map<string, TaskClass>();
  let tasks = 0;
  for (const job of state.jobs.values()) tasks += gather(job, kinds, dimensions, classes);
  const spare = Math.floor(tasks * pendingPart);
  const all = [...classes.values()];
  const homeless = all.filter((each) => each.kinds.length === 0).reduce((sum, { count }) => sum + count, 0);
  const byPrice = new Prices(kinds, dimensions.size).best(
    all.filter((each) => each.kinds.length > 0),
    spare - homeless,
  );
  return Math.max(byPrice, bySpread(state, kinds, dimensions, spare));
}

/** Adds a job's tasks to their classes, and says how many they are. */
function gather(job: Job, kinds: readonly Kind[], dimensions: Dimensions, classes: Map<string, TaskClass>): number {
  const own = new Map<string, TaskClass>();
  for (const { index } of job.tasks) {
    const vector = limitOf(job, index);
    const key = keyOf(vector);
    let found = own.get(key);
    if (found === undefined) {
      const limit = dimensions.amounts(vector);
      const able = dimensions.knows(vector) ? fitting(job, limit, kinds) : [];
      const shared = `${key}\n${able.join(" ")}`;
      found = classes.get(shared) ?? { limit, kinds: able, count: 0 };
      classes.set(shared, found);
      own.set(key, found);
    }
    found.count += 1;
  }
  return job.tasks.length;
}

/** A job with no two tasks on a machine needs as many machines that fit one. */
function bySpread(state: CellState, kinds: readonly Kind[], dimensions: Dimensions, spare: number): number {
  let most = 0;
  for (const job of state.jobs.values()) {
    if (!isHardSpread(job) || job.wants.overrides.length > 0) continue;
    const able = fitting(job, dimensions.amounts(job.limit), kinds).reduce((sum, k) => sum + (kinds[k] as Kind).count, 0);
    if (able > 0) most = Math.max(most, (job.tasks.length - spare) / able);
  }
  return most;
}

class Prices {
  readonly #kinds: readonly Kind[];
  readonly #size: number;
  /** What all machines of a kind cost in a dimension: 1 in sum. */
  #weights: Float64Array;

  constructor(kinds: readonly Kind[], size: number) {
    this.#kinds = kinds;
    this.#size = size;
    this.#weights = new Float64Array(kinds.length * size);
  }

  /** Begins with each resource as the one that everything costs: often one alone is what a cell lacks. */
  best(classes: readonly TaskClass[], spare: number): number {
    let best = 0;
    for (let scarce = 0; scarce < this.#size; scarce++) {
      if (this.#kinds.every(({ capacity }) => capacity[scarce] === 0)) continue;
      this.#weights = new Float64Array(this.#weights.length);
      for (const [k, { capacity, count }] of this.#kinds.entries())
        for (let d = 0; d < this.#size; d++) {
          const whole = (capacity[d] as number) * count;
          this.#weights[k * this.#size + d] = (d === scarce ? 1 : FAINT) * (whole / this.#total(d));
        }
      best = Math.max(best, this.#climb(classes, spare));
    }
    return best;
  }

  #total(d: number): number {
    return Math.max(
      1,
      this.#kinds.reduce((sum, { capacity, count }) => sum + (capacity[d] as number) * count, 0),
    );
  }

  #climb(classes: readonly TaskClass[], spare: number): number {
    const loads = new Float64Array(this.#weights.length);
    let best = 0;
    for (let step = 0; step < STEPS; step++) {
      this.#normalise();
      const bound = this.#sum(classes, spare, loads);
      best = Math.max(best, bound);
      const rate = FIRST_RATE / (1 + step / RATE_STEPS) / Math.max(bound, 1e-9);
      this.#weights = this.#weights.map((weight, i) => weight * Math.exp(Math.min(0.5, rate * (loads[i] as number))));
    }
    return best;
  }

  #normalise(): void {
    const sum = this.#weights.reduce((total, weight) => total + weight, 0);
    this.#weights = this.#weights.map((weight) => weight / sum);
  }

  /** The bound of these prices. `loads`: for each kind and dimension what would be asked there, of all of it. */
  #sum(classes: readonly TaskClass[], spare: number, loads: Float64Array): number {
    loads.fill(0);
    const rated = classes.map(({ limit, kinds, count }) => ({ limit, count, ...this.#cheapest(limit, kinds) }));
    rated.sort((a, b) => b.price - a.price);
    let [left, bound] = [spare, 0];
    for (const { limit, count, kind, price } of rated) {
      const counted = Math.max(0, count - left);
      left = Math.max(0, left - count);
      bound += counted * price;
      const { capacity, count: machines } = this.#kinds[kind] as Kind;
      for (let d = 0; d < this.#size; d++) {
        const whole = (capacity[d] as number) * machines;
        if (whole > 0) loads[kind * this.#size + d] = (loads[kind * this.#size + d] as number) + (counted * (limit[d] as number)) / whole;
      }
    }
    return bound;
  }

  #cheapest(limit: readonly number[], kinds: readonly number[]): { readonly kind: number; readonly price: number } {
    let [kind, price] = [0, Number.POSITIVE_INFINITY];
    for (const k of kinds) {
      const { capacity, count } = this.#kinds[k] as Kind;
      let sum = 0;
      for (let d = 0; d < this.#size; d++) {
        const weight = this.#weights[k * this.#size + d] as number;
        if (weight > 0 && (limit[d] as number) > 0) sum += (weight * (limit[d] as number)) / ((capacity[d] as number) * count);
      }
      if (sum < price) [kind, price] = [k, sum];
    }
    return { kind, price };
  }
}
