/**
 * Bit rot: one bit of a synced file flips while nobody looks. It is chosen by the names of the files and their bytes alone, without asking the log
 * what it would notice: a bit that the next start has to read, and that later records vouch for.
 */
import type { Random } from "../../base/random.ts";
import type { MemoryDisk } from "../../store/memory-disk.ts";

export interface Rot {
  readonly kind: "segment" | "snapshot";
  readonly file: string;
  readonly bit: number;
  /** The byte as it is wrong. */
  readonly wrong: number;
  /** The log was opened without it; from then on it may not be needed any more. */
  noticed: boolean;
}

/** The newest records have no witness until others follow (store.A8): so much at the end of the log is left alone. */
const UNPROVEN_BYTES = 16 * 1024;

export function rotten(disk: MemoryDisk, random: Random): Rot | undefined {
  const files = disk.list();
  const snapshot = files
    .filter((name) => name.endsWith(".snap"))
    .sort()
    .at(-1);
  const base = snapshot === undefined ? 0 : Number.parseInt(snapshot, 10);
  const isSegment = random.chance(0.6) || snapshot === undefined;
  const file = isSegment ? segmentOf(files, base) : snapshot;
  if (file === undefined) return undefined;
  const bytes = isSegment ? provenBytes(disk, file) : disk.size(file);
  if (bytes <= 0) return undefined;
  const bit = random.int(0, bytes * 8);
  disk.flip(file, bit);
  return { kind: isSegment ? "segment" : "snapshot", file, bit, wrong: byteAt(disk, file, bit), noticed: false };
}

/** Turns the bit back, unless the file is gone or was written anew. */
export function mend(disk: MemoryDisk, { file, bit, wrong }: Rot): void {
  if (disk.list().includes(file) && byteAt(disk, file, bit) === wrong) disk.flip(file, bit);
}

const byteAt = (disk: MemoryDisk, file: string, bit: number): number => disk.read(file, bit >> 3, 1)[0] ?? 0;

/** Segments are called after their first position; the last one that begins at or before the snapshot is read at the next start. */
function segmentOf(files: readonly string[], base: number): string | undefined {
  const segments = files.filter((name) => name.endsWith(".log")).sort();
  return segments.findLast((name) => Number.parseInt(name, 10) <= base) ?? segments[0];
}

/** Up to the last byte that is not zero, less what has no witness. */
function provenBytes(disk: MemoryDisk, file: string): number {
  return disk.read(file, 0, disk.size(file)).findLastIndex((byte) => byte !== 0) + 1 - UNPROVEN_BYTES;
}
