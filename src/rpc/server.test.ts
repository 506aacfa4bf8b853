/** The API server from outside: every protocol, who may call, and what is answered when something is wrong. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { Code, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { CallProblemSchema, CellService, type KillJobRequest } from "../wire/gen/borg/v1/api_pb.ts";
import { CallError } from "./call-error.ts";
import { AUTHORITY, jsonCall, OWNER, raw, type TestCell, TOKEN, testCell } from "./test-cell.ts";
import { dialWithOldTls, OLD_TLS_REFUSED } from "./test-old-tls.ts";

let cell: TestCell;

before(async () => {
  cell = await testCell(
    {
      getCell: (_, call) => {
        call.shown(41, call.stale ? 1500 : undefined);
        return { name: "test", user: call.user };
      },
      killJob: ({ job }) => {
        if (job === "ann/bug") throw new Error("the secret of the bug");
        if (job === "ann/gone") throw new CallError("not-found", `Cannot find job "${job}"`);
        if (job === "ann/busy") throw new CallError("unavailable", "The queue is full", { retryAfterMs: 1500, hint: "Wait a little" });
        return { position: 7 };
      },
      explain: () => new Promise(() => {}),
      resizeJob: (_, call) => new Promise((resolve) => call.signal.addEventListener("abort", () => resolve({}))),
    },
    {},
    { pages: (path) => (path === "/page" ? { status: 200, headers: { "content-type": "text/html" }, body: "<p>page" } : undefined) },
  );
});
after(() => cell.server.close());

const withToken: Interceptor = (next) => (request) => {
  request.header.set("authorization", `Bearer ${TOKEN}`);
  return next(request);
};

const TRUST = { ca: AUTHORITY.certificate };

const TRANSPORTS: Readonly<Record<string, (options: Parameters<typeof createConnectTransport>[0]) => Transport>> = {
  grpc: (options) => createGrpcTransport(options as Parameters<typeof createGrpcTransport>[0]),
  "grpc-web": (options) => createGrpcWebTransport(options as Parameters<typeof createGrpcWebTransport>[0]),
  connect: createConnectTransport,
};

for (const [name, create] of Object.entries(TRANSPORTS)) {
  for (const httpVersion of ["1.1", "2"] as const) {
    for (const useBinaryFormat of [true, false]) {
      test(`${name} over HTTP/${httpVersion}, ${useBinaryFormat ? "binary" : "JSON"}, is served on the one port [U9]`, async () => {
        const client = createClient(
          CellService,
          create({ baseUrl: cell.url, httpVersion, useBinaryFormat, interceptors: [withToken], nodeOptions: TRUST } as never),
        );
        assert.equal((await client.getCell({})).user, "ann");
        assert.equal((await client.killJob({ job: "ann/web", requestId: "r1" })).position, 7);
        const busy = await client.killJob({ job: "ann/busy" }).catch((error: unknown) => ConnectError.from(error));
        assert.ok(busy instanceof ConnectError);
        assert.equal(busy.code, Code.Unavailable);
        assert.equal(busy.rawMessage, "The queue is full");
        assert.equal(busy.metadata.get("retry-after"), "2");
        assert.deepEqual(
          busy.findDetails(CallProblemSchema).map((d) => [d.hint, d.retryAfterMs]),
          [["Wait a little", 1500]],
        );
        const malformed = await client.killJob({ job: "Ann" }).catch((error: unknown) => ConnectError.from(error));
        assert.ok(malformed instanceof ConnectError);
        assert.equal(malformed.code, Code.InvalidArgument);
        assert.match(malformed.rawMessage, /^Cannot take KillJobRequest\.job: Expected user\/job, found "Ann"/);
      });
    }
  }
}

test("a client that speaks no TLS 1.3 gets no connection [KA2]", async () => {
  assert.equal(await dialWithOldTls(cell.port), OLD_TLS_REFUSED);
});

test("a read says which state it shows; a stale one is asked for with a header, and says its age [KD3]", async () => {
  const current = await raw(cell, jsonCall("GetCell", "{}"));
  assert.match(current, /\r\nborg-position: 41\r\n/i);
  assert.doesNotMatch(current, /borg-age-ms/i);
  const stale = await raw(cell, jsonCall("GetCell", "{}", "Borg-Stale: true"));
  assert.match(stale, /\r\nborg-age-ms: 1500\r\n/i);
  assert.deepEqual(
    cell.asked.slice(-2).map(({ call }) => call.stale),
    [false, true],
  );
});

test("a call as curl sends it: JSON in, JSON out [U9]", async () => {
  const answer = await raw(cell, jsonCall("GetCell", "{}"));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\n\r\n\{"name":"test","user":"ann"\}$/);
});

test("the handler gets the checked message, the user and the request id", async () => {
  await raw(cell, jsonCall("KillJob", '{"job":"ann/web","requestId":"r2"}', "Connect-Timeout-Ms: 1234"));
  const { request, call } = cell.asked.at(-1)!;
  assert.equal((request as KillJobRequest).job, "ann/web");
  assert.deepEqual([call.user, call.requestId, call.deadlineMs], ["ann", "r2", 1234]);
});

test("healthz needs no token; an unknown path says where the API is", async () => {
  assert.match(
    await raw(cell, "GET /healthz HTTP/1.1\r\nHost: localhost:99\r\nConnection: close\r\n\r\n"),
    /^HTTP\/1\.1 200 .*\r\n\r\nok$/s,
  );
  const missing = await raw(cell, "GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  assert.match(missing, /^HTTP\/1\.1 404 .*Cannot find \/x: the API is at POST \/borg\.v1\.CellService\/<Method>/s);
  assert.match(await raw(cell, "GET /page HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 200 .*<p>page$/s);
});

test("without a token, or with a wrong one, the answer says how to get one, and the body is not looked at", async () => {
  const seen = cell.asked.length;
  const bare = jsonCall("GetCell", "[[[").replace(/Authorization.*\r\n/, "");
  const missing = await raw(cell, bare);
  assert.match(missing, /^HTTP\/1\.1 401 .*"unauthenticated".*borg token create/s);
  assert.match(await raw(cell, jsonCall("GetCell", "{}").replace(TOKEN, "nobody")), /^HTTP\/1\.1 401 .*may be revoked.*borg token create/s);
  assert.equal(cell.asked.length, seen);
});

test("a handler's own refusal is passed on; its bug is logged and not shown", async () => {
  assert.match(await raw(cell, jsonCall("KillJob", '{"job":"ann/gone"}')), /^HTTP\/1\.1 404 .*"not_found","message":"Cannot find job/s);
  const bug = await raw(cell, jsonCall("KillJob", '{"job":"ann/bug"}'));
  assert.match(bug, /^HTTP\/1\.1 500 .*"code":"internal"/s);
  assert.doesNotMatch(bug, /secret|\.ts/);
  assert.ok(cell.lines.some((line) => line.includes("KillJob failed") && line.includes("the secret of the bug")));
});

test("a call that takes longer than its caller gives it is unknown", async () => {
  const late = await raw(cell, jsonCall("Explain", '{"name":"ann/web"}', "Connect-Timeout-Ms: 50"));
  assert.match(late, /^HTTP\/1\.1 504 .*"deadline_exceeded","message":"No answer within 50 ms"/s);
  assert.match(
    await raw(cell, jsonCall("Explain", '{"name":"ann/web"}', "Connect-Timeout-Ms: soon")),
    /^HTTP\/1\.1 400 .*Connect-Timeout-Ms/s,
  );
});

test("a handler hears when its caller hangs up", async () => {
  const client = createClient(CellService, createGrpcTransport({ baseUrl: cell.url, interceptors: [withToken], nodeOptions: TRUST }));
  const cancel = new AbortController();
  const call = client.resizeJob({ job: "ann/web" }, { signal: cancel.signal });
  while (cell.asked.at(-1)!.method !== "ResizeJob") await new Promise((resolve) => setTimeout(resolve, 5));
  const { signal } = cell.asked.at(-1)!.call;
  assert.equal(signal.aborted, false);
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
  cancel.abort();
  await assert.rejects(call);
  await aborted;
});

test("only its own hosts and pages are served", async () => {
  const call = jsonCall("GetCell", "{}");
  for (const host of ["evil.example", "127.0.0.1.evil.example", "evil.example:7070", "[::1]", ""]) {
    assert.match(
      await raw(cell, call.replace("Host: 127.0.0.1", `Host: ${host}`)),
      /^HTTP\/1\.1 421 .*Cannot serve host|^HTTP\/1\.1 421 /s,
      host,
    );
  }
  assert.match(await raw(cell, call.replace("Host: 127.0.0.1", "Host: 127.0.0.1\r\nHost: evil")), /^HTTP\/1\.1 (400|421) /);
  assert.match(await raw(cell, call.replace("Host: 127.0.0.1", "Host: LOCALHOST:1")), /^HTTP\/1\.1 200 /);
  for (const origin of ["null", "http://evil.example", "https://127.0.0.1:9", "http://127.0.0.1"]) {
    assert.match(await raw(cell, jsonCall("GetCell", "{}", `Origin: ${origin}`)), /^HTTP\/1\.1 403 .*only this cell's own pages/s, origin);
  }
  assert.match(await raw(cell, jsonCall("GetCell", "{}", "Origin: https://127.0.0.1")), /^HTTP\/1\.1 200 /);
});

test("wrong methods, types and encodings are refused in words", async () => {
  const call = jsonCall("GetCell", "{}");
  assert.match(await raw(cell, call.replace("POST", "GET")), /^HTTP\/1\.1 405 .*use POST/s);
  assert.match(await raw(cell, call.replace("application/json", "text/plain")), /^HTTP\/1\.1 415 .*application\/json/s);
  assert.match(await raw(cell, jsonCall("GetCell", "{}", "Content-Encoding: gzip")), /^HTTP\/1\.1 415 .*content-encoding/s);
});

/** Over a clear connection: to the port, or to the Unix socket. */
function clear(to: { readonly port: number; readonly host: string } | { readonly path: string }, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(to);
    let answer = "";
    socket.setEncoding("latin1").on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
    socket.write(text);
  });
}

test("a token in clear text is not taken, and its sender is told that others may have read it [KA2]", async () => {
  const seen = cell.asked.length;
  const port = { port: cell.port, host: "127.0.0.1" };
  const refusal = await clear(port, jsonCall("GetCell", "{}"));
  assert.match(refusal, /^HTTP\/1\.1 403 .*not taken over a clear connection; the token that you sent was readable on its way: revoke it/s);
  assert.match(await clear(port, jsonCall("GetCell", "{}").replace(/Authorization.*\r\n/, "")), /^HTTP\/1\.1 403 .*curl --unix-socket/s);
  assert.equal(cell.asked.length, seen);
  assert.match(await clear(port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 200 /);
});

test("who reaches the Unix socket is its owner, without a token; with one, whoever that stands for [KA2]", async () => {
  const bare = jsonCall("GetCell", "{}").replace(/Authorization.*\r\n/, "");
  assert.match(await clear({ path: cell.path }, bare), new RegExp(`^HTTP/1.1 200 .*"user":"${OWNER}"`, "s"));
  assert.match(await clear({ path: cell.path }, jsonCall("GetCell", "{}")), /^HTTP\/1\.1 200 .*"user":"ann"/s);
  assert.match(await clear({ path: cell.path }, jsonCall("GetCell", "{}").replace(TOKEN, "nobody")), /^HTTP\/1\.1 401 /);
  assert.equal(statSync(cell.path).mode & 0o777, 0o600);
});

test("close finishes what runs, and cuts off what does not end", async () => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const closing = await testCell(
    { getCell: () => wait.then(() => ({ name: "late" })), explain: () => new Promise(() => {}) },
    { drainMs: 300 },
  );
  const slow = raw(closing, jsonCall("GetCell", "{}"));
  const stuck = raw(closing, jsonCall("Explain", '{"name":"ann/web"}'));
  while (closing.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = closing.server.close();
  go();
  assert.match(await slow, /late/);
  await closed;
  assert.equal(await stuck, "");
});
