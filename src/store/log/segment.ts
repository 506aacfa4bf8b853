/**
 * Segment files: names, headers, and how a new one comes to be. A segment is made under a temporary name, at its
 * full size and durable, before it gets its real name: a file called `.log` always had an intact header once.
 *
 *    0 8 bytes "BORGLOG\n"    8 u32 format version   12 u32 crc32c of the header with this field zero
 *   16 f64 first position     24 f64 term before it  32 f64 sequence before it   40 f64 wall time when made
 *   48 u32 crc of the record before it (0 for the first)          52 u32 length of the cell's name   56 the name, ASCII
 */
import { assert } from "../../base/assert.ts";
import { crc32c } from "../../base/crc32c.ts";
import { type Disk, DiskError } from "../../base/env.ts";
import { UnusableError } from "./error.ts";
import { type LogRecord, recordBytes, SEAL_BYTES, type Tip, viewOf } from "./record.ts";

export const FORMAT_VERSION = 1;
export const SEGMENT_HEADER_BYTES = 128;
export const SEGMENT_BYTES = 64 * 2 ** 20;
export const CELL_NAME_MAX = SEGMENT_HEADER_BYTES - 56;

/** Files that end so were never finished; opening removes them. */
export const TEMPORARY = ".tmp";

const MAGIC = Uint8Array.from("BORGLOG\n", (letter) => letter.charCodeAt(0));
const POSITION_DIGITS = 16;
const NAME = /^[0-9]{16}\.log$/;

export interface Segment {
  readonly file: string;
  /** Position of the first entry in it, also when there is none yet. */
  readonly first: number;
}

export interface SegmentHeader {
  readonly cell: string;
  readonly first: number;
  readonly madeMs: number;
  /** The last record before this segment, its seal left out. */
  readonly before: Tip;
  /** Chains the first record to this header. */
  readonly crc: number;
}

export const padded = (position: number): string => String(position).padStart(POSITION_DIGITS, "0");
export const segmentFile = (first: number): string => `${padded(first)}.log`;

/** Every segment there is, oldest first. */
export function segmentsOf(names: readonly string[]): Segment[] {
  const files = names.filter((name) => NAME.test(name)).sort();
  return files.map((file) => ({ file, first: Number(file.slice(0, POSITION_DIGITS)) }));
}

export const checkCell = (cell: string): void =>
  assert(/^[\x21-\x7e]+$/.test(cell) && cell.length <= CELL_NAME_MAX, `Cannot use "${cell}" as a cell's name in a journal`);

/** Seeds every crc in a segment. It needs the name only, so that records can be judged even when the header is damaged. */
export function segmentSeed(cell: string, first: number): number {
  const bytes = Uint8Array.from(`${cell}/${padded(first)}`, (letter) => letter.charCodeAt(0));
  return crc32c(bytes);
}

export function encodeHeader(cell: string, before: Tip, madeMs: number): Uint8Array {
  const bytes = new Uint8Array(SEGMENT_HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setFloat64(16, before.position + 1, true);
  view.setFloat64(24, before.term, true);
  view.setFloat64(32, before.sequence, true);
  view.setFloat64(40, madeMs, true);
  view.setUint32(48, before.chain, true);
  view.setUint32(52, cell.length, true);
  for (let i = 0; i < cell.length; i++) bytes[56 + i] = cell.charCodeAt(i);
  view.setUint32(12, headerCrc(bytes), true);
  return bytes;
}

/** The field of the crc itself counts as zero. */
function headerCrc(bytes: Uint8Array): number {
  return crc32c(bytes, 16, SEGMENT_HEADER_BYTES, crc32c(new Uint8Array(4), 0, 4, crc32c(bytes, 0, 12)));
}

/** The header, or undefined if it is damaged. An intact header of another cell or version is refused in words. */
export function decodeHeader(bytes: Uint8Array, segment: Segment, cell: string): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined;
  const view = viewOf(bytes);
  const crc = view.getUint32(12, true);
  if (headerCrc(bytes) !== crc) return undefined;
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) {
    throw new UnusableError(`Cannot read "${segment.file}": it has format ${version}, and this version knows format ${FORMAT_VERSION}`);
  }
  const owner = String.fromCharCode(...bytes.subarray(56, 56 + view.getUint32(52, true)));
  if (owner !== cell) throw new UnusableError(`Cannot open "${segment.file}": it belongs to cell "${owner}", not to "${cell}"`);
  const first = view.getFloat64(16, true);
  if (first !== segment.first) return undefined;
  const before = {
    position: first - 1,
    term: view.getFloat64(24, true),
    sequence: view.getFloat64(32, true),
    chain: view.getUint32(48, true),
  };
  return { cell, first, madeMs: view.getFloat64(40, true), before, crc };
}

/** What the first record of a segment follows on from. The seal of the segment before (or the start of the log) took one sequence number. */
export const tipOfHeader = (header: SegmentHeader): Tip => ({ ...header.before, sequence: header.before.sequence + 1, chain: header.crc });

/** The header names the record before the seal; the seal follows the same record. */
export function followsSeal(seal: LogRecord, { before }: SegmentHeader): boolean {
  const same = before.position === seal.position && before.term === seal.term && before.chain === seal.previous;
  return same && before.sequence === seal.sequence - 1;
}

/** Bytes a segment needs so that one payload of this length fits in with room for its seal. */
export const segmentBytesFor = (payloadLength: number): number => SEGMENT_HEADER_BYTES + recordBytes(payloadLength) + SEAL_BYTES;

/** Makes a segment, durable in bytes and in name. `take` puts an empty file under the temporary name. On a full disk nothing of it remains. */
export function makeSegment(disk: Disk, header: Uint8Array, first: number, take: (temporary: string) => void): void {
  const file = segmentFile(first);
  const temporary = `${file}${TEMPORARY}`;
  try {
    take(temporary);
    disk.write(temporary, 0, header);
  } catch (cause) {
    if (cause instanceof DiskError && cause.fault === "full") removeIfThere(disk, temporary);
    throw cause;
  }
  disk.sync(temporary);
  disk.rename(temporary, file);
  disk.syncNames();
}

export function removeIfThere(disk: Disk, name: string): void {
  if (disk.list().includes(name)) disk.remove(name);
}
