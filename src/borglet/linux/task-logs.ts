/** The logs of this machine's tasks: read for whoever asks, and watched for when they were written. */

import { keyOf } from "../instance-key.ts";
import type { LogPiece, LogRange } from "../machine.ts";
import type { Layout } from "./layout.ts";
import { type LogLimits, readLog, streamOf, sweepLogs } from "./log-files.ts";
import { LogTimes, marksOf, offsetSince } from "./log-times.ts";

export class TaskLogs {
  readonly #layout: Layout;
  readonly #limits: LogLimits;
  readonly #times: LogTimes;

  constructor(layout: Layout, limits: LogLimits) {
    this.#layout = layout;
    this.#limits = limits;
    this.#times = new LogTimes(limits.fileBytes);
  }

  /** `isOver`: no run of it is there that could write more. */
  read(range: LogRange, isOver: boolean): LogPiece | undefined {
    const key = keyOf(range.instance);
    const directory = this.#layout.log(key);
    const stream = streamOf(range.stream);
    const sinceMs = range.sinceMs ?? 0;
    if (sinceMs > 0) this.note(key, isOver);
    const from = sinceMs > 0 ? { ...range, offset: offsetSince(directory, stream, sinceMs), fromEnd: false } : range;
    const piece = readLog(directory, from, isOver);
    if (piece === undefined || range.times !== true) return piece;
    // After it was read, so that the notes reach as far as it does.
    this.note(key, isOver);
    return { ...piece, marks: marksOf(directory, stream, piece.offset, piece.offset + piece.data.length) };
  }

  note(key: string, isOver: boolean): void {
    const directory = this.#layout.log(key);
    this.#times.look(directory, Date.now());
    if (isOver) this.#times.forget(directory);
  }

  forget(key: string): void {
    this.#times.forget(this.#layout.log(key));
  }

  /** Old logs of instances that nobody keeps go. */
  sweep(isKept: (key: string) => boolean): void {
    sweepLogs(this.#layout.logs, isKept, this.#limits, Date.now());
  }
}
