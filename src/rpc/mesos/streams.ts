/**
 * The open event streams of frameworks. Each record is written in one piece; each stream sends a heartbeat, so that its reader can tell a quiet cell from a
 * dead one, and is cut off when its reader falls too far behind, or takes nothing for too long. It never looks into an event.
 */
import type { ServerResponse } from "node:http";
import { make } from "../../wire/codec.ts";
import type { EventStream } from "../../wire/framework-desk.ts";
import { type Event, EventSchema, Event_Type as Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import type { HttpResponse } from "../api/http.ts";
import type { Bounds } from "../bounds.ts";
import { type Media, writeMessage } from "./media.ts";
import { framed, writePiece } from "./record-io.ts";

type StreamBounds = Pick<
  Bounds,
  "streamsPerUser" | "streamsOfOwner" | "streamBytes" | "streamsBytes" | "heartbeatMs" | "answerMs" | "sweepMs"
>;

/** While all streams together have too much waiting, one with less than this goes on. */
const LITTLE_BYTES = 64 * 1024;

const HEARTBEAT = make(EventSchema, { type: Type.HEARTBEAT });

export interface StreamOwner {
  readonly user: string;
  /** On the owner's own socket. */
  readonly isOwner: boolean;
  /** Looked at again while the stream is open: false ends it. */
  readonly isKnown: () => Promise<boolean>;
}

export class Streams {
  readonly #bounds: StreamBounds;
  readonly #open = new Set<Stream>();
  readonly #timer: NodeJS.Timeout;
  /** As far as it was seen: what a reader took meanwhile is seen with the next record or sweep. */
  #waitingBytes = 0;

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds;
    this.#timer = setInterval(() => this.#sweep(), bounds.sweepMs).unref();
  }

  /** Undefined: this user has as many as one may have. */
  open(response: HttpResponse, media: Media, owner: StreamOwner): Stream | undefined {
    const { streamsPerUser, streamsOfOwner } = this.#bounds;
    let count = 0;
    for (const stream of this.#open) if (stream.owner.user === owner.user && stream.owner.isOwner === owner.isOwner) count += 1;
    if (count >= (owner.isOwner ? streamsOfOwner : streamsPerUser)) return undefined;
    const stream = new Stream(response, media, owner, this);
    this.#open.add(stream);
    response.once("close", () => this.forget(stream));
    return stream;
  }

  /** Whether so many bytes more may wait on this stream. */
  hasRoom(stream: Stream, bytes: number): boolean {
    this.#see(stream);
    const { streamBytes, streamsBytes } = this.#bounds;
    if (stream.waitingBytes + bytes > streamBytes) return false;
    return this.#waitingBytes + bytes <= streamsBytes || stream.waitingBytes + bytes <= LITTLE_BYTES;
  }

  #see(stream: Stream): void {
    const before = stream.waitingBytes;
    this.#waitingBytes += stream.look(performance.now()) - before;
  }

  forget(stream: Stream): void {
    if (this.#open.delete(stream)) this.#waitingBytes -= stream.waitingBytes;
  }

  /** Clients begin anew with who leads then. */
  close(): void {
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end("the master stops");
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const stream of this.#open) {
      this.#see(stream);
      if (stream.isStuck(nowMs, this.#bounds.answerMs)) stream.cut();
      else if (stream.isDue(nowMs, this.#bounds.heartbeatMs)) stream.beat(nowMs);
    }
  }
}

export class Stream implements EventStream {
  readonly owner: StreamOwner;
  readonly #response: HttpResponse;
  readonly #media: Media;
  readonly #streams: Streams;
  /** Until the head is written. */
  #early: Buffer[] | undefined = [];
  #earlyBytes = 0;
  #beatMs = performance.now();
  /** When its reader last took something, or had nothing to take. */
  #takenMs = performance.now();
  #waitingBytes = 0;
  #ended = false;

  constructor(response: HttpResponse, media: Media, owner: StreamOwner, streams: Streams) {
    this.#response = response;
    this.#media = media;
    this.owner = owner;
    this.#streams = streams;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  send(event: Event): boolean {
    if (this.#ended || this.#response.destroyed) return false;
    const record = framed(writeMessage(EventSchema, event, this.#media));
    if (!this.#streams.hasRoom(this, record.length)) {
      this.cut();
      return false;
    }
    this.#write(record);
    return true;
  }

  #write(record: Buffer): void {
    if (this.#early === undefined) {
      writePiece(this.#response as ServerResponse, record);
      return;
    }
    this.#early.push(record);
    this.#earlyBytes += record.length;
  }

  /** The head is written: what was sent before goes first. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#earlyBytes = 0;
    for (const record of early) this.#write(record);
    if (this.#ended) this.#response.end();
  }

  end(_reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#early === undefined) this.#response.end();
  }

  /** Its reader does not read: an end in good order would wait for it. */
  cut(): void {
    this.#ended = true;
    this.#response.destroy();
  }

  /** How much waits now. */
  look(nowMs: number): number {
    const before = this.#waitingBytes;
    this.#waitingBytes = this.#earlyBytes + (this.#early === undefined ? lengthOf(this.#response) : 0);
    if (this.#waitingBytes === 0 || this.#waitingBytes < before) this.#takenMs = nowMs;
    return this.#waitingBytes;
  }

  isStuck(nowMs: number, afterMs: number): boolean {
    return nowMs - this.#takenMs > afterMs;
  }

  isDue(nowMs: number, everyMs: number): boolean {
    return this.#early === undefined && nowMs - this.#beatMs >= everyMs;
  }

  beat(nowMs: number): void {
    this.#beatMs = nowMs;
    this.send(HEARTBEAT);
    this.owner.isKnown().then(
      (isKnown) => isKnown || this.#unknown(),
      () => {},
    );
  }

  #unknown(): void {
    this.send(make(EventSchema, { type: Type.ERROR, error: { message: "The token of this framework is not valid any more" } }));
    this.end("its token is not valid any more");
  }
}

/** What was written and nobody took: of HTTP/2 the stream's, which the response does not tell. */
function lengthOf(response: HttpResponse): number {
  return "stream" in response && response.stream !== undefined
    ? response.stream.writableLength
    : (response as ServerResponse).writableLength;
}
