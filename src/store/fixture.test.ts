/** What the tests of this room share: a small log on a simulated disk, filled and read in one line. It holds no test itself. */
import assert from "node:assert/strict";
import { Log, type LogOptions } from "./log.ts";
import { MemoryDisk } from "./memory-disk.ts";

export const OPTIONS: LogOptions = { cell: "test", wall: () => 1000, segmentBytes: 1024 };
export const FIRST_SEGMENT = "0000000000000001.log";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);

export const openLog = (disk: MemoryDisk, options: Partial<LogOptions> = {}): Log => Log.open(disk, { ...OPTIONS, ...options });

/** Appends "entry p", "entry p + 1", ... each durable before the next. */
export function appendTo(log: Log, count: number): void {
  for (let i = 0; i < count; i++) assert.deepEqual(log.append(log.term, log.last + 1, [bytes(`entry ${log.last + 1}`)]), { appended: 1 });
}

/** A log under term 1 that holds "entry 1" to "entry count", each in a batch of its own, without a mark at the end. */
export function filledLog(count: number, options: Partial<LogOptions> = {}): { disk: MemoryDisk; log: Log } {
  const disk = new MemoryDisk();
  const log = openLog(disk, options);
  assert.ok(log.lead().ok);
  appendTo(log, count);
  return { disk, log };
}

export function contentsOf(log: Log): string[] {
  const all: string[] = [];
  for (let from = log.first; from <= log.last; from = log.first + all.length) {
    const read = log.read(from, 1000);
    assert.ok(read.ok, read.ok ? "" : read.reason);
    all.push(...read.value.map(({ payload }) => text(payload)));
  }
  return all;
}

export const entryTexts = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `entry ${from + i}`);

/** Where the text of entry `position` stands on the disk. */
export function placeOf(disk: MemoryDisk, position: number): { file: string; offset: number } {
  const wanted = new RegExp(`entry ${position}(?![0-9])`);
  for (const file of disk.list()) {
    const offset = Buffer.from(disk.read(file, 0, disk.size(file)))
      .toString("latin1")
      .search(wanted);
    if (offset >= 0) return { file, offset };
  }
  throw new Error(`Cannot find entry ${position}`);
}

/** Bit rot in the payload of one entry. */
export function rot(disk: MemoryDisk, position: number): void {
  const { file, offset } = placeOf(disk, position);
  disk.flip(file, offset * 8);
}

export function image(disk: MemoryDisk): string {
  return disk
    .list()
    .map((file) => `${file} ${Buffer.from(disk.read(file, 0, disk.size(file))).toString("base64")}`)
    .join("\n");
}
