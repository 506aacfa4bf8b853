/**
 * Waits until a job has ended, with what its tasks write as it comes, and ends with the exit code of its program. What stays pending is explained
 * without being asked. Ctrl-C ends the waiting, never the job.
 */
import { exitWords } from "../base/exit-words.ts";
import { CallError } from "../rpc/call-error.ts";
import type { GetJobResponse, TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import { change } from "./change.ts";
import { FROM_THE_BEGINNING, LogReader } from "./commands/log-reader.ts";
import { LogNotes, PlainSink, PrefixSink, Screen, type StreamName } from "./commands/log-sink.ts";
import type { Context } from "./context.ts";
import { EXIT, Failure } from "./exit.ts";
import type { Terminal } from "./terminal.ts";
import { safeLine } from "./text/safe.ts";
import { countWords, jobWord } from "./text/states.ts";
import { durationText } from "./text/units.ts";
import { jobPlain } from "./text/views.ts";

const POLL_FIRST_MS = 100;
const POLL_MAX_MS = 500;
const WHY_AFTER_MS = 5000;
/** More tasks are waited for, but not listened to: each keeps two calls waiting. */
const STREAMED_MAX = 20;
/** A job that has just ended may still have something on its machine. */
const FORGET_MS_MAX = 15_000;
const SIGNALLED = 128;

export interface EndOptions {
  /** Undefined: for ever. */
  readonly timeoutMs: number | undefined;
  /** What its tasks write is passed on. */
  readonly stream: boolean;
  /** The cell forgets it afterwards. */
  readonly remove: boolean;
  /** Printed with --json beside what is known of the job in the end. */
  readonly plain: Readonly<Record<string, unknown>>;
  /** Who prints it, when that is not done here. */
  readonly tell?: (end: object) => void;
}

/** The exit code to end with. */
export async function waitForEnd(context: Context, job: string, options: EndOptions): Promise<number> {
  const stop = new AbortController();
  const streams = options.stream && !context.json ? follow(context, job, stop.signal) : Promise.resolve();
  streams.catch(() => undefined);
  const found = await untilDead(context, job, options.timeoutMs);
  if (found === "interrupted") return leave(context, job, options.remove);
  if (found === "late") {
    stop.abort();
    const words = `Waited ${durationText(options.timeoutMs ?? 0)} and job ${job} has not ended`;
    throw new Failure("waited", words, `see what it does: borg show ${job}`);
  }
  await streams;
  if (options.remove) await forget(context, job);
  return conclude(context, found, options);
}

async function untilDead(context: Context, job: string, timeoutMs: number | undefined): Promise<GetJobResponse | "late" | "interrupted"> {
  const { terminal } = context;
  const signal = terminal.interrupted();
  const begin = terminal.now();
  let [explained, explainAt] = ["", begin + WHY_AFTER_MS];
  for (let polls = 0; ; polls++) {
    const found = await context.ask((client) => client.getJob({ job }));
    if (found.job?.state === "dead") return found;
    if (signal.aborted) return "interrupted";
    const leftMs = timeoutMs === undefined ? POLL_MAX_MS : begin + timeoutMs - terminal.now();
    if (leftMs <= 0) return "late";
    if (terminal.now() >= explainAt && !context.json) {
      explained = await explain(context, found, explained);
      explainAt = terminal.now() + WHY_AFTER_MS;
    }
    await terminal.sleep(Math.max(1, Math.min(POLL_FIRST_MS * 2 ** Math.min(polls, 4), POLL_MAX_MS, leftMs)), signal);
  }
}

/** Says beside the output why a task waits, unless that was said before; returns what was said last. */
async function explain(context: Context, { job }: GetJobResponse, before: string): Promise<string> {
  if (job === undefined || (job.pending === 0 && job.backingOff === 0)) return before;
  try {
    const { whyText } = await import("./commands/why.ts");
    const text = whyText(await context.ask((client) => client.explain({ name: job.name })));
    // A countdown is no news.
    if (text.replaceAll(/[0-9]+ s\b/g, "") !== before) context.terminal.complain(text);
    return text.replaceAll(/[0-9]+ s\b/g, "");
  } catch (error) {
    if (error instanceof CallError) return before;
    throw error;
  }
}

/** One task writes as if it ran here; several have their names before their lines. */
async function follow(context: Context, job: string, signal: AbortSignal): Promise<void> {
  const { job: view } = await context.ask((client) => client.getJob({ job }));
  const count = Math.min(view?.count ?? 0, STREAMED_MAX);
  const notes = new LogNotes(context);
  const errors = errorsOf(context.terminal);
  const out: Readonly<Record<StreamName, Terminal>> = { stdout: context.terminal, stderr: errors };
  const screens = { stdout: new Screen(out.stdout), stderr: new Screen(out.stderr) };
  const readers = Array.from({ length: count }, (_, index) =>
    (["stdout", "stderr"] as const).map((stream) => {
      const sink = count === 1 ? new PlainSink(screens[stream]) : new PrefixSink(out[stream], `${index} | `);
      return new LogReader(context, { task: `${job}/${index}`, stream, follow: true, sink, notes, quiet: true, signal });
    }),
  );
  await Promise.all(readers.flat().map((reader) => reader.read("", FROM_THE_BEGINNING)));
}

/** The same terminal, but everything goes to standard error. */
function errorsOf(terminal: Terminal): Terminal {
  const decoder = new TextDecoder();
  return {
    ...terminal,
    print: (text) => terminal.complain(text),
    write: async (bytes) => terminal.complain(decoder.decode(bytes, { stream: true })),
  };
}

async function leave(context: Context, job: string, remove: boolean): Promise<number> {
  if (remove) {
    await change(context, `kill ${job}`, (client, requestId) => client.killJob({ requestId, job }));
    context.terminal.complain(`Killed job ${job}\n`);
    await forget(context, job);
  } else {
    context.terminal.complain(`Stopped waiting; job ${job} stays as it is (borg wait ${job}, borg kill ${job})\n`);
  }
  return EXIT.interrupted;
}

/** Asked again while something of it is still on a machine. */
async function forget(context: Context, job: string): Promise<void> {
  const { terminal } = context;
  for (const end = terminal.now() + FORGET_MS_MAX; ; await terminal.sleep(POLL_MAX_MS)) {
    try {
      await change(context, `forget ${job}`, (client, requestId) => client.forgetJob({ requestId, job }));
      return;
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "refused" || terminal.now() >= end) throw error;
    }
  }
}

function conclude(context: Context, found: GetJobResponse, { plain, tell = (end) => context.printJson(end) }: EndOptions): number {
  const job = found.job!;
  const bad = found.tasks.find((task) => task.cause !== "finished");
  const code = bad === undefined ? EXIT.done : codeOf(bad);
  if (context.json) tell({ ...plain, ...jobPlain(job), outcome: bad === undefined ? "finished" : "died", exitCode: code });
  else if (bad !== undefined) context.terminal.complain(`${trouble(found, bad)}\n`);
  return code;
}

/** The program's own; of a task that did not end by itself ours. */
const codeOf = ({ exited, exitCode, signal, cause }: TaskView): number =>
  exited && cause === "failed" ? (signal > 0 ? SIGNALLED + signal : exitCode) || EXIT.refused : EXIT.refused;

function trouble({ job, tasks }: GetJobResponse, bad: TaskView): string {
  const ended = bad.exited ? ` (${exitWords(bad.exitCode, bad.signal)})` : "";
  const words = bad.message === "" || bad.message === exitWords(bad.exitCode, bad.signal) ? "" : `: ${safeLine(bad.message)}`;
  const counts = tasks.length > 1 ? `, ${countWords(job!)}` : "";
  return `Job ${safeLine(job!.name)} ${jobWord(job!)}${counts}: task ${safeLine(bad.name)} ${safeLine(bad.cause)}${ended}${words}`;
}
