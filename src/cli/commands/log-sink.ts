/** Where a task's output goes: as it is into a pipe, harmless on a terminal, line by line behind a name, or as objects for programs. */
import type { Context } from "../context.ts";
import type { Terminal } from "../terminal.ts";
import { LogFilter } from "../text/log-filter.ts";
import { safeLine } from "../text/safe.ts";
import { iso } from "../text/units.ts";
import { type LogMark, markOf, piecesByLine, piecesByMark, timeText } from "./log-times.ts";

export type StreamName = "stdout" | "stderr";

export interface LogPiece {
  readonly task: string;
  readonly instance: string;
  readonly machine: string;
  readonly stream: StreamName;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** When they were written, where that was asked. */
  readonly marks?: readonly LogMark[];
}

export interface LogSink {
  put(piece: LogPiece): Promise<void>;
  /** Nothing more comes of this instance. */
  end(): void;
}

const LINE_FEED = 10;

/** Both streams of a task write to the same place: the second does not go on in a line that the first has begun. */
export class Screen {
  readonly terminal: Terminal;
  #last: LogSink | undefined;
  #isInLine = false;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  async write(by: LogSink, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    if (this.#isInLine && this.#last !== by) await this.terminal.write(Uint8Array.of(LINE_FEED));
    this.#last = by;
    this.#isInLine = bytes.at(-1) !== LINE_FEED;
    await this.terminal.write(bytes);
  }
}

/** The bytes, as they are or without what a terminal would obey. */
export class PlainSink implements LogSink {
  readonly #screen: Screen;
  readonly #filter: LogFilter | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#filter = screen.terminal.live ? new LogFilter() : undefined;
  }

  async put({ bytes }: LogPiece): Promise<void> {
    await this.#screen.write(this, this.#filter === undefined ? bytes : Buffer.from(this.#filter.pass(bytes)));
  }

  end(): void {
    const rest = this.#filter?.end() ?? "";
    if (rest !== "") this.#screen.terminal.print(rest);
  }
}

/** A longer line is broken, so that a task that never ends a line is seen too. */
const LINE_LENGTH_MAX = 65_536;

/** Whole lines, each behind the name of its task, and behind the time when it was ended, if times are there. */
export class PrefixSink implements LogSink {
  readonly #terminal: Terminal;
  readonly #prefix: string;
  readonly #filter: LogFilter | undefined;
  #decoder = new TextDecoder();
  #begun = "";
  #time = "";

  constructor(terminal: Terminal, prefix: string) {
    this.#terminal = terminal;
    this.#prefix = prefix;
    this.#filter = terminal.live ? new LogFilter() : undefined;
  }

  async put(piece: LogPiece): Promise<void> {
    if (piece.marks === undefined) return this.#put(piece.bytes);
    for (const { bytes, offset } of piecesByLine(piece.bytes, piece.offset)) {
      this.#time = `${timeText(markOf(piece.marks, offset + bytes.length))}  `;
      await this.#put(bytes);
    }
  }

  async #put(bytes: Uint8Array): Promise<void> {
    const lines = (this.#begun + (this.#filter?.pass(bytes) ?? this.#decoder.decode(bytes, { stream: true }))).split("\n");
    this.#begun = lines.pop()!;
    if (this.#begun.length > LINE_LENGTH_MAX) {
      lines.push(this.#begun);
      this.#begun = "";
    }
    // One write for a piece: readers of other tasks write in between, but never within a line.
    if (lines.length > 0) await this.#terminal.write(Buffer.from(lines.map((line) => this.#line(line)).join("")));
  }

  end(): void {
    if (this.#begun !== "") this.#terminal.print(this.#line(this.#begun));
    this.#begun = "";
    this.#decoder = new TextDecoder();
    this.#filter?.end();
  }

  /** A colour that a line leaves on would colour the names behind it. */
  #line(text: string): string {
    return `${this.#time}${this.#prefix}${text}${this.#terminal.live && text.includes("\x1b") ? "\x1b[0m" : ""}\n`;
  }
}

/** One object for each piece. */
export class JsonSink implements LogSink {
  readonly #terminal: Terminal;
  #decoder = new TextDecoder();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** With times one for all that was written between the same two. */
  async put(piece: LogPiece): Promise<void> {
    if (piece.marks === undefined) return this.#print(piece, {});
    for (const { mark, ...part } of piecesByMark(piece.bytes, piece.offset, piece.marks))
      this.#print({ ...piece, ...part }, { writtenAfter: iso(mark?.fromMs ?? 0), writtenBy: iso(mark?.toMs ?? 0) });
  }

  #print({ task, instance, machine, stream, offset, bytes }: LogPiece, times: Readonly<Record<string, unknown>>): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#terminal.print(`${JSON.stringify({ task, instance, machine, stream, offset, ...times, text })}\n`);
  }

  end(): void {
    this.#decoder = new TextDecoder();
  }
}

/** What is said beside the output, never in it, and once: both streams of a task meet the same ends. */
export class LogNotes {
  readonly #context: Context;
  readonly #said = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  say(about: string, text: string): void {
    if (this.#said.get(about) === text) return;
    this.#said.set(about, text);
    if (!this.#context.json) this.#context.terminal.complain(`-- ${safeLine(text)} --\n`);
  }

  forget(about: string): void {
    this.#said.delete(about);
  }
}
