/** The columns of every listing: which come first, which may be left out or cut on a narrow terminal. */
import { MEASURES, type Sized } from "../../base/dimension.ts";
import { exitWords } from "../../base/exit-words.ts";
import type {
  JobView,
  MachineView,
  PackageView,
  QuotaView,
  SchedulerView,
  TaskView,
  TokenView,
  UserView,
} from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { CAPABILITY_WORDS, ROLE_WORDS } from "../../wire/grants.ts";
import { BOUND, sizeOf, sizeText } from "../text/resources.ts";
import { safeLine } from "../text/safe.ts";
import { isUnready, jobWord, taskWord } from "../text/states.ts";
import { statePaint } from "../text/style.ts";
import type { Column } from "../text/table.ts";
import { agoText, bytesText, clockText, durationText } from "../text/units.ts";
import { addressOf, labelsText } from "../text/views.ts";
import { BAND_WORDS, wordOf } from "../text/words.ts";

export function jobColumns(nowMs: number): readonly Column<JobView>[] {
  return [
    { title: "JOB", value: (job) => job.name, whole: true },
    { title: "STATE", value: jobState, paint: (job) => statePaint(jobWord(job)), shrinks: 20 },
    { title: "TASKS", value: (job) => `${job.running}/${job.count}`, side: "right" },
    { title: "PENDING", value: (job) => shownCount(job.pending), side: "right" },
    { title: "FAILURES", value: (job) => shownCount(job.failures), side: "right", drops: 5 },
    { title: "PRIORITY", value: (job) => String(job.priority), side: "right", drops: 3 },
    { title: "CPU", value: (job) => amount(job.limit, "cpu"), side: "right", drops: 1 },
    { title: "RAM", value: (job) => amount(job.limit, "ram"), side: "right", drops: 2 },
    { title: "SINCE", value: (job) => agoText(job.sinceMs, nowMs), side: "right", drops: 4 },
  ];
}

const shownCount = (count: number): string => (count === 0 ? "" : String(count));

function jobState(job: JobView): string {
  const notes = [
    job.allocSet ? "alloc set" : "",
    job.held ? `after ${job.startAfter}` : "",
    job.backingOff > 0 ? `${job.backingOff} backing off` : "",
    job.finished > 0 ? `${job.finished} finished` : "",
    job.failed > 0 ? `${job.failed} failed` : "",
  ].filter((note) => note !== "");
  return `${jobWord(job)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

/** Of tasks, or of allocs: they are in no list together. */
export function taskColumns(nowMs: number, title: "TASK" | "ALLOC" = "TASK"): readonly Column<TaskView>[] {
  return [
    { title, value: (task) => task.name, whole: true },
    { title: "STATE", value: taskWord, paint: (task) => statePaint(task.unreachable ? "unreachable" : taskWord(task)) },
    { title: "CAUSE", value: (task) => taskCause(task, nowMs), shrinks: 20, drops: 6 },
    { title: "MACHINE", value: (task) => task.machine, drops: 5 },
    { title: "PORTS", value: (task) => task.ports.map((port) => addressOf(task.host, port.number)).join(" "), whole: true },
    { title: "RUNS", value: (task) => (task.run > 1 || task.starts > 1 ? `${task.starts}:${task.run}` : ""), side: "right", drops: 3 },
    { title: "CPU", value: (task) => ratio(task.usage, task.limit, "cpu"), side: "right", drops: 1 },
    { title: "RAM", value: (task) => ratio(task.usage, task.limit, "ram"), side: "right", drops: 2 },
    { title: "SINCE", value: (task) => agoText(task.runMs || task.sinceMs, nowMs), side: "right", drops: 4 },
  ];
}

function taskCause(task: TaskView, nowMs: number): string {
  if (task.unreachable) return "machine does not answer";
  if (isUnready(task)) return `not ready${task.problem === "" ? "" : `: ${safeLine(task.problem)}`}`;
  if (task.state === "backing-off") return `${endWords(task)}${nextTryWords(task, nowMs)}`;
  const ended = task.exited && (task.exitCode !== 0 || task.signal !== 0) && task.state !== "running";
  const cause = taskWord(task) === task.cause ? "" : task.cause;
  if (!ended) return cause;
  const exit = endWords(task);
  return `${cause === "" ? exit : `${cause} (${exit})`}${task.state === "pending" ? nextTryWords(task, nowMs) : ""}`;
}

/** The exit of a start that failed, or of a run that was ended for what it used, says less than the borglet's words. */
function endWords({ message, exitCode, signal }: TaskView): string {
  const [, what, reason] = /(Cannot start|Killed): (.*)$/.exec(message) ?? [];
  return what === undefined ? exitWords(exitCode, signal) : `${what.toLowerCase()}: ${safeLine(reason ?? "")}`;
}

/** Nothing when the time has come: then it is being tried. */
export const nextTryWords = ({ notBeforeMs }: TaskView, nowMs: number): string =>
  notBeforeMs > nowMs ? `, next try in ${durationText(Math.ceil((notBeforeMs - nowMs) / 1000) * 1000)}` : "";

/** `used/limit`; what was not measured is not shown as nothing. */
function ratio(usage: Resources | undefined, limit: Resources | undefined, dimension: Sized): string {
  const most = amount(limit, dimension);
  return usage === undefined ? most : `${amount(usage, dimension)}/${most}`;
}

const amount = (resources: Resources | undefined, dimension: Sized): string => sizeText(dimension, sizeOf(resources, dimension));

export function machineColumns(nowMs: number): readonly Column<MachineView>[] {
  return [
    { title: "MACHINE", value: (machine) => machine.name, whole: true },
    { title: "STATE", value: (machine) => machine.state, paint: (machine) => statePaint(machine.state) },
    { title: "TASKS", value: (machine) => String(machine.tasks), side: "right" },
    { title: "CPU", value: (machine) => ratio(machine.limit, machine.capacity, "cpu"), side: "right" },
    { title: "RAM", value: (machine) => ratio(machine.limit, machine.capacity, "ram"), side: "right" },
    { title: "DISK", value: (machine) => ratio(machine.limit, machine.capacity, "disk"), side: "right", drops: 3 },
    { title: "EXTRAS", value: extrasText, drops: 5 },
    { title: "RACK", value: (machine) => machine.rack, drops: 4 },
    { title: "HOST", value: (machine) => machine.host, shrinks: true },
    {
      title: "HEARD",
      value: (machine) => (machine.heardMs === 0 ? "-" : `${agoText(machine.heardMs, nowMs)} ago`),
      side: "right",
      drops: 1,
    },
    { title: "SINCE", value: (machine) => agoText(machine.sinceMs, nowMs), side: "right", drops: 2 },
  ];
}

/** `gpu 1/2`: of each the limits of tasks there, and how many there are. */
const extrasText = ({ limit, capacity }: MachineView): string =>
  (capacity?.extras ?? [])
    .map(({ name, amount: most }) => `${name} ${limit?.extras.find((each) => each.name === name)?.amount ?? 0}/${most}`)
    .join(" ");

const limitOf = ({ charged, quota }: QuotaView, dimension: Sized): string =>
  `${amount(charged, dimension)}/${quota?.unlimited === true ? "any" : amount(quota?.limit, dimension)}`;

export const QUOTA_COLUMNS: readonly Column<QuotaView>[] = [
  { title: "USER", value: (row) => row.user, whole: true },
  { title: "BAND", value: (row) => wordOf(BAND_WORDS, row.band) },
  ...BOUND.map(
    (dimension): Column<QuotaView> => ({
      title: MEASURES[dimension].noun.toUpperCase(),
      value: (row) => limitOf(row, dimension),
      side: "right",
    }),
  ),
  { title: "PORTS", value: (row) => (row.quota?.ports === undefined ? "" : String(row.quota.ports)), side: "right" },
  { title: "UNTIL", value: (row) => ((row.quota?.untilMs ?? 0) === 0 ? "" : clockText(row.quota!.untilMs)) },
];

export const USER_COLUMNS: readonly Column<UserView>[] = [
  { title: "USER", value: (user) => user.name, whole: true },
  { title: "ROLES", value: (user) => user.roles.map((role) => wordOf(ROLE_WORDS, role)).join(" ") },
  { title: "CAPABILITIES", value: (user) => user.capabilities.map((one) => wordOf(CAPABILITY_WORDS, one)).join(" "), shrinks: true },
  { title: "JOBS", value: (user) => ofMost(user.jobs, user.bounds?.jobs || undefined), side: "right" },
  { title: "TASKS", value: (user) => ofMost(user.tasks, user.bounds?.tasks || undefined), side: "right" },
  {
    title: "SPECS",
    value: (user) => ofMost(bytesText(user.specBytes), user.bounds?.specBytes ? bytesText(user.bounds.specBytes) : undefined),
    side: "right",
  },
  { title: "LABELS", value: ({ labels }) => labelsText(labels), shrinks: 12, drops: 1 },
];

/** Admins are held by the bounds of the whole cell alone. */
const ofMost = (has: number | string, most: number | string | undefined): string => (most === undefined ? `${has}` : `${has}/${most}`);

export function tokenColumns(nowMs: number): readonly Column<TokenView>[] {
  return [
    { title: "USER", value: (token) => token.user, whole: true },
    { title: "ID", value: (token) => token.id, whole: true },
    { title: "LABEL", value: (token) => token.label, shrinks: true },
    { title: "AGE", value: (token) => agoText(token.createdMs, nowMs), side: "right" },
    { title: "EXPIRES", value: (token) => (token.untilMs === 0 ? "never" : clockText(token.untilMs)) },
  ];
}

export function packageColumns(nowMs: number): readonly Column<PackageView>[] {
  return [
    { title: "PACKAGE", value: ({ user, name, digest }) => `${user}/${name}@${digest.slice(0, 12)}`, whole: true },
    { title: "SIZE", value: ({ bytes }) => bytesText(bytes), side: "right" },
    { title: "JOBS", value: ({ jobs }) => String(jobs), side: "right" },
    { title: "MACHINES", value: ({ machines }) => String(machines), side: "right" },
    { title: "SHARED", value: ({ shared }) => (shared ? "yes" : "no") },
    { title: "AGE", value: ({ createdMs }) => agoText(createdMs, nowMs), side: "right" },
    { title: "LABELS", value: ({ labels }) => labelsText(labels), shrinks: 12, drops: 1 },
  ];
}

export const SCHEDULER_COLUMNS: readonly Column<SchedulerView>[] = [
  { title: "SCHEDULER", value: ({ name }) => name, whole: true },
  { title: "PRIORITIES", value: ({ limits }) => `${limits?.priorityMin ?? 0}-${limits?.priorityMax ?? 0}` },
  { title: "JOBS", value: ({ jobs }) => String(jobs), side: "right" },
  { title: "PLACED", value: ({ placed }) => String(placed), side: "right" },
  { title: "REFUSED", value: ({ refused, claims }) => (claims === 0 ? "-" : `${((100 * refused) / claims).toFixed(1)}%`), side: "right" },
  { title: "EVICTED", value: ({ victims }) => String(victims), side: "right" },
  {
    title: "WAIT",
    value: ({ firstClaims, firstWaitMs }) => (firstClaims === 0 ? "-" : `${Math.round(firstWaitMs / firstClaims)} ms`),
    side: "right",
  },
  { title: "BUSY", value: ({ busyMs, upMs }) => (upMs === 0 ? "-" : `${((100 * busyMs) / upMs).toFixed(1)}%`), side: "right" },
];
