/**
 * Waits until jobs run, with a display that is redrawn in place on a terminal and plain lines elsewhere. What stays pending is
 * explained without being asked. Ctrl-C ends the waiting, never the job.
 */
import { CallError } from "../rpc/call-error.ts";
import type { GetJobResponse, JobView, TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "./context.ts";
import { EXIT, Failure } from "./exit.ts";
import { Live } from "./text/live.ts";
import { safeLine } from "./text/safe.ts";
import { durationText } from "./text/units.ts";
import { jobPlain } from "./text/views.ts";
import { exitWords } from "./text/words.ts";

const POLL_FIRST_MS = 100;
const POLL_MAX_MS = 1000;
/** After this much waiting without all tasks running, people are told why; again when the reason changed. */
const WHY_AFTER_MS = 5000;

type Verdict = "waiting" | "running" | "finished" | "died";

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
  let [explained, explainAt] = ["", begin + WHY_AFTER_MS];
  for (let polls = 0; ; polls++) {
    const found = await look(context, jobs, signal);
    if (signal.aborted) return leave(context, live, jobs);
    live.draw(found.map((one) => progressLine(one, terminal.now() - begin)));
    const verdicts = found.map((one) => verdictOf(one));
    if (!verdicts.includes("waiting") || verdicts.includes("died")) return conclude(context, live, found, verdicts);
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

export function verdictOf({ job, tasks }: GetJobResponse): Verdict {
  if (job === undefined) return "waiting";
  if (job.state === "dead") return tasks.every((task) => task.cause === "finished") ? "finished" : "died";
  const finished = tasks.filter((task) => task.state === "dead" && task.cause === "finished").length;
  return job.count > 0 && job.running + finished >= job.count ? "running" : "waiting";
}

export function progressLine({ job, tasks }: GetJobResponse, waitedMs: number): string {
  if (job === undefined) return "";
  const counts = (["running", "starting", "pending", "stopping", "dead"] as const)
    .filter((state) => job[state] > 0)
    .map((state) => `${job[state]} ${state}`);
  const trouble = tasks.find((task) => task.state !== "running" && isBad(task));
  const said = trouble === undefined ? "" : `; ${safeLine(trouble.name)}: ${exitWords(trouble.exitCode, trouble.signal)}`;
  return `${safeLine(job.name)}  ${bar(job)}  ${counts.join(", ") || "no tasks"} of ${job.count}  ${durationText(Math.floor(waitedMs / 1000) * 1000)}${said}`;
}

const isBad = (task: TaskView): boolean => task.exited && (task.exitCode !== 0 || task.signal !== 0);

const BAR_COLUMNS = 20;

function bar(job: JobView): string {
  const full = job.count === 0 ? 0 : Math.floor((BAR_COLUMNS * job.running) / job.count);
  return `[${"#".repeat(full)}${".".repeat(BAR_COLUMNS - full)}]`;
}

/** Prints the reason above the display, unless it was printed before; returns what was printed last. */
async function explainPending(context: Context, live: Live, found: readonly GetJobResponse[], before: string): Promise<string> {
  const stuck = found.find((one) => verdictOf(one) === "waiting" && (one.job?.pending ?? 0) > 0)?.job;
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
  const what = jobs.length === 1 ? `job ${jobs[0]} stays as it is` : `jobs ${jobs.join(", ")} stay as they are`;
  context.terminal.complain(`Stopped waiting; ${what} (borg show ${jobs[0]})\n`);
  return { code: EXIT.interrupted, failure: undefined, jobs: [] };
}

function tooLong(live: Live, jobs: readonly string[], found: readonly GetJobResponse[], timeoutMs: number): Waited {
  live.end();
  const what = jobs.length === 1 ? `job ${jobs[0]}` : `jobs ${jobs.join(", ")}`;
  const message = `Waited ${durationText(timeoutMs)} and not all tasks of ${what} run`;
  return { code: EXIT.waited, failure: new Failure("waited", message, `see why: borg why ${jobs[0]}`), jobs: plainOf(found) };
}

function conclude(context: Context, live: Live, found: readonly GetJobResponse[], verdicts: readonly Verdict[]): Waited {
  live.end();
  const died = verdicts.indexOf("died");
  const jobs = plainOf(found);
  if (died !== -1) return { code: EXIT.refused, failure: deathOf(found[died]!), jobs };
  if (!context.json) found.forEach((one, i) => void context.terminal.print(`${outcomeSentence(one, verdicts[i]!)}\n`));
  return { code: EXIT.done, failure: undefined, jobs };
}

const plainOf = (found: readonly GetJobResponse[]): Waited["jobs"] =>
  found.flatMap((one) => (one.job === undefined ? [] : [{ ...jobPlain(one.job), outcome: verdictOf(one) }]));

function outcomeSentence({ job }: GetJobResponse, verdict: Verdict): string {
  const name = safeLine(job?.name ?? "");
  return verdict === "finished" ? `Job ${name} has finished` : `Job ${name} runs: ${job?.running} of ${job?.count} tasks`;
}

function deathOf({ job, tasks }: GetJobResponse): Failure {
  const name = safeLine(job?.name ?? "");
  const bad = tasks.find(isBad) ?? tasks.find((task) => task.cause !== "finished");
  if (bad === undefined) return new Failure("refused", `Job ${name} died`, `see what happened: borg events ${name}`);
  const ended = bad.exited ? ` (${exitWords(bad.exitCode, bad.signal)})` : "";
  const message = bad.message === "" ? "" : `: ${safeLine(bad.message)}`;
  return new Failure(
    "refused",
    `Job ${name} died: task ${safeLine(bad.name)} ${safeLine(bad.cause)}${ended}${message}`,
    `see its output: borg logs ${bad.name}`,
  );
}
