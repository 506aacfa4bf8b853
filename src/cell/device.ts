/**
 * Devices: extras that a machine has in units, such as four gpus of 1,000 thousandths each. A task has whole units, or a part of one, and is told which.
 * Parts go where the least is left over, so that units that nobody has yet stay whole for those who need whole ones. Who asks for none pays nothing:
 * a place without units has no table of them.
 */
import { amountOf, type Vector } from "../base/vector.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import { counts } from "./place.ts";
import type { Instance, Place } from "./state.ts";
import { DEVICES } from "./version.ts";

/** A unit of a place, or what an instance has of one. */
export interface Device {
  /** Of the extra. */
  readonly name: string;
  /** On the machine, from 0 on. */
  readonly number: number;
  readonly amount: number;
}

/** By the extra's name, the lowest number first; all units of a name are of one size. An empty list: it comes in units, and there is none. */
export type Units = ReadonlyMap<string, readonly Device[]>;

export const NO_DEVICES: readonly Device[] = [];
/** Of one name, on one machine. */
export const UNITS_MAX = 64;

export function unitsOf({ devices }: MachineFacts, capacity: Vector): Units | undefined {
  if (devices.length === 0) return undefined;
  return new Map(devices.map(({ name, unit }) => [name, numbered(name, unit, Math.floor(amountOf(capacity, name) / unit))]));
}

const numbered = (name: string, unit: number, count: number): readonly Device[] =>
  Array.from({ length: count }, (_, number) => ({ name, number, amount: unit }));

/** Inside an alloc there is what the alloc has. */
export function unitsInside(held: readonly Device[]): Units | undefined {
  if (held.length === 0) return undefined;
  const units = new Map<string, Device[]>();
  for (const device of held) units.set(device.name, [...(units.get(device.name) ?? []), device]);
  return units;
}

/** What masters of the version before would read, and not know. */
export const devicesAt = (version: number, facts: MachineFacts): MachineFacts =>
  version < DEVICES && facts.devices.length > 0 ? { ...facts, devices: [] } : facts;

/** What is wrong with the units that a machine says it has. */
export function unitsProblem({ devices, capacity }: MachineFacts): string | undefined {
  for (const [i, { name, unit }] of devices.entries()) {
    if (devices.findIndex((other) => other.name === name) < i) return `Units of "${name}" are said twice: keep one of them`;
    const amount = capacity?.extras.find((extra) => extra.name === name)?.amount ?? 0;
    if (unit === 0 || amount === 0 || amount % unit !== 0)
      return `${amount} of "${name}" are no whole number of units of ${unit}: say how much all units are together`;
    if (amount / unit > UNITS_MAX)
      return `A machine has at most ${UNITS_MAX} units of "${name}", and not ${amount / unit}: make them larger`;
  }
  return undefined;
}

/** Units that somebody has cannot go, or become others: he was told their numbers. */
export function heldUnitsProblem(place: Place, facts: MachineFacts): string | undefined {
  const capacity = (name: string): number => facts.capacity?.extras.find((extra) => extra.name === name)?.amount ?? 0;
  for (const { id, devices } of place.occupants.values())
    for (const { name, number } of devices) {
      const unit = facts.devices.find((kind) => kind.name === name)?.unit ?? 0;
      const before = place.units?.get(name)?.[0]?.amount ?? unit;
      if (unit !== before || number >= capacity(name) / unit)
        return `Unit ${number} of "${name}" is held by "${id}": keep it, or drain machine "${place.machine.id}" first`;
    }
  return undefined;
}

/** What does not count at a place although it is there, and what counts although it is not. */
export interface Meanwhile {
  readonly gone: (instance: Instance) => boolean;
  readonly taken: readonly Device[];
}

const NOTHING: Meanwhile = { gone: () => false, taken: NO_DEVICES };

/** What is free of each unit. A named victim's counts as free: who starts there waits until all victims have gone. */
function freeOf(place: Place, name: string, units: readonly Device[], { gone, taken }: Meanwhile): number[] {
  const free = units.map(({ amount }) => amount);
  const take = (devices: readonly Device[]): number => {
    let sum = 0;
    for (const device of devices) {
      if (device.name !== name) continue;
      sum += device.amount;
      const at = units.findIndex(({ number }) => number === device.number);
      if (at >= 0) free[at] = (free[at] as number) - device.amount;
    }
    return sum;
  };
  take(taken);
  for (const occupant of place.occupants.values()) {
    if (occupant.limit.extras.length === 0 || !counts(occupant) || gone(occupant)) continue;
    // Placed before the machine had units: nobody knows which ones it uses.
    if (take(occupant.devices) < amountOf(occupant.limit, name)) return free.fill(0);
  }
  return free;
}

/** Places in `units`: the unit with least room that has enough, or the first whole ones. Undefined: there are not so many. */
function pick(units: readonly Device[], free: readonly number[], asked: number): readonly number[] | undefined {
  const size = units[0]?.amount ?? 0;
  if (asked > size) {
    const whole = free.flatMap((amount, at) => (amount === size ? [at] : []));
    const count = asked / size;
    return Number.isInteger(count) && whole.length >= count ? whole.slice(0, count) : undefined;
  }
  let best = -1;
  for (const [at, amount] of free.entries()) if (amount >= asked && (best < 0 || amount < (free[best] as number))) best = at;
  return best < 0 ? undefined : [best];
}

/** The units that a task with this limit would have at a place, or what is missing, in words. */
export function devicesFor(place: Place, limit: Vector, meanwhile: Meanwhile = NOTHING): readonly Device[] | string {
  if (place.units === undefined || limit.extras.length === 0) return NO_DEVICES;
  const found: Device[] = [];
  for (const { name, amount } of limit.extras) {
    const units = place.units.get(name);
    if (units === undefined) continue;
    const picked = pick(units, freeOf(place, name, units, meanwhile), amount);
    if (picked === undefined) return lacking(name, units[0]?.amount ?? 0, amount);
    const each = picked.length === 1 ? amount : (units[0]?.amount ?? 0);
    for (const at of picked) found.push({ name, number: units[at]?.number ?? 0, amount: each });
  }
  return found.length === 0 ? NO_DEVICES : found;
}

/** As much of what a task asks for as a place has in units: whole ones, or else the most that is free of one. Undefined: it does not come in units. */
export function mostInUnits(place: Place, name: string, asked: number, meanwhile: Meanwhile): number | undefined {
  const units = place.units?.get(name);
  if (units === undefined) return undefined;
  const size = units[0]?.amount ?? 0;
  const free = freeOf(place, name, units, meanwhile);
  const whole = free.filter((amount) => amount === size).length;
  return asked > size && whole > 0 ? Math.min(whole, Math.floor(asked / size)) * size : Math.max(0, ...free);
}

function lacking(name: string, size: number, asked: number): string {
  if (asked <= size) return `has no unit of ${name} with ${asked} free`;
  if (asked % size !== 0) return `has ${name} in units of ${size}, and ${asked} is neither a part of one nor whole ones`;
  return `lacks ${asked / size} whole units of ${name}`;
}

/** Whether an alloc with another limit would have the same units. */
export const keepsDevices = ({ place, limit }: Instance, to: Vector): boolean =>
  [...(place.units?.keys() ?? [])].every((name) => amountOf(limit, name) === amountOf(to, name));

/**
 * What it costs in units to put a task at a place, 0 to 1: half for a part of a unit that nobody had, and half for what is left of the unit, which
 * is good only for who asks for as little. Undefined: it does not fit. Whole units leave nothing.
 */
export function deviceCost(place: Place, limit: Vector): number | undefined {
  if (place.units === undefined) return 0;
  let cost = 0;
  for (const { name, amount } of limit.extras) {
    const units = place.units.get(name);
    if (units === undefined) continue;
    const free = freeOf(place, name, units, NOTHING);
    const picked = pick(units, free, amount);
    if (picked === undefined) return undefined;
    const size = units[0]?.amount ?? 0;
    if (amount >= size) continue;
    const left = free[picked[0] as number] as number;
    cost = Math.max(cost, (left === size ? 0.5 : 0) + (0.5 * (left - amount)) / size);
  }
  return cost;
}
