/** The cell's records as users see them (api.proto): names and words instead of numbers, bytes instead of KiB. Pure; reads only. */

import { MEASURES, SIZED } from "../../base/dimension.ts";
import type { UserId } from "../../base/id.ts";
import { traceOf } from "../../base/trace.ts";
import { plus, ZERO } from "../../base/vector.ts";
import { resourcesOf, sizesOf } from "../../cell/amounts.ts";
import { wireCause } from "../../cell/cause.ts";
import { EVENT_KINDS } from "../../cell/event.ts";
import { faceOf } from "../../cell/face.ts";
import { specOf } from "../../cell/generation.ts";
import { HEALTH } from "../../cell/health.ts";
import { jobLabels, type Labels, taskLabels } from "../../cell/labels.ts";
import { capacityOf } from "../../cell/ops/machines.ts";
import { everythingOn } from "../../cell/place.ts";
import { isReady, readySinceMs } from "../../cell/ready.ts";
import { isAllocSet, limitOf } from "../../cell/spec.ts";
import type { Instance, Job, Machine, Task } from "../../cell/state.ts";
import { bandOf, wireBand } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import {
  type EventViewSchema,
  type JobView,
  JobViewSchema,
  type MachineView,
  MachineViewSchema,
  type TaskView,
  TaskViewSchema,
} from "../../wire/gen/borg/v1/api_pb.ts";
import { type Event, EventSchema } from "../../wire/gen/borg/v1/event_pb.ts";
import type { Resources, ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { LoggedEvent } from "./event-log.ts";
import { eventText } from "./event-text.ts";
import { shownState } from "./shown.ts";
import { type Counts, TaskCounts } from "./task-counts.ts";
import type { UsageTable } from "./usage-table.ts";
import { ownerOf } from "./veil.ts";

/** Sums of what was measured. */
export function sumUsage(parts: Iterable<Resources>): Init<typeof ResourcesSchema> {
  const sum = sizesOf(ZERO);
  for (const part of parts) for (const dimension of SIZED) sum[MEASURES[dimension].field] += part[MEASURES[dimension].field];
  return sum;
}

/** `counts`: of its tasks, where they are known already. */
export function jobView(job: Job, { shown, ends, failures }: Counts = new TaskCounts(job).counts()): JobView {
  return make(JobViewSchema, {
    name: job.id,
    state: job.state,
    allocSet: isAllocSet(job),
    framework: job.led !== undefined,
    priority: job.priority,
    band: wireBand(bandOf(job.priority)),
    count: job.count,
    pending: shown.pending,
    starting: shown.starting,
    running: shown.running,
    backingOff: shown["backing-off"],
    stopping: shown.stopping + shown.ending,
    dead: shown.dead,
    ...ends,
    submittedMs: job.submittedMs,
    sinceMs: job.sinceMs,
    limit: resourcesOf(job.limit),
    held: job.held,
    startAfter: job.wants.startAfter,
    failures,
    labels: labelViews(jobLabels(job)),
  });
}

const labelViews = (labels: Labels): { readonly key: string; readonly value: string }[] =>
  [...labels].map(([key, value]) => ({ key, value }));

/** What a task may use: where it is, as it was placed; else as its job asks. */
export const limitedTo = (task: Task): Init<typeof ResourcesSchema> =>
  resourcesOf(task.instance?.limit ?? limitOf(faceOf(task), task.index));

export function taskView(task: Task, usage: UsageTable): TaskView {
  const { job, instance } = task;
  const { lastExit } = task.past;
  const face = faceOf(task);
  return make(TaskViewSchema, {
    name: task.id,
    state: shownState(task),
    cause: task.cause,
    sinceMs: task.sinceMs,
    starts: task.starts,
    failures: task.failures,
    priority: instance?.priority ?? face.priority,
    limit: limitedTo(task),
    notBeforeMs: task.notBeforeMs,
    alloc: isAllocSet(job),
    labels: labelViews(taskLabels(task)),
    ...(task.launched === undefined ? {} : { taskId: task.launched.taskId, unacknowledged: task.launched.updates.length }),
    ...(lastExit === undefined ? {} : { exited: true, exitCode: lastExit.code, signal: lastExit.signal, message: lastExit.message }),
    ...(instance === undefined ? {} : placedView(task, instance, usage)),
  });
}

function placedView(task: Task, instance: Instance, usage: UsageTable): Init<typeof TaskViewSchema> {
  const { machine } = instance.place;
  const spec = specOf(instance);
  const names = spec.kind === "job" ? (spec.job.task?.ports ?? []) : [];
  const used = usage.of(machine.id, instance.id);
  const cpi = usage.cpi(machine.id, instance.id);
  const diskTraffic = usage.diskTraffic(machine.id, instance.id);
  return {
    machine: machine.id,
    inAlloc: instance.place === machine.place ? "" : instance.place.id,
    host: machine.facts.host,
    ports: instance.ports.map((number, i) => ({ name: names[i] ?? `p${i}`, number })),
    devices: instance.devices.map((device) => ({ ...device })),
    instance: instance.id,
    run: instance.run,
    health: HEALTH[instance.faring.health],
    readiness: HEALTH[instance.faring.ready],
    ready: isReady(instance),
    readyMs: readySinceMs(instance),
    problem: instance.faring.problem,
    reservation: resourcesOf(instance.reservation),
    overRam: instance.overRam,
    startedMs: instance.startedMs,
    runFailures: instance.faring.failures,
    runMs: task.state === "running" && instance.faring.backOffUntilMs === 0 ? instance.faring.runMs || instance.startedMs : 0,
    ...(instance.faring.backOffUntilMs === 0
      ? {}
      : { notBeforeMs: usage.nextTryMs(machine.id, instance.id) ?? instance.faring.backOffUntilMs }),
    unreachable: !machine.reachable,
    waiting: usage.waiting(machine.id, instance.id),
    ...(used === undefined ? {} : { usage: used }),
    ...(cpi === undefined ? {} : { cpi }),
    ...(diskTraffic === undefined ? {} : { diskTraffic }),
  };
}

export function machineState(machine: Machine): string {
  if (!machine.reachable) return "unreachable";
  if (!machine.draining) return "up";
  return machine.place.occupants.size === 0 ? "drained" : "draining";
}

/** `sees`: whether the caller may see what is this user's. */
export function machineView(machine: Machine, usage: UsageTable, sees: (owner: UserId) => boolean): MachineView {
  const { facts, place } = machine;
  let limit = ZERO;
  let tasks = 0;
  for (const instance of place.occupants.values()) limit = plus(limit, instance.limit);
  for (const instance of everythingOn(machine)) if (instance.inside === undefined) tasks += 1;
  return make(MachineViewSchema, {
    name: machine.id,
    state: machineState(machine),
    sinceMs: machine.sinceMs,
    host: facts.host,
    tasks,
    capacity: resourcesOf(place.capacity),
    limit: resourcesOf(limit),
    reservation: resourcesOf(place.reserved),
    usage: sumUsage(usage.on(machine.id)),
    attributes: facts.attributes,
    volumes: facts.volumes,
    directories: machine.directories.filter(({ alloc }) => sees(ownerOf(alloc))).map((each) => ({ ...each })),
    rack: facts.rack,
    powerDomain: facts.powerDomain,
    portFirst: facts.portFirst,
    portLast: facts.portLast,
    heardMs: usage.heardMs(machine.id),
    ...(machine.approval === undefined ? {} : { approval: machine.approval, claimed: resourcesOf(capacityOf(facts, undefined)) }),
  });
}

export const eventView = (logged: LoggedEvent): Init<typeof EventViewSchema> => ({
  text: eventText(logged.event, logged.actor),
  event: wireEvent(logged),
});

export function wireEvent({ position, index, op, timeMs, actor, requestId, event }: LoggedEvent): Event {
  const { kind, cause, ...rest } = event;
  return make(EventSchema, {
    position,
    op,
    index,
    timeMs,
    kind: EVENT_KINDS[kind],
    ...rest,
    ...(cause === undefined ? {} : { cause: wireCause(cause) }),
    ...(actor === undefined ? {} : { actor }),
    trace: traceOf(actor?.name ?? "", requestId),
  });
}
