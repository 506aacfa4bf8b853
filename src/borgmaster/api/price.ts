/**
 * What a call costs, in units of work of about 2 ms of the API's thread (2 cores of docs/BENCHMARKS.md), worked out from what it touched: the same read of the same
 * cell costs the same everywhere. Who pays, and how much each may, is the port's matter (src/rpc/api/budgets.ts).
 */
import { type JobId, userId } from "../../base/id.ts";
import type { Op } from "../../cell/op.ts";
import type { CellState } from "../../cell/state.ts";

/** So many of each are a unit: records looked at, records answered, tasks that a change makes or ends, KiB of specs answered. */
const LOOKED_AT = 10_000;
/** To see whether a task is on a machine costs a part of what it costs to look at a record. */
const TASKS_LOOKED_AT = 10;
const ANSWERED = 400;
const CHANGED = 2_000;
const KIB = 256;
/** The most that a question to another thread costs: it is worked out there one by one. */
const QUESTION_MAX = 500;

export class Meter {
  #work = 0;

  /** Without what any call costs. */
  get work(): number {
    return this.#work;
  }

  get price(): number {
    return 1 + Math.floor(this.#work);
  }

  lookedAt(records: number): void {
    this.#work += records / LOOKED_AT;
  }

  answered(records: number): void {
    this.#work += records / ANSWERED;
  }

  specs(bytes: number): void {
    this.#work += bytes / (1024 * KIB);
  }

  /** A change: every copy of the cell applies it, and each of the job's tasks has its part in that. */
  changes(state: CellState, op: Op): void {
    this.#work += tasksChanged(state, op) / CHANGED;
  }

  /** The whole cell is read. */
  wholeCell({ jobs, machines, taskCount }: CellState): void {
    this.#work += Math.min(QUESTION_MAX, (jobs.size + machines.size + taskCount) / ANSWERED);
  }

  /** A question for which what is on machines and what the user has is read so many times, and every job is looked at. */
  question({ jobs, machines, users, taskCount }: CellState, user: string, times: number): void {
    const own = users.get(userId(user));
    let read = machines.size + (own === undefined ? 0 : own.jobs.size + own.used.tasksKept);
    for (const { place } of machines.values()) read += place.occupants.size;
    this.#work += Math.min(QUESTION_MAX, times * (read / ANSWERED + (jobs.size + taskCount) / LOOKED_AT / TASKS_LOOKED_AT));
  }
}

/** How many tasks an op makes, ends or changes, as far as one can tell before. */
export function tasksChanged({ jobs }: CellState, { body }: Op): number {
  const there = (job: string): number => jobs.get(job as JobId)?.tasks.length ?? 0;
  switch (body.case) {
    case "jobSubmit":
    case "allocSetSubmit":
      return body.value.spec?.count ?? 0;
    case "updateStart":
      return Math.abs((body.value.spec?.count ?? 0) - there(`${body.value.spec?.user}/${body.value.spec?.name}`));
    case "updateUndo":
    case "updateCommit":
      return there(body.value.job);
    case "jobResize":
      return Math.abs(body.value.count - there(body.value.job));
    case "jobKill":
    case "jobRestart":
    case "jobForget":
      return there(body.value.job);
    default:
      return 0;
  }
}
