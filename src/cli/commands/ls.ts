/** `borg ls`: jobs, tasks, machines, allocs, quota, users, tokens, schedulers, packages and frameworks, as tables or as lists of objects. */
import type { TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import { SERVICE_LABEL } from "../../wire/selector.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { choiceOf } from "../input.ts";
import { allJobs, allMachines, allTasks } from "../listing.ts";
import { jobName, plainName } from "../names.ts";
import { selectorOf, userOf, usersMeant } from "../selection.ts";
import { SERVICE_COLUMNS, servicePlain, servicesOf } from "../services.ts";
import { ENDS, isEnd, jobWord } from "../text/states.ts";
import { type Column, tableText } from "../text/table.ts";
import { jobPlain, machinePlain, packagePlain, quotaPlain, schedulerPlain, taskPlain, tokenPlain, userPlain } from "../text/views.ts";
import { fits, whereOf } from "../where.ts";
import { limitationsText } from "./limitations.ts";
import {
  jobColumns,
  machineColumns,
  packageColumns,
  QUOTA_COLUMNS,
  SCHEDULER_COLUMNS,
  taskColumns,
  tokenColumns,
  USER_COLUMNS,
} from "./ls-columns.ts";

export const KINDS = [
  "jobs",
  "tasks",
  "machines",
  "allocs",
  "services",
  "quota",
  "users",
  "tokens",
  "schedulers",
  "packages",
  "frameworks",
] as const;
const TASK_STATES = ["pending", "starting", "running", "backing-off", "stopping", "ending", "dead"] as const;
const JOB_STATES = ["pending", "running", "dead"] as const;
const MACHINE_STATES = ["up", "draining", "drained", "unreachable"] as const;
/** What may stand behind --state, for completion and help. */
export const STATES: readonly string[] = [...new Set([...TASK_STATES, ...ENDS, ...MACHINE_STATES])];

export interface LsOptions {
  readonly user?: string;
  readonly all?: boolean;
  readonly dead?: boolean;
  readonly state?: readonly string[];
  readonly machine?: string;
  readonly job?: string;
  readonly where?: readonly string[];
  readonly selector?: string;
  readonly service?: string;
}

type Filter = keyof LsOptions;
/** The filters that mean something for a listing; the others are refused, not passed over. */
const FILTERS: Readonly<Record<(typeof KINDS)[number], readonly Filter[]>> = {
  jobs: ["user", "all", "dead", "state", "machine", "job", "selector", "service"],
  tasks: ["user", "all", "dead", "state", "machine", "job", "selector", "service"],
  allocs: ["user", "all", "dead", "state", "machine", "job", "selector", "service"],
  services: ["user", "all", "selector"],
  machines: ["user", "all", "state", "machine", "job", "where", "selector"],
  quota: ["user", "all", "selector"],
  users: ["user", "all", "selector"],
  tokens: ["user", "all", "selector"],
  schedulers: ["user", "all", "selector"],
  packages: ["user", "all", "selector"],
  frameworks: ["user", "all", "dead", "selector"],
};

function checkFilters(kind: (typeof KINDS)[number], options: LsOptions): void {
  const wrong = (["user", "all", "dead", "state", "machine", "job", "where", "selector", "service"] as const).find(
    (name) => options[name] !== undefined && !FILTERS[kind].includes(name),
  );
  if (wrong === undefined) return;
  const known = FILTERS[kind].map((name) => `--${name}`).join(", ");
  throw new Failure("usage", `Cannot use --${wrong} with ls ${kind}`, known === "" ? "it has no filters" : `it knows ${known}`);
}

/** What a name behind the kind stands for. */
const NAMED = { jobs: "job", tasks: "job", allocs: "job", machines: "machine", quota: "user", users: "user", tokens: "user" } as const;

/** `ls tasks web` is `ls tasks --job web`. */
function withName(kind: (typeof KINDS)[number], options: LsOptions, name: string | undefined): LsOptions {
  if (name === undefined) return options;
  const filter = kind in NAMED ? NAMED[kind as keyof typeof NAMED] : undefined;
  if (filter === undefined) throw new Failure("usage", `Cannot list ${kind} by the name "${name}"`, `borg ls ${kind} lists them all`);
  if (options[filter] !== undefined)
    throw new Failure("usage", `Expected one ${filter}: "${name}", or the one behind --${filter}`, undefined);
  return { ...options, [filter]: name };
}

export async function ls(context: Context, what: string, said: LsOptions, name?: string): Promise<number> {
  const kind = choiceOf("ls", what, KINDS);
  const options = withName(kind, said, name);
  checkFilters(kind, options);
  switch (kind) {
    case "jobs":
      return lsJobs(context, options);
    case "tasks":
      return lsTasks(context, options, false);
    case "allocs":
      return lsTasks(context, options, true);
    case "services":
      return lsServices(context, options);
    case "machines":
      return lsMachines(context, options);
    case "quota":
      return lsQuota(context, options);
    case "schedulers":
      return lsSchedulers(context, options);
    case "users":
      return lsUsers(context, options);
    case "tokens":
      return lsTokens(context, options);
    case "packages":
      return lsPackages(context, options);
    case "frameworks":
      return lsFrameworks(context, options);
  }
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
  const job = options.job === undefined ? undefined : await jobName(context, options.job);
  const user = job === undefined ? await userOf(context, options) : job.slice(0, job.indexOf("/"));
  const states = (options.state ?? []).map((state) => choiceOf("--state", state, [...JOB_STATES, ...ENDS]));
  const machine = options.machine === undefined ? undefined : plainName(options.machine, "a machine");
  const there = machine === undefined ? undefined : new Set((await tasksOn(context, { machine, user })).map(jobOf));
  const dead = options.dead === true || states.includes("dead") || states.some(isEnd);
  const rows = (await allJobs(context, { user, dead, selector: selectorOf(options) })).filter(
    (one) =>
      (job === undefined || one.name === job) &&
      (states.length === 0 || states.some((state) => state === one.state || state === jobWord(one))) &&
      (there === undefined || there.has(one.name)),
  );
  const whose = user === "" ? "" : ` of ${user}`;
  const none = `No jobs${whose}; --dead also shows ended ones${user === "" ? "" : ", --all everyone's"}`;
  return show(context, { rows, columns: jobColumns(context.terminal.now()), plain: jobPlain, none });
}

const jobOf = ({ name }: TaskView): string => name.slice(0, name.lastIndexOf("/"));

/** What runs somewhere, of a user or a job. */
const tasksOn = (context: Context, { machine = "", user = "", job = "" }): Promise<readonly TaskView[]> =>
  allTasks(context, { user, job, machine, states: [] });

async function lsTasks(context: Context, options: LsOptions, allocs: boolean): Promise<number> {
  const job = options.job === undefined ? "" : await jobName(context, options.job);
  const machine = options.machine === undefined ? "" : plainName(options.machine, "a machine");
  const narrowed = job !== "" || machine !== "";
  const user = narrowed && options.user === undefined ? "" : await userOf(context, options);
  const named = (options.state ?? []).map((state) => choiceOf("--state", state, [...TASK_STATES, ...ENDS]));
  const asked = named.map((state) => (isEnd(state) ? "dead" : state));
  const states = named.length === 0 && options.dead === true ? TASK_STATES : [...new Set(asked)];
  const isMeant = ({ state, cause }: TaskView): boolean =>
    state !== "dead" || named.length === 0 || named.includes("dead") || named.some((word) => word === cause);
  const rows = (await allTasks(context, { user, job, machine, states, selector: selectorOf(options) })).filter(
    (task) => task.alloc === allocs && isMeant(task),
  );
  const what = allocs ? "allocs" : "tasks";
  const none = `No ${what}${user === "" ? "" : ` of ${user}`}; --dead also shows ended ones${user === "" ? "" : ", --all everyone's"}`;
  return show(context, { rows, columns: taskColumns(context.terminal.now(), allocs ? "ALLOC" : "TASK"), plain: taskPlain, none });
}

/** Jobs with the label `service`, those of one user and one service together. */
async function lsServices(context: Context, options: LsOptions): Promise<number> {
  const user = await userOf(context, options);
  const selector = [SERVICE_LABEL, selectorOf(options)].filter((part) => part !== "").join(",");
  const rows = servicesOf(await allJobs(context, { user, dead: false, selector }));
  const none = `No services${user === "" ? "" : ` of ${user}; --all shows everyone's`}: jobs of one have the same label "${SERVICE_LABEL}"`;
  return show(context, { rows, columns: SERVICE_COLUMNS, plain: servicePlain, none });
}

async function lsMachines(context: Context, options: LsOptions): Promise<number> {
  const states = (options.state ?? []).map((state) => choiceOf("--state", state, MACHINE_STATES));
  const machine = options.machine === undefined ? undefined : plainName(options.machine, "a machine");
  const wheres = (options.where ?? []).map(whereOf);
  const there = await machinesOf(context, options);
  const selector = selectorOf(options);
  const rows = (await allMachines(context, selector)).filter(
    (one) =>
      (machine === undefined || one.name === machine) &&
      (states.length === 0 || states.includes(one.state as (typeof MACHINE_STATES)[number])) &&
      (there === undefined || there.has(one.name)) &&
      fits(one, wheres),
  );
  const isAll = selector === "" && states.length + wheres.length === 0 && there === undefined && machine === undefined;
  const code = show(context, {
    rows,
    columns: machineColumns(context.terminal.now()),
    plain: machinePlain,
    none: isAll ? "No machine has joined yet" : "No such machines",
  });
  if (!context.json) context.terminal.print(limitationsText(rows));
  return code;
}

/** Machines that hold tasks of a job or of a user; undefined when nobody asked. */
async function machinesOf(context: Context, { job, user }: LsOptions): Promise<ReadonlySet<string> | undefined> {
  if (job === undefined && user === undefined) return undefined;
  const filter = job === undefined ? { user: plainName(user!, "a user") } : { job: await jobName(context, job) };
  return new Set((await tasksOn(context, filter)).map(({ machine }) => machine));
}

export async function lsQuota(context: Context, options: LsOptions): Promise<number> {
  const meant = await usersMeant(context, options);
  const user = meant === undefined ? await userOf(context, options) : "";
  const { quotas: all } = await context.ask((client) => client.listQuota({ user }));
  const quotas = all.filter((each) => meant === undefined || meant.has(each.user));
  const none = `No quota${user === "" ? "" : ` of ${user}; --all shows everyone's`}; the free band needs none`;
  return show(context, { rows: quotas, columns: QUOTA_COLUMNS, plain: quotaPlain, none });
}

export async function lsUsers(context: Context, options: LsOptions = {}): Promise<number> {
  const { users } = await context.ask((client) => client.listUsers({ selector: selectorOf(options) }));
  const wanted = options.user === undefined ? undefined : plainName(options.user, "a user");
  const rows = users.filter(({ name }) => wanted === undefined || name === wanted);
  return show(context, { rows, columns: USER_COLUMNS, plain: userPlain, none: wanted === undefined ? "No users" : `No user ${wanted}` });
}

export async function lsTokens(context: Context, options: LsOptions): Promise<number> {
  const meant = await usersMeant(context, options);
  const user = meant === undefined ? await userOf(context, options) : "";
  const { tokens } = await context.ask((client) => client.listTokens({ user }));
  return show(context, {
    rows: tokens.filter((each) => meant === undefined || meant.has(each.user)),
    columns: tokenColumns(context.terminal.now()),
    plain: tokenPlain,
    none: "No tokens; --all shows everyone's",
  });
}

/** Counted since the master began. Those of the cell itself belong to no user. */
async function lsSchedulers(context: Context, options: LsOptions): Promise<number> {
  const named = options.user === undefined ? undefined : new Set([plainName(options.user, "a user")]);
  const meant = (await usersMeant(context, options)) ?? named;
  const { schedulers } = await context.ask((client) => client.listSchedulers({}));
  const rows = schedulers.filter(({ limits }) => meant === undefined || meant.has(limits?.user ?? ""));
  const none = meant === undefined ? "No schedulers" : "No schedulers of such users; borg ls schedulers shows all";
  return show(context, { rows, columns: SCHEDULER_COLUMNS, plain: schedulerPlain, none });
}

async function lsFrameworks(context: Context, options: LsOptions): Promise<number> {
  const meant = await usersMeant(context, options);
  const user = meant === undefined ? await userOf(context, options) : "";
  return (await import("./frameworks.ts")).lsFrameworks(context, { user, meant, dead: options.dead === true });
}

export async function lsPackages(context: Context, options: LsOptions): Promise<number> {
  const user = await userOf(context, options);
  const { packages } = await context.ask((client) => client.listPackages({ user, selector: selectorOf(options) }));
  return show(context, {
    rows: packages,
    columns: packageColumns(context.terminal.now()),
    plain: packagePlain,
    none:
      options.selector === undefined
        ? "No packages: borg package push NAME DIRECTORY; --all shows everyone's that are shared"
        : "No such packages; --all shows everyone's that are shared",
  });
}
