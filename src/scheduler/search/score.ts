/**
 * Scoring (Borg §3.2): which of the feasible places is best. Higher is better. A score is a sum of terms in points. A term stands
 * in a file of its own and one line of a table (term.ts, terms.ts); what the others are worth, which are the scan's own, stands here. Ties go to the first name.
 */
import type { Need } from "./feasible.ts";

/** What the user prefers comes first. */
export const PREFERENCE_POINTS = 100;
/** For a job all of whose tasks are on the machine, rack or power domain already; a part of it for a part of them. */
const MACHINE_SPREAD_POINTS = 60;
const RACK_SPREAD_POINTS = 30;
const POWER_SPREAD_POINTS = 15;
/** Times the cost of packing (policy.ts). */
export const PACKING_POINTS = 20;
/** For a machine with as much work of the other kind as the cell has: then high priority can expand into low in a load spike. */
export const MIX_POINTS = 0.2;

/** What a score is made of, in points. */
export interface Score {
  readonly total: number;
  readonly preference: number;
  readonly packing: number;
  readonly mix: number;
  /** What it costs that tasks of the job are there already, so that one failure does not take them all (§4). */
  readonly spread: number;
  /** What each term of the table says, by its name. */
  readonly [term: string]: number;
}

/** What tasks of the job cost that are on the machine, in its rack and in its power domain. */
export function spreadCost({ job }: Need, here: number, inRack: number, inPower: number): number {
  return (MACHINE_SPREAD_POINTS * here + RACK_SPREAD_POINTS * inRack + POWER_SPREAD_POINTS * inPower) / Math.max(job.count, 1);
}
