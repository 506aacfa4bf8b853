/** Which segments may go. History is kept for time travel, for so long or so much, and never less than what recovery needs. */
import type { Disk } from "../../base/env.ts";
import { decodeHeader, SEGMENT_HEADER_BYTES, type Segment } from "./segment.ts";
import type { Snapshots } from "./snapshot.ts";

export interface Retention {
  /** History beyond either bound is removed, oldest first. */
  readonly ageMs: number;
  readonly bytes: number;
}

export const DEFAULT_RETENTION: Retention = { ageMs: 30 * 24 * 3_600_000, bytes: 50e9 };

interface Bounds {
  readonly cell: string;
  readonly wall: () => number;
  readonly retention: Retention;
}

/** Whole segments, oldest first. The oldest kept snapshot must be intact and cover them: it is what a damaged newest one falls back to. */
export function removable(disk: Disk, bounds: Bounds, segments: readonly Segment[], snapshots: Snapshots): Segment[] {
  const oldest = snapshots.positions().at(-1) ?? 0;
  const now = bounds.wall();
  let bytes = segments.reduce((sum, segment) => sum + disk.size(segment.file), 0);
  const doomed: Segment[] = [];
  for (let i = 0; i + 1 < segments.length; i++) {
    const [segment, next] = [segments[i]!, segments[i + 1]!];
    if (next.first - 1 > oldest) break;
    if (bytes <= bounds.retention.bytes && ageMs(disk, bounds.cell, next, now) <= bounds.retention.ageMs) break;
    bytes -= disk.size(segment.file);
    doomed.push(segment);
  }
  return doomed.length > 0 && snapshots.load(oldest).ok ? doomed : [];
}

/** A segment's last entry is about as old as the next segment; one whose header is damaged counts as new, so it stays to be looked at. */
function ageMs(disk: Disk, cell: string, next: Segment, now: number): number {
  const header = decodeHeader(disk.read(next.file, 0, SEGMENT_HEADER_BYTES), next, cell);
  return header === undefined ? 0 : now - header.madeMs;
}
