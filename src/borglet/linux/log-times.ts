/**
 * When a task's logs were written. The shim keeps bytes and no times, because a shell that looks at each line is slow; so the borglet looks at the size of
 * each log once a second, and notes in `times.out` and `times.err` beside it: what was written up to this offset was written between these two times.
 * Notes are few and old ones become coarse, but no note says more than was seen. Where no borglet was there, the file's own time says when it ended.
 */
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogMark } from "../machine.ts";
import { type LogFile, lastFile, logFiles, STREAMS, type Stream } from "./log-files.ts";

/** Of one stream. At this many the old ones are joined in pairs. */
export const MARKS_MAX = 2048;
/** Of those, the newest stay as they are. */
const MARKS_FINE = 512;
/** The directory is read every so many looks, and when the newest file is full: a keeper that could not write begins another before that. */
const LOOKS_PER_LIST = 16;

interface Noted {
  file: LogFile | undefined;
  looks: number;
  /** How far the notes reach, and how many there are. */
  offset: number;
  marks: number;
  /** When the log was last seen to have just these bytes. 0: not by this borglet. */
  lookedMs: number;
  /** Where the newest note ends in time. */
  toMs: number;
}

export class LogTimes {
  readonly #noted = new Map<string, Noted>();
  readonly #fileBytes: number;

  /** `fileBytes`: below this size a file is the newest of its stream. */
  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes;
  }

  /** Looks at both streams of a log. */
  look(directory: string, nowMs: number): void {
    for (const stream of STREAMS) this.#lookAt(directory, stream, nowMs);
  }

  /** Nobody writes to it any more. */
  forget(directory: string): void {
    for (const stream of STREAMS) this.#noted.delete(timesPath(directory, stream));
  }

  #lookAt(directory: string, stream: Stream, nowMs: number): void {
    const path = timesPath(directory, stream);
    const noted = this.#noted.get(path) ?? notedAt(path);
    this.#noted.set(path, noted);
    noted.looks += 1;
    const known = noted.looks % LOOKS_PER_LIST === 0 ? undefined : noted.file;
    const found = newest(directory, stream, known, this.#fileBytes);
    const offset = found === undefined ? 0 : found.file.at + found.size;
    noted.file = found?.file;
    if (found === undefined || offset <= noted.offset) {
      noted.lookedMs = nowMs;
      return;
    }
    const fromMs = noted.lookedMs || noted.toMs;
    const toMs = Math.max(fromMs, Math.min(found.changedMs, nowMs));
    if (!append(path, { offset, fromMs, toMs })) return;
    Object.assign(noted, { offset, lookedMs: nowMs, toMs, marks: noted.marks + 1 });
    if (noted.marks >= MARKS_MAX) noted.marks = thinOut(path, logFiles(directory, stream)?.[0]?.at ?? 0) ?? noted.marks;
  }
}

function notedAt(path: string): Noted {
  const marks = readMarks(path);
  const last = marks.at(-1);
  return { file: undefined, looks: 0, offset: last?.offset ?? 0, marks: marks.length, lookedMs: 0, toMs: last?.toMs ?? 0 };
}

interface Newest {
  readonly file: LogFile;
  readonly size: number;
  readonly changedMs: number;
}

function newest(directory: string, stream: Stream, known: LogFile | undefined, fileBytes: number): Newest | undefined {
  const before = known === undefined ? undefined : measured(known);
  if (before !== undefined && before.size < fileBytes) return before;
  const last = lastFile(directory, stream);
  return last === undefined ? undefined : measured(last);
}

function measured(file: LogFile): Newest | undefined {
  try {
    const { size, mtimeMs } = statSync(file.path);
    return { file, size, changedMs: Math.ceil(mtimeMs) };
  } catch {
    return undefined;
  }
}

const timesPath = (directory: string, stream: Stream): string => join(directory, `times.${stream}`);

const lineOf = ({ offset, fromMs, toMs }: LogMark): string => `${offset} ${fromMs} ${toMs}\n`;

/** Not synced: what a power cut takes is noted again, less exactly. False: there is no room, and the next look tries again. */
function append(path: string, mark: LogMark): boolean {
  try {
    appendFileSync(path, lineOf(mark), { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

const LINE = /^(\d{1,16}) (\d{1,16}) (\d{1,16})$/;

/** In order of their offsets; a torn line is passed over. */
function readMarks(path: string): LogMark[] {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch {
    return [];
  }
  const marks: LogMark[] = [];
  for (const line of text.split("\n")) {
    const found = LINE.exec(line);
    if (found === null) continue;
    const mark = { offset: Number(found[1]), fromMs: Number(found[2]), toMs: Number(found[3]) };
    if (mark.offset > (marks.at(-1)?.offset ?? 0)) marks.push(mark);
  }
  return marks;
}

/** Drops what rotation has dropped, and joins old notes in pairs: the later one then says what both said. */
function thinOut(path: string, keptFrom: number): number | undefined {
  const kept = readMarks(path).filter(({ offset }) => offset > keptFrom);
  const thinned = thinner(kept);
  try {
    writeFileSync(`${path}.new`, thinned.map(lineOf).join(""), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    return thinned.length;
  } catch {
    return undefined;
  }
}

export function thinner(marks: readonly LogMark[]): readonly LogMark[] {
  const old = marks.slice(0, -MARKS_FINE);
  const joined = old.flatMap((mark, i) => {
    if (i % 2 === 1) return [{ ...mark, fromMs: Math.min(mark.fromMs, old[i - 1]!.fromMs), toMs: Math.max(mark.toMs, old[i - 1]!.toMs) }];
    return i === old.length - 1 ? [mark] : [];
  });
  return [...joined, ...marks.slice(-MARKS_FINE)];
}

/** The notes about these bytes: those that end within them, and the one that reaches beyond. */
export function marksOf(directory: string, stream: Stream, offset: number, end: number): LogMark[] {
  if (end <= offset) return [];
  const marks = readMarks(timesPath(directory, stream)).filter((mark) => mark.offset > offset);
  const last = marks.findIndex((mark) => mark.offset >= end);
  return last === -1 ? marks : marks.slice(0, last + 1);
}

/** Where that begins which may have been written at this time or later. */
export function offsetSince(directory: string, stream: Stream, sinceMs: number): number {
  const marks = readMarks(timesPath(directory, stream));
  const first = marks.findIndex(({ toMs }) => toMs >= sinceMs);
  return marks[(first === -1 ? marks.length : first) - 1]?.offset ?? 0;
}
