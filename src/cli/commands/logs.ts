/**
 * `borg logs`: what a task wrote, or all tasks of a job, each line behind the task's name. Both streams, unless one is asked for. Machines note about once a
 * second how far a log has got, so times are that exact, and where nobody was there to look a `<` says that a line was written before.
 */
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { countOf, sinceMsOf } from "../input.ts";
import { allTasks } from "../listing.ts";
import { jobOrTask } from "../names.ts";
import { nameOr, type SelectionOptions, selectorOf, whose } from "../selection.ts";
import { isMissing, type LogBeginning, LogReader } from "./log-reader.ts";
import { JsonSink, LogNotes, type LogSink, PlainSink, PrefixSink, Screen, type StreamName } from "./log-sink.ts";

export interface LogsOptions extends SelectionOptions {
  readonly follow?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tail?: string;
  readonly instance?: string;
  readonly times?: boolean;
  readonly since?: string;
}

/** Each task that is followed keeps two calls waiting. */
const FOLLOWED_MAX = 20;
/** More tasks are read one after the other for too long. */
const SELECTED_MAX = 1000;

export async function logs(context: Context, name: string | undefined, options: LogsOptions): Promise<number> {
  const text = nameOr(name, options);
  const wanted = wantedOf(context, options);
  if (text === undefined) {
    if (options.instance !== undefined) throw new Failure("usage", "Cannot use --instance with a selector: it names one task's");
    await logsOfTasks(context, await tasksSelected(context, options), wanted, "select fewer of them");
    return EXIT.done;
  }
  const at = text.indexOf(":");
  const { job, index } = await jobOrTask(context, at === -1 ? text : text.slice(0, at));
  const count = index === undefined ? await countOfTasks(context, job) : 1;
  const named = options.instance ?? (at === -1 ? undefined : text.slice(at + 1));
  if (count !== 1) await logsOfJob(context, job, count, named, wanted);
  else {
    const task = `${job}/${index ?? 0}`;
    await logsOfTask(context, task, instanceOf(task, named), wanted);
  }
  return EXIT.done;
}

function wantedOf(context: Context, options: LogsOptions): Wanted {
  const lines = options.tail === undefined ? undefined : countOf("--tail", options.tail, 1_000_000);
  const sinceMs = options.since === undefined ? undefined : sinceMsOf("--since", options.since, context.terminal.now());
  if (lines !== undefined && sinceMs !== undefined)
    throw new Failure("usage", "Cannot use --tail and --since together: each says where to begin");
  const from = { lines, sinceMs };
  return { streams: streamsOf(options), follow: options.follow === true, from, times: options.times === true };
}

/** Tasks that live and have such labels, allocs left out: they have no log. */
async function tasksSelected(context: Context, options: LogsOptions): Promise<readonly string[]> {
  const selector = selectorOf(options);
  const user = await whose(context, options);
  const found = (await allTasks(context, { user, job: "", machine: "", states: [], selector })).filter(({ alloc }) => !alloc);
  const what = `${user === "" ? "" : ` of ${user}`} with ${selector}`;
  if (found.length === 0) throw new Failure("notFound", `There is no living task${what}`, "borg ls tasks --json shows the labels of each");
  if (found.length > SELECTED_MAX)
    throw new Failure(
      "usage",
      `There are ${found.length} tasks${what}, and logs are read of ${SELECTED_MAX} at most`,
      "select fewer of them",
    );
  return found.map(({ name }) => name);
}

async function countOfTasks(context: Context, job: string): Promise<number> {
  const { job: view } = await context.ask((client) => client.getJob({ job }));
  const count = view?.count ?? 0;
  if (count === 0) throw new Failure("notFound", `Job "${job}" has no tasks`);
  return count;
}

function streamsOf({ stdout, stderr }: LogsOptions): readonly StreamName[] {
  if (stdout === stderr) return ["stdout", "stderr"];
  return stdout === true ? ["stdout"] : ["stderr"];
}

/** `48213` and `ann/web/0:48213` name the same one. */
function instanceOf(task: string, text: string | undefined): string {
  if (text === undefined) return "";
  const incarnation = text.slice(text.indexOf(":") + 1);
  if (
    /^[0-9]+$/.test(incarnation) &&
    (text === incarnation || text === `${task}:${incarnation}` || text.endsWith(`/${task.split("/").slice(1).join("/")}:${incarnation}`))
  )
    return `${task}:${incarnation}`;
  throw new Failure("usage", `Cannot take "${text}" for an instance of ${task}`, `as in --instance ${task}:1, from borg show ${task}`);
}

interface Wanted {
  readonly streams: readonly StreamName[];
  readonly follow: boolean;
  readonly from: LogBeginning;
  readonly times: boolean;
}

/** Nobody noted which stream wrote first: standard output comes first, and while following, whatever comes. */
async function logsOfTask(context: Context, task: string, instance: string, { streams, follow, from, times }: Wanted): Promise<void> {
  const notes = new LogNotes(context);
  const screen = new Screen(context.terminal);
  const readers = streams.map((stream) => {
    const plain = (): LogSink => (times ? new PrefixSink(context.terminal, "") : new PlainSink(screen));
    const sink = context.json ? new JsonSink(context.terminal) : plain();
    return new LogReader(context, { task, stream, follow, sink, notes, times });
  });
  if (follow) await Promise.all(readers.map((reader) => reader.read(instance, from)));
  else for (const reader of readers) await reader.read(instance, from);
}

async function logsOfJob(context: Context, job: string, count: number, named: string | undefined, wanted: Wanted): Promise<void> {
  if (named !== undefined) throw new Failure("usage", `Cannot tell which task of "${job}" you mean: it has ${count}`, `name it: ${job}/0`);
  const tasks = Array.from({ length: count }, (_, index) => `${job}/${index}`);
  await logsOfTasks(context, tasks, wanted, `follow one of them: borg logs ${job}/0 -f`);
}

async function logsOfTasks(context: Context, tasks: readonly string[], wanted: Wanted, hint: string): Promise<void> {
  if (wanted.follow && tasks.length > FOLLOWED_MAX)
    throw new Failure("usage", `Cannot follow ${tasks.length} tasks at once: at most ${FOLLOWED_MAX}`, hint);
  const notes = new LogNotes(context);
  const names = await shortNames(context, tasks);
  const width = Math.max(...names.map((name) => name.length));
  const readers = tasks.map((task, i) =>
    wanted.streams.map((stream): LogReader => {
      const sink = sinkOf(context, names[i]!.padEnd(width), stream);
      return new LogReader(context, { task, stream, follow: wanted.follow, sink, notes, times: wanted.times });
    }),
  );
  if (wanted.follow) await Promise.all(readers.flat().map((reader) => reader.read("", wanted.from)));
  else await oneAfterAnother(readers, wanted.from, (index) => notes.say(names[index]!, `${names[index]} has no log`));
}

/** `web/0 | ` stands before what a task wrote to standard output, `web/0 ! ` before its errors. */
const MARKS: Readonly<Record<StreamName, string>> = { stdout: "|", stderr: "!" };

const sinkOf = (context: Context, name: string, stream: StreamName): LogSink =>
  context.json ? new JsonSink(context.terminal) : new PrefixSink(context.terminal, `${name} ${MARKS[stream]} `);

/** As they are typed: mine without my name. */
async function shortNames(context: Context, tasks: readonly string[]): Promise<readonly string[]> {
  const own = `${await context.user()}/`;
  return tasks.map((task) => (task.startsWith(own) ? task.slice(own.length) : task));
}

/** A task that never ran has no log, which is no reason to hide those of the others. */
async function oneAfterAnother(
  readers: readonly (readonly LogReader[])[],
  from: LogBeginning,
  missing: (index: number) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const [index, both] of readers.entries()) {
    try {
      for (const reader of both) await reader.read("", from);
    } catch (error) {
      if (!isMissing(error)) throw error;
      failures.push(error);
      missing(index);
    }
  }
  if (failures.length === readers.length) throw failures[0];
}
