/**
 * A task's logs as its shim keeps them: `out.<offset>` and `err.<offset>`, named by how many bytes were written before them. This side only
 * reads them, and takes them away some time after their instance was forgotten.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { LogStream } from "../../wire/gen/borg/v1/link_pb.ts";
import type { LogPiece, LogRange } from "../machine.ts";
import { removeOwn } from "./remove.ts";
import type { LogEnd } from "./shim.ts";

export interface LogLimits {
  /** A file is closed when it has so many bytes, and of each stream so many files are kept. */
  readonly fileBytes: number;
  readonly files: number;
  /** After its instance was forgotten a log stays so long, as long as all such logs together are below the total. */
  readonly keepMs: number;
  readonly keepBytes: number;
}

export const LOG_LIMITS: LogLimits = { fileBytes: 8 * 2 ** 20, files: 4, keepMs: 3_600_000, keepBytes: 2 ** 30 };

export type Stream = "out" | "err";
export const STREAMS: readonly Stream[] = ["out", "err"];

export interface LogFile {
  readonly path: string;
  readonly at: number;
}

const FILE = /^(out|err)\.(\d{16})$/;

export const streamOf = (stream: LogStream): Stream => (stream === LogStream.STDERR ? "err" : "out");

/** Its files, the oldest first; undefined: there is no such log. */
export function logFiles(directory: string, stream: Stream): LogFile[] | undefined {
  try {
    return readdirSync(directory)
      .map((name) => FILE.exec(name))
      .filter((found) => found !== null && found[1] === stream)
      .map((found) => ({ path: join(directory, found![0]), at: Number(found![2]) }))
      .sort((a, b) => a.at - b.at);
  } catch {
    return undefined;
  }
}

export const lastFile = (directory: string, stream: Stream): LogFile | undefined => logFiles(directory, stream)?.at(-1);

/** Where the next run goes on. */
export function logEnd(directory: string, stream: Stream): LogEnd {
  const last = lastFile(directory, stream);
  return last === undefined ? { at: 0, size: 0 } : { at: last.at, size: sizeOf(last.path) };
}

/** Undefined: there are no such logs. `ended`: nobody writes any more. */
export function readLog(directory: string, range: LogRange, ended: boolean): LogPiece | undefined {
  const files = logFiles(directory, streamOf(range.stream));
  if (files === undefined) return undefined;
  const last = files.at(-1);
  const end = last === undefined ? 0 : last.at + sizeOf(last.path);
  const asked = range.fromEnd ? Math.max(0, end - range.offset) : range.offset;
  if (asked >= end) return { offset: end, data: new Uint8Array(), ended };
  return piece(files, asked, range.bytesMax, end, ended);
}

/** From one file only: the next question gets what comes after. What rotation has dropped is passed over. */
function piece(files: readonly LogFile[], asked: number, bytesMax: number, end: number, ended: boolean): LogPiece {
  for (const [i, { path, at }] of files.entries()) {
    const next = files[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const from = Math.max(asked, at);
    if (from >= next) continue;
    const data = readPart(path, from - at, bytesMax);
    if (data.length > 0) return { offset: from, data, ended: ended && from + data.length >= end };
  }
  return { offset: end, data: new Uint8Array(), ended };
}

/** Only a plain file is read, and never through a link. */
function readPart(path: string, offset: number, bytesMax: number): Uint8Array {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) return new Uint8Array();
      const buffer = new Uint8Array(bytesMax);
      return buffer.slice(0, readSync(fd, buffer, 0, bytesMax, offset));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Rotation took it away between the look and the read.
    return new Uint8Array();
  }
}

/** Logs of forgotten instances go when they are old, and the oldest first when there are too many. */
export function sweepLogs(directory: string, isKept: (key: string) => boolean, limits: LogLimits, nowMs: number): void {
  const old = readdirSync(directory)
    .filter((key) => !isKept(key))
    .map((key) => ({ path: join(directory, key), ...measure(join(directory, key)) }))
    .sort((a, b) => b.changedMs - a.changedMs);
  let bytes = 0;
  for (const log of old) {
    bytes += log.bytes;
    if (nowMs - log.changedMs > limits.keepMs || bytes > limits.keepBytes) removeOwn(log.path);
  }
}

function measure(directory: string): { readonly bytes: number; readonly changedMs: number } {
  let bytes = 0;
  let changedMs = 0;
  for (const stream of STREAMS) {
    for (const { path } of logFiles(directory, stream) ?? []) bytes += sizeOf(path);
  }
  try {
    changedMs = statSync(directory).mtimeMs;
  } catch {
    changedMs = 0;
  }
  return { bytes, changedMs };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
