/**
 * Snapshot files beside the log: written under a temporary name, synced, renamed, read back and compared before any
 * older one goes. The newest SNAPSHOTS_KEPT stay, so that one damaged file costs a longer replay and nothing else.
 *
 *   0 8 bytes "BORGSNAP"   8 u32 format version   12 u32 crc32c of what follows, seeded with the cell's name
 *  16 f64 position        24 f64 payload length   32 payload
 */
import { crc32c } from "../../base/crc32c.ts";
import { type Disk, DiskError } from "../../base/env.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import type { Snapshot } from "../../wire/journal.ts";
import { viewOf } from "./record.ts";
import { padded, removeIfThere, TEMPORARY } from "./segment.ts";

export const SNAPSHOTS_KEPT = 2;
/** A larger one is refused: nobody could load it in reasonable time. */
export const SNAPSHOT_BYTES_MAX = 2 ** 30;

const SNAPSHOT_VERSION = 1;
const HEADER_BYTES = 32;
/** Where what the crc covers begins. */
const CRC_FROM = 16;
/** Bytes that are written and made durable, or read back, before appends get their turn: some 10 ms. */
const SAVED_AT_ONCE = 2 ** 20;

/** Work in steps, with other work between them. */
export type Steps<T> = Generator<undefined, T, undefined>;
const MAGIC = Uint8Array.from("BORGSNAP", (letter) => letter.charCodeAt(0));
const NAME = /^[0-9]{16}\.snap$/;

const snapshotFile = (position: number): string => `${padded(position)}.snap`;

export class Snapshots {
  readonly #disk: Disk;
  readonly #seed: number;

  constructor(disk: Disk, cell: string) {
    this.#disk = disk;
    this.#seed = crc32c(Uint8Array.from(cell, (letter) => letter.charCodeAt(0)));
  }

  /** Positions of all snapshot files, newest first, intact or not. */
  positions(): number[] {
    const files = this.#disk.list().filter((name) => NAME.test(name));
    return files.map((file) => Number.parseInt(file, 10)).sort((a, b) => b - a);
  }

  /** The payload, or in words why it cannot be used. */
  load(position: number): Result<Snapshot> {
    const file = snapshotFile(position);
    try {
      return this.#decode(file, position, this.#disk.read(file, 0, this.#disk.size(file)));
    } catch (cause) {
      if (cause instanceof DiskError) return refused(`Cannot read snapshot "${file}": ${cause.message}`);
      throw cause;
    }
  }

  save(snapshot: Snapshot): Result<void> {
    const steps = this.saving(snapshot);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /**
   * Saves in steps of at most SAVED_AT_ONCE bytes, so that appends get their turn between them. A step throws DiskError; on a full disk nothing remains and the older
   * snapshots stand. Refuses if it reads back differently.
   */
  *saving(snapshot: Snapshot): Steps<Result<void>> {
    const { length } = snapshot.payload;
    if (length > SNAPSHOT_BYTES_MAX) return refused(`Cannot save a snapshot of ${length} bytes: the limit is ${SNAPSHOT_BYTES_MAX}`);
    const newest = this.positions()[0] ?? 0;
    if (newest > snapshot.position) return refused(`There is a newer snapshot already, at position ${newest}`);
    if (newest === snapshot.position && this.load(newest).ok) return ok(undefined);
    const file = snapshotFile(snapshot.position);
    const crc = yield* this.#write(file, snapshot);
    const back = yield* this.#crcOf(file, HEADER_BYTES + length);
    if (back !== crc) {
      this.#disk.remove(file);
      this.#disk.syncNames();
      return refused(`Snapshot "${file}" does not read back as it was written; the older ones were kept`);
    }
    this.#removeOld();
    return ok(undefined);
  }

  /** The payload piece by piece, each of them durable, then the header, whose crc is known by then; the answer is that crc. */
  *#write(file: string, { position, payload }: Snapshot): Steps<number> {
    const temporary = `${file}${TEMPORARY}`;
    const header = headerOf(position, payload.length);
    let crc = crc32c(header, CRC_FROM, HEADER_BYTES, this.#seed);
    try {
      this.#disk.create(temporary, HEADER_BYTES + payload.length);
      for (let at = 0; at < payload.length; at += SAVED_AT_ONCE) {
        const piece = payload.subarray(at, at + SAVED_AT_ONCE);
        crc = crc32c(piece, 0, piece.length, crc);
        this.#disk.write(temporary, HEADER_BYTES + at, piece);
        if (piece.length < SAVED_AT_ONCE) continue;
        this.#disk.sync(temporary);
        yield;
      }
      viewOf(header).setUint32(12, crc, true);
      this.#disk.write(temporary, 0, header);
    } catch (cause) {
      if (cause instanceof DiskError && cause.fault === "full") removeIfThere(this.#disk, temporary);
      throw cause;
    }
    this.#disk.sync(temporary);
    this.#disk.rename(temporary, file);
    this.#disk.syncNames();
    yield;
    return crc;
  }

  /** Of a file as it is read back; undefined where its header is not what it should be. */
  *#crcOf(file: string, bytes: number): Steps<number | undefined> {
    const header = this.#disk.read(file, 0, HEADER_BYTES);
    let crc = crc32c(header, CRC_FROM, HEADER_BYTES, this.#seed);
    for (let at = HEADER_BYTES; at < bytes; at += SAVED_AT_ONCE) {
      const piece = this.#disk.read(file, at, Math.min(SAVED_AT_ONCE, bytes - at));
      crc = crc32c(piece, 0, piece.length, crc);
      yield;
    }
    const isHeader = header.length === HEADER_BYTES && MAGIC.every((byte, i) => header[i] === byte);
    return isHeader && viewOf(header).getUint32(12, true) === crc && this.#disk.size(file) === bytes ? crc : undefined;
  }

  /** Only ever called right after the newest one was verified. */
  #removeOld(): void {
    for (const position of this.positions().slice(SNAPSHOTS_KEPT)) {
      this.#disk.remove(snapshotFile(position));
      this.#disk.syncNames();
    }
  }

  #decode(file: string, position: number, bytes: Uint8Array): Result<Snapshot> {
    if (bytes.length < HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte))
      return refused(`Snapshot "${file}" is damaged: no header`);
    const view = viewOf(bytes);
    const version = view.getUint32(8, true);
    if (version !== SNAPSHOT_VERSION)
      return refused(`Snapshot "${file}" has format ${version}, and this version knows format ${SNAPSHOT_VERSION}`);
    const whole = view.getFloat64(24, true) === bytes.length - HEADER_BYTES && view.getFloat64(16, true) === position;
    if (!whole || crc32c(bytes, 16, bytes.length, this.#seed) !== view.getUint32(12, true)) {
      return refused(`Snapshot "${file}" is damaged, or belongs to another cell`);
    }
    return ok({ position, payload: bytes.subarray(HEADER_BYTES) });
  }
}

/** Without its crc. */
function headerOf(position: number, length: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = viewOf(header);
  header.set(MAGIC);
  view.setUint32(8, SNAPSHOT_VERSION, true);
  view.setFloat64(16, position, true);
  view.setFloat64(24, length, true);
  return header;
}
