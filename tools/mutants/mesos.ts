/** Bugs where programs written for Mesos meet a cell: its port, its streams and the gateway. */
import type { Mutant } from "./mutant.ts";

export const MESOS_BUGS: readonly Mutant[] = [
  {
    name: "a framework's token is taken over a clear connection",
    file: "src/rpc/server.ts",
    text: "if (!exchange.connection.isProven) return answerPage(request, response, this.#clear(exchange));\n    await mesos.serve(exchange, path);",
    replacement: "await mesos.serve(exchange, path);",
    suite: "src/rpc/mesos/edge.test.ts",
  },
  {
    name: "a reader that does not read is never cut off",
    file: "src/rpc/mesos/streams.ts",
    text: "if (stream.waitingBytes + bytes > streamBytes) return false;",
    replacement: "if (stream.waitingBytes + bytes < 0) return false;",
    suite: "src/rpc/mesos/edge.test.ts",
  },
  {
    name: "a stream outlives its token",
    file: "src/rpc/mesos/streams.ts",
    text: "(isKnown) => isKnown || this.#unknown(),",
    replacement: "() => undefined,",
    suite: "src/rpc/mesos/edge.test.ts",
  },
  {
    name: "a call needs no stream",
    file: "src/rpc/mesos/edge.ts",
    text: 'throw new CallError("bad-request", "Expected the header Mesos-Stream-Id, as the answer to SUBSCRIBE had it");',
    replacement: 'return "stream-1";',
    suite: "src/rpc/mesos/hostile.test.ts",
  },
  {
    name: "records that are written together share a chunk",
    file: "src/rpc/mesos/record-io.ts",
    text: "  socket?.cork();\n",
    replacement: "",
    suite: "src/rpc/mesos/edge.test.ts",
  },
  {
    name: "a framework's fractions may be below zero",
    file: "src/wire/check.ts",
    text: "return value >= bound.min && value <= max ? undefined : `: Expected ${bound.min} to ${max}, found ${describe(value)}`;",
    replacement: "return value <= max ? undefined : `: Expected ${bound.min} to ${max}, found ${describe(value)}`;",
    suite: "src/rpc/mesos/hostile.test.ts",
  },
  {
    name: "the gateway serves anybody",
    file: "src/rpc/mesos/gateway.ts",
    text: "if (uid === this.#options.uid) return true;",
    replacement: "if (uid !== undefined) return true;",
    suite: "src/rpc/mesos/gateway.test.ts",
  },
  {
    name: "the gateway takes a closed socket's user for its own",
    file: "src/rpc/mesos/peer-uid.ts",
    text: 'if (state !== ESTABLISHED || inode === "0" || !/^\\d+$/.test(uid)) continue;',
    replacement: "if (!/^\\d+$/.test(uid)) continue;",
    suite: "src/rpc/mesos/gateway.test.ts",
  },
  {
    name: "a dead leader's streams stay open",
    file: "src/rpc/mesos/gateway.ts",
    text: "const silence = setTimeout(finish, this.#bounds.silenceMs);",
    replacement: "const silence = setTimeout(() => {}, this.#bounds.silenceMs);",
    suite: "src/rpc/mesos/gateway.test.ts",
  },
  {
    name: "the gateway answers a SUBSCRIBE at once when nobody leads",
    file: "src/rpc/mesos/gateway.ts",
    text: 'if (performance.now() + this.#bounds.tryMs >= endMs) return "later";',
    replacement: 'return "later";',
    suite: "src/rpc/mesos/gateway.test.ts",
  },
];
