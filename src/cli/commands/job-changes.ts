/** `borg kill`, `restart`, `scale` and `unpin`: one change, one sentence. Several jobs at once are shown first, and changed one after the other. */
import type { JobView, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { countOf } from "../input.ts";
import { jobName, jobOrTask } from "../names.ts";
import {
  agreed,
  confirmed,
  each,
  jobsSelected,
  type ManyOptions,
  nameOr,
  onlyShown,
  selectorOf,
  type Told,
  tasksSelected,
} from "../selection.ts";
import { plural } from "../text/units.ts";

export async function kill(context: Context, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return killMany(context, options);
  if ((await jobOrTask(context, text)).index !== undefined)
    throw new Failure(
      "usage",
      `Cannot kill "${text}": jobs are killed whole`,
      `kill the job, or let the task start anew: borg restart ${text}`,
    );
  const job = await jobName(context, text);
  if (options.dryRun === true) return onlyShown(context, "kill", job, options);
  const { sentence, plain } = await killOne(context, job);
  context.tell(sentence, plain);
  return EXIT.done;
}

async function killOne(context: Context, job: string): Promise<Told> {
  const { position, already, allocSet, framework } = await change(context, `kill ${job}`, (client, requestId) =>
    client.killJob({ requestId, job }),
  );
  const what = framework ? "framework" : allocSet ? "alloc set" : "job";
  return { sentence: already ? `${capital(what)} ${job} was dead already` : `Killed ${what} ${job}`, plain: { job, position, already } };
}

/** Jobs inside alloc sets go before the sets, so that nobody is moved only to be killed. */
async function killMany(context: Context, options: ManyOptions): Promise<number> {
  const jobs = [...(await jobsSelected(context, options, false))].sort((a, b) => Number(a.allocSet) - Number(b.allocSet));
  if (!(await agreed(context, "kill", jobs, options))) return EXIT.done;
  return each(context, jobs, ({ name }) => killOne(context, name));
}

export async function restart(context: Context, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return restartMany(context, options);
  const { job, index } = await jobOrTask(context, text);
  if (options.dryRun === true)
    return index === undefined
      ? onlyShown(context, "restart", job, options)
      : taskShown(context, "restart", { job, task: `${job}/${index}` }, options);
  const { sentence, plain } = await restartSome(context, job, index === undefined ? [] : [index]);
  context.tell(sentence, index === undefined ? plain : { ...plain, task: `${job}/${index}` });
  return EXIT.done;
}

async function restartSome(context: Context, job: string, tasks: readonly number[]): Promise<Told> {
  const { position, allocSet } = await change(context, `restart ${whichOf(job, tasks, false)}`, (client, requestId) =>
    client.restartJob({ requestId, job, tasks: [...tasks] }),
  );
  return { sentence: `Restarting ${whichOf(job, tasks, allocSet)}`, plain: { job, position } };
}

function whichOf(job: string, tasks: readonly number[], allocSet: boolean): string {
  const [part, whole] = allocSet ? ["alloc", "alloc set"] : ["task", "job"];
  if (tasks.length === 1) return `${part} ${job}/${tasks[0]}`;
  return `${tasks.length === 0 ? `every ${part}` : `${tasks.length} ${part}s`} of ${whole} ${job}`;
}

const capital = (words: string): string => `${words[0]?.toUpperCase()}${words.slice(1)}`;

/** Of one task that was named, with --dry-run. */
async function taskShown(
  context: Context,
  verb: string,
  named: { readonly job?: string; readonly task: string },
  options: ManyOptions,
): Promise<number> {
  const { task } = named;
  await context.ask((client) => client.getTask({ task }));
  await confirmed(context, { verb, total: "1 task", items: [{ line: task, plain: { ...named, position: null } }] }, options);
  return EXIT.done;
}

/** As many as one call names. */
const TASKS_MAX = 1000;

/** By the labels of tasks, so that an override's count: of a job some, or all. */
async function restartMany(context: Context, options: ManyOptions): Promise<number> {
  const tasks = await tasksSelected(context, options);
  const meant = new Map<string, number[]>();
  for (const task of tasks) meant.set(jobOf(task), [...(meant.get(jobOf(task)) ?? []), indexOf(task)]);
  const sets = new Set(tasks.filter(({ alloc }) => alloc).map(jobOf));
  const jobs = [...meant].map(([job, indexes]) => ({ name: job, count: indexes.length, allocSet: sets.has(job) }) as JobView);
  if (!(await agreed(context, "restart", jobs, options))) return EXIT.done;
  const lots = [...meant].flatMap(([job, indexes]) =>
    Array.from({ length: Math.ceil(indexes.length / TASKS_MAX) }, (_, lot) => ({
      job,
      indexes: indexes.slice(lot * TASKS_MAX, (lot + 1) * TASKS_MAX),
    })),
  );
  return each(context, lots, ({ job, indexes }) => restartSome(context, job, indexes));
}

const jobOf = ({ name }: TaskView): string => name.slice(0, name.lastIndexOf("/"));
const indexOf = ({ name }: TaskView): number => Number(name.slice(name.lastIndexOf("/") + 1));

/** `web 3`, or with a selector the count alone. */
export async function scale(context: Context, words: readonly string[], options: ManyOptions): Promise<number> {
  const selector = selectorOf(options);
  const [name, countText] = selector === "" ? words : [undefined, ...words];
  if (countText === undefined || words.length > (selector === "" ? 2 : 1))
    throw new Failure("usage", "Expected one job and a count, or a selector and a count", "as in web 3, or -l app=web 3");
  const count = countOf("COUNT", countText);
  if (name === undefined) {
    const jobs = await jobsSelected(context, options, false);
    if (!(await agreed(context, "scale", jobs, options, { count }))) return EXIT.done;
    return each(context, jobs, (job) => scaleOne(context, job.name, count));
  }
  const job = await jobName(context, name);
  if (options.dryRun === true) return onlyShown(context, "scale", job, options, { count });
  const { sentence, plain } = await scaleOne(context, job, count);
  context.tell(sentence, plain);
  return EXIT.done;
}

async function scaleOne(context: Context, job: string, count: number): Promise<Told> {
  const { position, already, allocSet } = await change(context, `scale ${job} to ${count}`, (client, requestId) =>
    client.resizeJob({ requestId, job, count }),
  );
  const what = `${allocSet ? "Alloc set" : "Job"} ${job}`;
  const parts = plural(count, allocSet ? "alloc" : "task");
  return { sentence: already ? `${what} had ${parts} already` : `${what} has ${parts} now`, plain: { job, count, position, already } };
}

/** Only its owner can know that what the task wrote there may be left behind. */
export async function unpin(context: Context, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return unpinMany(context, options);
  const { job, index } = await jobOrTask(context, text);
  if (index === undefined)
    throw new Failure("usage", `Cannot unpin "${text}": one task at a time is unpinned`, `name it with its index: borg unpin ${text}/0`);
  if (options.dryRun === true) return taskShown(context, "unpin", { task: `${job}/${index}` }, options);
  const { sentence, plain } = await unpinOne(context, `${job}/${index}`);
  context.tell(sentence, plain);
  return EXIT.done;
}

async function unpinOne(context: Context, task: string): Promise<Told> {
  const { position } = await change(context, `unpin ${task}`, (client, requestId) => client.unpinTask({ requestId, task }));
  return { sentence: `Task ${task} may go to any machine now; what it wrote stays where it was`, plain: { task, position } };
}

/** Those that wait: what runs is where its volumes are. */
async function unpinMany(context: Context, options: ManyOptions): Promise<number> {
  const tasks = (await tasksSelected(context, options)).filter(({ state }) => state === "pending");
  if (tasks.length === 0)
    throw new Failure(
      "notFound",
      `No task with ${selectorOf(options)} waits for a machine`,
      "borg ls tasks --state pending shows those that do",
    );
  const items = tasks.map((task) => ({ line: task.name, plain: { task: task.name, position: null } }));
  if (!(await confirmed(context, { verb: "unpin", total: plural(tasks.length, "task"), items }, options))) return EXIT.done;
  return each(context, tasks, (task) => unpinOne(context, task.name));
}
