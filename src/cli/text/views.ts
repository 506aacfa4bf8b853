/** What the cell answers, as the plain objects that `--json` prints: times in ISO 8601, bytes and millicores as numbers. */

import { DIMENSIONS, MEASURES, type QuotaField, SIZED } from "../../base/dimension.ts";
import type {
  CellView,
  EventView,
  Explanation,
  JobView,
  MachineView,
  PackageView,
  QuotaView,
  SchedulerView,
  TaskDetail,
  TaskView,
  TokenView,
  UserView,
} from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Label } from "../../wire/gen/borg/v1/spec_pb.ts";
import { CAPABILITY_WORDS, ROLE_WORDS } from "../../wire/grants.ts";
import { SHORT_TASK_MS } from "../../wire/spec-defaults.ts";
import { sizeOf } from "./resources.ts";
import { safeLine } from "./safe.ts";
import { iso } from "./units.ts";
import { BAND_WORDS, CAUSE_WORDS, EVENT_WORDS, exitPlain, HEALTH_WORDS, OFFER_WORDS, RECLAMATION_WORDS, wordOf } from "./words.ts";

type Plain = Readonly<Record<string, unknown>>;

export function resourcesPlain(found: Partial<Omit<Resources, "$typeName">> | undefined): Plain {
  return {
    ...Object.fromEntries(SIZED.map((dimension) => [MEASURES[dimension].field, sizeOf(found, dimension)])),
    extras: Object.fromEntries((found?.extras ?? []).map(({ name, amount }) => [name, amount])),
  };
}

export function jobPlain(job: JobView): Plain {
  const { name, state, allocSet, priority, count, pending, starting, running, stopping, dead, held, failures } = job;
  const { backingOff, finished, failed, killed, lost } = job;
  return {
    name,
    kind: allocSet ? "alloc-set" : job.framework ? "framework" : "job",
    state,
    priority,
    band: wordOf(BAND_WORDS, job.band),
    count,
    pending,
    starting,
    running,
    backingOff,
    stopping,
    dead,
    finished,
    failed,
    killed,
    lost,
    failures,
    held,
    startAfter: job.startAfter || null,
    limit: resourcesPlain(job.limit),
    submitted: iso(job.submittedMs),
    since: iso(job.sinceMs),
    labels: labelsPlain(job.labels),
  };
}

/** `app=web tier=front`, for tables. */
export const labelsText = (labels: readonly Pick<Label, "key" | "value">[]): string =>
  labels.map(({ key, value }) => safeLine(`${key}=${value}`)).join(" ");

export const labelsPlain = (labels: readonly Label[]): Plain => Object.fromEntries(labels.map(({ key, value }) => [key, value]));

/** `127.0.0.1:20001`; an IPv6 address needs its brackets. */
export const addressOf = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host || "localhost"}:${port}`;

export function taskPlain(task: TaskView): Plain {
  const { name, state, cause, machine, host, instance, run, starts, failures, priority, overRam, alloc, unreachable, message } = task;
  return {
    name,
    kind: alloc ? "alloc" : "task",
    state,
    cause,
    since: iso(task.sinceMs),
    machine: machine || null,
    host: host || null,
    ports: Object.fromEntries(task.ports.map((port) => [port.name, port.number])),
    addresses: Object.fromEntries(task.ports.map((port) => [port.name, addressOf(host, port.number)])),
    devices: task.devices.map(({ name: extra, number, amount }) => ({ extra, number, amount })),
    instance: instance || null,
    run,
    starts,
    failures,
    runFailures: task.runFailures,
    started: iso(task.startedMs),
    runStarted: iso(task.runMs),
    notBefore: iso(task.notBeforeMs),
    health: wordOf(HEALTH_WORDS, task.health) || null,
    readiness: wordOf(HEALTH_WORDS, task.readiness) || null,
    ready: task.ready,
    readySince: iso(task.readyMs),
    problem: task.problem,
    priority,
    limit: resourcesPlain(task.limit),
    reservation: resourcesPlain(task.reservation),
    usage: resourcesPlain(task.usage),
    diskTraffic: trafficPlain(task),
    exit: task.exited ? exitPlain(task.exitCode, task.signal) : null,
    message,
    waitsFor: task.waiting || null,
    overRam,
    unreachable,
    inAlloc: task.inAlloc || null,
    labels: labelsPlain(task.labels),
    ...(task.taskId === "" ? {} : { taskId: task.taskId, unacknowledged: task.unacknowledged }),
  };
}

/** Null: its machine cannot tell. */
const trafficPlain = ({ diskTraffic }: TaskView): Plain | null =>
  diskTraffic === undefined ? null : { readBytes: diskTraffic.readBytes, writtenBytes: diskTraffic.writtenBytes };

/** `spec` is what it runs with, in the words of a file. */
export function taskDetailPlain(detail: TaskDetail, spec: Plain): Plain {
  const { scheduler, preemptor, avoids, pinned, history } = detail;
  return {
    ...(detail.task === undefined ? {} : taskPlain(detail.task)),
    spec,
    veiled: detail.veiled,
    scheduler: scheduler || null,
    preemptor: preemptor || null,
    avoids,
    pinned: pinned || null,
    history: history.map(eventPlain),
  };
}

export function machinePlain(machine: MachineView): Plain {
  const { name, state, host, tasks, rack, powerDomain, portFirst, portLast } = machine;
  return {
    name,
    state,
    since: iso(machine.sinceMs),
    heard: iso(machine.heardMs),
    host,
    taskCount: tasks,
    rack: rack || null,
    powerDomain: powerDomain || null,
    portRange: portLast === 0 ? null : { first: portFirst, last: portLast },
    capacity: resourcesPlain(machine.capacity),
    fingerprint: machine.approval?.key ?? null,
    offered: resourcesPlain(machine.claimed ?? machine.capacity),
    limit: resourcesPlain(machine.limit),
    reservation: resourcesPlain(machine.reservation),
    usage: resourcesPlain(machine.usage),
    attributes: Object.fromEntries(machine.attributes.map(({ key, value }) => [key, value])),
    directories: machine.directories.map(({ alloc, untilMs }) => ({ alloc, until: iso(untilMs) })),
    volumes: machine.volumes.map(({ user, name: volume }) => `${user}/${volume}`),
  };
}

/** Null: limited only when said so, and nobody did. */
export const quotaLimitPlain = (
  quota: { readonly [F in QuotaField]?: number | undefined } & { readonly limit?: Parameters<typeof resourcesPlain>[0] },
): Plain => ({
  ...resourcesPlain(quota.limit),
  ...Object.fromEntries(
    DIMENSIONS.flatMap((dimension) => {
      const { quota: field } = MEASURES[dimension];
      return field === undefined ? [] : [[field, quota[field] ?? null]];
    }),
  ),
});

export function quotaPlain(view: QuotaView): Plain {
  const { unlimited = false, untilMs = 0 } = view.quota ?? {};
  return {
    user: view.user,
    band: wordOf(BAND_WORDS, view.band),
    unlimited,
    limit: unlimited ? null : quotaLimitPlain(view.quota ?? {}),
    charged: resourcesPlain(view.charged),
    until: iso(untilMs),
  };
}

export function userPlain(user: UserView): Plain {
  return {
    name: user.name,
    roles: user.roles.map((role) => wordOf(ROLE_WORDS, role)),
    capabilities: user.capabilities.map((capability) => wordOf(CAPABILITY_WORDS, capability)),
    jobCount: user.jobs,
    taskCount: user.tasks,
    specBytes: user.specBytes,
    labels: labelsPlain(user.labels),
    bounds: {
      jobsMax: user.bounds?.jobs || null,
      tasksMax: user.bounds?.tasks || null,
      specBytesMax: user.bounds?.specBytes || null,
      packagesMax: user.bounds?.packages || null,
      packageBytesMax: user.bounds?.packageBytes || null,
      callsMax: user.bounds?.calls ?? null,
      pollsMax: user.bounds?.polls ?? null,
      workPerSecondMax: user.bounds?.workPerSecond ?? null,
    },
  };
}

export function tokenPlain(token: TokenView): Plain {
  const { user, id, label } = token;
  return { user, id, label, created: iso(token.createdMs), until: iso(token.untilMs) };
}

export function packagePlain({ user, name, digest, bytes, shared, createdMs, jobs, machines, labels }: PackageView): Plain {
  const called = `${user}/${name}@${digest}`;
  const counts = { jobCount: jobs, machineCount: machines };
  return { package: called, user, name, digest, bytes, shared, created: iso(createdMs), ...counts, labels: labelsPlain(labels) };
}

export function eventPlain({ event, text }: EventView): Plain {
  const { timeMs = 0, position = 0, op = 0, index = 0, kind = 0, subject = "", cause = 0, actor } = event ?? {};
  const { instance = "", machine = "", from = "", to = "", preemptor = "", detail = "" } = event ?? {};
  return {
    time: iso(timeMs),
    position,
    op,
    index,
    kind: wordOf(EVENT_WORDS, kind) || null,
    subject,
    instance: instance || null,
    machine: machine || null,
    from: from || null,
    to: to || null,
    cause: wordOf(CAUSE_WORDS, cause) || null,
    preemptor: preemptor || null,
    detail: detail || null,
    actor: actor?.name || null,
    trace: event?.trace || null,
    text,
  };
}

export function explanationPlain(found: Explanation): Plain {
  const { task, state, problem, feasible, reasons, changes, score, summary } = found;
  return {
    task,
    state,
    problem: problem || null,
    feasible,
    reasons: reasons.map(({ reason, machines }) => ({ reason, machineCount: machines })),
    changes: changes.map(({ change, machines }) => ({ what: change, machineCount: machines })),
    score: Object.fromEntries(score.map(({ part, value }) => [part, value])),
    summary,
  };
}

/** The longest duration of tasks on machines that are kept for short ones; the cell's own where nothing was said (offers/view.ts). */
export const shortMsOf = ({ config }: CellView): number => config?.offers?.shortMs || SHORT_TASK_MS;

export function cellPlain(cell: CellView): Plain {
  const { name, position, version, user, machines, machinesReachable, jobs, tasks, pending, running, hash } = cell;
  return {
    name,
    user,
    roles: cell.roles.map((role) => wordOf(ROLE_WORDS, role)),
    time: iso(cell.timeMs),
    position,
    cellVersion: version,
    machineCount: machines,
    reachableCount: machinesReachable,
    jobCount: jobs,
    taskCount: tasks,
    pending,
    running,
    keepMs: cell.config?.deadJobKeepMs ?? null,
    reclamation: wordOf(RECLAMATION_WORDS, cell.config?.reclamation ?? 0),
    offers: wordOf(OFFER_WORDS, cell.config?.offers?.module ?? 0),
    shortShare: (cell.config?.offers?.shortPermille ?? 0) / 1000,
    shortMs: shortMsOf(cell),
    capacity: resourcesPlain(cell.capacity),
    limit: resourcesPlain(cell.limit),
    reservation: resourcesPlain(cell.reservation),
    usage: resourcesPlain(cell.usage),
    hash: hash || null,
  };
}

export function schedulerPlain(scheduler: SchedulerView): Plain {
  const { name, jobs, transactions, claims, refused, placed, victims, firstClaims, firstWaitMs, firstWaitMsMax, busyMs, upMs } = scheduler;
  return {
    name,
    priorityMin: scheduler.limits?.priorityMin ?? 0,
    priorityMax: scheduler.limits?.priorityMax ?? 0,
    coarse: scheduler.limits?.coarse ?? false,
    claimed: resourcesPlain(scheduler.claimed),
    jobCount: jobs,
    transactions,
    claims,
    refused,
    placed,
    evicted: victims,
    conflictFraction: claims === 0 ? 0 : refused / claims,
    firstWaitMs: firstClaims === 0 ? 0 : firstWaitMs / firstClaims,
    firstWaitMsMax,
    busyness: upMs === 0 ? null : busyMs / upMs,
  };
}
