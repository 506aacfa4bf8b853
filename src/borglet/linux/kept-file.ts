/**
 * The borglet's memory on disk: records one after the other in one file, each with its length and checksum, one sync for all that changed
 * in a turn. A record cut short at the end was never acted on and is cut off; any other damage refuses to open, in words. When the file
 * has grown, it is written anew beside and renamed.
 */
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32c } from "../../base/crc32c.ts";
import { decode, encode } from "../../wire/codec.ts";
import { type KeptRecord, KeptRecordSchema } from "../../wire/gen/borg/v1/borglet_pb.ts";
import { type Memory, newMemory, recall, recordsOf } from "../kept.ts";
import { replaceFile } from "./layout.ts";

/** Length, a checksum of the length, and one of the record: a bent length is not taken for a record cut short. */
const HEAD_BYTES = 12;
/** A start order with all its files fits. */
const RECORD_BYTES_MAX = 64 * 2 ** 20;
/** Beyond this, and twice what it began with, the file is written anew. */
const REWRITE_BYTES = 4 * 2 ** 20;

export class KeptFile {
  readonly memory: Memory;
  readonly #path: string;
  #fd: number;
  #bytes: number;
  #rewriteAt: number;

  constructor(path: string) {
    this.#path = path;
    this.memory = newMemory();
    const found = read(path);
    for (const record of found) recall(this.memory, record);
    this.#fd = -1;
    this.#bytes = 0;
    this.#rewriteAt = 0;
    this.#rewrite();
  }

  /** Throws when it could not be made durable; the same may be tried again. */
  append(records: readonly KeptRecord[]): void {
    if (this.#bytes > this.#rewriteAt) this.#rewrite();
    const bytes = Buffer.concat(records.map(frame));
    try {
      writeSync(this.#fd, bytes, 0, bytes.length, this.#bytes);
      fdatasyncSync(this.#fd);
      this.#bytes += bytes.length;
    } catch (cause) {
      // After a failed sync nothing in the old file can be trusted: the next try writes all of it anew.
      this.#rewriteAt = -1;
      throw new Error(`Cannot write "${this.#path}"`, { cause });
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #rewrite(): void {
    const bytes = Buffer.concat(recordsOf(this.memory).map(frame));
    replaceFile(this.#path, bytes);
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = openSync(this.#path, "r+");
    this.#bytes = bytes.length;
    this.#rewriteAt = Math.max(REWRITE_BYTES, 2 * bytes.length);
  }
}

function frame(record: KeptRecord): Buffer {
  const body = encode(KeptRecordSchema, record);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(crc32c(head, 0, 4), 4);
  head.writeUInt32LE(crc32c(body), 8);
  return Buffer.concat([head, body]);
}

function read(path: string): KeptRecord[] {
  const bytes = readIfThere(path);
  const records: KeptRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const tail = bytes.subarray(at);
    const end = at + HEAD_BYTES + tail.readUInt32LE(0);
    const known = crc32c(tail, 0, 4) === tail.readUInt32LE(4);
    // Cut short: the file ends inside it, or was made longer before its bytes came.
    if (known ? end > bytes.length : tail.every((byte) => byte === 0)) return records;
    const body = bytes.subarray(at + HEAD_BYTES, end);
    const record = known && crc32c(body) === tail.readUInt32LE(8) ? decode(KeptRecordSchema, body, RECORD_BYTES_MAX) : undefined;
    if (record?.ok === true) records.push(record.value);
    else if (known && end === bytes.length) return records;
    else throw new Error(`Cannot read "${path}": damaged at byte ${at}; end the tasks of this machine and remove the file`);
    at = end;
  }
  return records;
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw cause;
  }
}
