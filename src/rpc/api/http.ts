/** HTTP/1 and HTTP/2 requests and answers as the server sees them: one shape, and the ways to answer without a call. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { type CallCode, CONNECT_CODES } from "../call-error.ts";
import { compressed, takesGzip } from "./compressed.ts";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** A whole answer. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** How much of a body that nobody wants is read, and for how long, so that its sender can read the answer before the end. */
const UNWANTED_BYTES_MAX = 16 * 2 ** 20;
const UNWANTED_MS = 1000;

/** A refusal in the form of a Connect error, which people can read as well. */
export function refusalPage(status: number, code: CallCode, message: string, headers: Readonly<Record<string, string>> = {}): Page {
  const body = `${JSON.stringify({ code: CONNECT_CODES[code], message })}\n`;
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

export function textPage(status: number, text: string): Page {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}

export function answerPage(request: HttpRequest, response: HttpResponse, page: Page): void {
  const body = typeof page.body === "string" ? Buffer.from(page.body) : page.body;
  const headers = { ...page.headers, "content-length": String(body.length), "x-content-type-options": "nosniff" };
  end(request, response, page.status, headers, request.method === "HEAD" ? [] : [body], undefined);
}

/** What Connect made of a call. Calls are unary: the body is small in number of pieces, and written in one go. `mayCompress`: see compressed.ts. */
export async function answerCall(
  request: HttpRequest,
  response: HttpResponse,
  answer: UniversalServerResponse,
  mayCompress: boolean,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  if (answer.body !== undefined) for await (const chunk of answer.body) chunks.push(chunk);
  const headers = plainHeaders(answer.header);
  const isWanted = mayCompress && headers["content-type"] === "application/json" && takesGzip(request.headers["accept-encoding"]);
  const smaller = isWanted ? await compressed(chunks) : undefined;
  if (smaller === undefined) return end(request, response, answer.status, headers, chunks, answer.trailer);
  const { "content-length": _, ...others } = headers;
  end(request, response, answer.status, { ...others, "content-encoding": "gzip" }, [smaller], answer.trailer);
}

function end(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  headers: Record<string, string>,
  chunks: readonly Uint8Array[],
  trailer: Headers | undefined,
): void {
  if (response.destroyed || response.headersSent) return;
  const unwanted = request.httpVersionMajor === 1 && hasBody(request) && !request.complete;
  if (unwanted) headers["connection"] = "close";
  // Both kinds of answer have these two; only their types cannot be called as one.
  const writer = response as ServerResponse;
  writer.writeHead(status, headers);
  for (const chunk of chunks) writer.write(chunk);
  if (trailer !== undefined) response.addTrailers(plainHeaders(trailer));
  if (unwanted) endAfter(request, response);
  else response.end();
}

const hasBody = ({ headers }: HttpRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Closing a socket with unread bytes in it resets it, and the client may lose the answer: read on for a while first. */
function endAfter(request: HttpRequest, response: HttpResponse): void {
  let bytes = 0;
  const finish = () => {
    clearTimeout(timer);
    request.pause();
    response.end();
  };
  const timer = setTimeout(finish, UNWANTED_MS);
  request.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > UNWANTED_BYTES_MAX) finish();
  });
  request.once("end", finish);
  request.once("close", finish);
}

function plainHeaders(headers: Headers | undefined): Record<string, string> {
  const plain: Record<string, string> = {};
  headers?.forEach((value, key) => {
    plain[key] = value;
  });
  return plain;
}

/** As Connect reads them; pseudo-headers of HTTP/2 are no headers. */
export function universalHeaders(request: HttpRequest): Headers {
  const headers = new Headers();
  for (const [key, value] of Object.entries(request.headers)) {
    if (key.startsWith(":") || value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) headers.append(key, item);
  }
  return headers;
}
