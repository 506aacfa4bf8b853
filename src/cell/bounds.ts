/**
 * What one user may make the cell remember, in whatever band, and what all may together: so that no queue between threads and no restart is outgrown by what
 * was admitted. Quota is about machines (Borg §2.5); this protects the master itself (§4). Admins are held by the cell's bound alone.
 */
import type { JobId } from "../base/id.ts";
import { encode } from "../wire/codec.ts";
import { specDigest } from "../wire/digest.ts";
import { Role } from "../wire/gen/borg/v1/op_pb.ts";
import { AllocSetSpecSchema, type JobSpec, JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { setSpec } from "./spec.ts";
import type { CellState, Job, Used, User } from "./state.ts";
import { STRANGERS } from "./version.ts";

const MIB = 2 ** 20;

/** The one table of defaults. `Kept` counts dead ones too, which stay for a while. */
export const USER_BOUNDS = {
  jobs: 1_000,
  jobsKept: 10_000,
  tasks: 100_000,
  tasksKept: 300_000,
  specBytes: 8 * MIB,
} as const;

/** Dead ones that are still shown, for each living one that a user may have. */
const [JOBS_KEPT, TASKS_KEPT] = [10, 3];

/** Of all users together, admins and dead ones too. */
export const CELL_BOUNDS = { jobsKept: 50_000, tasksKept: 1_000_000, specBytes: 64 * MIB } as const;

/** What history shows of a dead job's program. */
const PROGRAM_LENGTH = 256;

export interface Growth {
  readonly jobs: number;
  readonly tasks: number;
  readonly specBytes: number;
}

export const specBytesOf = (spec: Job["spec"]): number =>
  spec.kind === "job" ? encode(JobSpecSchema, spec.job).length : encode(AllocSetSpecSchema, spec.allocSet).length;

/** Keeps the sums right when a job comes or its spec changes. */
export function weigh(state: CellState, job: Job): void {
  const bytes = job.kept.reduce((sum, { spec }) => sum + specBytesOf(spec), specBytesOf(job.spec));
  const more = bytes - job.specBytes;
  const owner = state.users.get(job.owner) as User;
  state.specBytes += more;
  owner.used.specBytes += more;
  owner.jobs.add(job);
  job.specBytes = bytes;
}

/** Keeps the sums right when a job has more or fewer tasks, begins to live, or dies; several changes may be counted at once. */
export function recount(state: CellState, job: Job): void {
  const { counted } = job;
  const isAlive = job.state !== "dead";
  const { used } = state.users.get(job.owner) as User;
  const more = job.tasks.length - counted.tasks;
  state.taskCount += more;
  used.tasksKept += more;
  used.tasks += (isAlive ? job.tasks.length : 0) - (counted.isAlive ? counted.tasks : 0);
  counted.tasks = job.tasks.length;
  if (counted.isAlive === isAlive) return;
  counted.isAlive = isAlive;
  used.jobs += isAlive ? 1 : -1;
  if (job.wants.allocSet !== "") countInside(state, job.wants.allocSet as JobId, isAlive ? 1 : -1);
}

function countInside(state: CellState, set: JobId, by: 1 | -1): void {
  const left = (state.inSets.get(set) ?? 0) + by;
  if (left === 0) state.inSets.delete(set);
  else state.inSets.set(set, left);
}

/** A dead job is no more. */
export function uncount(state: CellState, job: Job): void {
  const owner = state.users.get(job.owner) as User;
  state.specBytes -= job.specBytes;
  owner.used.specBytes -= job.specBytes;
  state.taskCount -= job.counted.tasks;
  owner.used.tasksKept -= job.counted.tasks;
  owner.jobs.delete(job);
}

/** What this user may have: what was set for it, else what everybody may. */
export function boundsOf({ bounds }: User): Readonly<Record<keyof typeof USER_BOUNDS, number>> {
  const jobs = bounds?.jobs || USER_BOUNDS.jobs;
  const tasks = bounds?.tasks || USER_BOUNDS.tasks;
  return {
    jobs,
    jobsKept: Math.max(USER_BOUNDS.jobsKept, JOBS_KEPT * jobs),
    tasks,
    tasksKept: Math.max(USER_BOUNDS.tasksKept, TASKS_KEPT * tasks),
    specBytes: bounds?.specBytes || USER_BOUNDS.specBytes,
  };
}

/** Why so much more cannot be remembered; undefined when it can. */
export function boundProblem(state: CellState, user: User, more: Growth): string | undefined {
  if (state.version < STRANGERS) return undefined;
  const full = cellProblem(state, more);
  if (full !== undefined || user.roles.has(Role.CELL_ADMIN)) return full;
  const has = usedBy(user);
  const most = boundsOf(user);
  const asked: readonly (readonly [number, number, string, string])[] = [
    [has.jobs + more.jobs, most.jobs, "jobs", "jobs"],
    [has.tasks + more.tasks, most.tasks, "tasks", "tasks"],
    [has.jobsKept + more.jobs, most.jobsKept, "jobs, with dead ones that are still shown", "jobs"],
    [has.tasksKept + more.tasks, most.tasksKept, "tasks, with dead ones that are still shown", "tasks"],
  ];
  for (const [amount, limit, what, option] of asked)
    if (amount > limit)
      return `User "${user.id}" would have ${amount} ${what}, and ${limit} is the most: kill some first, or an admin raises it (borg quota bounds ${user.id} --${option} ${amount})`;
  if (has.specBytes + more.specBytes <= most.specBytes) return undefined;
  return `The specs of user "${user.id}" would take ${megabytes(has.specBytes + more.specBytes)}, and ${megabytes(most.specBytes)} is the most: ship large files in packages, or an admin raises it (borg quota bounds ${user.id} --specs 16MiB)`;
}

function cellProblem(state: CellState, more: Growth): string | undefined {
  const { jobsKept, tasksKept, specBytes } = CELL_BOUNDS;
  if (state.specBytes + more.specBytes > specBytes)
    return `The cell holds ${megabytes(state.specBytes)} of job specs, of ${megabytes(specBytes)} at most: ship large files in packages, and kill jobs that are not needed`;
  if (state.jobs.size + more.jobs > jobsKept) return `The cell holds ${state.jobs.size} jobs, its most: dead ones go after a while`;
  const tasks = state.taskCount + more.tasks;
  return tasks > tasksKept ? `The cell would hold ${tasks} tasks, and ${tasksKept} is the most: dead ones go after a while` : undefined;
}

export const usedBy = ({ used, jobs }: User): Readonly<Used> & { readonly jobsKept: number } => ({ ...used, jobsKept: jobs.size });

const megabytes = (bytes: number): string => `${Math.ceil((10 * bytes) / MIB) / 10} MiB`;

/** Of a dead job what its history needs: its limits, its program's name, and a digest of what it was given. */
export function forgetDetails(state: CellState, job: Job): void {
  if (state.version < STRANGERS || job.spec.kind !== "job") return;
  job.specDigest = specDigest(job.spec.job);
  setSpec(job, { kind: "job", job: shrunk(job.spec.job) });
  weigh(state, job);
}

function shrunk({ task, overrides, ...rest }: JobSpec): JobSpec {
  const limits = overrides.filter(({ limit }) => limit !== undefined).map((each) => ({ ...each, arguments: [], environment: [] }));
  if (task === undefined) return { ...rest, overrides: limits };
  const command = task.command.slice(0, 1).map((program) => program.slice(0, PROGRAM_LENGTH).toWellFormed());
  return { ...rest, overrides: limits, task: { ...task, command, environment: [], files: [] } };
}
