/** Reads a checkpoint back. It refuses in words what is damaged or from another version; sums and indexes are built again. */
import { assert } from "../../base/assert.ts";
import { isInstance, type JobId, type MachineId, machineId, type PlaceId, userId } from "../../base/id.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { type NewHash, newSha256 } from "../../base/sha256.ts";
import { plus, ZERO } from "../../base/vector.ts";
import { bandOfWire } from "../../wire/band.ts";
import { decode, encode } from "../../wire/codec.ts";
import { type CellRecord, type CheckpointRecord, CheckpointRecordSchema, type UserRecord } from "../../wire/gen/borg/v1/checkpoint_pb.ts";
import type { InstanceRecord, JobRecord, MachineRecord, TasksRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import { recount, weigh } from "../bounds.ts";
import { newState } from "../cell.ts";
import { readDay } from "../eviction-days.ts";
import { indexTask } from "../framework.ts";
import { holdSpec } from "../generation.ts";
import { isPerMachine, jobEvent } from "../job.ts";
import { newJob } from "../ops/admission.ts";
import { settleIn } from "../ops/lifecycle.ts";
import { newMachine } from "../ops/machines.ts";
import { recharge } from "../ops/quota.ts";
import { findInstance } from "../ops/reports.ts";
import { newUser } from "../ops/users.ts";
import { packageKey } from "../package.ts";
import { readDirectories, readInstance, readKept, readLed, readSpec, readTask, readUpdate } from "../record/read.ts";
import type { CellState, Job, KeyValue, Place, Task } from "../state.ts";
import { isDead, isPlaced } from "../task.ts";
import { CHECKPOINT_FORMAT, hashed, records } from "./checkpoint.ts";

const RECORD_BYTES_MAX = 16 * 1024 * 1024;

/** Nothing is built before the hash over all records was found right. */
export function decodeCheckpoint(bytes: Uint8Array, newHash: NewHash = newSha256): Result<CellState> {
  const split = splitFrames(bytes);
  if (!split.ok) return split;
  const problem = hashProblem(split.value, newHash);
  return problem === undefined ? build(split.value.slice(0, -1)) : refused(`Checkpoint is damaged: ${problem}`);
}

/** Of bytes that somebody else in this process has found right. */
export function decodeChecked(bytes: Uint8Array): Result<CellState> {
  const split = splitFrames(bytes);
  return split.ok ? build(split.value.slice(0, -1)) : split;
}

function build(frames: readonly Uint8Array[]): Result<CellState> {
  const builder = new Builder();
  for (const frame of frames) {
    const record = decode(CheckpointRecordSchema, frame, RECORD_BYTES_MAX);
    const fault = record.ok ? builder.fill(record.value.body) : record.reason;
    if (fault !== undefined) return refused(`Checkpoint cannot be read: ${fault}`);
  }
  return ok(builder.finish());
}

function splitFrames(bytes: Uint8Array): Result<Uint8Array[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.length - at < 4 ? Number.POSITIVE_INFINITY : view.getUint32(at, true);
    if (length > bytes.length - at - 4) return refused(`Checkpoint ends inside a record at byte ${at}`);
    frames.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return frames.length < 2 ? refused("Checkpoint is not complete") : ok(frames);
}

function hashProblem(frames: readonly Uint8Array[], newHash: NewHash): string | undefined {
  const [first, last] = [frames[0] as Uint8Array, frames[frames.length - 1] as Uint8Array];
  const [cell, end] = [decode(CheckpointRecordSchema, first, RECORD_BYTES_MAX), decode(CheckpointRecordSchema, last, RECORD_BYTES_MAX)];
  if (!cell.ok || cell.value.body.case !== "cell") return "Expected the cell's own record first";
  if (!end.ok || end.value.body.case !== "end") return "Expected its end last";
  const hash = newHash().update(hashed(cell.value, first));
  for (const frame of frames.slice(1, -1)) hash.update(frame);
  if (end.value.body.value.records !== frames.length - 1)
    return `Expected ${end.value.body.value.records} records, found ${frames.length - 1}`;
  return end.value.body.value.hash === hash.hex() ? undefined : "Its hash is another";
}

/** A copy of a cell that has only these jobs: for trying something in it. Its sums are theirs. */
export function forkOf(state: CellState, jobs: (job: Job) => boolean): Result<CellState> {
  const frames = [...records({ ...state, jobs: new Map([...state.jobs].filter(([, job]) => jobs(job))) })].map((record) =>
    encode(CheckpointRecordSchema, record),
  );
  return build(frames);
}

class Builder {
  readonly #state = newState();
  /** Instances in allocs wait until the allocs are there. */
  readonly #inside: { readonly task: Task; readonly record: InstanceRecord }[] = [];

  fill(body: CheckpointRecord["body"]): string | undefined {
    switch (body.case) {
      case "cell":
        return fillCell(this.#state, body.value);
      case "user":
        fillUser(this.#state, body.value);
        return undefined;
      case "scheduler":
        if (body.value.limits === undefined) return "A scheduler without limits";
        this.#state.schedulers.set(body.value.name, {
          name: body.value.name,
          limits: body.value.limits,
          claimed: ZERO,
          claimedJobs: new Map(),
        });
        return undefined;
      case "role":
        this.#state.roles.set(body.value.name, body.value);
        return undefined;
      case "machine":
        return fillMachine(this.#state, body.value);
      case "job":
        return fillJob(this.#state, body.value);
      case "tasks":
        return this.#fillTasks(body.value);
      default:
        return "A record of an unknown kind";
    }
  }

  #fillTasks(record: TasksRecord): string | undefined {
    const job = this.#state.jobs.get(record.job as JobId);
    if (job === undefined || job.tasks.length !== record.first) return `Tasks of job "${record.job}" are out of order`;
    for (const each of record.tasks) {
      const task = readTask(job, job.tasks.length, each);
      job.tasks.push(task);
      if (job.led !== undefined) indexTask(job.led, task);
      if (task.pinned !== undefined && job.wants.perMachine) job.pins.set(task.pinned, task);
      job.placed += Number(isPlaced(task.state));
      job.dead += Number(isDead(task.state));
      if (each.instance === undefined) continue;
      if (isInstance(each.instance.place)) this.#inside.push({ task, record: each.instance });
      else putInstance(this.#state, task, each.instance);
    }
    return undefined;
  }

  finish(): CellState {
    const state = this.#state;
    for (const { task, record } of this.#inside) putInstance(state, task, record);
    for (const job of state.jobs.values()) index(state, job);
    return state;
  }
}

function fillCell(state: CellState, record: CellRecord): string | undefined {
  if (record.format !== CHECKPOINT_FORMAT) return `It has format ${record.format}, and this build reads ${CHECKPOINT_FORMAT}`;
  state.name = record.name;
  state.version = record.version;
  state.incarnations = record.incarnations;
  state.position = record.position;
  state.timeMs = record.timeMs;
  state.expiryLagMs = record.expiryLagMs;
  state.expiryLagUntilMs = record.expiryLagUntilMs;
  state.config = record.config ?? state.config;
  state.links = record.links;
  state.evictionDays.push(...record.evictionDays.map(readDay));
  for (const { machine, approval, tokenHash, untilMs } of record.invitations)
    if (approval !== undefined) state.invitations.set(machineId(machine), { machine: machineId(machine), approval, tokenHash, untilMs });
  return undefined;
}

function fillUser(state: CellState, record: UserRecord): void {
  const user = newUser(userId(record.name));
  for (const role of record.roles) user.roles.add(role);
  for (const capability of record.capabilities) user.capabilities.add(capability);
  for (const { band, quota } of record.quotas) {
    const name = bandOfWire(band);
    if (name !== undefined && quota !== undefined) user.quotas.set(name, quota);
  }
  user.bounds = record.bounds;
  user.labels = plainLabels(record.labels);
  for (const { name, digest, bytes, shared, createdMs, labels } of record.packages)
    user.packages.set(packageKey(name, digest), { name, digest, bytes, shared, createdMs, labels: plainLabels(labels) });
  for (const { name, version, sealed, createdMs, changedMs, labels } of record.secrets) {
    if (sealed === undefined) continue;
    const { keyId, nonce, ciphertext } = sealed;
    user.secrets.set(name, { name, version, sealed: { keyId, nonce, ciphertext }, createdMs, changedMs, labels: plainLabels(labels) });
  }
  for (const { hash, label, createdMs, untilMs } of record.tokens) user.tokens.set(hash, { hash, label, createdMs, untilMs });
  for (const { id, position, timeMs, what, digest } of record.requests) user.requests.set(id, { position, timeMs, what, digest });
  state.users.set(user.id, user);
}

const plainLabels = (labels: readonly KeyValue[]): KeyValue[] => labels.map(({ key, value }) => ({ key, value }));

function fillMachine(state: CellState, record: MachineRecord): string | undefined {
  if (record.facts === undefined) return `Machine "${record.name}" without facts`;
  const machine = newMachine(machineId(record.name), record.facts, record.sinceMs, record.approval);
  machine.reachable = record.reachable;
  machine.draining = record.draining;
  machine.sequence = record.sequence;
  machine.place.portNext = record.portNext;
  machine.directories = readDirectories(record);
  state.machines.set(machine.id, machine);
  state.capacity = plus(state.capacity, machine.place.capacity);
  return undefined;
}

function fillJob(state: CellState, record: JobRecord): string | undefined {
  const spec = readSpec(record.spec);
  if (spec === undefined) return "A job without spec";
  const job = newJob(spec, record.submittedMs);
  job.generation = record.generation;
  job.kept = readKept(record);
  job.update = readUpdate(record);
  if (job.led !== undefined) readLed(job.led, record);
  job.count = record.count;
  job.sinceMs = record.sinceMs;
  job.drainedMs = record.drainedMs;
  job.held = record.held;
  job.killed = record.killed;
  job.specDigest = record.specDigest;
  state.jobs.set(job.id, job);
  weigh(state, job);
  return undefined;
}

function putInstance(state: CellState, task: Task, record: InstanceRecord): void {
  const place = findPlace(state, record.place as PlaceId);
  assert(place !== undefined, `A checkpoint puts task "${task.id}" at "${record.place}", which is not there`);
  const instance = readInstance(task, place, record);
  holdSpec(instance);
  settleIn(state, instance);
}

const findPlace = (state: CellState, id: PlaceId): Place | undefined =>
  isInstance(id) ? findInstance(state, id)?.inside : state.machines.get(id as MachineId)?.place;

const STATE_OF = { end: "dead", run: "running", idle: "pending", submit: "pending" } as const;

/** Builds what is derived from a job. */
function index(state: CellState, job: Job): void {
  job.state = STATE_OF[jobEvent(job)];
  if (job.led !== undefined) weigh(state, job);
  recount(state, job);
  if (job.state === "dead") return;
  recharge(state, job, isPerMachine(job) ? job.pins.size : job.count);
  if (isPerMachine(job)) state.perMachine.add(job.id);
  if (!job.held) return;
  const prior = job.wants.startAfter as JobId;
  state.waiters.set(prior, (state.waiters.get(prior) ?? new Set<JobId>()).add(job.id));
}
