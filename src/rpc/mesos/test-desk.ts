/** A desk of a few lines for tests of this folder: it answers as a script says, and remembers what it was asked. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { make } from "../../wire/codec.ts";
import type { CallAnswer, Caller, EventStream, FrameworkDesk } from "../../wire/framework-desk.ts";
import { type Call, type Event, Event_Type, EventSchema, Call_Type as Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { AUTHORITY, type TestCell, TOKEN } from "../test-cell.ts";
import { RecordReader } from "./record-io.ts";

export interface Seen {
  readonly caller: Caller;
  readonly streamId: string | undefined;
  readonly call: Call;
}

export class TestDesk implements FrameworkDesk {
  readonly seen: Seen[] = [];
  readonly ended: string[] = [];
  /** By stream id. */
  readonly streams = new Map<string, EventStream>();
  /** What every SUBSCRIBE is sent after SUBSCRIBED. */
  readonly first: Event[] = [];
  #last = 0;

  call(caller: Caller, streamId: string | undefined, call: Call, stream: EventStream | undefined): CallAnswer {
    this.seen.push({ caller, streamId, call });
    if (stream !== undefined) return this.#subscribe(stream);
    if (streamId === undefined || !this.streams.has(streamId))
      return { kind: "refused", status: 403, text: "This stream is not the framework's" };
    if (call.type === Type.TEARDOWN) this.streams.get(streamId)?.end("torn down");
    return { kind: "accepted" };
  }

  #subscribe(stream: EventStream): CallAnswer {
    this.#last += 1;
    const streamId = `stream-${this.#last}`;
    this.streams.set(streamId, stream);
    stream.send(
      make(EventSchema, {
        type: Event_Type.SUBSCRIBED,
        subscribed: { frameworkId: { value: `f-${this.#last}` }, heartbeatIntervalSeconds: 5 },
      }),
    );
    for (const event of this.first) stream.send(event);
    return { kind: "streaming", streamId };
  }

  gone(streamId: string): void {
    this.streams.delete(streamId);
    this.ended.push(streamId);
  }
}

const WORK_MS = 30_000;

/** What hangs fails, so that everything that was opened can be closed. */
export async function inTime(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not done within ${WORK_MS} ms`)), WORK_MS);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

export const SUBSCRIBE = JSON.stringify({ type: "SUBSCRIBE", subscribe: { framework_info: { user: "root", name: "test" } } });

const HANG_MS = 5000;
const PATH = "/api/v1/scheduler";

const optionsFor = (cell: TestCell, headers: Readonly<Record<string, string>>): RequestOptions => ({
  host: "127.0.0.1",
  port: cell.port,
  path: PATH,
  method: "POST",
  ca: AUTHORITY.certificate,
  servername: "localhost",
  agent: false,
  headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers },
});

/** One call over TLS, with the token of ann; a header of "" is left out. */
export function post(
  cell: TestCell,
  body: string | Uint8Array,
  own: Readonly<Record<string, string>> = {},
  method = "POST",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { ...optionsFor(cell, own), method } as RequestOptions & { headers: Record<string, string> };
    for (const [name, value] of Object.entries(own)) if (value === "") delete options.headers[name];
    const request = httpsRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.setTimeout(HANG_MS, () => request.destroy(new Error(`No end within ${HANG_MS} ms of: ${String(body).slice(0, 80)}`)));
    request.end(body);
  });
}

/** An open stream, as a client sees it. */
export interface Subscription {
  readonly streamId: string;
  readonly response: IncomingMessage;
  /** The next record. */
  next(): Promise<Buffer>;
  /** How the stream ended: in good order, or not. */
  readonly ended: Promise<"end" | "cut">;
}

export function subscribe(
  cell: TestCell,
  own: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = SUBSCRIBE,
): Promise<Subscription> {
  return new Promise((resolve, reject) => {
    httpsRequest(optionsFor(cell, own), (response) => resolve(subscriptionOf(response)))
      .on("error", reject)
      .end(body);
  });
}

/** On the owner's own socket, without a word about who it is. */
export function subscribeAsOwner(cell: TestCell): Promise<Subscription> {
  return new Promise((resolve, reject) => {
    httpRequest(
      { socketPath: cell.path, path: PATH, method: "POST", agent: false, headers: { "content-type": "application/json" } },
      (response) => resolve(subscriptionOf(response)),
    )
      .on("error", reject)
      .end(SUBSCRIBE);
  });
}

export function subscriptionOf(response: IncomingMessage): Subscription {
  const reader = new RecordReader(2 ** 24);
  const records: Buffer[] = [];
  let wake = (): void => {};
  response.on("data", (chunk: Buffer) => {
    records.push(...reader.push(chunk));
    wake();
  });
  const ended = new Promise<"end" | "cut">((resolve) => {
    response.once("end", () => resolve("end"));
    response.once("error", () => resolve("cut"));
    response.once("aborted", () => resolve("cut"));
  });
  const next = async (): Promise<Buffer> => {
    while (records.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const over = await Promise.race([promise.then(() => undefined), ended]);
      if (over !== undefined && records.length === 0) throw new Error(`The stream ended (${over}) with status ${response.statusCode}`);
    }
    return records.shift() as Buffer;
  };
  return { streamId: String(response.headers["mesos-stream-id"] ?? ""), response, next, ended };
}
