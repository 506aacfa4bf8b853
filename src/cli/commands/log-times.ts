/** Which bytes of a log were written when, by the marks that its machine made. */
import { clockText } from "../text/units.ts";

/** What was written up to this offset, and after the mark before it, was written between these times. `fromMs` 0: not known. */
export interface LogMark {
  readonly offset: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Bytes {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Machines look once a second; further apart than this, only the end of the time is worth telling. */
const EXACT_MS = 3000;

/** The mark of the byte before `end`; undefined: nobody noted it. */
export const markOf = (marks: readonly LogMark[], end: number): LogMark | undefined => marks.find(({ offset }) => offset >= end);

/** ` 2026-01-31 14:03:05`; with a `<` where it was written some time before that. */
export function timeText(mark: LogMark | undefined): string {
  if (mark === undefined) return "-".padStart(TIME_COLUMNS);
  return `${mark.toMs - mark.fromMs > EXACT_MS ? "<" : " "}${clockText(mark.toMs)}`;
}

const TIME_COLUMNS = " 2026-01-31 14:03:05".length;

const LINE_FEED = 10;

/** A part for each line, its end with it; the last one may not have ended. */
export function* piecesByLine(bytes: Uint8Array, offset: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, at);
    const below = found === -1 ? bytes.length : found + 1;
    yield { offset: offset + at, bytes: bytes.subarray(at, below) };
    at = below;
  }
}

/** A part for each mark, and one for what is behind the last. */
export function* piecesByMark(
  bytes: Uint8Array,
  offset: number,
  marks: readonly LogMark[],
): Generator<Bytes & { readonly mark: LogMark | undefined }> {
  for (let at = 0; at < bytes.length; ) {
    const mark = markOf(marks, offset + at + 1);
    const below = mark === undefined ? bytes.length : Math.min(bytes.length, mark.offset - offset);
    yield { offset: offset + at, bytes: bytes.subarray(at, below), mark };
    at = below;
  }
}
