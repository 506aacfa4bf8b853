/**
 * Mesos' executor API on this machine: `POST /api/v1/executor` on a loopback port, for executors that this borglet started and nobody else. Who an executor is, the
 * token in its environment says; a token is worked out from a key that only this borglet has, so it outlives the borglet. As root the port is one that no task can
 * listen on, so that nobody can stand in for a borglet that is away. What is said is for borglet/executors.ts to judge.
 */
import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { receiveBody } from "../../rpc/api/body.ts";
import { answerPage, textPage } from "../../rpc/api/http.ts";
import { BOUNDS } from "../../rpc/bounds.ts";
import { CallError } from "../../rpc/call-error.ts";
import { contentType, type Media, MesosReader, mediaOf, writeMessage } from "../../rpc/mesos/media.ts";
import { framed, writePiece } from "../../rpc/mesos/record-io.ts";
import { make } from "../../wire/codec.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { type Call, Call_Type, CallSchema, type Event, Event_Type, EventSchema } from "../../wire/gen/mesos/v1/executor/executor_pb.ts";
import { NOTICE_MS_DEFAULT } from "../../wire/spec-defaults.ts";
import { DoorGuests } from "./door-guests.ts";
import type { Variables } from "./launcher.ts";
import { makeDirectory, replaceFile } from "./layout.ts";

export interface DoorHost {
  call(executor: string, call: Call): { readonly status: number; readonly text: string } | undefined;
  /** Its stream is no more. */
  gone(executor: string): void;
  log(line: string): void;
}

interface Known {
  readonly instance: string;
  readonly id: string;
  readonly framework: string;
  /** Calls in this second. */
  calls: number;
  sinceMs: number;
}

interface Stream {
  readonly response: ServerResponse;
  readonly media: Media;
}

const PATHS: ReadonlySet<string> = new Set(["/api/v1/executor", "/slave(1)/api/v1/executor"]);
const LOOPBACK = "127.0.0.1";
const KEY_BYTES = 32;
/** A larger call is refused. */
const BODY_BYTES = 2 ** 20;
/** Of one executor; one more is told to come again. */
const CALLS_PER_SECOND = 500;
/** What waits for an executor that does not read; beyond it its stream is cut off, and it has to subscribe again. */
const STREAM_BYTES = 16 * 2 ** 20;
const HEARTBEAT_MS = 15_000;
const HEADERS_MS = 5_000;
/** How often connections are looked through for one that is late. */
const LATE_MS = 2_000;
/** Where tasks of root's borglets cannot listen. Between them are none of the ports that browsers, and so `fetch`, refuse to ask. */
export const EXECUTOR_PORTS = { first: 640, last: 988 } as const;
const TRIES = 20;
const HEARTBEAT = make(EventSchema, { type: Event_Type.HEARTBEAT });

export class ExecutorDoor {
  readonly #host: DoorHost;
  readonly #key: Buffer;
  readonly #server: Server;
  readonly #guests = new DoorGuests();
  readonly #bodies = { bytes: 0 };
  readonly #reader = new MesosReader(CallSchema);
  /** By the hash of their tokens. */
  readonly #known = new Map<string, Known>();
  readonly #streams = new Map<string, Stream>();
  readonly #heartbeat: NodeJS.Timeout;
  #port = 0;

  private constructor(directory: string, host: DoorHost) {
    this.#host = host;
    this.#key = keyIn(join(directory, "key"));
    this.#server = createServer(
      { maxHeaderSize: 16_384, headersTimeout: HEADERS_MS, requestTimeout: BOUNDS.receiveMs, connectionsCheckingInterval: LATE_MS },
      (request, response) => {
        this.#serve(request, response).catch((error: unknown) => host.log(`A call of an executor failed: ${String(error)}`));
      },
    );
    this.#server.on("connection", (socket: Socket) => this.#guests.came(socket));
    this.#heartbeat = setInterval(() => {
      for (const executor of this.#streams.keys()) this.send(executor, HEARTBEAT);
    }, HEARTBEAT_MS).unref();
  }

  /** On the port that it had before, if that can be: executors know it. Without any port this machine takes no executors. */
  static async open(directory: string, host: DoorHost): Promise<ExecutorDoor> {
    makeDirectory(directory, 0o700);
    const door = new ExecutorDoor(directory, host);
    const path = join(directory, "port");
    const before = existsSync(path) ? Number(readFileSync(path, "latin1")) : 0;
    for (const port of [...(before > 0 ? [before] : []), ...portsToTry()]) {
      if (!(await listening(door.#server, port))) continue;
      door.#port = (door.#server.address() as AddressInfo).port;
      if (door.#port !== before) replaceFile(path, String(door.#port));
      return door;
    }
    host.log("No port for executors is free: this machine takes none");
    return door;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** What an executor finds in its environment; of any other task nothing. Throws, in words, where it could never subscribe. */
  variables(order: StartOrder, run: number, home: string): Variables {
    const { executor, noticeMs = NOTICE_MS_DEFAULT } = order.task ?? {};
    if (executor === undefined) return [];
    if (this.#port === 0) throw new Error("This machine takes no executors: no port for them is free");
    const token = this.admit(order, run);
    return [
      ["MESOS_FRAMEWORK_ID", executor.framework],
      ["MESOS_EXECUTOR_ID", executor.id],
      ["MESOS_AGENT_ENDPOINT", `${LOOPBACK}:${this.#port}`],
      ["MESOS_SLAVE_PID", `slave(1)@${LOOPBACK}:${this.#port}`],
      ["MESOS_DIRECTORY", home],
      ["MESOS_SANDBOX", home],
      ["MESOS_CHECKPOINT", "1"],
      ["MESOS_RECOVERY_TIMEOUT", "15mins"],
      ["MESOS_SUBSCRIPTION_BACKOFF_MAX", "2secs"],
      ["MESOS_EXECUTOR_SHUTDOWN_GRACE_PERIOD", `${noticeMs}ms`],
      ["MESOS_EXECUTOR_AUTHENTICATION_TOKEN", token],
    ];
  }

  /** From now on, who shows the token is that executor. */
  admit({ instance, task }: StartOrder, run: number): string {
    const token = createHmac("sha256", this.#key).update(`${instance} ${run}`).digest("hex");
    const { id = "", framework = "" } = task?.executor ?? {};
    this.#known.set(hashOf(token), { instance, id, framework, calls: 0, sinceMs: 0 });
    return token;
  }

  /** It has ended: its token is nobody's. */
  remove(instance: string): void {
    for (const [hash, known] of this.#known) if (known.instance === instance) this.#known.delete(hash);
    this.#end(instance);
  }

  isListening(executor: string): boolean {
    return this.#streams.has(executor);
  }

  send(executor: string, event: Event): void {
    const stream = this.#streams.get(executor);
    if (stream === undefined) return;
    writePiece(stream.response, framed(writeMessage(EventSchema, event, stream.media)));
    if (stream.response.writableLength > STREAM_BYTES) this.#end(executor);
  }

  #end(executor: string): void {
    const stream = this.#streams.get(executor);
    this.#streams.delete(executor);
    stream?.response.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, text: string): void => answerPage(request, response, textPage(status, text === "" ? "" : `${text}\n`));
    if (!PATHS.has(request.url ?? "")) return answer(404, "There is nothing here: executors call POST /api/v1/executor");
    const known = this.#known.get(hashOf(/^Bearer ([0-9a-f]{64})$/.exec(request.headers.authorization ?? "")?.[1] ?? ""));
    if (known === undefined)
      return answer(
        401,
        "Expected Authorization: Bearer and the token in MESOS_EXECUTOR_AUTHENTICATION_TOKEN, of an executor that runs here",
      );
    this.#guests.isOf(request.socket, known.instance);
    if (isTooMuch(known)) return answer(503, `More than ${CALLS_PER_SECOND} calls in a second: wait`);
    const media = mediaOf(request);
    if ("status" in media) return answerPage(request, response, media);
    const call = await this.#read(request, media.sent);
    if (typeof call === "string") return answer(400, call);
    if (call.executorId?.value !== known.id || call.frameworkId?.value !== known.framework)
      return answer(403, `The token is of executor "${known.id}" of framework ${known.framework}, the call of another`);
    if (call.type === Call_Type.SUBSCRIBE) return this.#subscribe(known, response, call, media.wanted);
    const problem = this.#host.call(known.instance, call);
    answer(problem?.status ?? 202, problem?.text ?? "");
  }

  async #read(request: IncomingMessage, media: Media): Promise<Call | string> {
    const bounds = { ...BOUNDS, bodyBytes: BODY_BYTES };
    try {
      const read = this.#reader.read(await receiveBody(request, bounds, this.#bodies), media, bounds);
      return read.ok ? read.value : read.reason;
    } catch (error) {
      if (error instanceof CallError) return error.message;
      throw error;
    }
  }

  /** The newest stream counts; an older one of the same executor ends. */
  #subscribe(known: Known, response: ServerResponse, call: Call, media: Media): void {
    const { instance } = known;
    this.#end(instance);
    if (response.destroyed) return;
    response.writeHead(200, { "content-type": contentType(media), "cache-control": "no-store" });
    response.flushHeaders();
    const stream: Stream = { response, media };
    this.#streams.set(instance, stream);
    response.once("close", () => {
      if (this.#streams.get(instance) !== stream) return;
      this.#streams.delete(instance);
      this.#host.gone(instance);
    });
    const problem = this.#host.call(instance, call);
    if (problem === undefined) return;
    this.send(instance, make(EventSchema, { type: Event_Type.ERROR, error: { message: problem.text } }));
    this.#streams.delete(instance);
    response.end();
  }
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

function isTooMuch(known: Known): boolean {
  const nowMs = performance.now();
  if (nowMs - known.sinceMs >= 1000) Object.assign(known, { sinceMs: nowMs, calls: 0 });
  known.calls += 1;
  return known.calls > CALLS_PER_SECOND;
}

function keyIn(path: string): Buffer {
  if (existsSync(path)) {
    const key = readFileSync(path);
    if (key.length === KEY_BYTES) return key;
  }
  const key = randomBytes(KEY_BYTES);
  replaceFile(path, key);
  return key;
}

/** 0: any that is free. */
function portsToTry(): readonly number[] {
  const start = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "latin1"));
  if (process.getuid?.() !== 0 || start <= EXECUTOR_PORTS.last) return [0];
  return Array.from({ length: TRIES }, () => randomInt(EXECUTOR_PORTS.first, EXECUTOR_PORTS.last + 1));
}

const listening = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const failed = (): void => resolve(false);
    server.once("error", failed);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.off("error", failed);
      resolve(true);
    });
  });
