/** Why a task is where it is, as far as its own record and its neighbours' say: its end, whom it waits for, who took its place. */
import { type JobId, splitTask, taskOf } from "../../base/id.ts";
import { faceOf } from "../../cell/face.ts";
import { declaredOf, isReady } from "../../cell/ready.ts";
import { endsText } from "../../cell/start-after.ts";
import type { CellState, Job, Task } from "../../cell/state.ts";
import { volumeAttribute } from "../../cell/volume.ts";
import { bandOf, isProd } from "../../wire/band.ts";
import { AfterFailure, RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import { isFatalExit } from "../../wire/restart-exits.ts";
import { exitText } from "./why-text.ts";

/** A scheduler that has not claimed a task for so long, although it fits, may not be there. */
const ABSENT_MS = 10_000;

export const schedulerNamed = ({ wants }: Job): string => wants.scheduler;

/** How it ended, and why it is not tried again. */
export function endText(task: Task): string {
  const { job, cause } = task;
  const { lastExit, failedRuns } = task.past;
  const exit = lastExit === undefined ? "" : ` with ${exitText(lastExit)}`;
  if (task.launched !== undefined) return launchedEndText(task, exit);
  if (cause === "finished") return `has finished${exit}`;
  if (cause === "killed" && neverStarted(task) && job.killed && job.wants.afterFailure === AfterFailure.FAIL)
    return `was killed with its job, which starts after ${job.wants.startAfter} and fails with it (borg events ${job.id} says what happened)`;
  if (cause === "killed") return job.killed ? "was killed with its job" : "was killed: its job has fewer tasks now";
  if (cause === "lost") return "was lost with its machine, and its restart policy is never";
  if (cause !== "failed") return `has ended (${cause})${exit}`;
  const policy = faceOf(task).wants.restart;
  if (lastExit !== undefined && isFatalExit(policy, lastExit))
    return `has failed${exit}, which its restart policy takes for final (fatal_exits)`;
  const rule =
    policy?.when === RestartWhen.NEVER ? "its restart policy is never" : `${failedRuns} failed runs are all that failures_max allows`;
  return `has failed${exit}${policy?.when === RestartWhen.NEVER || failedRuns > 0 ? `; ${rule}` : ""}`;
}

/** Nobody starts a task of a framework again but the framework. */
function launchedEndText({ cause, job }: Task, exit: string): string {
  if (cause === "finished") return `has finished${exit}`;
  if (cause === "killed")
    return job.killed ? "was killed with its framework" : "was killed by its framework, or ended with its group or executor";
  const how = cause === "lost" ? "was lost with its machine" : cause === "failed" ? `has failed${exit}` : `has ended (${cause})${exit}`;
  return `${how}: whether it is launched again is its framework's to say`;
}

/** Where a framework's task is has nothing to do with what the cell's schedulers think of that machine. */
export const launchedText = ({ job, instance }: Task): string =>
  `Framework ${job.id} chose ${instance?.place.machine.id ?? "its machine"} from an offer (borg show ${job.id}): no scheduler of the cell placed it.`;

/** What holds it up whatever machines there are; undefined: nothing. */
export function waitText(state: CellState, task: Task, nowMs: number): string | undefined {
  const { job } = task;
  if (job.held) return heldText(state, job);
  const wanted = schedulerNamed(job);
  if (wanted !== "" && !state.schedulers.has(wanted))
    return `waits for scheduler "${wanted}", which this cell does not know: start it (borg scheduler --name ${wanted}) or name another`;
  const set = task.state === "pending" ? setText(state, task) : undefined;
  if (set !== undefined || task.state !== "pending" || task.notBeforeMs <= nowMs) return set;
  const last = task.past.lastExit === undefined ? "" : `, last ${exitText(task.past.lastExit)}`;
  return `backs off, next try in ${Math.ceil((task.notBeforeMs - nowMs) / 1000)} s${last}`;
}

/** It can only be in an alloc, and there is none. */
function setText({ jobs }: CellState, task: Task): string | undefined {
  const id = faceOf(task).wants.allocSet as JobId;
  if (id === "") return undefined;
  const set = jobs.get(id);
  if (set === undefined || set.state === "dead")
    return `waits for alloc set ${id}, which ${set === undefined ? "is not there" : "was killed"}: submit that again, or kill this one (borg kill ${task.job.id})`;
  if (set.tasks.some(({ instance }) => instance !== undefined && instance.stop === undefined)) return undefined;
  return `waits for an alloc of ${id}, of which none is on a machine yet (borg why ${id})`;
}

const neverStarted = ({ past: { last, lastExit } }: Task): boolean => last === undefined && lastExit === undefined;

const THEN: Readonly<Record<AfterFailure, string>> = {
  [AfterFailure.UNSPECIFIED]: "",
  [AfterFailure.START]: "",
  [AfterFailure.WAIT]: "; if that fails it goes on waiting until that was run again",
  [AfterFailure.FAIL]: "; if that fails it is killed",
};

function heldText(state: CellState, { id, wants }: Job): string {
  const prior = wants.startAfter as JobId;
  const job = state.jobs.get(prior);
  if (job === undefined || job.state === "dead") {
    const how = job === undefined ? "which did not end well and is forgotten" : `which did not end well (${endsText(state, job)})`;
    return `waits for job ${prior}, ${how}: submit that again, or kill this one (borg kill ${id})`;
  }
  const left = job?.tasks.filter((task) => task.state !== "dead").length ?? 0;
  return `waits for the end of job ${prior}, which is ${job?.state ?? "gone"} with ${left} of ${job?.tasks.length ?? 0} tasks not ended${THEN[wants.afterFailure]}`;
}

/** A scheduler of its own that lets it wait although there is room. */
export function absentText(task: Task, feasible: number, nowMs: number): string | undefined {
  const wanted = schedulerNamed(task.job);
  const waitedMs = nowMs - task.sinceMs;
  if (wanted === "" || feasible === 0 || task.state !== "pending" || waitedMs < ABSENT_MS) return undefined;
  const words = `is placed by scheduler "${wanted}" alone, which has let it wait for ${Math.floor(waitedMs / 1000)} s`;
  return `${words}: does it run? (borg scheduler --name ${wanted})`;
}

/** Why a task that runs does not count as ready; nothing when it does. */
export function readyLines({ state, instance }: Task): string[] {
  if (state !== "running" || instance === undefined || isReady(instance)) return [];
  const { faring, place } = instance;
  if (!place.machine.reachable) return ["It does not count as ready: its machine does not answer."];
  const said = faring.problem === "" ? "" : `: ${faring.problem}`;
  const isNew = declaredOf(instance).ready !== undefined && faring.ready === "unknown";
  return [isNew ? `It is not ready yet: its readiness check had no good answer so far${said}.` : `It is not ready${said}.`];
}

/** Of a task that waits: how many machines could give it what it names. */
export function volumeLines({ machines }: CellState, task: Task): string[] {
  const { task: spec, user } = faceOf(task).wants;
  return (spec?.volumes ?? []).map(({ name }) => {
    const offering = [...machines.values()].filter(({ attributes }) => attributes.has(volumeAttribute(user, name))).length;
    return `${offering} of ${machines.size} machines ${offering === 1 ? "offers" : "offer"} volume ${name} to ${user}.`;
  });
}

/** Who took its place, when, and by which rule. */
export function preemptionLines(state: CellState, { cause, past: { last }, instance, sinceMs, job }: Task, nowMs: number): string[] {
  const ago = `${Math.max(0, Math.floor((nowMs - sinceMs) / 1000))} s ago`;
  const where = instance?.place.machine.id ?? last?.machine ?? "its machine";
  if (cause === "revocation")
    return [`It was revoked on ${where} ${ago}: a role of frameworks that is below its guarantee (borg role ls) needed the room.`];
  const preemptor = instance?.stop?.preemptor ?? last?.preemptor;
  if (cause !== "preemption" || preemptor === undefined) return [];
  const task = taskOf(preemptor);
  const by = state.jobs.get(splitTask(task).job);
  return [`It was preempted on ${where} ${ago} by ${task}${by === undefined ? "" : `: ${ruleText(by.priority, job.priority)}`}.`];
}

function ruleText(by: number, victim: number): string {
  if (by <= victim) return "it was over its memory limit, and such a task goes first";
  if (isProd(by) && !isProd(victim)) return `${bandOf(by)} (priority ${by}) may take the place of ${bandOf(victim)} (priority ${victim})`;
  return `priority ${by} goes before priority ${victim}`;
}
