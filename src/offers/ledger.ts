/**
 * Offers that are out, and what they keep from being offered again. Offers among themselves never overlap: what all offers on a machine come to is at most
 * what is free there, by limits for those of prod and by reservations for all of them, and no port number is in two.
 * Against the rest of the cell an offer locks nothing: when something else takes its room, it is to be rescinded.
 */
import { assert } from "../base/assert.ts";
import { Heap, type Timed } from "../base/heap.ts";
import type { MachineId } from "../base/id.ts";
import { equal, fits, lowest, minus, plus, rest, type Vector, ZERO } from "../base/vector.ts";
import { contains, joined, lowestOf, NO_RANGES, type Ranges, without } from "./ranges.ts";
import type { Room } from "./room.ts";

export interface Offer {
  readonly id: string;
  readonly framework: string;
  readonly role: string;
  /** Whose quota it would take: a user's, in a band. */
  readonly purse: string;
  readonly machine: MachineId;
  readonly prod: boolean;
  readonly amount: Vector;
  readonly ports: Ranges;
  readonly madeMs: number;
  /** It is rescinded then. [Z6] */
  readonly untilMs: number;
  /** The machine is kept for tasks that end by themselves: those launched here must say that they take no longer. [Z9] */
  readonly maxCompletionMs: number | undefined;
}

export interface Part {
  readonly amount: Vector;
  readonly ports: Ranges;
}

interface Due extends Timed {
  readonly id: string;
}

export class Ledger {
  readonly #offers = new Map<string, Offer>();
  /** Accepted; the cell has not shown yet what became of the launch. Such an offer is nobody's any more, but its room is not free again either. */
  readonly #taken = new Set<string>();
  readonly #byMachine = new Map<MachineId, Set<Offer>>();
  readonly #byFramework = new Map<string, Set<Offer>>();
  /** By framework, role and purse, each with its kind before it. */
  readonly #sums = new Map<string, Vector>();
  readonly #due = new Heap<Due>();
  #sequence = 0;

  get size(): number {
    return this.#offers.size;
  }

  /** An offer that can still be answered. */
  get(id: string): Offer | undefined {
    return this.#taken.has(id) ? undefined : this.#offers.get(id);
  }

  add(offer: Offer): void {
    assert(!this.#offers.has(offer.id), "Offer ids are unique");
    this.#offers.set(offer.id, offer);
    setOf(this.#byMachine, offer.machine).add(offer);
    setOf(this.#byFramework, offer.framework).add(offer);
    for (const key of keysOf(offer)) this.#sums.set(key, plus(this.#sums.get(key) ?? ZERO, offer.amount));
    this.#sequence += 1;
    this.#due.push({ timeMs: offer.untilMs, sequence: this.#sequence, id: offer.id });
  }

  /** It was declined, rescinded, or what became of its launch is seen. */
  remove(id: string): Offer | undefined {
    const offer = this.#offers.get(id);
    if (offer === undefined) return undefined;
    this.#offers.delete(id);
    this.#taken.delete(id);
    dropFrom(this.#byMachine, offer.machine, offer);
    dropFrom(this.#byFramework, offer.framework, offer);
    for (const key of keysOf(offer)) this.#subtract(key, offer.amount);
    return offer;
  }

  #subtract(key: string, amount: Vector): void {
    const left = minus(this.#sums.get(key) ?? ZERO, amount);
    if (equal(left, ZERO)) this.#sums.delete(key);
    else this.#sums.set(key, left);
  }

  take(id: string): void {
    assert(this.get(id) !== undefined, "Only an offer that is out can be taken");
    this.#taken.add(id);
  }

  of(framework: string): ReadonlySet<Offer> {
    return this.#byFramework.get(framework) ?? NONE;
  }

  at(machine: MachineId): ReadonlySet<Offer> {
    return this.#byMachine.get(machine) ?? NONE;
  }

  offeredTo(framework: string): Vector {
    return this.#sums.get(`framework ${framework}`) ?? ZERO;
  }

  /** Offers to it that can still be answered. */
  openTo(framework: string): readonly Offer[] {
    return [...this.of(framework)].filter(({ id }) => !this.#taken.has(id));
  }

  offeredToRole(role: string): Vector {
    return this.#sums.get(`role ${role}`) ?? ZERO;
  }

  offeredFrom(purse: string): Vector {
    return this.#sums.get(`purse ${purse}`) ?? ZERO;
  }

  /** What of a room nobody has been offered. */
  left(machine: MachineId, room: Room, prod: boolean): Part {
    const out = this.at(machine);
    if (out.size === 0) return { amount: prod ? room.byLimits : room.byReservations, ports: room.ports };
    const { all, byProd, ports } = sumOf(out);
    const byReservations = rest(room.byReservations, all);
    const amount = prod ? lowest(rest(room.byLimits, byProd), byReservations) : byReservations;
    return { amount, ports: without(room.ports, ports) };
  }

  /**
   * Offers that go, the newest first, so that the others fit into the room again. While a launch is under way nobody knows whether the room shows it already,
   * so nothing is said before that is known.
   */
  excess(machine: MachineId, room: Room): readonly Offer[] {
    const out = [...this.at(machine)];
    if (out.length === 0 || out.some(({ id }) => this.#taken.has(id))) return [];
    const gone: Offer[] = [];
    while (out.length > 0 && !isWithin(out, room)) gone.push(out.pop() as Offer);
    return gone;
  }

  /** Nobody answered them in time. [Z6] */
  overdue(nowMs: number): readonly Offer[] {
    const late: Offer[] = [];
    for (let due = this.#due.peek(); due !== undefined && due.timeMs <= nowMs; due = this.#due.peek()) {
      this.#due.pop();
      const offer = this.get(due.id);
      if (offer !== undefined) late.push(offer);
    }
    return late;
  }

  /** When the next one may be overdue. */
  get nextDueMs(): number | undefined {
    return this.#due.peek()?.timeMs;
  }

  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }
}

const NONE: ReadonlySet<Offer> = new Set<Offer>();

const keysOf = ({ framework, role, purse }: Offer): readonly string[] => [`framework ${framework}`, `role ${role}`, `purse ${purse}`];

function setOf<K>(map: Map<K, Set<Offer>>, key: K): Set<Offer> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<Offer>();
  map.set(key, made);
  return made;
}

function dropFrom<K>(map: Map<K, Set<Offer>>, key: K, offer: Offer): void {
  const known = map.get(key);
  known?.delete(offer);
  if (known?.size === 0) map.delete(key);
}

function sumOf(offers: Iterable<Offer>): { readonly all: Vector; readonly byProd: Vector; readonly ports: Ranges } {
  let [all, byProd, ports] = [ZERO, ZERO, NO_RANGES];
  for (const offer of offers) {
    all = plus(all, offer.amount);
    if (offer.prod) byProd = plus(byProd, offer.amount);
    ports = joined(ports, offer.ports);
  }
  return { all, byProd, ports };
}

function isWithin(offers: readonly Offer[], room: Room): boolean {
  const { all, byProd, ports } = sumOf(offers);
  return fits(all, room.byReservations) && fits(byProd, room.byLimits) && contains(room.ports, ports);
}

/** No more of it than that. */
export function within({ amount, ports }: Part, most: Vector | undefined): Part {
  if (most === undefined) return { amount, ports };
  const less = lowest(amount, most);
  return { amount: less, ports: lowestOf(ports, less.ports) };
}
