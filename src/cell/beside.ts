/**
 * Limits between jobs: a job says how many tasks of another one may be on a machine with one of its own. It is not placed where there are more; and while
 * it is there, no more of the other come, if that is of the same user. Work of another user is never kept away by it: whoever names a stranger's job
 * restrains only itself. As with spread, only claims are judged.
 */
import type { JobId, UserId } from "../base/id.ts";
import type { JobSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import { faceOf } from "./face.ts";
import { counts, everythingOn, tasksOfJob } from "./place.ts";
import type { CellState, Face, Instance, Job, Machine } from "./state.ts";
import { BESIDE } from "./version.ts";

/** Jobs with such limits, by their owners: whoever is not here pays nothing. */
export type Limiting = Map<UserId, Set<JobId>>;

/** A task that is on a machine, by what it goes by. */
export interface Neighbour {
  readonly job: Pick<Job, "id" | "owner">;
  readonly face: Pick<Face, "wants">;
}

/** Who is on a machine. */
export interface Company {
  readonly tasksOf: (job: JobId) => number;
  /** Those with limits. */
  readonly limiting: Iterable<Neighbour>;
}

export const hasLimits = ({ wants }: Pick<Face, "wants">): boolean => wants.beside.length > 0;

/** Whether one of the specs that its tasks go by has limits. Frameworks cannot say any. */
const isLimiting = ({ led, wants, update }: Job): boolean =>
  led === undefined && (hasLimits({ wants }) || (update !== undefined && hasLimits(update)));

/** Keeps the index right when a job comes or its spec changes. True: there were limits, or there are. */
export function noteLimits(limiting: Limiting, job: Job): boolean {
  const own = limiting.get(job.owner);
  if (isLimiting(job)) {
    if (own === undefined) limiting.set(job.owner, new Set([job.id]));
    else own.add(job.id);
    return true;
  }
  return own !== undefined && dropLimits(limiting, job);
}

/** The job is no more. */
export function dropLimits(limiting: Limiting, { id, owner }: Pick<Job, "id" | "owner">): boolean {
  const own = limiting.get(owner);
  const had = own?.delete(id) === true;
  if (own?.size === 0) limiting.delete(owner);
  return had;
}

export function companyOn(machine: Machine, except: ReadonlySet<Instance>): Company {
  return { tasksOf: (job) => tasksOfJob(machine, job, except), limiting: limitingOn(machine, except) };
}

function* limitingOn(machine: Machine, except: ReadonlySet<Instance>): Generator<Neighbour> {
  for (const instance of everythingOn(machine)) {
    if (!counts(instance) || except.has(instance)) continue;
    const face = faceOf(instance.task);
    if (hasLimits(face)) yield { job: instance.task.job, face };
  }
}

/** Why a task cannot come to them, in words after the machine's name. `isLimited`: other jobs of its user have limits. */
export function besideProblem({ job, face }: Neighbour, isLimited: boolean, company: Company): string | undefined {
  for (const { job: other, max } of face.wants.beside)
    if (company.tasksOf(other as JobId) > max) return `has more tasks of ${other} than the ${max} that may be beside it`;
  if (!isLimited) return undefined;
  for (const { job: limiting, face: theirs } of company.limiting) {
    if (limiting.owner !== job.owner) continue;
    const limit = theirs.wants.beside.find((each) => each.job === job.id);
    if (limit !== undefined && company.tasksOf(job.id) >= limit.max)
      return `has a task of ${limiting.id}, which wants at most ${limit.max} of ${job.id} beside it`;
  }
  return undefined;
}

export function besideSpecProblem({ user, name, beside }: JobSpec): string | undefined {
  const names = beside.map(({ job }) => job);
  const twice = names.find((job, i) => names.indexOf(job) < i);
  if (twice !== undefined) return `Job "${twice}" is named twice in beside: name each once`;
  return names.includes(`${user}/${name}`)
    ? "A job cannot limit its own tasks by beside: set spread, or make several jobs of it"
    : undefined;
}

/** What masters of the version before would read, and not know. */
export const earlyBeside = ({ version }: CellState, { beside }: JobSpec): string | undefined =>
  version < BESIDE && beside.length > 0 ? "Cannot limit who is beside a job yet: not all masters of the cell are upgraded" : undefined;
