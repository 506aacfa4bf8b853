/**
 * The pages of a cell that is elsewhere, for a browser of this machine: a server on loopback that speaks TLS to the cell with its user's token. The browser never sees
 * the token: it has a link that is good once, then a key, as at the cell itself. It passes on what pages ask for, and the cell refuses what pages may not ask.
 */
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { takesGzip } from "./api/compressed.ts";
import { answerPage, type Page, refusalPage } from "./api/http.ts";
import { hostNames, originProblem } from "./api/origin.ts";
import { BOUNDS } from "./bounds.ts";
import { type CellAddress, type WayToCell, wayToCell } from "./client.ts";
import { type SessionBounds, Sessions } from "./sessions.ts";

export interface PageProxyOptions {
  readonly at: CellAddress;
  readonly token: string | undefined;
  /** Any free one by default. */
  readonly port?: number;
  readonly sessions?: Partial<SessionBounds>;
}

const HOST = "127.0.0.1";
const HOSTS = hostNames([HOST]);
/** Open connections; one more is closed at once. */
const CONNECTIONS_MAX = 64;
const BODY_BYTES_MAX = 2 ** 20;
const ANSWER_BYTES_MAX = 64 * 2 ** 20;
/** Longer than any call of a page waits. */
const ANSWER_MS = 60_000;
const CALL = /^\/borg\.v1\.CellService\/[A-Za-z]{1,64}$/;
/** Of a page: how to read it, and what keeps a browser from doing anything else with it. */
const KEPT = [
  "content-type",
  "content-encoding",
  "cache-control",
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-frame-options",
] as const;

export class PageProxy {
  readonly #options: PageProxyOptions;
  readonly #sessions: Sessions;
  readonly #way: WayToCell;
  readonly #server: Server;

  static async listen(options: PageProxyOptions): Promise<PageProxy> {
    const proxy = new PageProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen({ host: HOST, port: options.port ?? 0 }, () => resolve());
    });
    return proxy;
  }

  private constructor(options: PageProxyOptions) {
    this.#options = options;
    this.#sessions = new Sessions(() => performance.now(), options.sessions);
    this.#way = wayToCell(options.at, CONNECTIONS_MAX);
    this.#server = createServer({ maxHeaderSize: BOUNDS.headerBytes });
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#server.on("request", (request, response) => void this.#serve(request, response));
  }

  get url(): string {
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  newLink(): { readonly url: string; readonly ttlMs: number } {
    const { link, ttlMs } = this.#sessions.open("");
    return { url: `${this.url}/#link=${link}`, ttlMs };
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    this.#way.agent.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const path = (request.url ?? "").split("?", 1)[0]!;
    const problem = originProblem(request, HOSTS, "http");
    if (problem !== undefined) return answerPage(request, response, problem);
    if (request.method === "GET" && !CALL.test(path)) return this.#forward(request, response, path, undefined);
    const refusal = pageProblem(request) ?? (path === "/session" ? this.#enter(request) : this.#callProblem(request, path));
    if (refusal !== undefined) return answerPage(request, response, refusal);
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) return answerPage(request, response, refusalPage(413, "too-large", `Expected at most ${BODY_BYTES_MAX} bytes`));
    this.#forward(request, response, path, body);
  }

  #enter(request: IncomingMessage): Page {
    const found = this.#sessions.enter(headerOf(request, "borg-link"));
    if (found === "full") return refusalPage(503, "unavailable", "Too many pages look already: end this borg ui, and start another");
    if (found === undefined)
      return refusalPage(401, "unauthenticated", "This link was followed before, has ended, or is none: borg ui makes another");
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    const { at } = this.#options;
    const way = at.kind === "unix" ? { socket: at.path } : { url: at.url };
    return { status: 200, headers, body: JSON.stringify({ key: found.key, way }) };
  }

  #callProblem(request: IncomingMessage, path: string): Page | undefined {
    if (!CALL.test(path)) return refusalPage(404, "unimplemented", "There is no such call");
    if (this.#sessions.user(headerOf(request, "borg-session")) === undefined)
      return refusalPage(401, "unauthenticated", "There is no such session, or it has ended: borg ui opens another");
    if (headerOf(request, "content-type").split(";")[0] === "application/json") return undefined;
    return refusalPage(415, "bad-request", "Expected JSON: only pages are served here");
  }

  /** A page without the token, for it is nobody's; a call with it, and marked as a page's. */
  #forward(request: IncomingMessage, response: ServerResponse, path: string, body: Buffer | undefined): void {
    const { at, token } = this.#options;
    const encoding = takesGzip(request.headers["accept-encoding"]) ? { "accept-encoding": "gzip" } : {};
    const headers = { "content-type": "application/json", "content-length": body?.length ?? 0, "borg-page": "1", ...encoding };
    const asked = httpRequest({
      ...{ agent: this.#way.agent, host: this.#way.host, port: this.#way.port, path, timeout: ANSWER_MS },
      protocol: at.kind === "tls" ? "https:" : "http:",
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.on("error", (error) =>
      answerPage(request, response, refusalPage(503, "unavailable", `Cannot reach the cell at ${this.#way.name}: ${error.message}`)),
    );
    asked.on("response", (answer) => void passOn(answer, request, response).catch(() => response.destroy()));
    response.once("close", () => asked.destroy());
    asked.end(body);
  }
}

async function passOn(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(answer, ANSWER_BYTES_MAX);
  const headers: Record<string, string> = {};
  for (const name of KEPT) if (typeof answer.headers[name] === "string") headers[name] = answer.headers[name];
  answerPage(request, response, { status: answer.statusCode ?? 502, headers, body });
}

/** Only a page that this server itself sent to a browser may ask. */
function pageProblem(request: IncomingMessage): Page | undefined {
  if (request.method !== "POST") return refusalPage(405, "unimplemented", `Cannot ask with ${request.method}: use POST`, { allow: "POST" });
  const site = request.headers["sec-fetch-site"];
  if (request.headers.origin !== undefined && (site === undefined || site === "same-origin")) return undefined;
  return refusalPage(403, "not-permitted", "Cannot serve who is no page of this cell: borg ui opens one");
}

async function bodyOf(message: IncomingMessage, most = BODY_BYTES_MAX): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) throw new Error(`Expected at most ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}
