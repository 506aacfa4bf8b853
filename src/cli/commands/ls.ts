/** `borg ls`: jobs, tasks, machines, allocs, quota, users, tokens and schedulers, as tables or as lists of objects. */
import type { JobView, MachineView, QuotaView, SchedulerView, TaskView, TokenView, UserView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { choiceOf } from "../input.ts";
import { allJobs, allMachines, allTasks } from "../listing.ts";
import { jobName, plainName } from "../names.ts";
import { statePaint } from "../text/style.ts";
import { type Column, tableText } from "../text/table.ts";
import { agoText, bytesText, clockText, cpuText } from "../text/units.ts";
import { addressOf, jobPlain, machinePlain, quotaPlain, schedulerPlain, taskPlain, tokenPlain, userPlain } from "../text/views.ts";
import { BAND_WORDS, CAPABILITY_WORDS, exitWords, ROLE_WORDS, wordOf } from "../text/words.ts";
import { limitationsText } from "./limitations.ts";

export const KINDS = ["jobs", "tasks", "machines", "allocs", "quota", "users", "tokens", "schedulers"] as const;
const STATES = ["pending", "starting", "running", "stopping", "ending", "dead"] as const;

export interface LsOptions {
  readonly user?: string;
  readonly all?: boolean;
  readonly dead?: boolean;
  readonly state?: readonly string[];
  readonly machine?: string;
  readonly job?: string;
}

export async function ls(context: Context, what: string, options: LsOptions): Promise<number> {
  switch (choiceOf("ls", what, KINDS)) {
    case "jobs":
      return lsJobs(context, options);
    case "tasks":
      return lsTasks(context, options, false);
    case "allocs":
      return lsTasks(context, options, true);
    case "machines":
      return lsMachines(context);
    case "quota":
      return lsQuota(context, options);
    case "schedulers":
      return lsSchedulers(context);
    case "users":
      return lsUsers(context);
    case "tokens":
      return lsTokens(context, options);
  }
}

/** Empty stands for everyone's. */
async function userOf(context: Context, { user, all }: LsOptions): Promise<string> {
  if (all === true) return "";
  return user === undefined ? context.user() : plainName(user, "a user");
}

interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly plain: (row: Row) => unknown;
  /** What is said, beside the output, when there is nothing to list. */
  readonly none: string;
}

function show<Row>(context: Context, { rows, columns, plain, none }: Listed<Row>): number {
  const { terminal } = context;
  if (context.json) context.printJson(rows.map(plain));
  else if (rows.length === 0) terminal.complain(`${none}\n`);
  else terminal.print(tableText(columns, rows, terminal));
  return EXIT.done;
}

async function lsJobs(context: Context, options: LsOptions): Promise<number> {
  const user = await userOf(context, options);
  const rows = await allJobs(context, { user, dead: options.dead ?? false });
  const whose = user === "" ? "" : ` of ${user}`;
  const none = `No jobs${whose}; --dead also shows ended ones${user === "" ? "" : ", --all everyone's"}`;
  return show(context, { rows, columns: jobColumns(context.terminal.now()), plain: jobPlain, none });
}

function jobColumns(nowMs: number): readonly Column<JobView>[] {
  return [
    { title: "JOB", value: (job) => job.name, shrinks: true },
    { title: "STATE", value: jobState, paint: (job) => statePaint(job.state) },
    { title: "TASKS", value: (job) => `${job.running}/${job.count}`, side: "right" },
    { title: "PENDING", value: (job) => shownCount(job.pending), side: "right" },
    { title: "FAILURES", value: (job) => shownCount(job.failures), side: "right" },
    { title: "PRIORITY", value: (job) => String(job.priority), side: "right" },
    { title: "CPU", value: (job) => cpuText(job.limit?.cpuMilli ?? 0), side: "right" },
    { title: "RAM", value: (job) => bytesText(job.limit?.ramBytes ?? 0), side: "right" },
    { title: "SINCE", value: (job) => agoText(job.sinceMs, nowMs), side: "right" },
  ];
}

const shownCount = (count: number): string => (count === 0 ? "" : String(count));

const jobState = (job: JobView): string =>
  `${job.state}${job.allocSet ? " (alloc set)" : ""}${job.held ? ` (after ${job.startAfter})` : ""}`;

async function lsTasks(context: Context, options: LsOptions, allocs: boolean): Promise<number> {
  const job = options.job === undefined ? "" : await jobName(context, options.job);
  const machine = options.machine === undefined ? "" : plainName(options.machine, "a machine");
  const narrowed = job !== "" || machine !== "";
  const user = narrowed && options.user === undefined ? "" : await userOf(context, options);
  const named = (options.state ?? []).map((state) => choiceOf("--state", state, STATES));
  const states = named.length === 0 && options.dead === true ? STATES : named;
  const rows = (await allTasks(context, { user, job, machine, states })).filter((task) => task.alloc === allocs);
  const what = allocs ? "allocs" : "tasks";
  const none = `No ${what}${user === "" ? "" : ` of ${user}`}; --dead also shows ended ones${user === "" ? "" : ", --all everyone's"}`;
  return show(context, { rows, columns: taskColumns(context.terminal.now()), plain: taskPlain, none });
}

export function taskColumns(nowMs: number): readonly Column<TaskView>[] {
  return [
    { title: "TASK", value: (task) => task.name, shrinks: true },
    { title: "STATE", value: (task) => task.state, paint: (task) => statePaint(task.unreachable ? "unreachable" : task.state) },
    { title: "CAUSE", value: taskCause, shrinks: true },
    { title: "MACHINE", value: (task) => task.machine },
    { title: "PORTS", value: (task) => task.ports.map((port) => addressOf(task.host, port.number)).join(" "), shrinks: true },
    { title: "RUNS", value: (task) => (task.run > 1 || task.starts > 1 ? `${task.starts}:${task.run}` : ""), side: "right" },
    { title: "CPU", value: (task) => ratio(task.usage, task.limit, "cpuMilli", cpuText), side: "right" },
    { title: "RAM", value: (task) => ratio(task.usage, task.limit, "ramBytes", bytesText), side: "right" },
    { title: "SINCE", value: (task) => agoText(task.sinceMs, nowMs), side: "right" },
  ];
}

function taskCause(task: TaskView): string {
  if (task.unreachable) return "machine does not answer";
  const ended = task.exited && (task.exitCode !== 0 || task.signal !== 0) && task.state !== "running";
  return ended ? `${task.cause} (${exitWords(task.exitCode, task.signal)})` : task.cause;
}

type Amount = "cpuMilli" | "ramBytes" | "diskBytes";

/** `used/limit`; what was not measured is not shown as nothing. */
function ratio(usage: Resources | undefined, limit: Resources | undefined, which: Amount, text: (amount: number) => string): string {
  const most = text(limit?.[which] ?? 0);
  return usage === undefined ? most : `${text(usage[which])}/${most}`;
}

async function lsMachines(context: Context): Promise<number> {
  const rows = await allMachines(context);
  const code = show(context, {
    rows,
    columns: machineColumns(context.terminal.now()),
    plain: machinePlain,
    none: "No machine has joined yet",
  });
  if (!context.json) context.terminal.print(limitationsText(rows));
  return code;
}

function machineColumns(nowMs: number): readonly Column<MachineView>[] {
  return [
    { title: "MACHINE", value: (machine) => machine.name, shrinks: true },
    { title: "STATE", value: (machine) => machine.state, paint: (machine) => statePaint(machine.state) },
    { title: "TASKS", value: (machine) => String(machine.tasks), side: "right" },
    { title: "CPU", value: (machine) => ratio(machine.limit, machine.capacity, "cpuMilli", cpuText), side: "right" },
    { title: "RAM", value: (machine) => ratio(machine.limit, machine.capacity, "ramBytes", bytesText), side: "right" },
    { title: "DISK", value: (machine) => ratio(machine.limit, machine.capacity, "diskBytes", bytesText), side: "right" },
    { title: "RACK", value: (machine) => machine.rack },
    { title: "HOST", value: (machine) => machine.host, shrinks: true },
    { title: "HEARD", value: (machine) => (machine.heardMs === 0 ? "-" : `${agoText(machine.heardMs, nowMs)} ago`), side: "right" },
    { title: "SINCE", value: (machine) => agoText(machine.sinceMs, nowMs), side: "right" },
  ];
}

export async function lsQuota(context: Context, options: LsOptions): Promise<number> {
  const user = await userOf(context, options);
  const { quotas } = await context.ask((client) => client.listQuota({ user }));
  const none = `No quota${user === "" ? "" : ` of ${user}; --all shows everyone's`}; the free band needs none`;
  return show(context, { rows: quotas, columns: QUOTA_COLUMNS, plain: quotaPlain, none });
}

const limitOf = (row: QuotaView, which: Amount, text: (amount: number) => string): string =>
  `${text(row.charged?.[which] ?? 0)}/${row.quota?.unlimited === true ? "any" : text(row.quota?.limit?.[which] ?? 0)}`;

const QUOTA_COLUMNS: readonly Column<QuotaView>[] = [
  { title: "USER", value: (row) => row.user, shrinks: true },
  { title: "BAND", value: (row) => wordOf(BAND_WORDS, row.band) },
  { title: "CPU", value: (row) => limitOf(row, "cpuMilli", cpuText), side: "right" },
  { title: "RAM", value: (row) => limitOf(row, "ramBytes", bytesText), side: "right" },
  { title: "DISK", value: (row) => limitOf(row, "diskBytes", bytesText), side: "right" },
  { title: "PORTS", value: (row) => (row.quota?.ports === undefined ? "" : String(row.quota.ports)), side: "right" },
  { title: "UNTIL", value: (row) => ((row.quota?.untilMs ?? 0) === 0 ? "" : clockText(row.quota!.untilMs)) },
];

export async function lsUsers(context: Context): Promise<number> {
  const { users } = await context.ask((client) => client.listUsers({}));
  return show(context, { rows: users, columns: USER_COLUMNS, plain: userPlain, none: "No users" });
}

const USER_COLUMNS: readonly Column<UserView>[] = [
  { title: "USER", value: (user) => user.name, shrinks: true },
  { title: "ROLES", value: (user) => user.roles.map((role) => wordOf(ROLE_WORDS, role)).join(" ") },
  { title: "CAPABILITIES", value: (user) => user.capabilities.map((one) => wordOf(CAPABILITY_WORDS, one)).join(" "), shrinks: true },
  { title: "JOBS", value: (user) => String(user.jobs), side: "right" },
];

export async function lsTokens(context: Context, options: LsOptions): Promise<number> {
  const user = await userOf(context, options);
  const { tokens } = await context.ask((client) => client.listTokens({ user }));
  return show(context, {
    rows: tokens,
    columns: tokenColumns(context.terminal.now()),
    plain: tokenPlain,
    none: "No tokens; --all shows everyone's",
  });
}

function tokenColumns(nowMs: number): readonly Column<TokenView>[] {
  return [
    { title: "USER", value: (token) => token.user, shrinks: true },
    { title: "ID", value: (token) => token.id },
    { title: "LABEL", value: (token) => token.label, shrinks: true },
    { title: "AGE", value: (token) => agoText(token.createdMs, nowMs), side: "right" },
    { title: "EXPIRES", value: (token) => (token.untilMs === 0 ? "never" : clockText(token.untilMs)) },
  ];
}

const SCHEDULER_COLUMNS: readonly Column<SchedulerView>[] = [
  { title: "SCHEDULER", value: ({ name }) => name },
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

/** Counted since the master began. */
async function lsSchedulers(context: Context): Promise<number> {
  const { schedulers } = await context.ask((client) => client.listSchedulers({}));
  return show(context, { rows: schedulers, columns: SCHEDULER_COLUMNS, plain: schedulerPlain, none: "No schedulers" });
}
