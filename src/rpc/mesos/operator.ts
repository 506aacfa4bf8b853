/**
 * What clients of Mesos ask to look around (GET_AGENTS, GET_FRAMEWORKS, GET_TASKS...), answered from the cell's own calls: whoever may not see something there
 * does not see it here either. Tasks are those of frameworks; everybody's other tasks are seen with the cell's own calls.
 */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { make } from "../../wire/codec.ts";
import type { FrameworkView, LaunchedView, MachineView } from "../../wire/gen/borg/v1/api_pb.ts";
import { MesosState } from "../../wire/gen/borg/v1/record_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { Call_Type as Asked, type Response, ResponseSchema, Response_Type as Told } from "../../wire/gen/mesos/v1/master/master_pb.ts";
import {
  ExecutorInfo_Type,
  type ResourceSchema,
  type TaskSchema,
  TaskState,
  type TaskStatusSchema,
  Value_Type,
} from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { CallError } from "../call-error.ts";
import type { Call, CellHandlers } from "../service.ts";

type Init = Exclude<MessageInitShape<typeof ResponseSchema>, Response>;
type ResourceInit = MessageInitShape<typeof ResourceSchema>;
type TaskInit = MessageInitShape<typeof TaskSchema>;
type StatusInit = MessageInitShape<typeof TaskStatusSchema>;

/** Of this Mesos the API is. */
const VERSION = "1.11.0";
const MACHINES_MAX = 10_000;
const TASKS_MAX = 10_000;
/** Of each framework, as Mesos has it; of others nothing more is looked for. */
const COMPLETED_MAX = 1_000;
const MB = 2 ** 20;
const NS_IN_MS = 1_000_000n;

const STATES: ReadonlyMap<MesosState, TaskState> = new Map([
  [MesosState.STAGING, TaskState.TASK_STAGING],
  [MesosState.STARTING, TaskState.TASK_STARTING],
  [MesosState.RUNNING, TaskState.TASK_RUNNING],
  [MesosState.KILLING, TaskState.TASK_KILLING],
  [MesosState.FINISHED, TaskState.TASK_FINISHED],
  [MesosState.FAILED, TaskState.TASK_FAILED],
  [MesosState.KILLED, TaskState.TASK_KILLED],
  [MesosState.LOST, TaskState.TASK_LOST],
  [MesosState.ERROR, TaskState.TASK_ERROR],
  [MesosState.UNREACHABLE, TaskState.TASK_UNREACHABLE],
  [MesosState.GONE, TaskState.TASK_GONE],
  [MesosState.DROPPED, TaskState.TASK_DROPPED],
]);

export class Operator {
  readonly #handlers: CellHandlers;

  constructor(handlers: CellHandlers) {
    this.#handlers = handlers;
  }

  async answer(type: Asked | undefined, call: Call): Promise<Response> {
    switch (type) {
      case Asked.GET_HEALTH:
        await this.#handlers.getCell({ $typeName: "borg.v1.GetCellRequest", hash: false }, call);
        return told({ type: Told.GET_HEALTH, getHealth: { healthy: true } });
      case Asked.GET_VERSION:
        return told({ type: Told.GET_VERSION, getVersion: { versionInfo: { version: VERSION } } });
      case Asked.GET_AGENTS:
        return told({ type: Told.GET_AGENTS, getAgents: await this.#agents(call) });
      case Asked.GET_FRAMEWORKS:
        return told({ type: Told.GET_FRAMEWORKS, getFrameworks: frameworksOf(await this.#frameworks(call)) });
      case Asked.GET_TASKS:
        return told({ type: Told.GET_TASKS, getTasks: tasksOf(await this.#launched(await this.#frameworks(call), call)) });
      case Asked.GET_EXECUTORS:
        return told({ type: Told.GET_EXECUTORS, getExecutors: executorsOf(await this.#launched(await this.#frameworks(call), call)) });
      case Asked.GET_STATE:
        return told({ type: Told.GET_STATE, getState: await this.#state(call) });
      default:
        throw new CallError("bad-request", `Expected one of ${LOOKS.join(", ")}: changes are made with the cell's own calls (borg --help)`);
    }
  }

  async #agents(call: Call): Promise<NonNullable<Init["getAgents"]>> {
    const request = { $typeName: "borg.v1.ListMachinesRequest", after: "", limit: MACHINES_MAX, selector: "" } as const;
    const { machines = [] } = await this.#handlers.listMachines(request, call);
    return { agents: (machines as readonly MachineView[]).map(agentOf) };
  }

  async #frameworks(call: Call): Promise<readonly FrameworkView[]> {
    const request = { $typeName: "borg.v1.ListFrameworksRequest", user: "", dead: true, after: "", limit: 0 } as const;
    const { frameworks = [] } = await this.#handlers.listFrameworks(request, call);
    return frameworks as readonly FrameworkView[];
  }

  async #state(call: Call): Promise<NonNullable<Init["getState"]>> {
    const frameworks = await this.#frameworks(call);
    const launched = await this.#launched(frameworks, call);
    return {
      getAgents: await this.#agents(call),
      getTasks: tasksOf(launched),
      getFrameworks: frameworksOf(frameworks),
      getExecutors: executorsOf(launched),
    };
  }

  /** What frameworks that are there launched, as much of it as one answer may have. */
  async #launched(frameworks: readonly FrameworkView[], call: Call): Promise<readonly Launched[]> {
    const launched: Launched[] = [];
    for (const framework of frameworks) {
      if (framework.state === "dead") continue;
      for (let from = 0, completed = 0; launched.length < TASKS_MAX; ) {
        const over = completed < COMPLETED_MAX;
        const request = { $typeName: "borg.v1.GetFrameworkRequest", framework: framework.name, from, over } as const;
        const { tasks: found = [], next = 0 } = await this.#handlers.getFramework(request, call);
        for (const view of (found as readonly LaunchedView[]).slice(0, TASKS_MAX - launched.length)) launched.push({ framework, view });
        completed += (found as readonly LaunchedView[]).filter((view) => view.over).length;
        if (next === 0) break;
        from = next;
      }
    }
    return launched;
  }
}

interface Launched {
  readonly framework: FrameworkView;
  readonly view: LaunchedView;
}

const LOOKS = Object.keys(Asked).filter((name) => name !== "UNKNOWN");

const told = (init: Init): Response => make(ResponseSchema, init);

const scalar = (name: string, value: number): ResourceInit => ({ name, type: Value_Type.SCALAR, scalar: { value }, role: "*" });

function resourcesOf(of: Resources | undefined): ResourceInit[] {
  const { cpuMilli = 0, ramBytes = 0, diskBytes = 0 } = of ?? {};
  return [scalar("cpus", cpuMilli / 1000), scalar("mem", Math.floor(ramBytes / MB)), scalar("disk", Math.floor(diskBytes / MB))];
}

const timeOf = (ms: number): { nanoseconds: bigint } => ({ nanoseconds: BigInt(Math.round(ms)) * NS_IN_MS });

type Agents = NonNullable<NonNullable<Init["getAgents"]>["agents"]>;

function agentOf(machine: MachineView): Agents[number] {
  const { name, host, portFirst, portLast } = machine;
  const ranges = { range: [{ begin: BigInt(portFirst), end: BigInt(portLast) }] };
  const ports: ResourceInit[] = portLast === 0 ? [] : [{ name: "ports", type: Value_Type.RANGES, ranges, role: "*" }];
  const attributes = machine.attributes.map(({ key, value }) => ({ name: key, type: Value_Type.TEXT, text: { value } }));
  const resources = [...resourcesOf(machine.capacity), ...ports];
  return {
    agentInfo: { id: { value: name }, hostname: host === "" ? name : host, resources, attributes },
    active: machine.state === "up",
    version: VERSION,
    totalResources: resources,
    allocatedResources: resourcesOf(machine.limit),
  };
}

function frameworksOf(all: readonly FrameworkView[]): NonNullable<Init["getFrameworks"]> {
  const isOver = ({ state }: FrameworkView): boolean => state === "dead";
  return { frameworks: all.filter((each) => !isOver(each)).map(frameworkOf), completedFrameworks: all.filter(isOver).map(frameworkOf) };
}

type Frameworks = NonNullable<NonNullable<Init["getFrameworks"]>["frameworks"]>;

function frameworkOf({ id, name, state, spec, submittedMs, used }: FrameworkView): Frameworks[number] {
  const { user = "", title = "", role = "*", failoverMs = 0, webuiUrl = "", hostname = "" } = spec ?? {};
  const isConnected = state === "connected";
  return {
    frameworkInfo: {
      user,
      name: title === "" ? name : title,
      id: { value: id },
      role,
      failoverTimeout: failoverMs / 1000,
      ...(webuiUrl === "" ? {} : { webuiUrl }),
      ...(hostname === "" ? {} : { hostname }),
    },
    active: isConnected,
    connected: isConnected,
    recovered: false,
    registeredTime: timeOf(submittedMs),
    allocatedResources: resourcesOf(used),
  };
}

/** As in Mesos: a task that is over is completed when its framework has acknowledged the last update; until then it stands among the others. */
function tasksOf(launched: readonly Launched[]): NonNullable<Init["getTasks"]> {
  const tasks = launched.filter(({ view }) => !view.isExecutor);
  return {
    tasks: tasks.filter(({ view }) => !view.over).map(taskOf),
    completedTasks: tasks.filter(({ view }) => view.over).map(taskOf),
  };
}

function taskOf({ framework, view }: Launched): TaskInit {
  const { taskId, title, machine, state, executor, update, uuid } = view;
  return {
    name: title,
    taskId: { value: taskId },
    frameworkId: { value: framework.id },
    agentId: { value: machine },
    state: mesosOf(state),
    resources: [...resourcesOf(view.limit), ...portsOf(view.ports)],
    statuses: statusesOf(view),
    user: framework.spec?.user ?? "",
    ...(executor === "" ? {} : { executorId: { value: executor } }),
    ...(update === undefined ? {} : { statusUpdateState: mesosOf(update.state), statusUpdateUuid: uuid }),
  };
}

/** The update that its framework was sent and has not acknowledged, and the state that it is in. */
function statusesOf({ taskId, machine, state, sinceMs, update, uuid }: LaunchedView): StatusInit[] {
  const of = { taskId: { value: taskId }, agentId: { value: machine } };
  const latest = { ...of, state: mesosOf(state), timestamp: sinceMs / 1000 };
  if (update === undefined) return [latest];
  const { message, healthy, timeMs } = update;
  const sent = {
    ...of,
    state: mesosOf(update.state),
    timestamp: timeMs / 1000,
    uuid,
    message,
    ...(healthy === undefined ? {} : { healthy }),
  };
  return update.state === state ? [sent] : [sent, latest];
}

const mesosOf = (state: MesosState): TaskState => STATES.get(state) ?? TaskState.TASK_UNKNOWN;

const portsOf = (ports: readonly number[]): ResourceInit[] =>
  ports.length === 0
    ? []
    : [
        {
          name: "ports",
          type: Value_Type.RANGES,
          ranges: { range: ports.map((port) => ({ begin: BigInt(port), end: BigInt(port) })) },
          role: "*",
        },
      ];

/** Those that are there. What they were started with is seen with the cell's own calls. */
function executorsOf(launched: readonly Launched[]): NonNullable<Init["getExecutors"]> {
  const there = launched.filter(({ view }) => view.isExecutor && !view.over);
  return {
    executors: there.map(({ framework, view: { executor, title, machine, limit, ports } }) => ({
      agentId: { value: machine },
      executorInfo: {
        type: ExecutorInfo_Type.CUSTOM,
        executorId: { value: executor },
        frameworkId: { value: framework.id },
        name: title,
        resources: [...resourcesOf(limit), ...portsOf(ports)],
      },
    })),
  };
}
