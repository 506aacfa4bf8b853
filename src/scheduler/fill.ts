/** Reads records of an image or of the feed into the scheduler's own objects. They have the types of the cell's, and are never the cell's. */
import { type InstanceId, instanceId, jobId, type MachineId, machineId, taskId } from "../base/id.ts";
import { equal, type Vector, ZERO } from "../base/vector.ts";
import { newJob } from "../cell/admission.ts";
import { causeOf } from "../cell/cause.ts";
import { healthFromWire, stateFromWire } from "../cell/checkpoint-names.ts";
import { newMachine } from "../cell/machines.ts";
import { newPlace } from "../cell/place.ts";
import { baseLimit } from "../cell/spec.ts";
import type { Instance, Job, Machine, Place, Task } from "../cell/state.ts";
import { firstDifference } from "../wire/difference.ts";
import type { Amounts, InstanceRecord, JobRecord, MachineRecord, TaskRecord } from "../wire/gen/borg/v1/checkpoint_pb.ts";
import { MachineFactsSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { AllocSetSpecSchema, JobSpecSchema } from "../wire/gen/borg/v1/spec_pb.ts";

export function readMachine(record: MachineRecord): Machine | undefined {
  if (record.facts === undefined) return undefined;
  const machine = newMachine(machineId(record.name), record.facts, record.sinceMs);
  updateMachine(machine, record);
  return machine;
}

export function updateMachine(machine: Machine, record: MachineRecord): void {
  const { facts } = record;
  if (facts !== undefined && facts !== machine.facts && firstDifference(MachineFactsSchema, machine.facts, facts) !== undefined) {
    const fresh = newMachine(machine.id, facts, record.sinceMs);
    machine.facts = facts;
    machine.place.capacity = fresh.place.capacity;
    machine.attributes.clear();
    for (const [key, value] of fresh.attributes) machine.attributes.set(key, value);
  }
  machine.reachable = record.reachable;
  machine.draining = record.draining;
  machine.sequence = record.sequence;
  machine.sinceMs = record.sinceMs;
  machine.place.portNext = record.portNext;
}

export function readJob(record: JobRecord): Job | undefined {
  const spec = specOf(record);
  if (spec === undefined) return undefined;
  const named = spec.kind === "job" ? spec.job : spec.allocSet;
  const job = newJob(jobId(named.user, named.name), spec, named, record.submittedMs);
  updateJob(job, record);
  return job;
}

const specOf = ({ spec }: JobRecord): Job["spec"] | undefined => {
  if (spec.case === "job") return { kind: "job", job: spec.value };
  return spec.case === "allocSet" ? { kind: "alloc-set", allocSet: spec.value } : undefined;
};

/** The spec object stays the same while nothing in it changed, so that who remembers it can see that. */
export function updateJob(job: Job, record: JobRecord): void {
  const spec = specOf(record);
  if (spec !== undefined && differs(job.spec, spec)) {
    job.spec = spec;
    job.priority = spec.kind === "job" ? spec.job.priority : spec.allocSet.priority;
    job.limit = baseLimit(spec);
  }
  job.count = record.count;
  job.submittedMs = record.submittedMs;
  job.sinceMs = record.sinceMs;
  job.held = record.held;
  job.killed = record.killed;
}

function differs(a: Job["spec"], b: Job["spec"]): boolean {
  if (a.kind === "job" && b.kind === "job") return a.job !== b.job && firstDifference(JobSpecSchema, a.job, b.job) !== undefined;
  if (a.kind === "alloc-set" && b.kind === "alloc-set")
    return a.allocSet !== b.allocSet && firstDifference(AllocSetSpecSchema, a.allocSet, b.allocSet) !== undefined;
  return true;
}

const NOWHERE: Task["avoid"] = [];

/** All but the instance. */
export function readTask(job: Job, index: number, record: TaskRecord): Task {
  return { job, index, id: taskId(job.id, index), ...fieldsOf(record), instance: undefined };
}

export function updateTask(task: Task, record: TaskRecord): void {
  Object.assign(task, fieldsOf(record));
}

function fieldsOf(record: TaskRecord): Omit<Task, "job" | "index" | "id" | "instance"> {
  const { sinceMs, incarnation, starts, failures, notBeforeMs, lastExit } = record;
  return {
    state: stateFromWire(record.state),
    cause: causeOf(record.cause) ?? "other",
    sinceMs,
    incarnation,
    starts,
    failures,
    notBeforeMs,
    pinned: record.pinned === "" ? undefined : (record.pinned as MachineId),
    avoid: record.avoid.length === 0 ? NOWHERE : record.avoid.map(({ machine, untilMs }) => ({ machine: machineId(machine), untilMs })),
    lastExit: lastExit === undefined ? undefined : { code: lastExit.code, signal: lastExit.signal, message: lastExit.message },
  };
}

const NO_PORTS: readonly number[] = [];

export function readInstance(task: Task, place: Place, record: InstanceRecord): Instance {
  const id = instanceId(task.id, record.incarnation);
  const limit = sharedLimit(task.job, record.limit);
  const ports = record.ports.length === 0 ? NO_PORTS : [...record.ports];
  const { incarnation, priority, scheduler, placedMs, reclaimable, noticeMs } = record;
  const instance: Instance = {
    id,
    task,
    incarnation,
    place,
    priority,
    limit,
    reclaimable,
    noticeMs,
    reservation: limit,
    ports,
    scheduler,
    placedMs,
    startedMs: 0,
    run: 0,
    health: "unknown",
    overRam: false,
    stop: undefined,
    inside: record.alloc ? newPlace(id, place.machine, limit, ports) : undefined,
  };
  updateInstance(instance, record);
  return instance;
}

/** What can change in the life of an instance. */
export function updateInstance(instance: Instance, record: InstanceRecord): void {
  const { stop } = record;
  instance.reservation = record.reservation === undefined ? instance.limit : vectorOf(record.reservation);
  instance.startedMs = record.startedMs;
  instance.run = record.run;
  instance.health = healthFromWire(record.health);
  instance.overRam = record.overRam;
  instance.stop =
    stop === undefined
      ? undefined
      : {
          cause: causeOf(stop.cause) ?? "other",
          timeMs: stop.timeMs,
          noticeMs: stop.noticeMs,
          preemptor: stop.preemptor === "" ? undefined : (stop.preemptor as InstanceId),
        };
  if (instance.inside !== undefined) instance.inside.portNext = record.portNext;
}

/** One object for all tasks with the job's own limit. */
function sharedLimit(job: Job, record: Amounts | undefined): Vector {
  const limit = record === undefined ? ZERO : vectorOf(record);
  return equal(limit, job.limit) ? job.limit : limit;
}

const vectorOf = ({ cpu, ram, disk, bandwidth, ports, extras }: Amounts): Vector => ({
  cpu,
  ram,
  disk,
  bandwidth,
  ports,
  extras: extras.length === 0 ? ZERO.extras : extras.map(({ name, amount }) => ({ name, amount })),
});
