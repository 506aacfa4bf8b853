/** Requests for a log that wait until there is something to read. Each is answered once: with data, at the log's end, or when its time is over. */
import type { Address } from "../base/env.ts";
import { make } from "../wire/codec.ts";
import { type LogChunk, LogChunkSchema, type LogRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { LogPiece, LogRange } from "./machine.ts";

/** Requests that wait at a time; one more is answered at once, with whatever there is. */
export const LOG_WAITS_MAX = 1000;
export const LOG_BYTES_MAX = 262_144;

interface Wait {
  readonly from: Address;
  readonly request: LogRequest;
  /** Fixed when it first looked, so that "from the end" means that end. */
  readonly offset: number;
  readonly untilMs: number;
}

export type ReadLog = (range: LogRange) => LogPiece | undefined;
export type SendChunk = (to: Address, chunk: LogChunk) => void;

export class LogWaits {
  readonly #readLog: ReadLog;
  readonly #send: SendChunk;
  #waits: Wait[] = [];

  constructor(readLog: ReadLog, send: SendChunk) {
    this.#readLog = readLog;
    this.#send = send;
  }

  get waiting(): boolean {
    return this.#waits.length > 0;
  }

  ask(from: Address, request: LogRequest, nowMs: number): void {
    const piece = this.#read(request, request);
    if (piece !== undefined && isNothingYet(piece) && request.waitMs > 0 && this.#waits.length < LOG_WAITS_MAX)
      this.#waits.push({ from, request, offset: piece.offset, untilMs: nowMs + request.waitMs });
    else this.#answer(from, request, piece);
  }

  /** Looks at everything that waits. */
  look(nowMs: number): void {
    const waits = this.#waits;
    this.#waits = [];
    for (const wait of waits) {
      const piece = this.#read(wait.request, { offset: wait.offset, fromEnd: false });
      if (piece !== undefined && isNothingYet(piece) && nowMs < wait.untilMs) this.#waits.push(wait);
      else this.#answer(wait.from, wait.request, piece);
    }
  }

  /** Whoever asked is gone. */
  clear(from: Address): void {
    this.#waits = this.#waits.filter((wait) => wait.from !== from);
  }

  #read({ instance, stream, times, bytesMax }: LogRequest, from: Pick<LogRange, "offset" | "fromEnd" | "sinceMs">): LogPiece | undefined {
    const { offset, fromEnd, sinceMs = 0 } = from;
    const bytes = Math.min(bytesMax || LOG_BYTES_MAX, LOG_BYTES_MAX);
    return this.#readLog({ instance, stream, offset, fromEnd, sinceMs, times, bytesMax: bytes });
  }

  #answer(to: Address, { id }: LogRequest, piece: LogPiece | undefined): void {
    this.#send(
      to,
      make(LogChunkSchema, piece === undefined ? { id, unknown: true, ended: true } : { id, ...piece, timed: piece.marks !== undefined }),
    );
  }
}

const isNothingYet = (piece: LogPiece): boolean => piece.data.length === 0 && !piece.ended;
