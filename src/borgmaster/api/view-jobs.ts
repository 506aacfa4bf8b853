/** What pages need to know of every job at once, and its sums: a job that changed is worked out from those of its tasks that changed. */
import type { JobId, MachineId } from "../../base/id.ts";
import type { Job } from "../../cell/state.ts";
import { isProd } from "../../wire/band.ts";
import type { JobView } from "../../wire/gen/borg/v1/api_pb.ts";
import { TaskCounts } from "./task-counts.ts";
import { jobView } from "./views.ts";

/** What a job is in a list; `wrong`: how much it wants to be looked at, 0 for one that is well. */
export interface JobLine {
  readonly view: JobView;
  readonly owner: string;
  readonly wrong: number;
  readonly counts: TaskCounts;
}

const COUNTS = ["running", "starting", "pending", "failing", "stopping", "jobsFailing", "jobsPending"] as const;
export type ClassCounts = Record<(typeof COUNTS)[number], number>;
const noCounts = (): ClassCounts => ({ running: 0, starting: 0, pending: 0, failing: 0, stopping: 0, jobsFailing: 0, jobsPending: 0 });

export class JobLines {
  readonly all = new Map<JobId, JobLine>();
  readonly production = noCounts();
  readonly rest = noCounts();
  /** Jobs that live. */
  living = 0;
  readonly #moved: (machine: MachineId) => void;

  /** `moved`: hears of each machine that a changed task was on, or is. */
  constructor(moved: (machine: MachineId) => void) {
    this.#moved = moved;
  }

  /** Undefined: it is no longer there. Answers how many tasks were looked at. */
  update(id: JobId, job: Job | undefined, indexes: ReadonlySet<number>, timeMs: number): number {
    const before = this.all.get(id);
    if (before !== undefined) this.#count(before, -1);
    if (job === undefined) {
      before?.counts.leave();
      this.all.delete(id);
      return 0;
    }
    const looked = before === undefined ? job.tasks.length : before.counts.update(job, indexes, timeMs);
    const counts = before?.counts ?? new TaskCounts(job, this.#moved);
    const view = jobView(job, counts.counts());
    const line = { view, owner: job.owner, wrong: wrongness(view), counts };
    this.all.set(id, line);
    this.#count(line, 1);
    return looked;
  }

  #count({ view }: JobLine, sign: 1 | -1): void {
    if (view.state === "dead") return;
    this.living += sign;
    if (view.allocSet) return;
    const sum = isProd(view.priority) ? this.production : this.rest;
    sum.running += sign * view.running;
    sum.starting += sign * view.starting;
    sum.pending += sign * view.pending;
    sum.failing += sign * view.backingOff;
    sum.stopping += sign * view.stopping;
    if (view.backingOff + view.failures > 0) sum.jobsFailing += sign;
    if (view.pending > 0) sum.jobsPending += sign;
  }
}

/** Tasks that fail come before tasks that wait, those before tasks that start; a dead job is well, unless it failed. */
function wrongness({ state, backingOff, failures, pending, starting, stopping, count, held, failed, lost }: JobView): number {
  if (state === "dead") return failed + lost > 0 ? 1 : 0;
  const part = (tasks: number): number => Math.min(1, tasks / Math.max(1, count));
  if (backingOff > 0) return 50 + 10 * part(backingOff);
  if (failures > 0) return 40 + 10 * part(failures);
  if (pending > 0 && !held) return 30 + 10 * part(pending);
  if (starting > 0) return 10 + 5 * part(starting);
  return stopping > 0 ? 5 : 0;
}
