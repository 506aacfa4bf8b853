/** `borg scheduler`: our scheduler as a process of its own, for the jobs that name it; and the list of those a cell knows. */

import { connectCell } from "../../rpc/client.ts";
import type { FromScheduler } from "../../scheduler/message.ts";
import { namedJobs } from "../../scheduler/responsibility.ts";
import { SchedulerActor } from "../../scheduler/scheduler.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { PRIORITY_MAX } from "../../wire/band.ts";
import { change } from "../change.ts";
import { whereIs } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { plainName } from "../names.ts";
import { RemoteMaster } from "../remote-master.ts";

const MASTER = "master";

export interface SchedulerOptions {
  readonly name: string;
  readonly coarse?: boolean;
  readonly grant?: string;
}

export async function runScheduler(context: Context, options: SchedulerOptions): Promise<number> {
  const { name } = options;
  if (options.grant !== undefined) return grantName(context, name, plainName(options.grant, "a user"));
  await makeKnown(context, options);
  const { at, token } = context.cell();
  const client = connectCell({ at, token });
  const say = (line: string): void => context.terminal.complain(`${line}\n`);
  const ended = Promise.withResolvers<number>();
  const host = new ActorHost({
    route: (_from, _to, message) => master.hear(message as FromScheduler),
    log: say,
    crash: (error) => ended.reject(error),
  });
  const master = new RemoteMaster(client, (message) => host.deliver(MASTER, name, message), say);
  host.add(name, (env) => new SchedulerActor(env, { name, master: MASTER, mine: namedJobs(name) }));
  host.start();
  context.terminal.print(`Scheduler "${name}" places the jobs that name it (scheduler = "${name}") at ${whereIs(at)}; Ctrl-C ends it\n`);
  context.terminal.interrupted().addEventListener("abort", () => ended.resolve(EXIT.done));
  process.once("SIGTERM", () => ended.resolve(EXIT.done));
  try {
    return await ended.promise;
  } finally {
    host.stop();
    master.close();
    client.close();
  }
}

/** From now on this user may claim in the scheduler's name; its other limits stay. */
async function grantName(context: Context, name: string, user: string): Promise<number> {
  const { schedulers } = await context.ask((client) => client.listSchedulers({}));
  const limits = schedulers.find((scheduler) => scheduler.name === name)?.limits ?? { priorityMax: PRIORITY_MAX };
  const { position } = await change(context, `give scheduler ${name} to ${user}`, (client, requestId) =>
    client.setScheduler({ requestId, name, limits: { ...limits, user } }),
  );
  context.tell(`Scheduler ${name} is user ${user}'s, who also needs the capability schedule`, { scheduler: name, user, position });
  return EXIT.done;
}

/** An admin's scheduler makes itself known; anyone else's must be known already. */
async function makeKnown(context: Context, { name, coarse = false }: SchedulerOptions): Promise<void> {
  const { schedulers } = await context.ask((client) => client.listSchedulers({}));
  if (schedulers.some((scheduler) => scheduler.name === name)) return;
  try {
    const limits = { priorityMax: PRIORITY_MAX, coarse };
    await context.ask((client) => client.setScheduler({ requestId: context.requestId, name, limits }));
  } catch (cause) {
    throw new Failure(
      "notPermitted",
      `The cell does not know scheduler "${name}"`,
      `an admin gives it to you: borg scheduler --name ${name} --grant USER`,
      { cause },
    );
  }
}
