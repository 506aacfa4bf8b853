/**
 * Reads one stream of one task, piece by piece. Following, it goes on through restarts in place (the log grows) and through new placements
 * (the next instance's log follows). Where the bytes go is the business of a LogSink.
 */
import { exitWords } from "../../base/exit-words.ts";
import { CallError } from "../../rpc/call-error.ts";
import type { ReadLogResponse, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import { type Context, NEWS_WAIT_MS } from "../context.ts";
import { Failure } from "../exit.ts";
import { bytesText } from "../text/units.ts";
import type { LogNotes, LogSink, StreamName } from "./log-sink.ts";

/** One answer; the cell gives no more. */
const PIECE_BYTES = 262_144;
/** How far back --tail looks for the beginning of its lines. */
const TAIL_BYTES_FIRST = 65_536;
const TAIL_BYTES_MAX = 8 << 20;
/** Between looks at a task that has no log to wait on. */
const IDLE_MS = 500;
/** A follower outlives a cell that is away, but not for ever. */
const AWAY_MAX_MS = 300_000;

/** LogStream of the wire. */
const STREAMS = { stdout: 1, stderr: 2 } as const;

/** Where reading begins: at the last lines, at a time, or at the beginning. */
export interface LogBeginning {
  readonly lines: number | undefined;
  readonly sinceMs: number | undefined;
}

export const FROM_THE_BEGINNING: LogBeginning = { lines: undefined, sinceMs: undefined };

export interface LogReaderOptions {
  readonly task: string;
  readonly stream: StreamName;
  readonly follow: boolean;
  readonly sink: LogSink;
  readonly notes: LogNotes;
  /** The machine is also asked when that was written. */
  readonly times?: boolean;
  /** How the task ended is said by somebody else. */
  readonly quiet?: boolean;
  /** Ends the following, beside Ctrl-C. */
  readonly signal?: AbortSignal;
}

export interface Cursor {
  readonly instance: string;
  readonly offset: number;
}

export class LogReader {
  readonly #context: Context;
  readonly #task: string;
  readonly #stream: StreamName;
  readonly #follow: boolean;
  readonly #sink: LogSink;
  readonly #notes: LogNotes;
  readonly #times: boolean;
  readonly #quiet: boolean;
  readonly #signal: AbortSignal | undefined;

  constructor(context: Context, { task, stream, follow, sink, notes, times = false, quiet = false, signal }: LogReaderOptions) {
    this.#context = context;
    this.#task = task;
    this.#stream = stream;
    this.#follow = follow;
    this.#sink = sink;
    this.#notes = notes;
    this.#times = times;
    this.#quiet = quiet;
    const interrupted = follow ? context.terminal.interrupted() : undefined;
    this.#signal = interrupted === undefined || signal === undefined ? interrupted : AbortSignal.any([interrupted, signal]);
  }

  /** Everything there is, or its last lines; then, following, what comes. A fixed instance is followed to its own end only. */
  async read(instance: string, from: LogBeginning): Promise<void> {
    const start = await this.#begin(instance, from);
    if (start === "gone") return;
    if (this.#follow) await this.#goOn(start, instance !== "");
    else if (from.lines === undefined) await this.#rest(start);
    this.#sink.end();
  }

  /** Where to read on: the beginning of the log, or behind its last lines, which are printed. */
  async #begin(instance: string, { lines, sinceMs }: LogBeginning): Promise<Cursor | "gone"> {
    for (;;) {
      try {
        if (sinceMs !== undefined) return await this.#since(instance, sinceMs);
        if (lines === undefined) return { instance, offset: 0 };
        return await this.#tail(instance, lines);
      } catch (error) {
        if (!this.#follow || !isMissing(error)) throw error;
        if ((await this.#now()) === "over") return "gone";
      }
    }
  }

  /** A machine that notes no times cannot find the place, and would give everything. */
  async #since(instance: string, sinceMs: number): Promise<Cursor> {
    const first = await this.#context.ask((client) =>
      client.readLog({ ...this.#request({ instance, offset: 0 }, 0), sinceMs: Math.max(1, sinceMs), times: true }),
    );
    if (!first.timed)
      throw new Failure(
        "refused",
        `Cannot use --since: machine "${first.machine}" does not note when logs were written`,
        "--tail N shows the last lines",
      );
    return { instance: first.instance, offset: first.offset };
  }

  /** Everything there is now. The end is asked for first: a task that never stops writing must not keep us for ever. */
  async #rest(from: Cursor): Promise<void> {
    const last = await this.#context.ask((client) => client.readLog({ ...this.#request({ ...from, offset: 0 }, 0), fromEnd: true }));
    const end = Math.max(last.offset, last.nextOffset);
    let cursor: Cursor = { instance: last.instance, offset: from.offset };
    while (cursor.offset < end) {
      const { instance, offset } = cursor;
      const bytesMax = Math.min(PIECE_BYTES, end - offset);
      const piece = await this.#context.ask((client) => client.readLog({ ...this.#request({ instance, offset }, 0), bytesMax }));
      cursor = await this.#take(piece, cursor);
      if (piece.data.length === 0) return;
    }
  }

  /** Until the task is dead, or Ctrl-C. A fixed instance is followed to its own end only. */
  async #goOn(from: Cursor, fixed: boolean): Promise<void> {
    const { terminal } = this.#context;
    let cursor = from;
    let awaySince: number | undefined;
    while (this.#signal?.aborted !== true) {
      try {
        const client = await this.#context.client();
        const piece = await client.readLog(this.#request(cursor, NEWS_WAIT_MS), this.#signal === undefined ? {} : { signal: this.#signal });
        awaySince = undefined;
        this.#notes.forget(CELL);
        cursor = await this.#take(piece, cursor);
        if (piece.data.length > 0 || !piece.ended) continue;
        const next = fixed ? "over" : piece.newerInstance || (await this.#now());
        if (next === "over") return;
        if (next !== "" && next !== cursor.instance) cursor = this.#next(next);
      } catch (error) {
        if (this.#signal?.aborted) return;
        if (isMissing(error) && !fixed) {
          // Never placed yet, or nothing is kept of where it was: what it has now is followed.
          const next = await this.#now();
          if (next === "over") return;
          if (next !== "" && cursor.instance !== "" && next !== cursor.instance) cursor = this.#next(next);
          continue;
        }
        awaySince = this.#away(error, awaySince);
        await terminal.sleep(IDLE_MS, this.#signal);
      }
    }
  }

  #request({ instance, offset }: Cursor, waitMs: number) {
    return { task: this.#task, instance, stream: STREAMS[this.#stream], offset, bytesMax: PIECE_BYTES, waitMs, times: this.#times };
  }

  /** Prints a piece, and says where the next one begins. */
  async #take(piece: ReadLogResponse, { offset }: Cursor): Promise<Cursor> {
    if (piece.data.length > 0 && piece.offset > offset) this.#note(`${bytesText(piece.offset - offset)} before this are no longer kept`);
    await this.#put(piece, piece.data, piece.offset);
    return { instance: piece.instance, offset: piece.data.length > 0 ? piece.nextOffset : Math.max(offset, piece.nextOffset) };
  }

  async #put({ instance, machine, marks, timed }: ReadLogResponse, bytes: Uint8Array, offset: number): Promise<void> {
    if (bytes.length === 0) return;
    const piece = { task: this.#task, instance, machine, stream: this.#stream, offset, bytes };
    if (this.#times && !timed) this.#note(`machine ${machine} does not note when logs were written`);
    await this.#sink.put(this.#times ? { ...piece, marks } : piece);
  }

  #next(instance: string): Cursor {
    this.#sink.end();
    this.#note(`task ${this.#task} was placed again: ${instance}`);
    return { instance, offset: 0 };
  }

  #note(text: string): void {
    this.#notes.say(this.#task, text);
  }

  /** The instance the task has now, if any; "over" when it has run its last. Waits a little, for it is asked again and again. */
  async #now(): Promise<string> {
    const { task } = await this.#context.ask((client) => client.getTask({ task: this.#task }));
    if (task?.state === "dead") {
      if (!this.#quiet) this.#note(endWords(task));
      return "over";
    }
    await this.#context.terminal.sleep(IDLE_MS, this.#signal);
    return this.#signal?.aborted === true ? "over" : (task?.instance ?? "");
  }

  #away(error: unknown, since: number | undefined): number {
    const now = this.#context.terminal.now();
    const code = error instanceof CallError ? error.code : "";
    if (!["unavailable", "unknown", "unreachable"].includes(code)) throw error;
    if (since === undefined) this.#notes.say(CELL, `${(error as Error).message}; waiting for it`);
    else if (now - since > AWAY_MAX_MS) throw error;
    return since ?? now;
  }

  /** Prints the last lines. Looks further and further back until there are enough of them, or the log begins there. */
  async #tail(instance: string, lines: number): Promise<Cursor> {
    for (let back = lines === 0 ? 0 : TAIL_BYTES_FIRST; ; back *= 4) {
      const first = await this.#context.ask((client) => client.readLog({ ...this.#request({ instance, offset: back }, 0), fromEnd: true }));
      const { bytes, end, marks } = await this.#gather(first);
      const start = startOfLines(bytes, lines);
      const enough = start > 0 || first.offset === 0 || bytes.length < back || back >= TAIL_BYTES_MAX || lines === 0;
      if (!enough) continue;
      await this.#put({ ...first, marks }, bytes.subarray(start), first.offset + start);
      return { instance: first.instance, offset: end };
    }
  }

  /** The first piece and those behind it, as far as the log goes now, at most TAIL_BYTES_MAX and one piece. */
  async #gather(first: ReadLogResponse): Promise<Gathered> {
    const pieces = [first.data];
    const marks = [...first.marks];
    let end = first.data.length > 0 ? first.nextOffset : Math.max(first.offset, first.nextOffset);
    let total = first.data.length;
    let last = first.data;
    while (last.length > 0 && total <= TAIL_BYTES_MAX) {
      const { instance } = first;
      const piece = await this.#context.ask((client) => client.readLog(this.#request({ instance, offset: end }, 0)));
      last = piece.data;
      pieces.push(last);
      total += last.length;
      marks.push(...piece.marks);
      if (last.length > 0) end = piece.nextOffset;
    }
    return { bytes: Buffer.concat(pieces), end, marks };
  }
}

interface Gathered {
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly marks: ReadLogResponse["marks"];
}

/** What notes about the cell itself are kept under: however many readers there are, it is away once. */
const CELL = "";

export const isMissing = (error: unknown): boolean => error instanceof CallError && error.code === "not-found";

const endWords = (task: TaskView): string =>
  `task ${task.name} is dead (${task.cause}${task.exited ? `, ${exitWords(task.exitCode, task.signal)}` : ""})`;

const LINE_FEED = 10;

/** Where the last so many lines begin; 0 when there are fewer. A last line without an end counts. */
export function startOfLines(bytes: Uint8Array, lines: number): number {
  if (lines === 0) return bytes.length;
  let [at, left] = [bytes.length - 1, lines];
  if (bytes[at] === LINE_FEED) at -= 1;
  for (; at >= 0; at--) if (bytes[at] === LINE_FEED && --left === 0) return at + 1;
  return 0;
}
