/**
 * A log on a simulated disk, and beside it the truth: which record was written where, and what had been acknowledged
 * by then. The truth is kept by watching the disk's writes and counting bytes; it never asks the log or its checksums.
 */
import assert from "node:assert/strict";
import { Random } from "../../src/base/random.ts";
import { Log, type LogOptions } from "../../src/store/log.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";

const RECORD_HEADER_BYTES = 56;
const SEGMENT_HEADER_BYTES = 128;

export interface TrueRecord {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "entry" | "mark" | "seal" | "lead" | "header";
  /** Of an entry; of any other, that of the entry before it. */
  readonly position: number;
  /** What had been acknowledged when this was written: the record bears witness to it. */
  readonly acknowledged: number;
}

export interface Pristine {
  readonly disk: MemoryDisk;
  readonly options: LogOptions;
  readonly records: readonly TrueRecord[];
  /** payloads[p] is that of position p. */
  readonly payloads: readonly Uint8Array[];
}

/** The seed of a random suite: SEED repeats a run; it is printed so that a failure can be repeated. */
export function seedOf(suite: string): number {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  console.log(`${suite}: SEED=${seed}`);
  return seed;
}

export const countOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

export class Writer {
  readonly disk = new MemoryDisk();
  readonly options: LogOptions;
  readonly log: Log;
  readonly records: TrueRecord[] = [];
  readonly payloads: Uint8Array[] = [new Uint8Array(0)];
  /** What the batch that is being written consists of. */
  #batch: { kind: "entry" | "mark" | "lead"; bytes: number }[] = [];
  #position = 0;
  #acknowledged = 0;

  constructor(segmentBytes: number) {
    this.options = { cell: "pristine", wall: () => 0, segmentBytes };
    this.disk.recorder = (operation) => {
      if (operation.type === "write") this.#note(operation.name, operation.offset, operation.bytes.length);
    };
    this.log = Log.open(this.disk, this.options);
  }

  lead(): void {
    this.#batch = [{ kind: "lead", bytes: 0 }];
    assert.ok(this.log.lead().ok);
  }

  mark(): void {
    this.#batch = [{ kind: "mark", bytes: 0 }];
    assert.ok(this.log.mark().ok);
    this.#batch = [];
  }

  append(...payloads: Uint8Array[]): void {
    this.#batch = payloads.map(({ length }) => ({ kind: "entry", bytes: length }));
    const first = this.payloads.length;
    this.payloads.push(...payloads);
    assert.deepEqual(this.log.append(this.log.term, first, payloads), { appended: payloads.length });
    this.#acknowledged = this.payloads.length - 1;
  }

  done(): Pristine {
    assert.equal(this.#position, this.payloads.length - 1, "every entry was seen on its way to the disk");
    this.disk.recorder = undefined;
    return { disk: this.disk, options: this.options, records: this.records, payloads: this.payloads };
  }

  /** A write is a header, a seal (which nobody asked for), or the first so many records of the batch. */
  #note(name: string, offset: number, length: number): void {
    const file = name.replace(/\.tmp$/, "");
    if (offset === 0) {
      this.records.push({
        file,
        start: 0,
        end: SEGMENT_HEADER_BYTES,
        kind: "header",
        position: this.#position,
        acknowledged: this.#position,
      });
      return;
    }
    const newest = this.records.filter(({ kind }) => kind === "header").at(-1)!.file;
    if (file !== newest) {
      this.records.push({
        file,
        start: offset,
        end: offset + length,
        kind: "seal",
        position: this.#position,
        acknowledged: this.#position,
      });
      this.#acknowledged = this.#position;
      return;
    }
    const acknowledged = this.#acknowledged;
    for (let start = offset; start < offset + length; ) {
      const { kind, bytes } = this.#batch.shift()!;
      if (kind === "entry") this.#position += 1;
      const end = start + Math.ceil((RECORD_HEADER_BYTES + bytes) / 8) * 8;
      this.records.push({ file, start, end, kind, position: this.#position, acknowledged });
      start = end;
    }
  }
}

export function randomPayload(random: Random, bytesMax: number): Uint8Array {
  return Uint8Array.from({ length: random.int(0, bytesMax) }, () => random.int(0, 256));
}

/** Entries one by one and in groups, marks now and then, a second lead; the end has no mark. */
export function writeLog(seed: number, segmentBytes: number, entries: number, bytesMax: number): Pristine {
  const random = new Random(seed, "pristine");
  const writer = new Writer(segmentBytes);
  writer.lead();
  while (writer.payloads.length <= entries) {
    const group = random.chance(0.3) ? random.int(2, 6) : 1;
    writer.append(...Array.from({ length: group }, () => randomPayload(random, bytesMax)));
    if (random.chance(0.1)) writer.mark();
    if (random.chance(0.02)) writer.lead();
  }
  return writer.done();
}

/** Everything that a log holds is what was written, from position 1 on. */
export function checkContents(log: Log, pristine: Pristine, from = 1): void {
  for (let next = from; next <= log.last; ) {
    const read = log.read(next, 2 ** 20);
    assert.ok(read.ok, read.ok ? "" : read.reason);
    for (const { position, payload } of read.value) {
      assert.equal(position, next);
      assert.ok(equal(payload, pristine.payloads[position]!), `position ${position} changed`);
      next += 1;
    }
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
