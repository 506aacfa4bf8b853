/** `borg update`: gives living jobs the spec of a file, task by task; says what it would do before it does it, and how far it has come. */
import { CallError } from "../../rpc/call-error.ts";
import type { CheckUpdateResponse, GetJobResponse, JobView, UpdateView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { allTasks } from "../listing.ts";
import { jobName } from "../names.ts";
import {
  agreed,
  each,
  jobsSelected,
  type ManyOptions,
  nameOr,
  onlyShown,
  type SelectionOptions,
  selectorOf,
  type Told,
} from "../selection.ts";
import { type Wanted, wantedIn } from "../sources.ts";
import { safeLine } from "../text/safe.ts";
import { iso, plural } from "../text/units.ts";
import { type FieldDifference, specDifferences } from "./spec-difference.ts";
import { timeoutOf } from "./submit.ts";
import { type Followed, follow } from "./update-follow.ts";

export interface UpdateOptions {
  readonly set?: readonly string[];
  readonly tasks?: string;
  readonly selector?: string;
  readonly paused?: boolean;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly commit?: boolean;
  readonly dryRun?: boolean;
}

/** A job or an alloc set. */
export type Changeable = Exclude<Wanted, { readonly kind: "quota" }>;

interface Ranged {
  readonly first: number;
  readonly last: number;
}

/** One job or alloc set of the file, what differs, and what would be done. */
export interface Planned {
  readonly one: Changeable;
  readonly differences: readonly FieldDifference[];
  readonly check: CheckUpdateResponse;
  /** Only these; none: all. */
  readonly tasks: readonly Ranged[];
}

/** Tasks whose change is listed one by one; the others are counted. */
const LISTED_MAX = 20;
const RANGES_MAX = 1000;

export async function update(context: Context, file: string, options: UpdateOptions): Promise<number> {
  const timeoutMs = timeoutOf(options);
  if (options.commit === true && options.wait !== true) throw new Failure("usage", "Cannot use --commit without --wait");
  if (options.paused === true && options.wait === true)
    throw new Failure("usage", "Cannot use --wait with --paused: nothing happens until it is resumed");
  if (options.tasks !== undefined && options.selector !== undefined)
    throw new Failure("usage", "Cannot use --tasks and a selector together: each says which tasks are meant");
  const tasks = rangesOf(options.tasks);
  const selector = selectorOf({ ...(options.selector === undefined ? {} : { selector: options.selector }) });
  const wanted = await wantedIn(context, file, options.set);
  if (wanted === undefined) return EXIT.usage;
  const jobs = wanted.filter((one) => one.kind !== "quota");
  if (jobs.length === 0) throw new Failure("usage", `File "${file}" declares no job and no alloc set`, "quota is not updated: borg apply");
  const plans: Planned[] = [];
  for (const one of jobs) {
    const meant = selector === "" ? tasks : await rangesSelected(context, one.name, selector);
    if (meant !== undefined) plans.push(await planFor(context, one, meant));
    else if (!context.json) context.terminal.print(`No ${PARTS[one.kind]} of ${one.kind} ${one.name} has ${selector}: it stays as it is\n`);
  }
  if (plans.length === 0)
    throw new Failure(
      "notFound",
      `No task or alloc of what is in "${file}" has ${selector}`,
      "borg ls tasks --json and borg ls allocs --json show their labels",
    );
  if (!context.json) for (const plan of plans) context.terminal.print(planText(plan));
  if (options.dryRun === true) return told(context, plans.map(planPlain));
  const done: Readonly<Record<string, unknown>>[] = [];
  for (const plan of plans) done.push(await carryOut(context, plan, options, timeoutMs));
  return told(context, done);
}

function told(context: Context, plain: readonly Readonly<Record<string, unknown>>[]): number {
  if (context.json) context.printJson(plain.length === 1 ? plain[0] : plain);
  return EXIT.done;
}

export async function planFor(context: Context, one: Changeable, tasks: readonly Ranged[]): Promise<Planned> {
  const found = await known(context, one.name);
  if (found?.job === undefined || found.job.state === "dead")
    throw new Failure("notFound", `There is no living ${one.kind} ${one.name}`, "submit it: borg submit FILE");
  const check = await context.ask((client) => client.checkUpdate({ ...specOf(one), tasks: [...tasks] }));
  if (check.refusal !== "")
    throw new Failure("refused", check.refusal, found.update === "" ? undefined : `look at it: borg update show ${one.name}`);
  const held = found.spec ?? found.allocSetSpec;
  const differences = held === undefined ? [] : specDifferences(held, one.spec, found.job.count);
  return { one, differences, check, tasks };
}

/** As the API takes it. */
const specOf = (one: Changeable): { readonly spec: JobSpec } | { readonly allocSet: AllocSetSpec } =>
  one.kind === "job" ? { spec: one.spec } : { allocSet: one.spec };

/** What one consists of. */
const PARTS = { job: "task", "alloc set": "alloc" } as const;

const capital = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}`;

/** Tasks that have such labels now, as the cell knows them; undefined: none has. */
async function rangesSelected(context: Context, job: string, selector: string): Promise<readonly Ranged[] | undefined> {
  const found = await allTasks(context, { user: "", job, machine: "", states: [], selector });
  const ranges: { first: number; last: number }[] = [];
  for (const { name } of found) {
    const index = Number(name.slice(name.lastIndexOf("/") + 1));
    const last = ranges.at(-1);
    if (last?.last === index - 1) last.last = index;
    else ranges.push({ first: index, last: index });
  }
  if (ranges.length > RANGES_MAX)
    throw new Failure("usage", `Tasks of job ${job} with ${selector} are ${ranges.length} ranges, and ${RANGES_MAX} is the most`);
  return ranges.length === 0 ? undefined : ranges;
}

async function known(context: Context, job: string): Promise<GetJobResponse | undefined> {
  try {
    return await context.ask((client) => client.getJob({ job }));
  } catch (error) {
    if (error instanceof CallError && error.code === "not-found") return undefined;
    throw error;
  }
}

/** `0-4,7`: some tasks. */
function rangesOf(text: string | undefined): readonly Ranged[] {
  if (text === undefined) return [];
  const ranges = text.split(",").map((part) => /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim()));
  if (ranges.length > RANGES_MAX || ranges.some((match) => match === null))
    throw new Failure("usage", `Cannot read --tasks "${text}": expected indexes, as in 0-4 or 0,2,5-7`);
  return ranges.map((match) => ({ first: Number(match![1]), last: Number(match![2] ?? match![1]) }));
}

/** What differs, and what is done with each task. */
export function planText({ one, differences, check }: Planned): string {
  const lines = differences.map(({ line }) => safeLine(line));
  if (check.already) return `${capital(one.kind)} ${one.name} is as the file says\n`;
  const listed = check.tasks.slice(0, LISTED_MAX).map(({ task, change: action }) => `  ${safeLine(task)}: ${actionWords(one, action)}`);
  const more = check.tasks.length > LISTED_MAX ? [`  and ${check.tasks.length - LISTED_MAX} more`] : [];
  return `${[...lines, `${one.kind} ${one.name}: ${countText(one, check)}`, ...listed, ...more].join("\n")}\n`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  "in-place": "in place",
  restart: "restart on its machine",
  move: "stop, and start where there is room",
  skip: "skipped, it would be one disruption too many",
  free: "does not run now, starts with the new spec",
};

/** An alloc takes along what is inside. */
const actionWords = ({ kind }: Changeable, action: string): string =>
  kind === "alloc set" && action === "move" ? "stop with its tasks, and start where there is room" : (ACTIONS[action] ?? action);

function countText({ kind }: Changeable, { inPlace, restarts, moves, skipped, free, added, removed }: CheckUpdateResponse): string {
  const parts = [
    inPlace > 0 ? `${inPlace} in place` : "",
    restarts > 0 ? `${plural(restarts, "restart")}` : "",
    moves > 0 ? `${plural(moves, "move")}` : "",
    skipped > 0 ? `${skipped} skipped` : "",
    free > 0 ? `${free} not running` : "",
    added > 0 ? `${added} added` : "",
    removed > 0 ? `${removed} removed` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? `no ${PARTS[kind]} changes` : parts.join(", ");
}

export function planPlain({ one, check }: Planned): Readonly<Record<string, unknown>> {
  const { inPlace, restarts, moves, skipped, free, added, removed } = check;
  const counts = { inPlace, restarts, moves, skipped, notRunning: free, added, dropped: removed };
  return { job: one.name, change: check.already ? "none" : "update", position: null, ...counts };
}

export async function carryOut(
  context: Context,
  plan: Planned,
  options: Pick<UpdateOptions, "paused" | "wait" | "commit">,
  timeoutMs: number | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { name, kind } = plan.one;
  const plain = planPlain(plan);
  if (plan.check.already) return plain;
  const paused = options.paused ?? false;
  const { position } = await change(context, `update ${kind} ${name}`, (client, requestId) =>
    client.startUpdate({ requestId, ...specOf(plan.one), tasks: [...plan.tasks], paused }),
  );
  if (!context.json)
    context.terminal.print(`${paused ? `Staged the update of ${kind} ${name}: borg update resume ${name}` : `Updating ${kind} ${name}`}\n`);
  const begun = { ...plain, position };
  if (options.wait !== true) return begun;
  const followed = await follow(context, name, timeoutMs);
  const ended = endOf(`${kind} ${name}`, name, followed);
  if (ended !== undefined) throw ended;
  if (options.commit !== true || followed.end !== "rolled") {
    if (followed.end === "rolled" && !context.json) context.terminal.print(rolledText(plan));
    return { ...begun, phase: followed.end };
  }
  await change(context, `commit the update of ${name}`, (client, requestId) => client.commitUpdate({ requestId, job: name }));
  if (!context.json) context.terminal.print(`Committed the update of ${kind} ${name}\n`);
  return { ...begun, phase: "committed" };
}

/** It can be undone until it is committed, and that only when no task was left out. */
const rolledText = ({ one: { name }, tasks }: Planned): string =>
  tasks.length === 0
    ? `Rolled out: borg update commit ${name} ends it, borg update undo ${name} takes it back\n`
    : `These are rolled out: borg update with all tasks takes the others too, borg update undo ${name} takes it back\n`;

function endOf(what: string, name: string, { end, reason }: Followed): Failure | undefined {
  if (end === "undone")
    return new Failure(
      "refused",
      `The update of ${what} was undone${reason === "" ? "" : `: ${safeLine(reason)}`}`,
      `what happened: borg events ${name}`,
    );
  if (end === "late")
    return new Failure("waited", `The update of ${what} goes on, and the time is over`, `look at it: borg update show ${name}`);
  return undefined;
}

const kindOf = ({ allocSet }: UpdateView): Changeable["kind"] => (allocSet ? "alloc set" : "job");

export interface ShowOptions extends SelectionOptions {
  readonly follow?: boolean;
}

export async function show(context: Context, name: string | undefined, options: ShowOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return showMany(context, options);
  const job = await jobName(context, text);
  if (options.follow === true) {
    const followed = await follow(context, job, undefined);
    const ended = endOf(`${followed.kind} ${job}`, job, followed);
    if (ended !== undefined && followed.reason !== "") throw ended;
    if (ended !== undefined && !context.json) context.terminal.print(`${ended.message}\n`);
    if (ended !== undefined) return EXIT.done;
  }
  const view = await context.ask((client) => client.getUpdate({ job }));
  if (context.json) context.printJson(viewPlain(view));
  else context.terminal.print(shownText(view, job));
  return EXIT.done;
}

const shownText = (view: UpdateView, job: string): string =>
  view.phase === "" ? `${capital(kindOf(view))} ${job} is not being updated\n` : viewText(view);

async function showMany(context: Context, options: ShowOptions): Promise<number> {
  if (options.follow === true) throw new Failure("usage", "Cannot follow several updates at once", "name one job");
  const views = await updatesOf(context, await jobsSelected(context, options, false));
  if (context.json) context.printJson(views.map(viewPlain));
  else context.terminal.print(views.map((view) => shownText(view, view.job)).join(""));
  return EXIT.done;
}

async function updatesOf(context: Context, jobs: readonly JobView[]): Promise<readonly UpdateView[]> {
  const views: UpdateView[] = [];
  for (const { name: job } of jobs) views.push({ ...(await context.ask((client) => client.getUpdate({ job }))), job });
  return views;
}

function viewPlain(view: UpdateView): Readonly<Record<string, unknown>> {
  const { job, phase, sinceMs, startedMs, reason, passed, waiting, failed, skipped, left, disruptions, preempted, tasks } = view;
  const actions = tasks.map(({ task, change: action, verdict, state }) => ({
    task,
    action: action || null,
    verdict: verdict || null,
    state,
  }));
  const when = { since: iso(sinceMs), started: iso(startedMs), undoneFor: reason || null };
  return { job, phase: phase || null, ...when, well: passed, watched: waiting, failed, skipped, left, disruptions, preempted, actions };
}

function viewText(view: UpdateView): string {
  const { job, phase, reason, passed, waiting, failed, skipped, left, disruptions, preempted, tasks } = view;
  const why = reason === "" ? "" : ` (${safeLine(reason)})`;
  const disturbed =
    disruptions + preempted === 0
      ? ""
      : `; ${plural(disruptions + preempted, "disruption")} (${disruptions} moved, ${preempted} of others or its own preempted)`;
  const head = `Update of ${kindOf(view)} ${job} is ${phase}${why}: ${passed} well, ${waiting} watched, ${failed} failed, ${skipped} skipped, ${left} to come${disturbed}`;
  const lines = tasks.slice(0, LISTED_MAX).map(({ task, change: action, verdict, state }) => {
    const words = [action === "" ? "not yet" : action, state, ...(verdict === "" ? [] : [verdict])];
    return `  ${safeLine(task)}: ${words.join(", ")}`;
  });
  const more = tasks.length > LISTED_MAX ? [`  and ${tasks.length - LISTED_MAX} more (--json lists them)`] : [];
  return `${[head, ...lines, ...more].join("\n")}\n`;
}

type Turned = "pause" | "resume" | "undo" | "commit";

const SAID: Readonly<Record<Turned, readonly [done: string, already: string]>> = {
  pause: ["Paused the update of", "was paused already"],
  resume: ["The update goes on:", "went on already"],
  undo: ["Undoing the update of", "was being undone already"],
  commit: ["Committed the update of", "was committed already"],
};

export async function steer(context: Context, kind: Turned, name: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return steerMany(context, kind, options);
  const job = await jobName(context, text);
  if (options.dryRun === true) return onlyShown(context, `${kind} the update of`, job, options);
  const { sentence, plain } = await steerOne(context, kind, job);
  context.tell(sentence, plain);
  return EXIT.done;
}

/** Of the jobs that are meant those that are being updated. */
async function steerMany(context: Context, kind: Turned, options: ManyOptions): Promise<number> {
  const jobs = await jobsSelected(context, options, false);
  const updated = new Set((await updatesOf(context, jobs)).filter(({ phase }) => phase !== "").map(({ job }) => job));
  const meant = jobs.filter((job) => updated.has(job.name));
  if (meant.length === 0)
    throw new Failure("notFound", `No job with ${selectorOf(options)} is being updated`, "borg update FILE begins an update");
  if (!(await agreed(context, `${kind} the update of`, meant, options))) return EXIT.done;
  return each(context, meant, (job) => steerOne(context, kind, job.name));
}

async function steerOne(context: Context, kind: Turned, job: string): Promise<Told> {
  const { position, already, allocSet } = await change(context, `${kind} the update of ${job}`, (client, requestId) => {
    if (kind === "undo") return client.undoUpdate({ requestId, job });
    if (kind === "commit") return client.commitUpdate({ requestId, job });
    return client.pauseUpdate({ requestId, job, paused: kind === "pause" });
  });
  const [done, before] = SAID[kind];
  const what = `${allocSet ? "alloc set" : "job"} ${job}`;
  return { sentence: already ? `The update of ${what} ${before}` : `${done} ${what}`, plain: { job, position, already } };
}
