/**
 * Calls the methods of a cell: unary Connect with binary bodies over node:http. It never retries but for a kept connection that turned
 * out to be closed, and only where that is safe. Not taken from @connectrpc/connect-node, because the command line must start quickly:
 * a program that only loads its client took 310 ms with that package and 240 ms with this file (2 cores; bundled 87 and 83 ms).
 */
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { connect, type Socket } from "node:net";
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { encode, make, mustDecode } from "../wire/codec.ts";
import { CallProblemSchema, CellService } from "../wire/gen/borg/v1/api_pb.ts";
import { BOUNDS } from "./bounds.ts";
import { CallError, type CallErrorOptions, callCode } from "./call-error.ts";
import { masterProblem } from "./certificates.ts";
import { shortPath } from "./endpoint.ts";
import type { CallOptions, CellMethods } from "./service.ts";

/** Where a cell is, and how it proves itself. */
export type CellAddress =
  /** A Unix socket in a directory that only the cell's owner can enter. */
  | { readonly kind: "unix"; readonly path: string }
  /** `authorities`: the cell's own, as PEM; who shows a certificate of another is not spoken to. */
  | { readonly kind: "tls"; readonly url: string; readonly cell: string; readonly authorities: readonly string[] };

export interface CellClientOptions {
  readonly at: CellAddress;
  /** Not needed on the owner's socket. */
  readonly token?: string | undefined;
  /** For calls that name none of their own; what a call asks to wait for comes on top. */
  readonly timeoutMs?: number;
}

export type CellClient = CellMethods & {
  /** Lets go of kept connections. */
  readonly close: () => void;
};

const TIMEOUT_MS = 30_000;
/** Beyond a call's time, for the answer `unknown` of the cell itself to arrive. */
const GRACE_MS = 1000;
const ANSWER_BYTES_MAX = 64 * 2 ** 20;
const SOCKETS_MAX = 64;
const ERROR_LENGTH_MAX = 2048;

export function connectCell(options: CellClientOptions): CellClient {
  const cell = cellAt(options);
  const client: Record<string, unknown> = { close: () => cell.agent.destroy() };
  for (const method of CellService.methods) {
    client[method.localName] = (request: Message, own: CallOptions = {}) => call(cell, method as DescMethodUnary, request, own);
  }
  return client as unknown as CellClient;
}

/** How requests reach a cell. */
export interface WayToCell {
  /** For people. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly agent: Agent;
}

interface Cell extends CellClientOptions, WayToCell {}

const TLS_PORT = 443;

const cellAt = (options: CellClientOptions): Cell => ({ ...options, ...wayToCell(options.at) });

/** Only who proves to be the cell is spoken to. */
export function wayToCell(at: CellAddress, maxSockets = SOCKETS_MAX): WayToCell {
  if (at.kind === "unix") return { name: at.path, host: "localhost", port: 0, agent: new UnixAgent(at.path, maxSockets) };
  const base = URL.parse(at.url);
  if (base?.protocol !== "https:") throw new CallError("bad-request", `Cannot use cell URL "${at.url}": expected https://HOST:PORT`);
  const agent = new SecureAgent({
    keepAlive: true,
    maxSockets,
    minVersion: "TLSv1.3",
    ca: [...at.authorities],
    checkServerIdentity: (_host, certificate) => masterProblem(certificate.subjectaltname, at.cell),
  });
  return { name: base.origin, host: base.hostname.replace(/^\[|\]$/g, ""), port: Number(base.port || TLS_PORT), agent };
}

class UnixAgent extends Agent {
  readonly #path: string;

  constructor(path: string, maxSockets: number) {
    super({ keepAlive: true, maxSockets });
    this.#path = path;
  }

  override createConnection(): Socket {
    const { path, close } = shortPath(this.#path);
    return connect({ path }).once("connect", close).once("error", close);
  }
}

async function call(cell: Cell, method: DescMethodUnary, init: Message, options: CallOptions): Promise<Message> {
  const message = make(method.input, init);
  const body = encode(method.input, message);
  if (body.length > BOUNDS.bodyBytes)
    throw new CallError("too-large", `Expected a request of at most ${BOUNDS.bodyBytes} bytes, found ${body.length}`);
  const { requestId, waitMs } = message as { readonly requestId?: string; readonly waitMs?: number };
  const timeoutMs = Math.ceil(options.timeoutMs ?? (cell.timeoutMs ?? TIMEOUT_MS) + (waitMs ?? 0));
  const exchange = () => send(cell, method, body, timeoutMs, options);
  // Doing it twice is safe when it changes nothing, or when the cell can tell that it is the same.
  const repeatable = requestId === undefined || requestId !== "";
  const answer = await exchange().catch((error: unknown) => {
    if (error instanceof StaleConnection && repeatable) return exchange();
    throw error;
  });
  return mustDecode(method.output, answer);
}

/** A kept connection was closed by the cell at the moment it was used again. */
class StaleConnection extends CallError {}

function send(
  cell: Cell,
  method: DescMethodUnary,
  body: Uint8Array,
  timeoutMs: number,
  { signal, stale, shown }: CallOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent: cell.agent,
      host: cell.host,
      port: cell.port,
      protocol: cell.at.kind === "tls" ? "https:" : "http:",
      method: "POST",
      path: `/${method.parent.typeName}/${method.name}`,
      headers: {
        "content-type": "application/proto",
        "content-length": body.length,
        "connect-protocol-version": "1",
        "connect-timeout-ms": timeoutMs,
        ...(cell.token === undefined ? {} : { authorization: `Bearer ${cell.token}` }),
        ...(stale === true ? { "borg-stale": "true" } : {}),
      },
      ...(signal === undefined ? {} : { signal }),
    });
    const late = () => request.destroy(new CallError("unknown", `No answer from ${cell.name} within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs + GRACE_MS);
    const settle = <T>(then: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer);
        then(value);
      };
    };
    const failed = settle((error: Error) => reject(failure(error, request, cell, signal)));
    request.on("error", failed);
    request.on("response", (response) => {
      const { "borg-position": position, "borg-age-ms": ageMs } = response.headers;
      if (position !== undefined) shown?.(Number(position), ageMs === undefined ? undefined : Number(ageMs));
      receive(response, settle(resolve), settle(reject), failed);
    });
    request.end(body);
  });
}

function receive(
  response: IncomingMessage,
  resolve: (body: Uint8Array) => void,
  reject: (error: CallError) => void,
  failed: (error: Error) => void,
): void {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  response.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) response.destroy(new CallError("too-large", `Expected an answer of at most ${ANSWER_BYTES_MAX} bytes`));
  });
  response.on("error", failed);
  response.on("end", () => {
    const body = Buffer.concat(chunks);
    if (response.statusCode === 200 && response.headers["content-type"] === "application/proto") resolve(body);
    else reject(answeredError(response, body));
  });
}

/** What a failure of the connection means to a caller: was anything sent, can anything have happened. */
function failure(error: Error, request: ClientRequest, { name }: Cell, signal: AbortSignal | undefined): CallError {
  if (error instanceof CallError) return error;
  if (signal?.aborted) return new CallError("cancelled", "The call was cancelled", { cause: error });
  const code = (error as NodeJS.ErrnoException).code ?? error.message;
  if ((error as NodeJS.ErrnoException).syscall === "connect" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new CallError("unreachable", `Cannot reach a cell at ${name}: ${code}`, {
      cause: error,
      hint: 'Start one with "borg up", or name another with --master URL',
    });
  // Nothing was sent to who could not prove to be the cell.
  if (isUnproven(error))
    return new CallError("unreachable", `Who answers at ${name} is not the cell that you know: ${error.message}`, {
      cause: error,
      hint: UNPROVEN_HINT,
    });
  const Kind = request.reusedSocket ? StaleConnection : CallError;
  return new Kind("unknown", `The connection to ${name} broke before the answer: ${code}`, { cause: error });
}

const UNPROVEN_HINT = "nothing was sent to it; if the cell was made anew, take a fresh login from its owner (borg token create)";

function isUnproven(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return /CERT|ISSUER|SELF_SIGNED|SIGNATURE|^ERR_TLS|^ERR_SSL|EPROTO/.test(code) || error.message.startsWith("it is no master");
}

/** An error of the cell, or of something else that listens there. */
function answeredError(response: IncomingMessage, body: Buffer): CallError {
  const parsed = parseError(body);
  if (parsed === undefined)
    return new CallError("internal", `Cannot understand the answer: status ${response.statusCode}, no cell may be there`);
  return new CallError(callCode(parsed.code), String(parsed.message ?? parsed.code).slice(0, ERROR_LENGTH_MAX), problemOf(parsed.details));
}

interface WireError {
  readonly code: string;
  readonly message?: unknown;
  readonly details?: unknown;
}

function parseError(body: Buffer): WireError | undefined {
  try {
    const value = JSON.parse(body.toString("utf8")) as WireError | null;
    return typeof value?.code === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function problemOf(details: unknown): CallErrorOptions {
  if (!Array.isArray(details)) return {};
  for (const detail of details as readonly ({ readonly type?: unknown; readonly value?: unknown } | null)[]) {
    if (detail?.type !== CallProblemSchema.typeName || typeof detail.value !== "string") continue;
    try {
      const { hint, retryAfterMs } = mustDecode(CallProblemSchema, Buffer.from(detail.value, "base64"));
      return { ...(hint === "" ? {} : { hint }), ...(retryAfterMs > 0 ? { retryAfterMs } : {}) };
    } catch {
      return {};
    }
  }
  return {};
}
