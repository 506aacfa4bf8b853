/** `borg show`: one job, task or machine, with what happened to it lately. */

import { MEASURES, type Sized } from "../../base/dimension.ts";
import { exitWords } from "../../base/exit-words.ts";
import type { SetLine } from "../../bcl/spec-fields.ts";
import type { EventView, GetJobResponse, JobView, MachineDetail, TaskDetail, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { TaskSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { allTasks } from "../listing.ts";
import { meanings, type Named } from "../names.ts";
import { jobsSelected, nameOr, type SelectionOptions, selectorOf } from "../selection.ts";
import { sizeOf, sizeText, sizeWords, toldOf } from "../text/resources.ts";
import { safeBlock, safeLine } from "../text/safe.ts";
import { countWords, isUnready, jobWord, taskWord } from "../text/states.ts";
import { paint, statePaint } from "../text/style.ts";
import { fieldsText, tableText } from "../text/table.ts";
import { agoText, bytesText, clockText, plural } from "../text/units.ts";
import { addressOf, eventPlain, jobPlain, machinePlain, taskDetailPlain, taskPlain } from "../text/views.ts";
import { BAND_WORDS, HEALTH_WORDS, wordOf } from "../text/words.ts";
import { frameworkPlain, frameworkText } from "./frameworks.ts";
import { limitationsText } from "./limitations.ts";
import { nextTryWords, taskColumns } from "./ls-columns.ts";
import { firstKnown } from "./why.ts";

/** Health of the wire. */
const GOOD = 2;
/** Longer histories are for `borg events NAME`. */
const HISTORY_SHOWN_MAX = 20;
/** More jobs are for `borg ls jobs -l SELECTOR`. */
const JOBS_SHOWN_MAX = 50;
/** Longer jobs are for `borg ls tasks --job NAME`. */
const TASKS_SHOWN_MAX = 50;

export async function show(context: Context, name: string | undefined, options: SelectionOptions): Promise<number> {
  const text = nameOr(name, options);
  if (text === undefined) return showMany(context, options);
  await firstKnown(await meanings(context, text), (meaning) => showOne(context, meaning));
  return EXIT.done;
}

/** The whole of a service at a glance, and then each of its jobs. */
async function showMany(context: Context, options: SelectionOptions): Promise<number> {
  const jobs = await jobsSelected(context, options, true);
  if (jobs.length > JOBS_SHOWN_MAX)
    throw new Failure(
      "usage",
      `There are ${jobs.length} jobs with ${selectorOf(options)}`,
      `borg ls jobs -l ${selectorOf(options)} lists them`,
    );
  const found: Shown[] = [];
  for (const { name } of jobs) found.push(await jobShown(context, name));
  if (context.json) context.printJson(found.map(({ plain }) => plain()));
  else context.terminal.print(`${togetherText(jobs, selectorOf(options))}\n${found.map(({ text }) => text()).join("\n")}`);
  return EXIT.done;
}

function togetherText(jobs: readonly JobView[], selector: string): string {
  const [running, count] = [jobs.reduce((sum, job) => sum + job.running, 0), jobs.reduce((sum, job) => sum + job.count, 0)];
  return `${plural(jobs.length, "job")} with ${safeLine(selector)}: ${running} of ${plural(count, "task")} running\n`;
}

interface Shown {
  readonly plain: () => unknown;
  readonly text: () => string;
}

async function jobShown(context: Context, name: string): Promise<Shown> {
  const found = await context.ask((client) => client.getJob({ job: name }));
  const { setLines, specJson } = await import("../../bcl/spec-fields.ts");
  const spec = found.spec ?? found.allocSetSpec;
  const plain = (): unknown => ({
    ...(found.job === undefined ? {} : jobPlain(found.job)),
    spec: spec === undefined ? null : specJson(spec),
    ...(found.framework === undefined ? {} : { framework: frameworkPlain(found.framework) }),
    veiled: found.veiled,
    tasks: found.tasks.map(taskPlain),
  });
  return { plain, text: () => jobText(context, found, spec === undefined ? [] : setLines(spec)) };
}

async function showOne(context: Context, { kind, name }: Named): Promise<void> {
  if (kind === "job") {
    const { plain, text } = await jobShown(context, name);
    put(context, plain, text);
  } else if (kind === "task") {
    const found = await context.ask((client) => client.getTask({ task: name }));
    const { taskJson } = await import("../../bcl/spec-fields.ts");
    const inside = await tasksInside(context, found.task);
    const plain = taskDetailPlain(found, found.spec === undefined ? {} : taskJson(found.spec));
    put(
      context,
      () => (inside === undefined ? plain : { ...plain, inside: inside.map(taskPlain) }),
      () => taskText(context, found, inside ?? []),
    );
  } else {
    const found = await context.ask((client) => client.getMachine({ machine: name }));
    const plain = (): unknown => ({
      ...(found.machine === undefined ? {} : machinePlain(found.machine)),
      tasks: found.tasks.map(taskPlain),
      history: found.history.map(eventPlain),
    });
    put(context, plain, () => machineText(context, found));
  }
}

/** What runs in an alloc, whoever's it is; undefined: it is none. */
async function tasksInside(context: Context, task: TaskView | undefined): Promise<readonly TaskView[] | undefined> {
  if (task?.alloc !== true) return undefined;
  const { instance, machine } = task;
  if (instance === "") return [];
  return (await allTasks(context, { user: "", job: "", machine, states: [] })).filter(({ inAlloc }) => inAlloc === instance);
}

function put(context: Context, plain: () => unknown, text: () => string): void {
  if (context.json) context.printJson(plain());
  else context.terminal.print(text());
}

/** Of a dead job the cell keeps a digest of what only its machines read. */
const FORGOTTEN = "its arguments, environment and files, when it ended";

/** What a spec shows to somebody whose job it is not. */
const VEILED = "values of the environment, contents of files and arguments: the owner's alone";

function jobText(context: Context, found: GetJobResponse, set: readonly SetLine[]): string {
  const { job, tasks, framework } = found;
  if (job === undefined) return "";
  const { terminal } = context;
  const fields = framework === undefined ? jobFields(context, found, job) : frameworkText(framework, terminal.now());
  const shown = tasks.slice(0, TASKS_SHOWN_MAX);
  const table = shown.length === 0 ? "" : `\n${tableText(taskColumns(terminal.now(), job.allocSet ? "ALLOC" : "TASK"), shown, terminal)}`;
  const more =
    job.count > shown.length && shown.length > 0 ? `and ${job.count - shown.length} more: borg ls tasks --job ${job.name}\n` : "";
  return `${fields}${specText(set)}${table}${more}`;
}

function jobFields(context: Context, { spec, veiled, update, specDigest }: GetJobResponse, job: JobView): string {
  const { terminal } = context;
  const counts = countWords(job);
  return fieldsText([
    [job.allocSet ? "alloc set" : "job", safeLine(job.name)],
    [
      "state",
      `${stateText(context, jobWord(job))} for ${agoText(job.sinceMs, terminal.now())}${job.held ? `, waits for the end of ${safeLine(job.startAfter)}` : ""}`,
    ],
    ["update", update === "" ? "" : `${update}: borg update show ${safeLine(job.name)}`],
    ["tasks", `${spec?.perMachine === true ? "one on every machine, now " : ""}${job.count}${counts === "" ? "" : ` (${counts})`}`],
    ["priority", `${job.priority} (${wordOf(BAND_WORDS, job.band)})`],
    ["each task", resourcesWords(job.limit)],
    ["command", commandText(spec?.task?.command ?? [])],
    ["forgotten", specDigest.length === 0 ? "" : FORGOTTEN],
    ["not shown", veiled ? VEILED : ""],
    ["failures", job.failures === 0 ? "" : String(job.failures)],
    ["submitted", clockText(job.submittedMs)],
  ]);
}

/** Said above, in words. */
const SAID: ReadonlySet<string> = new Set(["command", "name", "user", "priority", "count", "per_machine", "cpu", "ram", "disk"]);

/** Everything else that was set, as it would stand in a file. */
function specText(set: readonly SetLine[]): string {
  const lines = set.filter(({ name }) => !SAID.has(name)).map(({ name, text }) => `${name} = ${text}`);
  if (lines.length === 0) return "";
  return `\nset (the rest is as borg bcl explain job says)\n${lines.map((line) => `  ${safeBlock(line).replaceAll("\n", "\n  ")}\n`).join("")}`;
}

/** Quoted only where a shell would need it, so that it can be copied. */
const commandText = (command: readonly string[]): string =>
  safeLine(command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" "));

const stateText = (context: Context, state: string): string => paint(safeLine(state), statePaint(state), context.terminal.colour);

function resourcesWords(found: Resources | undefined): string {
  if (found === undefined) return "";
  const extras = found.extras.map(({ name, amount }) => `${amount} ${safeLine(name)}`);
  return [...toldOf(found).map((dimension) => sizeWords(dimension, sizeOf(found, dimension))), ...extras].join(", ");
}

function taskText(context: Context, detail: TaskDetail, inside: readonly TaskView[]): string {
  const { task, spec } = detail;
  if (task === undefined) return "";
  const health = wordOf(HEALTH_WORDS, task.health);
  const fields = fieldsText([
    [task.alloc ? "alloc" : "task", safeLine(task.name)],
    ["state", taskStateText(context, task)],
    ["last exit", task.exited ? exitWords(task.exitCode, task.signal) : ""],
    ["message", indented(safeBlock(task.message))],
    ["waits for", safeLine(task.waiting)],
    ["machine", machineWords(task)],
    ["in alloc", safeLine(task.inAlloc)],
    ["labels", task.labels.map(({ key, value }) => safeLine(`${key}=${value}`)).join(" ")],
    ["ports", task.ports.map((port) => `${safeLine(port.name)} ${safeLine(addressOf(task.host, port.number))}`).join(", ")],
    ["devices", task.devices.map(({ name: extra, number, amount }) => `${safeLine(extra)} ${number} (${amount})`).join(", ")],
    ["instance", instanceWords(task)],
    ["failures", failureWords(task)],
    ["health", health === "unknown" ? "" : health],
    ["ready", readyWords(task, context.terminal.now())],
    ...toldOf(task.limit).map((dimension) => [MEASURES[dimension].noun, usageWords(task, dimension, spec)] as const),
    ["disk traffic", trafficWords(task)],
    ["cycles per instruction", task.cpi === undefined ? "" : task.cpi.toFixed(2)],
    ["priority", String(task.priority)],
    ["command", commandText(spec?.command ?? [])],
    ["not shown", detail.veiled ? VEILED : ""],
    ["scheduler", safeLine(detail.scheduler)],
    ["preempted by", safeLine(detail.preemptor)],
    ["pinned to", safeLine(detail.pinned)],
    ["avoids", detail.avoids.map(safeLine).join(", ")],
  ]);
  const table =
    inside.length === 0 ? "" : `\n${tableText(taskColumns(context.terminal.now()), inside.slice(0, TASKS_SHOWN_MAX), context.terminal)}`;
  return `${fields}${table}${historyText(task.name, detail.history)}`;
}

/** An alloc is no program that is begun again. */
function instanceWords({ instance, alloc, run, starts }: TaskView): string {
  if (instance === "" || alloc) return safeLine(instance);
  return `${safeLine(instance)}, run ${run} on this machine, placed ${plural(starts, "time")}`;
}

/** `running (started) for 3m12s`, `backing off, next try in 4s`, `failed for 5m`. */
function taskStateText(context: Context, task: TaskView): string {
  const nowMs = context.terminal.now();
  const word = taskWord(task);
  const state = stateText(context, word);
  if (word === "backing-off") return `${state}${nextTryWords(task, nowMs)}`;
  const cause = word === task.cause ? "" : ` (${safeLine(task.cause)})`;
  return `${state}${cause} for ${agoText(task.runMs || task.sinceMs, nowMs)}${word === "pending" ? nextTryWords(task, nowMs) : ""}`;
}

/** Nothing for a task that does not run, or that has no check to be ready by. */
function readyWords(task: TaskView, nowMs: number): string {
  if (isUnready(task)) return `no${task.problem === "" ? "" : `: ${safeLine(task.problem)}`}`;
  return task.ready && task.readiness === GOOD ? `yes, for ${agoText(task.readyMs, nowMs)}` : "";
}

function failureWords({ failures, runFailures }: TaskView): string {
  const here = runFailures === 0 ? "" : `${plural(runFailures, "run")} in a row on this machine`;
  const placed = failures === 0 ? "" : `${plural(failures, "placement")} since it last ran well`;
  return [here, placed].filter((part) => part !== "").join(", ");
}

/** Further lines of a value stand under its first. */
const indented = (text: string): string => text.trimEnd().replaceAll("\n", "\n    ");

const machineWords = (task: TaskView): string =>
  task.machine === ""
    ? ""
    : `${safeLine(task.machine)}${task.host === "" ? "" : ` (${safeLine(task.host)})`}${task.unreachable ? ", which does not answer" : ""}`;

/** `12m of 250m, more when idle (125m reserved)`; of what nobody measures only the limit. */
function usageWords(task: TaskView, dimension: Sized, spec: TaskSpec | undefined): string {
  const text = (of: Resources | undefined): string => sizeText(dimension, sizeOf(of, dimension));
  const used = task.usage === undefined || !MEASURES[dimension].lent ? "" : `${text(task.usage)} of `;
  const reserved = task.reservation === undefined ? "" : ` (${text(task.reservation)} reserved)`;
  return `${used}${text(task.limit)}${task.alloc ? "" : slackWords(dimension, spec)}${reserved}${dimension === "ram" && task.overRam ? ", over its limit" : ""}`;
}

/** Of the current run; empty: its machine cannot tell. */
export const trafficWords = ({ diskTraffic }: Pick<TaskView, "diskTraffic">): string =>
  diskTraffic === undefined ? "" : `${bytesText(diskTraffic.readBytes)} read, ${bytesText(diskTraffic.writtenBytes)} written`;

/** What a task may use beyond its limit: processor time that nobody else wants unless its spec says not to, and memory where it says so. */
export function slackWords(dimension: Sized, spec: TaskSpec | undefined): string {
  const held = spec?.holdCpu === true ? ", never more" : ", more when idle";
  if (dimension === "cpu") return spec?.wholeCores === true ? ", processors of its own" : held;
  return dimension === "ram" && spec?.slackRam === true ? ", more while nobody else needs it" : "";
}

function historyText(name: string, history: readonly EventView[]): string {
  if (history.length === 0) return "";
  const shown = history.slice(-HISTORY_SHOWN_MAX);
  const earlier = history.length - shown.length;
  return `\nhistory${earlier === 0 ? "" : ` (${earlier} earlier: borg events ${safeLine(name)})`}\n${shown.map((event) => `  ${eventLine(event)}\n`).join("")}`;
}

export const eventLine = ({ event, text }: EventView): string => `${clockText(event?.timeMs ?? 0)}  ${safeLine(text)}`;

function machineText(context: Context, { machine, tasks, history }: MachineDetail): string {
  if (machine === undefined) return "";
  const { terminal } = context;
  const of = (dimension: Sized): string => {
    const text = (resources: Resources | undefined): string => sizeText(dimension, sizeOf(resources, dimension));
    const parts = [`limits ${text(machine.limit)}`, `reserved ${text(machine.reservation)}`];
    if (machine.usage !== undefined && MEASURES[dimension].lent) parts.push(`used ${text(machine.usage)}`);
    return `${text(machine.capacity)} (${parts.join(", ")})`;
  };
  const fields = fieldsText([
    ["machine", safeLine(machine.name)],
    ["state", `${stateText(context, machine.state)} for ${agoText(machine.sinceMs, terminal.now())}`],
    ["host", safeLine(machine.host)],
    ["heard", machine.heardMs === 0 ? "not since this master began" : `${agoText(machine.heardMs, terminal.now())} ago`],
    ...toldOf(machine.capacity, machine.limit).map((dimension) => [MEASURES[dimension].noun, of(dimension)] as const),
    ["ports", machine.portLast === 0 ? "none" : `${machine.portFirst}-${machine.portLast}`],
    ["rack", safeLine(machine.rack)],
    ["power domain", safeLine(machine.powerDomain)],
    ["attributes", machine.attributes.map(({ key, value }) => safeLine(`${key}=${value}`)).join(" ")],
    ["volumes", machine.volumes.map(({ user, name }) => safeLine(`${user}/${name}`)).join(" ")],
  ]);
  const shown = tasks.slice(0, TASKS_SHOWN_MAX);
  const table = shown.length === 0 ? "" : `\n${tableText(taskColumns(terminal.now()), shown, terminal)}`;
  const more = tasks.length > shown.length ? `and ${tasks.length - shown.length} more: borg ls tasks --machine ${machine.name}\n` : "";
  return `${fields}${limitationsText([machine])}${table}${more}${historyText(machine.name, history)}`;
}
