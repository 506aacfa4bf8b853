/**
 * What is in the files when a log is opened (KD5). Let M be the highest acknowledged position, and D the highest
 * synced sequence number, that any intact record, header or snapshot carries, wherever it stands. The first damaged
 * or missing record has position p and sequence s. If p <= M or s <= D, something that was durable is gone: refuse.
 * Otherwise it was never acknowledged: a torn tail, cut off. Unsynced pages reach a disk in any order, so an intact
 * record after a torn one proves only what it says about the past. This file looks and decides; it changes nothing.
 */
import { type Disk, DiskError } from "../../base/env.ts";
import { DamagedError, type FilePoint, UnusableError } from "./error.ts";
import type { LogRecord, RecordKind, Tip } from "./record.ts";
import { endOfData, NO_PROOF, Piece, type Proof, proofAfter, strongest } from "./scan.ts";
import { decodeHeader, followsSeal, SEGMENT_HEADER_BYTES, type Segment, segmentFile, segmentSeed, tipOfHeader } from "./segment.ts";
import type { Snapshots } from "./snapshot.ts";

/** What was cut off, for the operator to read. Nothing in it was ever acknowledged. */
export interface Cut extends FilePoint {
  readonly why: string;
  /** Later segment files that go with it. */
  readonly dropped: readonly string[];
}

export interface Recovered {
  readonly segments: readonly Segment[];
  readonly tip: Tip;
  /** Kind of the last record; undefined if the segment holds none. */
  readonly lastKind: RecordKind | undefined;
  /** Where the next record goes in the last segment. */
  readonly end: number;
  readonly size: number;
  readonly cut: Cut | undefined;
}

/** The state of a walk through segments, up to the first thing that is wrong. */
interface Walk {
  readonly tip: Tip;
  /** The last good record, if the segment holds one. */
  readonly last: LogRecord | undefined;
  readonly end: number;
  readonly dirtyEnd: number;
  readonly size: number;
  readonly proof: Proof;
  readonly damage: { readonly why: string } | undefined;
}

/** Looks through the segments from the one that holds `base`, the newest usable snapshot. `segments` is not empty. */
export function recover(disk: Disk, cell: string, segments: readonly Segment[], base: number): Recovered {
  // A segment that begins right after the snapshot may be half-made: whether it counts, the seal of the one before it says.
  const holding = segments.findLastIndex((segment) => segment.first <= base);
  const from = holding >= 0 ? holding : segments.findLastIndex((segment) => segment.first <= base + 1);
  const oldest = segments[0]!;
  if (from < 0) throw missing(segmentFile(base + 1), base + 1, `the oldest segment begins at position ${oldest.first}`);
  let proof: Proof = { acknowledged: base, synced: 0 };
  let walk: Walk | undefined;
  let index = from;
  for (; index < segments.length; index++) {
    const next = walkSegment(disk, cell, segments[index]!, walk);
    if (next === undefined) break;
    walk = next;
    proof = strongest(proof, walk.proof);
    if (walk.last?.kind !== "seal") break;
  }
  for (const later of segments.slice(index + 1)) proof = strongest(proof, proofOf(disk, cell, later));
  return decide(segments, index, walk, proof);
}

/** One segment after `before`, or undefined if its header is damaged or does not follow on: then no record in it can be believed. */
function walkSegment(disk: Disk, cell: string, segment: Segment, before: Walk | undefined): Walk | undefined {
  const bytes = readWhole(disk, segment.file);
  const header = decodeHeader(bytes, segment, cell);
  if (header === undefined) return undefined;
  if (before?.last !== undefined && !followsSeal(before.last, header)) return undefined;
  const piece = new Piece(bytes, 0, segmentSeed(cell, segment.first));
  return walkRecords(piece, tipOfHeader(header), { acknowledged: header.before.position, synced: header.before.sequence });
}

/** A read that stops short must not look like a file that was cut short: cutting the log there would destroy what stands behind. */
function readWhole(disk: Disk, file: string): Uint8Array {
  const size = disk.size(file);
  const bytes = disk.read(file, 0, size);
  if (bytes.length !== size) throw new DiskError("io", `Cannot read "${file}": got ${bytes.length} of ${size} bytes`);
  return bytes;
}

function walkRecords(piece: Piece, start: Tip, known: Proof): Walk {
  const size = piece.bytes.length;
  let tip = start;
  let proof = known;
  let end = SEGMENT_HEADER_BYTES;
  let last: LogRecord | undefined;
  for (;;) {
    const step = piece.step(end, tip);
    if (step.type !== "record") {
      const dirtyEnd = endOfData(piece.view, end, size);
      proof = strongest(proof, proofAfter(piece, end, dirtyEnd));
      const why = step.type === "damaged" ? step.why : "something stands behind the end of the log";
      return { tip, last, end, dirtyEnd, size, proof, damage: dirtyEnd > end ? { why } : undefined };
    }
    last = step.record;
    tip = last;
    end = last.end;
    proof = strongest(proof, last);
    if (last.kind === "seal") return { tip, last, end, dirtyEnd: end, size, proof, damage: undefined };
  }
}

/** What a segment proves that comes after damage. Its header counts if it is intact. */
function proofOf(disk: Disk, cell: string, segment: Segment): Proof {
  const bytes = readWhole(disk, segment.file);
  const header = decodeHeader(bytes, segment, cell);
  const known = header === undefined ? NO_PROOF : { acknowledged: header.before.position, synced: header.before.sequence };
  return strongest(known, proofAfter(new Piece(bytes, 0, segmentSeed(cell, segment.first)), SEGMENT_HEADER_BYTES));
}

/** `index` is where the walk stopped: at the last segment in use, or at one whose header cannot be believed. */
function decide(segments: readonly Segment[], index: number, walk: Walk | undefined, proof: Proof): Recovered {
  const stopped = segments[index];
  if (walk === undefined)
    throw new DamagedError({ file: stopped!.file, offset: 0, position: stopped!.first }, "the segment's header is damaged");
  const position = walk.tip.position + 1;
  if (walk.last?.kind === "seal") {
    if (stopped === undefined)
      throw missing(segmentFile(position), position, "the segment before it is sealed, which is done only when this one is durable");
    if (stopped.first !== position) throw missing(segmentFile(position), position, `the next segment is "${stopped.file}"`);
    throw new DamagedError(
      { file: stopped.file, offset: 0, position },
      "the segment's header is damaged, and the segment before it is sealed",
    );
  }
  const active = stopped!;
  const dropped = segments.slice(index + 1).map((segment) => segment.file);
  const point: FilePoint = { file: active.file, offset: walk.end, position };
  const why = walk.damage?.why ?? (dropped.length > 0 ? "the segment ends without a seal" : "the end of the log is missing");
  if (position <= proof.acknowledged || walk.tip.sequence + 1 <= proof.synced) {
    throw new DamagedError(point, `${why}, and later records prove that position ${proof.acknowledged} had been acknowledged`);
  }
  const cut = walk.damage !== undefined || dropped.length > 0 ? { ...point, why, dropped } : undefined;
  const { tip, end, size } = walk;
  return { segments: segments.slice(0, index + 1), tip, lastKind: walk.last?.kind, end, size, cut };
}

const missing = (file: string, position: number, why: string): DamagedError =>
  new DamagedError({ file, offset: 0, position }, `the segment is missing: ${why}`);

/**
 * The position of the newest intact snapshot from which the log can be replayed, 0 for replay from the start.
 * A damaged newer one is passed over only if the log reaches back to the older one.
 */
export function usableSnapshot(snapshots: Snapshots, oldest: number): { readonly base: number; readonly damaged: readonly string[] } {
  const damaged: string[] = [];
  for (const position of snapshots.positions()) {
    const loaded = snapshots.load(position);
    if (loaded.ok && oldest <= position + 1) return { base: position, damaged };
    damaged.push(loaded.ok ? `The log begins at position ${oldest}, after the snapshot at ${position}` : loaded.reason);
  }
  if (oldest > 1) {
    const why = damaged.length > 0 ? damaged.join("; ") : "there is no snapshot";
    throw new UnusableError(
      `Cannot open the journal: its history begins at position ${oldest} and no snapshot reaches it: ${why}. Restore a snapshot from a replica or a backup`,
    );
  }
  return { base: 0, damaged };
}
