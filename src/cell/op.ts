/** The journal's vocabulary by name, and how ops and entries are put together, encoded, and checked before they may be applied. */
import { assert } from "../base/assert.ts";
import { ok, type Result, refused } from "../base/result.ts";
import { type Checks, checker } from "../wire/check.ts";
import { decode, encode, encodeEntryOf, type Init, make } from "../wire/codec.ts";
import { ActorKind, type Entry, EntrySchema, type Op, OpSchema } from "../wire/gen/borg/v1/op_pb.ts";

export type { Entry, Op } from "../wire/gen/borg/v1/op_pb.ts";

type OpBody = NonNullable<Init<typeof OpSchema>["body"]>;

/** One op may not be larger; a job with larger configuration files ships them in a package. */
export const OP_BYTES_MAX = 1024 * 1024;
const ENTRY_BYTES_MAX = 16 * 1024 * 1024;

/** `digest`: of what the caller sent (borgmaster/api/digest.ts). `controller`: the instance whose token was shown. */
export const userOp = (user: string, requestId: string, body: OpBody, digest: Uint8Array = new Uint8Array(), controller = ""): Op =>
  make(OpSchema, { actor: { kind: ActorKind.USER, name: user, controller }, requestId, requestDigest: digest, body });

export const masterOp = (body: OpBody): Op => make(OpSchema, { actor: { kind: ActorKind.MASTER }, body });

/** `user`: who claims in the name of a scheduler outside the master. */
export const schedulerOp = (name: string, body: OpBody, user = ""): Op =>
  make(OpSchema, { actor: { kind: ActorKind.SCHEDULER, name, user }, body });

export const encodeOp = (op: Op): Uint8Array => encode(OpSchema, op);

/** An op and its bytes. It is encoded once, where it is made; what travels, waits and is appended are these bytes. */
export interface SealedOp {
  readonly op: Op;
  readonly bytes: Uint8Array;
}

/** For ops of our own: one with a fault would stop every master that reads it, so it stops this one before it is written. */
export function seal(op: Op): SealedOp {
  const fault = opFault(op);
  assert(fault === undefined, `Op${fault}`);
  return { op, bytes: encodeOp(op) };
}

/** The entry that holds just these ops, in their own bytes: as if they had been encoded together. */
export const sealEntry = (timeMs: number, ops: readonly SealedOp[]): Uint8Array =>
  encodeEntryOf(
    timeMs,
    ops.map(({ bytes }) => bytes),
  );

export const makeEntry = (timeMs: number, ops: Op[]): Entry => make(EntrySchema, { timeMs, ops });

export const encodeEntry = (entry: Entry): Uint8Array => encode(EntrySchema, entry);

const BOUNDS = ((made: Checks) => ({ op: checker(OpSchema, made), entry: checker(EntrySchema, made) }))(new Map());

const DIGEST_BYTES = 16;

const digestFault = ({ requestDigest: { length } }: Op): string | undefined =>
  length === 0 || length === DIGEST_BYTES ? undefined : `.requestDigest: Expected ${DIGEST_BYTES} bytes or none, found ${length}`;

/** What is wrong with an op as such, whatever the state; undefined when nothing is. Done once, at the edge. */
export const opFault = (op: Op): string | undefined => BOUNDS.op(op) ?? digestFault(op);

const entryFault = (entry: Entry): string | undefined =>
  BOUNDS.entry(entry) ?? entry.ops.map(digestFault).find((fault) => fault !== undefined);

/** Bytes from outside: bounded before they are parsed, and checked field by field. */
export function unseal(bytes: Uint8Array): Result<SealedOp> {
  if (bytes.length > OP_BYTES_MAX)
    return refused(`Expected at most ${OP_BYTES_MAX} bytes in one op, found ${bytes.length}: ship large files in a package`);
  const decoded = decode(OpSchema, bytes, OP_BYTES_MAX);
  if (!decoded.ok) return decoded;
  const fault = opFault(decoded.value);
  return fault === undefined ? ok({ op: decoded.value, bytes }) : refused(`Op${fault}`);
}

/** An entry that the master of this process has checked, for a copy of its cell: what it applied is not checked again. */
export const decodeApplied = (bytes: Uint8Array): Result<Entry> => decode(EntrySchema, bytes, ENTRY_BYTES_MAX);

/** An entry of the journal. It was checked before it was appended; a fault now means that it is not what was appended. */
export function decodeEntry(bytes: Uint8Array): Result<Entry> {
  const decoded = decode(EntrySchema, bytes, ENTRY_BYTES_MAX);
  if (!decoded.ok) return decoded;
  const fault = entryFault(decoded.value);
  return fault === undefined ? decoded : refused(`Entry${fault}`);
}
