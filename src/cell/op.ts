/** The journal's vocabulary by name, and how ops and entries are put together, encoded, and checked before they may be applied. */
import { type Result, refused } from "../base/result.ts";
import { checker } from "../wire/check.ts";
import { decode, encode, type Init, make } from "../wire/codec.ts";
import { ActorKind, type Entry, EntrySchema, type Op, OpSchema } from "../wire/gen/borg/v1/op_pb.ts";

export type { Entry, Op } from "../wire/gen/borg/v1/op_pb.ts";

type OpBody = NonNullable<Init<typeof OpSchema>["body"]>;

/** One op may not be larger; a job with larger configuration files ships them in a package. */
export const OP_BYTES_MAX = 1024 * 1024;
const ENTRY_BYTES_MAX = 16 * 1024 * 1024;

export const userOp = (user: string, requestId: string, body: OpBody): Op =>
  make(OpSchema, { actor: { kind: ActorKind.USER, name: user }, requestId, body });

export const masterOp = (body: OpBody): Op => make(OpSchema, { actor: { kind: ActorKind.MASTER }, body });

export const schedulerOp = (name: string, body: OpBody): Op => make(OpSchema, { actor: { kind: ActorKind.SCHEDULER, name }, body });

export const makeEntry = (timeMs: number, ops: Op[]): Entry => make(EntrySchema, { timeMs, ops });

export const encodeEntry = (entry: Entry): Uint8Array => encode(EntrySchema, entry);

/** What is wrong with an op as such, whatever the state; undefined when nothing is. Done once, at the edge. */
export const opFault: (op: Op) => string | undefined = checker(OpSchema);

const entryFault = checker(EntrySchema);

/** Bytes from outside: bounded before they are parsed, and checked field by field. */
export function decodeOp(bytes: Uint8Array): Result<Op> {
  const decoded = decode(OpSchema, bytes, OP_BYTES_MAX);
  if (!decoded.ok) return decoded;
  const fault = opFault(decoded.value);
  return fault === undefined ? decoded : refused(`Op${fault}`);
}

/** An entry of the journal. It was checked before it was appended; a fault now means that it is not what was appended. */
export function decodeEntry(bytes: Uint8Array): Result<Entry> {
  const decoded = decode(EntrySchema, bytes, ENTRY_BYTES_MAX);
  if (!decoded.ok) return decoded;
  const fault = entryFault(decoded.value);
  return fault === undefined ? decoded : refused(`Entry${fault}`);
}
