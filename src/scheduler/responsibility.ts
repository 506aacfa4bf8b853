/** Which jobs are whose. A job that names its scheduler is that one's; the rest is shared out so that every job has exactly one. */
import { fnv1a } from "../base/fnv.ts";
import type { Job } from "../cell/state.ts";
import { isProd } from "../wire/band.ts";
import { AppClass } from "../wire/gen/borg/v1/spec_pb.ts";

/** What decides whose a job is; while it is updated its tasks may be of two schedulers. */
export type Charge = Pick<Job, "id" | "wants" | "priority">;

export type Responsibility = (job: Charge) => boolean;

/** The only scheduler of a cell, beside those that jobs name. */
export const everyJob =
  (name: string): Responsibility =>
  (job) =>
    isNamed(job) ? schedulerOf(job) === name : true;

/** Nothing but the jobs that name it: a scheduler beside those of the cell. */
export const namedJobs =
  (name: string): Responsibility =>
  (job) =>
    schedulerOf(job) === name;

export const SERVICE = "service";

/** A cell's own schedulers: one for services, and `batch` that share the rest. */
export const schedulerNames = (batch: number): readonly string[] => [SERVICE, ...Array.from({ length: batch }, (_, i) => `batch-${i}`)];

/** What is whose among a cell's own schedulers, all of them named. */
export function ownJobs(name: string, schedulers: readonly string[]): Responsibility {
  if (name === SERVICE) return serviceJobs(name);
  const batch = schedulers.filter((each) => each !== SERVICE);
  return batchJobs(name, batch.indexOf(name), batch.length);
}

/** Where a scheduler begins among machines that are alike: batch schedulers far from each other, so that they want the same ones less often. */
export function startOf(name: string, schedulers: readonly string[]): number {
  const batch = schedulers.filter((each) => each !== SERVICE);
  return Math.max(0, batch.indexOf(name)) / Math.max(1, batch.length);
}

/** Services: prod, and whoever waits for an answer. */
export const serviceJobs =
  (name: string): Responsibility =>
  (job) =>
    isNamed(job) ? schedulerOf(job) === name : isService(job);

/** The rest, by hash of the job over `of` schedulers (Omega §5.1). This one is number `index`. */
export const batchJobs =
  (name: string, index: number, of: number): Responsibility =>
  (job) =>
    isNamed(job) ? schedulerOf(job) === name : !isService(job) && fnv1a(job.id) % of === index;

const schedulerOf = (job: Charge): string => job.wants.scheduler;

const isNamed = (job: Charge): boolean => schedulerOf(job) !== "";

const isService = (job: Charge): boolean => isProd(job.priority) || job.wants.appClass === AppClass.LATENCY_SENSITIVE;
