/** What is on a machine or in an alloc: sums over its occupants, its free ports. */
import type { InstanceId, JobId, PlaceId } from "../base/id.ts";
import { fits, minus, plus, type Vector, ZERO } from "../base/vector.ts";
import { isProd } from "../wire/band.ts";
import type { Instance, Machine, Place } from "./state.ts";

/** What it gives out by number. */
type Numbered = Pick<Place, "portNumbers" | "units">;

export function newPlace(id: PlaceId, machine: Machine, capacity: Vector, { portNumbers, units }: Numbered): Place {
  const occupants = new Map<InstanceId, Instance>();
  return { id, machine, capacity, units, portNumbers, portNext: 0, occupants, prodLimit: ZERO, reserved: ZERO };
}

/** A named victim no longer counts: who took its place waits for it (DESIGN: stopping). */
export const counts = (instance: Instance): boolean => instance.stop?.preemptor === undefined;

export function count(instance: Instance): void {
  const place = instance.place;
  if (isProd(instance.priority)) place.prodLimit = plus(place.prodLimit, instance.limit);
  place.reserved = plus(place.reserved, instance.reservation);
}

export function uncount(instance: Instance): void {
  const place = instance.place;
  if (isProd(instance.priority)) place.prodLimit = minus(place.prodLimit, instance.limit);
  place.reserved = minus(place.reserved, instance.reservation);
}

/** Pushed over its capacity by a later event: it takes no claims until it fits again. */
export const isOver = (place: Place): boolean => !fits(place.reserved, place.capacity) || !fits(place.prodLimit, place.capacity);

/** How many ports can be given out by number. Also a victim keeps its ports until it is gone. [KR2] */
export function freePorts(place: Place): number {
  let held = 0;
  for (const occupant of place.occupants.values()) held += occupant.ports.length;
  return place.capacity.ports - held;
}

export function heldPorts(place: Place): ReadonlySet<number> {
  const held = new Set<number>();
  for (const occupant of place.occupants.values()) for (const port of occupant.ports) held.add(port);
  return held;
}

/** Takes `wanted` numbers, going round from where the last search ended. The caller has made sure that there are enough. */
export function takePorts(place: Place, wanted: number): readonly number[] {
  if (wanted === 0) return NO_PORTS;
  const held = heldPorts(place);
  const total = place.capacity.ports;
  const taken: number[] = [];
  for (let looked = 0; looked < total && taken.length < wanted; looked++) {
    const port = portAt(place, place.portNext % total);
    place.portNext = (place.portNext + 1) % total;
    if (!held.has(port)) taken.push(port);
  }
  return taken;
}

const NO_PORTS: readonly number[] = [];

const portAt = (place: Place, index: number): number => place.portNumbers?.[index] ?? place.machine.facts.portFirst + index;

/** Every instance on a machine, those in its allocs too. */
export function* everythingOn(machine: Machine): Generator<Instance> {
  for (const occupant of machine.place.occupants.values()) {
    yield occupant;
    if (occupant.inside !== undefined) yield* occupant.inside.occupants.values();
  }
}

/** Tasks of a job on a machine, for hard spread. */
export function tasksOfJob(machine: Machine, job: JobId, except: ReadonlySet<Instance>): number {
  let found = 0;
  for (const instance of everythingOn(machine)) {
    if (instance.task.job.id === job && counts(instance) && !except.has(instance)) found += 1;
  }
  return found;
}
