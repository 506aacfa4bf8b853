/** The client against the server: what goes in comes out, and every way to fail is the same CallError on both sides. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import type { Bounds } from "./bounds.ts";
import { type CallCode, CallError, CONNECT_CODES } from "./call-error.ts";
import { makeAuthority, makeRequest, signMachine } from "./certificates.ts";
import { type CellAddress, type CellClient, connectCell } from "./client.ts";
import { UNIX_PATH_BYTES_MAX } from "./endpoint.ts";
import { ApiServer } from "./server.ts";
import type { CellHandlers } from "./service.ts";
import { AUTHORITY, OWNER, type TestCell, TOKEN, testCell } from "./test-cell.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-client-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

async function pair(
  t: TestContext,
  own: Partial<CellHandlers>,
  bounds: Partial<Bounds> = {},
  token = TOKEN,
): Promise<{ cell: TestCell; client: CellClient }> {
  const cell = await testCell(own, bounds);
  const client = connectCell({ at: cell.at, token });
  t.after(() => {
    client.close();
    return cell.server.close();
  });
  return { cell, client };
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => assert.fail("Expected the call to fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CallError, String(error));
  return error;
}

/** Answers every connection in its own way. */
async function listener(t: TestContext, serve: (socket: Socket) => void): Promise<CellAddress> {
  const path = join(mkdtempSync(join(ROOT, "x")), "sock");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  return { kind: "unix", path };
}

test("calls carry messages both ways [U9]", async (t) => {
  const { client } = await pair(t, { listJobs: ({ user }) => ({ jobs: [{ name: `${user}/web`, count: 3 }], more: true }) });
  const answer = await client.listJobs({ user: "ann" });
  assert.deepEqual([answer.jobs[0]!.name, answer.jobs[0]!.count, answer.more], ["ann/web", 3, true]);
});

test("every code of the server arrives as the same code", async (t) => {
  const codes = (Object.keys(CONNECT_CODES) as CallCode[]).filter((code) => code !== "unreachable");
  let code: CallCode = "refused";
  const { client } = await pair(t, {
    getCell: () => {
      throw new CallError(code, `It is ${code}`, { hint: "Do this – exactly", retryAfterMs: 250 });
    },
  });
  for (code of codes) {
    const error = await failureOf(client.getCell({}));
    assert.deepEqual([error.code, error.message, error.hint, error.retryAfterMs], [code, `It is ${code}`, "Do this – exactly", 250]);
  }
});

test("a wrong token, a malformed message and a method that takes too long have their codes", async (t) => {
  const { cell, client } = await pair(t, { getCell: () => new Promise(() => {}) });
  const stranger = connectCell({ at: cell.at, token: "nobody" });
  assert.equal((await failureOf(stranger.getCell({}))).code, "unauthenticated");
  stranger.close();
  assert.equal((await failureOf(client.killJob({ job: "UPPER" }))).code, "bad-request");
  assert.equal((await failureOf(client.getCell({}, { timeoutMs: 30 }))).code, "unknown");
  assert.equal((await failureOf(client.submitJob({ spec: { name: "x".repeat(5 * 2 ** 20) } as never }))).code, "too-large");
  const cancel = new AbortController();
  const call = client.getCell({}, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 20);
  assert.equal((await failureOf(call)).code, "cancelled");
});

test("nobody there is unreachable, a broken connection is unknown", async (t) => {
  const at = await listener(t, (socket) => socket.once("data", () => socket.destroy()));
  const broken = connectCell({ at, token: TOKEN });
  assert.equal((await failureOf(broken.getCell({}))).code, "unknown");
  broken.close();
  const gone = await testCell();
  await gone.server.close();
  const client = connectCell({ at: gone.at, token: TOKEN });
  const error = await failureOf(client.getCell({}));
  assert.equal(error.code, "unreachable");
  assert.match(error.hint!, /borg up/);
  client.close();
});

test("something else that listens there is not taken for a cell", async (t) => {
  const at = await listener(t, (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")));
  const client = connectCell({ at, token: TOKEN });
  assert.match((await failureOf(client.getCell({}))).message, /no cell may be there/);
  client.close();
  const tls = (url: string): CellAddress => ({ kind: "tls", url, cell: "test", authorities: [] });
  assert.throws(() => connectCell({ at: tls("http://127.0.0.1"), token: "" }), /expected https:\/\/HOST:PORT/);
  assert.throws(() => connectCell({ at: tls("nonsense"), token: "" }), /Cannot use cell URL "nonsense"/);
});

test("connections are kept, and one that was closed meanwhile is replaced", async (t) => {
  const { cell, client } = await pair(t, {}, { idleMs: 200, sweepMs: 20 });
  await client.getCell({});
  // The server closes it, and the client may or may not have noticed when it calls again.
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10 + i * 3));
    await client.getCell({});
  }
  assert.equal(cell.asked.length >= 21, true);
});

test("who cannot prove to be a master of the cell is sent nothing [KA2]", async (t) => {
  const heard: string[] = [];
  const { key, request } = await makeRequest("m1");
  const machine = { key, certificate: (await signMachine(AUTHORITY, request, { cell: "test", machine: "m1" }, Date.now()))! };
  const foreign = await testCell();
  t.after(() => foreign.server.close());
  const stranger = await makeAuthority("test", Date.now());
  const cases: readonly [string, CellAddress, RegExp][] = [
    ["another authority", { ...foreign.at, authorities: [stranger.certificate] } as CellAddress, /is not the cell that you know/],
    ["another cell", { ...foreign.at, cell: "other" } as CellAddress, /no master of cell "other"/],
    ["a machine's certificate", await servedBy(t, machine, heard), /no master of cell "test"/],
  ];
  for (const [what, at, words] of cases) {
    const client = connectCell({ at, token: TOKEN });
    const error = await failureOf(client.getCell({}));
    assert.equal(error.code, "unreachable", what);
    assert.match(error.message, words, what);
    client.close();
  }
  assert.deepEqual([foreign.asked.length, heard.length], [0, 0]);
});

/** An API server with the wrong kind of certificate. */
async function servedBy(
  t: TestContext,
  tls: { readonly key: string; readonly certificate: string },
  heard: string[],
): Promise<CellAddress> {
  const identify = (token: string): undefined => void heard.push(token);
  const handlers = new Proxy({} as CellHandlers, { get: () => () => heard.push("called") });
  const listeners = [{ endpoint: { kind: "tcp" as const, host: "127.0.0.1", port: 0 }, tls }];
  const server = await ApiServer.listen({ listeners, hosts: ["127.0.0.1"], identify, handlers, log: () => {} });
  t.after(() => server.close());
  return { kind: "tls", url: `https://127.0.0.1:${server.addresses[0]!.port}`, cell: "test", authorities: [AUTHORITY.certificate] };
}

test("the owner's socket works under paths longer than the kernel takes", async (t) => {
  const deep = join(mkdtempSync(join(ROOT, "long")), "d".repeat(UNIX_PATH_BYTES_MAX));
  mkdirSync(deep);
  const path = join(deep, "api.sock");
  const handlers = { getCell: (_: unknown, call: { readonly user: string }) => ({ user: call.user }) } as unknown as CellHandlers;
  const server = await ApiServer.listen({
    listeners: [{ endpoint: { kind: "unix", path }, user: OWNER }],
    hosts: [],
    identify: () => undefined,
    handlers: new Proxy(handlers, { get: (own, name) => Reflect.get(own, name) ?? (() => ({})) }),
    log: () => {},
  });
  t.after(() => server.close());
  const client = connectCell({ at: { kind: "unix", path } });
  assert.equal((await client.getCell({})).user, OWNER);
  client.close();
});
