/** Refusals of the HTTP edge: each is asked of a server that listens, with the bytes that somebody would send. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bounds } from "../../../src/rpc/bounds.ts";
import type { ApiServerOptions } from "../../../src/rpc/server.ts";
import type { CellHandlers } from "../../../src/rpc/service.ts";
import { jsonCall, raw, type TestCell, testCell } from "../../../src/rpc/test-cell.ts";
import { decode } from "../../../src/wire/codec.ts";
import { CallProblemSchema } from "../../../src/wire/gen/borg/v1/api_pb.ts";
import type { Group, Row } from "./row.ts";

type Say = (cell: TestCell) => Promise<string>;
interface Surroundings {
  readonly bounds?: Partial<Bounds>;
  readonly own?: Partial<CellHandlers>;
  readonly more?: Partial<ApiServerOptions>;
}

const row = (id: string, asked: string, say: Say, { own = {}, bounds = {}, more = {} }: Surroundings = {}): Row => ({
  id: `edge.${id}`,
  asked,
  say: async () => {
    const cell = await testCell(own, { drainMs: 0, ...bounds }, more);
    try {
      return wordsOf(await say(cell));
    } finally {
      await cell.server.close();
    }
  },
});

/** What is said to people: the message, and the hint that the command shows below it. */
function wordsOf(answer: string): string {
  const grpc = /grpc-message: ([^\r\n]*)/i.exec(answer)?.[1];
  if (grpc !== undefined) return decodeURIComponent(grpc);
  const text = /\{.*\}/s.exec(answer)?.[0] ?? "{}";
  const { message = "ok", details = [] } = JSON.parse(text) as { message?: string; details?: { value: string }[] };
  const problem = details[0] === undefined ? undefined : decode(CallProblemSchema, Buffer.from(details[0].value, "base64"), 65_536);
  const hint = problem?.ok === true ? problem.value.hint : "";
  return hint === "" ? message : `${message}; ${hint}`;
}

const sends =
  (text: string, ...more: readonly (string | Uint8Array)[]) =>
  (cell: TestCell): Promise<string> =>
    raw(cell, text, ...more);
const changed = (from: string | RegExp, to: string, method = "GetCell", body = "{}"): Say =>
  sends(jsonCall(method, body).replace(from, to));
const json = (method: string, body: string): Say => sends(jsonCall(method, body));

/** A body as bytes, of another type. */
const bytes = (type: string, body: Uint8Array): Say =>
  sends(jsonCall("GetCell", "").replace("application/json", type).replace("Content-Length: 0", `Content-Length: ${body.length}`), body);
const proto = (...body: readonly number[]): Say => bytes("application/proto", Uint8Array.from(body));

/** Over a connection without TLS. */
function clear(lines: (cell: TestCell) => readonly string[]): Say {
  return (cell) =>
    new Promise((resolve) => {
      const socket = connect(cell.port, "127.0.0.1", () => socket.write(`${lines(cell).join("\r\n")}\r\n\r\n`));
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("close", () => resolve(text)).on("error", () => {});
    });
}
const page = (first: string, ...headers: readonly string[]): Say =>
  clear(({ port }) => [
    `${first} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: close",
    ...headers.map((header) => header.replace("OWN", `http://127.0.0.1:${port}`)),
  ]);

const waits = Promise.withResolvers<Record<string, never>>();
/** While as many calls are in progress as are said, which are never answered. */
const busy =
  (calls: number, held: string, text: string): Say =>
  async (cell) => {
    for (let i = 0; i < calls; i++) void raw(cell, held);
    while (cell.asked.length < calls) await sleep(5);
    return raw(cell, text);
  };
const HELD: Surroundings = { own: { getCell: () => waits.promise, readEvents: () => waits.promise } };
const POLL = jsonCall("ReadEvents", '{"waitMs":1000}');
const ASK = jsonCall("ListUsers", "{}");

const costly: CellHandlers["listUsers"] = (_, call) => {
  call.charge(1000);
  return {};
};

const sessions = (found: "full" | undefined): Surroundings => ({
  more: { sessions: { enter: () => found, identify: (key) => (key === "key" ? { user: "ann" } : undefined), methods: new Set() } },
});

const FORM: Group = {
  title: "At the edge: what is no call",
  rows: [
    row("http", "something that is no HTTP", sends("hello\r\n\r\n")),
    row("headers", "headers of 17,000 bytes", sends(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(17_000)}\r\n\r\n`)),
    row("path", "a path that is none", sends("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")),
    row("method", "a call with GET", changed("POST", "GET")),
    row("encoding", "a compressed body", changed("Connection: close", "Connection: close\r\nContent-Encoding: gzip")),
    row("type", "a body of type text/plain", changed("application/json", "text/plain")),
    row("timeout", "a call with Connect-Timeout-Ms: soon", changed("Connection: close", "Connection: close\r\nConnect-Timeout-Ms: soon")),
    row("grpc-timeout", "a call with grpc-timeout: soon", changed("Connection: close", "Connection: close\r\ngrpc-timeout: soon")),
    row("host", "the cell under another name", changed("Host: 127.0.0.1", "Host: evil.example")),
    row("hosts", "a call of HTTP/1.0 without a Host", sends("GET /healthz HTTP/1.0\r\n\r\n")),
    row(
      "origin",
      "a call from a page of another origin",
      changed("Connection: close", "Connection: close\r\nOrigin: https://evil.example"),
    ),
    row("clear", "a call without TLS", page("POST /borg.v1.CellService/GetCell", "Content-Type: application/json", "Content-Length: 0")),
    row(
      "clear-token",
      "a call without TLS, with a token",
      page("POST /borg.v1.CellService/GetCell", "Content-Type: application/json", "Content-Length: 0", "Authorization: Bearer abc"),
    ),
  ],
};

const WHO: Group = {
  title: "At the edge: who calls",
  rows: [
    row("token-none", "a call without a token", changed(/Authorization.*\r\n/, "")),
    row("token-ended", "a call with a token that ended, was revoked or never was", changed(/Bearer \S+/, "Bearer guessed")),
    row("reserve", "a call while all connections are busy", busy(2, jsonCall("GetCell", "{}"), ASK), {
      ...HELD,
      bounds: { connections: 2, connectionsReserve: 1 },
    }),
    row("calls", "a call more than a user may have in progress", busy(2, jsonCall("GetCell", "{}"), ASK), {
      ...HELD,
      bounds: { callsPerUser: 2 },
    }),
    row("polls", "a call more that waits for news", busy(2, POLL, POLL), { ...HELD, bounds: { pollsPerUser: 2 } }),
    row(
      "rate",
      "more than a user's share of the API's time",
      async (cell) => {
        await raw(cell, ASK);
        return (await raw(cell, ASK)).replace(/try again in \d+ s/, "try again in 10 s");
      },
      { bounds: { heldMs: 1 }, own: { listUsers: costly } },
    ),
    row(
      "late",
      "a call while the API's thread is late",
      async (cell) => {
        await sleep(60);
        return raw(cell, ASK);
      },
      { bounds: { lateMs: -1000, lateWaitMs: 10 } },
    ),
    row("deadline", "a call whose answer does not come in time", json("GetCell", "{}"), { ...HELD, bounds: { callMs: 50 } }),
    row("bug", "a call in which the cell fails", json("GetCell", "{}"), {
      own: {
        getCell: () => {
          throw new Error("a bug");
        },
      },
    }),
  ],
};

const CHUNK = `${(600).toString(16)}\r\n${" ".repeat(600)}\r\n`;
const CHUNKED = jsonCall("GetCell", "").replace("Content-Length: 0", "Transfer-Encoding: chunked");

const BODY: Group = {
  title: "At the edge: bodies",
  rows: [
    row("long", "a body that says it is too long", changed("Content-Length: 2", "Content-Length: 5000000")),
    row("longer", "a body that turns out to be too long", sends(CHUNKED, CHUNK, CHUNK, "0\r\n\r\n"), { bounds: { bodyBytes: 1000 } }),
    row("slow", "a body that does not come", sends(jsonCall("GetCell", "").replace("Content-Length: 0", "Content-Length: 10"), "{"), {
      bounds: { receiveMs: 50 },
    }),
    row("bodies", "a body while too many are received", sends(CHUNKED, CHUNK, "0\r\n\r\n"), { bounds: { bodiesBytes: 100 } }),
    row("utf8", "JSON in Latin-1", bytes("application/json", Buffer.from('{"hash":"\xe4"}', "latin1"))),
    row("deep", "JSON that nests a hundred deep", json("SubmitJob", "[".repeat(100))),
    row("keys", "JSON with 200,000 values", json("SubmitJob", `[${"1,".repeat(200_000)}1]`)),
    row("json", "a body that is no JSON", json("GetCell", "{nothing")),
    row("field", "JSON with a field that there is not", json("GetCell", '{"nothing":1}')),
    row("bounds", "a message beyond its bounds", json("KillJob", '{"job":"WEB"}')),
    row("number", "binary with a field that there is not", proto(0xf8, 0x7f, 1)),
    row("tag", "binary that begins with no field", proto(0x80)),
    row("wire", "binary with a field of another kind", proto(0x0d, 0, 0, 0, 0)),
    row("cut", "binary that is cut off", proto(0x08)),
    row("text", "binary with text that is not UTF-8", sends(killHead(), Uint8Array.of(0x12, 1, 0xff))),
    row(
      "fields",
      "binary with 100,001 fields",
      bytes(
        "application/proto",
        new Uint8Array(200_002).fill(8).map((_, i) => (i % 2 === 0 ? 8 : 1)),
      ),
    ),
    row("frame", "gRPC with four bytes", bytes("application/grpc", new Uint8Array(4))),
    row("compressed", "gRPC with a compressed message", bytes("application/grpc", Uint8Array.of(1, 0, 0, 0, 0))),
    row("frames", "gRPC with two messages", bytes("application/grpc", new Uint8Array(10))),
  ],
};

/** The head of a KillJob in binary with three bytes. */
function killHead(): string {
  return jsonCall("KillJob", "").replace("application/json", "application/proto").replace("Content-Length: 0", "Content-Length: 3");
}

const CALL = "POST /borg.v1.CellService/GetCell";
const LENGTH = ["Content-Type: application/json", "Content-Length: 0"];

const PAGES: Group = {
  title: "At the edge: pages of browsers",
  rows: [
    row("page-method", "to enter with GET", page("GET /session", "Origin: OWN"), sessions(undefined)),
    row("page-origin", "to enter from no page", page("POST /session", ...LENGTH), sessions(undefined)),
    row(
      "page-link",
      "to enter with a link that was followed before",
      page("POST /session", "Origin: OWN", "borg-link: x", ...LENGTH),
      sessions(undefined),
    ),
    row(
      "page-full",
      "to enter while too many pages look",
      page("POST /session", "Origin: OWN", "borg-link: x", ...LENGTH),
      sessions("full"),
    ),
    row(
      "page-ended",
      "a call of a page whose session has ended",
      page(CALL, "Origin: OWN", "borg-session: x", ...LENGTH),
      sessions(undefined),
    ),
    row("page-change", "a change by a page", page(CALL, "Origin: OWN", "borg-session: key", ...LENGTH), sessions(undefined)),
  ],
};

export const EDGE_GROUPS: readonly Group[] = [FORM, WHO, BODY, PAGES];
