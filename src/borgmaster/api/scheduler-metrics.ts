/**
 * How schedulers fare (Omega §4, §5: conflict fraction, wait time): counted from the entries themselves, so it is true for every scheduler, ours or not. Since
 * this master began; nothing of it is state.
 */
import { splitTask } from "../../base/id.ts";
import type { Outcome } from "../../cell/cell.ts";
import type { CellState } from "../../cell/state.ts";
import { ActorKind, type Op } from "../../wire/gen/borg/v1/op_pb.ts";

export interface SchedulerCounts {
  transactions: number;
  claims: number;
  refused: number;
  placed: number;
  victims: number;
  firstClaims: number;
  firstWaitMs: number;
  firstWaitMsMax: number;
}

/** Jobs whose first claim was seen; forgotten in lots, so that a job may at worst be counted twice. */
const SEEN_MAX = 200_000;
const SCHEDULERS_MAX = 10_000;

export class SchedulerMetrics {
  readonly #counts = new Map<string, SchedulerCounts>();
  #seen = new Set<string>();

  of(name: string): SchedulerCounts {
    return this.#counts.get(name) ?? zero();
  }

  learn(state: CellState, op: Op, outcome: Outcome): void {
    if (op.body.case !== "taskClaims" || op.actor?.kind !== ActorKind.SCHEDULER) return;
    const known = this.#counts.get(op.actor.name);
    if (known === undefined && this.#counts.size >= SCHEDULERS_MAX) return;
    const counts = known ?? zero();
    this.#counts.set(op.actor.name, counts);
    const { claims } = op.body.value;
    counts.transactions += 1;
    counts.claims += claims.length;
    for (const { task } of claims) this.#firstClaim(state, counts, task);
    if (!outcome.ok || outcome.answer.type !== "claims") {
      counts.refused += claims.length;
      return;
    }
    for (const answer of outcome.answer.claims) {
      if (answer.ok) counts.victims += answer.victims.length;
      counts[answer.ok ? "placed" : "refused"] += 1;
    }
  }

  /** The same name submitted again later is another job. */
  #firstClaim(state: CellState, counts: SchedulerCounts, task: string): void {
    const job = state.jobs.get(splitTask(task).job);
    if (job === undefined) return;
    const key = `${job.id} ${job.submittedMs}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= SEEN_MAX) this.#seen = new Set();
    this.#seen.add(key);
    const waitMs = state.timeMs - job.submittedMs;
    counts.firstClaims += 1;
    counts.firstWaitMs += waitMs;
    counts.firstWaitMsMax = Math.max(counts.firstWaitMsMax, waitMs);
  }
}

const zero = (): SchedulerCounts => ({
  transactions: 0,
  claims: 0,
  refused: 0,
  placed: 0,
  victims: 0,
  firstClaims: 0,
  firstWaitMs: 0,
  firstWaitMsMax: 0,
});
