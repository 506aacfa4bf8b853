/** What must hold of every step: the op, what it answered, and the state after it. Complements invariants.ts, which sees only states. */
import { splitTask } from "../base/id.ts";
import { fits, plus, shortfall, ZERO } from "../base/vector.ts";
import type { Op } from "../wire/gen/borg/v1/op_pb.ts";
import { bandOf, isProd } from "./band.ts";
import type { Done, Outcome } from "./cell.ts";
import { Findings, type Violation } from "./invariants.ts";
import { JOB_EVENTS, type JobState, jobStep } from "./job.ts";
import { findInstance } from "./reports.ts";
import { amounts, isHardSpread } from "./spec.ts";
import type { CellState, Instance, Place, User } from "./state.ts";
import { step, TASK_EVENTS, type TaskState } from "./task.ts";

/** Call it right after `apply`, before anything else changes the state. */
export function outcomeViolations(state: CellState, op: Op, outcome: Outcome): readonly Violation[] {
  const findings = new Findings();
  if (!outcome.ok) return findings.found;
  checkArrows(findings, outcome);
  if (outcome.answer.type === "claims") checkClaims(findings, state, op, outcome);
  if (op.body.case === "taskLost") checkGivenUp(findings, state, op.body.value.machine, outcome);
  const grew =
    outcome.events.some((event) => event.kind === "job.submitted" || event.kind === "job.resized") &&
    outcome.events.some((event) => event.kind === "task.added");
  if (grew) checkQuota(findings, state, op);
  return findings.found;
}

/** Tasks and jobs move only along the arrows of their tables, and say why. [KT4] */
function checkArrows(findings: Findings, outcome: Done): void {
  for (const event of outcome.events) {
    if (event.kind === "task.state") {
      const legal = TASK_EVENTS.some((name) => step(event.from as TaskState, name)?.to === event.to);
      findings.expect(
        legal && event.cause !== undefined,
        "KT4",
        () => `Task "${event.subject}" went from ${event.from} to ${event.to} because of ${event.cause}`,
      );
    }
    if (event.kind === "job.state") {
      const legal = JOB_EVENTS.some((name) => jobStep(event.from as JobState, name) === event.to);
      findings.expect(legal, "KT4", () => `Job "${event.subject}" went from ${event.from} to ${event.to}`);
    }
  }
}

/** Only on a machine that does not answer is anything given up. [KT2] */
function checkGivenUp(findings: Findings, state: CellState, name: string, outcome: Done): void {
  const machine = state.machines.get(name as never);
  findings.expect(
    machine?.reachable !== true || outcome.events.length === 0,
    "KT2",
    () => `Something was given up on machine "${name}", which answers`,
  );
}

function checkClaims(findings: Findings, state: CellState, op: Op, outcome: Done): void {
  if (outcome.answer.type !== "claims" || op.body.case !== "taskClaims") return;
  const { claims, allOrNothing } = op.body.value;
  const refusedSome = outcome.answer.claims.some((claim) => !claim.ok);
  findings.expect(!(allOrNothing && refusedSome), "KS1", () => "A gang was half applied");
  for (const [i, answer] of outcome.answer.claims.entries()) {
    if (!answer.ok) continue;
    const instance = findInstance(state, answer.instance);
    findings.expect(instance !== undefined, "KS1", () => `Accepted claim for "${answer.task}" placed nothing`);
    if (instance === undefined) continue;
    checkStale(findings, state, instance, claims[i]?.incarnation);
    checkRoom(findings, instance.place);
    for (const id of answer.victims) checkVictim(findings, state, instance, findInstance(state, id), id);
    if (claims.length === 1) for (const id of answer.victims) checkNeeded(findings, state, instance, findInstance(state, id));
  }
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

/** Without any one of its victims the claim would not have fitted. [KP1] */
function checkNeeded(findings: Findings, state: CellState, by: Instance, victim: Instance | undefined): void {
  const capped = state.schedulers.get(by.scheduler)?.limits.cap !== undefined;
  if (victim === undefined || capped || isHardSpread(by.task.job)) return;
  const reservations = plus(by.place.reserved, victim.reservation);
  const limits = isProd(victim.priority) ? plus(by.place.prodLimit, victim.limit) : by.place.prodLimit;
  const both = fits(reservations, by.place.capacity) && (!isProd(by.priority) || fits(limits, by.place.capacity));
  findings.expect(!both, "KP1", () => `"${by.id}" would have fitted without the victim "${victim.id}"`);
}

/** No accepted claim leaves a place with more than it has. [KR1] */
function checkRoom(findings: Findings, place: Place): void {
  let limits = ZERO;
  let reservations = ZERO;
  for (const occupant of place.occupants.values()) {
    if (occupant.stop?.preemptor !== undefined) continue;
    if (isProd(occupant.priority)) limits = plus(limits, occupant.limit);
    reservations = plus(reservations, occupant.reservation);
  }
  findings.expect(fits(limits, place.capacity), "KR1", () => `Prod limits at "${place.id}" exceed it after a claim`);
  findings.expect(fits(reservations, place.capacity), "KR1", () => `Reservations at "${place.id}" exceed it after a claim`);
}

/** A victim that was an empty alloc is gone at once; any other stops and says for whom. [KP1] */
function checkVictim(findings: Findings, state: CellState, by: Instance, victim: Instance | undefined, id: string): void {
  if (victim === undefined) {
    const { job } = splitTask(id.slice(0, id.lastIndexOf(":")));
    findings.expect(state.jobs.get(job)?.spec.kind === "alloc-set", "KP1", () => `Victim "${id}" vanished`);
    return;
  }
  const lower = victim.priority < by.priority && !(isProd(victim.priority) && bandOf(victim.priority) === bandOf(by.priority));
  findings.expect(lower || victim.overRam, "KP1", () => `"${by.id}" at ${by.priority} evicted "${id}" at ${victim.priority}`);
  findings.expect(victim.stop?.preemptor === by.id, "KP1", () => `Victim "${id}" does not say who took its place`);
}

/** No submit or growth leaves a user above quota. [KR3] */
function checkQuota(findings: Findings, state: CellState, op: Op): void {
  const { body } = op;
  const spec = body.case === "jobSubmit" || body.case === "allocSetSubmit" ? body.value.spec : undefined;
  const id = spec === undefined ? (body.value as { job: string }).job : `${spec.user}/${spec.name}`;
  const job = state.jobs.get(id as never);
  const band = job === undefined ? "free" : bandOf(job.priority);
  const user = job === undefined ? undefined : state.users.get(job.owner);
  const quota = user?.quotas.get(band);
  if (job === undefined || user === undefined || band === "free" || quota?.unlimited) return;
  const charged = (user as User).charged.get(band) ?? ZERO;
  const allowed = { ...amounts(quota?.limit, quota?.ports ?? charged.ports, "down"), bandwidth: quota?.diskBandwidth ?? charged.bandwidth };
  findings.expect(shortfall(charged, allowed) === undefined, "KR3", () => `User "${user.id}" is above its ${band} quota after a submit`);
}
