/**
 * Looks for words in a log from its end backwards, piece by piece, for a page knows only the end of it. So far and no farther, and it says how far. Pure but for what it
 * is given to read with.
 */
import { LINE_MAX, shownLine } from "./log-text.ts";

/** As much as one call answers. */
export const PIECE_BYTES = 262_144;
/** How far back: 32 calls. */
export const SEARCH_BYTES_MAX = 8 * 2 ** 20;
/** As many as a page can show. */
export const FOUND_MAX = 1000;

export interface LogPiece {
  /** Later than was asked for, if what was there is not kept any more. */
  readonly offset: number;
  readonly data: Uint8Array;
  readonly nextOffset: number;
}

export type ReadLogPiece = (offset: number, bytes: number) => Promise<LogPiece>;

export interface Looked {
  /** Oldest first. */
  readonly lines: readonly string[];
  /** Up to here, from the end. */
  readonly bytes: number;
  /** What it came to: all that is kept; as far as it goes; as many lines as it shows. */
  readonly end: "" | "beginning" | "far" | "many";
}

/** Lines that are whole before `until`, which have this; `tell` hears after each piece, and of the end. */
export async function searchBack(read: ReadLogPiece, until: number, find: string, tell: (looked: Looked) => void): Promise<void> {
  let lines: readonly string[] = [];
  let [end, isFirst] = [until, true];
  while (end > 0 && until - end < SEARCH_BYTES_MAX && lines.length < FOUND_MAX) {
    const asked = Math.max(0, end - PIECE_BYTES);
    const { from, data } = await pieceOf(read, asked, end);
    const isWhole = from === 0 || from > asked;
    const { found, begin } = searched(data, find, { isWhole, isFirst });
    lines = [...found, ...lines].slice(-FOUND_MAX);
    isFirst = false;
    end = isWhole ? 0 : from + begin;
    const bytes = isWhole ? until - from : until - end;
    tell({ lines, bytes, end: lines.length >= FOUND_MAX ? "many" : isWhole ? "beginning" : bytes >= SEARCH_BYTES_MAX ? "far" : "" });
  }
}

/** An answer may be shorter than what was asked for: where one file of a log ends, and the next one begins. */
async function pieceOf(read: ReadLogPiece, asked: number, end: number): Promise<{ readonly from: number; readonly data: Uint8Array }> {
  const whole = new Uint8Array(end - asked);
  let [from, at] = [asked, asked];
  while (at < end) {
    const { offset, data, nextOffset } = await read(at, end - at);
    if (at === asked) from = Math.min(end, Math.max(asked, offset));
    const begin = Math.max(at, offset);
    if (begin >= end || data.length === 0 || nextOffset <= at) break;
    whole.set(data.subarray(0, end - begin), begin - asked);
    at = begin + data.length;
  }
  return { from, data: whole.subarray(from - asked, Math.max(from, Math.min(at, end)) - asked) };
}

const NEWLINE = 10;

interface Edges {
  /** Nothing stands before it. */
  readonly isWhole: boolean;
  /** What stands after its last line goes on, and is looked at by who follows the log. */
  readonly isFirst: boolean;
}

/** `begin`: where its first whole line begins; what stands before that belongs to the piece before. */
function searched(
  data: Uint8Array,
  find: string,
  { isWhole, isFirst }: Edges,
): { readonly found: readonly string[]; readonly begin: number } {
  const first = data.indexOf(NEWLINE);
  // One line that is longer than the piece is looked at in parts.
  const begin = isWhole || first < 0 || first === data.length - 1 ? 0 : first + 1;
  const end = isFirst ? data.lastIndexOf(NEWLINE) + 1 : data.length;
  const lower = find.toLowerCase();
  const lines = new TextDecoder().decode(data.subarray(begin, Math.max(begin, end))).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shown = lines.map((line) => shownLine(line.slice(0, LINE_MAX + 1), line.length));
  return { found: shown.filter((line) => line.toLowerCase().includes(lower)), begin };
}
