/**
 * Packing (Borg §3.2): what it costs to put a task on a place, as far as what is left over is concerned. Lower is better.
 *
 * - `best-fit`: as little as possible is left over. Tight, and unkind to those whose estimates were wrong.
 * - `e-pvm`: worst fit; every resource costs more the fuller it is, and the sum of all such costs should rise least (Borg §3.2 on E-PVM).
 * - `hybrid`: as little as possible is stranded. What is stranded of a resource is how much more of it is free than of the scarcest one;
 *   the cost is by how much that grows, and a little for everything that stays free. Amounts are parts of the cell's mean machine, not of
 *   the machine's own: a core is worth the same wherever it is. And they are in the proportions in which the cell's work asks for them: of a
 *   resource that is asked for half as much as another, half a part does where the other needs a whole one. So what is lost by a placement is
 *   room for the work there is: where one resource is what everybody lacks, places differ only in what stays free, as in best fit
 *   (docs/decisions/0037-room-is-worth-what-is-asked-for.md).
 *
 * Every policy is written as features of a place, kept until the place changes, and constants of a task, found once for each shape of
 * machine: cost = weight x sum + depth x max(asked - surplus) + constant, or for e-pvm the sum of asked x surplus. A cost only falls when
 * `sum` falls or a surplus rises; so the smallest sum and the largest surpluses of a block of places give a bound for all of them.
 */

import type { Vector } from "../../base/vector.ts";
import { CPU, DISK, type Dimensions, FIRST_EXTRA, RAM } from "../mirror/dimensions.ts";

export const POLICIES = ["hybrid", "best-fit", "e-pvm"] as const;
export type Policy = (typeof POLICIES)[number];

/** What everything that stays free costs against what is stranded. */
const FREE_WEIGHT = 0.07;
/** E-PVM: how much dearer a full resource is than an empty one. */
const EPVM_BASE = 10;

/** Machines of the same capacity have one shape. */
export interface Shape {
  readonly capacity: readonly number[];
  /** Dimensions beside cpu and ram that count in packing: the devices it has. */
  readonly extras: readonly number[];
}

export function shapeOf(dimensions: Dimensions, capacity: Vector): Shape {
  const amounts = dimensions.amounts(capacity);
  const extras: number[] = [];
  for (let d = FIRST_EXTRA; d < amounts.length; d++) if ((amounts[d] as number) > 0) extras.push(d);
  return { capacity: amounts, extras };
}

/** Constants of one task for one shape. */
export interface ScoreTerms {
  readonly constant: number;
  readonly depth: number;
}

export class Packing {
  readonly policy: Policy;
  /** What one unit of a dimension is worth: parts of the cell's mean machine (of those that have any). */
  readonly unit: readonly number[];
  readonly weight: number;
  /** The cost is a sum over dimensions, not a maximum. */
  readonly isSum: boolean;

  constructor(policy: Policy, unit: readonly number[]) {
    this.policy = policy;
    this.unit = unit;
    this.weight = policy === "hybrid" ? FREE_WEIGHT : policy === "best-fit" ? 1 : 0;
    this.isSum = policy === "e-pvm";
  }

  /** Writes the surplus of each dimension that counts, and returns the sum. What is free stands in `free` from `at` on. */
  features({ capacity, extras }: Shape, free: Float64Array, at: number, surplus: number[]): number {
    if (this.policy === "best-fit") return leftOver(capacity, extras, free, at);
    if (this.policy === "e-pvm") {
      for (const d of [CPU, RAM, ...extras]) surplus[d] = -(EPVM_BASE ** usedPart(capacity[d] as number, free[at + d] as number));
      return 0;
    }
    return this.#stranded(extras, free, at, surplus);
  }

  /** A device that the machine does not have is never what is scarce. */
  #stranded(extras: readonly number[], free: Float64Array, at: number, surplus: number[]): number {
    for (let d = FIRST_EXTRA; d < surplus.length; d++) surplus[d] = Number.POSITIVE_INFINITY;
    const cpu = (free[at + CPU] as number) * (this.unit[CPU] as number);
    const ram = (free[at + RAM] as number) * (this.unit[RAM] as number);
    let sum = cpu + ram;
    let least = Math.min(cpu, ram);
    surplus[CPU] = cpu;
    surplus[RAM] = ram;
    for (const d of extras) {
      const part = (free[at + d] as number) * (this.unit[d] as number);
      surplus[d] = part;
      sum += part;
      least = Math.min(least, part);
    }
    surplus[CPU] -= least;
    surplus[RAM] -= least;
    for (const d of extras) surplus[d] = (surplus[d] as number) - least;
    return sum;
  }

  /** Writes what a task asks for in the units of surplus, by dimension; for e-pvm it depends on the shape. */
  asked(limit: readonly number[], { capacity, extras }: Shape, asked: Float64Array, at: number): void {
    asked.fill(0, at, at + limit.length);
    if (this.policy === "hybrid") for (let d = 0; d < limit.length; d++) asked[at + d] = (limit[d] as number) * (this.unit[d] as number);
    if (this.policy === "e-pvm")
      for (const d of [CPU, RAM, ...extras]) asked[at + d] = EPVM_BASE ** part(limit[d] as number, capacity[d] as number) - 1;
  }

  terms(limit: readonly number[], { capacity, extras }: Shape): ScoreTerms {
    if (this.policy === "best-fit") return { constant: -leftOver(capacity, extras, limit), depth: 0 };
    if (this.policy === "e-pvm") return { constant: 0, depth: 0 };
    let sum = (limit[CPU] as number) * (this.unit[CPU] as number) + (limit[RAM] as number) * (this.unit[RAM] as number);
    for (let k = 0; k < extras.length; k++) sum += (limit[extras[k] as number] as number) * (this.unit[extras[k] as number] as number);
    return { constant: -sum - FREE_WEIGHT * sum, depth: 2 + extras.length };
  }
}

/** The mean over dimensions of the part of each that `free` is, from `at` on. */
function leftOver(capacity: readonly number[], extras: readonly number[], free: ArrayLike<number>, at = 0): number {
  let sum = part(free[at + CPU] as number, capacity[CPU] as number) + part(free[at + RAM] as number, capacity[RAM] as number);
  sum += part(free[at + DISK] as number, capacity[DISK] as number);
  for (const d of extras) sum += part(free[at + d] as number, capacity[d] as number);
  return sum / (3 + extras.length);
}

const part = (amount: number, whole: number): number => (whole === 0 ? 0 : amount / whole);

const usedPart = (capacity: number, free: number): number => (capacity === 0 ? 0 : 1 - free / capacity);
