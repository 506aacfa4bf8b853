/** What a name means to the cell, and the answers for it as they change: for `borg resolve` and `borg lb`. A watch outlives a master that is away. */
import { CallError } from "../rpc/call-error.ts";
import type { NamedTask, ResolveResponse } from "../wire/gen/borg/v1/api_pb.ts";
import { type Context, NEWS_WAIT_MS, RETRIED } from "./context.ts";
import { Failure } from "./exit.ts";
import { jobOrTask, plainName } from "./names.ts";
import { safeLine } from "./text/safe.ts";

export interface NamedOptions {
  readonly service?: string;
  readonly user?: string;
  readonly all?: boolean;
}

/** As the API is asked. */
export interface Asked {
  readonly name: string;
  readonly user: string;
  readonly service: string;
  readonly all: boolean;
  /** For people. */
  readonly text: string;
}

const AWAY_WAIT_MS = 500;
/** `0.web.ann.cc.borg`, and what stands before that at the end of a longer domain. */
const DOTTED = /^(?:(\d{1,6})\.)?([a-z0-9-]+)\.([a-z0-9-]+)\.([a-z0-9-]+)\.borg(?:\.[a-z0-9.-]*)?$/;

/** `web`, `web/0`, `ann/web/0`, `0.web.ann.cc.borg`; or a service. */
export async function askedOf(context: Context, text: string | undefined, options: NamedOptions): Promise<Asked> {
  const all = options.all === true;
  if (options.service !== undefined) {
    if (text !== undefined) throw new Failure("usage", `Cannot take both "${text}" and a service`, "name one of them");
    const service = plainName(options.service, "a service");
    const user = options.user === undefined ? await context.user() : plainName(options.user, "a user");
    return { name: "", user, service, all, text: `service ${user}/${service}` };
  }
  if (text === undefined)
    throw new Failure("usage", "Expected the name of a job or a task, or a service", "as in web, web/0 or --service shop");
  const name = text.endsWith(".borg") || text.includes(".borg.") ? await dotted(context, text) : await slashed(context, text);
  return { name, user: "", service: "", all, text: name };
}

async function slashed(context: Context, text: string): Promise<string> {
  const { job, index } = await jobOrTask(context, text);
  return index === undefined ? job : `${job}/${index}`;
}

async function dotted(context: Context, text: string): Promise<string> {
  const [, index, job, user, cell] = DOTTED.exec(text) ?? [];
  if (cell === undefined)
    throw new Failure("usage", `Cannot understand "${text}" as a name`, "as in web.ann.cc.borg or 0.web.ann.cc.borg, with the cell's name");
  const { name } = await context.ask((client) => client.getCell({}));
  if (name !== cell)
    throw new Failure("notFound", `"${text}" is a name of cell "${cell}", and this is cell "${name}"`, "borg cell ls shows others");
  return `${user}/${job}${index === undefined ? "" : `/${index}`}`;
}

export const resolveOnce = (context: Context, { text: _, ...asked }: Asked): Promise<ResolveResponse> =>
  context.ask((client) => client.resolve(asked));

/** An answer now, and another at each change, until the signal. While nobody answers, what was told last is the best that is known. */
export async function* answers(context: Context, { text: _, ...asked }: Asked, signal: AbortSignal): AsyncGenerator<ResolveResponse> {
  const client = await context.client();
  let version = "";
  let isAway = false;
  while (!signal.aborted) {
    try {
      const found = await client.resolve({ ...asked, version, waitMs: version === "" ? 0 : NEWS_WAIT_MS }, { signal });
      if (isAway) context.terminal.complain("-- it answers again --\n");
      isAway = false;
      ({ version } = found);
      if (!found.unchanged) yield found;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CallError) || !RETRIED.has(error.code)) throw error;
      if (!isAway) context.terminal.complain(`-- ${safeLine(error.message)}; waiting for it --\n`);
      isAway = true;
      await context.terminal.sleep(AWAY_WAIT_MS, signal);
    }
  }
}

/** The number of a task's port by its name; without a name its only one, or its first. */
export const portOf = ({ ports }: NamedTask, name: string | undefined): number | undefined =>
  (name === undefined ? ports[0] : ports.find((port) => port.name === name))?.number;
