/** Judges the claims of one transaction against the state, without changing it. The first failing test is the reason, in words. */

import { unitOf } from "../../base/dimension.ts";
import { compareIds, type InstanceId, isInstance, type JobId, type MachineId, splitTask } from "../../base/id.ts";
import { minus, plus, shortfall, type Vector } from "../../base/vector.ts";
import { isProd } from "../../wire/band.ts";
import type { Claim } from "../../wire/gen/borg/v1/op_pb.ts";
import { capOf } from "../amounts.ts";
import { mayEvict } from "../band.ts";
import { besideProblem, companyOn, hasLimits, type Neighbour } from "../beside.ts";
import { constraintText, unmet } from "../constraint.ts";
import { type Device, devicesFor, NO_DEVICES } from "../device.ts";
import { DOMAIN_WORDS, type Domain, domainOf, domainWords, tasksInDomain } from "../domain.ts";
import { faceOf } from "../face.ts";
import { freePorts, heldPorts, isOver, tasksOfJob } from "../place.ts";
import { isHardSpread, limitOf } from "../spec.ts";
import type { CellState, Face, Instance, Machine, Place, Scheduler, Task } from "../state.ts";
import { isPlaced } from "../task.ts";
import { lacksDirectory, machineOf, volumeWords } from "../volume.ts";
import { findInstance } from "./reports.ts";

interface Wish {
  readonly task: Task;
  readonly place: Place;
  readonly limit: Vector;
}

/** An accepted claim: what to do. `spared` were named as victims but are not needed. */
export interface Accepted extends Wish {
  /** Ports by number, where the claim named them. */
  readonly ports?: readonly number[];
  readonly devices: readonly Device[];
  readonly victims: readonly Instance[];
  readonly spared: readonly Instance[];
}

type Where = Pick<Claim, "place" | "victims" | "seen">;

/** What a place would look like after the claims accepted so far. */
interface Counted {
  prodLimit: Vector;
  reserved: Vector;
  freePorts: number;
  devices: readonly Device[];
}

export class Arbiter {
  readonly #state: CellState;
  readonly #scheduler: Scheduler;
  readonly #counted = new Map<Place, Counted>();
  readonly #tasks = new Set<Task>();
  readonly #victims = new Set<Instance>();
  /** Tasks of each job that this transaction puts on a machine. */
  readonly #placed = new Map<MachineId, Map<JobId, number>>();
  /** Tasks with limits that this transaction puts on a machine. */
  readonly #limiting = new Map<MachineId, readonly Neighbour[]>();
  #claimed: Vector;
  readonly #newJobs = new Set<JobId>();
  /** Numbers that accepted launches named. */
  readonly #ports = new Map<string, readonly number[]>();

  constructor(state: CellState, scheduler: Scheduler) {
    this.#state = state;
    this.#scheduler = scheduler;
    this.#claimed = scheduler.claimed;
  }

  /** The plan, or why not. An accepted claim counts for those after it. */
  decide(claim: Claim): Accepted | string {
    const task = this.#claimable(claim);
    return typeof task === "string" ? task : this.#judge(claim, task);
  }

  /** A task of a framework, which is there only when it is accepted: on a machine, with these ports. Nobody is stopped for it. */
  launch(task: Task, place: string, ports: readonly number[]): Accepted | string {
    const seen = this.#state.machines.get(place as MachineId)?.sequence ?? 0;
    const wrong = this.#portProblem(place, ports);
    if (wrong !== undefined) return wrong;
    const plan = this.#judge({ place, victims: [], seen }, task);
    if (typeof plan === "string" || ports.length === 0) return plan;
    this.#ports.set(place, [...(this.#ports.get(place) ?? []), ...ports]);
    return { ...plan, ports };
  }

  /** Ports that are named have to be the machine's and free: also a victim keeps its own until it is gone. [KR2] */
  #portProblem(place: string, ports: readonly number[]): string | undefined {
    const machine = this.#state.machines.get(place as MachineId);
    if (ports.length === 0 || machine === undefined) return undefined;
    const { portFirst, portLast } = machine.facts;
    const held = new Set([...heldPorts(machine.place), ...(this.#ports.get(place) ?? [])]);
    const wrong = ports.find((port) => port < portFirst || port > portLast);
    if (wrong !== undefined) return `Machine "${machine.id}" gives out ports ${portFirst} to ${portLast}, and not ${wrong}`;
    const taken = ports.find((port) => held.has(port));
    return taken === undefined ? undefined : `Port ${taken} of machine "${machine.id}" is held by another task`;
  }

  #judge(claim: Where, task: Task): Accepted | string {
    const limit = limitOf(faceOf(task), task.index);
    const place = this.#findPlace(claim, task);
    if (typeof place === "string") return place;
    const named = this.#findVictims(claim, task, place);
    if (typeof named === "string") return named;
    const wish = { task, place, limit };
    const problem = this.#problem(wish, named);
    if (problem !== undefined) return problem;
    const victims = this.#needed(wish, named);
    const devices = this.#devices(place, limit, victims);
    if (typeof devices === "string") return devices;
    const plan = { ...wish, devices, victims, spared: named.filter((victim) => !victims.includes(victim)) };
    this.#accept(plan);
    return plan;
  }

  #claimable(claim: Claim): Task | string {
    const { job, index } = splitTask(claim.task);
    const task = this.#state.jobs.get(job)?.tasks[index];
    if (task === undefined) return `Task "${claim.task}" does not exist`;
    if (task.state === "stopping") return `Task "${task.id}" still has an instance that stops`;
    if (task.state !== "pending" || this.#tasks.has(task)) return `Task "${task.id}" is not pending`;
    if (task.incarnation !== claim.incarnation) return `Task "${task.id}" has incarnation ${task.incarnation}, not ${claim.incarnation}`;
    if (task.job.held) return `Job "${task.job.id}" waits for another job's end`;
    if (task.notBeforeMs > this.#state.timeMs) return `Task "${task.id}" backs off for ${task.notBeforeMs - this.#state.timeMs} ms more`;
    return task;
  }

  #findPlace(claim: Where, task: Task): Place | string {
    const place = this.#placeOf(claim.place);
    if (place === undefined) return `Place "${claim.place}" does not exist`;
    const machine = place.machine;
    if (!machine.reachable) return `Machine "${machine.id}" is unreachable`;
    if (machine.draining) return `Machine "${machine.id}" is draining`;
    if (isOver(machine.place)) return `Machine "${machine.id}" is over its capacity`;
    if (this.#scheduler.limits.coarse && machine.sequence !== claim.seen)
      return `Machine "${machine.id}" changed since the scheduler looked`;
    return belongs(task, place) ?? place;
  }

  /** A machine, or an alloc that stays: also one that this transaction has taken as a victim goes. */
  #placeOf(id: string): Place | undefined {
    if (!isInstance(id)) return this.#state.machines.get(id as MachineId)?.place;
    const alloc = findInstance(this.#state, id);
    return alloc === undefined || alloc.stop !== undefined || this.#victims.has(alloc) ? undefined : alloc.inside;
  }

  #findVictims(claim: Where, task: Task, place: Place): readonly Instance[] | string {
    const victims: Instance[] = [];
    for (const id of new Set(claim.victims)) {
      const victim = place.occupants.get(id as InstanceId);
      if (victim === undefined) return `Victim "${id}" is not at "${place.id}"`;
      if (this.#victims.has(victim) || !isPlaced(victim.task.state)) return `Victim "${id}" stops already`;
      if (!mayEvict(faceOf(task).priority, victim))
        return `Priority ${faceOf(task).priority} may not evict "${id}" at priority ${victim.priority}`;
      victims.push(victim);
    }
    return victims;
  }

  /** Per-scheduler limits (Omega): priorities, total claimed, jobs. */
  #schedulerProblem(task: Task, limit: Vector, victims: readonly Instance[]): string | undefined {
    const { name, limits, claimedJobs } = this.#scheduler;
    const { priority } = faceOf(task);
    if (priority < limits.priorityMin || priority > limits.priorityMax) return `Scheduler "${name}" may not use priority ${priority}`;
    if (limits.cap !== undefined) {
      const own = victims.filter((victim) => victim.scheduler === name);
      const after = own.reduce((sum, victim) => minus(sum, victim.limit), plus(this.#claimed, limit));
      const missing = shortfall(after, capOf(limits.cap, after));
      if (missing !== undefined) return `Scheduler "${name}" would be ${missing.amount} ${unitOf(missing.dimension)} above its cap`;
    }
    const isNew = !claimedJobs.has(task.job.id) && !this.#newJobs.has(task.job.id);
    const jobs = claimedJobs.size + this.#newJobs.size;
    if (limits.jobsMax !== undefined && isNew && jobs >= limits.jobsMax) return `Scheduler "${name}" has tasks of ${jobs} jobs, its most`;
    return undefined;
  }

  #constraintProblem(task: Task, place: Place, victims: readonly Instance[]): string | undefined {
    const machine = place.machine;
    const face = faceOf(task);
    const failing = unmet(face.wants.constraints, machine.attributes);
    if (failing !== undefined)
      return `Machine "${machine.id}" ${volumeWords(failing) ?? domainWords(failing, domainOf(face)) ?? `does not meet the constraint ${constraintText(failing)}`}`;
    return this.#besideProblem(task, machine, face, victims) ?? this.#spreadProblem(task, machine, face, victims);
  }

  /** Limits between jobs, with what this transaction has put there. */
  #besideProblem({ job }: Task, machine: Machine, face: Face, victims: readonly Instance[]): string | undefined {
    const isLimited = this.#state.limiting.has(job.owner);
    if (!isLimited && !hasLimits(face)) return undefined;
    const company = companyOn(machine, new Set([...this.#victims, ...victims]));
    const placed = this.#placed.get(machine.id);
    const problem = besideProblem({ job, face }, isLimited, {
      tasksOf: (other) => company.tasksOf(other) + (placed?.get(other) ?? 0),
      limiting: [...company.limiting, ...(this.#limiting.get(machine.id) ?? [])],
    });
    return problem === undefined ? undefined : `Machine "${machine.id}" ${problem}`;
  }

  #spreadProblem(task: Task, machine: Machine, face: Face, victims: readonly Instance[]): string | undefined {
    const { job } = task;
    if (!isHardSpread(face)) return undefined;
    const domain = domainOf(face);
    const here = tasksOfJob(machine, job.id, new Set([...this.#victims, ...victims])) + (this.#placed.get(machine.id)?.get(job.id) ?? 0);
    if (here > 0) return `Machine "${machine.id}" already has a task of job "${job.id}", which wants no two on one machine`;
    return domain === undefined ? undefined : this.#domainProblem(task, machine, domain, victims);
  }

  /** A victim that is a task of the job frees the rack for it, if it is on the machine: others are nobody's victims. */
  #domainProblem({ job }: Task, machine: Machine, domain: Domain, victims: readonly Instance[]): string | undefined {
    const name = machine.attributes.get(domain);
    let here = tasksInDomain(job, domain, machine, new Set([...this.#victims, ...victims]));
    for (const [id, jobs] of this.#placed) if (jobs.has(job.id) && this.#state.machines.get(id)?.attributes.get(domain) === name) here += 1;
    const what = DOMAIN_WORDS[domain];
    return here > 0
      ? `Machine "${machine.id}" is in ${what} "${name}", which already has a task of job "${job.id}", which wants no two in one ${what}`
      : undefined;
  }

  /** Feasibility. (1) prod counts on limits; (2) everyone counts on reservations. [KR1] */
  #spaceProblem(task: Task, place: Place, limit: Vector, victims: readonly Instance[]): string | undefined {
    const counted = this.#countedAt(place);
    const { prodLimit, reserved } = without(counted, victims);
    if (isProd(faceOf(task).priority)) {
      const missing = shortfall(plus(prodLimit, limit), place.capacity);
      if (missing !== undefined) return `"${place.id}" lacks ${missing.amount} ${unitOf(missing.dimension)} by limits`;
    }
    const missing = shortfall(plus(reserved, limit), place.capacity);
    if (missing !== undefined) return `"${place.id}" lacks ${missing.amount} ${unitOf(missing.dimension)} by reservations`;
    if (limit.ports > counted.freePorts) return `"${place.id}" lacks ${limit.ports - counted.freePorts} ports that are not held`;
    const devices = this.#devices(place, limit, victims);
    return typeof devices === "string" ? `"${place.id}" ${devices}` : undefined;
  }

  /** The units that it would have, or what is missing. [cell.Y1] */
  #devices(place: Place, limit: Vector, victims: readonly Instance[]): readonly Device[] | string {
    if (place.units === undefined) return NO_DEVICES;
    const gone = (instance: Instance): boolean => this.#victims.has(instance) || victims.includes(instance);
    return devicesFor(place, limit, { gone, taken: this.#countedAt(place).devices });
  }

  /** Everything that depends on who has to go. */
  #problem({ task, place, limit }: Wish, victims: readonly Instance[]): string | undefined {
    return (
      this.#schedulerProblem(task, limit, victims) ??
      this.#constraintProblem(task, place, victims) ??
      this.#spaceProblem(task, place, limit, victims)
    );
  }

  /** Spares victims that are not needed: the highest priority first, those over their memory limit last. */
  #needed(wish: Wish, named: readonly Instance[]): readonly Instance[] {
    let needed = named;
    for (const victim of [...named].sort(sparedFirst)) {
      const fewer = needed.filter((other) => other !== victim);
      if (this.#problem(wish, fewer) === undefined) needed = fewer;
    }
    return needed;
  }

  #accept(plan: Accepted): void {
    const { task, place, limit, victims, devices } = plan;
    const counted = this.#countedAt(place);
    const left = without(counted, victims);
    counted.prodLimit = isProd(faceOf(task).priority) ? plus(left.prodLimit, limit) : left.prodLimit;
    counted.reserved = plus(left.reserved, limit);
    counted.freePorts -= limit.ports;
    if (devices.length > 0) counted.devices = [...counted.devices, ...devices];
    this.#tasks.add(task);
    for (const victim of victims) {
      this.#victims.add(victim);
      if (victim.scheduler === this.#scheduler.name) this.#claimed = minus(this.#claimed, victim.limit);
    }
    this.#claimed = plus(this.#claimed, limit);
    if (!this.#scheduler.claimedJobs.has(task.job.id)) this.#newJobs.add(task.job.id);
    const jobs = this.#placed.get(place.machine.id) ?? new Map<JobId, number>();
    this.#placed.set(place.machine.id, jobs.set(task.job.id, (jobs.get(task.job.id) ?? 0) + 1));
    if (hasLimits(faceOf(task)))
      this.#limiting.set(place.machine.id, [...(this.#limiting.get(place.machine.id) ?? []), { job: task.job, face: faceOf(task) }]);
  }

  #countedAt(place: Place): Counted {
    const known = this.#counted.get(place);
    if (known !== undefined) return known;
    const counted = { prodLimit: place.prodLimit, reserved: place.reserved, freePorts: freePorts(place), devices: NO_DEVICES };
    this.#counted.set(place, counted);
    return counted;
  }
}

function without(counted: Counted, victims: readonly Instance[]): { readonly prodLimit: Vector; readonly reserved: Vector } {
  let { prodLimit, reserved } = counted;
  for (const victim of victims) {
    if (isProd(victim.priority)) prodLimit = minus(prodLimit, victim.limit);
    reserved = minus(reserved, victim.reservation);
  }
  return { prodLimit, reserved };
}

/** A job with an alloc set runs in its allocs and nowhere else; a pinned task on its machine. */
function belongs(task: Task, place: Place): string | undefined {
  const set = faceOf(task).wants.allocSet;
  const inSet = isInstance(place.id) ? splitTask(place.id.slice(0, place.id.lastIndexOf(":"))).job : "";
  if (set !== inSet)
    return set === "" ? `Task "${task.id}" does not run in alloc set "${inSet}"` : `Task "${task.id}" runs only in alloc set "${set}"`;
  const only = machineOf(task);
  if (only !== undefined && only !== place.machine.id) return `Task "${task.id}" runs only on machine "${only}"`;
  const lacks = lacksDirectory(faceOf(task), place.machine);
  return lacks === undefined ? undefined : `Machine "${place.machine.id}" ${lacks}`;
}

function sparedFirst(a: Instance, b: Instance): number {
  return Number(a.overRam) - Number(b.overRam) || b.priority - a.priority || compareIds(a.id, b.id);
}
