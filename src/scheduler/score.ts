/**
 * Scoring (Borg §3.2): which of the feasible places is best. Higher is better. A score is a sum of terms in points; what a term is worth
 * stands here and nowhere else. Ties go to the first name.
 */
import { amountOf, type Vector } from "../base/vector.ts";
import { holds } from "../cell/constraint.ts";
import type { Machine, Place } from "../cell/state.ts";
import type { Need } from "./feasible.ts";

/** What the user prefers comes first. */
const PREFERENCE_POINTS = 100;
/** For a job all of whose tasks are on the machine or rack already; a part of it for a part of them. */
const MACHINE_SPREAD_POINTS = 60;
const RACK_SPREAD_POINTS = 30;
/** For a machine that the task would fill to the brim. */
const PACKING_POINTS = 20;

/** All but the rack: `here` tasks of the job are on the machine. */
export function score(need: Need, place: Place, here: number): number {
  const spread = (MACHINE_SPREAD_POINTS * here) / tasksOf(need);
  return PREFERENCE_POINTS * preference(need, place.machine) + PACKING_POINTS * packing(need, place) - spread;
}

/** What it costs that `here` tasks of the job are in the rack, so that one failure does not take them all (§4). */
export const rackCost = (need: Need, here: number): number => (RACK_SPREAD_POINTS * here) / tasksOf(need);

const tasksOf = ({ job }: Need): number => Math.max(job.count, 1);

/** The share of the soft constraints' weight that a machine meets. One without weight weighs 1. */
export function preference(need: Need, machine: Machine): number {
  let [met, all] = [0, 0];
  for (const constraint of need.constraints) {
    if (!constraint.soft) continue;
    const weight = constraint.weight || 1;
    all += weight;
    if (holds(constraint, machine.attributes)) met += weight;
  }
  return all === 0 ? 0 : met / all;
}

/**
 * Best fit: 1 when nothing is left over, less the more is. prod packs by limits, others by reservations, as they are judged.
 * Devices that would be left unused count too, so that those who do not need them stay away.
 */
export function packing(need: Need, place: Place): number {
  const used = need.prod ? place.prodLimit : place.reserved;
  const { limit } = need;
  const { capacity } = place;
  let left = leftOver(used.cpu + limit.cpu, capacity.cpu) + leftOver(used.ram + limit.ram, capacity.ram);
  left += leftOver(used.disk + limit.disk, capacity.disk);
  let dimensions = 3;
  for (const { name, amount } of capacity.extras) {
    left += leftOver(extra(used, name) + extra(limit, name), amount);
    dimensions += 1;
  }
  return 1 - left / dimensions;
}

const extra = (vector: Vector, name: string): number => (vector.extras.length === 0 ? 0 : amountOf(vector, name));

/** A reservation below its limit can make this negative for prod: more than full is just full. */
const leftOver = (used: number, capacity: number): number => (capacity === 0 ? 0 : Math.max(0, capacity - used) / capacity);
