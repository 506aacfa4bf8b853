/**
 * What a read costs, in units of work of about 2 ms of the API's thread (2 cores of docs/BENCHMARKS.md), worked out from what it touched: the same read of the same
 * cell costs the same everywhere. Who pays, and how much each may, is the port's matter (src/rpc/api/budgets.ts).
 */
import type { CellState } from "../../cell/state.ts";

/** So many of each are a unit: records looked at, records answered, KiB of specs answered. */
const LOOKED_AT = 10_000;
const ANSWERED = 400;
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

  /** A question for which the whole cell is read so many times. */
  question({ jobs, machines, taskCount }: CellState, times: number): void {
    this.#work += Math.min(QUESTION_MAX, (times * (jobs.size + machines.size + taskCount)) / ANSWERED);
  }
}
