/**
 * The API of a cell: HTTP/1 and HTTP/2, Connect, gRPC, gRPC-web, and curl with JSON, on a Unix socket for the owner and on TCP with TLS for everybody.
 * A token is taken over neither unproven nor clear connections: on TCP without TLS there are only pages. Everything that can be refused is refused
 * before it costs memory; bounds.ts has every bound. It never decides anything about a cell: handlers do.
 */
import { createServer as createHttp1, type Server as Http1 } from "node:http";
import { createServer as createHttp2, type Http2Server, type ServerHttp2Session } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import type { FrameworkDesk } from "../wire/framework-desk.ts";
import { type BodyBudget, receiveBody } from "./api/body.ts";
import { type CallState, Calls, connectError, type Identify, type Served } from "./api/calls.ts";
import { type Connection, Connections } from "./api/connections.ts";
import { takeTimeoutMs } from "./api/deadline.ts";
import { HandshakeTurns } from "./api/handshakes.ts";
import {
  answerCall,
  answerPage,
  type HttpRequest,
  type HttpResponse,
  type Page,
  refusalPage,
  textPage,
  universalHeaders,
} from "./api/http.ts";
import { assertReadable, type Media, mediaOf } from "./api/media.ts";
import { type Hosts, hostNames, originProblem } from "./api/origin.ts";
import { OVER } from "./api/over.ts";
import { type Protocol, peek } from "./api/peek.ts";
import { BOUNDS, type Bounds } from "./bounds.ts";
import { CallError } from "./call-error.ts";
import type { KeyAndCertificate } from "./certificates.ts";
import { type Endpoint, type LocalEndpoint, listen } from "./endpoint.ts";
import type { FrontDoor } from "./front-door.ts";
import { MESOS_PATHS, MesosEdge } from "./mesos/edge.ts";
import type { CallBounds, CellHandlers, Identity } from "./service.ts";
import type { EnteredPage } from "./sessions.ts";

/** Where it listens, and what connections there are worth. */
export type ApiListener = {
  /** Other replicas listen there too: see front-door.ts. */ readonly isShared?: boolean;
} /** A Unix socket inside a directory that only its owner can enter: whoever is there without a token is this user. */ & (
  | { readonly endpoint: LocalEndpoint; readonly user: string }
  | { readonly endpoint: Exclude<Endpoint, { readonly kind: "unix" }>; readonly tls: KeyAndCertificate }
);

export interface ApiServerOptions {
  readonly listeners: readonly ApiListener[];
  readonly handlers: CellHandlers;
  readonly identify: Identify;
  /** Names under which it may be spoken to, without ports: 127.0.0.1, localhost... */
  readonly hosts: readonly string[];
  readonly bounds?: Partial<Bounds>;
  /** What was set for a user instead of the bounds of calls; absent: nothing ever is. */
  readonly boundsOf?: (user: string) => CallBounds | undefined;
  readonly log: (line: string) => void;
  /** Pages for paths that are no method; without authentication. */
  readonly pages?: (path: string) => Page | undefined | Promise<Page | undefined>;
  /** How those pages may ask, over clear HTTP on loopback; absent: they may not. */
  readonly sessions?: PageSessions;
  /** Who decides about frameworks; absent: there are none. */
  readonly frameworks?: FrameworkDesk;
  /** Where connections of shared listeners go; absent: they are taken here. */
  readonly door?: FrontDoor | undefined;
}

/** A page's link is exchanged for a key once, and every call of the page carries the key. */
export interface PageSessions {
  enter(link: string): EnteredPage | "full" | undefined;
  identify(key: string): Identity | undefined;
  /** What a page may ask, by the methods' paths: reads, and the few changes that pages make. */
  readonly methods: ReadonlySet<string>;
}

/** Streams that a client may cancel at once and per second before its session is ended (the "rapid reset" flood). */
const STREAM_RESETS_BURST = 200;
const STREAM_RESETS_PER_SECOND = 50;
const HEADERS_COUNT_MAX = 100;
const BACKLOG = 511;
const ALPN = ["h2", "http/1.1"];
/** Where a page's link is exchanged, and the headers in which link and key are sent: a page of another origin cannot send these unasked. */
const SESSION_PATH = "/session";
const LINK_HEADER = "borg-link";
const KEY_HEADER = "borg-session";
/** Whoever passes on what a page asks, with a token of its user, says so: it may ask no more than any page. */
const PAGE_HEADER = "borg-page";
const NOT_PAGED = refusalPage(403, "not-permitted", "A page may not ask for this: it is done with the borg command");
const METRICS_PATHS: ReadonlySet<string> = new Set(["/metrics", "/metrics/machines", "/metrics/jobs"]);

export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #bounds: Bounds;
  readonly #hosts: Hosts;
  readonly #calls: Calls;
  readonly #mesos: MesosEdge | undefined;
  /** Apart, so that no crowd of strangers takes the owner's place. */
  readonly #strangers: Connections;
  readonly #owners: Connections;
  readonly #handshakes: HandshakeTurns;
  readonly #bodies: BodyBudget = { bytes: 0 };
  readonly #servers: readonly Server[];
  readonly #http1: Http1;
  readonly #http2: Http2Server;
  /** Of a socket of HTTP/1, or a session of HTTP/2. */
  readonly #byPeer = new WeakMap<object, Connection>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #inProgress = 0;
  #closing = false;
  #idle: (() => void) | undefined;

  static async listen(options: ApiServerOptions): Promise<ApiServer> {
    const server = new ApiServer(options);
    try {
      await Promise.all(options.listeners.map(({ endpoint }, i) => listen(server.#servers[i] as Server, endpoint, BACKLOG)));
    } catch (error) {
      await server.close();
      throw error;
    }
    for (const each of server.#servers) each.on("error", (error) => options.log(`API server: ${error.message}`));
    return server;
  }

  private constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#bounds = { ...BOUNDS, ...options.bounds };
    this.#hosts = hostNames(options.hosts);
    this.#calls = new Calls({ ...options, bounds: this.#bounds });
    this.#mesos = this.#mesosEdge(options);
    this.#strangers = new Connections(this.#bounds);
    this.#owners = new Connections(this.#bounds);
    this.#handshakes = new HandshakeTurns(this.#bounds);
    this.#http1 = this.#createHttp1();
    this.#http2 = this.#createHttp2();
    this.#servers = options.listeners.map((listener) => this.#serverAt(listener));
  }

  #mesosEdge({ frameworks, handlers, log }: ApiServerOptions): MesosEdge | undefined {
    if (frameworks === undefined) return undefined;
    return new MesosEdge({ desk: frameworks, handlers, calls: this.#calls, bounds: this.#bounds, bodies: this.#bodies, log });
  }

  /** Of the listeners on TCP, in their order. */
  get addresses(): readonly AddressInfo[] {
    return this.#servers.map((server) => server.address()).filter((address) => typeof address === "object" && address !== null);
  }

  #serverAt(listener: ApiListener): Server {
    const context = "tls" in listener ? secureContext(listener.tls) : undefined;
    const user = "user" in listener ? listener.user : undefined;
    const { door } = this.#options;
    const accept = (socket: Socket): void => this.#accept(socket, context, user);
    return createServer({ noDelay: true, keepAlive: true }, (socket) => {
      if (door === undefined || listener.isShared !== true) accept(socket);
      else door.admit(socket, user === undefined ? "tls" : "owner", () => accept(socket));
    });
  }

  /** Stops accepting, lets calls in progress finish for a while, then cuts everything off. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const closed = Promise.all(this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    this.#mesos?.close();
    for (const session of this.#sessions) session.close();
    for (const each of [this.#strangers, this.#owners]) each.closeIdle();
    if (this.#inProgress > 0) await this.#drained();
    for (const each of [this.#strangers, this.#owners]) each.close();
    await closed;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#bounds.drainMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #createHttp1(): Http1 {
    const { headerBytes, idleMs, sweepMs } = this.#bounds;
    // Said to clients as Keep-Alive: timeout, so that they stop using a connection before we close it.
    const keepAliveTimeout = Math.max(1000, idleMs - 2 * sweepMs);
    const server = createHttp1({ maxHeaderSize: headerBytes, keepAliveTimeout, requireHostHeader: true });
    server.maxHeadersCount = HEADERS_COUNT_MAX;
    server.on("request", (request, response) => this.#request(request, response, false));
    server.on("checkContinue", (request, response) => this.#request(request, response, true));
    server.on("clientError", (error, socket) => this.#malformed(error, socket as Socket));
    return server;
  }

  #createHttp2(): Http2Server {
    const { headerBytes, streams } = this.#bounds;
    const server = createHttp2({
      settings: { maxConcurrentStreams: streams, maxHeaderListSize: headerBytes, enablePush: false },
      maxHeaderListPairs: HEADERS_COUNT_MAX,
      streamResetBurst: STREAM_RESETS_BURST,
      streamResetRate: STREAM_RESETS_PER_SECOND,
    });
    server.on("request", (request, response) => this.#request(request, response, false));
    server.on("sessionError", () => {});
    return server;
  }

  #accept(socket: Socket, context: SecureContext | undefined, user: string | undefined): void {
    // Resets are a matter of course; the close that follows is what counts.
    socket.on("error", () => {});
    const connection = (user === undefined ? this.#strangers : this.#owners).admit(socket, user);
    if (connection === undefined) return;
    if (user !== undefined) return peek(socket, (protocol) => this.#speak(socket, protocol, connection));
    peek(socket, (protocol) => {
      if (protocol === "tls") this.#admit(socket, context as SecureContext, connection);
      else this.#speak(socket, protocol, connection);
    });
  }

  #admit(socket: Socket, context: SecureContext, connection: Connection): void {
    const begin = (): void => this.#handshake(socket, context, connection);
    const isOpen = (): boolean => !socket.destroyed;
    const isIn = this.#handshakes.add(socket.remoteAddress ?? "", { isOpen, begin });
    if (!isIn) socket.destroy();
  }

  /** The time for it, and for its turn, is that for the first request's headers. */
  #handshake(raw: Socket, secureContext: SecureContext, connection: Connection): void {
    const socket = new TLSSocket(raw, { isServer: true, secureContext, ALPNProtocols: ALPN });
    socket.on("error", () => raw.destroy());
    socket.once("secure", () => {
      connection.isProven = true;
      // As tls.Server does; HTTP/2 waits for it.
      Object.assign(socket, { secureConnecting: false });
      this.#speak(socket, socket.alpnProtocol === "h2" ? "http2" : "http1", connection);
    });
  }

  #speak(socket: Socket, protocol: Protocol, connection: Connection): void {
    if (protocol === "tls") return void socket.destroy();
    if (protocol === "http1") {
      this.#byPeer.set(socket, connection);
      this.#http1.emit("connection", socket);
      return;
    }
    const adopt = (session: ServerHttp2Session) => this.#session(session, connection);
    this.#http2.once("session", adopt);
    this.#http2.emit("connection", socket);
    this.#http2.off("session", adopt);
  }

  #session(session: ServerHttp2Session, connection: Connection): void {
    this.#byPeer.set(session, connection);
    this.#sessions.add(session);
    session.once("close", () => this.#sessions.delete(session));
    session.on("error", () => {});
    if (this.#closing) session.close();
  }

  #request(request: HttpRequest, response: HttpResponse, expectsContinue: boolean): void {
    const peer = "stream" in request ? request.stream?.session : request.socket;
    const connection = peer === undefined || peer === null ? undefined : this.#byPeer.get(peer);
    if (connection === undefined) return void response.destroy();
    if (connection.requests >= this.#requestsMax(request)) return void connection.socket.destroy();
    response.on("error", () => {});
    if (this.#closing && request.httpVersionMajor === 1) response.setHeader("connection", "close");
    const exchange = new Exchange(request, response, connection, expectsContinue);
    this.#inProgress++;
    response.once("close", () => this.#finished(exchange));
    this.#serve(exchange).catch((error: unknown) => {
      this.#options.log(`Cannot answer ${request.method} request: ${error instanceof Error ? error.stack : String(error)}`);
      connection.socket.destroy();
    });
  }

  /** HTTP/2 counts streams itself and tells the client how many; we learn of a stream's end a little later than both of them. */
  #requestsMax(request: HttpRequest): number {
    return request.httpVersionMajor === 1 ? this.#bounds.pipelined : 2 * this.#bounds.streams;
  }

  /** What is no HTTP, or too much of it. An answer in progress must not get another into its middle. */
  #malformed(error: NodeJS.ErrnoException, socket: Socket): void {
    const answering = (this.#byPeer.get(socket)?.requests ?? 0) > 0;
    if (answering || !socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const isLong = error.code === "HPE_HEADER_OVERFLOW";
    const page = isLong
      ? refusalPage(431, "bad-request", `Expected headers of at most ${this.#bounds.headerBytes} bytes, found more: send fewer`)
      : refusalPage(400, "bad-request", "Cannot understand this as HTTP: the API is at POST /borg.v1.CellService/<Method>");
    const status = isLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
    const head = `content-type: application/json\r\nconnection: close\r\ncontent-length: ${page.body.length}`;
    socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${page.body}`);
  }

  #finished(exchange: Exchange): void {
    exchange.finished();
    this.#inProgress--;
    if (!this.#closing) return;
    if (this.#inProgress === 0) this.#idle?.();
    else if (exchange.connection.requests === 0) exchange.connection.socket.destroySoon();
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const page = this.#originProblem(exchange);
    if (page !== undefined) return answerPage(request, response, page);
    const path = (request.url ?? "").split("?", 1)[0]!;
    const method = this.#calls.methods.get(path);
    if (MESOS_PATHS.has(path) && this.#mesos !== undefined) return this.#framework(exchange, this.#mesos, path);
    if (METRICS_PATHS.has(path)) return this.#metrics(exchange, path);
    if (path === SESSION_PATH && !exchange.connection.isProven) return answerPage(request, response, this.#enter(exchange));
    if (method === undefined) return answerPage(request, response, await this.#page(path, request));
    const session = exchange.connection.isProven ? undefined : this.#sessionOf(exchange, path);
    if (session !== undefined && "status" in session) return answerPage(request, response, session);
    if (isPassedOn(exchange) && this.#options.sessions?.methods.has(path) !== true) return answerPage(request, response, NOT_PAGED);
    const media = mediaOf(request);
    if ("status" in media) return answerPage(request, response, media);
    await this.#call(exchange, path, method, media, session);
  }

  async #framework(exchange: Exchange, mesos: MesosEdge, path: string): Promise<void> {
    const { request, response } = exchange;
    if (!exchange.connection.isProven) return answerPage(request, response, this.#clear(exchange));
    await mesos.serve(exchange, path);
  }

  /** Loaded when somebody asks. */
  async #metrics(exchange: Exchange, path: string): Promise<void> {
    if (!exchange.connection.isProven) return answerPage(exchange.request, exchange.response, this.#clear(exchange));
    const { handlers, log } = this.#options;
    const { scrape } = await import("./metrics/edge.ts");
    await scrape(exchange, path, { handlers, log, calls: this.#calls, bounds: this.#bounds });
  }

  /** A page of ours exchanges its link for a key. */
  #enter(exchange: Exchange): Page {
    const { request } = exchange;
    const problem = this.#pageProblem(exchange);
    if (problem !== undefined) return problem;
    const found = this.#options.sessions?.enter(headerOf(request, LINK_HEADER));
    if (found === "full") return refusalPage(503, "unavailable", "Too many pages look at this cell: end one with borg ui --end");
    if (found === undefined)
      return refusalPage(401, "unauthenticated", "This link was followed before, has ended, or is none: borg ui makes another");
    return { status: 200, headers: { "content-type": "application/json", "cache-control": "no-store" }, body: JSON.stringify(found) };
  }

  /** Whose page it is that asks over a clear connection, or why it may not. */
  #sessionOf(exchange: Exchange, path: string): Identity | Page {
    const { request } = exchange;
    const key = headerOf(request, KEY_HEADER);
    if (request.headers[KEY_HEADER] === undefined || request.headers.authorization !== undefined) return this.#clear(exchange);
    const problem = this.#pageProblem(exchange);
    if (problem !== undefined) return problem;
    const identity = this.#options.sessions?.identify(key);
    if (identity === undefined)
      return refusalPage(401, "unauthenticated", "There is no such session, or it has ended: borg ui opens another");
    if (this.#options.sessions?.methods.has(path) === true) return identity;
    return NOT_PAGED;
  }

  /** Only a page that this server itself sent to a browser of this machine may ask. Host and Origin were compared before; here they must be there. */
  #pageProblem({ request, connection }: Exchange): Page | undefined {
    if (!isLoopback(connection.socket.remoteAddress))
      return refusalPage(403, "not-permitted", "Pages are for browsers of this machine only: open them there, or use the borg command");
    if (request.method !== "POST")
      return refusalPage(405, "unimplemented", `Cannot enter with ${request.method}: use POST`, { allow: "POST" });
    const site = request.headers["sec-fetch-site"];
    if (request.headers.origin !== undefined && (site === undefined || site === "same-origin")) return undefined;
    return refusalPage(403, "not-permitted", "Cannot serve who is no page of this cell: borg ui opens one");
  }

  /** No page of a browser reaches a Unix socket. */
  #originProblem({ request, connection }: Exchange): Page | undefined {
    if (connection.user !== undefined) return undefined;
    return originProblem(request, this.#hosts, connection.isProven ? "https" : "http");
  }

  /** Somebody on the way may have read what was sent. */
  #clear({ request }: Exchange): Page {
    const seen = request.headers.authorization === undefined ? "" : "; the token that you sent was readable on its way: revoke it";
    const hint = "speak TLS (https, with the certificate of the cell that borg login saved), or curl --unix-socket as its owner";
    return refusalPage(403, "not-permitted", `Calls are not taken over a clear connection${seen}: ${hint}`);
  }

  async #page(path: string, request: HttpRequest): Promise<Page> {
    if (request.method === "GET" || request.method === "HEAD") {
      if (path === "/healthz") return textPage(200, "ok");
      const page = await this.#options.pages?.(path);
      if (page !== undefined) return page;
    }
    const shown = path.replace(/[^\x21-\x7e]/g, "?").slice(0, 80);
    return refusalPage(404, "unimplemented", `Cannot find ${shown}: the API is at POST /borg.v1.CellService/<Method>`);
  }

  async #call(exchange: Exchange, path: string, method: Served, media: Media, session: Identity | undefined): Promise<void> {
    const { request, response } = exchange;
    const header = universalHeaders(request);
    let timeoutMs: number | undefined;
    try {
      timeoutMs = takeTimeoutMs(header);
    } catch (error) {
      return answerPage(request, response, refusalPage(400, "bad-request", (error as Error).message));
    }
    const { state, values } = this.#calls.begin({
      token: exchange.token,
      user: exchange.connection.user,
      session,
      timeoutMs,
      isReserve: exchange.connection.isReserve,
      bytes: Math.min(Number(request.headers["content-length"] ?? this.#bounds.bodyBytes), this.#bounds.bodyBytes),
    });
    const aborted = new AbortController();
    response.once("close", () => aborted.abort(OVER));
    const universal: UniversalServerRequest = {
      httpVersion: request.httpVersion,
      method: "POST",
      url: `http://cell${path}`,
      header,
      body: this.#body(exchange, state, method, media),
      signal: aborted.signal,
      contextValues: values,
    };
    try {
      const answer = await method.handle(universal);
      exchange.answering();
      await answerCall(request, response, answer, state.isPlain && (session !== undefined || isPassedOn(exchange)));
    } finally {
      this.#calls.end(state);
    }
  }

  /** Read only when Connect asks for it, which is after the caller is known. */
  async *#body(exchange: Exchange, state: CallState, method: Served, media: Media): AsyncGenerator<Uint8Array> {
    if (state.entered === undefined) return;
    try {
      const declared = Number(exchange.request.headers["content-length"] ?? 0);
      if (exchange.expectsContinue && declared <= this.#bounds.bodyBytes) exchange.response.writeContinue();
      const body = await receiveBody(exchange.request, this.#bounds, this.#bodies);
      exchange.complete();
      this.#calls.received(state, body.length);
      assertReadable(body, media, method.handle.method.input, method.scan, this.#bounds);
      yield body;
    } catch (error) {
      throw error instanceof CallError ? connectError(error) : error;
    }
  }
}

/** One request and its answer, and what the connection is told of it. */
class Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly connection: Connection;
  readonly expectsContinue: boolean;
  #complete = false;

  constructor(request: HttpRequest, response: HttpResponse, connection: Connection, expectsContinue: boolean) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.expectsContinue = expectsContinue;
    connection.received();
  }

  get token(): string | undefined {
    return bearerToken(this.request.headers.authorization);
  }

  complete(): void {
    this.#complete = true;
    this.connection.complete();
  }

  answering(): void {
    this.connection.answering(performance.now());
  }

  finished(): void {
    this.connection.finished(this.#complete, performance.now());
  }
}

/** What a page asked somewhere else, and its user's borg ui asks here. */
const isPassedOn = ({ request, connection }: Exchange): boolean => connection.isProven && request.headers[PAGE_HEADER] !== undefined;

const isLoopback = (address: string | undefined): boolean => address !== undefined && /^(::1|(::ffff:)?127\.)/.test(address);

const SECRET_LENGTH_MAX = 128;

/** Empty where it is not there once. */
function headerOf(request: HttpRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value.slice(0, SECRET_LENGTH_MAX) : "";
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? "")?.[1];
}

function secureContext({ key, certificate }: KeyAndCertificate): SecureContext {
  return createSecureContext({ key, cert: certificate, minVersion: "TLSv1.3" });
}
