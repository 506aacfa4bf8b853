/** The API's reads: one function per call, from a copy of the cell to an answer. Lists are in the order of names and bounded; nothing here changes anything. */

import { compareIds, type JobId, type MachineId, splitTask, userId } from "../../base/id.ts";
import { ok, type Result } from "../../base/result.ts";
import { equal, plus, ZERO } from "../../base/vector.ts";
import { resourcesOf } from "../../cell/amounts.ts";
import { boundsOf, callBoundsOf, usedBy } from "../../cell/bounds.ts";
import { stateHash } from "../../cell/checkpoint/checkpoint.ts";
import { downOf } from "../../cell/down.ts";
import { faceOf } from "../../cell/face.ts";
import { specOf } from "../../cell/generation.ts";
import { jobLabels, labelMap, selects, taskLabels } from "../../cell/labels.ts";
import { chargedTo } from "../../cell/ops/quota.ts";
import { tokenId } from "../../cell/ops/tokens.ts";
import { everythingOn } from "../../cell/place.ts";
import { grantsOf } from "../../cell/record/record.ts";
import { isAllocSet, taskSpecOf } from "../../cell/spec.ts";
import type { CellState, Job, Machine, Task, User } from "../../cell/state.ts";
import { machineOf } from "../../cell/volume.ts";
import { BANDS } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { type TaskSpec, TaskSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import type { Copy } from "./copy.ts";
import { frameworkView } from "./frameworks.ts";
import type { JoinWaiting } from "./message.ts";
import { Meter } from "./price.ts";
import { isSelected, labelViews, selectorIn } from "./selected.ts";
import { shownState } from "./shown.ts";
import { maySee, veiledJob, veiledTask } from "./veil.ts";
import { eventView, jobView, machineView, sumUsage, taskView } from "./views.ts";

const LIST_DEFAULT = 1000;
/** A page has no more than this, whatever was asked for: what one call takes is bounded. */
const LIST_MAX = 2000;
const HISTORY = 50;
const TASKS_IN_JOB = 1000;

/** What a read could not find; the words say what to do. */
export interface NotFound {
  readonly ok: false;
  readonly reason: string;
}

const notFound = (reason: string): NotFound => ({ ok: false, reason });

export function getCell({ state, usage }: Copy, request: api.GetCellRequest, user: string, meter = new Meter()): api.CellView {
  meter.lookedAt(state.jobs.size + state.machines.size + 2 * state.taskCount);
  if (request.hash) meter.wholeCell(state);
  const counts = { tasks: 0, pending: 0, running: 0 };
  for (const job of state.jobs.values()) {
    if (isAllocSet(job)) continue;
    for (const task of job.tasks) {
      if (task.state === "dead") continue;
      counts.tasks += 1;
      if (task.state === "pending") counts.pending += 1;
      if (shownState(task) === "running") counts.running += 1;
    }
  }
  const machines = [...state.machines.values()];
  const known = state.users.get(userId(user));
  return make(api.CellViewSchema, {
    name: state.name,
    position: state.position,
    timeMs: state.timeMs,
    version: state.version,
    user,
    roles: [...(known?.roles ?? [])].sort((a, b) => a - b),
    machines: machines.length,
    machinesReachable: machines.filter((machine) => machine.reachable).length,
    jobs: [...state.jobs.values()].filter((job) => job.state !== "dead").length,
    ...counts,
    capacity: resourcesOf(state.capacity),
    limit: resourcesOf(sumOf(machines.flatMap((machine) => [...machine.place.occupants.values()].map((each) => each.limit)))),
    reservation: resourcesOf(sumOf(machines.map((machine) => machine.place.reserved))),
    usage: sumUsage(machines.flatMap((machine) => [...usage.on(machine.id)])),
    hash: request.hash ? stateHash(state) : "",
    config: state.config,
  });
}

const sumOf = (vectors: Parameters<typeof plus>[0][]) => vectors.reduce(plus, ZERO);

/** The named items of a sorted list after a name. */
function page<T extends { readonly id: string }>(items: Iterable<T>, after: string, limit: number): { items: T[]; more: boolean } {
  const sorted = [...items].filter(({ id }) => id > after).sort((a, b) => compareIds(a.id, b.id));
  const most = pageSize(limit);
  return { items: sorted.slice(0, most), more: sorted.length > most };
}

export const pageSize = (limit: number): number => Math.min(limit === 0 ? LIST_DEFAULT : limit, LIST_MAX);

export function listJobs(copy: Copy, request: api.ListJobsRequest, _user = "", meter = new Meter()): api.ListJobsResponse {
  const most = pageSize(request.limit);
  const selector = selectorIn(request);
  const jobs: api.JobView[] = [];
  for (const job of jobsAfter(copy, request.user, request.after)) {
    meter.lookedAt(1);
    if (!request.dead && job.state === "dead") continue;
    if (!selects(selector, jobLabels(job))) continue;
    if (jobs.length === most) return make(api.ListJobsResponseSchema, { jobs, more: true });
    jobs.push(jobView(job));
    meter.lookedAt(job.tasks.length);
    meter.answered(1);
  }
  return make(api.ListJobsResponseSchema, { jobs, more: false });
}

/** A user's jobs, or everybody's, in the order of their names. */
function* jobsAfter({ state, jobNames }: Copy, user: string, after: string): Generator<Job> {
  const prefix = user === "" ? "" : `${user}/`;
  for (const id of jobNames.after(after > prefix ? after : prefix)) {
    if (!id.startsWith(prefix)) return;
    yield state.jobs.get(id) as Job;
  }
}

export function getJob(copy: Copy, request: api.GetJobRequest, user: string, meter = new Meter()): Result<api.GetJobResponse> {
  const { state, usage } = copy;
  const job = state.jobs.get(request.job as JobId);
  if (job === undefined) return notFound(`Job "${request.job}" does not exist: borg ls shows those that do`);
  const veiled = job.spec.kind === "job" && !maySee(state, user, job.owner);
  meter.lookedAt(job.tasks.length);
  meter.answered(Math.min(job.tasks.length, TASKS_IN_JOB));
  meter.specs(job.specBytes);
  return ok(
    make(api.GetJobResponseSchema, {
      veiled,
      ...(veiled ? {} : { specDigest: job.specDigest }),
      job: jobView(job),
      update: job.update?.phase ?? "",
      tasks: job.tasks.slice(0, TASKS_IN_JOB).map((task) => taskView(task, usage)),
      ...(job.spec.kind === "job" ? { spec: veiled ? veiledJob(job.spec.job) : job.spec.job } : {}),
      ...(job.spec.kind === "alloc-set" ? { allocSetSpec: job.spec.allocSet } : {}),
      ...(job.led === undefined ? { down: downView(job) } : { framework: frameworkView(copy, job) }),
    }),
  );
}

function downView(job: Job): Init<typeof api.DownViewSchema> {
  const { downMax, ...count } = downOf(job);
  return downMax === undefined ? count : { ...count, downMax };
}

export function listTasks(copy: Copy, request: api.ListTasksRequest, _user = "", meter = new Meter()): api.ListTasksResponse {
  const states = new Set(request.states);
  const selector = selectorIn(request);
  const most = pageSize(request.limit);
  const tasks: api.TaskView[] = [];
  for (const task of tasksFor(copy, request)) {
    meter.lookedAt(1);
    if (states.size === 0 ? task.state === "dead" : !states.has(shownState(task))) continue;
    if (selector.length > 0 && !selects(selector, taskLabels(task))) continue;
    if (tasks.length === most) return make(api.ListTasksResponseSchema, { tasks, more: true });
    tasks.push(taskView(task, copy.usage));
    meter.answered(1);
  }
  return make(api.ListTasksResponseSchema, { tasks, more: false });
}

const byJobAndIndex = (job: string, index: number, other: string, otherIndex: number): number =>
  compareIds(job, other) || index - otherIndex;

/** Those after `after`, in the order of jobs and indexes. */
function* tasksFor(copy: Copy, request: api.ListTasksRequest): Generator<Task> {
  const after = request.after === "" ? { job: "" as JobId, index: -1 } : splitTask(request.after);
  if (request.machine !== "") return yield* tasksOn(copy.state, request, after);
  const asked = copy.state.jobs.get(request.job as JobId);
  const jobs = request.job !== "" ? (asked === undefined ? [] : [asked]) : jobsFrom(copy, request.user, after.job);
  for (const job of jobs) {
    if (compareIds(job.id, after.job) < 0) continue;
    for (let i = job.id === after.job ? after.index + 1 : 0; i < job.tasks.length; i++) yield job.tasks[i] as Task;
  }
}

/** The job itself, if there is one, and those after it. */
function* jobsFrom(copy: Copy, user: string, from: JobId): Generator<Job> {
  const first = copy.state.jobs.get(from);
  if (first !== undefined && (user === "" || first.owner === user)) yield first;
  yield* jobsAfter(copy, user, from);
}

function tasksOn(state: CellState, request: api.ListTasksRequest, after: { readonly job: JobId; readonly index: number }): readonly Task[] {
  const machine = state.machines.get(request.machine as MachineId);
  const on = machine === undefined ? [] : [...everythingOn(machine)].map((instance) => instance.task);
  return on
    .filter(({ job }) => (request.user === "" || job.owner === request.user) && (request.job === "" || job.id === request.job))
    .filter(({ job, index }) => byJobAndIndex(job.id, index, after.job, after.index) > 0)
    .sort((a, b) => byJobAndIndex(a.job.id, a.index, b.job.id, b.index));
}

export function findTask(state: CellState, name: string): Task | undefined {
  const { job, index } = splitTask(name);
  return state.jobs.get(job)?.tasks[index];
}

export const noTask = (name: string): NotFound => notFound(`Task "${name}" does not exist: borg ls tasks shows those that do`);

export function getTask(copy: Copy, request: api.GetTaskRequest, user: string, meter = new Meter()): Result<api.TaskDetail> {
  const task = findTask(copy.state, request.task);
  if (task === undefined) return noTask(request.task);
  const veiled = !maySee(copy.state, user, task.job.owner);
  const { instance } = task;
  const spec = taskSpec(task);
  meter.lookedAt(copy.events.size);
  meter.specs(task.job.specBytes);
  return ok(
    make(api.TaskDetailSchema, {
      task: taskView(task, copy.usage),
      veiled,
      spec: veiled ? veiledTask(spec) : spec,
      history: history(copy, task.id),
      scheduler: instance?.scheduler ?? "",
      preemptor: instance?.stop?.preemptor ?? "",
      pinned: machineOf(task) ?? "",
      avoids: task.past.avoid.filter(({ untilMs }) => untilMs > copy.state.timeMs).map(({ machine }) => machine),
    }),
  );
}

/** What it runs, or would run. */
function taskSpec(task: Task): TaskSpec {
  const { instance } = task;
  const spec = instance === undefined ? faceOf(task).spec : specOf(instance);
  return spec.kind === "job" ? taskSpecOf(spec.job, task.index) : make(TaskSpecSchema, {});
}

function history({ events }: Copy, name: string) {
  return events.newest({ name, isMeant: undefined }, HISTORY).map(eventView);
}

export function listMachines(
  { state, usage }: Copy,
  request: api.ListMachinesRequest,
  user = "",
  meter = new Meter(),
): api.ListMachinesResponse {
  const selector = selectorIn(request);
  const meant = [...state.machines.values()].filter(({ attributes }) => selects(selector, attributes));
  const { items, more } = page<Machine>(meant, request.after, request.limit);
  meter.lookedAt(items.reduce((sum, { place }) => sum + 2 * place.occupants.size, state.machines.size));
  meter.answered(items.length);
  return make(api.ListMachinesResponseSchema, {
    machines: items.map((machine) => machineView(machine, usage, (owner) => maySee(state, user, owner))),
    more,
  });
}

export function getMachine(copy: Copy, request: api.GetMachineRequest, user = "", meter = new Meter()): Result<api.MachineDetail> {
  const machine = copy.state.machines.get(request.machine as MachineId);
  if (machine === undefined) return notFound(`Machine "${request.machine}" does not exist: borg ls machines shows those that do`);
  const on = [...everythingOn(machine)].map((instance) => instance.task);
  on.sort((a, b) => byJobAndIndex(a.job.id, a.index, b.job.id, b.index));
  meter.lookedAt(copy.events.size);
  meter.answered(on.length);
  return ok(
    make(api.MachineDetailSchema, {
      machine: machineView(machine, copy.usage, (owner) => maySee(copy.state, user, owner)),
      tasks: on.map((task) => taskView(task, copy.usage)),
      history: history(copy, machine.id),
      moments: copy.usage.moments(machine.id),
    }),
  );
}

export function listQuota({ state }: Copy, request: api.ListQuotaRequest, _user = "", meter = new Meter()): api.ListQuotaResponse {
  const users = [...state.users.values()].filter((user) => request.user === "" || user.id === request.user);
  meter.answered(users.length * BANDS.length);
  const quotas = users
    .sort((a, b) => compareIds(a.id, b.id))
    .flatMap((user) =>
      BANDS.flatMap(({ name, wire }) => {
        const quota = user.quotas.get(name);
        const charged = chargedTo(user, name);
        // Nothing charged is no row, whether or not something once was: copies from a checkpoint do not know that.
        if (quota === undefined && equal(charged, ZERO)) return [];
        return [{ user: user.id, band: wire, charged: resourcesOf(charged), quota: quota ?? { unlimited: name === "free" } }];
      }),
    );
  return make(api.ListQuotaResponseSchema, { quotas });
}

export function listUsers(
  { state }: Copy,
  request: { readonly selector: string } = { selector: "" },
  _user = "",
  meter = new Meter(),
): api.ListUsersResponse {
  meter.answered(state.users.size);
  const selector = selectorIn(request);
  const users = [...state.users.values()].filter(({ labels }) => selects(selector, labelMap(labels)));
  users.sort((a, b) => compareIds(a.id, b.id));
  return make(api.ListUsersResponseSchema, {
    users: users.map((user) => {
      const { roles, capabilities } = grantsOf(user);
      const { jobs, tasks, specBytes } = usedBy(user);
      return {
        name: user.id,
        roles: roles ?? [],
        capabilities: capabilities ?? [],
        jobs,
        tasks,
        specBytes,
        labels: labelViews(user.labels),
        bounds: isAdmin(user) ? callBoundsOf(user.bounds) : boundsOf(state, user),
      };
    }),
  });
}

const isAdmin = ({ roles }: User): boolean => roles.has(Role.CELL_ADMIN);

export function listTokens({ state }: Copy, request: api.ListTokensRequest, _user = "", meter = new Meter()): api.ListTokensResponse {
  const users = [...state.users.values()].filter((user) => request.user === "" || user.id === request.user);
  const tokens = users.flatMap((user) =>
    [...user.tokens.values()].map(({ hash, label, createdMs, untilMs }) => ({
      user: user.id,
      id: tokenId(hash),
      label,
      createdMs,
      untilMs,
    })),
  );
  meter.answered(tokens.length);
  tokens.sort((a, b) => compareIds(a.user, b.user) || a.createdMs - b.createdMs);
  return make(api.ListTokensResponseSchema, { tokens });
}

const EVENTS_DEFAULT = 100;

export function readEvents({ state, events }: Copy, request: api.ReadEventsRequest, meter = new Meter()): api.ReadEventsResponse {
  const after = { position: request.afterPosition, index: request.afterIndex };
  const selector = selectorIn(request);
  const isMeant = selector.length === 0 ? undefined : (subject: string): boolean => isSelected(state, subject, selector);
  const about = { name: request.about, isMeant };
  const { events: found, next, missed, looked } = events.read(after, about, request.limit === 0 ? EVENTS_DEFAULT : request.limit);
  meter.lookedAt(looked);
  meter.answered(found.length);
  return make(api.ReadEventsResponseSchema, {
    events: found.map(eventView),
    nextPosition: next.position,
    nextIndex: next.index,
    missed,
  });
}

/** `busy`: what threads of this process say of their time. */
export function listSchedulers(
  { state, schedulers: metrics }: Copy,
  busy: ReadonlyMap<string, { readonly busyMs: number; readonly upMs: number }>,
): api.ListSchedulersResponse {
  const schedulers = [...state.schedulers.values()].sort((a, b) => compareIds(a.name, b.name));
  return make(api.ListSchedulersResponseSchema, {
    schedulers: schedulers.map(({ name, limits, claimed, claimedJobs }) => ({
      name,
      limits,
      claimed: resourcesOf(claimed),
      jobs: claimedJobs.size,
      ...metrics.of(name),
      ...busy.get(name),
    })),
  });
}

/** `waiting`: who asks at the door, as the link knows it. */
export function listJoins({ state }: Copy, waiting: readonly JoinWaiting[]): api.ListJoinsResponse {
  const invitations = [...state.invitations.values()].sort((a, b) => compareIds(a.machine, b.machine));
  return make(api.ListJoinsResponseSchema, {
    requests: waiting.map((each) => ({ ...each })),
    invitations: invitations.map(({ machine, approval, untilMs }) => ({ machine, approval, untilMs })),
  });
}
