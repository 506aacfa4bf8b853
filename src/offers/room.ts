/** What of a machine could be offered: the judge's own sums, asked of its record. Nothing here is held on to. */
import { lowest, rest, type Vector, ZERO } from "../base/vector.ts";
import { isOver } from "../cell/place.ts";
import type { Machine } from "../cell/state.ts";
import { countOf, NO_RANGES, type PortRange, type Ranges, rangesOf, without } from "./ranges.ts";

export interface Room {
  /** What prod may be given: by limits, so that it never stands on reclaimed resources. */
  readonly byLimits: Vector;
  /** What anybody may be given: by reservations. */
  readonly byReservations: Vector;
  /** Port numbers that nobody holds; both vectors have no more ports than these are. */
  readonly ports: Ranges;
}

export const NO_ROOM: Room = { byLimits: ZERO, byReservations: ZERO, ports: NO_RANGES };

/** A machine that is not up, drains or is over its capacity has no room. */
export function roomOf(machine: Machine): Room {
  const { place } = machine;
  if (!machine.reachable || machine.draining || isOver(place)) return NO_ROOM;
  const ports = freeRanges(machine);
  const count = countOf(ports);
  const capped = (vector: Vector): Vector => ({ ...vector, ports: Math.min(vector.ports, count) });
  const byReservations = capped(rest(place.capacity, place.reserved));
  // A launch names no victims, so prod needs room by reservations too.
  return { byLimits: lowest(rest(place.capacity, place.prodLimit), byReservations), byReservations, ports };
}

/** A victim keeps its ports until it is gone. */
function freeRanges({ place, facts }: Machine): Ranges {
  const { ports } = place.capacity;
  if (ports === 0) return NO_RANGES;
  const all: PortRange[] = [{ begin: facts.portFirst, end: facts.portFirst + ports - 1 }];
  const held: number[] = [];
  for (const { ports: numbers } of place.occupants.values()) held.push(...numbers);
  return held.length === 0 ? all : without(all, rangesOf(held));
}
