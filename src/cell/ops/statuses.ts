/**
 * Status updates (Mesos): what happened to a task of a framework is kept in the state until the framework has acknowledged it, whoever dies meanwhile. One is in
 * flight at a time, the first of the list. [Z12]
 */
import { splitTask, taskOf } from "../../base/id.ts";
import { ok, type Result } from "../../base/result.ts";
import { minus } from "../../base/vector.ts";
import type { FrameworkAcknowledge } from "../../wire/gen/borg/v1/op_pb.ts";
import { ALREADY, type Answer, DONE } from "../answer.ts";
import { weigh } from "../bounds.ts";
import type { Cause } from "../cause.ts";
import { executorOf, isExecutor } from "../executor.ts";
import { forgetLaunch, uuidOf } from "../framework.ts";
import { endOf, isTerminal, stateFor } from "../mesos-state.ts";
import { everythingOn } from "../place.ts";
import type { Instance, Job, Launched, Led, Machine, Status, Task } from "../state.ts";
import type { Turn } from "../turn.ts";
import { leading } from "./leading.ts";
import { charge } from "./quota.ts";

/** Updates of a task that are kept. At the bound a newer one takes the place of the last, which is never the one in flight. */
export const UPDATES_MAX = 8;

/** Tasks of a framework that are over and not acknowledged; beyond that it launches nothing. */
export const UNACKNOWLEDGED_MAX = 10_000;

const MESSAGE_LENGTH = 1024;
const NO_DATA = new Uint8Array();

/** A task has moved: to what is told, and what its framework is charged. Its instance is still there. */
export function reportMove(turn: Turn, task: Task, launched: Launched, cause: Cause, detail: string | undefined): void {
  if (task.state === "running") tell(turn, task, launched, { state: "running", reason: "none", message: "", healthy: undefined });
  if (task.state !== "dead") return;
  const { job } = task;
  // A framework that is dead is charged nothing, also while its last tasks stop.
  if (job.state !== "dead") charge(turn.state, job, minus(job.charge, launched.spec.limit));
  const { stop } = task.instance ?? {};
  const told = endOf(stop?.cause ?? cause);
  const reason = stop?.cause === "failed" ? "max_completion_time_reached" : isOrphan(task, cause) ? "executor_terminated" : told.reason;
  const message = detail ?? task.past.lastExit?.message ?? "";
  const state = stateFor(told, isAware(job));
  tell(turn, task, launched, { state, reason, message: message === "" ? told.words : message, healthy: undefined });
  if (job.led === undefined) return;
  if (launched.updates.length > 0) job.led.unacknowledged += 1;
  else free(turn, job.led, task, launched);
}

/** It failed because its executor is not there any more. */
function isOrphan(task: Task, cause: Cause): boolean {
  const executor = executorOf(task)?.instance ?? "";
  return cause === "failed" && executor !== "" && task.job.tasks[splitTask(taskOf(executor)).index]?.instance?.id !== executor;
}

/** What an executor sent along with the end of a task. */
export function attachData(turn: Turn, task: Task, data: Uint8Array): void {
  const { launched } = task;
  const last = launched?.updates.at(-1);
  if (launched === undefined || last === undefined || data.length === 0 || !isTerminal(last.state)) return;
  launched.updates = [...launched.updates.slice(0, -1), { ...last, data }];
  turn.touch.task(task);
}

export const isAware = ({ spec }: Job): boolean => spec.kind === "framework" && spec.framework.partitionAware;

/** A check of it found that it is well, or is not. */
export function reportHealth(turn: Turn, { task, faring: { health } }: Instance, problem: string): void {
  const { launched } = task;
  if (launched === undefined || task.state !== "running" || health === "unknown") return;
  const said = { reason: "task_health_check_status_updated", message: problem, healthy: health === "good" } as const;
  tell(turn, task, launched, { state: "running", ...said });
}

/** A machine stopped answering, or answers again: frameworks that know what that means are told. */
export function reportReach(turn: Turn, machine: Machine): void {
  const running = [...everythingOn(machine)].map(({ task }) => task).filter(({ state, job }) => state === "running" && isAware(job));
  for (const task of running.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (task.launched === undefined) continue;
    const said = machine.reachable
      ? ({ state: "running", reason: "agent_reregistered", message: "Its machine answers again" } as const)
      : ({ state: "unreachable", reason: "agent_disconnected", message: "Its machine does not answer" } as const);
    tell(turn, task, task.launched, { ...said, healthy: undefined });
  }
}

/** Of a framework that is torn down nobody wants to know. */
function tell(turn: Turn, task: Task, launched: Launched, said: Omit<Status, "number" | "timeMs" | "data">): void {
  turn.touch.task(task);
  launched.told = said.state;
  // Of executors nothing is told this way: their framework hears FAILURE when one ends.
  if (task.job.killed || isExecutor(task)) return;
  launched.number += 1;
  const status = {
    data: NO_DATA,
    ...said,
    message: said.message.slice(0, MESSAGE_LENGTH).toWellFormed(),
    number: launched.number,
    timeMs: turn.timeMs,
  };
  launched.updates = [...launched.updates.slice(0, UPDATES_MAX - 1), status];
}

/** Those of a turn. Whatever is not the update in flight was acknowledged before, or is not the framework's to acknowledge: it changes nothing. */
export function acknowledge(turn: Turn, op: FrameworkAcknowledge): Result<Answer> {
  const found = leading(turn.state, op);
  if (!found.ok) return found;
  const { led } = found.value;
  let done = 0;
  for (const { taskId, uuid } of op.acknowledgements) {
    const task = led.byId.get(taskId);
    const first = task?.launched?.updates[0];
    if (task?.launched === undefined || first === undefined || !isSame(uuid, uuidOf(task, first.number))) continue;
    acknowledged(turn, task, task.launched, led);
    done += 1;
  }
  return ok(done === 0 ? ALREADY : DONE);
}

function acknowledged(turn: Turn, task: Task, launched: Launched, led: Led): void {
  const [first, ...rest] = launched.updates;
  launched.updates = rest;
  turn.touch.task(task);
  if (first === undefined || !isTerminal(first.state)) return;
  led.unacknowledged -= 1;
  free(turn, led, task, launched);
}

/** Its index may be used again, and its name. */
function free(turn: Turn, led: Led, task: Task, launched: Launched): void {
  led.byId.delete(launched.taskId);
  led.freeFrom = Math.min(led.freeFrom, task.index);
  forgetLaunch(led, launched);
  weigh(turn.state, task.job);
}

/** Nobody will acknowledge anything: the framework is torn down. */
export function dropUpdates(turn: Turn, job: Job, led: Led): void {
  for (const task of job.tasks) {
    const { launched } = task;
    if (launched === undefined || launched.updates.length === 0) continue;
    launched.updates = [];
    turn.touch.task(task);
    if (task.state === "dead") free(turn, led, task, launched);
  }
  led.unacknowledged = 0;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);
