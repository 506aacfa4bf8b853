/** Updates of living jobs (Borg §2.3: "a lightweight, non-atomic transaction that can easily be undone until it is closed"): start, pause, undo, commit. */
import { type JobId, jobId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { exact, fits, type Vector, ZERO } from "../../base/vector.ts";
import { bandOf } from "../../wire/band.ts";
import { firstDifference } from "../../wire/difference.ts";
import type { UpdatePause, UpdateStart } from "../../wire/gen/borg/v1/op_pb.ts";
import { type JobSpec, JobSpecSchema, TaskSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { boundProblem, weigh } from "../bounds.ts";
import { earlySpread } from "../domain.ts";
import { earlyPace } from "../down.ts";
import { nextGeneration } from "../generation.ts";
import { eitherSpec } from "../record/read.ts";
import {
  allocSetSpecProblem,
  called,
  calledWithin,
  jobSpecProblem,
  kindText,
  nameOf,
  newFace,
  partOf,
  specDifference,
  wantsOf,
} from "../spec.ts";
import { specBytesOf } from "../spec-weight.ts";
import type { CellState, Face, Job, Range, Spec, Update } from "../state.ts";
import type { Turn } from "../turn.ts";
import { countOf, isIn, isWhole, policyOf } from "../update-plan.ts";
import { COMMIT_FREES, SECRETS, TENANTS, UPDATES } from "../version.ts";
import {
  capabilityProblem,
  earlyProblem,
  insideProblem,
  keepProblem,
  launchedProblem,
  lowestOf,
  notYetProblem,
  tenantsProblem,
} from "./admission.ts";
import { findJob } from "./jobs.ts";
import { packagesProblem } from "./packages.ts";
import { chargesOf, quotaProblem, recharge } from "./quota.ts";
import { secretsProblem } from "./secrets.ts";
import { commit, tasksCharged } from "./update-end.ts";
import { beginUndo, enterPhase } from "./update-steps.ts";

/** Ranges of tasks that one update is about. */
const RANGES_MAX = 1000;

/** Of a job or of an alloc set, whose allocs are changed as tasks are: one has no program to start, but what is inside goes where it goes (Borg §2.4). */
export function startUpdate(turn: Turn, op: UpdateStart): Result<Answer> {
  const { state } = turn;
  const { tasks, paused } = op;
  const spec = eitherSpec(op);
  if (state.version < UPDATES) return refused(`The cell has version ${state.version}: it updates jobs from version ${UPDATES} on`);
  if (spec === undefined) return refused("An update needs a spec: send the whole job or alloc set as it should be");
  const { user, name } = nameOf(spec);
  const found = findJob(state, jobId(user, name));
  if (!found.ok) return refused(`${capital(kindWord(spec))} "${user}/${name}" does not exist: submit it`);
  const job = found.value;
  const problem = specProblem(turn, spec) ?? sameKindProblem(job, spec) ?? rangeProblem(job, wantsOf(spec), tasks);
  if (problem !== undefined) return refused(problem);
  const ranges = tasks.map(({ first, last }) => ({ first, last }));
  const { update } = job;
  const again = update === undefined ? undefined : startAgain(turn, job, update, spec, ranges);
  if (again !== undefined) return again;
  if (update === undefined && differsIn(job, spec) === undefined) return ok(ALREADY);
  const face = newFace(spec);
  const lack = lackFor(state, job, face);
  if (lack !== undefined) return refused(lack);
  if (update !== undefined) commit(turn, job, update);
  begin(turn, job, face, ranges, paused);
  return ok(DONE);
}

/** The first field in which a job's spec is another; how many tasks it has by now is part of it. */
export function differsIn({ spec: old, count }: Job, spec: Spec): string | undefined {
  if (old.kind === "framework") return "kind";
  if (old.kind === "alloc-set") return specDifference({ kind: "alloc-set", allocSet: { ...old.allocSet, count } }, spec);
  return specDifference(isPerMachineSpec(spec) ? old : { kind: "job", job: { ...old.job, count } }, spec);
}

const isPerMachineSpec = (spec: Spec): boolean => spec.kind === "job" && spec.job.perMachine;

/** What is wrong with the new spec, whatever the old one is. */
function specProblem({ state, actor }: Pick<Turn, "state" | "actor">, spec: Spec): string | undefined {
  if (spec.kind === "alloc-set")
    return (
      allocSetSpecProblem(spec.allocSet) ??
      earlySpread(state, spec.allocSet) ??
      earlyPace(state, spec.allocSet) ??
      keepProblem(state, spec.allocSet) ??
      tenantsProblem(state, spec.allocSet)
    );
  if (spec.kind === "framework") return "A framework is not updated: it subscribes again with what has changed";
  const { job } = spec;
  return (
    jobSpecProblem(job) ??
    launchedProblem(job) ??
    notYetProblem(state, job) ??
    earlyProblem(state, job) ??
    capabilityProblem(state, actor, job) ??
    packagesProblem(state, job) ??
    (state.version < SECRETS ? undefined : secretsProblem(state, job)) ??
    setProblem(state, job)
  );
}

const kindWord = (spec: Spec): string => kindText(spec).replace(/^an? /, "");
const capital = (words: string): string => `${words[0]?.toUpperCase()}${words.slice(1)}`;

/** What an update cannot change: what a thing is, and of a job what its tasks are tied to. */
export function sameKindProblem(job: Job, spec: Spec): string | undefined {
  if (job.state === "dead") return `${capital(kindWord(job.spec))} "${job.id}" is dead: submit it again`;
  if (job.spec.kind !== spec.kind) return `"${job.id}" is ${kindText(job.spec)}, and an update leaves it one: kill it and submit it again`;
  return spec.kind === "job" ? jobProblem(job, spec.job) : undefined;
}

function jobProblem(job: Job, spec: JobSpec): string | undefined {
  // As it was asked for: what it wants has constraints of its volumes too.
  const old = job.spec.kind === "job" ? job.spec.job : job.wants;
  const fixed = (["allocSet", "startAfter", "afterFailure", "perMachine", "keptDirectory"] as const).find(
    (name) => old[name] !== spec[name],
  );
  if (fixed !== undefined) return `An update cannot change ${fixed} of job "${job.id}": kill it and submit it again`;
  if (spec.perMachine && firstDifference(JobSpecSchema, { ...old, constraints: spec.constraints }, old) !== undefined)
    return `Job "${job.id}" has one task per machine: an update cannot change its constraints; kill it and submit it again`;
  if (
    spec.perMachine &&
    old.task !== undefined &&
    firstDifference(TaskSpecSchema, { ...old.task, volumes: spec.task?.volumes ?? [] }, old.task) !== undefined
  )
    return `Job "${job.id}" has one task per machine: an update cannot change its volumes; kill it and submit it again`;
  return undefined;
}

/** In an alloc set nobody counts for more than the set. */
function setProblem({ jobs, version }: CellState, spec: JobSpec): string | undefined {
  const set = version < TENANTS ? undefined : jobs.get(spec.allocSet as JobId);
  return set === undefined ? undefined : insideProblem({ id: set.id, priority: lowestOf(set) }, spec);
}

function rangeProblem(job: Job, spec: JobSpec, tasks: readonly Range[]): string | undefined {
  if (tasks.length > RANGES_MAX)
    return `An update names at most ${RANGES_MAX} ranges of tasks, not ${tasks.length}: name fewer, and the rest afterwards`;
  const wrong = tasks.find(({ first, last }) => first > last || last >= job.count);
  if (wrong !== undefined)
    return `${called(job)} has ${partOf(job)}s 0 to ${job.count - 1}: ${wrong.first} to ${wrong.last} are no range of them`;
  const before = job.update?.countBefore ?? job.count;
  if (tasks.length > 0 && !spec.perMachine && spec.count !== before)
    return `An update of some ${partOf(job)}s cannot change how many there are, and ${calledWithin(job)} has ${before}, not ${spec.count}: update all, or keep the count`;
  return undefined;
}

/** Undefined: the one before is over, is committed by that, and the new one may begin. */
function startAgain(turn: Turn, job: Job, update: Update, spec: Spec, ranges: readonly Range[]): Result<Answer> | undefined {
  const isSame = specDifference(update.spec, spec) === undefined;
  if (update.phase === "undoing")
    return refused(`The update of ${calledWithin(job)} is being undone: wait for its end (borg update show ${job.id})`);
  if (isSame && isCovered(job, update, ranges)) return ok(ALREADY);
  if (update.phase !== "rolled")
    return refused(`${called(job)} is being updated already: wait for its end, or undo it (borg update undo ${job.id})`);
  if (isSame) return extend(turn, job, update, ranges);
  const problem = wholeProblem(job, update);
  return problem === undefined ? undefined : refused(problem);
}

const isCovered = (job: Job, { ranges: known }: Update, asked: readonly Range[]): boolean =>
  job.tasks.every(({ index }) => !isIn(asked, index) || isIn(known, index));

/** The same update for more tasks. */
function extend(turn: Turn, job: Job, update: Update, ranges: readonly Range[]): Result<Answer> {
  const all = ranges.length === 0 ? [] : [...update.ranges, ...ranges];
  if (all.length > RANGES_MAX)
    return refused(`An update names at most ${RANGES_MAX} ranges of tasks, not ${all.length} with those before: name all tasks`);
  update.ranges = all;
  enterPhase(turn, job, update, "rolling");
  turn.emit({ kind: "job.updated", subject: job.id, detail: "goes on with more tasks" });
  return ok(DONE);
}

function begin(turn: Turn, job: Job, face: Face, ranges: readonly Range[], paused: boolean): void {
  const { state } = turn;
  job.update = {
    ...face,
    generation: nextGeneration(job),
    phase: paused ? "paused" : "rolling",
    ranges,
    countBefore: job.count,
    startedMs: turn.timeMs,
    sinceMs: turn.timeMs,
    reason: "",
    preempted: 0,
    charge: ZERO,
  };
  weigh(state, job);
  recharge(state, job, tasksCharged(job));
  turn.touch.job(job);
  const { batch } = policyOf(face);
  const speed = batch === Number.POSITIVE_INFINITY ? "all at once" : `${batch} at a time`;
  turn.emit({ kind: "job.updated", subject: job.id, detail: `${paused ? "is staged" : "begins"}, ${speed}` });
}

/** What an update would be refused for by its spec, its range, and what its owner lacks: for who asks before it begins. */
export function foreseenProblem(by: Pick<Turn, "state" | "actor">, job: Job, spec: Spec, tasks: readonly Range[]): string | undefined {
  const problem = specProblem(by, spec) ?? rangeProblem(job, wantsOf(spec), tasks);
  const isSame = job.update === undefined && differsIn(job, spec) === undefined;
  return problem ?? (isSame ? undefined : lackFor(by.state, job, newFace(spec)));
}

function lackFor(state: CellState, job: Job, face: Face): string | undefined {
  const { update } = job;
  const freed = update === undefined ? ZERO : freedBy(state, job, update, face);
  return quotaLack(state, update === undefined ? job : asCommitted(job, update), face, freed) ?? boundsLack(state, job, face);
}

/** What a job would be, and holds, if its update were committed. */
function asCommitted(job: Job, update: Update): Job {
  const { spec, wants, priority, limit } = update;
  const charge = bandOf(job.priority) === bandOf(priority) ? job.charge : update.charge;
  return { ...job, spec, wants, priority, limit, charge };
}

/** What committing an update that leaves a band gives back in it, to one that goes into that band again. */
function freedBy({ version }: CellState, job: Job, update: Update, face: Face): Vector {
  const left = bandOf(job.priority);
  return version >= COMMIT_FREES && left !== bandOf(update.priority) && left === bandOf(face.priority) ? job.charge : ZERO;
}

/** Whoever asks for no more than it holds needs no quota for it. `freed`: of the other band. */
function quotaLack(state: CellState, job: Job, face: Face, freed: Vector): string | undefined {
  const user = state.users.get(job.owner);
  if (user === undefined) return `User "${job.owner}" is unknown`;
  const { own, beside } = chargesOf(job, { ...face, countBefore: job.count }, tasksCharged(job));
  if (!exact(own) || !exact(beside)) return "More is asked for than can be counted: lower the limits or the count";
  const more = fits(own, job.charge) ? undefined : quotaProblem(state, user, job.priority, own, job.charge);
  const other = fits(beside, freed) ? undefined : quotaProblem(state, user, face.priority, beside, freed);
  return (more ?? other)?.reason;
}

function boundsLack(state: CellState, job: Job, face: Face): string | undefined {
  const user = state.users.get(job.owner);
  const growth = { jobs: 0, tasks: Math.max(0, countOf(job, face) - job.count), specBytes: specBytesOf(state, face.spec) };
  return user === undefined ? undefined : boundProblem(state, user, growth);
}

/** Holds it, or lets it go on. */
export function pauseUpdate(turn: Turn, { job: id, paused }: UpdatePause): Result<Answer> {
  const found = findUpdate(turn.state, id);
  if (!found.ok) return found;
  const { job, update } = found.value;
  if (update.phase === "undoing")
    return refused(`The update of ${calledWithin(job)} is being undone, which is not paused: wait for its end (borg update show ${id})`);
  if (update.phase === "rolled") return refused(`The update of ${calledWithin(job)} has come to its end: commit it, or undo it`);
  if ((update.phase === "paused") === paused) return ok(ALREADY);
  enterPhase(turn, job, update, paused ? "paused" : "rolling");
  turn.emit({ kind: "job.updated", subject: id, detail: paused ? "is paused" : "goes on" });
  return ok(DONE);
}

export function undoUpdate(turn: Turn, id: string): Result<Answer> {
  const found = findUpdate(turn.state, id);
  if (!found.ok) return found;
  const { job, update } = found.value;
  if (update.phase === "undoing") return ok(ALREADY);
  beginUndo(turn, job, update, "");
  return ok(DONE);
}

export function commitUpdate(turn: Turn, id: string): Result<Answer> {
  const found = findUpdate(turn.state, id);
  if (!found.ok) return found;
  const { job, update } = found.value;
  if (update.phase !== "rolled")
    return refused(
      `The update of ${calledWithin(job)} is ${update.phase}: it can be committed when every ${partOf(job)} had its turn (borg update show ${id})`,
    );
  const problem = wholeProblem(job, update);
  if (problem !== undefined) return refused(problem);
  commit(turn, job, update);
  return ok(DONE);
}

/** A job has one spec when nobody updates it. */
function wholeProblem(job: Job, update: Update): string | undefined {
  if (isWhole(job, update)) return undefined;
  return `The update of ${calledWithin(job)} left ${partOf(job)}s out: update them too (borg update FILE), or undo it (borg update undo ${job.id})`;
}

function findUpdate(state: CellState, id: string): Result<{ readonly job: Job; readonly update: Update }> {
  const found = findJob(state, id as JobId);
  if (!found.ok) return found;
  const { update } = found.value;
  return update === undefined
    ? refused(`${called(found.value)} is not being updated: borg update FILE begins an update`)
    : ok({ job: found.value, update });
}
