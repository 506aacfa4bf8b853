/**
 * The places that one class of tasks could use in one pass. They are found and scored once; afterwards only machines are looked at again
 * on which the pass planned something. So a job of a thousand tasks costs one scan and a thousand cheap steps (Borg §3.4).
 */
import { compareIds, type JobId, type MachineId } from "../base/id.ts";
import { counts } from "../cell/place.ts";
import type { Instance, Job, Machine, Place, Task } from "../cell/state.ts";
import { hasRoom, isBusy, machineProblem, type Need, withinCap } from "./feasible.ts";
import type { Mirror } from "./mirror.ts";
import { compareHarm, type Preemption, victimsAt } from "./preempt.ts";
import { rackCost, score } from "./score.ts";

export interface Choice {
  readonly place: Place;
  readonly victims: readonly Instance[];
}

/** What a pass has done so far, for all classes to see. */
export interface PassState {
  /** Machines that the pass planned something on, in order; the same one may come again. */
  readonly planned: MachineId[];
  /** The transaction that the next claim goes into. */
  transaction: string;
  /** How many places may still be looked at; below zero the pass ends at the next opportunity. */
  looks: number;
}

/** A search for victims at a place costs as much as this many looks, found or not found. */
const FOUND_LOOKS = 10;
const NOT_FOUND_LOOKS = 2;
/** Comparing scores that are known is this many times cheaper than a look. */
const COMPARES_PER_LOOK = 16;

const NO_ROOM = Number.NEGATIVE_INFINITY;

export class Candidates {
  readonly #mirror: Mirror;
  readonly #pass: PassState;
  readonly #need: Need;
  readonly #tally: Tally;
  /** In the order of their machines' names. */
  readonly #places: Place[] = [];
  readonly #racks: number[] = [];
  readonly #rackNames: string[] = [];
  readonly #scores: number[] = [];
  /** null: no allowed victims make room; undefined: not looked at. */
  readonly #preemptions: (Preemption | null | undefined)[] = [];
  #seen: number;

  /** `among`: only these machines, because no other can have become better. */
  constructor(mirror: Mirror, pass: PassState, need: Need, tally: Tally, among: ReadonlySet<MachineId> | undefined) {
    this.#mirror = mirror;
    this.#pass = pass;
    this.#need = need;
    this.#tally = tally;
    this.#seen = pass.planned.length;
    const racks = new Map<string, number>();
    for (const place of placesOf(mirror, need, among)) {
      pass.looks -= 1;
      if (machineProblem(need, place.machine) !== undefined) continue;
      const { rack } = place.machine.facts;
      const known = racks.get(rack) ?? racks.size;
      if (known === racks.size) this.#rackNames.push(rack);
      racks.set(rack, known);
      this.#places.push(place);
      this.#racks.push(known);
      this.#scores.push(this.#evaluate(place));
      this.#preemptions.push(undefined);
    }
  }

  /**
   * The best place for a task: without victims if there is one, else the one where victims hurt least. A machine where it crashed lately
   * comes last of all, only when nothing else fits, even with victims. [KP4]
   */
  choose(task: Task, nowMs: number): Choice | undefined {
    this.#refresh();
    const shunned = task.avoid.filter((avoided) => avoided.untilMs > nowMs).map((avoided) => avoided.machine);
    const found = this.#fitting(shunned, false) ?? this.#preempting(shunned, false);
    if (found !== undefined || shunned.length === 0) return found;
    return this.#fitting(shunned, true) ?? this.#preempting(shunned, true);
  }

  #evaluate(place: Place): number {
    if (isBusy(this.#mirror, place.machine, this.#pass.transaction) || !hasRoom(this.#need, place)) return NO_ROOM;
    return score(this.#need, place, this.#tally.onMachine(place.machine));
  }

  /** Looks again at what the pass changed since the last time. */
  #refresh(): void {
    const { planned } = this.#pass;
    for (; this.#seen < planned.length; this.#seen++) {
      const machine = planned[this.#seen] as MachineId;
      for (let i = this.#firstOf(machine); this.#places[i]?.machine.id === machine; i++) {
        this.#scores[i] = this.#evaluate(this.#places[i] as Place);
        this.#preemptions[i] = undefined;
        this.#pass.looks -= 1;
      }
    }
  }

  #firstOf(machine: MachineId): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareIds((this.#places[middle] as Place).machine.id, machine) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #fitting(shunned: readonly MachineId[], wanted: boolean): Choice | undefined {
    if (!withinCap(this.#mirror, this.#need.limit)) return undefined;
    const costs = this.#rackCosts();
    let [best, at] = [NO_ROOM, -1];
    for (let i = 0; i < this.#scores.length; i++) {
      const value = (this.#scores[i] as number) - (costs[this.#racks[i] as number] as number);
      if (value > best && this.#isShunned(i, shunned) === wanted) [best, at] = [value, i];
    }
    this.#pass.looks -= Math.ceil(this.#scores.length / COMPARES_PER_LOOK);
    return at < 0 ? undefined : { place: this.#places[at] as Place, victims: [] };
  }

  #preempting(shunned: readonly MachineId[], wanted: boolean): Choice | undefined {
    const costs = this.#rackCosts();
    let best: { readonly preemption: Preemption; readonly value: number; readonly place: Place } | undefined;
    for (let i = 0; i < this.#places.length; i++) {
      if (this.#isShunned(i, shunned) !== wanted) continue;
      const preemption = this.#preemptionAt(i);
      if (preemption === undefined) continue;
      const place = this.#places[i] as Place;
      const harm = best === undefined ? -1 : compareHarm(preemption, best.preemption);
      if (harm > 0) continue;
      const value = score(this.#need, place, this.#tally.onMachine(place.machine)) - (costs[this.#racks[i] as number] as number);
      if (best === undefined || harm < 0 || value > best.value) best = { preemption, value, place };
    }
    return best === undefined ? undefined : { place: best.place, victims: best.preemption.victims };
  }

  /** What another claim of this scheduler changes in its cap can matter on every machine: then nothing is remembered. */
  #preemptionAt(i: number): Preemption | undefined {
    const known = this.#preemptions[i];
    if (known !== undefined && this.#mirror.own?.limits.cap === undefined) return known ?? undefined;
    const place = this.#places[i] as Place;
    const busy = isBusy(this.#mirror, place.machine, this.#pass.transaction);
    const preemption = busy ? undefined : victimsAt(this.#mirror, this.#need, place);
    this.#pass.looks -= preemption === undefined ? NOT_FOUND_LOOKS : FOUND_LOOKS;
    this.#preemptions[i] = preemption ?? null;
    return preemption;
  }

  #isShunned(i: number, shunned: readonly MachineId[]): boolean {
    return shunned.length > 0 && shunned.includes((this.#places[i] as Place).machine.id);
  }

  #rackCosts(): readonly number[] {
    return this.#rackNames.map((rack) => (rack === "" ? 0 : rackCost(this.#need, this.#tally.inRack(rack))));
  }
}

/** Machines, or the allocs of a set that stay, in the order of machines' and then allocs' names. */
export function placesOf(mirror: Mirror, need: Need, among: ReadonlySet<MachineId> | undefined): Place[] {
  if (need.set !== "") return allocsOf(mirror, need.set as JobId, among);
  if (need.pinned !== undefined) {
    const machine = mirror.machines.get(need.pinned);
    return machine === undefined || among?.has(machine.id) === false ? [] : [machine.place];
  }
  if (among === undefined) return mirror.sorted().map((machine) => machine.place);
  const machines = [...among].sort(compareIds).map((id) => mirror.machines.get(id));
  return machines.flatMap((machine) => (machine === undefined ? [] : [machine.place]));
}

function allocsOf(mirror: Mirror, set: JobId, among: ReadonlySet<MachineId> | undefined): Place[] {
  const places: Place[] = [];
  for (const { instance } of mirror.jobs.get(set)?.tasks ?? []) {
    if (instance?.inside === undefined || instance.stop !== undefined) continue;
    if (among === undefined || among.has(instance.place.machine.id)) places.push(instance.inside);
  }
  return places.sort((a, b) => compareIds(a.machine.id, b.machine.id) || compareIds(a.id, b.id));
}

/** How many tasks of a job are on each machine and in each rack, claims under way included. One for all classes of the job. */
export class Tally {
  readonly #machines = new Map<MachineId, number>();
  readonly #racks = new Map<string, number>();

  constructor(mirror: Mirror, job: Job) {
    for (const { instance } of job.tasks) if (instance !== undefined && counts(instance)) this.add(instance.place.machine, 1);
    for (const { instance } of mirror.underwayOf(job.id)) this.add(instance.place.machine, 1);
  }

  add(machine: Machine, by: 1 | -1): void {
    this.#machines.set(machine.id, this.onMachine(machine) + by);
    this.#racks.set(machine.facts.rack, this.inRack(machine.facts.rack) + by);
  }

  onMachine(machine: Machine): number {
    return this.#machines.get(machine.id) ?? 0;
  }

  inRack(rack: string): number {
    return this.#racks.get(rack) ?? 0;
  }
}
