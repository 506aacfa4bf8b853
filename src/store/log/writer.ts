/**
 * Writes records into the last segment, a batch and one sync at a time, and rolls over into a new one. Nothing is
 * acknowledged here before `sync` said so. It throws DiskError: `full` leaves everything as it was after the last
 * commit; after any other fault the writer must not be used again.
 */
import { assert } from "../../base/assert.ts";
import { type Disk, DiskError } from "../../base/env.ts";
import { encodeRecord, type RecordKind, recordBytes, SEAL_BYTES, type Tip } from "./record.ts";
import type { Recovered } from "./recovery.ts";
import {
  decodeHeader,
  encodeHeader,
  makeSegment,
  SEGMENT_HEADER_BYTES,
  type Segment,
  segmentBytesFor,
  segmentFile,
  segmentSeed,
  tipOfHeader,
} from "./segment.ts";
import { Spare } from "./spare.ts";

/** A batch that grows larger is committed in pieces: each piece is durable before the next is written. */
const STAGE_BYTES_MAX = 8 * 2 ** 20;
const STAGE_BYTES_FIRST = 64 * 2 ** 10;
const ZERO_BYTES = 2 ** 20;
const NOTHING = new Uint8Array(0);

export interface WriterOptions {
  readonly cell: string;
  readonly segmentBytes: number;
  readonly wall: () => number;
}

export class LogWriter {
  readonly #disk: Disk;
  readonly #options: WriterOptions;
  readonly #segments: Segment[];
  readonly #spare: Spare;
  #seed: number;
  /** Where the next batch goes, and where the file ends. */
  #end: number;
  #size: number;
  /** The last durable record, and the last one staged behind it. */
  #tip: Tip;
  #stagedTip: Tip;
  #lastKind: RecordKind | undefined;
  #stagedKind: RecordKind | undefined;
  #stage = new Uint8Array(STAGE_BYTES_FIRST);
  #staged = 0;

  constructor(disk: Disk, options: WriterOptions, recovered: Recovered) {
    this.#disk = disk;
    this.#options = options;
    this.#segments = [...recovered.segments];
    this.#spare = new Spare(disk, options.segmentBytes);
    this.#tip = recovered.tip;
    this.#stagedTip = recovered.tip;
    this.#lastKind = recovered.lastKind;
    this.#end = recovered.end;
    this.#size = recovered.size;
    this.#seed = segmentSeed(options.cell, this.#active.first);
  }

  get tip(): Tip {
    return this.#tip;
  }

  /** Oldest first; the last one is written to. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The kind of the last durable record, if the last segment holds one. */
  get lastKind(): RecordKind | undefined {
    return this.#lastKind;
  }

  get #active(): Segment {
    return this.#segments.at(-1)!;
  }

  /** Adds a record to the batch. May commit what was added before it, to roll over. */
  put(kind: RecordKind, term: number, payload: Uint8Array = NOTHING): void {
    const bytes = recordBytes(payload.length);
    if (this.#staged + bytes > STAGE_BYTES_MAX) this.commit();
    if (this.#end + this.#staged + bytes + SEAL_BYTES > this.#size) {
      this.commit();
      this.#makeRoom(payload.length);
    }
    this.#encode(kind, term, payload);
  }

  /** Makes the batch durable: when this returns, all of it may be acknowledged. */
  commit(): void {
    if (this.#staged === 0) return;
    const batch = this.#stage.subarray(0, this.#staged);
    const tip = this.#stagedTip;
    this.#staged = 0;
    this.#stagedTip = this.#tip;
    this.#write(batch);
    this.#disk.sync(this.#active.file);
    this.#end += batch.length;
    this.#tip = tip;
    this.#stagedTip = tip;
    this.#lastKind = this.#stagedKind;
  }

  /** Makes a piece of the next segment ready, once this one is half full. */
  prepare(): void {
    if (this.#end * 2 > this.#size) this.#spare.step();
  }

  /** Forgets the batch. */
  abandon(): void {
    this.#staged = 0;
    this.#stagedTip = this.#tip;
  }

  /** Forgets the oldest segment, which the caller has removed. */
  dropOldest(): void {
    assert(this.#segments.length > 1, "The last segment cannot be dropped");
    this.#segments.shift();
  }

  #encode(kind: RecordKind, term: number, payload: Uint8Array): void {
    const bytes = recordBytes(payload.length);
    this.#reserve(this.#staged + bytes);
    const draft = { kind, term, payload, acknowledged: this.#tip.position, synced: this.#tip.sequence };
    this.#stagedTip = encodeRecord(this.#stage, this.#staged, this.#end + this.#staged, this.#seed, this.#stagedTip, draft);
    this.#staged += bytes;
    this.#stagedKind = kind;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#stage.length) return;
    const larger = new Uint8Array(Math.max(bytes, this.#stage.length * 2));
    larger.set(this.#stage.subarray(0, this.#staged));
    this.#stage = larger;
  }

  /** Inside preallocated space a disk should not be full. If it is, the half-written batch goes before anyone may try again. */
  #write(batch: Uint8Array): void {
    const { file } = this.#active;
    try {
      this.#disk.write(file, this.#end, batch);
    } catch (cause) {
      if (!isFull(cause)) throw cause;
      orBroken(`Cannot take back a half-written batch in "${file}"`, () => {
        zero(this.#disk, file, this.#end, this.#end + batch.length);
        this.#disk.sync(file);
      });
      throw cause;
    }
  }

  /** A segment without entries cannot be followed by another of the same name: it grows. Only leads and marks can fill one. */
  #makeRoom(payloadLength: number): void {
    if (this.#tip.position + 1 === this.#active.first) this.#grow(segmentBytesFor(payloadLength));
    else this.#roll(segmentBytesFor(payloadLength));
  }

  #grow(bytes: number): void {
    const size = this.#end + Math.max(this.#options.segmentBytes, bytes);
    try {
      zero(this.#disk, this.#active.file, this.#size, size);
      this.#disk.sync(this.#active.file);
    } catch (cause) {
      if (isFull(cause)) this.#disk.truncate(this.#active.file, this.#size);
      throw cause;
    }
    this.#size = size;
  }

  /** A file of zeros of at least this size. */
  #take(file: string, bytes: number): void {
    if (this.#spare.take(file, bytes)) return;
    this.#spare.discard();
    this.#disk.create(file, bytes);
  }

  /** The seal comes after the new segment is durable and before anything is in it, so that a vanished segment is noticed. */
  #roll(bytes: number): void {
    const next = { file: segmentFile(this.#tip.position + 1), first: this.#tip.position + 1 };
    const size = Math.max(this.#options.segmentBytes, bytes);
    const header = encodeHeader(this.#options.cell, this.#tip, this.#options.wall());
    makeSegment(this.#disk, header, next.first, (file) => this.#take(file, size));
    this.#encode("seal", this.#tip.term, NOTHING);
    orBroken(`Cannot seal "${this.#active.file}"`, () => this.commit());
    this.#segments.push(next);
    this.#seed = segmentSeed(this.#options.cell, next.first);
    this.#tip = tipOfHeader(decodeHeader(header, next, this.#options.cell)!);
    this.#stagedTip = this.#tip;
    this.#end = SEGMENT_HEADER_BYTES;
    this.#size = size;
    this.#lastKind = undefined;
  }
}

const isFull = (cause: unknown): cause is DiskError => cause instanceof DiskError && cause.fault === "full";

/** Where there is no way back, a full disk is a broken one. */
function orBroken(what: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw isFull(cause) ? new DiskError("io", `${what}: ${cause.message}`, cause) : cause;
  }
}

/** Writes zeros over [from, to). */
function zero(disk: Disk, file: string, from: number, to: number): void {
  for (let at = from; at < to; at += ZERO_BYTES) disk.write(file, at, new Uint8Array(Math.min(ZERO_BYTES, to - at)));
}
