/** A cell of a few lines for the tests of this room: it answers every method, and remembers what it was asked. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { CellService } from "../wire/gen/borg/v1/api_pb.ts";
import type { Bounds } from "./bounds.ts";
import { makeAuthority, makeMaster } from "./certificates.ts";
import type { CellAddress } from "./client.ts";
import { ApiServer, type ApiServerOptions } from "./server.ts";
import type { Call, CellHandlers } from "./service.ts";

export interface Asked {
  readonly method: string;
  readonly request: Message;
  readonly call: Call;
}

export const TOKEN = "token-of-ann";
export const OWNER = "owner";

export const AUTHORITY = await makeAuthority("test", Date.now());
const MASTER = await makeMaster(AUTHORITY, { cell: "test", replica: 0, hosts: ["localhost", "127.0.0.1"] }, Date.now());

export interface TestCell {
  readonly server: ApiServer;
  readonly port: number;
  readonly url: string;
  /** Its Unix socket. */
  readonly path: string;
  readonly at: CellAddress;
  readonly asked: Asked[];
  readonly lines: string[];
}

const ROOT = mkdtempSync(join(tmpdir(), "borg-cell-"));
process.once("exit", () => rmSync(ROOT, { recursive: true, force: true }));

/** On TCP with TLS, and on a Unix socket whose owner is `owner`. Tokens are `token-of-<user>`; methods without a handler of their own answer an empty message. */
export async function testCell(
  own: Partial<CellHandlers> = {},
  bounds: Partial<Bounds> = {},
  more: Partial<ApiServerOptions> = {},
): Promise<TestCell> {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const path = join(mkdtempSync(join(ROOT, "x")), "api.sock");
  const server = await ApiServer.listen({
    listeners: [
      { endpoint: { kind: "tcp", host: "127.0.0.1", port: 0 }, tls: MASTER },
      { endpoint: { kind: "unix", path }, user: OWNER },
    ],
    hosts: ["127.0.0.1", "localhost"],
    identify: (token) =>
      token.startsWith("token-of-") ? { user: token.slice("token-of-".length), isAdmin: token.endsWith("-admin") } : undefined,
    log: (line) => lines.push(line),
    bounds,
    ...more,
    handlers: handlers(asked, own),
  });
  const { port } = server.addresses[0]!;
  const url = `https://127.0.0.1:${port}`;
  return { server, port, url, path, at: { kind: "tls", url, cell: "test", authorities: [AUTHORITY.certificate] }, asked, lines };
}

function handlers(asked: Asked[], own: Partial<CellHandlers>): CellHandlers {
  const all: Record<string, (request: Message, call: Call) => unknown> = {};
  for (const method of CellService.methods) {
    const handler = own[method.localName as keyof CellHandlers] as ((request: Message, call: Call) => unknown) | undefined;
    all[method.localName] = (request, call) => {
      asked.push({ method: method.name, request, call });
      return handler === undefined ? create(method.output as DescMessage) : handler(request, call);
    };
  }
  return all as unknown as CellHandlers;
}

/** A connection on which anything can be said. */
export function dial({ port }: TestCell, protocol: "http/1.1" | "h2" = "http/1.1"): TLSSocket {
  const socket = connectTls({ port, host: "127.0.0.1", ca: AUTHORITY.certificate, ALPNProtocols: [protocol] });
  return socket.on("error", () => {});
}

/** Sends bytes as they are and gives back what came until the server hung up. */
export function raw(cell: TestCell, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = dial(cell);
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    for (const piece of pieces) socket.write(piece);
  });
}

/** The text of a JSON call as curl would send it. */
export function jsonCall(method: string, body: string, ...headers: readonly string[]): string {
  const lines = [
    `POST /borg.v1.CellService/${method} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Authorization: Bearer ${TOKEN}`,
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
