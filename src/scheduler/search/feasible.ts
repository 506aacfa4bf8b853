/**
 * Feasibility (Borg §3.2): where could a task run. The tests are the judge's, asked of the mirror, in an order that fails cheaply;
 * each says in a few words what is wrong, so that the same code decides and explains.
 */

import { unitOf } from "../../base/dimension.ts";
import type { MachineId } from "../../base/id.ts";
import { fitsWith, minus, plus, shortfall, type Vector, ZERO } from "../../base/vector.ts";
import { capOf } from "../../cell/amounts.ts";
import { besideProblem, companyOn, hasLimits } from "../../cell/beside.ts";
import { constraintText, unmet } from "../../cell/constraint.ts";
import { devicesFor, NO_DEVICES } from "../../cell/device.ts";
import { DOMAIN_WORDS, type Domain, domainOf, domainWords } from "../../cell/domain.ts";
import { faceOf } from "../../cell/face.ts";
import { freePorts, isOver, tasksOfJob } from "../../cell/place.ts";
import { isHardSpread, limitOf } from "../../cell/spec.ts";
import type { Face, Instance, Job, Machine, Place, Task } from "../../cell/state.ts";
import { lacksDirectory, machineOf, volumeWords } from "../../cell/volume.ts";
import { isProd } from "../../wire/band.ts";
import type { Constraint } from "../../wire/gen/borg/v1/spec_pb.ts";
import type { Mirror } from "../mirror/mirror.ts";

/** What a task asks of a place. Tasks of a job with equal limits ask the same: they are one class. */
export interface Need {
  readonly job: Job;
  /** What it goes by: its job's spec, or that of the job's update. */
  readonly face: Face;
  readonly limit: Vector;
  /** The only machine it may run on. */
  readonly pinned: MachineId | undefined;
  /** The alloc set whose allocs it runs in; empty: machines. */
  readonly set: string;
  readonly prod: boolean;
  readonly constraints: readonly Constraint[];
  readonly hardSpread: boolean;
  /** What no two tasks of the job may share beside a machine. */
  readonly domain: Domain | undefined;
}

export function needOf(task: Task): Need {
  const face = faceOf(task);
  const { wants, priority } = face;
  return {
    job: task.job,
    face,
    limit: limitOf(face, task.index),
    pinned: machineOf(task),
    set: wants.allocSet,
    prod: isProd(priority),
    constraints: wants.constraints,
    hardSpread: isHardSpread(face),
    domain: domainOf(face),
  };
}

/** What of a machine forbids it whatever is on it. */
export function machineProblem(need: Need, machine: Machine): string | undefined {
  if (need.pinned !== undefined && need.pinned !== machine.id) return "not the machine it belongs to";
  if (!machine.reachable) return "unreachable";
  if (machine.draining) return "draining";
  if (isOver(machine.place)) return "over its capacity";
  const failing = unmet(need.constraints, machine.attributes);
  if (failing === undefined) return lacksDirectory(need.face, machine);
  return volumeWords(failing) ?? domainWords(failing, need.domain) ?? `does not meet ${constraintText(failing)}`;
}

/** What would be freed by victims that go. They can be taken and given back, so that who is needed can be found by trying. */
export class Freed {
  readonly #scheduler: string;
  readonly victims = new Set<Instance>();
  prodLimit: Vector = ZERO;
  reserved: Vector = ZERO;
  /** Limits of victims that this scheduler placed: they no longer count against its cap. */
  own: Vector = ZERO;

  constructor(scheduler: string) {
    this.#scheduler = scheduler;
  }

  take(victim: Instance): void {
    this.victims.add(victim);
    if (isProd(victim.priority)) this.prodLimit = plus(this.prodLimit, victim.limit);
    this.reserved = plus(this.reserved, victim.reservation);
    if (victim.scheduler === this.#scheduler) this.own = plus(this.own, victim.limit);
  }

  giveBack(victim: Instance): void {
    this.victims.delete(victim);
    if (isProd(victim.priority)) this.prodLimit = minus(this.prodLimit, victim.limit);
    this.reserved = minus(this.reserved, victim.reservation);
    if (victim.scheduler === this.#scheduler) this.own = minus(this.own, victim.limit);
  }
}

const NOTHING_FREED: Freed = new Freed("");

/** Spread, both inequalities and ports: whether there is room, which claims under way change. */
export function hasSpace(mirror: Mirror, need: Need, place: Place, freed: Freed = NOTHING_FREED): boolean {
  const { limit } = need;
  if (need.prod && !fitsWith(place.prodLimit, freed.prodLimit, limit, place.capacity)) return false;
  if (!fitsWith(place.reserved, freed.reserved, limit, place.capacity)) return false;
  if (limit.ports > 0 && limit.ports > freePorts(place)) return false;
  if (place.units !== undefined && deviceProblem(need, place, freed) !== undefined) return false;
  if (need.hardSpread && spreadProblem(mirror, need, place, freed) !== undefined) return false;
  return limitProblem(mirror, need, place, freed) === undefined;
}

/** Which units are missing, in words. */
function deviceProblem({ limit }: Need, place: Place, { victims }: Freed = NOTHING_FREED): string | undefined {
  const found = devicesFor(place, limit, { gone: (instance) => victims.has(instance), taken: NO_DEVICES });
  return typeof found === "string" ? found : undefined;
}

/** Whether limits between jobs matter to it at all. */
export const knowsLimits = (mirror: Mirror, { job, face }: Need): boolean => hasLimits(face) || mirror.limiting.has(job.owner);

/** Who is on the machine that may not be beside it, in words. */
export function limitProblem(mirror: Mirror, need: Need, { machine }: Place, { victims }: Freed = NOTHING_FREED): string | undefined {
  if (!knowsLimits(mirror, need)) return undefined;
  return besideProblem(need, mirror.limiting.has(need.job.owner), companyOn(machine, victims));
}

/** Where tasks of the job are that it may not be beside, in words. Only those on the machine itself can be victims. */
function spreadProblem(mirror: Mirror, { job, domain }: Need, { machine }: Place, { victims }: Freed): string | undefined {
  if (tasksOfJob(machine, job.id, victims) > 0) return "has a task of the job already";
  if (domain === undefined) return undefined;
  const tally = mirror.tallyOf(job);
  const numbers = mirror.numbering.of(machine);
  const all = domain === "rack" ? tally.inRack(numbers.rack) : tally.inPower(numbers.power);
  return all > tally.onMachine(numbers.machine) ? `is in a ${DOMAIN_WORDS[domain]} that has a task of the job already` : undefined;
}

/** Why there is no room, in words. */
export function spaceProblem(mirror: Mirror, need: Need, place: Place): string | undefined {
  const { limit } = need;
  if (need.prod) {
    const missing = shortfall(plus(place.prodLimit, limit), place.capacity);
    if (missing !== undefined) return `lacks ${unitOf(missing.dimension)} by limits`;
  }
  const missing = shortfall(plus(place.reserved, limit), place.capacity);
  if (missing !== undefined) return `lacks ${unitOf(missing.dimension)} by reservations`;
  if (limit.ports > freePorts(place)) return "lacks ports that are not held";
  const devices = deviceProblem(need, place);
  if (devices !== undefined) return devices;
  return (need.hardSpread ? spreadProblem(mirror, need, place, NOTHING_FREED) : undefined) ?? limitProblem(mirror, need, place);
}

export interface Shortfall {
  readonly dimension: string;
  readonly amount: number;
}

/** What is missing of the first resource that is, without anybody's going. */
export function shortfallAt({ limit, prod }: Need, place: Place): Shortfall | undefined {
  const byLimits = prod ? shortfall(plus(place.prodLimit, limit), place.capacity) : undefined;
  const missing = byLimits ?? shortfall(plus(place.reserved, limit), place.capacity);
  if (missing !== undefined) return missing;
  const ports = limit.ports - freePorts(place);
  return ports > 0 ? { dimension: "ports", amount: ports } : undefined;
}

/** This scheduler's own limits (Omega §3.4), as far as they do not depend on victims. */
export function limitsProblem(mirror: Mirror, { job, face: { priority } }: Pick<Need, "job" | "face">): string | undefined {
  const { own, name } = mirror;
  if (own === undefined) return `scheduler "${name}" is not known to the cell`;
  const { priorityMin, priorityMax, jobsMax } = own.limits;
  if (priority < priorityMin || priority > priorityMax) return `scheduler "${name}" may not use priority ${priority}`;
  if (jobsMax !== undefined && !own.claimedJobs.has(job.id) && own.claimedJobs.size >= jobsMax)
    return `scheduler "${name}" has tasks of ${own.claimedJobs.size} jobs, its most`;
  return undefined;
}

/** Whether one more task fits this scheduler's cap. */
export function withinCap(mirror: Mirror, limit: Vector, freed: Freed = NOTHING_FREED): boolean {
  const { own } = mirror;
  if (own?.limits.cap === undefined) return true;
  const after = minus(plus(own.claimed, limit), freed.own);
  return shortfall(after, capOf(own.limits.cap, after)) === undefined;
}

/** Under coarse detection a machine that another of our transactions is about to change would be refused. */
export function isBusy(mirror: Mirror, machine: Machine, transaction: string): boolean {
  if (mirror.own?.limits.coarse !== true) return false;
  for (const claim of mirror.underwayOn(machine.id)) if (claim.transaction !== transaction) return true;
  return false;
}
