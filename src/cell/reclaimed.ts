/**
 * Which work runs in reclaimed resources (Borg §5.5). On a machine, tasks line up: the highest priority first, among equals the one that was placed first. Each
 * takes its limit from what the machine has; the part of a limit for which there is nothing left has room only because those before it use less than theirs. The
 * limits of prod together never exceed a machine, so prod has no such part unless its machine has shrunk.
 */
import { DIMENSIONS, type Dimension, MEASURES } from "../base/dimension.ts";
import { compareIds } from "../base/id.ts";
import { plus, type Vector, vectorOf, ZERO } from "../base/vector.ts";
import { counts } from "./place.ts";
import type { Instance, Machine } from "./state.ts";

export interface Share {
  readonly instance: Instance;
  /** Of its limit; only of what can be lent. */
  readonly reclaimed: Vector;
}

/** Of everything that stands on a machine, with allocs as one. */
export function sharesOf({ place }: Machine): readonly Share[] {
  const line = [...place.occupants.values()].filter(counts).sort(inLine);
  let before = ZERO;
  return line.map((instance) => {
    const after = plus(before, instance.limit);
    const beyond = (dimension: Dimension): number =>
      MEASURES[dimension].lent ? Math.min(instance.limit[dimension], Math.max(0, after[dimension] - place.capacity[dimension])) : 0;
    before = after;
    return { instance, reclaimed: vectorOf(beyond) };
  });
}

const inLine = (a: Instance, b: Instance): number => b.priority - a.priority || a.placedMs - b.placedMs || compareIds(a.id, b.id);

/**
 * How much of the work runs in reclaimed resources, from 0 to 1: a task with any part there counts with its whole limit, because half a task does not run; cpu and
 * ram together, each as a part of the cell.
 */
export function partInReclaimed(inReclaimed: Sized, limit: Sized, cell: Sized): number {
  const all = ofBoth(limit, cell);
  return all === 0 ? 0 : ofBoth(inReclaimed, cell) / all;
}

type Sized = Pick<Vector, "cpu" | "ram">;

const ofBoth = (amount: Sized, cell: Sized): number => amount.cpu / Math.max(1, cell.cpu) + amount.ram / Math.max(1, cell.ram);

export const isSome = (vector: Vector): boolean => DIMENSIONS.some((dimension) => vector[dimension] > 0);
