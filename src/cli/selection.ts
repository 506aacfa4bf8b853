/**
 * What a command is about: the one job whose name was typed, or all those that a selector or a service means. Who changes several at once shows them first and
 * is asked. Never takes a name and a selector together for one thing: which of both counts would be a guess.
 */
import type { JobView, TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import { parseSelector, SELECTOR_HINT, SERVICE_LABEL } from "../wire/selector.ts";
import type { Context } from "./context.ts";
import { EXIT, Failure } from "./exit.ts";
import { pairOf } from "./input.ts";
import { allJobs, allTasks } from "./listing.ts";
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

/** Empty stands for everyone's. */
export async function userOf(context: Context, { user, all }: SelectionOptions): Promise<string> {
  if (all === true) return "";
  return user === undefined ? context.user() : plainName(user, "a user");
}

/** Users with such labels; undefined: nobody asked. */
export async function usersMeant(context: Context, options: SelectionOptions): Promise<ReadonlySet<string> | undefined> {
  const selector = selectorOf(options);
  if (selector === "") return undefined;
  const { users } = await context.ask((client) => client.listUsers({ selector }));
  const wanted = options.user === undefined ? undefined : plainName(options.user, "a user");
  return new Set(users.map(({ name }) => name).filter((name) => wanted === undefined || name === wanted));
}

/** `web`, or -l: exactly one of both. Undefined: the selector counts. */
export function nameOr(name: string | undefined, options: SelectionOptions): string | undefined {
  const selector = selectorOf(options);
  if (name !== undefined && selector !== "")
    throw new Failure("usage", `Cannot take both "${name}" and a selector`, "name one job, or select several with -l or --service");
  if (name === undefined && selector === "")
    throw new Failure("usage", "Expected the name of a job, or a selector", "as in web, -l app=web or --service shop");
  // Not passed over: who says it means somebody else's.
  if (name !== undefined && (options.user !== undefined || options.all === true))
    throw new Failure(
      "usage",
      `Cannot use --user or --all with the name "${name}"`,
      `name whose it is, as in ${options.user ?? "ann"}/${bareName(name)}`,
    );
  return name;
}

const bareName = (name: string): string => name.slice(name.indexOf("/") + 1);

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

/** Lists the jobs that will be changed, and asks. False: nothing is to be done. */
export const agreed = (
  context: Context,
  verb: string,
  jobs: readonly JobView[],
  options: ManyOptions,
  more: { readonly count?: number } = {},
): Promise<boolean> =>
  confirmed(
    context,
    {
      verb,
      total: `${totalText(jobs)}${more.count === undefined ? "" : ` to ${more.count}`}`,
      items: jobs.map(({ name, count, allocSet }) => ({
        line: `${safeLine(name)}: ${allocSet ? `${plural(count, "alloc")} and what is in them` : plural(count, "task")}`,
        plain: { job: name, ...more, position: null, already: false },
      })),
    },
    options,
  );

/** Of one job that was named, with --dry-run: shown like those of a selector, and left alone. */
export async function onlyShown(
  context: Context,
  verb: string,
  name: string,
  options: ManyOptions,
  more: { readonly count?: number } = {},
): Promise<number> {
  const { job } = await context.ask((client) => client.getJob({ job: name }));
  await agreed(context, verb, job === undefined ? [] : [job], options, more);
  return EXIT.done;
}

export interface Meant {
  /** `kill`, before what is meant. */
  readonly verb: string;
  /** `2 packages`. */
  readonly total: string;
  readonly items: readonly { readonly line: string; readonly plain: Readonly<Record<string, unknown>> }[];
}

/** Lists what will be changed, and asks. False: nothing is to be done. */
export async function confirmed(context: Context, { verb, total, items }: Meant, options: ManyOptions): Promise<boolean> {
  const lines = items.slice(0, LISTED_MAX).map(({ line }) => `  ${line}\n`);
  const more = items.length > LISTED_MAX ? `  and ${items.length - LISTED_MAX} more\n` : "";
  const isShown = options.dryRun === true || options.yes !== true;
  if (isShown && !context.json) context.terminal.print(`Would ${verb} ${total}:\n${lines.join("")}${more}`);
  if (options.dryRun === true) {
    if (context.json) context.printJson(items.map(({ plain }) => plain));
    return false;
  }
  if (options.yes === true) return true;
  const answer = context.json ? undefined : await context.terminal.ask(`${verb} them? [y/N] `);
  if (answer === undefined)
    throw new Failure("usage", `Cannot ${verb} ${total} without being told so`, "look at them with --dry-run, then say --yes");
  if (/^y(es)?$/i.test(answer.trim())) return true;
  context.terminal.complain("Nothing was changed\n");
  return false;
}

/** What was done is told also when the next one cannot be. */
export async function each<Item>(context: Context, items: readonly Item[], act: (item: Item) => Promise<Told>): Promise<number> {
  const done: Told["plain"][] = [];
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

export interface Told {
  readonly sentence: string;
  readonly plain: Readonly<Record<string, unknown>>;
}

/** The living tasks that are meant, at least one. */
export async function tasksSelected(context: Context, options: SelectionOptions): Promise<readonly TaskView[]> {
  const selector = selectorOf(options);
  const user = await whose(context, options);
  const tasks = await allTasks(context, { user, job: "", machine: "", states: [], selector });
  if (tasks.length > 0) return tasks;
  throw new Failure(
    "notFound",
    `There is no living task${user === "" ? "" : ` of ${user}`} with ${selector}`,
    "borg ls tasks --json shows the labels of each",
  );
}

/** For what is done with one task at a time: the one that a selector means. */
export async function theTask(context: Context, options: SelectionOptions): Promise<string> {
  const [first, ...others] = await tasksSelected(context, options);
  if (first !== undefined && others.length === 0) return first.name;
  throw new Failure(
    "usage",
    `There are ${others.length + 1} tasks with ${selectorOf(options)}, and one is needed`,
    `name one, as in ${first?.name ?? "web/0"}, or select fewer`,
  );
}

export interface LabelOptions {
  readonly label?: readonly string[];
  /** False: it is to have none. */
  readonly labels?: boolean;
}

/** What something is to be labelled with; undefined: as it is. */
export function labelsSaid({ label = [], labels = true }: LabelOptions): { labels: { key: string; value: string }[] } | undefined {
  if (label.length > 0 && !labels) throw new Failure("usage", "Cannot use both --label and --no-labels", "name the labels it shall have");
  if (label.length === 0) return labels ? undefined : { labels: [] };
  return {
    labels: label.map((text) => {
      const [key, value] = pairOf("--label", text);
      return { key, value };
    }),
  };
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
