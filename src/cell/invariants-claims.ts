/** What must hold of every accepted claim, looked at again after the whole transaction: the incarnation, the machine, the room, the victims. [KS1] [KR1] [KP1] */
import { fits, minus, plus, shortfall, type Vector, ZERO } from "../base/vector.ts";
import type { Op } from "../wire/gen/borg/v1/op_pb.ts";
import type { Findings } from "./invariants.ts";
import {
  bandAt,
  besideIn,
  boundVector,
  domainAt,
  instanceNamed,
  instancesOn,
  isProdAt,
  isVictim,
  spreadsHard,
  suits,
  vectorOf,
  volumesIn,
  wishOf,
} from "./invariants-words.ts";
import type { ClaimAnswer } from "./ops/claims.ts";
import type { CellState, Instance, Machine, Place, Scheduler, Task } from "./state.ts";

export function checkClaims(findings: Findings, state: CellState, op: Op, answers: readonly ClaimAnswer[]): void {
  if (op.body.case !== "taskClaims") return;
  const { claims, allOrNothing } = op.body.value;
  findings.expect(!allOrNothing || answers.every(({ ok }) => ok), "KS1", () => "A gang was half applied");
  const placed = new Map<Machine, number>();
  for (const [i, answer] of answers.entries()) {
    if (!answer.ok) continue;
    const instance = instanceNamed(state, answer.instance);
    findings.expect(instance !== undefined, "KS1", () => `Accepted claim for "${answer.task}" placed nothing`);
    if (instance === undefined) continue;
    const { machine } = instance.place;
    placed.set(machine, (placed.get(machine) ?? 0) + 1);
    checkStale(findings, state, instance, claims[i]?.incarnation);
    checkBelongs(findings, instance);
    checkApart(findings, instance, claims.length === 1);
    checkBeside(findings, instance, claims.length === 1);
    checkSpace(findings, instance.place);
    for (const id of answer.victims) checkVictim(findings, state, instance, instanceNamed(state, id), id);
    if (claims.length > 1) continue;
    const victims = answer.victims.map((id) => instanceNamed(state, id));
    for (const victim of victims) checkNeeded(findings, state, instance, victim);
    checkWasNotOver(findings, instance, victims);
  }
  checkScheduler(findings, state, op.actor?.name ?? "", claims, answers, placed);
}

/** A claim rests on what is true now: the incarnation, a machine that takes claims, a task that may start. [KS1] */
function checkStale(findings: Findings, state: CellState, instance: Instance, incarnation: number | undefined): void {
  const { machine } = instance.place;
  const { task } = instance;
  findings.expect(instance.incarnation === incarnation, "KS1", () => `A claim for incarnation ${incarnation} made "${instance.id}"`);
  findings.expect(
    machine.reachable && !machine.draining,
    "KS1",
    () => `"${instance.id}" was placed on "${machine.id}", which takes no claims`,
  );
  findings.expect(!task.job.held && task.notBeforeMs <= state.timeMs, "KP4", () => `"${instance.id}" was placed before its time`);
}

/** The machine is the one it is pinned to and meets the job's constraints; an alloc is of the job's own set. [KS1] */
function checkBelongs(findings: Findings, { id, task, place }: Instance): void {
  const { machine } = place;
  const { job } = task;
  const wish = wishOf(task);
  findings.expect(
    task.pinned === machine.id || (task.pinned === undefined && volumesIn(wish).length === 0),
    "KS1",
    () => `"${id}", pinned to "${task.pinned}", is on "${machine.id}"`,
  );
  const named = wish.spec.kind === "job" ? wish.spec.job.keptDirectory : "";
  findings.expect(
    named === "" || (named.startsWith(`${job.owner}/`) && machine.directories.some(({ alloc }) => alloc === named)),
    "KS1",
    () => `"${id}" is on "${machine.id}", which does not keep "${named}" for it`,
  );
  findings.expect(suits(machine.facts, wish), "KS1", () => `"${id}" is on "${machine.id}", which does not meet its constraints`);
  const set = wish.spec.kind === "job" ? wish.spec.job.allocSet : "";
  const found = place === machine.place ? "" : place.id.slice(0, place.id.lastIndexOf("/"));
  findings.expect(set === found, "KS1", () => `"${id}" of alloc set "${set}" was placed in "${place.id}"`);
}

/**
 * A task of a job that spreads shares neither machine nor rack or power domain with another of its job. One that came after it in the same transaction, and that an
 * update lets stand anywhere, may have come close. [KS1]
 */
function checkApart(findings: Findings, { id, task, place }: Instance, isAlone: boolean): void {
  const wish = wishOf(task);
  if (!spreadsHard(wish)) return;
  const { machine } = place;
  const others = instancesOn(machine).filter(
    (other) => other.task.job === task.job && other.id !== id && !isVictim(other) && (isAlone || spreadsHard(wishOf(other.task))),
  );
  findings.expect(others.length === 0, "KS1", () => `"${id}" shares "${machine.id}" with ${others.map((other) => other.id).join(", ")}`);
  const domain = domainAt(machine, wish);
  if (domain === undefined) return;
  findings.expect(domain !== "", "KS1", () => `"${id}" is on "${machine.id}", which names no rack or power domain`);
  const near = task.job.tasks.filter(
    (other) =>
      other !== task &&
      other.instance !== undefined &&
      !isVictim(other.instance) &&
      domainAt(other.instance.place.machine, wish) === domain &&
      (isAlone || keepsAway(other, other.instance.place.machine, machine)),
  );
  findings.expect(near.length === 0, "KS1", () => `"${id}" shares "${domain}" with ${near.map((other) => other.id).join(", ")}`);
}

/** By its own rule, which may be about racks where the other's is about power domains. */
function keepsAway(task: Task, own: Machine, from: Machine): boolean {
  const wish = wishOf(task);
  const domain = domainAt(own, wish);
  return domain !== undefined && domain === domainAt(from, wish);
}

/** No more of another job on the machine than it wants beside it; nor than others of its user want. Of strangers some may have come after it. [KS1] */
function checkBeside(findings: Findings, { id, task, place }: Instance, isAlone: boolean): void {
  const others = instancesOn(place.machine).filter((other) => !isVictim(other));
  const tell = (who: string, { job, max }: { readonly job: string; readonly max: number }): void => {
    const found = others.filter((other) => other.task.job.id === job).length;
    findings.expect(found <= max, "KS1", () => `"${id}" is on "${place.machine.id}" with ${found} of "${job}", and "${who}" wants ${max}`);
  };
  const own = besideIn(wishOf(task)).filter(({ job }) => isAlone || job.startsWith(`${task.job.owner}/`));
  for (const limit of own) tell(task.job.id, limit);
  for (const other of others) {
    if (other.task.job.owner !== task.job.owner) continue;
    for (const limit of besideIn(wishOf(other.task))) if (limit.job === task.job.id) tell(other.task.job.id, limit);
  }
}

/** A scheduler keeps to its priorities, its cap and its jobs; under coarse detection nothing had changed since it looked (Omega §3.4). [KS1] */
function checkScheduler(
  findings: Findings,
  state: CellState,
  name: string,
  claims: readonly { readonly seen: number }[],
  answers: readonly ClaimAnswer[],
  placed: ReadonlyMap<Machine, number>,
): void {
  const scheduler = state.schedulers.get(name);
  if (scheduler === undefined || placed.size === 0) return;
  const { limits } = scheduler;
  for (const [i, answer] of answers.entries()) {
    const instance = answer.ok ? instanceNamed(state, answer.instance) : undefined;
    if (instance === undefined) continue;
    const { priority, place } = instance;
    findings.expect(
      limits.priorityMin <= priority && priority <= limits.priorityMax,
      "KS1",
      () => `Scheduler "${name}" placed "${instance.id}" at priority ${priority}`,
    );
    const seen = (claims[i]?.seen ?? 0) + (placed.get(place.machine) ?? 0);
    findings.expect(
      !limits.coarse || place.machine.sequence === seen,
      "KS1",
      () => `"${instance.id}" was placed on "${place.machine.id}", which had changed since the scheduler looked`,
    );
  }
  if (limits.cap !== undefined || limits.jobsMax !== undefined) checkShare(findings, state, scheduler, answers);
}

function checkShare(findings: Findings, state: CellState, { name, limits }: Scheduler, answers: readonly ClaimAnswer[]): void {
  const jobs = new Map<string, number>();
  let sum: Vector = ZERO;
  for (const job of state.jobs.values()) {
    for (const { instance } of job.tasks) {
      if (instance === undefined || instance.scheduler !== name || isVictim(instance)) continue;
      sum = plus(sum, instance.limit);
      jobs.set(job.id, (jobs.get(job.id) ?? 0) + 1);
    }
  }
  const cap = limits.cap === undefined ? sum : boundVector(vectorOf(limits.cap, 0, Math.floor), sum, undefined);
  findings.expect(shortfall(sum, cap) === undefined, "KS1", () => `Scheduler "${name}" holds more than its cap after a claim`);
  const { jobsMax } = limits;
  if (jobsMax === undefined || jobs.size <= jobsMax) return;
  // Only a job that it had nothing of before is one more.
  for (const answer of answers) {
    const job = answer.ok ? answer.task.slice(0, answer.task.lastIndexOf("/")) : "";
    const claimed = answers.filter((other) => other.ok && other.task.startsWith(`${job}/`) && other.victims.length === 0).length;
    findings.expect(
      job === "" || jobs.get(job) !== claimed,
      "KS1",
      () => `Scheduler "${name}" took job "${job}" as one too many of ${jobs.size}`,
    );
  }
}

/** Without any one of its victims the claim would not have fitted. [KP1] */
function checkNeeded(findings: Findings, state: CellState, by: Instance, victim: Instance | undefined): void {
  const capped = state.schedulers.get(by.scheduler)?.limits.cap !== undefined;
  if (victim === undefined || capped || spreadsHard(wishOf(by.task)) || isLimited(by, victim)) return;
  const reservations = plus(by.place.reserved, victim.reservation);
  const limits = isProdAt(victim.priority) ? plus(by.place.prodLimit, victim.limit) : by.place.prodLimit;
  const both = fits(reservations, by.place.capacity) && (!isProdAt(by.priority) || fits(limits, by.place.capacity));
  findings.expect(!both, "KP1", () => `"${by.id}" would have fitted without the victim "${victim.id}"`);
}

/** Whether a limit between jobs may be why it had to go. */
function isLimited(by: Instance, victim: Instance): boolean {
  const named = (a: Instance, b: Instance): boolean => besideIn(wishOf(a.task)).some(({ job }) => job === b.task.job.id);
  return named(by, victim) || named(victim, by);
}

/** A machine that was over its capacity before takes no claim, not even in the place of victims. [KR1] */
function checkWasNotOver(findings: Findings, by: Instance, victims: readonly (Instance | undefined)[]): void {
  const { machine } = by.place;
  if (by.place !== machine.place || victims.includes(undefined)) return;
  let reserved = minus(by.place.reserved, by.reservation);
  for (const victim of victims) reserved = plus(reserved, (victim as Instance).reservation);
  findings.expect(fits(reserved, by.place.capacity), "KR1", () => `"${by.id}" was placed on "${machine.id}", which was over its capacity`);
}

/** No accepted claim leaves a place with more than it has. [KR1] */
function checkSpace(findings: Findings, place: Place): void {
  let limits = ZERO;
  let reservations = ZERO;
  for (const occupant of place.occupants.values()) {
    if (isVictim(occupant)) continue;
    if (isProdAt(occupant.priority)) limits = plus(limits, occupant.limit);
    reservations = plus(reservations, occupant.reservation);
  }
  findings.expect(fits(limits, place.capacity), "KR1", () => `Prod limits at "${place.id}" exceed it after a claim`);
  findings.expect(fits(reservations, place.capacity), "KR1", () => `Reservations at "${place.id}" exceed it after a claim`);
}

/** A victim that was an empty alloc is gone at once; any other stops and says for whom. [KP1] */
function checkVictim(findings: Findings, state: CellState, by: Instance, victim: Instance | undefined, id: string): void {
  if (victim === undefined) {
    const job = id.slice(0, id.lastIndexOf("/"));
    findings.expect(state.jobs.get(job as never)?.spec.kind === "alloc-set", "KP1", () => `Victim "${id}" vanished`);
    return;
  }
  const lower = victim.priority < by.priority && !(isProdAt(victim.priority) && bandAt(victim.priority) === bandAt(by.priority));
  findings.expect(lower || victim.overRam, "KP1", () => `"${by.id}" at ${by.priority} evicted "${id}" at ${victim.priority}`);
  findings.expect(victim.stop?.preemptor === by.id, "KP1", () => `Victim "${id}" does not say who took its place`);
}
