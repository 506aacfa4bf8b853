/**
 * Stands between clients of Mesos that know neither TLS nor tokens and a cell. It listens on loopback and serves only sockets of its own user, speaks to the
 * cell with that user's credentials, and outlives masters: when the leader goes, streams end in good order (clients then subscribe again; one that sees a
 * broken connection gives up), and a new SUBSCRIBE waits for the next leader. It understands nothing but records.
 */
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type BodyBudget, receiveBody } from "../api/body.ts";
import { answerPage, type Page, textPage } from "../api/http.ts";
import { hostNames, originProblem } from "../api/origin.ts";
import { BOUNDS, type Bounds } from "../bounds.ts";
import { CallError } from "../call-error.ts";
import { type CellAddress, type WayToCell, wayToCell } from "../client.ts";
import { MESOS_PATHS, OPERATOR_PATH, SCHEDULER_PATH } from "./edge.ts";
import { PeerUids } from "./peer-uid.ts";
import { framed, RecordReader, writePiece } from "./record-io.ts";

export interface Credentials {
  readonly at: CellAddress;
  readonly token: string | undefined;
}

export interface GatewayOptions {
  readonly port: number;
  /** Read anew for every SUBSCRIBE: a login meanwhile counts. */
  readonly credentials: () => Credentials;
  readonly log: (line: string) => void;
  /** Whose sockets are served. */
  readonly uid: number;
  readonly peers?: PeerUids;
  readonly bounds?: Partial<GatewayBounds>;
}

export interface GatewayBounds {
  /** Open connections; one more is closed at once. */
  readonly connections: number;
  /** How long a SUBSCRIBE waits for a leader. Old clients give up after 10 s without a byte. */
  readonly holdMs: number;
  /** Between two tries. */
  readonly tryMs: number;
  /** A stream on which nothing came for so long, although the cell sends heartbeats, ends. */
  readonly silenceMs: number;
  readonly recordBytes: number;
}

export const GATEWAY_BOUNDS: GatewayBounds = {
  connections: 256,
  holdMs: 8000,
  tryMs: 200,
  silenceMs: 8000,
  recordBytes: BOUNDS.streamBytes,
};

const HOST = "127.0.0.1";
const HOSTS = hostNames([HOST, "localhost"]);
/** An old client opens its connection and waits up to 15 s before it says anything; only this user's connections get that far. */
const HEADERS_MS = 60_000;
const IDLE_MS = 60_000;
const HEADERS_COUNT_MAX = 100;
const FORWARDED = ["content-type", "accept", "mesos-stream-id"] as const;
const ANSWER_BYTES_MAX = 4 * 2 ** 20;
const ANSWER_MS = 5000;
const STRANGER_MS = 1000;
/** Statuses with which a cell says that nobody leads it just now, or that it is busy. */
const LATER = 503;

/** Nobody answered, so nothing was done. */
class Away extends Error {}

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #bounds: GatewayBounds;
  readonly #bodyBounds: Bounds = BOUNDS;
  readonly #bodies: BodyBudget = { bytes: 0 };
  readonly #peers: PeerUids;
  readonly #server: Server;
  /** Of which sockets it is known that they are ours. */
  readonly #known = new WeakMap<Socket, Promise<boolean>>();
  readonly #streams = new Set<ServerResponse>();
  #way: { readonly key: string; readonly way: WayToCell } | undefined;
  #closing = false;

  static async listen(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options);
    await new Promise<void>((resolve, reject) => {
      gateway.#server.once("error", reject);
      gateway.#server.listen({ host: HOST, port: options.port }, () => resolve());
    });
    gateway.#server.on("error", (error) => options.log(`Gateway: ${error.message}`));
    return gateway;
  }

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#bounds = { ...GATEWAY_BOUNDS, ...options.bounds };
    this.#peers = options.peers ?? new PeerUids();
    const [headersTimeout, requestTimeout] = [HEADERS_MS, HEADERS_MS + BOUNDS.receiveMs];
    this.#server = createServer({ maxHeaderSize: BOUNDS.headerBytes, headersTimeout, requestTimeout, keepAliveTimeout: IDLE_MS });
    this.#server.maxConnections = this.#bounds.connections;
    this.#server.maxHeadersCount = HEADERS_COUNT_MAX;
    this.#server.on("connection", (socket: Socket) => this.#known.set(socket, this.#isOurs(socket)));
    this.#server.on("request", (request, response) => void this.#serve(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const stream of this.#streams) stream.end();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), BOUNDS.drainMs);
    await closed;
    clearTimeout(timer);
    this.#way?.way.agent.destroy();
  }

  /** Asked when the connection comes: nothing is read for a stranger. */
  async #isOurs(socket: Socket): Promise<boolean> {
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined) return false;
    const uid = await this.#peers.of({
      peer: { address: remoteAddress, port: remotePort },
      own: { address: localAddress, port: localPort },
    });
    if (uid === this.#options.uid) return true;
    if (uid !== undefined) this.#options.log(`Refused a connection of user id ${uid}`);
    // Long enough to read why: places are for this user.
    setTimeout(() => socket.destroy(), STRANGER_MS).unref();
    return false;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    try {
      const page = await this.#refusal(request);
      if (page === undefined) await this.#forward(request, response);
      else answerPage(request, response, page);
    } catch (error) {
      answerPage(request, response, problemPage(error, this.#options.log));
    }
  }

  /** Why this is not forwarded, if it is not. */
  async #refusal(request: IncomingMessage): Promise<Page | undefined> {
    if ((await this.#known.get(request.socket)) !== true)
      return { ...textPage(403, "This gateway serves the user who started it, and nobody else\n"), headers: { connection: "close" } };
    // A page in a browser of this user is not this user.
    const origin = originProblem(request, HOSTS, "http");
    if (origin !== undefined) return origin;
    if (request.headers.origin !== undefined) return textPage(403, "This gateway serves no pages\n");
    return MESOS_PATHS.has(pathOf(request))
      ? undefined
      : textPage(404, `This gateway serves POST ${SCHEDULER_PATH} and ${OPERATOR_PATH}\n`);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await receiveBody(request, this.#bodyBounds, this.#bodies);
    // Every call but SUBSCRIBE belongs to a stream, and a stream to a leader: waiting for another one is of no use to it.
    const isSubscribe = pathOf(request) === SCHEDULER_PATH && request.headers["mesos-stream-id"] === undefined;
    if (!isSubscribe) return this.#pass(await this.#ask(request, body), request, response);
    const answer = await this.#held(request, response, body);
    if (answer === undefined) return;
    if (answer === "later") return answerPage(request, response, this.#again());
    if (answer.statusCode === 200) this.#stream(answer, request, response);
    else await this.#pass(answer, request, response);
  }

  /** The same address once more: clients follow it, and wait again. */
  #again(): Page {
    const page = textPage(307, "Nobody leads the cell yet: ask again\n");
    return { ...page, headers: { ...page.headers, location: `//${HOST}:${this.port}${SCHEDULER_PATH}` } };
  }

  /** The cell's answer as soon as there is one; "later": not in time; undefined: the client has gone. */
  async #held(request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<IncomingMessage | "later" | undefined> {
    const endMs = performance.now() + this.#bounds.holdMs;
    for (;;) {
      if (response.destroyed || this.#closing) return response.destroyed ? undefined : "later";
      const answer = await this.#ask(request, body, endMs - performance.now()).catch((error: unknown) => {
        if (error instanceof Away) return undefined;
        throw error;
      });
      const isLater = answer === undefined || answer.statusCode === LATER;
      if (!isLater) return answer;
      if (performance.now() + this.#bounds.tryMs >= endMs) return "later";
      answer?.resume();
      await new Promise((resolve) => setTimeout(resolve, this.#bounds.tryMs));
    }
  }

  #ask(request: IncomingMessage, body: Uint8Array, withinMs = ANSWER_MS): Promise<IncomingMessage> {
    const { at, token } = this.#options.credentials();
    const { host, port, agent } = this.#wayTo(at);
    const headers: Record<string, string> = { "content-length": String(body.length) };
    for (const name of FORWARDED) if (typeof request.headers[name] === "string") headers[name] = request.headers[name];
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    return new Promise((resolve, reject) => {
      const protocol = at.kind === "tls" ? "https:" : "http:";
      const asked = httpRequest({ agent, host, port, protocol, method: request.method ?? "POST", path: pathOf(request), headers });
      const late = setTimeout(() => asked.destroy(new Error("no answer in time")), Math.max(1, Math.min(withinMs, ANSWER_MS)));
      asked.once("response", (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      asked.on("error", (error) => {
        clearTimeout(late);
        reject(new Away(`Cannot reach the cell: ${(error as NodeJS.ErrnoException).code ?? error.message}`, { cause: error }));
      });
      asked.end(body);
    });
  }

  /** One for as long as the cell is at the same place. */
  #wayTo(at: CellAddress): WayToCell {
    const key = JSON.stringify(at);
    if (this.#way?.key !== key) {
      this.#way?.way.agent.destroy();
      this.#way = { key, way: wayToCell(at, 2 * this.#bounds.connections) };
    }
    return this.#way.way;
  }

  /** A short answer as it is. */
  async #pass(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) throw new Error("The cell's answer is too long");
      chunks.push(chunk);
    }
    const headers: Record<string, string> = {};
    for (const name of ["content-type", "retry-after", "allow"])
      if (typeof answer.headers[name] === "string") headers[name] = answer.headers[name];
    answerPage(request, response, { status: answer.statusCode ?? 500, headers, body: Buffer.concat(chunks) });
  }

  #stream(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
    if (response.destroyed) return void answer.destroy();
    this.#streams.add(response);
    const reader = new RecordReader(this.#bounds.recordBytes);
    const finish = (): void => {
      clearTimeout(silence);
      answer.destroy();
      this.#streams.delete(response);
      response.end();
    };
    const silence = setTimeout(finish, this.#bounds.silenceMs);
    response.once("close", finish);
    const headers: Record<string, string> = {};
    for (const name of ["content-type", "mesos-stream-id"])
      if (typeof answer.headers[name] === "string") headers[name] = answer.headers[name];
    response.writeHead(200, headers);
    request.socket.setTimeout(0);
    answer.on("data", (chunk: Buffer) => {
      silence.refresh();
      try {
        for (const record of reader.push(chunk)) writePiece(response, framed(record));
      } catch (error) {
        this.#options.log(`Cannot understand the cell: ${(error as Error).message}`);
        finish();
      }
      // Whoever does not read makes the cell wait, and is cut off there.
      if (!response.writableNeedDrain) return;
      answer.pause();
      response.once("drain", () => answer.resume());
    });
    for (const event of ["end", "error", "aborted", "close"]) answer.once(event, finish);
  }
}

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] as string;

function problemPage(error: unknown, log: (line: string) => void): Page {
  if (error instanceof Away) return textPage(503, `${error.message}: subscribe again\n`);
  if (error instanceof CallError)
    return textPage(error.code === "too-large" ? 413 : error.code === "unavailable" ? 503 : 400, `${error.message}\n`);
  const words = error instanceof Error ? error.message : String(error);
  log(`A call failed: ${words}`);
  return textPage(502, `${words}\n`);
}
