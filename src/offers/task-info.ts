/** What a framework wants to launch, as the cell's launch. What the cell cannot do is refused by its name, never left out in silence. */
import { ok, type Result, refused } from "../base/result.ts";
import type { Vector } from "../base/vector.ts";
import { checker } from "../wire/check.ts";
import { make } from "../wire/codec.ts";
import { type Launch, LaunchSchema } from "../wire/gen/borg/v1/op_pb.ts";
import { type CommandInfo, ContainerInfo_Type, Environment_Variable_Type, type TaskInfo } from "../wire/gen/mesos/v1/mesos_pb.ts";
import { LIMIT_DEFAULTS } from "../wire/spec-defaults.ts";
import type { Part } from "./ledger.ts";
import type { Ranges } from "./ranges.ts";
import { partOf } from "./resources.ts";
import { lineOf } from "./words.ts";

export interface Wanted {
  readonly taskId: string;
  readonly part: Part;
  readonly launch: Launch;
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
  const launch = launchOf(info, taskId, whole, context);
  const fault = CHECK(launch);
  return fault === undefined ? ok({ taskId, part: whole, launch }) : refused(`Task "${taskId}"${fault}`);
}

const CHECK = checker(LaunchSchema);

function cannot({ executor, command, container, healthCheck, check, limits }: TaskInfo): string | undefined {
  if (executor !== undefined) return "Executors are not there yet: launch the task with a command";
  if (command === undefined) return "A task needs a command";
  if (command.uris.length > 0) return "URIs are not fetched: ship files in a package (borg package push)";
  if (command.environment?.variables.some(({ type }) => type === Environment_Variable_Type.SECRET) === true)
    return "Secrets in environment variables are not there: store it with borg secret set, and let the program read its file";
  if (
    container !== undefined &&
    !(container.type === ContainerInfo_Type.MESOS && container.mesos?.image === undefined && container.volumes.length === 0)
  )
    return "Containers with images or volumes are not there yet: launch the task without";
  if (healthCheck !== undefined || check !== undefined) return "Checks are not there yet: launch the task without";
  return limits.length > 0 ? "Limits beside the resources are not there: what a task asks for is its limit" : undefined;
}

const agentProblem = ({ agentId }: TaskInfo, { machine }: LaunchContext): string | undefined =>
  agentId?.value === machine ? undefined : `The offer is of agent "${machine}", the task is for "${agentId?.value ?? ""}": launch it there`;

function durationProblem(info: TaskInfo, { maxCompletionMs }: LaunchContext): string | undefined {
  if (maxCompletionMs === undefined) return undefined;
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
  return make(LaunchSchema, {
    taskId,
    machine,
    group,
    title: lineOf(info.name ?? ""),
    ports: numbers,
    durationMs: durationOf(info),
    task: {
      command: commandOf(info.command),
      environment: [...variablesOf(info.command), ...Object.entries(own).map(([key, value]) => ({ key, value }))],
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
