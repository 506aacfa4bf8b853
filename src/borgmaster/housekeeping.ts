/** What a master does by itself about the cell: relieve machines that are over, empty those that drain, go on with updates, forget the dead. */

import { DIMENSIONS } from "../base/dimension.ts";
import { compareIds } from "../base/id.ts";
import { fits, minus, type Vector } from "../base/vector.ts";
import { DownBudget } from "../cell/down.ts";
import { expiryAt } from "../cell/expiry.ts";
import { facesOf } from "../cell/face.ts";
import { masterOp, type Op } from "../cell/op.ts";
import { deadlineOf } from "../cell/ops/deadlines.ts";
import { dueDirectories } from "../cell/ops/directories.ts";
import { failoverOf } from "../cell/ops/frameworks.ts";
import { isOver } from "../cell/place.ts";
import type { CellState, Instance, Machine, Task } from "../cell/state.ts";
import { isDead } from "../cell/task.ts";
import { nextStep } from "../cell/update-plan.ts";
import { RUNS, UPDATES } from "../cell/version.ts";
import { isProd, PRIORITY_MAX } from "../wire/band.ts";
import { Cause } from "../wire/gen/borg/v1/op_pb.ts";

/** Ops of each kind in one tick; the rest comes with the next. */
const OPS_MAX = 100;
const INSTANCES_MAX = 1000;

/** `nowMs`: the leader's cell clock; the state's own time moves only with entries. */
export function housekeeping(state: CellState, nowMs: number): Op[] {
  const kept = [...overOps(state), ...drainOps(state, nowMs), ...updateOps(state, nowMs), ...expireOps(state, nowMs)];
  const ended = [...failoverOps(state, expiryAt(state, nowMs)), ...forgetOps(state, expiryAt(state, nowMs))];
  return [...kept, ...directoryOps(state, nowMs), ...ended];
}

/** What a cell needs before anyone can use it. */
export function setUpOps(
  state: CellState,
  create: { readonly cell: string; readonly owner: string },
  versionLast: number,
  schedulers: readonly { readonly name: string }[],
): Op[] {
  const versions = Array.from({ length: Math.max(0, versionLast - state.version) }, (_, i) => state.version + 1 + i);
  const missing = schedulers.filter(({ name }) => !state.schedulers.has(name));
  return [
    ...(state.name === "" ? [masterOp({ case: "cellInit", value: create })] : []),
    ...versions.map((version) => masterOp({ case: "cellVersion", value: { version } })),
    ...missing.map(({ name }) => masterOp({ case: "schedulerSet", value: { name, limits: { priorityMax: PRIORITY_MAX } } })),
  ];
}

/** Kept directories whose time is over; machines then delete them. */
const directoryOps = (state: CellState, nowMs: number): Op[] =>
  dueDirectories(state, nowMs)
    .slice(0, OPS_MAX)
    .map((alloc) => masterOp({ case: "directoryForget", value: { alloc } }));

/** Frameworks whose scheduler did not come back in time. */
function failoverOps(state: CellState, nowMs: number): Op[] {
  const due = [...state.jobs.values()].filter((job) => failoverOf(job) <= nowMs).map(({ id }) => id);
  const first = due.sort(compareIds).slice(0, OPS_MAX);
  return first.map((framework) => masterOp({ case: "frameworkTeardown", value: { framework } }));
}

/** Updates that have something to do; what that is apply decides. */
function updateOps(state: CellState, nowMs: number): Op[] {
  if (state.version < UPDATES) return [];
  const due = [...state.jobs.values()].filter((job) => job.update !== undefined && nextStep(job, nowMs, state.version) !== undefined);
  const jobs = due.map(({ id }) => id).sort(compareIds);
  return jobs.slice(0, OPS_MAX).map((job) => masterOp({ case: "updateStep", value: { job } }));
}

/** Tasks whose deadline is over, in the order of their jobs' names. */
function expireOps(state: CellState, nowMs: number): Op[] {
  if (state.version < RUNS) return [];
  const jobs = [...state.jobs.values()].filter((job) => job.state !== "dead" && facesOf(job).some(({ wants }) => wants.deadlineMs > 0));
  const late = jobs.sort((a, b) => compareIds(a.id, b.id)).flatMap(({ tasks }) => tasks.filter((task) => isLate(task, nowMs)));
  const tasks = late.slice(0, INSTANCES_MAX).map(({ id }) => id);
  return tasks.length === 0 ? [] : [masterOp({ case: "taskExpire", value: { tasks } })];
}

const isLate = (task: Task, nowMs: number): boolean => !isDead(task.state) && deadlineOf(task) <= nowMs;

/** A reservation rose, capacity fell: non-prod goes, lowest first, until it fits again. prod is never evicted for that (Borg §5.5). */
function overOps(state: CellState): Op[] {
  const over = [...state.machines.values()].filter((machine) => machine.reachable && isOver(machine.place)).slice(0, OPS_MAX);
  return over.flatMap((machine) => {
    const instances = relief(machine);
    return instances.length === 0 ? [] : [masterOp({ case: "taskEvict", value: { instances, cause: Cause.OUT_OF_RESOURCES } })];
  });
}

/** Who stops already counts until it is gone, but it is on its way. */
function relief(machine: Machine): string[] {
  const leaving = counted(machine).filter((instance) => instance.stop !== undefined);
  let reserved = leaving.reduce((sum, instance) => minus(sum, instance.reservation), machine.place.reserved);
  const chosen: string[] = [];
  const candidates = counted(machine).filter((instance) => instance.stop === undefined && (!isProd(instance.priority) || instance.overRam));
  for (const instance of candidates.sort(byWorth)) {
    if (fits(reserved, machine.place.capacity)) break;
    if (!freesWhatIsOver(instance.reservation, reserved, machine.place.capacity)) continue;
    reserved = minus(reserved, instance.reservation);
    chosen.push(instance.id);
  }
  return chosen;
}

const counted = (machine: Machine): Instance[] => [...machine.place.occupants.values()].filter((i) => i.stop?.preemptor === undefined);

const byWorth = (a: Instance, b: Instance): number =>
  Number(b.overRam) - Number(a.overRam) || a.priority - b.priority || compareIds(a.id, b.id);

/** Whether stopping it would free a resource that is over capacity. */
function freesWhatIsOver(own: Vector, reserved: Vector, capacity: Vector): boolean {
  if (DIMENSIONS.some((d) => reserved[d] > capacity[d] && own[d] > 0)) return true;
  return own.extras.some(
    (extra) => extra.amount > 0 && !fits({ ...reserved, extras: reserved.extras.filter((e) => e.name === extra.name) }, capacity),
  );
}

/** A drain takes no more tasks of a job down than may be, and no oftener (Borg §4). [KP2] */
function drainOps(state: CellState, nowMs: number): Op[] {
  const draining = [...state.machines.values()].filter((machine) => machine.draining && machine.reachable);
  const budget = new DownBudget(nowMs);
  return draining.slice(0, OPS_MAX).flatMap((machine) => {
    const staying = [...machine.place.occupants.values()]
      .filter((instance) => instance.stop === undefined)
      .sort((a, b) => compareIds(a.id, b.id));
    const instances = staying
      .filter((instance) => budget.takes(instance))
      .slice(0, INSTANCES_MAX)
      .map((instance) => instance.id);
    return instances.length === 0 ? [] : [masterOp({ case: "taskEvict", value: { instances, cause: Cause.MACHINE_SHUTDOWN } })];
  });
}

function forgetOps(state: CellState, nowMs: number): Op[] {
  const old = [...state.jobs.values()].filter((job) => job.state === "dead" && nowMs >= job.sinceMs + state.config.deadJobKeepMs);
  const gone = old.filter((job) => job.tasks.every((task) => task.instance === undefined));
  return gone.slice(0, OPS_MAX).map((job) => masterOp({ case: "jobForget", value: { job: job.id } }));
}
