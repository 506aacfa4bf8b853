/** How an update ends: committed, or as if it had not been. */
import { ZERO } from "../../base/vector.ts";
import { weigh } from "../bounds.ts";
import { keep } from "../generation.ts";
import { isPerMachine } from "../job.ts";
import { setSpec } from "../spec.ts";
import type { Job, Update } from "../state.ts";
import type { Turn } from "../turn.ts";
import { charge, chargeBeside, recharge } from "./quota.ts";

/** The new spec is the job's. Who was skipped goes on with the old one, and takes the new one when it next starts. */
export function commit(turn: Turn, job: Job, update: Update): void {
  const { state } = turn;
  const { generation, spec } = job;
  charge(state, job, ZERO);
  chargeBeside(state, job, update, ZERO);
  job.update = undefined;
  job.generation = update.generation;
  setSpec(job, update.spec);
  keep(job, generation, spec);
  weigh(state, job);
  recharge(state, job, tasksCharged(job));
  turn.touch.job(job);
  turn.emit({ kind: "job.updated", subject: job.id, detail: "is committed" });
}

/** The new spec is no longer anybody's, but of instances that still run it. Its number may be given again: no task remembers it. */
export function dropUpdate(turn: Turn, job: Job, update: Update): void {
  chargeBeside(turn.state, job, update, ZERO);
  job.update = undefined;
  keep(job, update.generation, update.spec);
  weigh(turn.state, job);
  turn.touch.job(job);
  for (const task of job.tasks) {
    if (task.told?.generation !== update.generation) continue;
    task.told = undefined;
    turn.touch.task(task);
  }
}

export const tasksCharged = (job: Job): number => (isPerMachine(job) ? job.pins.size : job.count);
