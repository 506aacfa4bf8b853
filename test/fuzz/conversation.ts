/** Raw HTTP conversations that no client would have: drawn from a seed, sent in pieces, and looked at by what comes back. */
import { connect } from "node:net";
import type { Random } from "../../src/base/random.ts";
import { mutateBytes } from "./mutation.ts";
import type { Target } from "./target.ts";

export interface Conversation {
  readonly kind: string;
  readonly pieces: readonly Uint8Array[];
  /** The writing side is closed after the last piece. */
  readonly half: boolean;
}

type Make = (target: Target, random: Random) => readonly (string | Uint8Array)[];

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const METHODS = ["GET", "PUT", "DELETE", "TRACE", "CONNECT", "OPTIONS", "PATCH", "PRI", "post", "HEAD", "X".repeat(300), "M-SEARCH"];
const LENGTHS = ["-1", "+2", "0x2", "2, 2", "2 2", "1e1", "99999999999999999999", "4194305", "10", "1", " ", "2\r\nContent-Length: 3"];
const CODINGS = [
  "chunked",
  "xchunked",
  "chunked, identity",
  "identity",
  "gzip, chunked",
  "chunked\r\nTransfer-Encoding: chunked",
  " chunked",
  "\tchunked",
];
const CHUNKS = [
  "2\r\n{}\r\n0\r\n\r\n",
  "0002;x=y\r\n{}\r\n0\r\nA: b\r\n\r\n",
  "ffffffffffffffff\r\n",
  "2\n{}\n0\n\n",
  "-2\r\n{}",
  "2\r\n{}{}\r\n0\r\n\r\n",
  "g\r\n",
  "2\r\n{}\r\n0\r\n",
];
const PATHS = [
  "/",
  "/../x",
  "//",
  "/borg.v1.CellService/",
  "/borg.v1.CellService/GetCell?x=%00",
  "http://evil/",
  "*",
  "/%2e%2e",
  "/x".repeat(3000),
];

const head = (target: Target, ...lines: readonly string[]): string =>
  [
    "POST /borg.v1.CellService/GetCell HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Authorization: Bearer ${target.token}`,
    ...lines,
    "",
    "",
  ].join("\r\n");

const good = (target: Target): string => `${head(target, "Content-Length: 2")}{}`;

const KINDS: Readonly<Record<string, Make>> = {
  "slow headers": (target, random) => {
    const text = good(target);
    const until = random.int(1, text.length);
    return Array.from({ length: Math.min(until, 20) }, (_, i, all = Math.min(until, 20)) =>
      text.slice(Math.floor((until * i) / all), Math.floor((until * (i + 1)) / all)),
    );
  },
  "huge body": (target, random) => {
    const size = random.pick([4 * 2 ** 20 + 1, 5 * 2 ** 20, 2 ** 40]);
    return [head(target, `Content-Length: ${size}`), Buffer.alloc(random.pick([0, 100, 2 ** 20, 4 * 2 ** 20 + 1]), " ")];
  },
  "huge chunks": (target, random) => [
    head(target, "Transfer-Encoding: chunked"),
    ...Array.from({ length: random.int(1, 40) }, () =>
      Buffer.concat([Buffer.from("20000\r\n"), Buffer.alloc(0x20000, " "), Buffer.from("\r\n")]),
    ),
  ],
  "huge headers": (target, random) => [
    head(
      target,
      ...Array.from({ length: random.pick([1, 200, 5000]) }, (_, i) => `x-${i}: ${"y".repeat(random.pick([1, 100, 20_000]))}`),
    ).slice(0, 2 ** 20),
  ],
  "smuggled length": (target, random) => [head(target, `Content-Length: ${random.pick(LENGTHS)}`), "{}", good(target)],
  "length and chunks": (target, random) => [
    head(target, "Content-Length: 2", `Transfer-Encoding: ${random.pick(CODINGS)}`),
    random.pick(CHUNKS),
    good(target),
  ],
  "malformed chunks": (target, random) => [head(target, "Transfer-Encoding: chunked"), random.pick(CHUNKS), good(target)],
  "wrong method": (target, random) => [good(target).replace("POST", random.pick(METHODS))],
  "wrong path": (target, random) => [good(target).replace("/borg.v1.CellService/GetCell", random.pick(PATHS))],
  "wrong version": (target, random) => [
    good(target).replace("HTTP/1.1", random.pick(["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "ICY/1.1", ""])),
  ],
  pipelined: (target, random) => [good(target).repeat(random.int(2, 150)), random.chance(0.5) ? "garbage\r\n\r\n" : ""],
  upgrade: (target) => [
    head(target, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__", "Content-Length: 2"),
    "{}",
  ],
  expect: (target, random) => [head(target, `Expect: ${random.pick(["100-continue", "200-ok", "x"])}`, "Content-Length: 2"), "{}"],
  mutated: (target, random) => [mutateBytes(Buffer.from(good(target)), Buffer.from(good(target)), random)],
  garbage: (_, random) => [new Uint8Array(random.int(1, 3000)).map(() => random.int(0, 256))],
  nothing: () => [],
  "preface and garbage": (_, random) => [
    PREFACE.slice(0, random.int(1, 25)),
    new Uint8Array(random.int(0, 3000)).map(() => random.int(0, 256)),
  ],
  "http2 frames": (_, random) => [
    PREFACE,
    frame(4, 0, 0, new Uint8Array()),
    ...Array.from({ length: random.int(1, 60) }, () => drawFrame(random)),
  ],
  "http2 flood": (_, random) => {
    const one = drawFrame(random);
    return [PREFACE, frame(4, 0, 0, new Uint8Array()), Buffer.concat(Array.from({ length: 3000 }, () => one))];
  },
  "http2 resets": () => [
    PREFACE,
    frame(4, 0, 0, new Uint8Array()),
    Buffer.concat(
      Array.from({ length: 600 }, (_, i) => Buffer.concat([frame(1, 5, 2 * i + 1, GET), frame(3, 0, 2 * i + 1, new Uint8Array(4))])),
    ),
  ],
};

/** GET http /healthz with an authority, as HPACK writes it. */
const GET = Buffer.concat([Uint8Array.of(0x82, 0x86, 0x04, 8), Buffer.from("/healthz"), Uint8Array.of(0x01, 9), Buffer.from("127.0.0.1")]);

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);

export function drawConversation(target: Target, kind: string, random: Random): Conversation {
  const pieces = KINDS[kind]!(target, random).map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece));
  return { kind, pieces, half: random.chance(0.3) };
}

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([header, payload]);
}

/** Every type of frame, with right and wrong flags, streams and lengths. */
function drawFrame(random: Random): Uint8Array {
  const payload = random.chance(0.3) ? GET : new Uint8Array(random.pick([0, 1, 4, 5, 6, 8, 100])).map(() => random.int(0, 256));
  const made = frame(random.int(0, 12), random.pick([0, 1, 4, 5, 8, 0x20, 0xff]), random.pick([0, 1, 1, 3, 5, 2, 2 ** 31 - 1]), payload);
  return random.chance(0.2) ? mutateBytes(made, made, random) : made;
}

/** What came back until the target hung up or said nothing for `quietMs`. */
export function hold(target: Target, { pieces, half }: Conversation, quietMs: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const socket = connect({ path: target.api, allowHalfOpen: true });
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    let timer = setTimeout(done, quietMs);
    socket.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    socket.on("error", () => {});
    socket.on("end", done);
    socket.on("close", done);
    for (const piece of pieces) socket.write(piece);
    if (half) socket.end();
  });
}
