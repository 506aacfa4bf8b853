/** Tasks and instances from the records of a checkpoint or of the change feed. Whoever keeps a copy of the cell reads them here. */
import { type InstanceId, type MachineId, machineId, taskId } from "../../base/id.ts";
import { copyOf, equal, type Vector, ZERO } from "../../base/vector.ts";
import {
  type Amounts,
  type InstanceRecord,
  type JobRecord,
  type MachineRecord,
  type StatusRecord,
  type TaskRecord,
  type ToldRecord,
  TaskState as WireState,
} from "../../wire/gen/borg/v1/record_pb.ts";
import type { AllocSetSpec, JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";
import { causeOf } from "../cause.ts";
import { NO_DEVICES } from "../device.ts";
import { holdSpec, releaseSpec } from "../framework.ts";
import { NO_SPECS } from "../generation.ts";
import { healthOf } from "../health.ts";
import { faring, newInstance } from "../instance.ts";
import { mesosReasonOf, mesosStateOf } from "../mesos-state.ts";
import { NO_PAST } from "../past.ts";
import { newFace } from "../spec.ts";
import type { Instance, Job, KeptDirectory, KeptSpec, Launched, Led, Past, Place, Spec, Status, Task, Told, Update } from "../state.ts";
import { healthFromWire, phaseFromWire, stateFromWire, toldFromWire } from "./names.ts";

export function readSpec(spec: JobRecord["spec"]): Spec | undefined {
  if (spec.case === "job") return { kind: "job", job: spec.value };
  if (spec.case === "allocSet") return { kind: "alloc-set", allocSet: spec.value };
  return spec.case === "framework" ? { kind: "framework", framework: spec.value } : undefined;
}

/** Of messages that are about a job or an alloc set: whichever spec is there. */
export function eitherSpec(asked: { readonly spec?: JobSpec | undefined; readonly allocSet?: AllocSetSpec | undefined }): Spec | undefined {
  if (asked.spec !== undefined) return { kind: "job", job: asked.spec };
  return asked.allocSet === undefined ? undefined : { kind: "alloc-set", allocSet: asked.allocSet };
}

/** How many instances name each is counted as they come. */
export function readKept({ kept }: JobRecord): readonly KeptSpec[] {
  if (kept.length === 0) return NO_SPECS;
  return kept.flatMap(({ generation, spec }) => {
    const read = readSpec(spec);
    return read === undefined ? [] : [{ generation, spec: read, instances: 0 }];
  });
}

/** What it is charged is worked out again. */
export function readUpdate({ update }: JobRecord): Update | undefined {
  const spec = update === undefined ? undefined : eitherSpec(update);
  if (update === undefined || spec === undefined) return undefined;
  const { generation, phase, tasks, countBefore, startedMs, sinceMs, reason, preempted } = update;
  const ranges = tasks.map(({ first, last }) => ({ first, last }));
  const progress = { generation, phase: phaseFromWire(phase), ranges, countBefore, startedMs, sinceMs, reason, preempted };
  return { ...newFace(spec), ...progress, charge: ZERO };
}

/** What is derived of it comes with its tasks. */
export function readLed(led: Led, { led: record }: JobRecord): void {
  led.number = record?.number ?? 0;
  led.session = record?.session ?? 0;
  led.sessionMs = record?.sessionMs ?? 0;
  led.disconnectedMs = record?.disconnectedMs ?? 0;
}

/** What it was launched with is read once: only when it is over are its details forgotten. */
function readLaunched({ job: { led } }: Pick<Task, "job">, before: Launched | undefined, record: TaskRecord): Launched | undefined {
  const { launched } = record;
  if (led === undefined || launched?.spec === undefined) return undefined;
  const { taskId, title, group, number, told } = launched;
  const isSame = before !== undefined && before.taskId === taskId && record.state !== WireState.DEAD;
  if (before !== undefined && !isSame) releaseSpec(led, before.spec);
  return {
    ...{ taskId, title, group, number, told: mesosStateOf(told) },
    spec: isSame ? before.spec : holdSpec(led, launched.spec),
    updates: launched.updates.map(readStatus),
  };
}

const readStatus = ({ number, state, reason, message, healthy, timeMs, data }: StatusRecord): Status => ({
  ...{ number, message, healthy, timeMs, data },
  state: mesosStateOf(state),
  reason: mesosReasonOf(reason),
});

/** All but the instance. Written out, like updateTask below: every copy of a cell reads every task, and a spread of the same fields took twice as long. */
export function readTask(job: Job, index: number, record: TaskRecord): Task {
  const fields = fieldsOf(record);
  return {
    job,
    index,
    id: taskId(job.id, index),
    state: fields.state,
    cause: fields.cause,
    sinceMs: fields.sinceMs,
    incarnation: fields.incarnation,
    starts: fields.starts,
    failures: fields.failures,
    firstStartMs: fields.firstStartMs,
    notBeforeMs: fields.notBeforeMs,
    pinned: fields.pinned,
    past: fields.past,
    told: fields.told,
    launched: record.launched === undefined ? undefined : readLaunched({ job }, undefined, record),
    instance: undefined,
  };
}

/** Field by field, because every reader of the feed does it for every task, and Object.assign looks up each name anew. */
export function updateTask(task: Task, record: TaskRecord): void {
  const fields = fieldsOf(record);
  task.state = fields.state;
  task.cause = fields.cause;
  task.sinceMs = fields.sinceMs;
  task.incarnation = fields.incarnation;
  task.starts = fields.starts;
  task.failures = fields.failures;
  task.firstStartMs = fields.firstStartMs;
  task.notBeforeMs = fields.notBeforeMs;
  task.pinned = fields.pinned;
  task.past = fields.past;
  task.told = fields.told;
  if (record.launched !== undefined || task.launched !== undefined) task.launched = readLaunched(task, task.launched, record);
}

function fieldsOf(record: TaskRecord): Omit<Task, "job" | "index" | "id" | "instance" | "launched"> {
  const { sinceMs, incarnation, starts, failures, firstStartMs, notBeforeMs } = record;
  return {
    state: stateFromWire(record.state),
    cause: causeOf(record.cause) ?? "other",
    sinceMs,
    incarnation,
    starts,
    failures,
    firstStartMs,
    notBeforeMs,
    pinned: record.pinned === "" ? undefined : (record.pinned as MachineId),
    past: pastOf(record),
    told: record.told === undefined ? undefined : toldOf(record.told),
  };
}

function pastOf(record: TaskRecord): Past {
  const { failedRuns, avoid, lastExit, lastInstance } = record;
  if (failedRuns === 0 && avoid.length === 0 && lastExit === undefined && lastInstance === "") return NO_PAST;
  return {
    failedRuns,
    avoid: avoid.map(({ machine, untilMs }) => ({ machine: machineId(machine), untilMs })),
    lastExit: lastExit === undefined ? undefined : { code: lastExit.code, signal: lastExit.signal, message: lastExit.message },
    last: lastInstance === "" ? undefined : lastOf(record),
  };
}

const toldOf = ({ generation, kind, timeMs }: ToldRecord): Told => ({ generation, kind: toldFromWire(kind), timeMs });

const lastOf = ({ lastInstance, lastMachine, lastPreemptor }: TaskRecord): NonNullable<Past["last"]> => ({
  instance: lastInstance as InstanceId,
  machine: lastMachine as MachineId,
  preemptor: lastPreemptor === "" ? undefined : (lastPreemptor as InstanceId),
});

const NO_PORTS: readonly number[] = [];

export function readInstance(task: Task, place: Place, record: InstanceRecord): Instance {
  const limit = sharedLimit(task.job, record.limit);
  const ports = record.ports.length === 0 ? NO_PORTS : [...record.ports];
  const { generation, incarnation, priority, scheduler, placedMs, reclaimable, noticeMs, lameDuckMs } = record;
  const devices = record.devices.length === 0 ? NO_DEVICES : record.devices.map(({ name, number, amount }) => ({ name, number, amount }));
  const numbers = { ports, devices, scheduler, placedMs };
  const placing = { task, generation, incarnation, place, priority, limit, reclaimable, noticeMs, lameDuckMs, ...numbers };
  const instance = newInstance(placing, record.alloc);
  updateInstance(instance, record);
  return instance;
}

/** What can change in the life of an instance. */
export function updateInstance(instance: Instance, record: InstanceRecord): void {
  const { stop } = record;
  instance.priority = record.priority;
  instance.generation = record.generation;
  if (!hasLimit(record, instance.limit)) instance.limit = sharedLimit(instance.task.job, record.limit);
  instance.reservation = record.reservation === undefined ? instance.limit : vectorOf(record.reservation);
  instance.startedMs = record.startedMs;
  instance.run = record.run;
  instance.faring = faring({
    runMs: record.runMs,
    failures: record.failures,
    backOffUntilMs: record.backoffUntilMs,
    health: healthFromWire(record.health),
    ready: healthOf(record.ready) ?? "unknown",
    wellMs: record.wellMs,
    problem: record.problem,
  });
  instance.overRam = record.overRam;
  instance.stop =
    stop === undefined
      ? undefined
      : {
          cause: causeOf(stop.cause) ?? "other",
          timeMs: stop.timeMs,
          noticeMs: stop.noticeMs,
          lameDuckMs: stop.lameDuckMs,
          preemptor: stop.preemptor === "" ? undefined : (stop.preemptor as InstanceId),
        };
  if (instance.inside === undefined) return;
  instance.inside.portNext = record.portNext;
  // An alloc may have been resized with its tasks in it.
  instance.inside.capacity = instance.limit;
}

/** Whether a record leaves as it is what others count by: its priority, its limit, its reservation, whether it is over its memory, whether it stops and for whom. */
export function isCountedAlike({ priority, overRam, stop, reservation, limit }: Instance, record: InstanceRecord): boolean {
  if (priority !== record.priority || overRam !== record.overRam || (stop === undefined) !== (record.stop === undefined)) return false;
  if (stop !== undefined && (stop.preemptor ?? "") !== record.stop?.preemptor) return false;
  if (!hasLimit(record, limit)) return false;
  return equal(reservation, record.reservation ?? limit);
}

/** What `counts` says of an instance, said of its record. */
export const isCounted = ({ stop }: InstanceRecord): boolean => stop === undefined || stop.preemptor === "";

export const hasLimit = (record: InstanceRecord, limit: Vector): boolean => equal(record.limit ?? ZERO, limit);

/** One object for all tasks with the job's own limit. */
function sharedLimit(job: Job, record: Amounts | undefined): Vector {
  if (record === undefined) return equal(ZERO, job.limit) ? job.limit : ZERO;
  return equal(record, job.limit) ? job.limit : vectorOf(record);
}

const vectorOf = (record: Amounts): Vector =>
  copyOf(record, record.extras.length === 0 ? ZERO.extras : record.extras.map(({ name, amount }) => ({ name, amount })));

export const readDirectories = ({ directories }: MachineRecord): readonly KeptDirectory[] =>
  directories.map(({ alloc, untilMs }) => ({ alloc: alloc as InstanceId, untilMs }));
