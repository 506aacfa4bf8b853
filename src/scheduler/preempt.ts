/**
 * Preemption (Borg §3.2): who has to go so that a task fits. Lowest priority first until it fits, those above their memory limit before
 * all; then whoever turned out not to be needed is spared. The caller asks only when no place fits without.
 */
import { compareIds } from "../base/id.ts";
import { mayEvict } from "../cell/band.ts";
import type { Instance, Place } from "../cell/state.ts";
import { isPlaced } from "../cell/task.ts";
import { type Freed, freedBy, freeing, hasRoom, type Need, NOTHING_FREED, withinCap } from "./feasible.ts";
import type { Mirror } from "./mirror.ts";

/** A claim's message holds no more. */
export const VICTIMS_MAX = 1024;

export interface Preemption {
  readonly victims: readonly Instance[];
  /** The highest priority that has to go; -1 if all are above their memory limit. */
  readonly highest: number;
  /** Instances that stop, those inside allocs too, and the sum of their priorities. */
  readonly instances: number;
  readonly priorities: number;
}

/** The victims that make room at a place; undefined: no allowed ones do. */
export function victimsAt(mirror: Mirror, need: Need, place: Place): Preemption | undefined {
  const allowed: Instance[] = [];
  for (const occupant of place.occupants.values()) if (mayGo(mirror, need, occupant)) allowed.push(occupant);
  const victims = enough(mirror, need, place, allowed.sort(goesFirst));
  return victims === undefined ? undefined : spare(mirror, need, place, victims);
}

/** A claim under way cannot be a victim (its task is still pending), nor an alloc that one goes into: the cell does not know of it yet. */
function mayGo(mirror: Mirror, need: Need, occupant: Instance): boolean {
  if (occupant.stop !== undefined || !isPlaced(occupant.task.state) || !mayEvict(need.job.priority, occupant)) return false;
  for (const inner of occupant.inside?.occupants.values() ?? []) if (mirror.isPlanned(inner)) return false;
  return true;
}

const fits = (mirror: Mirror, need: Need, place: Place, freed: Freed): boolean =>
  hasRoom(need, place, freed) && withinCap(mirror, need.limit, freed);

/** Above their memory limit, then the lowest priority, then the youngest: it loses least. */
function goesFirst(a: Instance, b: Instance): number {
  return Number(b.overRam) - Number(a.overRam) || a.priority - b.priority || b.placedMs - a.placedMs || compareIds(a.id, b.id);
}

/** The shortest beginning of `ordered` that makes room; undefined: not even all of them do, or not so many that a claim can name them. */
function enough(mirror: Mirror, need: Need, place: Place, ordered: readonly Instance[]): readonly Instance[] | undefined {
  let freed = NOTHING_FREED;
  for (let taken = 0; taken < Math.min(ordered.length, VICTIMS_MAX); taken++) {
    freed = freeing(freed, ordered[taken] as Instance, mirror.name);
    if (fits(mirror, need, place, freed)) return ordered.slice(0, taken + 1);
  }
  return undefined;
}

/** Spares the highest priority first; whoever is left is needed. */
function spare(mirror: Mirror, need: Need, place: Place, ordered: readonly Instance[]): Preemption {
  let victims = ordered;
  for (let i = ordered.length - 1; i >= 0; i--) {
    const fewer = victims.filter((victim) => victim !== ordered[i]);
    if (fits(mirror, need, place, freedBy(fewer, mirror.name))) victims = fewer;
  }
  return measured(victims);
}

function measured(victims: readonly Instance[]): Preemption {
  let [highest, instances, priorities] = [-1, 0, 0];
  for (const victim of victims) {
    if (!victim.overRam) highest = Math.max(highest, victim.priority);
    instances += 1;
    priorities += victim.priority;
    for (const inner of victim.inside?.occupants.values() ?? []) {
      instances += 1;
      priorities += inner.priority;
    }
  }
  return { victims, highest, instances, priorities };
}

/** Less than zero: `a` hurts less. The lowest priorities, then the fewest. */
export function compareHarm(a: Preemption, b: Preemption): number {
  return a.highest - b.highest || a.instances - b.instances || a.priorities - b.priorities;
}
