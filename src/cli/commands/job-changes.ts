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
  const { position, already, framework } = await change(context, `kill ${job}`, (client, requestId) => client.killJob({ requestId, job }));
  const [kind, first] = framework ? ["framework", "Framework"] : ["job", "Job"];
  return { sentence: already ? `${first} ${job} was dead already` : `Killed ${kind} ${job}`, plain: { job, position, already } };
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
  const what =
    tasks.length === 1
      ? `task ${job}/${tasks[0]}`
      : tasks.length === 0
        ? `every task of job ${job}`
        : `${tasks.length} tasks of job ${job}`;
  const { position } = await change(context, `restart ${what}`, (client, requestId) =>
    client.restartJob({ requestId, job, tasks: [...tasks] }),
  );
  return { sentence: `Restarting ${what}`, plain: { job, position } };
}

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
  const { position, already } = await change(context, `scale ${job} to ${count}`, (client, requestId) =>
    client.resizeJob({ requestId, job, count }),
  );
  const sentence = already ? `Job ${job} had ${plural(count, "task")} already` : `Job ${job} has ${plural(count, "task")} now`;
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
