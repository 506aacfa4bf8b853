/**
 * Walks records in order, and looks behind damage for what later intact records prove. Used by recovery (whole
 * segments) and by history reads (pieces). It decides nothing: it says what it saw.
 */
import { decodeRecord, type LogRecord, misfit, promisedBytes, RECORD_HEADER_BYTES, type Tip, viewOf } from "./record.ts";

export type Step =
  | { readonly type: "record"; readonly record: LogRecord }
  /** Nothing but zeros where a header would stand, or no room for one. */
  | { readonly type: "end" }
  | { readonly type: "damaged"; readonly why: string };

/** A piece of a segment file, and where in the file it begins. */
export class Piece {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly base: number;
  readonly seed: number;

  constructor(bytes: Uint8Array, base: number, seed: number) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.base = base;
    this.seed = seed;
  }

  /** The intact record at byte `at` of the piece, wherever it belongs. */
  record(at: number): LogRecord | undefined {
    return decodeRecord(this.bytes, this.view, at, this.base + at, this.seed);
  }

  /** What stands at `at`, if it has to follow on from `tip`. */
  step(at: number, tip: Tip): Step {
    const record = this.record(at);
    if (record === undefined)
      return isZero(this.view, at, at + RECORD_HEADER_BYTES) ? { type: "end" } : { type: "damaged", why: "its checksum is wrong" };
    const why = misfit(tip, record);
    return why === undefined ? { type: "record", record } : { type: "damaged", why };
  }

  /** True if the record at `at` may be whole in the file but not in this piece. */
  reachesOut(at: number): boolean {
    if (at + RECORD_HEADER_BYTES > this.bytes.length) return true;
    const bytes = promisedBytes(this.view, at);
    return bytes !== undefined && at + bytes > this.bytes.length;
  }
}

/** The most that any intact record, header or snapshot says was durable. */
export interface Proof {
  readonly acknowledged: number;
  readonly synced: number;
}

export const NO_PROOF: Proof = { acknowledged: 0, synced: 0 };

export const strongest = (a: Proof, b: Proof): Proof => ({
  acknowledged: Math.max(a.acknowledged, b.acknowledged),
  synced: Math.max(a.synced, b.synced),
});

/** What intact records that begin in [from, to) prove, whatever lies between them. `from` is a multiple of 8 in the file; no record begins in zeros. */
export function proofAfter(piece: Piece, from: number, to = endOfData(piece.view, from, piece.bytes.length)): Proof {
  let proof = NO_PROOF;
  for (let at = from; at < to && at + RECORD_HEADER_BYTES <= piece.bytes.length; ) {
    const record = piece.record(at);
    if (record !== undefined) proof = strongest(proof, record);
    at = record?.end ?? at + 8;
  }
  return proof;
}

export function isZero(view: DataView, from: number, to: number): boolean {
  return endOfData(view, from, to) === from;
}

/** The end of the last byte in [from, to) that is not zero, rounded up to the word it lies in; `from` (a multiple of 4) if all are. */
export function endOfData(view: DataView, from: number, to: number): number {
  let end = Math.max(from, Math.min(to, view.byteLength));
  for (; end % 4 !== 0; end--) if (view.getUint8(end - 1) !== 0) return end;
  while (end > from && view.getInt32(end - 4, true) === 0) end -= 4;
  return end;
}
