/** `borg events`: what happened in the cell, in words, as it happens with -f. */
import { CallError } from "../../rpc/call-error.ts";
import type { EventView, ReadEventsResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import { type Context, NEWS_WAIT_MS } from "../context.ts";
import { EXIT } from "../exit.ts";
import { countOf } from "../input.ts";
import { meanings } from "../names.ts";
import { type SelectionOptions, selectorOf, whose } from "../selection.ts";
import { safeLine } from "../text/safe.ts";
import { eventPlain } from "../text/views.ts";
import { eventLine } from "./show.ts";

export interface EventsOptions extends SelectionOptions {
  readonly follow?: boolean;
  readonly limit: string;
}

const AWAY_WAIT_MS = 500;
/** A follower outlives a cell that is away, but not for ever. */
const AWAY_MAX_MS = 300_000;

export async function events(context: Context, about: string | undefined, options: EventsOptions): Promise<number> {
  const limit = countOf("--limit", options.limit, 1000);
  const subject = about === undefined ? "" : await subjectOf(context, about);
  const selector = selectorOf(options);
  const asked = { about: subject === "" && selector !== "" && options.all !== true ? await whose(context, options) : subject, selector };
  const first = await context.ask((client) => client.readEvents({ ...asked, limit }));
  if (options.follow !== true && context.json) {
    context.printJson(first.events.map(eventPlain));
    return EXIT.done;
  }
  put(context, first);
  if (options.follow === true) await follow(context, asked, first);
  else if (first.events.length === 0)
    context.terminal.complain(
      `Nothing happened${asked.about === "" ? "" : ` to ${asked.about}`}${selector === "" ? "" : ` with ${selector}`} that this master remembers\n`,
    );
  return EXIT.done;
}

/** A job of mine, if there is one of that name; else a machine or a user. */
async function subjectOf(context: Context, text: string): Promise<string> {
  const [named, ...others] = await meanings(context, text);
  if (others.length === 0 || named === undefined) return text;
  try {
    if (named.kind === "job") await context.ask((client) => client.getJob({ job: named.name }));
    else await context.ask((client) => client.getTask({ task: named.name }));
    return named.name;
  } catch (error) {
    if (error instanceof CallError && error.code === "not-found") return text;
    throw error;
  }
}

/** One line for each, also as JSON: a list that never ends has no closing bracket. */
function put(context: Context, { events, missed }: ReadEventsResponse): void {
  const { terminal, json } = context;
  if (missed) terminal.complain("-- some events before these are no longer kept --\n");
  const line = (event: EventView): string => (json ? JSON.stringify(eventPlain(event)) : eventLine(event));
  if (events.length > 0) terminal.print(`${events.map(line).join("\n")}\n`);
}

async function follow(
  context: Context,
  asked: { readonly about: string; readonly selector: string },
  first: ReadEventsResponse,
): Promise<void> {
  const { terminal } = context;
  const signal = terminal.interrupted();
  const client = await context.client();
  let { nextPosition, nextIndex } = first;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    try {
      const request = { afterPosition: nextPosition, afterIndex: nextIndex, ...asked, limit: 1000, waitMs: NEWS_WAIT_MS };
      const found = await client.readEvents(request, { signal });
      put(context, found);
      ({ nextPosition, nextIndex } = found);
      awaySince = undefined;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CallError) || !["unavailable", "unknown", "unreachable"].includes(error.code)) throw error;
      if (awaySince === undefined) terminal.complain(`-- ${safeLine(error.message)}; waiting for it --\n`);
      else if (terminal.now() - awaySince > AWAY_MAX_MS) throw error;
      awaySince ??= terminal.now();
      await terminal.sleep(AWAY_WAIT_MS, signal);
    }
  }
}
