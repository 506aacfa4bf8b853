/** What a borglet reported of its instances, as far as it differs from the state: all differences of a machine are one op. */
import { unreachable } from "../../base/assert.ts";
import { exitWords } from "../../base/exit-words.ts";
import { splitTask, taskOf } from "../../base/id.ts";
import { ok, type Result } from "../../base/result.ts";
import { type InstanceReport, Phase } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { MachineReport } from "../../wire/gen/borg/v1/op_pb.ts";
import { RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import { isFatalExit } from "../../wire/restart-exits.ts";
import type { Cause } from "../cause.ts";
import { executorOf, isExecutor } from "../executor.ts";
import { faceOf } from "../face.ts";
import { type HealthName, healthOf } from "../health.ts";
import { FRESH, faresAlike, faring } from "../instance.ts";
import { remember } from "../past.ts";
import { declaredOf } from "../ready.ts";
import type { CellState, Faring, Instance, Task } from "../state.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { ADJUSTMENTS, CHECKS, NAMED_EXITS, RUNS } from "../version.ts";
import { backOff } from "./back-off.ts";
import { isLeftOver, move } from "./lifecycle.ts";
import { findMachine } from "./machines.ts";
import { attachData, reportHealth } from "./statuses.ts";
import { succeed } from "./successor.ts";

/**
 * An instance that the state does not know on that machine is passed over: it was given up or replaced, and the link
 * shard orders it to stop. A report never creates state.
 */
export function applyReport(turn: Turn, op: MachineReport): Result<undefined> {
  const found = findMachine(turn.state, op.machine);
  if (!found.ok) return found;
  // Executors last: how their own tasks ended counts before they end what they still have.
  const last = op.instances.filter(({ instance }) => isExecutor(findInstance(turn.state, instance)?.task ?? NO_TASK));
  for (const report of last.length === 0 ? op.instances : [...op.instances.filter((each) => !last.includes(each)), ...last]) {
    const instance = findInstance(turn.state, report.instance);
    if (instance === undefined || instance.inside !== undefined || instance.place.machine !== found.value) continue;
    if (isLeftToExecutor(turn.state, instance, report)) continue;
    const alloc = allocOf(instance);
    applyOne(turn, instance, report);
    attachData(turn, instance.task, report.data);
    if (instance.stop?.cause === "update") succeed(turn, instance);
    // The last one inside took its alloc along.
    if (alloc?.stop?.cause === "update" && alloc.task.instance === undefined) succeed(turn, alloc);
  }
  return ok(undefined);
}

const NO_TASK = { launched: undefined };
const SIGKILL = 9;

/** It went with its executor, whose own end says why, and comes with this report or the next. */
function isLeftToExecutor(state: CellState, { task }: Instance, { phase, signal }: InstanceReport): boolean {
  const executor = executorOf(task)?.instance ?? "";
  return executor !== "" && phase === Phase.FAILED && signal === SIGKILL && findInstance(state, executor) !== undefined;
}

const allocOf = ({ place }: Instance): Instance | undefined => place.machine.place.occupants.get(place.id as Instance["id"]);

export function findInstance(state: CellState, id: string): Instance | undefined {
  const { job, index } = splitTask(taskOf(id));
  const instance = state.jobs.get(job)?.tasks[index]?.instance;
  return instance?.id === id ? instance : undefined;
}

function applyOne(turn: Turn, instance: Instance, report: InstanceReport): void {
  const task = instance.task;
  const isOver = report.phase === Phase.FINISHED || report.phase === Phase.FAILED || report.phase === Phase.GONE;
  if (isOver && isLeftOver(turn.state, instance)) {
    move(turn, task, "gone", task.cause);
    return;
  }
  if (report.phase === Phase.FAILED && isReplaced(instance)) {
    recordExit(turn, task, report);
    move(turn, task, "gone", "update");
    return;
  }
  note(turn, instance, report);
  switch (report.phase) {
    case Phase.STARTING:
    case Phase.UNSPECIFIED:
      return;
    case Phase.RUNNING:
      if (task.state === "starting") started(turn, instance);
      return;
    case Phase.FINISHED:
      recordExit(turn, task, report);
      move(turn, task, "finish", "finished");
      return;
    case Phase.FAILED:
      failed(turn, instance, report);
      return;
    case Phase.GONE:
      gone(turn, instance, report);
      return;
    default:
      unreachable(report.phase as never);
  }
}

/** An update stopped it, and its successor waits for its place: that it failed meanwhile is no failure of that one. */
const isReplaced = ({ stop, task }: Instance): boolean => stop?.cause === "update" && task.state === "stopping";

/** A borglet that had to make room says so: that is no failure, unless the task was over its own memory limit (cell.T8). */
function gone(turn: Turn, instance: Instance, report: InstanceReport): void {
  const isEvicted = turn.state.version >= ADJUSTMENTS && report.outOfResources && isPlaced(instance.task.state);
  if (!isEvicted) {
    move(turn, instance.task, "gone", goneCause(turn, instance));
    return;
  }
  if (instance.overRam) backOff(turn, instance);
  move(turn, instance.task, "gone", "out-of-resources", report.message);
}

/** Why it went is why it was stopped first; but a task that is to be dead is dead for what ended it. */
function goneCause(turn: Turn, { stop, task }: Instance): Cause {
  return turn.state.version >= RUNS && task.state === "ending" ? task.cause : (stop?.cause ?? "other");
}

function started(turn: Turn, instance: Instance): void {
  instance.startedMs = turn.timeMs;
  turn.touch.instance(instance);
  instance.task.starts += 1;
  if (turn.state.version >= RUNS && instance.task.firstStartMs === 0) instance.task.firstStartMs = turn.timeMs;
  move(turn, instance.task, "start", "started");
}

/** Run count, back-off, health and flags; not said means not changed. */
function note(turn: Turn, instance: Instance, report: InstanceReport): void {
  const before = instance.faring;
  const now = faringOf(turn, instance, report);
  const run = Math.max(report.run, instance.run);
  if (run === instance.run && report.overRam === instance.overRam && faresAlike(now, before)) return;
  const isRestart = run > instance.run && run > 1;
  // After a reboot nobody knows how the last run ended.
  const isKnown = report.exitCode > 0 || report.signal > 0 || report.message !== "";
  const isReboot = report.rebooted && isRestart && turn.state.version >= RUNS;
  const after = isReboot ? " after its machine was restarted" : isKnown ? ` after ${exitText(report)}` : "";
  const detail = [
    now.backOffUntilMs === 0 && isRestart ? `run ${run}${after}` : "",
    report.backoffMs > 0 ? `backs off, next try in ${seconds(report.backoffMs)} s, last ${causeText(report)}` : "",
    now.health === before.health ? "" : `health ${now.health}${now.health === "bad" ? said(report) : ""}`,
    now.ready === before.ready ? "" : now.ready === "good" ? "ready" : now.ready === "bad" ? `not ready${said(report)}` : "",
    report.overRam === instance.overRam ? "" : report.overRam ? "over its memory limit" : "within its memory limit again",
  ];
  if (isReboot) restartedWithMachine(turn, instance.task);
  else if ((isRestart && isKnown) || now.backOffUntilMs > before.backOffUntilMs) recordExit(turn, instance.task, report);
  Object.assign(instance, { run, faring: faring(now), overRam: report.overRam });
  if (now.health !== before.health) reportHealth(turn, instance, report.problem);
  turn.touch.instance(instance);
  turn.emit({
    kind: "instance.changed",
    subject: instance.task.id,
    instance: instance.id,
    machine: instance.place.machine.id,
    detail: detail.filter((part) => part !== "").join(", "),
  });
}

const said = ({ problem }: InstanceReport): string => (problem === "" ? "" : `: ${problem}`);

type Checked = Pick<Faring, "ready" | "wellMs" | "problem">;

const NOT_CHECKED: Checked = { ready: FRESH.ready, wellMs: FRESH.wellMs, problem: FRESH.problem };

function faringOf(turn: Turn, instance: Instance, report: InstanceReport): Faring {
  const health = healthOf(report.health) ?? instance.faring.health;
  return { ...runOf(turn, instance, report), health, ...checksOf(turn, instance, report, health) };
}

/** What the checks of this run say. Other words alone are no change: a check may fail differently every time. */
function checksOf(turn: Turn, instance: Instance, report: InstanceReport, health: HealthName): Checked {
  const { health: healthBefore, ready: readyBefore, wellMs: wellBeforeMs, problem } = instance.faring;
  const before = { ready: readyBefore, wellMs: wellBeforeMs, problem };
  if (turn.state.version < CHECKS) return before;
  if (report.phase !== Phase.RUNNING) return report.phase === Phase.STARTING ? NOT_CHECKED : before;
  const isNew = report.run > instance.run || instance.faring.backOffUntilMs > 0;
  const ready = healthOf(report.ready) ?? (isNew ? "unknown" : before.ready);
  const declared = declaredOf(instance);
  const isChecked = declared.health !== undefined || declared.ready !== undefined;
  const isWell = (declared.health === undefined || health === "good") && (declared.ready === undefined || ready === "good");
  const wellMs = !isChecked || !isWell ? 0 : isNew || before.wellMs === 0 ? turn.timeMs : before.wellMs;
  if (ready === before.ready && wellMs === before.wellMs && health === healthBefore) return before;
  return { ready, wellMs, problem: isWell ? "" : report.problem };
}

/** No failure of its own: nobody counts it, and no machine is avoided for it. */
function restartedWithMachine(turn: Turn, task: Task): void {
  turn.touch.task(task);
  task.cause = "machine-restart";
  task.sinceMs = turn.timeMs;
  remember(task, { lastExit: undefined });
}

/** A run that ended leaves a back-off behind; the next one that lives ends it. While one is on its way nothing is known to have changed. */
function runOf(turn: Turn, instance: Instance, report: InstanceReport): Pick<Faring, "runMs" | "failures" | "backOffUntilMs"> {
  const { runMs, failures, backOffUntilMs } = instance.faring;
  if (turn.state.version < RUNS) return { runMs, failures, backOffUntilMs };
  if (report.backoffMs > 0) return { runMs: 0, failures: report.failures, backOffUntilMs: turn.timeMs + report.backoffMs };
  if (report.phase !== Phase.RUNNING) return { runMs, failures, backOffUntilMs };
  const isNew = report.run > instance.run || backOffUntilMs > 0;
  return isNew
    ? { runMs: turn.timeMs - report.upMs, failures: report.failures, backOffUntilMs: 0 }
    : { runMs, failures, backOffUntilMs: 0 };
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

const exitText = ({ exitCode, signal }: InstanceReport): string => exitWords(exitCode, signal);

/** With the borglet's words, where they say more. */
const causeText = (report: InstanceReport): string =>
  report.message === "" || report.message === exitText(report) ? exitText(report) : `${exitText(report)} (${report.message})`;

const recordExit = (turn: Turn, task: Task, report: InstanceReport): void => {
  turn.touch.task(task);
  remember(task, { lastExit: { code: report.exitCode, signal: report.signal, message: report.message } });
};

/** The restart policy on the machine is exhausted: back off, avoid that machine, and give up when the policy says so. */
function failed(turn: Turn, instance: Instance, report: InstanceReport): void {
  const task = instance.task;
  const policy = faceOf(task).wants.restart;
  recordExit(turn, task, report);
  backOff(turn, instance);
  const never = policy?.when === RestartWhen.NEVER;
  const exhausted =
    never || isFinal(turn, task) || (policy?.failuresMax !== undefined && isExhausted(turn, task, report, policy.failuresMax));
  move(turn, task, exhausted ? "failForGood" : "fail", "failed", report.message || exitText(report));
}

/** Its last exit is one that the policy takes for final. */
const isFinal = ({ state }: Turn, task: Task): boolean =>
  state.version >= NAMED_EXITS && task.past.lastExit !== undefined && isFatalExit(faceOf(task).wants.restart, task.past.lastExit);

/** Failed runs are counted over all machines. A run among them that did not fail ends the row. */
function isExhausted(turn: Turn, task: Task, report: InstanceReport, failuresMax: number): boolean {
  if (turn.state.version < RUNS) return task.failures > failuresMax;
  turn.touch.task(task);
  const failedRuns = (report.run > report.failures ? 0 : task.past.failedRuns) + Math.max(1, report.failures);
  remember(task, { failedRuns });
  return failedRuns >= failuresMax;
}
