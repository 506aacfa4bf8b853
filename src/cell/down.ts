/**
 * How many tasks of each job may still be taken down by somebody's wish: a drain's, an update's (Borg §4). One count per job: tasks that are not ready, whatever
 * for. Preemption and loss count, but are not asked. Drains also keep a pace, where the job says one: one task, or one alloc with what is inside, and then none for so
 * long. Only looks. [KP2]
 */
import { facesOf } from "./face.ts";
import { isReady } from "./ready.ts";
import type { CellState, Instance, Job } from "./state.ts";
import { isDead } from "./task.ts";
import { DRAIN_PACE } from "./version.ts";

/** The most that may be down at a time; of a job that is updated the smaller of both specs'. */
const mostOf = (job: Job): number => Math.min(...facesOf(job).map(({ wants }) => wants.downMax ?? Number.POSITIVE_INFINITY));

export const earlyPace = ({ version }: CellState, { drainEveryMs }: { readonly drainEveryMs: number }): string | undefined =>
  version < DRAIN_PACE && drainEveryMs > 0
    ? "Cannot say how often drains may take a task yet: not all masters of the cell are upgraded"
    : undefined;

const downNow = (job: Job): number =>
  job.tasks.filter(({ state, instance }) => !isDead(state) && (instance === undefined || !isReady(instance))).length;

/** So long at least between two tasks that drains take; of a job that is updated the longer of both specs'. */
const paceOf = (job: Job): number => Math.max(...facesOf(job).map(({ wants }) => wants.drainEveryMs));

export interface DownCount {
  readonly down: number;
  /** Undefined: as many as there are. */
  readonly downMax: number | undefined;
  readonly drainEveryMs: number;
  /** 0: a drain may take one now. */
  readonly nextDrainMs: number;
}

/** What a budget goes by, for who asks why a drain does not go on. */
export function downOf(job: Job): DownCount {
  const [most, drainEveryMs] = [mostOf(job), paceOf(job)];
  return {
    down: downNow(job),
    downMax: most === Number.POSITIVE_INFINITY ? undefined : most,
    drainEveryMs,
    nextDrainMs: drainEveryMs === 0 || job.drainedMs === 0 ? 0 : job.drainedMs + drainEveryMs,
  };
}

export class DownBudget {
  readonly #left = new Map<Job, number>();
  /** Jobs with a pace of which somebody goes. */
  readonly #paced = new Set<Job>();
  readonly #nowMs: number | undefined;

  /** `nowMs`: for a drain, which keeps the pace that jobs say; undefined: for an update, which has a pace of its own. */
  constructor(nowMs?: number) {
    this.#nowMs = nowMs;
  }

  /** Jobs that said how often drains may take one of theirs, and of which one was taken now. */
  get paced(): ReadonlySet<Job> {
    return this.#paced;
  }

  /** Whether it may be stopped, and if so, counts it. What is inside an alloc goes with it; who is down already costs nothing. */
  takes(instance: Instance): boolean {
    const going = [instance, ...(instance.inside?.occupants.values() ?? [])].filter((each) => isReady(each));
    const byJob = new Map<Job, number>();
    for (const { task } of going) byJob.set(task.job, (byJob.get(task.job) ?? 0) + 1);
    for (const [job, count] of byJob) if (this.#isTooSoon(job) || !this.#hasRoom(job, count, job !== instance.task.job)) return false;
    for (const [job, count] of byJob) {
      this.#left.set(job, this.#leftOf(job) - count);
      if (this.#nowMs !== undefined && paceOf(job) > 0) this.#paced.add(job);
    }
    return true;
  }

  #isTooSoon(job: Job): boolean {
    if (this.#nowMs === undefined || paceOf(job) === 0) return false;
    return this.#paced.has(job) || (job.drainedMs > 0 && this.#nowMs < job.drainedMs + paceOf(job));
  }

  /** An alloc with more tasks of one job inside than may be down goes when all of that job are up: they cannot go one by one. */
  #hasRoom(job: Job, count: number, isInside: boolean): boolean {
    const left = this.#leftOf(job);
    return count <= left || (isInside && left === mostOf(job) && count > left);
  }

  #leftOf(job: Job): number {
    const known = this.#left.get(job);
    if (known !== undefined) return known;
    const most = mostOf(job);
    const left = most === Number.POSITIVE_INFINITY ? most : most - downNow(job);
    this.#left.set(job, left);
    return left;
  }
}
