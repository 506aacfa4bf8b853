/** Frameworks and their roles, as people and programs see them. What a task was launched with stands with the task. */
import { DIMENSIONS } from "../../base/dimension.ts";
import type { JobId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { plus, type Vector, ZERO } from "../../base/vector.ts";
import { resourcesOf } from "../../cell/amounts.ts";
import { executorOf, isExecutor } from "../../cell/executor.ts";
import { frameworkId, isFree, uuidOf } from "../../cell/framework.ts";
import { MESOS_REASONS, MESOS_STATES } from "../../cell/mesos-state.ts";
import type { Job, Task } from "../../cell/state.ts";
import { bandOf, wireBand } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { type FrameworkRole, FrameworkRoleSchema } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Copy } from "./copy.ts";
import { Meter } from "./price.ts";

const PAGE = 1000;

/** The largest part of any resource of the cell (dominant share), in millionths. */
export function dominantShare(used: Vector, capacity: Vector): number {
  const parts = DIMENSIONS.map((dimension) => (capacity[dimension] === 0 ? 0 : used[dimension] / capacity[dimension]));
  const named = used.extras.map(({ name, amount }) => amount / (capacity.extras.find((each) => each.name === name)?.amount ?? amount));
  return Math.round(1e6 * Math.max(0, ...parts, ...named));
}

function stateOf({ state, killed, led }: Job): string {
  if (state === "dead") return "dead";
  return killed ? "ending" : led?.disconnectedMs === 0 ? "connected" : "disconnected";
}

export function frameworkView({ state: { capacity }, offersTo }: Pick<Copy, "state" | "offersTo">, job: Job): api.FrameworkView {
  const { led, spec, tasks } = job;
  const offers = offersTo(job.id);
  const among = (...states: readonly Task["state"][]): number => tasks.filter(({ state }) => states.includes(state)).length;
  return make(api.FrameworkViewSchema, {
    name: job.id,
    id: frameworkId(job),
    state: stateOf(job),
    ...(spec.kind === "framework" ? { spec: spec.framework } : {}),
    band: wireBand(bandOf(job.priority)),
    sessionMs: led?.sessionMs ?? 0,
    disconnectedMs: led?.disconnectedMs ?? 0,
    submittedMs: job.submittedMs,
    starting: among("starting"),
    running: among("running"),
    stopping: among("stopping", "ending"),
    unacknowledged: led?.unacknowledged ?? 0,
    used: resourcesOf(job.charge),
    share: dominantShare(job.charge, capacity),
    offers: offers.count,
    offered: resourcesOf(offers.amount),
  });
}

export function listFrameworks(
  copy: Copy,
  request: api.ListFrameworksRequest,
  _user = "",
  meter = new Meter(),
): api.ListFrameworksResponse {
  const { state, jobNames } = copy;
  const most = request.limit === 0 ? PAGE : request.limit;
  const frameworks: api.FrameworkView[] = [];
  for (const id of jobNames.after(request.after)) {
    const job = state.jobs.get(id) as Job;
    meter.lookedAt(1);
    if (job.led === undefined || (request.user !== "" && job.owner !== request.user) || (job.state === "dead" && !request.dead)) continue;
    if (frameworks.length === most) return make(api.ListFrameworksResponseSchema, { frameworks, more: true });
    frameworks.push(frameworkView(copy, job));
    meter.lookedAt(job.tasks.length);
    meter.answered(1);
  }
  return make(api.ListFrameworksResponseSchema, { frameworks, more: false });
}

export function getFramework(
  copy: Copy,
  request: api.GetFrameworkRequest,
  _user = "",
  meter = new Meter(),
): Result<api.GetFrameworkResponse> {
  const { state } = copy;
  const job = state.jobs.get(request.framework as JobId);
  if (job?.led === undefined) return refused(`Framework "${request.framework}" does not exist: borg ls frameworks shows those that do`);
  meter.lookedAt(job.tasks.length);
  const tasks: Init<typeof api.LaunchedViewSchema>[] = [];
  let next = 0;
  for (const task of job.tasks.slice(request.from)) {
    if (isFree(task) && (!request.over || task.launched === undefined)) continue;
    if (tasks.length === PAGE) {
      next = task.index;
      break;
    }
    tasks.push(launchedView(task));
  }
  meter.answered(tasks.length);
  return ok(make(api.GetFrameworkResponseSchema, { framework: frameworkView(copy, job), tasks, next }));
}

function launchedView(task: Task): Init<typeof api.LaunchedViewSchema> {
  const { launched, instance, id } = task;
  const { last } = task.past;
  const [first] = launched?.updates ?? [];
  return {
    task: id,
    taskId: launched?.taskId ?? "",
    title: launched?.title ?? "",
    state: MESOS_STATES[launched?.told ?? "staging"],
    machine: instance?.place.machine.id ?? last?.machine ?? "",
    waiting: launched?.updates.length ?? 0,
    limit: resourcesOf(instance?.limit ?? launched?.spec.limit ?? ZERO),
    ports: [...(instance?.ports ?? [])],
    executor: executorOf(task)?.id ?? "",
    isExecutor: isExecutor(task),
    sinceMs: task.sinceMs,
    over: isFree(task),
    ...(first === undefined ? {} : { uuid: uuidOf(task, first.number), update: statusOf(first) }),
  };
}

/** What its executor sent along is the framework's alone. */
const statusOf = ({ state, reason, healthy, data: _data, ...rest }: NonNullable<Task["launched"]>["updates"][number]) => ({
  ...rest,
  state: MESOS_STATES[state],
  reason: MESOS_REASONS[reason],
  ...(healthy === undefined ? {} : { healthy }),
});

/** Those that an admin set, and those that a living framework is in. */
export function listRoles({ state }: Copy, _request: api.ListRolesRequest, _user = "", meter = new Meter()): api.ListRolesResponse {
  const found = new Map<string, { readonly role: FrameworkRole; frameworks: number; used: Vector }>();
  for (const role of state.roles.values()) found.set(role.name, { role, frameworks: 0, used: ZERO });
  for (const { led, spec, charge, state: is } of state.jobs.values()) {
    meter.lookedAt(1);
    if (led === undefined || spec.kind !== "framework" || is === "dead") continue;
    const { role: name } = spec.framework;
    const known = found.get(name) ?? { role: make(FrameworkRoleSchema, { name, weight: 1 }), frameworks: 0, used: ZERO };
    found.set(name, { ...known, frameworks: known.frameworks + 1, used: plus(known.used, charge) });
  }
  meter.answered(found.size);
  const roles = [...found.keys()].sort().flatMap((name) => {
    const each = found.get(name);
    return each === undefined ? [] : [{ ...each, used: resourcesOf(each.used), share: dominantShare(each.used, state.capacity) }];
  });
  return make(api.ListRolesResponseSchema, { roles });
}
