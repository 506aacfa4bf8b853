/**
 * What a command is about: the one job whose name was typed, or all those that a selector or a service means. Who changes several at once shows them first and
 * is asked. Never takes a name and a selector together for one thing: which of both counts would be a guess.
 */
import type { JobView } from "../wire/gen/borg/v1/api_pb.ts";
import { parseSelector, SELECTOR_HINT, SERVICE_LABEL } from "../wire/selector.ts";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";
import { allJobs } from "./listing.ts";
import { plainName } from "./names.ts";
import { safeLine } from "./text/safe.ts";
import { plural } from "./text/units.ts";

export interface SelectionOptions {
  readonly selector?: string;
  readonly service?: string;
  readonly user?: string;
  readonly all?: boolean;
}

export interface ManyOptions extends SelectionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** One command changes, shows or waits for no more jobs than this. */
const MEANT_MAX = 1000;
/** Those that are listed before somebody is asked; the others are counted. */
const LISTED_MAX = 20;

/** What was asked for in one selector, checked here so that a mistake costs no call; empty: nothing was. */
export function selectorOf({ selector, service }: SelectionOptions): string {
  const parts = [...(service === undefined ? [] : [`${SERVICE_LABEL}=${plainName(service, "a service")}`]), selector ?? ""];
  const text = parts.filter((part) => part.trim() !== "").join(",");
  if (selector !== undefined && selector.trim() === "") throw new Failure("usage", "The selector is empty", SELECTOR_HINT);
  const parsed = parseSelector(text);
  if (!parsed.ok) throw new Failure("usage", parsed.reason);
  return text;
}

/** `web`, or -l: exactly one of both. Undefined: the selector counts. */
export function nameOr(name: string | undefined, selector: string): string | undefined {
  if (name !== undefined && selector !== "")
    throw new Failure("usage", `Cannot take both "${name}" and a selector`, "name one job, or select several with -l or --service");
  if (name === undefined && selector === "")
    throw new Failure("usage", "Expected the name of a job, or a selector", "as in web, -l app=web or --service shop");
  return name;
}

/** Whose jobs are meant; empty: everyone's. */
export async function whose(context: Context, { user, all }: SelectionOptions): Promise<string> {
  if (all === true) return "";
  return user === undefined ? context.user() : plainName(user, "a user");
}

/** At least one. */
export async function jobsSelected(context: Context, options: SelectionOptions, dead: boolean): Promise<readonly JobView[]> {
  const selector = selectorOf(options);
  const user = await whose(context, options);
  const found = await allJobs(context, { user, dead, selector });
  const what = `${user === "" ? "" : ` of ${user}`} with ${selector}`;
  if (found.length === 0)
    throw new Failure("notFound", `There is no ${dead ? "" : "living "}job${what}`, "borg ls jobs --json shows the labels of each");
  if (found.length <= MEANT_MAX) return found;
  throw new Failure("usage", `There are ${found.length} jobs${what}, and one command takes ${MEANT_MAX} at most`, "select fewer of them");
}

/** Lists what will be changed, and asks. False: nothing is to be done. */
export async function agreed(context: Context, verb: string, jobs: readonly JobView[], options: ManyOptions): Promise<boolean> {
  const lines = jobs.slice(0, LISTED_MAX).map(({ name, count, allocSet }) => {
    const what = allocSet ? `${plural(count, "alloc")} and what is in them` : plural(count, "task");
    return `  ${safeLine(name)}: ${what}\n`;
  });
  const more = jobs.length > LISTED_MAX ? `  and ${jobs.length - LISTED_MAX} more\n` : "";
  const head = `Would ${verb} ${totalText(jobs)}:\n`;
  const isShown = options.dryRun === true || options.yes !== true;
  if (isShown && !context.json) context.terminal.print(`${head}${lines.join("")}${more}`);
  if (options.dryRun === true) {
    if (context.json) context.printJson(jobs.map(({ name }) => ({ job: name, position: null, already: false })));
    return false;
  }
  if (options.yes === true) return true;
  const answer = context.json ? undefined : await context.terminal.ask(`${verb} them? [y/N] `);
  if (answer === undefined)
    throw new Failure(
      "usage",
      `Cannot ${verb} ${plural(jobs.length, "job")} without being told so`,
      "look at them with --dry-run, then say --yes",
    );
  if (/^y(es)?$/i.test(answer.trim())) return true;
  context.terminal.complain("Nothing was changed\n");
  return false;
}

/** `1 job with 3 tasks, and 2 alloc sets with 4 allocs`. */
function totalText(all: readonly JobView[]): string {
  const sets = all.filter(({ allocSet }) => allocSet);
  const jobs = all.filter(({ allocSet }) => !allocSet);
  const said = (those: readonly JobView[], whole: string, part: string): string[] => {
    const parts = those.reduce((sum, { count }) => sum + count, 0);
    return those.length === 0 ? [] : [`${plural(those.length, whole)} with ${plural(parts, part)}`];
  };
  return [...said(jobs, "job", "task"), ...said(sets, "alloc set", "alloc")].join(", and ");
}
