/**
 * The places that one class of tasks could use in one pass: the best one for each task, without victims if there is one, else with those
 * that hurt least. What was found stays found until something changes, so that a job of a thousand tasks costs one search and a thousand
 * cheap steps (Borg §3.4).
 */
import { compareIds, type JobId, type MachineId } from "../../base/id.ts";
import type { Instance, Place, Task } from "../../cell/state.ts";
import { Preempting } from "../evict/preempting.ts";
import type { Mirror } from "../mirror/mirror.ts";
import type { Tally } from "../mirror/tally.ts";
import { isBusy, knowsLimits, limitProblem, type Need, withinCap } from "./feasible.ts";
import type { Policy } from "./policy.ts";
import { type Filter, Search, type Shortcuts } from "./search.ts";
import type { Shares } from "./shares.ts";
import { Slots } from "./slots.ts";

export interface Choice {
  readonly place: Place;
  readonly victims: readonly Instance[];
}

/** What a pass has done so far, for all classes to see, and how it works. */
export interface PassState {
  readonly policy: Policy;
  readonly shortcuts: Shortcuts;
  readonly shares: Shares;
  /** Machines that the pass planned something on, in order; the same one may come again. */
  readonly planned: MachineId[];
  /** The transaction that the next claim goes into. */
  transaction: string;
  /** How many places may still be looked at; below zero the pass ends at the next opportunity. */
  looks: number;
}

const ANY: Filter = () => true;

/** A search for victims at a place costs as much as this many looks, found or not found. */
const FOUND_LOOKS = 200;
const NOT_FOUND_LOOKS = 100;
/** What a search costs beside the places it looks at. */
const SEARCH_LOOKS = 10;

export class Candidates {
  readonly #mirror: Mirror;
  readonly #pass: PassState;
  readonly #need: Need;
  readonly #tally: Tally | undefined;
  readonly #slots: Slots;
  /** Only these, because no other can have become better, or no other is allowed. */
  #only: readonly number[] | undefined;
  /** Allocs whose places these are. */
  readonly #allocs: ReadonlyMap<Place, Instance> | undefined;
  readonly #filter: Filter;
  /** The same for places that need no victims: who may not be beside it could be one. */
  readonly #fits: Filter;
  readonly #search: Search;
  #preempting: Preempting | undefined;
  #revision = 0;
  #seen: number;
  #looksBefore = 0;

  /** `among`: only these machines, because no other can have become better. */
  constructor(mirror: Mirror, pass: PassState, need: Need, tally: Tally | undefined, among: ReadonlySet<MachineId> | undefined) {
    this.#mirror = mirror;
    this.#pass = pass;
    this.#need = need;
    this.#tally = tally;
    this.#seen = pass.planned.length;
    this.#allocs = need.set === "" ? undefined : allocsOf(mirror, need.set as JobId, among);
    this.#slots =
      this.#allocs === undefined
        ? mirror.slots(pass.policy, need.prod)
        : new Slots([...this.#allocs.keys()], pass.policy, need.prod, mirror.numbering);
    this.#only = this.#allocs === undefined ? this.#machines(among) : undefined;
    this.#filter = this.#allocs === undefined && mirror.own?.limits.coarse !== true ? ANY : (place) => this.#mayUse(place);
    this.#fits = knowsLimits(mirror, need) ? this.#beside(this.#filter) : this.#filter;
    this.#search = this.#newSearch();
    pass.looks -= SEARCH_LOOKS;
  }

  /**
   * The best place for a task. A machine where it crashed lately comes last of all, only when nothing else fits, even with victims. [KP4]
   */
  choose(task: Task, nowMs: number): Choice | undefined {
    this.#catchUp();
    const shunned = task.past.avoid.length === 0 ? undefined : shunnedBy(task, nowMs);
    const found = shunned === undefined ? (this.#fitting() ?? this.#preempted()) : this.#avoiding(shunned);
    // Where one found room there may be more, and a search of all, which is remembered, is cheaper than asking each of these again.
    if (found !== undefined && this.#need.pinned === undefined) this.#only = undefined;
    const looks = this.#search.looks + (this.#preempting === undefined ? 0 : costOf(this.#preempting));
    this.#pass.looks -= looks - this.#looksBefore;
    this.#looksBefore = looks;
    return found;
  }

  /** Nobody is going to ask again soon. */
  release(): void {
    this.#search.release();
  }

  #newSearch(): Search {
    return new Search(this.#slots, this.#need, this.#tally, this.#pass.shares, this.#pass.shortcuts);
  }

  #machines(among: ReadonlySet<MachineId> | undefined): readonly number[] | undefined {
    const { pinned } = this.#need;
    if (pinned === undefined && among === undefined) return undefined;
    const ids = pinned === undefined ? (among ?? []) : among?.has(pinned) === false ? [] : [pinned];
    return slotsOf(this.#mirror, ids);
  }

  /** The cell's machines are told of changes by the mirror; the allocs of a set only here. */
  #catchUp(): void {
    if (this.#allocs === undefined) return;
    const { planned } = this.#pass;
    for (; this.#seen < planned.length; this.#seen++)
      for (const [i, { machine }] of this.#slots.places.entries()) if (machine.id === planned[this.#seen]) this.#slots.touchAt(i);
  }

  /** Not an alloc that stops, nor a busy machine. */
  #mayUse(place: Place): boolean {
    if (this.#allocs !== undefined && this.#allocs.get(place)?.stop !== undefined) return false;
    return !isBusy(this.#mirror, place.machine, this.#pass.transaction);
  }

  #beside(filter: Filter): Filter {
    return (place) => filter(place) && limitProblem(this.#mirror, this.#need, place) === undefined;
  }

  #fitting(): Choice | undefined {
    if (!withinCap(this.#mirror, this.#need.limit)) return undefined;
    const slot = this.#only === undefined ? this.#search.best(this.#fits) : this.#search.bestOf(this.#only, this.#fits);
    return slot < 0 ? undefined : { place: this.#slots.places[slot] as Place, victims: [] };
  }

  /** What another claim changes in this scheduler's cap, or in the racks of the job, can matter everywhere: then nothing is remembered. */
  #preempted(): Choice | undefined {
    this.#preempting ??= new Preempting(this.#mirror, this.#search);
    const revision = this.#tally?.revision ?? 0;
    const fresh = revision !== this.#revision || this.#mirror.own?.limits.cap !== undefined || !this.#pass.shortcuts.cache;
    this.#revision = revision;
    const found = this.#only === undefined ? this.#preempting.best(this.#filter, fresh) : this.#preempting.bestOf(this.#only, this.#filter);
    return found === undefined ? undefined : { place: this.#slots.places[found.slot] as Place, victims: found.preemption.victims };
  }

  #avoiding(shunned: ReadonlySet<MachineId>): Choice | undefined {
    const filter: Filter = (place) => !shunned.has(place.machine.id) && this.#filter(place);
    const others = this.#only?.filter((i) => !shunned.has((this.#slots.places[i] as Place).machine.id));
    const last = this.#slotsOn(shunned);
    return this.#tried(others, filter) ?? this.#tried(last, this.#filter);
  }

  /** One task's own search: it wants other places than its class. */
  #tried(only: readonly number[] | undefined, filter: Filter): Choice | undefined {
    const search = this.#newSearch();
    const fits = knowsLimits(this.#mirror, this.#need) ? this.#beside(filter) : filter;
    const slot = !withinCap(this.#mirror, this.#need.limit) ? -1 : only === undefined ? search.best(fits) : search.bestOf(only, fits);
    const preempting = new Preempting(this.#mirror, search);
    const found = slot >= 0 ? undefined : only === undefined ? preempting.best(filter, true) : preempting.bestOf(only, filter);
    search.release();
    this.#pass.looks -= search.looks + costOf(preempting);
    if (slot >= 0) return { place: this.#slots.places[slot] as Place, victims: [] };
    return found === undefined ? undefined : { place: this.#slots.places[found.slot] as Place, victims: found.preemption.victims };
  }

  #slotsOn(machines: ReadonlySet<MachineId>): readonly number[] {
    const all = this.#only ?? (this.#allocs === undefined ? slotsOf(this.#mirror, machines) : [...this.#slots.places.keys()]);
    return all.filter((i) => machines.has((this.#slots.places[i] as Place).machine.id));
  }
}

const costOf = ({ looks, found, missed }: Preempting): number => looks + found * FOUND_LOOKS + missed * NOT_FOUND_LOOKS;

function shunnedBy(task: Task, nowMs: number): ReadonlySet<MachineId> | undefined {
  const shunned = task.past.avoid.filter((avoided) => avoided.untilMs > nowMs).map((avoided) => avoided.machine);
  return shunned.length === 0 ? undefined : new Set(shunned);
}

/** Where machines are in the mirror's arrays. */
function slotsOf(mirror: Mirror, ids: Iterable<MachineId>): readonly number[] {
  const out: number[] = [];
  for (const id of ids) {
    const machine = mirror.machines.get(id);
    if (machine !== undefined) out.push(mirror.numbering.of(machine).slot);
  }
  return out;
}

/** Machines, or the allocs of a set that stay, in the order of machines' and then allocs' names. */
export function placesOf(mirror: Mirror, need: Need): readonly Place[] {
  if (need.set !== "") return [...allocsOf(mirror, need.set as JobId, undefined).keys()];
  if (need.pinned === undefined) return mirror.sorted().map((machine) => machine.place);
  const machine = mirror.machines.get(need.pinned);
  return machine === undefined ? [] : [machine.place];
}

const byName = (a: Place, b: Place): number => compareIds(a.machine.id, b.machine.id) || compareIds(a.id, b.id);

function allocsOf(mirror: Mirror, set: JobId, among: ReadonlySet<MachineId> | undefined): ReadonlyMap<Place, Instance> {
  const allocs = new Map<Place, Instance>();
  for (const { instance } of mirror.jobs.get(set)?.tasks ?? []) {
    if (instance?.inside === undefined || instance.stop !== undefined) continue;
    if (among === undefined || among.has(instance.place.machine.id)) allocs.set(instance.inside, instance);
  }
  return new Map([...allocs].sort(([a], [b]) => byName(a, b)));
}
