/**
 * Mesos' scheduler API at the cell's own port: SUBSCRIBE is answered with a stream of events, every other call with 202. Who calls, and how much, is decided
 * as for any other call (api/calls.ts); what a call means is the desk's to say. It never takes a call over a clear connection.
 */
import type { ServerResponse } from "node:http";
import type { MessageShape } from "@bufbuild/protobuf";
import type { CallAnswer, Caller, FrameworkDesk } from "../../wire/framework-desk.ts";
import { CallSchema as LookSchema, ResponseSchema } from "../../wire/gen/mesos/v1/master/master_pb.ts";
import { type CallSchema, CallSchema as Schema, Call_Type as Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { type BodyBudget, receiveBody } from "../api/body.ts";
import type { CallState, Calls } from "../api/calls.ts";
import { chargedTo } from "../api/charge.ts";
import type { Connection } from "../api/connections.ts";
import { answerPage, type HttpRequest, type HttpResponse, type Page, textPage } from "../api/http.ts";
import type { Bounds } from "../bounds.ts";
import { type CallCode, CallError } from "../call-error.ts";
import type { CellHandlers } from "../service.ts";
import { contentType, type MediaPair, MesosReader, mediaOf, writeMessage } from "./media.ts";
import { Operator } from "./operator.ts";
import { type Stream, Streams } from "./streams.ts";

type Call = MessageShape<typeof CallSchema>;

export const SCHEDULER_PATH = "/api/v1/scheduler";
/** Where clients look around. */
export const OPERATOR_PATH = "/api/v1";
export const MESOS_PATHS: ReadonlySet<string> = new Set([SCHEDULER_PATH, OPERATOR_PATH]);
const STREAM_HEADER = "mesos-stream-id";
const STREAM_ID = /^[\x21-\x7e]{1,128}$/;
/** The names under which calls and looks are paid for. */
const METHOD = "mesos";
const LOOK = "mesos-look";

const STATUS: Readonly<Partial<Record<CallCode, number>>> = {
  "bad-request": 400,
  unauthenticated: 401,
  "not-permitted": 403,
  "not-found": 404,
  "too-large": 413,
  unavailable: 503,
  unknown: 503,
};

/** One request, as the server has it. */
export interface MesosExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly connection: Connection;
  readonly expectsContinue: boolean;
  readonly token: string | undefined;
  /** The body has come. */
  complete(): void;
  /** The answer is ready. */
  answering(): void;
}

export interface MesosEdgeOptions {
  readonly desk: FrameworkDesk;
  readonly handlers: CellHandlers;
  readonly calls: Calls;
  readonly bounds: Bounds;
  readonly bodies: BodyBudget;
  readonly log: (line: string) => void;
}

export class MesosEdge {
  readonly #options: MesosEdgeOptions;
  readonly #streams: Streams;
  readonly #reader = new MesosReader(Schema);
  readonly #lookReader = new MesosReader(LookSchema);
  readonly #operator: Operator;

  constructor(options: MesosEdgeOptions) {
    this.#options = options;
    this.#operator = new Operator(options.handlers);
    this.#streams = new Streams(options.bounds);
  }

  /** Ends every stream in good order. */
  close(): void {
    this.#streams.close();
  }

  async serve(exchange: MesosExchange, path: string): Promise<void> {
    const { request, response, connection, token } = exchange;
    const media = mediaOf(request);
    if ("status" in media) return answerPage(request, response, media);
    const { bodyBytes } = this.#options.bounds;
    const { state } = this.#options.calls.begin({
      token,
      user: connection.user,
      session: undefined,
      timeoutMs: undefined,
      isReserve: connection.isReserve,
      bytes: Math.min(Number(request.headers["content-length"] ?? bodyBytes), bodyBytes),
    });
    try {
      const isLook = path === OPERATOR_PATH;
      const { user, isAdmin = false, controller } = await this.#options.calls.enter(state, isLook ? LOOK : METHOD);
      if (controller !== undefined)
        throw new CallError("not-permitted", `The token of "${controller}" is for its own jobs: a framework needs a token of its user`);
      if (isLook) await this.#look(exchange, state, { user, isAdmin }, media);
      else await this.#call(exchange, state, { user, isAdmin }, media);
    } catch (error) {
      exchange.answering();
      answerPage(request, response, this.#problemPage(error));
    } finally {
      this.#options.calls.end(state);
    }
  }

  async #call(exchange: MesosExchange, state: CallState, caller: Caller, media: MediaPair): Promise<void> {
    const { request, response } = exchange;
    const body = await this.#body(exchange, state);
    const read = this.#reader.read(body, media.sent, this.#options.bounds);
    if (!read.ok) throw new CallError("bad-request", read.reason);
    assertWhole(read.value);
    const streamId = streamIdOf(request, read.value);
    if (read.value.type === Type.SUBSCRIBE) return this.#subscribe(exchange, caller, read.value, media);
    const answer = this.#options.desk.call(caller, streamId, read.value, undefined);
    exchange.answering();
    answerPage(request, response, pageOf(answer));
  }

  async #look(exchange: MesosExchange, state: CallState, { user, isAdmin }: Caller, media: MediaPair): Promise<void> {
    const { request, response } = exchange;
    const read = this.#lookReader.read(await this.#body(exchange, state), media.sent, this.#options.bounds);
    if (!read.ok) throw new CallError("bad-request", read.reason);
    const deadlineMs = this.#options.bounds.callMs;
    const call = { user, isAdmin, deadlineMs, stale: false, shown: () => {}, ...chargedTo(state, response) };
    const told = await this.#operator.answer(read.value.type, call);
    exchange.answering();
    const body = writeMessage(ResponseSchema, told, media.wanted);
    answerPage(request, response, {
      status: 200,
      headers: { "content-type": contentType(media.wanted), "cache-control": "no-store" },
      body,
    });
  }

  async #body(exchange: MesosExchange, state: CallState): Promise<Uint8Array> {
    const { bounds, bodies, calls } = this.#options;
    const declared = Number(exchange.request.headers["content-length"] ?? 0);
    if (exchange.expectsContinue && declared <= bounds.bodyBytes) exchange.response.writeContinue();
    const body = await receiveBody(exchange.request, bounds, bodies);
    exchange.complete();
    calls.received(state, body.length);
    return body;
  }

  #subscribe(exchange: MesosExchange, caller: Caller, call: Call, media: MediaPair): void {
    const { request, response, connection, token } = exchange;
    const { calls, desk } = this.#options;
    const stream = this.#streams.open(response, media.wanted, {
      user: caller.user,
      isOwner: connection.user !== undefined,
      isKnown: async () => token === undefined || (await calls.identify(token))?.user === caller.user,
    });
    if (stream === undefined)
      throw new CallError(
        "unavailable",
        `User "${caller.user}" has as many open streams as one may have: end one, or use one scheduler for more`,
      );
    let answer: CallAnswer;
    try {
      answer = desk.call(caller, undefined, call, stream);
    } catch (error) {
      this.#streams.forget(stream);
      throw error;
    }
    if (answer.kind === "streaming") return this.#begin(exchange, stream, answer.streamId, media);
    this.#streams.forget(stream);
    exchange.answering();
    answerPage(request, response, pageOf(answer));
  }

  #begin({ response }: MesosExchange, stream: Stream, streamId: string, media: MediaPair): void {
    const { desk, log } = this.#options;
    const gone = (): void => {
      try {
        desk.gone(streamId);
      } catch (error) {
        log(`Cannot tell of a stream's end: ${error instanceof Error ? error.stack : String(error)}`);
      }
    };
    if (response.destroyed) return gone();
    response.once("close", gone);
    (response as ServerResponse).writeHead(200, {
      "content-type": contentType(media.wanted),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      [STREAM_HEADER]: streamId,
    });
    stream.begin();
  }

  #problemPage(error: unknown): Page {
    if (!(error instanceof CallError)) {
      this.#options.log(`A call of a framework failed: ${error instanceof Error ? error.stack : String(error)}`);
      return textPage(500, "The cell has a bug here, its log says more\n");
    }
    const { message, hint, retryAfterMs, code } = error;
    const page = textPage(STATUS[code] ?? 500, hint === undefined ? `${message}\n` : `${message}. ${hint}\n`);
    const more: Record<string, string> = retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
    if (code === "unauthenticated") more["www-authenticate"] = "Bearer";
    return { ...page, headers: { ...page.headers, ...more } };
  }
}

/** What a call of a type says; REVIVE, SUPPRESS and TEARDOWN may say nothing more. */
const SAYS: ReadonlyMap<Type, keyof Call> = new Map([
  [Type.SUBSCRIBE, "subscribe"],
  [Type.ACCEPT, "accept"],
  [Type.DECLINE, "decline"],
  [Type.KILL, "kill"],
  [Type.SHUTDOWN, "shutdown"],
  [Type.ACKNOWLEDGE, "acknowledge"],
  [Type.RECONCILE, "reconcile"],
  [Type.MESSAGE, "message"],
  [Type.REQUEST, "request"],
]);

function assertWhole(call: Call): void {
  if (call.type === undefined || call.type === Type.UNKNOWN) throw new CallError("bad-request", "Expected a call of a known type");
  const said = SAYS.get(call.type);
  if (said !== undefined && call[said] === undefined)
    throw new CallError("bad-request", `Expected "${said}" in a call of type ${said.toUpperCase()}`);
}

/** Of every call but SUBSCRIBE, which begins a stream. */
function streamIdOf(request: HttpRequest, call: Call): string | undefined {
  const value = request.headers[STREAM_HEADER];
  if (call.type === Type.SUBSCRIBE) {
    if (value === undefined) return undefined;
    throw new CallError("bad-request", "SUBSCRIBE begins a stream: send no Mesos-Stream-Id with it");
  }
  if (typeof value === "string" && STREAM_ID.test(value)) return value;
  throw new CallError("bad-request", "Expected the header Mesos-Stream-Id, as the answer to SUBSCRIBE had it");
}

function pageOf(answer: CallAnswer): Page {
  if (answer.kind === "refused") return textPage(answer.status, `${answer.text}\n`);
  if (answer.kind === "accepted") return { status: 202, headers: {}, body: "" };
  throw new Error("The desk began a stream for a call that has none");
}
