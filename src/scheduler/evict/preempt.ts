/**
 * Preemption (Borg §3.2): who has to go so that a task fits. Lowest priority first until it fits, those above their memory limit before
 * all; then whoever turned out not to be needed is spared. The caller asks only when no place fits without.
 */
import { compareIds } from "../../base/id.ts";
import { amountOf, lowest, minus, rest, type Vector } from "../../base/vector.ts";
import { mayEvict } from "../../cell/band.ts";
import { mostInUnits, NO_DEVICES } from "../../cell/device.ts";
import type { Instance, Place } from "../../cell/state.ts";
import { isPlaced } from "../../cell/task.ts";
import { isProd } from "../../wire/band.ts";
import type { Mirror } from "../mirror/mirror.ts";
import { Freed, hasSpace, type Need, withinCap } from "../search/feasible.ts";

/** A claim's message holds no more. */
export const VICTIMS_MAX = 1024;

/** What evicting would do, less being better: the highest priority first, then the number, then the priorities taken together. */
export interface Harm {
  /** The highest priority that has to go; -1 if all are above their memory limit. */
  readonly highest: number;
  /** Instances that stop, those inside allocs too, and the sum of their priorities. */
  readonly instances: number;
  readonly priorities: number;
}

export interface Preemption extends Harm {
  readonly victims: readonly Instance[];
}

/** The victims that make room at a place; undefined: no allowed ones do. */
export function victimsAt(mirror: Mirror, need: Need, place: Place): Preemption | undefined {
  const allowed: Instance[] = [];
  for (const occupant of place.occupants.values()) if (mayGo(mirror, need, occupant)) allowed.push(occupant);
  if (!couldFit(need, place, allowed)) return undefined;
  const freed = new Freed(mirror.name);
  const victims = enough(mirror, need, place, allowed.sort(byLoss), freed);
  return victims === undefined ? undefined : measured(spare(mirror, need, place, victims, freed));
}

/**
 * The room that a place would have if everybody went who may be evicted for the task; nothing where it is over-full all the same. Of what comes in units
 * there is as much as one task can have.
 */
export function spaceWithout(mirror: Mirror, need: Need, place: Place): Vector {
  const freed = new Freed(mirror.name);
  for (const occupant of place.occupants.values()) if (mayGo(mirror, need, occupant)) freed.take(occupant);
  const byReservation = rest(place.capacity, minus(place.reserved, freed.reserved));
  const room = need.prod ? lowest(byReservation, rest(place.capacity, minus(place.prodLimit, freed.prodLimit))) : byReservation;
  return place.units === undefined ? room : { ...room, extras: extrasInUnits(room, need, place, freed) };
}

function extrasInUnits({ extras }: Vector, { limit }: Need, place: Place, { victims }: Freed): Vector["extras"] {
  const meanwhile = { gone: (instance: Instance) => victims.has(instance), taken: NO_DEVICES };
  const most = (name: string, amount: number): number => mostInUnits(place, name, amountOf(limit, name), meanwhile) ?? amount;
  return extras.map(({ name, amount }) => ({ name, amount: Math.min(amount, most(name, amount)) })).filter(({ amount }) => amount > 0);
}

/** Whether all of them would be enough in cpu and ram: most places that fail, fail here, and at little cost. */
function couldFit({ limit, prod }: Need, { capacity, reserved, prodLimit }: Place, allowed: readonly Instance[]): boolean {
  let cpu = capacity.cpu - reserved.cpu - limit.cpu;
  let ram = capacity.ram - reserved.ram - limit.ram;
  let cpuByLimit = prod ? capacity.cpu - prodLimit.cpu - limit.cpu : 0;
  let ramByLimit = prod ? capacity.ram - prodLimit.ram - limit.ram : 0;
  for (const victim of allowed) {
    cpu += victim.reservation.cpu;
    ram += victim.reservation.ram;
    if (!isProd(victim.priority)) continue;
    cpuByLimit += victim.limit.cpu;
    ramByLimit += victim.limit.ram;
  }
  return cpu >= 0 && ram >= 0 && cpuByLimit >= 0 && ramByLimit >= 0;
}

/** A claim under way cannot be a victim (its task is still pending), nor an alloc that one goes into: the cell does not know of it yet. */
function mayGo(mirror: Mirror, need: Need, occupant: Instance): boolean {
  if (occupant.stop !== undefined || !isPlaced(occupant.task.state) || !mayEvict(need.face.priority, occupant)) return false;
  for (const inner of occupant.inside?.occupants.values() ?? []) if (mirror.isPlanned(inner)) return false;
  return true;
}

const fits = (mirror: Mirror, need: Need, place: Place, freed: Freed): boolean =>
  hasSpace(mirror, need, place, freed) && withinCap(mirror, need.limit, freed);

/** Above their memory limit, then the lowest priority, then the youngest: it loses least. */
function byLoss(a: Instance, b: Instance): number {
  return Number(b.overRam) - Number(a.overRam) || a.priority - b.priority || b.placedMs - a.placedMs || compareIds(a.id, b.id);
}

/** The shortest beginning of `ordered` that makes room; undefined: not even all of them do, or not so many that a claim can name them. */
function enough(mirror: Mirror, need: Need, place: Place, ordered: readonly Instance[], freed: Freed): readonly Instance[] | undefined {
  for (let taken = 0; taken < Math.min(ordered.length, VICTIMS_MAX); taken++) {
    freed.take(ordered[taken] as Instance);
    if (fits(mirror, need, place, freed)) return ordered.slice(0, taken + 1);
  }
  return undefined;
}

/** Spares the highest priority first; whoever is left is needed. */
function spare(mirror: Mirror, need: Need, place: Place, ordered: readonly Instance[], freed: Freed): readonly Instance[] {
  for (let i = ordered.length - 1; i >= 0; i--) {
    const victim = ordered[i] as Instance;
    freed.giveBack(victim);
    if (!fits(mirror, need, place, freed)) freed.take(victim);
  }
  return ordered.filter((victim) => freed.victims.has(victim));
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
export function compareHarm(a: Harm, b: Harm): number {
  return a.highest - b.highest || a.instances - b.instances || a.priorities - b.priorities;
}
