/**
 * Who could be evicted at each place, in numbers, so that the search for victims reads on and on instead of going from record to record.
 * The mirror says who is counted and who no longer is; what decides whether and when one has to go changes only in between.
 */
import type { Instance, Place } from "../../cell/state.ts";
import { LEVELS, victimLevel } from "../evict/level.ts";
import { DISK, type Dimensions } from "./dimensions.ts";

/** Numbers of one resident: these two, then limits and reservations in the dimensions that everybody asks for. */
export const LEVEL = 0;
export const PRIORITY = 1;
const LIMITS = 2;
const RESERVATIONS = 5;
export const ROW = 8;

/** Those at one place, in no order. */
export class Roster {
  readonly #who: Instance[] = [];
  readonly numbers: number[] = [];

  constructor(place: Place) {
    for (const occupant of place.occupants.values()) this.add(occupant);
  }

  get size(): number {
    return this.#who.length;
  }

  add(instance: Instance): void {
    const level = victimLevel(instance);
    if (level >= LEVELS) return;
    const { limit, reservation, priority } = instance;
    this.#who.push(instance);
    this.numbers.push(level, priority, limit.cpu, limit.ram, limit.disk, reservation.cpu, reservation.ram, reservation.disk);
  }

  remove(instance: Instance): void {
    const at = this.#who.indexOf(instance);
    if (at < 0) return;
    const last = this.#who.pop() as Instance;
    const from = this.#who.length * ROW;
    if (last !== instance) {
      this.#who[at] = last;
      for (let k = 0; k < ROW; k++) this.numbers[at * ROW + k] = this.numbers[from + k] as number;
    }
    this.numbers.length = from;
  }

  limit(k: number, dimensions: Dimensions, d: number): number {
    if (d <= DISK) return this.numbers[k * ROW + LIMITS + d] as number;
    return dimensions.amount((this.#who[k] as Instance).limit, d);
  }

  reservation(k: number, dimensions: Dimensions, d: number): number {
    if (d <= DISK) return this.numbers[k * ROW + RESERVATIONS + d] as number;
    return dimensions.amount((this.#who[k] as Instance).reservation, d);
  }
}

/** Of all machines, by their numbers (numbering.ts). */
export class Residents {
  readonly #rosters: (Roster | undefined)[] = [];

  /** Made when it is first asked for, and kept up to date from then on. */
  at(machine: number, place: Place): Roster {
    const known = this.#rosters[machine];
    if (known !== undefined) return known;
    const roster = new Roster(place);
    while (this.#rosters.length <= machine) this.#rosters.push(undefined);
    this.#rosters[machine] = roster;
    return roster;
  }

  add(machine: number, instance: Instance): void {
    if (machine < this.#rosters.length && isOnMachine(instance)) this.#rosters[machine]?.add(instance);
  }

  remove(machine: number, instance: Instance): void {
    if (machine < this.#rosters.length && isOnMachine(instance)) this.#rosters[machine]?.remove(instance);
  }

  forget(machine: number): void {
    if (machine < this.#rosters.length) this.#rosters[machine] = undefined;
  }

  clear(): void {
    this.#rosters.length = 0;
  }
}

/** What is inside an alloc goes with it. */
const isOnMachine = ({ place }: Instance): boolean => place === place.machine.place;
