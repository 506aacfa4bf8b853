/**
 * A checkpoint: the state as a row of records in canonical order (cell, users, schedulers, machines, jobs with their tasks, each kind
 * by name). Equal states give equal bytes, and so equal hashes; derived fields are left out.
 * The hash leaves out position and time: an op that is refused moves those and nothing else.
 */
import { fnv1a } from "../../base/fnv.ts";
import { compareIds } from "../../base/id.ts";
import { type NewHash, newSha256 } from "../../base/sha256.ts";
import { encode, make } from "../../wire/codec.ts";
import {
  CellRecordSchema,
  type CheckpointRecord,
  CheckpointRecordSchema,
  type UserRecord,
  UserRecordSchema,
} from "../../wire/gen/borg/v1/checkpoint_pb.ts";
import { dayRecord } from "../eviction-days.ts";
import { grantsOf, jobRecord, machineRecord, schedulerRecord, taskRecords } from "../record/record.ts";
import type { CellState, User } from "../state.ts";

export const CHECKPOINT_FORMAT = 1;

export interface Checkpoint {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

export function encodeCheckpoint(state: CellState, newHash: NewHash = newSha256): Checkpoint {
  const frames: Uint8Array[] = [];
  const hash = newHash();
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
export interface Slice {
  readonly index: number;
  readonly of: number;
}

export const WHOLE: Slice = { index: 0, of: 1 };

/** The canonical hash of a state, or of one part of it. [KD4] */
export function stateHash(state: CellState, slice: Slice = WHOLE, newHash: NewHash = newSha256): string {
  const hash = newHash();
  for (const record of records(state, slice)) hash.update(hashed(record, encode(CheckpointRecordSchema, record)));
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

export function* records(state: CellState, slice: Slice = WHOLE): Generator<CheckpointRecord> {
  const { name, version, incarnations, config, links, position, timeMs, expiryLagMs, expiryLagUntilMs } = state;
  const shared = links === undefined ? {} : { links };
  const settings = { format: CHECKPOINT_FORMAT, name, version, config, ...shared, invitations: byId(state.invitations, WHOLE) };
  const evictionDays = state.evictionDays.map(dayRecord);
  const value = { ...settings, evictionDays, incarnations, position, timeMs, expiryLagMs, expiryLagUntilMs };
  if (slice.index === 0) yield record({ case: "cell", value: make(CellRecordSchema, value) });
  for (const user of byId(state.users, slice)) yield record({ case: "user", value: userRecord(user) });
  for (const scheduler of byId(state.schedulers, slice)) yield record({ case: "scheduler", value: schedulerRecord(scheduler) });
  for (const role of byId(state.roles, slice)) yield record({ case: "role", value: role });
  for (const machine of byId(state.machines, slice)) yield record({ case: "machine", value: machineRecord(machine) });
  for (const job of byId(state.jobs, slice)) {
    yield record({ case: "job", value: jobRecord(job) });
    for (const tasks of taskRecords(job)) yield record({ case: "tasks", value: tasks });
  }
}

const record = (body: CheckpointRecord["body"]): CheckpointRecord => make(CheckpointRecordSchema, { body });

function byId<V>(map: ReadonlyMap<string, V>, { index, of }: Slice): V[] {
  const keys = of === 1 ? [...map.keys()] : [...map.keys()].filter((key) => fnv1a(key) % of === index);
  return keys.sort(compareIds).map((key) => map.get(key) as V);
}

/** What everybody may know of a user, and what is the cell's own: tokens, secrets and requests. */
const userRecord = (user: User): UserRecord =>
  make(UserRecordSchema, {
    ...grantsOf(user),
    tokens: [...user.tokens.values()].sort((a, b) => compareIds(a.hash, b.hash)),
    secrets: [...user.secrets.values()]
      .sort((a, b) => compareIds(a.name, b.name))
      .map(({ sealed, labels, ...rest }) => ({ ...rest, sealed: { ...sealed }, labels: [...labels] })),
    requests: [...user.requests].map(([id, request]) => ({ id, ...request })),
  });
