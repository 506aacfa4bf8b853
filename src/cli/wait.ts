/**
 * Waits until jobs run and stay up, with a display that is redrawn in place on a terminal and plain lines elsewhere. What stays pending is
 * explained without being asked. Ctrl-C ends the waiting, never the job.
 */
import { exitWords } from "../base/exit-words.ts";
import { CallError } from "../rpc/call-error.ts";
import type { GetJobResponse, JobView, TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import type { TaskSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import type { Context } from "./context.ts";
import { EXIT, Failure } from "./exit.ts";
import { Live } from "./text/live.ts";
import { safeLine } from "./text/safe.ts";
import { countWords, isUnready } from "./text/states.ts";
import { durationText, plural } from "./text/units.ts";
import { jobPlain } from "./text/views.ts";

const POLL_FIRST_MS = 100;
const POLL_MAX_MS = 1000;
/** After this much waiting without all tasks running, people are told why; again when the reason changed. */
const WHY_AFTER_MS = 5000;

/** A task that has run for so long stays up, and after a failure for so long. Where a check is declared, that says so instead: readiness before health. */
const STEADY_MS = 2000;
const STEADY_AGAIN_MS = 10_000;
/** So many runs that ended in a row are a loop. */
const RUNS_MAX = 3;
/** Exit codes of a shell whose command is missing or cannot be executed: trying again does not help. */
const HOPELESS: ReadonlySet<number> = new Set([126, 127]);
/** Health of the wire. */
const GOOD = 2;

/** `failing`: it does not stay up. */
type Verdict = "waiting" | "running" | "finished" | "died" | "failing";

export interface WaitOptions {
  /** Undefined: for ever. */
  readonly timeoutMs: number | undefined;
}

/** What came of waiting: without a failure, every task of every job runs or has finished, or Ctrl-C ended the waiting. */
export interface Waited {
  readonly code: number;
  readonly failure: Failure | undefined;
  readonly jobs: readonly Readonly<Record<string, unknown>>[];
}

export async function waitFor(context: Context, jobs: readonly string[], options: WaitOptions): Promise<Waited> {
  const { terminal } = context;
  const signal = terminal.interrupted();
  const live = new Live(terminal, context.json);
  const begin = terminal.now();
  const steady = new Steadiness();
  let [explained, explainAt] = ["", begin + WHY_AFTER_MS];
  for (let polls = 0; ; polls++) {
    const found = await look(context, jobs, signal);
    if (signal.aborted) return leave(context, live, jobs);
    live.draw(found.map((one) => progressLine(one, terminal.now() - begin)));
    steady.look(found, terminal.now());
    const verdicts = found.map((one) => verdictOf(one, steady));
    if (!verdicts.includes("waiting") || verdicts.some(isBadEnd)) return conclude(context, live, found, verdicts);
    const now = terminal.now();
    if (options.timeoutMs !== undefined && now - begin >= options.timeoutMs) return tooLong(live, jobs, found, options.timeoutMs);
    if (now >= explainAt && !context.json) {
      explained = await explainPending(context, live, found, explained);
      explainAt = terminal.now() + WHY_AFTER_MS;
    }
    const leftMs = options.timeoutMs === undefined ? POLL_MAX_MS : begin + options.timeoutMs - now;
    await terminal.sleep(Math.max(1, Math.min(POLL_FIRST_MS * 2 ** Math.min(polls, 6), POLL_MAX_MS, leftMs)), signal);
  }
}

/** A cell that is away for a moment is waited for like everything else. */
async function look(context: Context, jobs: readonly string[], signal: AbortSignal): Promise<readonly GetJobResponse[]> {
  try {
    return await Promise.all(jobs.map((job) => context.ask((client) => client.getJob({ job }, { signal }))));
  } catch (error) {
    if (error instanceof CallError && error.code === "cancelled") return [];
    throw error;
  }
}

const isBadEnd = (verdict: Verdict): boolean => verdict === "died" || verdict === "failing";

/** Since when each run was seen alive, by our own clock: the cell's may be another. */
export class Steadiness {
  #since = new Map<string, number>();
  #nowMs = 0;

  look(found: readonly GetJobResponse[], nowMs: number): void {
    const before = this.#since;
    this.#since = new Map();
    this.#nowMs = nowMs;
    for (const { tasks } of found)
      for (const task of tasks) if (task.state === "running") this.#since.set(runOf(task), before.get(runOf(task)) ?? nowMs);
  }

  isUp(task: TaskView, { health, ready }: Pick<TaskSpec, "health" | "ready">): boolean {
    if (task.alloc || task.state === "dead") return true;
    if (ready !== undefined) return task.ready;
    if (health !== undefined) return task.state === "running" && task.health === GOOD;
    const sinceMs = this.#since.get(runOf(task));
    return sinceMs !== undefined && this.#nowMs - sinceMs >= (failuresOf(task) > 0 ? STEADY_AGAIN_MS : STEADY_MS);
  }
}

const runOf = ({ instance, run }: TaskView): string => `${instance} ${run}`;

const failuresOf = ({ failures, runFailures }: TaskView): number => failures + runFailures;

export function verdictOf({ job, spec, tasks }: GetJobResponse, steady: Steadiness): Verdict {
  if (job === undefined) return "waiting";
  if (job.state === "dead") return tasks.every((task) => task.cause === "finished") ? "finished" : "died";
  if (tasks.some(isLooping)) return "failing";
  const placed = job.count > 0 && job.running + job.finished >= job.count;
  return placed && tasks.every((task) => steady.isUp(task, spec?.task ?? {})) ? "running" : "waiting";
}

/** It ends again and again, or could never begin. A failed task that is dead for good counts as well. */
function isLooping(task: TaskView): boolean {
  if (task.state === "dead") return task.cause === "failed";
  if (task.state === "running" || task.state === "starting" || !task.exited) return false;
  const isHopeless = HOPELESS.has(task.exitCode) || task.message.startsWith("Cannot start");
  const runs = task.state === "backing-off" ? task.run : 0;
  return (failuresOf(task) > 0 && isHopeless) || task.failures > 0 || Math.max(runs, task.runFailures) >= RUNS_MAX;
}

export function progressLine({ job, tasks }: GetJobResponse, waitedMs: number): string {
  if (job === undefined) return "";
  const trouble = tasks.find((task) => task.state !== "running" && isBad(task));
  const unready = tasks.filter((task) => isUnready(task) && task.problem !== "");
  const said =
    trouble !== undefined
      ? `; ${safeLine(trouble.name)}: ${exitWords(trouble.exitCode, trouble.signal)}`
      : unready.length > 0
        ? `; ${unready.length} not ready: ${safeLine(unready[0]!.problem)}`
        : "";
  return `${safeLine(job.name)}  ${bar(job)}  ${countWords(job) || `no ${job.allocSet ? "allocs" : "tasks"}`} of ${job.count}  ${durationText(Math.floor(waitedMs / 1000) * 1000)}${said}`;
}

const isBad = (task: TaskView): boolean => task.exited && (task.exitCode !== 0 || task.signal !== 0);

const BAR_COLUMNS = 20;

function bar(job: JobView): string {
  const full = job.count === 0 ? 0 : Math.floor((BAR_COLUMNS * job.running) / job.count);
  return `[${"#".repeat(full)}${".".repeat(BAR_COLUMNS - full)}]`;
}

/** Prints the reason above the display, unless it was printed before; returns what was printed last. */
async function explainPending(context: Context, live: Live, found: readonly GetJobResponse[], before: string): Promise<string> {
  const stuck = found.find(({ job }) => (job?.pending ?? 0) > 0)?.job;
  if (stuck === undefined) return before;
  try {
    const { whyText } = await import("./commands/why.ts");
    const text = whyText(await context.ask((client) => client.explain({ name: stuck.name })));
    if (text !== before) live.say(text);
    return text;
  } catch (error) {
    // An explanation that cannot be had is no reason to stop waiting.
    if (error instanceof CallError) return before;
    throw error;
  }
}

function leave(context: Context, live: Live, jobs: readonly string[]): Waited {
  live.end();
  const what = jobs.length === 1 ? `${jobs[0]} stays as it is` : `${jobs.join(", ")} stay as they are`;
  context.terminal.complain(`Stopped waiting; ${what} (borg show ${jobs[0]})\n`);
  return { code: EXIT.interrupted, failure: undefined, jobs: [] };
}

function tooLong(live: Live, jobs: readonly string[], found: readonly GetJobResponse[], timeoutMs: number): Waited {
  live.end();
  const [first] = found;
  const what = jobs.length === 1 && first !== undefined ? `${kindOf(first)} ${jobs[0]}` : jobs.join(", ");
  const parts = found.length > 0 && found.every((each) => each.job?.allocSet === true) ? "allocs" : "tasks";
  const message = `Waited ${durationText(timeoutMs)} and not all ${parts} of ${what} ${found.some(({ tasks }) => tasks.some(isUnready)) ? "are ready" : "run"}`;
  return { code: EXIT.waited, failure: new Failure("waited", message, `see why: borg why ${jobs[0]}`), jobs: plainOf(found, []) };
}

function conclude(context: Context, live: Live, found: readonly GetJobResponse[], verdicts: readonly Verdict[]): Waited {
  live.end();
  const bad = verdicts.findIndex(isBadEnd);
  const jobs = plainOf(found, verdicts);
  if (bad !== -1) return { code: EXIT.refused, failure: troubleOf(found[bad]!, verdicts[bad]!), jobs };
  if (!context.json) found.forEach((one, i) => void context.terminal.print(`${outcomeSentence(one, verdicts[i]!)}\n`));
  return { code: EXIT.done, failure: undefined, jobs };
}

const plainOf = (found: readonly GetJobResponse[], verdicts: readonly Verdict[]): Waited["jobs"] =>
  found.flatMap((one, i) => (one.job === undefined ? [] : [{ ...jobPlain(one.job), outcome: verdicts[i] ?? "waiting" }]));

const kindOf = ({ job }: GetJobResponse): "job" | "alloc set" => (job?.allocSet === true ? "alloc set" : "job");

function outcomeSentence(found: GetJobResponse, verdict: Verdict): string {
  const { job } = found;
  const name = safeLine(job?.name ?? "");
  if (kindOf(found) === "alloc set") return `Alloc set ${name} stands: ${job?.running} of ${job?.count} allocs`;
  return verdict === "finished" ? `Job ${name} has finished` : `Job ${name} runs: ${job?.running} of ${job?.count} tasks`;
}

function troubleOf(found: GetJobResponse, verdict: Verdict): Failure {
  const { job, tasks } = found;
  const name = safeLine(job?.name ?? "");
  const called = kindOf(found) === "job" ? `Job ${name}` : `Alloc set ${name}`;
  const what = verdict === "died" ? "died" : "does not stay up";
  const bad = tasks.find(isLooping) ?? tasks.find(isBad) ?? tasks.find((task) => task.cause !== "finished");
  if (bad === undefined) return new Failure("refused", `${called} ${what}`, `see what happened: borg events ${name}`);
  const ended = bad.exited ? ` (${exitWords(bad.exitCode, bad.signal)})` : "";
  const message = bad.message === "" || bad.message === exitWords(bad.exitCode, bad.signal) ? "" : `: ${safeLine(bad.message)}`;
  return new Failure(
    "refused",
    `${called} ${what}: ${kindOf(found) === "job" ? "task" : "alloc"} ${safeLine(bad.name)} ${troubleWord(bad)}${ended}${message}`,
    `see its output: borg logs ${bad.name}`,
  );
}

/** `failed`, `killed`; of one that is tried again what it does meanwhile. */
const troubleWord = (task: TaskView): string =>
  task.state === "dead" ? safeLine(task.cause) : `failed ${plural(Math.max(1, failuresOf(task)), "time")} and is tried again`;
