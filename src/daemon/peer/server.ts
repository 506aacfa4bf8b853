/**
 * Where the masters of several machines reach each other: one port with TLS 1.3. A master is who shows a certificate of the cell's authority whose public key stands in the
 * roster under that number; only he gets files, the clock, and a way to the owner's sockets. Everybody else can do one thing here: show a one-time token, and join.
 */
import { X509Certificate } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import type { Result } from "../../base/result.ts";
import { type KeyAndCertificate, keyOf, masterName, provenName } from "../../rpc/certificates.ts";
import { shortPath } from "../../rpc/endpoint.ts";
import type { MasterSeat } from "../data.ts";
import type { Bundle } from "./bundle.ts";
import { UPGRADE } from "./client.ts";

export interface JoinRequest {
  readonly token: string;
  /** A certificate request (PEM): made with the key that the new master keeps. */
  readonly request: string;
  readonly host: string;
}

export interface PeerServerOptions {
  readonly cell: string;
  readonly tls: KeyAndCertificate;
  readonly authorities: readonly string[];
  readonly masters: () => readonly MasterSeat[];
  readonly join: (request: JoinRequest) => Promise<Result<Bundle>>;
  /** Names of the files that masters fetch, and where each is; undefined: there is no such thing. */
  readonly list: (area: string) => readonly string[] | undefined;
  readonly file: (area: string, name: string) => string | undefined;
  /** The path of the socket that a tunnel leads to. */
  readonly socket: (name: string) => string | undefined;
  readonly log: (line: string) => void;
}

const BODY_BYTES_MAX = 16_384;
const HEADER_BYTES_MAX = 8192;
const HANDSHAKE_MS = 5000;
const REQUEST_MS = 30_000;
/** Connections of one address: of a master's, which leads links of machines on, and of anybody else's. */
const MASTER_CONNECTIONS = 10_000;
const STRANGER_CONNECTIONS = 16;
/** Of all strangers together. */
const STRANGERS_MAX = 256;
/** Who asks to join while so many do is asked to come again. */
const JOINS_MAX = 8;
/** Who joins waits no longer for its answer. */
export const ADMISSION_MS = 10_000;

export class PeerServer {
  readonly #options: PeerServerOptions;
  readonly #server: Server;
  readonly #byAddress = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  #strangers = 0;
  #joins = 0;
  readonly #admitting = new Set<Promise<void>>();

  constructor(options: PeerServerOptions) {
    this.#options = options;
    this.#server = createServer(
      {
        key: options.tls.key,
        cert: options.tls.certificate,
        ca: [...options.authorities],
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: "TLSv1.3",
        handshakeTimeout: HANDSHAKE_MS,
        maxHeaderSize: HEADER_BYTES_MAX,
        headersTimeout: HANDSHAKE_MS,
        requestTimeout: REQUEST_MS,
        connectionsCheckingInterval: 1000,
      },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.on("connection", (socket) => this.#count(socket));
    this.#server.on("upgrade", (request, socket, head) => this.#tunnel(request, socket, head));
    this.#server.on("tlsClientError", (_, socket) => socket.destroy());
  }

  listen(at: { readonly fd: number } | { readonly host: string; readonly port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(at, () => resolve());
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Who is being let in is told so first: from then on its ticket is used up, and it stands in the roster, for which this process may just be started anew. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.race([Promise.allSettled(this.#admitting), sleep(ADMISSION_MS, undefined, { ref: false })]);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Before a byte is read: a crowd of strangers must not keep masters out. */
  #count(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const isMaster = this.#options.masters().some(({ host }) => host === address);
    const open = (this.#byAddress.get(address) ?? 0) + 1;
    const isFull = open > (isMaster ? MASTER_CONNECTIONS : STRANGER_CONNECTIONS) || (!isMaster && this.#strangers >= STRANGERS_MAX);
    if (isFull) return void socket.destroy();
    this.#byAddress.set(address, open);
    this.#sockets.add(socket);
    if (!isMaster) this.#strangers += 1;
    socket.once("close", () => {
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
      this.#sockets.delete(socket);
      if (!isMaster) this.#strangers -= 1;
    });
  }

  /** Which master this is; undefined: none of this cell, or none any more. */
  masterAt(socket: TLSSocket): number | undefined {
    const { cell, authorities, masters } = this.#options;
    const { raw } = socket.getPeerCertificate();
    if (raw === undefined) return undefined;
    const shown = new X509Certificate(raw);
    const name = provenName(shown, authorities, Date.now());
    const key = keyOf(shown);
    return masters().find((each) => masterName(cell, each.replica) === name && each.key === key)?.replica;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    try {
      const { url = "", method } = request;
      if (method === "POST" && url === "/join") return await this.#join(request, response);
      if (this.masterAt(request.socket as TLSSocket) === undefined) return end(response, 403, NO_MASTER);
      if (method !== "GET") return end(response, 405, "Only reads");
      if (url === "/clock") return endJson(response, { nowMs: Date.now() });
      this.#file(url, response);
    } catch (error) {
      this.#options.log(`Cannot answer a master: ${error instanceof Error ? error.message : String(error)}`);
      end(response, 500, "It failed here; its log says why");
    }
  }

  async #join(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#joins >= JOINS_MAX) return end(response, 503, "Many ask to join now: ask again");
    this.#joins += 1;
    try {
      const asked = requestOf(await bodyOf(request));
      if (asked === undefined) return end(response, 400, "This is no request to join");
      const told = this.#admit(asked, request, response);
      this.#admitting.add(told);
      await told.finally(() => this.#admitting.delete(told));
    } finally {
      this.#joins -= 1;
    }
  }

  /** Until the answer has left, or nobody is there for it. */
  async #admit(asked: JoinRequest, { socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new Promise((resolve) => response.once("close", resolve));
    const answer = await this.#options.join(asked);
    this.#options.log(
      `${socket.remoteAddress} asked to join as a master: ${answer.ok ? `it is replica ${answer.value.replica}` : answer.reason}`,
    );
    if (answer.ok) endJson(response, answer.value);
    else end(response, 409, answer.reason);
    await left;
  }

  #file(url: string, response: ServerResponse): void {
    const [, area = "", name, ...more] = url.split("/").slice(1);
    if (!url.startsWith("/files/") || more.length > 0) return end(response, 404, "There is no such thing");
    if (name === undefined) {
      const names = this.#options.list(area);
      return names === undefined ? end(response, 404, "There is no such thing") : endJson(response, names);
    }
    const path = this.#options.file(area, name);
    const size = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
    if (path === undefined || size === undefined) return end(response, 404, "There is no such file");
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": size });
    createReadStream(path, { end: Math.max(0, size - 1) })
      .on("error", () => response.destroy())
      .pipe(response);
  }

  /** Byte by byte to one of this machine's own sockets, at which whoever comes is the owner. */
  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const isMaster = this.masterAt(request.socket as TLSSocket) !== undefined;
    const path = isMaster && request.headers.upgrade === UPGRADE ? this.#options.socket(request.url ?? "") : undefined;
    if (path === undefined) return void socket.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n${NO_MASTER}`);
    const short = shortPath(path);
    const own = connect({ path: short.path });
    own.once("connect", () => {
      short.close();
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${UPGRADE}\r\n\r\n`);
      if (head.length > 0) own.write(head);
      socket.pipe(own).pipe(socket);
    });
    own.once("error", () => {
      short.close();
      socket.destroy();
    });
    own.once("close", () => socket.destroy());
    socket.once("close", () => own.destroy());
  }
}

const NO_MASTER = "This is for the cell's masters";

function end(response: ServerResponse, status: number, words: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain", connection: "close" });
  response.end(`${words}\n`);
}

function endJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** Undefined: it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function requestOf(text: string | undefined): JoinRequest | undefined {
  if (text === undefined) return undefined;
  try {
    const { token, request, host } = JSON.parse(text) as Partial<Record<keyof JoinRequest, unknown>>;
    if (typeof token !== "string" || typeof request !== "string" || typeof host !== "string") return undefined;
    return { token, request, host };
  } catch {
    return undefined;
  }
}
