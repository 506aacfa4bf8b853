/** The things of a cell as records (record.proto): for checkpoints, and for whoever follows the feed. */
import { assert } from "../../base/assert.ts";
import { compareIds } from "../../base/id.ts";
import { equal, type Vector } from "../../base/vector.ts";
import { BANDS } from "../../wire/band.ts";
import { type Init, make } from "../../wire/codec.ts";
import {
  type Amounts,
  AmountsSchema,
  type CellSettings,
  CellSettingsSchema,
  type InstanceRecord,
  InstanceRecordSchema,
  type JobRecord,
  JobRecordSchema,
  type LaunchedRecord,
  LaunchedRecordSchema,
  type MachineRecord,
  MachineRecordSchema,
  type SchedulerRecord,
  SchedulerRecordSchema,
  type TaskRecord,
  TaskRecordSchema,
  type TasksRecord,
  TasksRecordSchema,
  type UpdateRecord,
  UpdateRecordSchema,
  type UserGrantsSchema,
} from "../../wire/gen/borg/v1/record_pb.ts";
import { wireCause } from "../cause.ts";
import { HEALTH } from "../health.ts";
import { MESOS_REASONS, MESOS_STATES } from "../mesos-state.ts";
import type { CellState, Instance, Job, Launched, Led, Machine, Scheduler, Spec, Task, Update, User } from "../state.ts";
import { PHASES, stateToWire, TOLD } from "./names.ts";

/** Tasks in one record, so that no record grows with its job. */
const TASKS_PER_RECORD = 1000;

export const settingsOf = ({ name, version, config, links }: CellState): CellSettings =>
  make(CellSettingsSchema, { name, version, config, ...(links === undefined ? {} : { links }) });

export const grantsOf = (user: User): Init<typeof UserGrantsSchema> => ({
  name: user.id,
  roles: [...user.roles].sort(ascending),
  capabilities: [...user.capabilities].sort(ascending),
  quotas: BANDS.flatMap(({ name, wire }) => {
    const quota = user.quotas.get(name);
    return quota === undefined ? [] : [{ band: wire, quota }];
  }),
  ...(user.bounds === undefined ? {} : { bounds: user.bounds }),
  packages: [...user.packages].sort(([a], [b]) => compareIds(a, b)).map(([, each]) => ({ ...each, labels: [...each.labels] })),
  labels: [...user.labels],
});

const ascending = (a: number, b: number): number => a - b;

export function machineRecord(machine: Machine, withFacts = true): MachineRecord {
  const { id, facts, approval, reachable, draining, sequence, sinceMs, place, directories } = machine;
  const value = {
    ...{ name: id, reachable, draining, sequence, sinceMs, portNext: place.portNext },
    ...(approval === undefined ? {} : { approval }),
    directories: directories.map((each) => ({ ...each })),
  };
  return make(MachineRecordSchema, withFacts ? { ...value, facts } : value);
}

export const schedulerRecord = ({ name, limits }: Scheduler): SchedulerRecord => make(SchedulerRecordSchema, { name, limits });

export function jobRecord(job: Job): JobRecord {
  const { count, submittedMs, sinceMs, drainedMs, held, killed, generation, specDigest } = job;
  const kept = job.kept.map((each) => ({ generation: each.generation, spec: plainSpecRecord(each.spec) }));
  return make(JobRecordSchema, {
    ...{ spec: specRecord(job.spec), count, submittedMs, sinceMs, drainedMs, held, killed, generation, kept, specDigest },
    ...(job.update === undefined ? {} : { update: updateRecord(job.update) }),
    ...(job.led === undefined ? {} : { led: ledRecord(job.led) }),
  });
}

const ledRecord = ({ number, session, sessionMs, disconnectedMs }: Led): NonNullable<Init<typeof JobRecordSchema>["led"]> => ({
  number,
  session,
  sessionMs,
  disconnectedMs,
});

function launchedRecord({ taskId, spec, title, group, number, updates, told }: Launched): LaunchedRecord {
  return make(LaunchedRecordSchema, {
    ...{ taskId, title, group, number, told: MESOS_STATES[told] },
    ...(spec.spec.kind === "job" ? { spec: spec.spec.job } : {}),
    updates: updates.map(({ state, reason, healthy, ...rest }) => ({
      ...rest,
      state: MESOS_STATES[state],
      reason: MESOS_REASONS[reason],
      ...(healthy === undefined ? {} : { healthy }),
    })),
  });
}

function updateRecord({ spec, generation, phase, ranges, countBefore, startedMs, sinceMs, reason, preempted }: Update): UpdateRecord {
  const tasks = ranges.map(({ first, last }) => ({ first, last }));
  return make(UpdateRecordSchema, {
    ...(spec.kind === "job" ? { spec: spec.job } : spec.kind === "alloc-set" ? { allocSet: spec.allocSet } : {}),
    ...{ generation, phase: PHASES[phase], tasks, countBefore, startedMs, sinceMs, reason, preempted },
  });
}

export function specRecord(spec: Spec): Exclude<JobRecord["spec"], { readonly case: undefined }> {
  if (spec.kind === "job") return { case: "job", value: spec.job };
  return spec.kind === "alloc-set" ? { case: "allocSet", value: spec.allocSet } : { case: "framework", value: spec.framework };
}

/** A framework is not updated, and no instance names its spec. */
function plainSpecRecord(spec: Spec): Exclude<JobRecord["spec"], { readonly case: undefined | "framework" }> {
  const record = specRecord(spec);
  assert(record.case !== "framework", "A framework's spec is kept beside another");
  return record;
}

/** Records of the tasks with these indexes, which are in order: a record for each unbroken run. */
export function taskRecords(job: Job, indexes: readonly number[] = job.tasks.map(({ index }) => index)): TasksRecord[] {
  const out: TasksRecord[] = [];
  for (let from = 0; from < indexes.length; ) {
    const first = indexes[from] as number;
    let below = from + 1;
    while (below < indexes.length && indexes[below] === first + below - from && below - from < TASKS_PER_RECORD) below += 1;
    const tasks = indexes.slice(from, below).map((index) => taskRecord(job.tasks[index] as Task));
    out.push(tasksRecord(job.id, first, tasks));
    from = below;
  }
  return out;
}

export const tasksRecord = (job: string, first: number, tasks: TaskRecord[]): TasksRecord => make(TasksRecordSchema, { job, first, tasks });

function taskRecord(task: Task): TaskRecord {
  const { failedRuns, avoid, lastExit, last } = task.past;
  return make(TaskRecordSchema, {
    state: stateToWire(task.state),
    cause: wireCause(task.cause),
    sinceMs: task.sinceMs,
    incarnation: task.incarnation,
    starts: task.starts,
    failures: task.failures,
    failedRuns,
    firstStartMs: task.firstStartMs,
    notBeforeMs: task.notBeforeMs,
    pinned: task.pinned ?? "",
    avoid: avoid.map(({ machine, untilMs }) => ({ machine, untilMs })),
    ...(lastExit === undefined ? {} : { lastExit: { ...lastExit } }),
    ...(last === undefined ? {} : { lastInstance: last.instance, lastMachine: last.machine, lastPreemptor: last.preemptor ?? "" }),
    ...(task.told === undefined ? {} : { told: { ...task.told, kind: TOLD[task.told.kind] } }),
    ...(task.launched === undefined ? {} : { launched: launchedRecord(task.launched) }),
    ...(task.instance === undefined ? {} : { instance: instanceRecord(task.instance) }),
  });
}

function instanceRecord(instance: Instance): InstanceRecord {
  const { incarnation, priority, ports, scheduler, placedMs, startedMs, run, overRam, reclaimable, noticeMs, lameDuckMs, stop } = instance;
  const { runMs, failures, backOffUntilMs, health, ready, wellMs, problem } = instance.faring;
  assert(instance.task.instance === instance, "An instance that its task does not know");
  return make(InstanceRecordSchema, {
    incarnation,
    place: instance.place.id,
    priority,
    limit: amountsRecord(instance.limit),
    ...(equal(instance.reservation, instance.limit) ? {} : { reservation: amountsRecord(instance.reservation) }),
    ports: [...ports],
    devices: instance.devices.map((device) => ({ ...device })),
    scheduler,
    placedMs,
    startedMs,
    run,
    runMs,
    failures,
    backoffUntilMs: backOffUntilMs,
    health: HEALTH[health],
    overRam,
    reclaimable,
    noticeMs,
    lameDuckMs,
    // Not said while nothing is known, as before there were such checks.
    ready: ready === "unknown" ? 0 : HEALTH[ready],
    wellMs,
    problem,
    generation: instance.generation,
    alloc: instance.inside !== undefined,
    portNext: instance.inside?.portNext ?? 0,
    ...(stop === undefined ? {} : { stop: { ...stop, cause: wireCause(stop.cause), preemptor: stop.preemptor ?? "" } }),
  });
}

/** Amounts has the names of a vector; a record is a copy. */
const amountsRecord = (vector: Vector): Amounts => make(AmountsSchema, vector as Init<typeof AmountsSchema>);
