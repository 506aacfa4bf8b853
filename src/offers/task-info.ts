/** What a framework wants to launch, as the cell's launch. What the cell cannot do is refused by its name, never left out in silence. */
import { ok, type Result, refused } from "../base/result.ts";
import type { Vector } from "../base/vector.ts";
import { checker } from "../wire/check.ts";
import { encode, type Init, make } from "../wire/codec.ts";
import { type Launch, LaunchSchema } from "../wire/gen/borg/v1/op_pb.ts";
import { ExecutorSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import {
  type CommandInfo,
  type ContainerInfo,
  ContainerInfo_Type,
  Environment_Variable_Type,
  type ExecutorInfo,
  ExecutorInfo_Type,
  ExecutorInfoSchema,
  type TaskInfo,
  TaskInfoSchema,
} from "../wire/gen/mesos/v1/mesos_pb.ts";
import { LIMIT_DEFAULTS } from "../wire/spec-defaults.ts";
import { healthOf } from "./health.ts";
import type { Part } from "./ledger.ts";
import type { Ranges } from "./ranges.ts";
import { partOf } from "./resources.ts";
import { lineOf } from "./words.ts";

export interface Wanted {
  readonly taskId: string;
  readonly part: Part;
  readonly launch: Launch;
  /** Which has to be launched before it. */
  readonly executor?: { readonly part: Part; readonly launch: Launch };
}

export interface LaunchContext {
  readonly frameworkId: string;
  readonly machine: string;
  /** Of launches that stand together; 0: alone. */
  readonly group: number;
  /** The machine is kept for tasks that take no longer. */
  readonly maxCompletionMs: number | undefined;
  /** What is left of the offers. */
  readonly left: Vector;
  /** What the executor of that name on the machine was launched with; undefined: there is none. */
  readonly executorThere: (id: string) => Uint8Array | undefined;
}

const KIB = 1024;
const NS_IN_MS = 1_000_000;

export function wantedOf(info: TaskInfo, context: LaunchContext): Result<Wanted> {
  const taskId = info.taskId?.value ?? "";
  const problem = cannot(info) ?? agentProblem(info, context) ?? durationProblem(info, context);
  if (problem !== undefined) return refused(problem);
  const part = partOf(info.resources);
  if (!part.ok) return part;
  const whole = withDisk(part.value, context.left);
  const inside = info.executor === undefined ? undefined : insideOf(info, info.executor, context);
  if (inside?.ok === false) return inside;
  const { healthCheck } = info;
  // What an executor has, it checks itself.
  const health = healthCheck === undefined || inside !== undefined ? undefined : healthOf(healthCheck, numbersOf(whole.ports), commandOf);
  if (health?.ok === false) return health;
  const made = launchOf(info, taskId, whole, context);
  const launch = health === undefined ? made : { ...made, task: { ...made.task!, health: health.value } };
  const fault = CHECK(launch) ?? (inside?.value === undefined ? undefined : CHECK(inside.value.launch));
  if (fault !== undefined) return refused(`Task "${taskId}"${fault}`);
  return ok({ taskId, part: whole, launch, ...(inside?.value === undefined ? {} : { executor: inside.value }) });
}

const EXECUTOR_ID_LENGTH = 128;
/** As much as a task's spec may carry to its executor. */
const INFO_BYTES = 65_536;

/** The executor that has to be launched before the task; undefined: it is there already. */
function insideOf(info: TaskInfo, executor: ExecutorInfo, context: LaunchContext): Result<{ part: Part; launch: Launch } | undefined> {
  const id = executor.executorId?.value ?? "";
  if (id === "" || id.length > EXECUTOR_ID_LENGTH) return refused(`An executor has an id of 1 to ${EXECUTOR_ID_LENGTH} letters`);
  const bytes = encode(ExecutorInfoSchema, executor);
  if (bytes.length > INFO_BYTES || encode(TaskInfoSchema, info).length > INFO_BYTES)
    return refused(
      `What is said of an executor or its task has at most ${INFO_BYTES} bytes: let its program fetch the rest, or send it by MESSAGE`,
    );
  const there = context.executorThere(id);
  if (there !== undefined)
    return isSame(there, bytes)
      ? ok(undefined)
      : refused(`Executor "${id}" on "${context.machine}" was launched with another ExecutorInfo: say the same, or take another id`);
  const part = partOf(executor.resources);
  if (!part.ok) return refused(`Executor "${id}": ${part.reason}`);
  const whole = withDisk(part.value, context.left);
  const taskId = executorName(id, context.machine);
  const graceNs = executor.shutdownGracePeriod?.nanoseconds;
  const { command, name = "" } = executor;
  const asked = {
    command,
    resources: [],
    name,
    ...(graceNs === undefined ? {} : { killPolicy: { gracePeriod: { nanoseconds: graceNs } } }),
  };
  const launch = launchOf(make(TaskInfoSchema, asked as Init<typeof TaskInfoSchema>), taskId, whole, context);
  const { frameworkId } = context;
  return ok({
    part: whole,
    launch: { ...launch, group: 0, task: { ...launch.task!, executor: make(ExecutorSchema, { id, info: bytes, framework: frameworkId }) } },
  });
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** How an executor is called among its framework's tasks: each machine may have one of the same id. */
export const executorName = (id: string, machine: string): string => `executor ${id} on ${machine}`;

const CHECK = checker(LaunchSchema);

function cannot({ executor, command, container, check, limits }: TaskInfo): string | undefined {
  if (executor !== undefined) return executorProblem(executor, command);
  if (command === undefined) return "A task needs a command, or an executor";
  return (
    commandProblem(command) ??
    containerProblem(container) ??
    (check === undefined ? undefined : "A check that is no health check is not there: launch the task with health_check, or without") ??
    (limits.length > 0 ? "Limits beside the resources are not there: what a task asks for is its limit" : undefined)
  );
}

function executorProblem({ command, container, type }: ExecutorInfo, own: CommandInfo | undefined): string | undefined {
  if (own !== undefined) return "A task has a command or an executor, not both: leave one out";
  if (type === ExecutorInfo_Type.DEFAULT) return "The default executor is for groups: launch the task with LAUNCH_GROUP, or with a command";
  if (command === undefined) return "An executor needs a command";
  return commandProblem(command) ?? containerProblem(container);
}

function commandProblem(command: CommandInfo): string | undefined {
  if (command.uris.length > 0) return "URIs are not fetched: let the command fetch what it needs, or launch what its machines have";
  if (command.environment?.variables.some(({ type }) => type === Environment_Variable_Type.SECRET) === true)
    return "Secrets are for jobs of the cell (borg secret set), not for tasks of frameworks: launch the task without, and let its program ask for it";
  return undefined;
}

const containerProblem = (container: ContainerInfo | undefined): string | undefined =>
  container === undefined ||
  (container.type === ContainerInfo_Type.MESOS && container.mesos?.image === undefined && container.volumes.length === 0)
    ? undefined
    : "Images and volumes are for jobs of the cell (borg run --image), not for tasks of frameworks: launch the task without a container";

const agentProblem = ({ agentId }: TaskInfo, { machine }: LaunchContext): string | undefined =>
  agentId?.value === machine ? undefined : `The offer is of agent "${machine}", the task is for "${agentId?.value ?? ""}": launch it there`;

function durationProblem(info: TaskInfo, { maxCompletionMs }: LaunchContext): string | undefined {
  if (maxCompletionMs === undefined) return undefined;
  if (info.executor !== undefined)
    return "The offered machine is kept for tasks that end by themselves, and an executor does not: launch it on another machine";
  const asked = durationOf(info);
  return asked > 0 && asked <= maxCompletionMs
    ? undefined
    : `The offered machine is kept for tasks that end within ${maxCompletionMs / 1000} s: set max_completion_time, at most that`;
}

const durationOf = ({ maxCompletionTime }: TaskInfo): number => Math.ceil(Number(maxCompletionTime?.nanoseconds ?? 0) / NS_IN_MS);

/** Mesos bounds no disk that is not asked for; here a task without any could not write a line. */
const withDisk = (part: Part, left: Vector): Part =>
  part.amount.disk > 0 ? part : { ...part, amount: { ...part.amount, disk: Math.min(left.disk, LIMIT_DEFAULTS.diskBytes / KIB) } };

function launchOf(info: TaskInfo, taskId: string, { amount, ports }: Part, { frameworkId, machine, group }: LaunchContext): Launch {
  const { cpu, ram, disk, extras } = amount;
  const numbers = numbersOf(ports);
  const graceNs = info.killPolicy?.gracePeriod?.nanoseconds;
  const own = { MESOS_TASK_ID: taskId, MESOS_FRAMEWORK_ID: frameworkId, MESOS_AGENT_ID: machine };
  const executorId = info.executor?.executorId?.value;
  const inside = executorId === undefined ? undefined : { id: executorId, info: encode(TaskInfoSchema, info), framework: frameworkId };
  return make(LaunchSchema, {
    inside: inside !== undefined,
    taskId,
    machine,
    group,
    title: lineOf(info.name ?? ""),
    ports: numbers,
    durationMs: durationOf(info),
    task: {
      command: inside === undefined ? commandOf(info.command) : [`executor ${inside.id}`],
      environment:
        inside === undefined ? [...variablesOf(info.command), ...Object.entries(own).map(([key, value]) => ({ key, value }))] : [],
      ...(inside === undefined ? {} : { executor: inside }),
      limit: {
        cpuMilli: cpu,
        ramBytes: ram * KIB,
        diskBytes: disk * KIB,
        extras: extras.map(({ name, amount: count }) => ({ name, amount: count })),
      },
      ports: numbers.map((_, i) => `port${i}`),
      ...(graceNs === undefined ? {} : { noticeMs: Math.ceil(Number(graceNs) / NS_IN_MS) }),
    },
  });
}

function numbersOf(ports: Ranges): number[] {
  return ports.flatMap(({ begin, end }) => Array.from({ length: end - begin + 1 }, (_, i) => begin + i));
}

/** As Mesos' command executor does it: a line for the shell, or a program whose arguments begin with its own name. */
function commandOf(command: CommandInfo | undefined): string[] {
  const { value = "", shell = true, arguments: list = [] } = command ?? {};
  if (shell) return ["/bin/sh", "-c", value];
  return list.length === 0 ? [value] : [value, ...list.slice(1)];
}

const variablesOf = (command: CommandInfo | undefined): { key: string; value: string }[] =>
  (command?.environment?.variables ?? []).map(({ name = "", value = "" }) => ({ key: name, value }));
