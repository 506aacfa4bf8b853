/**
 * The borglet's memory on its Disk: one file of batches, each with its number and checksums, and one sync for all that changed in a turn. A batch
 * is written only after the one before it is durable, so only the last can be torn; it was never acted on, and is dropped. Any other damage
 * refuses to open, in words. A file that has grown, or whose sync failed, is written anew beside it and renamed.
 */
import { crc32c } from "../base/crc32c.ts";
import { type Disk, DiskError } from "../base/env.ts";
import { decode, encode } from "../wire/codec.ts";
import { type KeptRecord, KeptRecordSchema } from "../wire/gen/borg/v1/borglet_pb.ts";
import { damaged, type Memory, newMemory, recall, recordsOf, termRecord } from "./kept.ts";
import { readUnnumbered } from "./kept-file-unnumbered.ts";

export const KEPT_NAME = "kept";
const NEW_NAME = "kept.new";
/** "BORGKEPT", the salt, and a checksum of both. */
const MAGIC = Uint8Array.from("BORGKEPT", (letter) => letter.charCodeAt(0));
const FILE_HEAD_BYTES = 16;
/** Salt, number, length, checksum of the body, checksum of the head. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
/** A start order with all its files fits. */
const RECORD_BYTES_MAX = 64 * 2 ** 20;
/** Beyond this, and twice what it began with, the file is written anew. */
const REWRITE_BYTES = 4 * 2 ** 20;

export interface KeptFileOptions {
  /** Any number below 2^32 that no user can foresee: nothing that a task's spec holds may look like a batch of this file. */
  readonly salt: number;
  readonly rewriteBytes?: number;
}

export class KeptFile {
  readonly memory: Memory = newMemory();
  /** A torn batch was dropped. */
  readonly cut: boolean;
  readonly #disk: Disk;
  readonly #options: KeptFileOptions;
  #number = 0;
  #bytes = 0;
  #rewriteAt = 0;

  /**
   * Reads what is there and makes it durable before anybody rests on it: a batch that was written and never synced can be read, but a power
   * cut may still take it. Throws DiskError when the disk fails just now; then it may be tried again.
   */
  constructor(disk: Disk, options: KeptFileOptions) {
    this.#disk = disk;
    this.#options = options;
    const { records, cut } = disk.list().includes(KEPT_NAME) ? read(disk) : { records: [], cut: false };
    for (const record of records) recall(this.memory, record);
    this.cut = cut;
    this.#rewrite();
  }

  /** Throws when it could not be made durable; the same may be tried again. */
  append(records: readonly KeptRecord[]): void {
    if (this.#bytes > this.#rewriteAt) this.#rewrite();
    const batch = this.#batch(records);
    try {
      this.#disk.write(KEPT_NAME, this.#bytes, batch);
      this.#disk.sync(KEPT_NAME);
      this.#bytes += batch.length;
    } catch (cause) {
      // After a failed sync nothing in the old file can be trusted: the next try writes all of it anew.
      this.#rewriteAt = -1;
      throw cause;
    }
  }

  /** Answers the term that was kept. From now on any master's is obeyed, and kept. [borglet.K10] */
  forgetTerm(): number {
    const { term } = this.memory;
    this.memory.term = 0;
    this.memory.sequence = 0;
    this.append([termRecord(this.memory)]);
    return term;
  }

  /** The old file stays whole until the name of the new one is durable, and nothing is added to the new one before that. */
  #rewrite(): void {
    this.#rewriteAt = -1;
    this.#number = 0;
    const batch = this.#batch(recordsOf(this.memory));
    const disk = this.#disk;
    if (disk.list().includes(NEW_NAME)) disk.remove(NEW_NAME);
    disk.create(NEW_NAME, 0);
    disk.write(NEW_NAME, 0, join([fileHead(this.#options.salt), batch]));
    disk.sync(NEW_NAME);
    disk.rename(NEW_NAME, KEPT_NAME);
    disk.syncNames();
    this.#bytes = FILE_HEAD_BYTES + batch.length;
    this.#rewriteAt = Math.max(this.#options.rewriteBytes ?? REWRITE_BYTES, 2 * this.#bytes);
  }

  #batch(records: readonly KeptRecord[]): Uint8Array {
    this.#number += 1;
    const body = join(
      records.flatMap((record) => {
        const bytes = encode(KeptRecordSchema, record);
        return [words([bytes.length]), bytes];
      }),
    );
    const head = words([this.#options.salt, this.#number, body.length, crc32c(body)]);
    return join([head, words([crc32c(head)]), body]);
  }
}

/** What a borglet remembers, for somebody else who only looks. */
export function keptMemory(disk: Disk): Memory {
  const memory = newMemory();
  if (disk.list().includes(KEPT_NAME)) for (const record of read(disk).records) recall(memory, record);
  return memory;
}

const fileHead = (salt: number): Uint8Array => {
  const head = join([MAGIC, words([salt])]);
  return join([head, words([crc32c(head)])]);
};

function read(disk: Disk): { readonly records: readonly KeptRecord[]; readonly cut: boolean } {
  const size = disk.size(KEPT_NAME);
  const bytes = disk.read(KEPT_NAME, 0, size);
  if (bytes.length < size) throw new DiskError("io", `Cannot read "${KEPT_NAME}": ${bytes.length} bytes came instead of ${size}`);
  const begins = bytes.subarray(0, MAGIC.length);
  if (begins.length === 0 || !begins.every((byte, i) => byte === MAGIC[i])) return readUnnumbered(bytes, KEPT_NAME, RECORD_BYTES_MAX);
  return new Reader(bytes).read();
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #salt: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isWhole = bytes.length >= FILE_HEAD_BYTES && crc32c(bytes, 0, 12) === this.#word(12);
    if (!isWhole) throw damaged(KEPT_NAME, 0);
    this.#salt = this.#word(8);
  }

  read(): { readonly records: readonly KeptRecord[]; readonly cut: boolean } {
    const records: KeptRecord[] = [];
    let at = FILE_HEAD_BYTES;
    for (let number = 1; at < this.#bytes.length; number++) {
      const end = this.#isHead(at) && this.#word(at + 4) === number ? at + HEAD_BYTES + this.#word(at + 8) : 0;
      const isWhole = end > 0 && end <= this.#bytes.length && crc32c(this.#bytes, at + HEAD_BYTES, end) === this.#word(at + 12);
      if (!isWhole) {
        // The first batch was durable before the file had its name, and a later one proves that this one was.
        if (number === 1 || this.#isLaterThan(number, at)) throw damaged(KEPT_NAME, at);
        return { records, cut: true };
      }
      this.#records(at + HEAD_BYTES, end, records);
      at = end;
    }
    if (at === FILE_HEAD_BYTES) throw damaged(KEPT_NAME, at);
    return { records, cut: false };
  }

  #records(from: number, end: number, records: KeptRecord[]): void {
    for (let at = from; at < end; ) {
      const next = at + LENGTH_BYTES + this.#word(at);
      const record = decode(KeptRecordSchema, this.#bytes.subarray(at + LENGTH_BYTES, next), RECORD_BYTES_MAX);
      if (!record.ok) throw damaged(KEPT_NAME, at);
      records.push(record.value);
      at = next;
    }
  }

  #isLaterThan(number: number, from: number): boolean {
    for (let at = from; at + HEAD_BYTES <= this.#bytes.length; at++) if (this.#isHead(at) && this.#word(at + 4) > number) return true;
    return false;
  }

  #isHead(at: number): boolean {
    if (at + HEAD_BYTES > this.#bytes.length || this.#word(at) !== this.#salt) return false;
    return crc32c(this.#bytes, at, at + HEAD_BYTES - 4) === this.#word(at + HEAD_BYTES - 4);
  }

  #word(at: number): number {
    return this.#view.getUint32(at, true);
  }
}

function words(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  const view = new DataView(bytes.buffer);
  for (const [i, number] of numbers.entries()) view.setUint32(4 * i, number, true);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
