/**
 * A checkpoint: the state as a row of records in canonical order (cell, users, schedulers, machines, jobs with their tasks, each kind
 * by name). Equal states give equal bytes, and so equal hashes; derived fields are left out.
 * The hash leaves out position and time: an op that is refused moves those and nothing else.
 */
import { assert } from "../../base/assert.ts";
import { fnv1a } from "../../base/fnv.ts";
import { compareIds } from "../../base/id.ts";
import { Sha256 } from "../../base/sha256.ts";
import { equal, type Vector } from "../../base/vector.ts";
import { encode, make } from "../../wire/codec.ts";
import {
  type Amounts,
  AmountsSchema,
  type CheckpointRecord,
  CheckpointRecordSchema,
  type InstanceRecord,
  InstanceRecordSchema,
  type TaskRecord,
  TaskRecordSchema,
  type UserRecord,
  UserRecordSchema,
} from "../../wire/gen/borg/v1/checkpoint_pb.ts";
import { BANDS } from "../band.ts";
import { wireCause } from "../cause.ts";
import { HEALTH } from "../health.ts";
import type { CellState, Instance, Job, Machine, Scheduler, Task, User } from "../state.ts";
import { stateToWire } from "./names.ts";

export const CHECKPOINT_FORMAT = 1;

/** Tasks in one record, so that no record grows with its job. */
const TASKS_PER_RECORD = 1000;

export interface Checkpoint {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

export function encodeCheckpoint(state: CellState): Checkpoint {
  const frames: Uint8Array[] = [];
  const hash = new Sha256();
  for (const record of records(state)) {
    frames.push(encode(CheckpointRecordSchema, record));
    hash.update(hashed(record, frames[frames.length - 1] as Uint8Array));
  }
  const digest = hash.hex();
  const end = make(CheckpointRecordSchema, { body: { case: "end", value: { records: frames.length, hash: digest } } });
  frames.push(encode(CheckpointRecordSchema, end));
  return { bytes: joinFrames(frames), hash: digest };
}

/** A share of a state, by the names of what is in it: a large one can be looked at piece by piece. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

const WHOLE: Part = { index: 0, of: 1 };

/** The canonical hash of a state, or of one part of it. [KD4] */
export function stateHash(state: CellState, part: Part = WHOLE): string {
  const hash = new Sha256();
  for (const record of records(state, part)) hash.update(hashed(record, encode(CheckpointRecordSchema, record)));
  return hash.hex();
}

/** What the hash sees of a record: for the cell's own, position and time are blanked. */
export function hashed(record: CheckpointRecord, bytes: Uint8Array): Uint8Array {
  if (record.body.case !== "cell") return bytes;
  return encode(
    CheckpointRecordSchema,
    make(CheckpointRecordSchema, { body: { case: "cell", value: { ...record.body.value, position: 0, timeMs: 0 } } }),
  );
}

/** Each frame is its length in four bytes, low byte first, and the record. */
function joinFrames(frames: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(frames.reduce((sum, frame) => sum + 4 + frame.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const frame of frames) {
    view.setUint32(at, frame.length, true);
    bytes.set(frame, at + 4);
    at += 4 + frame.length;
  }
  return bytes;
}

export function* records(state: CellState, part: Part = WHOLE): Generator<CheckpointRecord> {
  const { name, version, incarnations, config, position, timeMs, expiryLagMs, expiryLagUntilMs } = state;
  const value = { format: CHECKPOINT_FORMAT, name, version, incarnations, config, position, timeMs, expiryLagMs, expiryLagUntilMs };
  if (part.index === 0) yield make(CheckpointRecordSchema, { body: { case: "cell", value } });
  for (const user of byId(state.users, part)) yield make(CheckpointRecordSchema, { body: { case: "user", value: userRecord(user) } });
  for (const scheduler of byId(state.schedulers, part)) yield schedulerRecord(scheduler);
  for (const machine of byId(state.machines, part)) yield machineRecord(machine);
  for (const job of byId(state.jobs, part)) yield* jobRecords(job);
}

function byId<V>(map: ReadonlyMap<string, V>, { index, of }: Part): V[] {
  const keys = of === 1 ? [...map.keys()] : [...map.keys()].filter((key) => fnv1a(key) % of === index);
  return keys.sort(compareIds).map((key) => map.get(key) as V);
}

function userRecord(user: User): UserRecord {
  return make(UserRecordSchema, {
    name: user.id,
    roles: [...user.roles].sort(ascending),
    capabilities: [...user.capabilities].sort(ascending),
    quotas: BANDS.flatMap(({ name, wire }) => {
      const quota = user.quotas.get(name);
      return quota === undefined ? [] : [{ band: wire, quota }];
    }),
    tokens: [...user.tokens.values()].sort((a, b) => compareIds(a.hash, b.hash)),
    requests: [...user.requests].map(([id, request]) => ({ id, ...request })),
  });
}

const ascending = (a: number, b: number): number => a - b;

export function machineRecord(machine: Machine, withFacts = true): CheckpointRecord {
  const { id, facts, reachable, draining, sequence, sinceMs, place } = machine;
  const value = { name: id, reachable, draining, sequence, sinceMs, portNext: place.portNext };
  return make(CheckpointRecordSchema, { body: { case: "machine", value: withFacts ? { ...value, facts } : value } });
}

export const schedulerRecord = ({ name, limits }: Scheduler): CheckpointRecord =>
  make(CheckpointRecordSchema, { body: { case: "scheduler", value: { name, limits } } });

function* jobRecords(job: Job): Generator<CheckpointRecord> {
  yield jobRecord(job);
  yield* taskRecords(
    job,
    job.tasks.map((task) => task.index),
  );
}

export function jobRecord(job: Job): CheckpointRecord {
  const { count, submittedMs, sinceMs, held, killed } = job;
  const spec =
    job.spec.kind === "job" ? ({ case: "job", value: job.spec.job } as const) : ({ case: "allocSet", value: job.spec.allocSet } as const);
  return make(CheckpointRecordSchema, { body: { case: "job", value: { spec, count, submittedMs, sinceMs, held, killed } } });
}

/** Records of the tasks with these indexes, which are in order: a record for each unbroken run. */
export function taskRecords(job: Job, indexes: readonly number[]): CheckpointRecord[] {
  const out: CheckpointRecord[] = [];
  for (let from = 0; from < indexes.length; ) {
    const first = indexes[from] as number;
    let below = from + 1;
    while (below < indexes.length && indexes[below] === first + below - from && below - from < TASKS_PER_RECORD) below += 1;
    const tasks = indexes.slice(from, below).map((index) => taskRecord(job.tasks[index] as Task));
    out.push(make(CheckpointRecordSchema, { body: { case: "tasks", value: { job: job.id, first, tasks } } }));
    from = below;
  }
  return out;
}

function taskRecord(task: Task): TaskRecord {
  return make(TaskRecordSchema, {
    state: stateToWire(task.state),
    cause: wireCause(task.cause),
    sinceMs: task.sinceMs,
    incarnation: task.incarnation,
    starts: task.starts,
    failures: task.failures,
    failedRuns: task.failedRuns,
    firstStartMs: task.firstStartMs,
    notBeforeMs: task.notBeforeMs,
    pinned: task.pinned ?? "",
    avoid: task.avoid.map(({ machine, untilMs }) => ({ machine, untilMs })),
    ...(task.lastExit === undefined ? {} : { lastExit: { ...task.lastExit } }),
    ...(task.last === undefined
      ? {}
      : { lastInstance: task.last.instance, lastMachine: task.last.machine, lastPreemptor: task.last.preemptor ?? "" }),
    ...(task.instance === undefined ? {} : { instance: instanceRecord(task.instance) }),
  });
}

function instanceRecord(instance: Instance): InstanceRecord {
  const { incarnation, priority, ports, scheduler, placedMs, startedMs, run, overRam, reclaimable, noticeMs, stop } = instance;
  const { runMs, failures, backOffUntilMs } = instance;
  assert(instance.task.instance === instance, "An instance that its task does not know");
  return make(InstanceRecordSchema, {
    incarnation,
    place: instance.place.id,
    priority,
    limit: amountsRecord(instance.limit),
    ...(equal(instance.reservation, instance.limit) ? {} : { reservation: amountsRecord(instance.reservation) }),
    ports: [...ports],
    scheduler,
    placedMs,
    startedMs,
    run,
    runMs,
    failures,
    backoffUntilMs: backOffUntilMs,
    health: HEALTH[instance.health],
    overRam,
    reclaimable,
    noticeMs,
    alloc: instance.inside !== undefined,
    portNext: instance.inside?.portNext ?? 0,
    ...(stop === undefined
      ? {}
      : { stop: { cause: wireCause(stop.cause), timeMs: stop.timeMs, noticeMs: stop.noticeMs, preemptor: stop.preemptor ?? "" } }),
  });
}

function amountsRecord(vector: Vector): Amounts {
  const { cpu, ram, disk, bandwidth, ports } = vector;
  return make(AmountsSchema, { cpu, ram, disk, bandwidth, ports, extras: vector.extras.map(({ name, amount }) => ({ name, amount })) });
}
