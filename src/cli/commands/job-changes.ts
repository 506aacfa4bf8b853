/** `borg kill`, `restart`, `scale` and `unpin`: one change, one sentence. Several jobs at once are shown first, and changed one after the other. */
import type { JobView, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { countOf } from "../input.ts";
import { allTasks } from "../listing.ts";
import { jobName, jobOrTask } from "../names.ts";
import { agreed, jobsSelected, type ManyOptions, nameOr, selectorOf, whose } from "../selection.ts";
import { plural } from "../text/units.ts";

type Plain = Readonly<Record<string, unknown>>;

export async function kill(context: Context, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, selectorOf(options));
  if (text === undefined) return killMany(context, options);
  if ((await jobOrTask(context, text)).index !== undefined)
    throw new Failure(
      "usage",
      `Cannot kill "${text}": jobs are killed whole`,
      `kill the job, or let the task start anew: borg restart ${text}`,
    );
  const { sentence, plain } = await killOne(context, await jobName(context, text));
  context.tell(sentence, plain);
  return EXIT.done;
}

async function killOne(context: Context, job: string): Promise<Told> {
  const { position, already, allocSet } = await change(context, `kill ${job}`, (client, requestId) => client.killJob({ requestId, job }));
  const what = allocSet ? "alloc set" : "job";
  return { sentence: already ? `${capital(what)} ${job} was dead already` : `Killed ${what} ${job}`, plain: { job, position, already } };
}

interface Told {
  readonly sentence: string;
  readonly plain: Plain;
}

/** Jobs inside alloc sets go before the sets, so that nobody is moved only to be killed. */
async function killMany(context: Context, options: ManyOptions): Promise<number> {
  const jobs = [...(await jobsSelected(context, options, false))].sort((a, b) => Number(a.allocSet) - Number(b.allocSet));
  if (!(await agreed(context, "kill", jobs, options))) return EXIT.done;
  return each(context, jobs, ({ name }) => killOne(context, name));
}

/** What was done is told also when the next one cannot be. */
async function each<Item>(context: Context, items: readonly Item[], act: (item: Item) => Promise<Told>): Promise<number> {
  const done: Plain[] = [];
  try {
    for (const item of items) {
      const { sentence, plain } = await act(item);
      done.push(plain);
      if (!context.json) context.terminal.print(`${sentence}\n`);
    }
  } finally {
    if (context.json) context.printJson(done);
  }
  return EXIT.done;
}

export async function restart(context: Context, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, selectorOf(options));
  if (text === undefined) return restartMany(context, options);
  const { job, index } = await jobOrTask(context, text);
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

/** As many as one call names. */
const TASKS_MAX = 1000;

/** By the labels of tasks, so that an override's count: of a job some, or all. */
async function restartMany(context: Context, options: ManyOptions): Promise<number> {
  const selector = selectorOf(options);
  const user = await whose(context, options);
  const tasks = await allTasks(context, { user, job: "", machine: "", states: [], selector });
  if (tasks.length === 0)
    throw new Failure(
      "notFound",
      `There is no living task${user === "" ? "" : ` of ${user}`} with ${selector}`,
      "borg ls tasks --json shows the labels of each",
    );
  const meant = new Map<string, number[]>();
  for (const task of tasks) meant.set(jobOf(task), [...(meant.get(jobOf(task)) ?? []), indexOf(task)]);
  const jobs = [...meant].map(([job, indexes]) => ({ name: job, count: indexes.length, allocSet: false }) as JobView);
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

export async function scale(context: Context, text: string, countText: string): Promise<number> {
  const count = countOf("COUNT", countText);
  const job = await jobName(context, text);
  const { position, already, allocSet } = await change(context, `scale ${job} to ${count}`, (client, requestId) =>
    client.resizeJob({ requestId, job, count }),
  );
  const what = `${allocSet ? "Alloc set" : "Job"} ${job}`;
  const parts = plural(count, allocSet ? "alloc" : "task");
  const sentence = already ? `${what} had ${parts} already` : `${what} has ${parts} now`;
  context.tell(sentence, { job, count, position, already });
  return EXIT.done;
}

/** Only its owner can know that what the task wrote there may be left behind. */
export async function unpin(context: Context, text: string): Promise<number> {
  const { job, index } = await jobOrTask(context, text);
  if (index === undefined)
    throw new Failure("usage", `Cannot unpin "${text}": one task at a time is unpinned`, `name it with its index: borg unpin ${text}/0`);
  const task = `${job}/${index}`;
  const { position } = await change(context, `unpin ${task}`, (client, requestId) => client.unpinTask({ requestId, task }));
  context.tell(`Task ${task} may go to any machine now; what it wrote stays where it was`, { task, position });
  return EXIT.done;
}
