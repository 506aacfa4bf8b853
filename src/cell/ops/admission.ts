/** Admission of jobs and alloc sets (Borg §2.5): is the spec sound, is the name free, is there quota. Scheduling is another matter. */
import { compareIds, type JobId, jobId, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { exact, ZERO } from "../../base/vector.ts";
import { Capability, type Principal } from "../../wire/gen/borg/v1/op_pb.ts";
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { earlyBeside } from "../beside.ts";
import { boundProblem, outgrown, recount, weigh } from "../bounds.ts";
import { earlySpread } from "../domain.ts";
import { earlyPace } from "../down.ts";
import { facesOf } from "../face.ts";
import { newLed } from "../framework.ts";
import { NO_SPECS, nextSpec } from "../generation.ts";
import { jobStep } from "../job.ts";
import { hasImage } from "../package.ts";
import {
  allocSetSpecProblem,
  baseLimit,
  chargeOf,
  isAllocSet,
  jobSpecProblem,
  kindText,
  labelsProblem,
  specDifference,
  wantsOf,
} from "../spec.ts";
import { specBytesOf } from "../spec-weight.ts";
import { afterEnd, endsText } from "../start-after.ts";
import type { CellState, Face, Job } from "../state.ts";
import type { Turn } from "../turn.ts";
import {
  ADJUSTMENTS,
  AFTER_FAILURES,
  CHECKS,
  HELD_CPU,
  IMAGES,
  NAMED_EXITS,
  PACKAGES,
  RUNS,
  SECRETS,
  SLACK_GRANTED,
  TENANTS,
  VOLUMES,
} from "../version.ts";
import { namesVolumes } from "../volume.ts";
import { controllerSpecProblem } from "./controllers.ts";
import { directoryProblem, pinToDirectory } from "./directories.ts";
import { dropJob } from "./jobs.ts";
import { packagesProblem } from "./packages.ts";
import { matching, pin } from "./per-machine.ts";
import { charge, quotaProblem } from "./quota.ts";
import { secretsProblem } from "./secrets.ts";
import { grow } from "./tasks.ts";
import { hasCapability } from "./users.ts";

/** `already`: an equal job is there, and nothing changed. */
export interface Submitted {
  readonly already: boolean;
}

export function submitJob(turn: Turn, spec: JobSpec): Result<Submitted> {
  const problem =
    jobSpecProblem(spec) ??
    launchedProblem(spec) ??
    notYetProblem(turn.state, spec) ??
    earlyProblem(turn.state, spec) ??
    capabilityProblem(turn.state, turn.actor, spec) ??
    referenceProblem(turn.state, spec) ??
    directoryProblem(turn.state, spec) ??
    (turn.state.version < PACKAGES ? undefined : packagesProblem(turn.state, spec)) ??
    (turn.state.version < SECRETS ? undefined : secretsProblem(turn.state, spec));
  if (problem !== undefined) return refused(problem);
  return admit(turn, { kind: "job", job: spec });
}

/** What only launches of frameworks have. */
export const launchedProblem = ({ task }: JobSpec): string | undefined =>
  task?.executor === undefined ? undefined : "Executors come with launches of frameworks, and no job has one: leave executor out";

export function submitAllocSet(turn: Turn, spec: AllocSetSpec): Result<Submitted> {
  const problem =
    allocSetSpecProblem(spec) ??
    earlySpread(turn.state, spec) ??
    earlyPace(turn.state, spec) ??
    keepProblem(turn.state, spec) ??
    tenantsProblem(turn.state, spec);
  if (problem !== undefined) return refused(problem);
  return admit(turn, { kind: "alloc-set", allocSet: spec });
}

export const keepProblem = ({ version }: CellState, { keepDirectoryMs }: AllocSetSpec): string | undefined =>
  version < VOLUMES && keepDirectoryMs > 0 ? "Cannot keep directories yet: not all masters of the cell are upgraded" : undefined;

export function tenantsProblem(state: CellState, { user, name, priority, tenants, labels }: AllocSetSpec): string | undefined {
  if (state.version < TENANTS)
    return tenants.length === 0 ? undefined : "Cannot let other users in yet: not all masters of the cell are upgraded";
  const set = jobId(user, name);
  const wrong = labelsProblem(labels);
  if (wrong !== undefined || !state.inSets.has(set)) return wrong;
  // Jobs of a set that is dead wait for one of the same name.
  const inside = [...state.jobs.values()].filter((job) => job.state !== "dead" && job.wants.allocSet === set);
  const stranger = firstOf(inside.filter(({ owner }) => owner !== user && !tenants.includes(owner)));
  if (stranger !== undefined)
    return `Job "${stranger.id}" would run in alloc set "${set}": name user "${stranger.owner}" as a tenant, or let that job be killed first`;
  const higher = firstOf(inside.filter((job) => job.priority > priority));
  return higher === undefined ? undefined : insideProblem({ id: set, priority }, higher);
}

/** The order of a Map is nobody's. */
const firstOf = (jobs: readonly Job[]): Job | undefined => [...jobs].sort((a, b) => compareIds(a.id, b.id))[0];

/** What no machine can give a task yet is refused here, not when the task starts. */
export function notYetProblem({ version }: CellState, { task }: JobSpec): string | undefined {
  if (version < RUNS || task === undefined) return undefined;
  if (version < ADJUSTMENTS && (task.wholeCores || task.slackRam))
    return "Cannot use whole_cores or slack_ram yet: not all masters of the cell are upgraded";
  const since = { packages: PACKAGES, secrets: SECRETS, volumes: VOLUMES } as const;
  const missing = (["packages", "secrets", "volumes"] as const).filter((name) => version < since[name]);
  const asked = missing.find((name) => task[name].length > 0);
  return asked === undefined ? undefined : `Cannot use "${asked}" yet: no machine can give them to a task; leave it out`;
}

/** What masters of the version before would read, and not know. */
export function earlyProblem(state: CellState, spec: JobSpec): string | undefined {
  const [{ version }, { task, overrides }] = [state, spec];
  const controlled = controllerSpecProblem(state, spec) ?? earlySpread(state, spec) ?? earlyBeside(state, spec) ?? earlyPace(state, spec);
  if (controlled !== undefined) return controlled;
  if (version < TENANTS && overrides.some(({ labels }) => labels.length > 0))
    return "Cannot give single tasks labels yet: not all masters of the cell are upgraded";
  if (version < AFTER_FAILURES && spec.afterFailure !== 0) return "Cannot use after_failure yet: not all masters of the cell are upgraded";
  if (version < NAMED_EXITS && namesExits(spec)) return "Cannot use fatal_exits or ok_exits yet: not all masters of the cell are upgraded";
  if (version < HELD_CPU && task?.holdCpu === true) return "Cannot use slack_cpu = false yet: not all masters of the cell are upgraded";
  if (version < IMAGES && task !== undefined && hasImage(task)) return "Cannot run images yet: not all masters of the cell are upgraded";
  if (version >= CHECKS || task === undefined) return undefined;
  const { health, ready, lameDuckMs } = task;
  const isNew = ready !== undefined || lameDuckMs > 0 || (health !== undefined && (health.kind !== 0 || health.graceMs !== undefined));
  return isNew
    ? "Cannot use readiness, lame_duck, grace or checks other than by HTTP yet: not all masters of the cell are upgraded"
    : undefined;
}

const namesExits = ({ restart }: JobSpec): boolean => restart !== undefined && restart.fatalExits.length + restart.okExits.length > 0;

export function capabilityProblem(state: CellState, actor: Principal, spec: JobSpec): string | undefined {
  if (spec.disableReclamation && !hasCapability(state, actor, Capability.DISABLE_RECLAMATION)) {
    return "Only users with the capability disable-reclamation may keep reservations at the limit: leave reclaim = false (disable_reclamation) out, or let an admin say borg user grant NAME --capability disable-reclamation";
  }
  if (state.version >= SLACK_GRANTED && spec.task?.slackRam === true && !hasCapability(state, actor, Capability.SLACK_MEMORY))
    return "Only users with the capability slack-memory may use memory beyond a limit: leave slack_ram out, or let an admin say borg user grant NAME --capability slack-memory";
  const mounts = state.version < VOLUMES ? (spec.task?.volumes.length ?? 0) : 0;
  if (mounts > 0 && !hasCapability(state, actor, Capability.HOST_MOUNT))
    return "Only users with the capability host-mount may use volumes of the host: leave them out, or let an admin say borg user grant NAME --capability host-mount";
  return undefined;
}

function referenceProblem(state: CellState, spec: JobSpec): string | undefined {
  if (spec.startAfter !== "" && !state.jobs.has(spec.startAfter as JobId))
    return `Job "${spec.startAfter}" to wait for does not exist: submit it first`;
  const prior = state.jobs.get(spec.startAfter as JobId);
  if (prior?.state === "dead" && afterEnd(state, spec, prior) === "fail" && !isLiving(state.jobs.get(jobId(spec.user, spec.name))))
    return `Job "${prior.id}" to start after did not end well (${endsText(state, prior)}), and after_failure is "fail": run that one again first, or leave after_failure out`;
  if (spec.allocSet === "") return undefined;
  const set = state.jobs.get(spec.allocSet as JobId);
  if (set === undefined || !isAllocSet(set) || set.state === "dead") return `Alloc set "${spec.allocSet}" does not exist: submit it first`;
  if (set.owner !== spec.user && !facesOf(set).every((face) => isTenant(face, spec.user)))
    return `Alloc set "${spec.allocSet}" belongs to user "${set.owner}": its owner names tenants when it submits the set`;
  return state.version < TENANTS ? undefined : insideProblem({ id: set.id, priority: lowestOf(set) }, spec);
}

const isLiving = (job: Job | undefined): boolean => job !== undefined && job.state !== "dead";

/** Of a set that is updated the lower of both: it may come to either. */
export const lowestOf = (set: Job): number => Math.min(...facesOf(set).map(({ priority }) => priority));

const isTenant = ({ spec }: Face, user: string): boolean => spec.kind === "alloc-set" && spec.allocSet.tenants.includes(user);

/** What is inside is paid for by the set, so it cannot count for more than the set does. */
export function insideProblem(set: Pick<Job, "id" | "priority">, { priority }: { readonly priority: number }): string | undefined {
  if (priority <= set.priority) return undefined;
  return `Priority ${priority} of a job in it is above that of alloc set "${set.id}", which is ${set.priority}: lower the job's, or submit the set with a higher one`;
}

function admit(turn: Turn, spec: Job["spec"]): Result<Submitted> {
  const { state } = turn;
  const wants = wantsOf(spec);
  const id = jobId(wants.user, wants.name);
  const user = state.users.get(userId(wants.user));
  if (user === undefined) return refused(`User "${wants.user}" is unknown: grant a role first`);
  const before = state.jobs.get(id);
  // Tasks of a framework are no tasks of a job: nothing of a dead one is taken over.
  const old = isDeadFramework(before) ? undefined : before;
  if (old !== undefined && old.state !== "dead") return resubmitted(old, spec);
  if (old === undefined && before !== undefined && hasInstances(before)) return refused(lastWords(before));
  const machines = wants.perMachine ? matching(state, wants) : [];
  const wanted = chargeOf(spec, wants.count + machines.length);
  if (!exact(wanted)) return refused("More is asked for than can be counted: lower the limits or the count");
  const problem = quotaProblem(state, user, wants.priority, wanted, ZERO);
  if (problem !== undefined) return problem;
  const growth = { jobs: 1, tasks: wants.count + machines.length, specBytes: specBytesOf(state, spec) };
  const gone = outgrown(state, user, growth, before);
  const bound = boundProblem(state, user, growth, gone);
  if (bound !== undefined) return refused(bound);
  for (const each of gone) dropJob(turn, each);
  if (old === undefined && before !== undefined) replaceJob(turn, before);
  const job = old ?? newJob(spec, state.timeMs);
  if (old !== undefined) takeOver(turn, old, spec);
  state.jobs.set(id, job);
  turn.touch.job(job);
  weigh(state, job);
  turn.emit({ kind: "job.submitted", subject: id });
  hold(state, job);
  charge(state, job, wanted);
  grow(turn, job, wants.count);
  for (const machine of machines) pin(turn, job, machine);
  pinToDirectory(turn, job);
  if (wants.perMachine) state.perMachine.add(id);
  return ok({ already: false });
}

function resubmitted(old: Job, spec: Job["spec"]): Result<Submitted> {
  if (old.spec.kind !== spec.kind) return refused(`"${old.id}" is ${kindText(old.spec)} already: take another name, or kill that first`);
  const difference = specDifference(old.spec, spec);
  if (difference === undefined) return ok({ already: true });
  return refused(`Job "${old.id}" is there already and differs in ${difference}: borg update FILE changes it, task by task`);
}

const isDeadFramework = (job: Job | undefined): boolean => job?.led !== undefined && job.state === "dead";

export const hasInstances = ({ tasks }: Job): boolean => tasks.some(({ instance }) => instance !== undefined);

/** Of a name that is not free yet. */
export const lastWords = ({ id, spec }: Job): string =>
  `"${id}" was ${kindText(spec)} whose last tasks still stop: ask again when they are gone, or take another name`;

/** A dead job makes room for another kind of job under its name; nothing of it is left on a machine. */
export function replaceJob(turn: Turn, job: Job): void {
  for (const task of job.tasks) turn.touch.task(task);
  dropJob(turn, job);
}

const NO_DIGEST = new Uint8Array();

export function newJob(spec: Job["spec"], timeMs: number): Job {
  const wants = wantsOf(spec);
  return {
    id: jobId(wants.user, wants.name),
    owner: userId(wants.user),
    spec,
    generation: 0,
    kept: NO_SPECS,
    specDigest: NO_DIGEST,
    update: undefined,
    led: spec.kind === "framework" ? newLed() : undefined,
    wants,
    priority: wants.priority,
    limit: baseLimit(spec),
    count: 0,
    tasks: [],
    submittedMs: timeMs,
    sinceMs: timeMs,
    drainedMs: 0,
    held: false,
    killed: false,
    state: "pending",
    placed: 0,
    dead: 0,
    charge: ZERO,
    specBytes: 0,
    counted: { tasks: 0, isAlive: false },
    pins: new Map(),
  };
}

/** A name of a dead job is used again. Its tasks stay what they are, so that instances that still stop block their successors. */
function takeOver(turn: Turn, job: Job, spec: Job["spec"]): void {
  const wasPerMachine = job.wants.perMachine;
  nextSpec(turn.state, job, spec);
  job.specDigest = NO_DIGEST;
  job.count = 0;
  job.submittedMs = turn.timeMs;
  job.sinceMs = turn.timeMs;
  job.killed = false;
  job.pins.clear();
  // Its volumes are still where its tasks were.
  const stays = namesVolumes(job) && !job.wants.perMachine && !wasPerMachine;
  for (const task of job.tasks) {
    if (task.pinned === undefined || stays) continue;
    task.pinned = undefined;
    turn.touch.task(task);
  }
  const next = jobStep(job.state, "submit") ?? job.state;
  turn.emit({ kind: "job.state", subject: job.id, from: job.state, to: next });
  job.state = next;
  recount(turn.state, job);
}

/** The start of a job can be deferred until a prior one finishes (§2.3): however it ends, or only when it ends well. */
function hold(state: CellState, job: Job): void {
  job.held = false;
  const prior = job.wants.startAfter as JobId | "";
  if (prior === "") return;
  const before = state.jobs.get(prior);
  if (before?.state === "dead" && afterEnd(state, job.wants, before) !== "wait") return;
  job.held = true;
  const waiters = state.waiters.get(prior) ?? new Set<JobId>();
  state.waiters.set(prior, waiters.add(job.id));
}
