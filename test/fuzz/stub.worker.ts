/**
 * The smallest thing worth fuzzing: the real servers with the real limits, and handlers that look at every message once more. Its state
 * is a hash over every message that a handler was given.
 */
import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort } from "node:worker_threads";
import { create, type Message, toBinary } from "@bufbuild/protobuf";
import { LinkServer } from "../../src/rpc/link-server.ts";
import { ApiServer } from "../../src/rpc/server.ts";
import type { CellHandlers } from "../../src/rpc/service.ts";
import { checker } from "../../src/wire/check.ts";
import { CellService } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { LinkFrameSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import type { StubQuestion, StubReady } from "./target.ts";

const TOKEN = "token-of-the-fuzzer";
const PROBLEMS_MAX = 100;
const problems: string[] = [];
let hash = "";

function take(name: string, problem: string | undefined, bytes: Uint8Array): void {
  if (problem !== undefined && problems.length < PROBLEMS_MAX) problems.push(`${name} got a message that is not in bounds: ${problem}`);
  hash = createHash("sha256").update(hash).update(name).update(bytes).digest("hex");
}

const handlers: Record<string, unknown> = {};
for (const method of CellService.methods) {
  const check = checker(method.input);
  handlers[method.localName] = (request: Message) => {
    take(method.name, check(request), toBinary(method.input, request));
    return create(method.output);
  };
}

const api = await ApiServer.listen({
  host: "127.0.0.1",
  port: 0,
  hosts: ["127.0.0.1"],
  handlers: handlers as unknown as CellHandlers,
  identify: (token) => (token === TOKEN ? { user: "fuzz" } : undefined),
  log: (line) => problems.push(line),
});
const checkFrame = checker(LinkFrameSchema);
const links = await LinkServer.listen({
  host: "127.0.0.1",
  port: 0,
  cell: "fuzz",
  // The fuzzer dials for every broken frame; how dials are limited has a test of its own.
  limits: { acceptsPerSecond: 100_000 },
  admit: ({ token }) => (token === TOKEN ? undefined : "Cannot find this token"),
  onOpen: () => {},
  onFrame: (link, body) => {
    const frame = create(LinkFrameSchema, { body });
    const machine = body.case === "logChunk" ? link.machine : body.value.machine;
    take(body.case, machine === link.machine ? checkFrame(frame) : "another machine's", toBinary(LinkFrameSchema, frame));
  },
  onClose: () => {},
  log: () => {},
});

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const ANSWERS: Readonly<Record<StubQuestion, () => unknown>> = {
  hash: () => hash,
  problems: () => problems,
  delay: () => {
    const longest = delay.max / 1e6;
    delay.reset();
    return longest;
  },
};
parentPort!.on("message", (question: StubQuestion) => parentPort!.postMessage(ANSWERS[question]()));
parentPort!.postMessage({ port: api.address.port, linkPort: links.address.port, token: TOKEN } satisfies StubReady);
