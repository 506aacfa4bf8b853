/** What must hold of every step: the op, what it answered, and the state after it. Complements invariants.ts, which sees only states. */

import { shortfall, ZERO } from "../base/vector.ts";
import { ActorKind, Capability, type Op, Role } from "../wire/gen/borg/v1/op_pb.ts";
import { AfterFailure } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Done, Outcome } from "./cell.ts";
import type { CellEvent } from "./event.ts";
import { Findings, type Violation } from "./invariants.ts";
import { checkClaims } from "./invariants-claims.ts";
import { checkFrameworkStep } from "./invariants-frameworks.ts";
import { checkStep } from "./invariants-updates.ts";
import { bandAt, believedMs, boundVector, hasPlace, instanceNamed, vectorOf, wishOf } from "./invariants-words.ts";
import type { CellState, Instance, Job, Task } from "./state.ts";

/** Every arrow of Figure 2 (Borg §2.3), with the states that this cell divides its three into. */
const TASK_ARROWS = new Set([
  "pending starting",
  "pending dead",
  ...["stopping", "ending", "pending", "dead"].flatMap((to) => [`starting ${to}`, `running ${to}`]),
  "starting running",
  "stopping ending",
  "stopping pending",
  "stopping dead",
  "ending stopping",
  "ending dead",
  "dead pending",
]);
const JOB_ARROWS = new Set(["pending running", "pending dead", "running pending", "running dead", "dead pending"]);

/** Call it right after `apply`, before anything else changes the state. */
export function outcomeViolations(state: CellState, op: Op, outcome: Outcome): readonly Violation[] {
  const findings = new Findings();
  if (!outcome.ok) return findings.found;
  checkRight(findings, state, op);
  checkArrows(findings, outcome);
  for (const event of outcome.events) {
    if (event.kind !== "task.state") continue;
    // A framework may say by when, with its kill; a revocation gives more.
    const isSaid = op.body.case === "frameworkRevoke" || (op.body.case === "frameworkKill" && op.body.value.noticeMs !== undefined);
    if (!isSaid && (event.to === "stopping" || event.to === "ending")) checkNotice(findings, state, event);
    if (event.to === "pending" && event.cause === "failed") checkBackOff(findings, state, event);
  }
  if (outcome.answer.type === "claims") checkClaims(findings, state, op, outcome.answer.claims);
  if (op.body.case === "taskLost") checkGivenUp(findings, state, op.body.value.machine, outcome);
  checkStep(findings, state, op, outcome);
  checkFrameworkStep(findings, state, op, outcome);
  const job = grown(state, op, outcome);
  if (job !== undefined) checkQuota(findings, state, job);
  if (op.body.case === "jobSubmit" && job !== undefined) checkWaits(findings, state, job);
  return findings.found;
}

type Submit = Extract<Op["body"], { readonly case: "jobSubmit" | "allocSetSubmit" }>;
const isSubmit = (body: Op["body"]): body is Submit => body.case === "jobSubmit" || body.case === "allocSetSubmit";

/** The job that an op made, or made larger. */
function grown(state: CellState, { body }: Op, { answer, events }: Done): Job | undefined {
  if (body.case === "frameworkLaunch") {
    const isLaunched = answer.type === "launches" && answer.launches.some(({ ok }) => ok);
    return isLaunched ? state.jobs.get(body.value.framework as Job["id"]) : undefined;
  }
  const wasMade = events.some(({ kind }) => kind === "job.submitted");
  const isLarger = events.some(({ kind, cause }) => kind === "task.added" || (kind === "task.state" && cause === "submitted"));
  if (!wasMade && !(isLarger && events.some(({ kind }) => kind === "job.resized"))) return undefined;
  const spec = isSubmit(body) || body.case === "frameworkSubscribe" ? body.value.spec : undefined;
  return state.jobs.get((spec === undefined ? (body.value as { job: string }).job : `${spec.user}/${spec.name}`) as Job["id"]);
}

/** Jobs are changed by their owners, by who may change any, and by nobody else. [KA2] */
function checkRight(findings: Findings, state: CellState, { actor, body }: Op): void {
  if (actor?.kind !== ActorKind.USER) return;
  const isJobs = isSubmit(body) || body.case === "updateStart" || body.case === "frameworkSubscribe";
  const value = body.value as { readonly job?: string; readonly framework?: string } | undefined;
  const about = body.case === "taskUnpin" ? body.value.task : (value?.job ?? value?.framework);
  const owner = isJobs ? body.value.spec?.user : about?.split("/")[0];
  const user = state.users.get(actor.name as never);
  const may =
    owner === undefined || owner === actor.name || user?.roles.has(Role.CELL_ADMIN) || user?.capabilities.has(Capability.MODIFY_ANY_JOB);
  findings.expect(may === true, "KA2", () => `User "${actor.name}" did ${body.case} on what is "${owner}"'s`);
}

/** Tasks and jobs move only along the arrows of their tables, and say why. [KT4] */
function checkArrows(findings: Findings, outcome: Done): void {
  for (const { kind, subject, from, to, cause } of outcome.events) {
    if (kind === "task.state") {
      const legal = TASK_ARROWS.has(`${from} ${to}`) && cause !== undefined;
      findings.expect(legal, "KT4", () => `Task "${subject}" went from ${from} to ${to} because of ${cause}`);
    }
    if (kind === "job.state") findings.expect(JOB_ARROWS.has(`${from} ${to}`), "KT4", () => `Job "${subject}" went from ${from} to ${to}`);
  }
}

/** What has to stop gets the notice and the lame duck that it asked for, or what its preemptor or its alloc leaves of them. [KT6] */
function checkNotice(findings: Findings, state: CellState, event: CellEvent): void {
  const instance = event.instance === undefined ? undefined : instanceNamed(state, event.instance);
  if (instance?.stop === undefined || !hasPlace(event.from as Task["state"])) return;
  const alloc = instance.place === instance.place.machine.place ? undefined : instanceNamed(state, instance.place.id);
  const bound = alloc?.stop !== undefined ? alloc.stop.noticeMs + alloc.stop.lameDuckMs : boundOf(state, instance);
  const expected = Math.min(instance.noticeMs, bound);
  const left = Math.min(instance.lameDuckMs, bound - expected);
  findings.expect(
    instance.stop.noticeMs === expected,
    "KT6",
    () => `"${instance.id}" has to stop within ${instance.stop?.noticeMs} ms, not ${expected}`,
  );
  findings.expect(
    instance.stop.lameDuckMs === left,
    "KT6",
    () => `"${instance.id}" gets its SIGTERM after ${instance.stop?.lameDuckMs} ms, not after ${left}`,
  );
}

/** What the one who takes its place grants at most (Borg §2.3). */
function boundOf(state: CellState, { stop }: Instance): number {
  const by = stop?.preemptor === undefined ? undefined : instanceNamed(state, stop.preemptor);
  const spec = by === undefined ? undefined : wishOf(by.task).spec;
  return spec?.kind === "job" ? (spec.job.victimNoticeMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

/** Who failed waits, twice as long each time up to a longest, and keeps away from that machine (Borg §4). [KP4] */
function checkBackOff(findings: Findings, state: CellState, { subject, machine }: CellEvent): void {
  const [user, name, index] = subject.split("/");
  const job = state.jobs.get(`${user}/${name}` as Job["id"]);
  const task = job?.tasks[Number(index)];
  const spec = task === undefined ? undefined : wishOf(task).spec;
  if (spec?.kind !== "job" || task === undefined) return;
  const { backoffMinMs, backoffMaxMs } = spec.job.restart ?? { backoffMinMs: 0, backoffMaxMs: 0 };
  const first = backoffMinMs > 0 ? backoffMinMs : state.config.backoffMinMs;
  const longest = Math.max(first, backoffMaxMs > 0 ? backoffMaxMs : state.config.backoffMaxMs);
  let waitMs = first;
  for (let failure = 1; failure < task.failures && waitMs < longest; failure++) waitMs += waitMs;
  const found = task.notBeforeMs - state.timeMs;
  findings.expect(found === Math.min(waitMs, longest), "KP4", () => `"${subject}" waits ${found} ms after failure ${task.failures}`);
  const shunned = task.past.avoid.some((avoided) => avoided.machine === machine && avoided.untilMs > state.timeMs);
  findings.expect(shunned || longest === 0, "KP4", () => `"${subject}" failed on "${machine}" and does not avoid it`);
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

/** A job that starts after another one waits while that one lives. [KS5] */
function checkWaits(findings: Findings, state: CellState, job: Job): void {
  const after = job.spec.kind === "job" ? job.spec.job.startAfter : "";
  const prior = after === "" ? undefined : state.jobs.get(after as Job["id"]);
  const isPatient = job.spec.kind === "job" && job.spec.job.afterFailure === AfterFailure.WAIT;
  const counted = state.version < 8 ? prior?.tasks.length : prior?.count;
  const waits =
    prior !== undefined &&
    (prior.state !== "dead" || (isPatient && prior.tasks.slice(0, counted).some(({ cause }) => cause !== "finished")));
  findings.expect(job.held === waits, "KS5", () => `Job "${job.id}" ${job.held ? "waits" : "does not wait"} for the end of "${after}"`);
}

/** No submit or growth leaves a user above quota, or uses a quota that has ended. [KR3] */
function checkQuota(findings: Findings, state: CellState, job: Job): void {
  const band = bandAt(job.priority);
  const user = state.users.get(job.owner);
  if (user === undefined || band === "free") return;
  const quota = user.quotas.get(band);
  findings.expect(quota !== undefined, "KR3", () => `User "${user.id}" has no ${band} quota, and a job was admitted`);
  if (quota === undefined) return;
  const ended = quota.untilMs !== 0 && quota.untilMs <= believedMs(state);
  findings.expect(
    !ended,
    "KR3",
    () => `The ${band} quota of user "${user.id}" ended at ${quota.untilMs}, and a job was admitted at ${state.timeMs}`,
  );
  if (quota.unlimited) return;
  const charged = user.charged.get(band) ?? ZERO;
  const allowed = boundVector(vectorOf(quota.limit, 0, Math.floor), charged, quota);
  findings.expect(shortfall(charged, allowed) === undefined, "KR3", () => `User "${user.id}" is above its ${band} quota after a submit`);
}
