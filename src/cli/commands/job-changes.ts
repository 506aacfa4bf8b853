/** `borg kill`, `restart` and `scale`: one change, one sentence. */
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { countOf } from "../input.ts";
import { jobName, jobOrTask } from "../names.ts";
import { plural } from "../text/units.ts";

export async function kill(context: Context, text: string): Promise<number> {
  if ((await jobOrTask(context, text)).index !== undefined)
    throw new Failure(
      "usage",
      `Cannot kill "${text}": jobs are killed whole`,
      `kill the job, or let the task start anew: borg restart ${text}`,
    );
  const job = await jobName(context, text);
  const { position, already } = await change(context, `kill ${job}`, (client, requestId) => client.killJob({ requestId, job }));
  context.tell(already ? `Job ${job} was dead already` : `Killed job ${job}`, { job, position, already });
  return EXIT.done;
}

export async function restart(context: Context, text: string): Promise<number> {
  const { job, index } = await jobOrTask(context, text);
  const tasks = index === undefined ? [] : [index];
  const what = index === undefined ? job : `${job}/${index}`;
  const { position } = await change(context, `restart ${what}`, (client, requestId) => client.restartJob({ requestId, job, tasks }));
  const sentence = index === undefined ? `Restarting every task of job ${job}` : `Restarting task ${what}`;
  context.tell(sentence, { job, ...(index === undefined ? {} : { task: what }), position });
  return EXIT.done;
}

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
