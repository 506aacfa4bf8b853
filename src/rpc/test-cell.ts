/** A cell of a few lines for the tests of this room: it answers every method, and remembers what it was asked. */
import { connect } from "node:net";
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { CellService } from "../wire/gen/borg/v1/api_pb.ts";
import type { Limits } from "./limits.ts";
import { ApiServer, type ApiServerOptions } from "./server.ts";
import type { Call, CellHandlers } from "./service.ts";

export interface Asked {
  readonly method: string;
  readonly request: Message;
  readonly call: Call;
}

export const TOKEN = "token-of-ann";

export interface TestCell {
  readonly server: ApiServer;
  readonly port: number;
  readonly url: string;
  readonly asked: Asked[];
  readonly lines: string[];
}

/** Tokens are `token-of-<user>`; methods without a handler of their own answer an empty message. */
export async function testCell(
  own: Partial<CellHandlers> = {},
  limits: Partial<Limits> = {},
  more: Partial<ApiServerOptions> = {},
): Promise<TestCell> {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const server = await ApiServer.listen({
    host: "127.0.0.1",
    port: 0,
    hosts: ["127.0.0.1", "localhost"],
    identify: (token) => (token.startsWith("token-of-") ? { user: token.slice("token-of-".length) } : undefined),
    log: (line) => lines.push(line),
    limits,
    ...more,
    handlers: handlers(asked, own),
  });
  const { port } = server.address;
  return { server, port, url: `http://127.0.0.1:${port}`, asked, lines };
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

/** Sends bytes as they are and gives back what came until the server hung up. */
export function raw(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
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
