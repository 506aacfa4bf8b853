/**
 * What one user may make the cell remember, in whatever band, and what all may together: so that no queue between threads and no restart is outgrown by what
 * was admitted. Quota is about machines (Borg §2.5); this protects the master itself (§4). Admins are held by the cell's bound alone.
 */

import { compareIds, type JobId } from "../base/id.ts";
import { specDigest } from "../wire/digest.ts";
import { Role } from "../wire/gen/borg/v1/op_pb.ts";
import { SMALL_USER_BOUNDS, USER_BOUNDS } from "../wire/user-bounds.ts";
import { dropLimits, noteLimits } from "./beside.ts";
import { shrunk } from "./shrunk.ts";
import { setSpec } from "./spec.ts";
import { specBytesOf } from "./spec-weight.ts";
import type { CellState, Job, Used, User } from "./state.ts";
import { MEASURED_BOUNDS, SHARES, STRANGERS } from "./version.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Of all users together, admins and dead ones too. */
export const CELL_BOUNDS = { jobsKept: 50_000, tasksKept: 400_000, specBytes: 64 * MIB, packages: 2_000, packageBytes: 64 * GIB } as const;

/** Of a cell without machines. */
export const SMALL_CELL_BOUNDS = { ...CELL_BOUNDS, jobsKept: 15_000, tasksKept: 100_000, specBytes: 32 * MIB } as const;

/** From so many on the bounds grow no more. */
const MACHINES_FULL = 1_000;

/** What all but admins may fill of the cell's bounds. */
const USERS_SHARE = 0.95;

/** Living and dead ones that are still shown, for each living one that a user may have. */
const KEPT = { jobs: 2, tasks: 1.5 } as const;

/** Below version 3. */
const FORMER_USER_BOUNDS = {
  ...USER_BOUNDS,
  jobs: 1_000,
  jobsKept: 10_000,
  tasks: 100_000,
  tasksKept: 300_000,
  specBytes: 8 * MIB,
  packages: 0,
  packageBytes: 0,
} as const;
const FORMER_CELL_BOUNDS = { jobsKept: 50_000, tasksKept: 1_000_000, specBytes: 64 * MIB } as const;
const FORMER_KEPT = { jobs: 10, tasks: 3 } as const;

type Bounds = Readonly<Record<keyof typeof USER_BOUNDS, number>>;
type CallBounds = Pick<Bounds, "calls" | "polls" | "workPerSecond">;

export interface Growth {
  readonly jobs: number;
  readonly tasks: number;
  readonly specBytes: number;
}

/** Keeps the sums right when a job comes or its spec changes. */
export function weigh(state: CellState, job: Job): void {
  const specs = [job.spec, ...(job.update === undefined ? [] : [job.update.spec]), ...job.kept.map(({ spec }) => spec)];
  const bytes = specs.reduce((sum, spec) => sum + specBytesOf(state, spec), job.led?.specBytes ?? 0);
  const more = bytes - job.specBytes;
  const owner = state.users.get(job.owner) as User;
  state.specBytes += more;
  owner.used.specBytes += more;
  owner.jobs.add(job);
  job.specBytes = bytes;
  noteLimits(state.limiting, job);
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
  dropLimits(state.limiting, job);
}

/** What this user may have: what was set for it, else what everybody may. */
export function boundsOf(state: CellState, { bounds }: User): Bounds {
  const [all, kept] = state.version < SHARES ? [FORMER_USER_BOUNDS, FORMER_KEPT] : [grown(state, SMALL_USER_BOUNDS, USER_BOUNDS), KEPT];
  const jobs = bounds?.jobs || all.jobs;
  const tasks = bounds?.tasks || all.tasks;
  return {
    jobs,
    jobsKept: Math.max(all.jobsKept, kept.jobs * jobs),
    tasks,
    tasksKept: Math.max(all.tasksKept, Math.ceil(kept.tasks * tasks)),
    specBytes: bounds?.specBytes || all.specBytes,
    packages: bounds?.packages || all.packages,
    packageBytes: bounds?.packageBytes || all.packageBytes,
    ...callBoundsOf(bounds),
  };
}

/** What a user may ask of the API. Admins are held by these too. */
export const callBoundsOf = (bounds: User["bounds"]): CallBounds => ({
  calls: bounds?.calls || USER_BOUNDS.calls,
  polls: bounds?.polls || USER_BOUNDS.polls,
  workPerSecond: bounds?.workPerSecond || USER_BOUNDS.workPerSecond,
});

/**
 * Dead jobs of a user that have to be forgotten before their time, the oldest first, so that so much more of it can be kept. Nothing of them is left on a
 * machine. `stays`: one that its name's next job takes over.
 */
export function outgrown(state: CellState, user: User, more: Growth, stays: Job | undefined): readonly Job[] {
  if (state.version < SHARES || user.roles.has(Role.CELL_ADMIN)) return [];
  const most = boundsOf(state, user);
  let [jobs, tasks] = [user.jobs.size + more.jobs - most.jobsKept, user.used.tasksKept + more.tasks - most.tasksKept];
  if (jobs <= 0 && tasks <= 0) return [];
  const dead = [...user.jobs].filter((job) => job !== stays && job.state === "dead" && !state.inSets.has(job.id));
  const gone: Job[] = [];
  for (const job of dead.sort((a, b) => a.sinceMs - b.sinceMs || compareIds(a.id, b.id))) {
    if (jobs <= 0 && tasks <= 0) break;
    if (job.tasks.some(({ instance }) => instance !== undefined)) continue;
    gone.push(job);
    jobs -= 1;
    tasks -= job.tasks.length;
  }
  return gone;
}

/** Why so much more cannot be remembered, once these are forgotten; undefined when it can. */
export function boundProblem(state: CellState, user: User, growth: Growth, gone: readonly Job[] = []): string | undefined {
  if (state.version < STRANGERS) return undefined;
  const kept = gone.reduce((sum, job) => without(sum, job), growth);
  const isAdmin = user.roles.has(Role.CELL_ADMIN);
  const full = cellProblem(state, kept, state.version < SHARES ? FORMER_CELL_BOUNDS : cellBoundsOf(state, isAdmin ? 1 : USERS_SHARE));
  if (full !== undefined || isAdmin) return full;
  const has = usedBy(user);
  const most = boundsOf(state, user);
  const more = growth;
  const asked: readonly (readonly [number, number, string, string])[] = [
    [has.jobs + more.jobs, most.jobs, "jobs", "jobs"],
    [has.tasks + more.tasks, most.tasks, "tasks", "tasks"],
    [has.jobsKept + kept.jobs, most.jobsKept, "jobs, with dead ones that are still shown", "jobs"],
    [has.tasksKept + kept.tasks, most.tasksKept, "tasks, with dead ones that are still shown", "tasks"],
  ];
  for (const [amount, limit, what, option] of asked)
    if (amount > limit)
      return `User "${user.id}" would have ${amount} ${what}, and ${limit} is the most: kill some first, or an admin raises it (borg quota bounds ${user.id} --${option} ${amount})`;
  if (has.specBytes + kept.specBytes <= most.specBytes) return undefined;
  return `The specs of user "${user.id}" would take ${megabytes(has.specBytes + kept.specBytes)}, and ${megabytes(most.specBytes)} is the most: ship large files in packages, or an admin raises it (borg quota bounds ${user.id} --specs 16MiB)`;
}

const without = ({ jobs, tasks, specBytes }: Growth, gone: Job): Growth => ({
  jobs: jobs - 1,
  tasks: tasks - gone.tasks.length,
  specBytes: specBytes - gone.specBytes,
});

type CellBounds = Pick<Bounds, "jobsKept" | "tasksKept" | "specBytes">;

/** What all together may have, or a share of it. */
export function cellBoundsOf(state: Sized, share = 1): CellBounds {
  const { jobsKept, tasksKept, specBytes } = grown(state, SMALL_CELL_BOUNDS, CELL_BOUNDS);
  return { jobsKept: share * jobsKept, tasksKept: share * tasksKept, specBytes: share * specBytes };
}

type Sized = { readonly version: number; readonly machines: { readonly size: number } };

function grown<Name extends string>(
  { version, machines }: Sized,
  small: Readonly<Record<Name, number>>,
  full: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  if (version < MEASURED_BOUNDS) return full;
  const share = Math.min(1, machines.size / MACHINES_FULL);
  const names = Object.keys(full) as Name[];
  const between = (name: Name): number => Math.floor(small[name] + share * (full[name] - small[name]));
  return Object.fromEntries(names.map((name) => [name, between(name)])) as Record<Name, number>;
}

function cellProblem(state: CellState, more: Growth, most: CellBounds): string | undefined {
  const { jobsKept, tasksKept, specBytes } = most;
  if (state.specBytes + more.specBytes > specBytes)
    return `The cell holds ${megabytes(state.specBytes)} of job specs, of ${megabytes(specBytes)} at most: ship large files in packages, and kill jobs that are not needed`;
  if (state.jobs.size + more.jobs > jobsKept) return `The cell holds ${state.jobs.size} jobs, its most: dead ones go after a while`;
  const tasks = state.taskCount + more.tasks;
  return tasks > tasksKept ? `The cell would hold ${tasks} tasks, and ${tasksKept} is the most: dead ones go after a while` : undefined;
}

/** Why one more package of so many bytes cannot be kept; undefined when it can. */
export function packageBoundProblem(state: CellState, user: User, bytes: number): string | undefined {
  const all = [...state.users.values()].map(packagesOf).reduce(added, NO_PACKAGES);
  if (all.packages >= CELL_BOUNDS.packages || all.packageBytes + bytes > CELL_BOUNDS.packageBytes)
    return `The cell has ${all.packages} packages of ${megabytes(all.packageBytes)}, of ${CELL_BOUNDS.packages} and ${megabytes(CELL_BOUNDS.packageBytes)} at most: remove what is not needed (borg package rm)`;
  if (user.roles.has(Role.CELL_ADMIN)) return undefined;
  const [has, most] = [packagesOf(user), boundsOf(state, user)];
  if (has.packages >= most.packages)
    return `User "${user.id}" has ${has.packages} packages, its most: remove one (borg package rm), or an admin raises it (borg quota bounds ${user.id} --packages ${has.packages + 1})`;
  if (has.packageBytes + bytes <= most.packageBytes) return undefined;
  return `The packages of user "${user.id}" would take ${megabytes(has.packageBytes + bytes)}, and ${megabytes(most.packageBytes)} is the most: remove one (borg package rm), or an admin raises it (borg quota bounds ${user.id} --package-bytes 8GiB)`;
}

interface PackageSums {
  readonly packages: number;
  readonly packageBytes: number;
}

const NO_PACKAGES: PackageSums = { packages: 0, packageBytes: 0 };

export const packagesOf = ({ packages }: User): PackageSums => ({
  packages: packages.size,
  packageBytes: [...packages.values()].reduce((sum, { bytes }) => sum + bytes, 0),
});

const added = (a: PackageSums, b: PackageSums): PackageSums => ({
  packages: a.packages + b.packages,
  packageBytes: a.packageBytes + b.packageBytes,
});

export const usedBy = ({ used, jobs }: User): Readonly<Used> & { readonly jobsKept: number } => ({ ...used, jobsKept: jobs.size });

const megabytes = (bytes: number): string => `${Math.ceil((10 * bytes) / MIB) / 10} MiB`;

/** Of a dead job what its history needs: its limits, its program's name, and a digest of what it was given. */
export function forgetDetails(state: CellState, job: Job): void {
  if (state.version < STRANGERS || job.spec.kind !== "job") return;
  job.specDigest = specDigest(job.spec.job);
  setSpec(job, { kind: "job", job: shrunk(job.spec.job) });
  weigh(state, job);
}
