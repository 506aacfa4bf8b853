/** Jobs with one task on every machine that meets their hard constraints: tasks come and go with the machines. */
import type { JobId } from "../../base/id.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { recount } from "../bounds.ts";
import { unmet } from "../constraint.ts";
import type { CellState, Job, Machine } from "../state.ts";
import type { Turn } from "../turn.ts";
import { recharge } from "./quota.ts";
import { addTask, killTask, revive } from "./tasks.ts";

/** A job has at most this many tasks; machines beyond it get none. */
export const TASKS_PER_JOB_MAX = 100_000;

/** Machines in the order of their names, so that indexes do not depend on the order of a Map. */
export function matching(state: CellState, spec: JobSpec): readonly Machine[] {
  const found = [...state.machines.values()].filter((machine) => unmet(spec.constraints, machine.attributes) === undefined);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, TASKS_PER_JOB_MAX);
}

/** Gives a machine its task: a vacant index if there is one, else a new one. */
export function pin(turn: Turn, job: Job, machine: Machine): void {
  const vacant = job.dead > 0 ? job.tasks.find((task) => task.pinned === undefined && task.state === "dead") : undefined;
  if (vacant === undefined && job.tasks.length >= TASKS_PER_JOB_MAX) return;
  const task = vacant ?? addTask(turn, job);
  recount(turn.state, job);
  job.count = job.tasks.length;
  task.pinned = machine.id;
  turn.touch.job(job);
  turn.touch.task(task);
  job.pins.set(machine.id, task);
  if (vacant !== undefined) revive(turn, vacant);
}

/** Called when a machine joined, changed its attributes or left (`present` false). */
export function machineChanged(turn: Turn, machine: Machine, present: boolean): void {
  for (const id of [...turn.state.perMachine].sort()) fit(turn, turn.state.jobs.get(id as JobId) as Job, machine, present);
}

function fit(turn: Turn, job: Job, machine: Machine, present: boolean): void {
  const task = job.pins.get(machine.id);
  const wanted = present && unmet(job.wants.constraints, machine.attributes) === undefined;
  if (wanted === (task !== undefined)) return;
  if (task === undefined) {
    pin(turn, job, machine);
  } else {
    job.pins.delete(machine.id);
    task.pinned = undefined;
    turn.touch.task(task);
    turn.emit({ kind: "task.changed", subject: task.id, detail: `is no longer tied to ${machine.id}` });
    killTask(turn, task);
  }
  recharge(turn.state, job, job.pins.size);
}
