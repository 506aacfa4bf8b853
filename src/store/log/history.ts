/**
 * Reads entries back, from any position that is still in the files. Every record on the way is checked against the
 * one before it; damage is reported in words and never skipped. It changes nothing.
 */
import { type Disk, DiskError } from "../../base/env.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { ENTRY_BYTES_MAX, type JournalEntry } from "../../wire/journal.ts";
import { DamagedError } from "./error.ts";
import type { LogRecord, Tip } from "./record.ts";
import { Piece } from "./scan.ts";
import {
  decodeHeader,
  followsSeal,
  SEGMENT_HEADER_BYTES,
  type Segment,
  segmentBytesFor,
  segmentFile,
  segmentSeed,
  tipOfHeader,
} from "./segment.ts";

/** Bytes fetched at once; a record that reaches out of them is fetched again whole. */
const PIECE_BYTES = 2 ** 20;
const PIECE_BYTES_MAX = segmentBytesFor(ENTRY_BYTES_MAX);
/** Places where earlier reads stopped, so that one who reads on does not walk the segment again. At the limit the oldest is forgotten. */
const CURSORS_MAX = 16;

interface Cursor {
  readonly segment: Segment;
  readonly offset: number;
  readonly tip: Tip;
}

export class LogHistory {
  readonly #disk: Disk;
  readonly #cell: string;
  readonly #cursors = new Map<number, Cursor>();

  constructor(disk: Disk, cell: string) {
    this.#disk = disk;
    this.#cell = cell;
  }

  /** Entries from `from` up to `last`, at least one, until they hold `bytesMax` of payload. Both positions lie in `segments`. */
  read(segments: readonly Segment[], from: number, last: number, bytesMax: number): Result<JournalEntry[]> {
    try {
      return ok(this.#collect(segments, from, last, bytesMax));
    } catch (cause) {
      if (cause instanceof DamagedError || cause instanceof DiskError) return refused(`Cannot read position ${from}: ${cause.message}`);
      throw cause;
    }
  }

  /** Cursors may point into segments that were removed. */
  forget(): void {
    this.#cursors.clear();
  }

  #collect(segments: readonly Segment[], from: number, last: number, bytesMax: number): JournalEntry[] {
    const walker = new Walker(this.#disk, this.#cell, segments);
    const known = this.#cursors.get(from);
    if (known === undefined) walker.enter(segments.findLast((segment) => segment.first <= from)!);
    else walker.resume(known);
    const entries: JournalEntry[] = [];
    for (let bytes = 0; walker.cursor.tip.position < last && (bytes < bytesMax || entries.length === 0); ) {
      const record = walker.next();
      if (record.kind !== "entry" || record.position < from) continue;
      const payload = walker.payload(record);
      entries.push({ position: record.position, term: record.term, payload });
      bytes += payload.length;
    }
    this.#remember(walker.cursor);
    return entries;
  }

  #remember(cursor: Cursor): void {
    this.#cursors.set(cursor.tip.position + 1, cursor);
    if (this.#cursors.size > CURSORS_MAX) this.#cursors.delete(this.#cursors.keys().next().value!);
  }
}

/** Goes from record to record, across pieces and segments. Throws DamagedError at the first one that is not right. */
class Walker {
  readonly #disk: Disk;
  readonly #cell: string;
  readonly #segments: readonly Segment[];
  #cursor!: Cursor;
  #piece!: Piece;

  constructor(disk: Disk, cell: string, segments: readonly Segment[]) {
    this.#disk = disk;
    this.#cell = cell;
    this.#segments = segments;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Goes to the first record of a segment; `seal` is the one that led here. */
  enter(segment: Segment, seal?: LogRecord): void {
    const header = decodeHeader(this.#disk.read(segment.file, 0, SEGMENT_HEADER_BYTES), segment, this.#cell);
    if (header === undefined || (seal !== undefined && !followsSeal(seal, header))) {
      throw new DamagedError({ file: segment.file, offset: 0, position: segment.first }, "the segment's header is damaged");
    }
    this.resume({ segment, offset: SEGMENT_HEADER_BYTES, tip: tipOfHeader(header) });
  }

  resume(cursor: Cursor): void {
    this.#cursor = cursor;
    this.#fetch(PIECE_BYTES);
  }

  next(): LogRecord {
    const { segment, offset, tip } = this.#cursor;
    if (this.#piece.reachesOut(offset - this.#piece.base)) this.#fetch(PIECE_BYTES);
    if (this.#piece.reachesOut(offset - this.#piece.base)) this.#fetch(PIECE_BYTES_MAX);
    const step = this.#piece.step(offset - this.#piece.base, tip);
    if (step.type !== "record") {
      const why = step.type === "damaged" ? step.why : "the segment ends too early";
      throw new DamagedError({ file: segment.file, offset, position: tip.position + 1 }, why);
    }
    this.#cursor = { segment, offset: this.#piece.base + step.record.end, tip: step.record };
    if (step.record.kind === "seal") this.#enterNext(step.record);
    return step.record;
  }

  /** Own bytes, so that a small payload does not keep a whole piece in memory. */
  payload(record: LogRecord): Uint8Array {
    return this.#piece.bytes.slice(record.payloadStart, record.payloadEnd);
  }

  #enterNext(seal: LogRecord): void {
    const next = this.#segments[this.#segments.findIndex((segment) => segment.first === this.#cursor.segment.first) + 1];
    if (next?.first !== seal.position + 1) {
      const file = segmentFile(seal.position + 1);
      throw new DamagedError({ file, offset: 0, position: seal.position + 1 }, "the segment is missing");
    }
    this.enter(next, seal);
  }

  #fetch(bytes: number): void {
    const { segment, offset } = this.#cursor;
    this.#piece = new Piece(this.#disk.read(segment.file, offset, bytes), offset, segmentSeed(this.#cell, segment.first));
  }
}
