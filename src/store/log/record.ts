/**
 * The framing of one record. A record starts at a multiple of 8, so that a scan after damage finds later intact ones:
 *
 *    0 u32 crc           crc32c of everything that follows, padding included, seeded with the segment and the offset
 *    4 u32 length        of the payload
 *    8 u32 previous      crc of the record before (the chain)
 *   12 u32 kind
 *   16 f64 term
 *   24 f64 position      of this entry; other kinds repeat that of the last entry
 *   32 f64 acknowledged  position of the last entry that was durable when this record was written
 *   40 f64 sequence      counts records of every kind
 *   48 f64 synced        sequence of the last record that was durable when this one was written
 *   56 payload, then zeros up to a multiple of 8
 *
 * Positions speak about entries; `sequence` and `synced` let a lost mark, seal or lead be noticed as well.
 */
import { crc32c } from "../../base/crc32c.ts";
import { ENTRY_BYTES_MAX } from "../../wire/journal.ts";

export type RecordKind = "entry" | "mark" | "seal" | "lead";

export const RECORD_HEADER_BYTES = 56;

/** Four letters each: a scan after damage looks for them first. */
const KIND_CODE: Readonly<Record<RecordKind, number>> = { entry: 0x59544e45, mark: 0x4b52414d, seal: 0x4c414553, lead: 0x4441454c };
const KIND_OF = new Map(Object.entries(KIND_CODE).map(([kind, code]) => [code, kind as RecordKind]));

/** What the next record has to follow on from. */
export interface Tip {
  readonly position: number;
  readonly sequence: number;
  readonly term: number;
  /** The crc of the last record, or of the segment's header. */
  readonly chain: number;
}

export interface LogRecord extends Tip {
  readonly kind: RecordKind;
  readonly previous: number;
  readonly acknowledged: number;
  readonly synced: number;
  /** Where the payload lies in the bytes that were read. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
  /** Where the next record starts. */
  readonly end: number;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const recordBytes = (payloadLength: number): number => (RECORD_HEADER_BYTES + payloadLength + 7) & ~7;

export const SEAL_BYTES = recordBytes(0);

/** Seeding with the offset makes a record that was written to the wrong place, or that sits inside a payload, not intact. */
const seedAt = (seed: number, fileOffset: number): number => (seed ^ fileOffset) >>> 0;

export interface Draft {
  readonly kind: RecordKind;
  readonly term: number;
  readonly payload: Uint8Array;
  readonly acknowledged: number;
  readonly synced: number;
}

/** Writes the record that follows `tip` at `at` of a zeroed or reused buffer, and answers the new tip. */
export function encodeRecord(into: Uint8Array, at: number, fileOffset: number, seed: number, tip: Tip, draft: Draft): Tip {
  const end = at + recordBytes(draft.payload.length);
  const position = draft.kind === "entry" ? tip.position + 1 : tip.position;
  const sequence = tip.sequence + 1;
  const view = viewOf(into);
  view.setUint32(at + 4, draft.payload.length, true);
  view.setUint32(at + 8, tip.chain, true);
  view.setUint32(at + 12, KIND_CODE[draft.kind], true);
  view.setFloat64(at + 16, draft.term, true);
  view.setFloat64(at + 24, position, true);
  view.setFloat64(at + 32, draft.acknowledged, true);
  view.setFloat64(at + 40, sequence, true);
  view.setFloat64(at + 48, draft.synced, true);
  into.set(draft.payload, at + RECORD_HEADER_BYTES);
  into.fill(0, at + RECORD_HEADER_BYTES + draft.payload.length, end);
  const chain = crc32c(into, at + 4, end, seedAt(seed, fileOffset));
  view.setUint32(at, chain, true);
  return { position, sequence, term: draft.term, chain };
}

/** Bytes of the whole record that starts at `at`, as far as its length field can be believed; undefined if it cannot be a record. */
export function promisedBytes(view: DataView, at: number): number | undefined {
  if (at + RECORD_HEADER_BYTES > view.byteLength || !KIND_OF.has(view.getUint32(at + 12, true))) return undefined;
  const length = view.getUint32(at + 4, true);
  return length > ENTRY_BYTES_MAX ? undefined : recordBytes(length);
}

/** The record at `at` if it is intact by itself; whether it belongs there is for `misfit` to say. */
export function decodeRecord(bytes: Uint8Array, view: DataView, at: number, fileOffset: number, seed: number): LogRecord | undefined {
  const size = promisedBytes(view, at);
  if (size === undefined || at + size > bytes.length) return undefined;
  const chain = view.getUint32(at, true);
  if (crc32c(bytes, at + 4, at + size, seedAt(seed, fileOffset)) !== chain) return undefined;
  return {
    kind: KIND_OF.get(view.getUint32(at + 12, true))!,
    previous: view.getUint32(at + 8, true),
    term: view.getFloat64(at + 16, true),
    position: view.getFloat64(at + 24, true),
    acknowledged: view.getFloat64(at + 32, true),
    sequence: view.getFloat64(at + 40, true),
    synced: view.getFloat64(at + 48, true),
    chain,
    payloadStart: at + RECORD_HEADER_BYTES,
    payloadEnd: at + RECORD_HEADER_BYTES + view.getUint32(at + 4, true),
    end: at + size,
  };
}

/** Why an intact record cannot follow `tip`, or undefined if it does. */
export function misfit(tip: Tip, record: LogRecord): string | undefined {
  if (record.previous !== tip.chain) return "the record does not follow on from the one before it";
  if (record.sequence !== tip.sequence + 1) return `record number ${record.sequence} follows number ${tip.sequence}`;
  const position = record.kind === "entry" ? tip.position + 1 : tip.position;
  if (record.position !== position) return `position ${record.position} stands where ${position} belongs`;
  if (record.kind === "lead" ? record.term <= tip.term : record.term !== tip.term) return `term ${record.term} follows term ${tip.term}`;
  if (record.acknowledged > tip.position || record.synced > tip.sequence) return "the record acknowledges what comes after it";
  return undefined;
}
