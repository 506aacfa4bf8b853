/** What the API server refuses before it costs anything, and that nobody can keep others from being served [KB1] [KB2]. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import type { TLSSocket } from "node:tls";
import type { Bounds } from "./bounds.ts";
import type { CallBounds, CellHandlers } from "./service.ts";
import { dial, jsonCall, raw, type TestCell, testCell } from "./test-cell.ts";

async function cellFor(t: TestContext, bounds: Partial<Bounds>, own: Partial<CellHandlers> = {}): Promise<TestCell> {
  const cell = await testCell(own, bounds);
  t.after(() => cell.server.close());
  return cell;
}

/** On a slow machine it may be so before anybody looks. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once("close", () => resolve())));

function open(cell: TestCell, text: string, protocol: "http/1.1" | "h2" = "http/1.1"): Promise<TLSSocket> {
  return new Promise((resolve) => {
    const socket = dial(cell, protocol);
    socket.once("secureConnect", () => socket.write(text, () => resolve(socket)));
    socket.once("close", () => resolve(socket));
    socket.resume();
  });
}

/** Without a handshake, or with half of one. */
function openClear({ port }: TestCell, bytes: string | Uint8Array): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, () => resolve(socket)));
    socket.on("error", () => {});
    socket.resume();
  });
}

test("a body that says it is too long is refused before it is sent", async (t) => {
  const cell = await cellFor(t, { bodyBytes: 1000 });
  const answer = await raw(cell, jsonCall("GetCell", "").replace("Content-Length: 0", "Content-Length: 1001"), "x");
  assert.match(answer, /"resource_exhausted","message":"Expected a body of at most 1000 bytes, found 1001: ship/);
});

test("a body that turns out to be too long is refused on the way", async (t) => {
  const cell = await cellFor(t, { bodyBytes: 1000 });
  const head = jsonCall("GetCell", "").replace("Content-Length: 0", "Transfer-Encoding: chunked");
  const chunk = `${(600).toString(16)}\r\n${" ".repeat(600)}\r\n`;
  assert.match(await raw(cell, head, chunk, chunk, "0\r\n\r\n"), /"resource_exhausted"/);
  assert.equal(cell.asked.length, 0);
});

test("100 Continue is said only to those whose body is wanted", async (t) => {
  const cell = await cellFor(t, { bodyBytes: 1000 });
  const call = jsonCall("GetCell", "{}", "Expect: 100-continue");
  assert.match(await raw(cell, call), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  assert.match(await raw(cell, call.replace("Content-Length: 2", "Content-Length: 2000")), /^HTTP\/1\.1 429 /);
  assert.match(await raw(cell, call.replace(/Authorization.*\r\n/, "")), /^HTTP\/1\.1 401 /);
});

test("a body that does not come is refused in time", async (t) => {
  const cell = await cellFor(t, { receiveMs: 100 });
  const answer = await raw(cell, jsonCall("GetCell", "").replace("Content-Length: 0", "Content-Length: 10"), "{");
  assert.match(answer, /^HTTP\/1\.1 400 .*Expected the whole body within 100 ms/s);
});

test("headers that are too long are answered 431", async (t) => {
  const cell = await cellFor(t, {});
  assert.match(await raw(cell, `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(17_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
});

test("what is no HTTP is answered 400", async (t) => {
  const cell = await cellFor(t, {});
  assert.match(await raw(cell, "hello\r\n\r\n"), /^HTTP\/1\.1 400 /);
  assert.match(await raw(cell, jsonCall("GetCell", "{}", "Transfer-Encoding: chunked")), /^HTTP\/1\.1 400 /);
});

test("JSON that nests deeply or has too many keys is refused before it is parsed", async (t) => {
  const cell = await cellFor(t, {});
  const deep = "[".repeat(100_000);
  assert.match(await raw(cell, jsonCall("SubmitJob", deep)), /^HTTP\/1\.1 400 .*Expected JSON nested at most 64 deep/s);
  assert.match(await raw(cell, jsonCall("SubmitJob", `[${"1,".repeat(200_000)}1]`)), /^HTTP\/1\.1 400 .*at most 100000 keys/s);
  assert.match(await raw(cell, jsonCall("SubmitJob", '{"__proto__":{"x":1}}')), /^HTTP\/1\.1 400 .*__proto__/s);
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});

test("connections without a complete request are closed in time: silent, slow, half a body, idle", async (t) => {
  const cell = await cellFor(t, { headersMs: 150, idleMs: 300, receiveMs: 150, sweepMs: 50 });
  const silent = await open(cell, "");
  const slow = await open(cell, "GET /healthz HTTP/1.1\r\nHost: local");
  const preface = await open(cell, "PRI * HTTP/2.0\r\n\r\nSM", "h2");
  const http2 = await open(cell, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "h2");
  const clear = await openClear(cell, "GET /healthz HTTP/1.1\r\nHost: local");
  const handshake = await openClear(cell, Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]));
  const idle = await open(cell, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await Promise.all([silent, slow, preface, http2, idle, clear, handshake].map(closed));
});

/** Long before any other bound would close it. */
const soon = (closes: Promise<unknown>): Promise<unknown> =>
  Promise.race([closes, new Promise((resolve) => setTimeout(resolve, 5000)).then(() => assert.fail("It is still open"))]);

test("when there are too many connections, the one that has waited longest makes room; busy ones stay", async (t) => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const cell = await cellFor(t, { connections: 3, headersMs: 600_000 }, { getCell: () => wait.then(() => ({})) });
  const busy = raw(cell, jsonCall("GetCell", "{}"));
  while (cell.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const first = await open(cell, "GET /");
  const second = await open(cell, "GET /");
  const firstClosed = closed(first);
  const secondClosed = closed(second);
  assert.match(await raw(cell, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), /200 OK/);
  await soon(firstClosed);
  const third = await open(cell, "GET /");
  const fourth = await open(cell, "GET /");
  await soon(secondClosed);
  third.destroy();
  fourth.destroy();
  go();
  assert.match(await busy, /^HTTP\/1\.1 200 /);
});

test("when all connections are busy, admins are served on the reserve and others are told to come again [KB2]", async (t) => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const cell = await cellFor(t, { connections: 2, connectionsReserve: 1 }, { getCell: () => wait.then(() => ({})) });
  const busy = [0, 1].map(() => raw(cell, jsonCall("GetCell", "{}")));
  while (cell.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.match(await raw(cell, jsonCall("ListUsers", "{}")), /^HTTP\/1\.1 503 .*the last ones are for admins/s);
  const admin = jsonCall("ListUsers", "{}").replace("token-of-ann", "token-of-some-admin");
  assert.match(await raw(cell, admin), /^HTTP\/1\.1 200 /);
  const taken = raw(cell, jsonCall("GetCell", "{}").replace("token-of-ann", "token-of-some-admin"));
  while (cell.asked.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(await raw(cell, admin), "", "the reserve has its bound too");
  go();
  for (const each of [...busy, taken]) assert.match(await each, /^HTTP\/1\.1 200 /);
});

test("a user with too many calls in progress is told to come again; others are served", async (t) => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const cell = await cellFor(t, { callsPerUser: 2 }, { getCell: () => wait.then(() => ({})) });
  const running = [raw(cell, jsonCall("GetCell", "{}")), raw(cell, jsonCall("GetCell", "{}"))];
  while (cell.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const refused = await raw(cell, jsonCall("ListUsers", "{}"));
  assert.match(refused, /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*has 2 calls in progress/s);
  assert.match(await raw(cell, jsonCall("ListUsers", "{}").replace("token-of-ann", "token-of-bob")), /^HTTP\/1\.1 200 /);
  go();
  for (const answer of await Promise.all(running)) assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(await raw(cell, jsonCall("ListUsers", "{}")), /^HTTP\/1\.1 200 /);
});

test("a user who calls without end is told when to come again, one who waits for news in too many calls too; others are served [KB1] [P11]", async (t) => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const cell = await cellFor(
    t,
    { workBurst: 4, workPerSecond: 0.1, heldMs: 50, pollsPerUser: 2 },
    { readEvents: () => wait.then(() => ({})) },
  );
  const poll = (): Promise<string> => raw(cell, jsonCall("ReadEvents", '{"waitMs":1000}'));
  const running = [poll(), poll()];
  while (cell.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.match(await poll(), /^HTTP\/1\.1 503 .*waits for news in 2 calls already/s);
  assert.match(await raw(cell, jsonCall("ListUsers", "{}")), /^HTTP\/1\.1 200 /);
  assert.match(
    await raw(cell, jsonCall("ListUsers", "{}")),
    /^HTTP\/1\.1 503 .*retry-after: \d+\r\n.*Slow down: user .{1,2}ann.{1,2} has asked for its share.*try again in \d+ s/s,
  );
  assert.match(await raw(cell, jsonCall("ListUsers", "{}").replace("token-of-ann", "token-of-bob")), /^HTTP\/1\.1 200 /);
  go();
  for (const answer of await Promise.all(running)) assert.match(answer, /^HTTP\/1\.1 200 /);
});

/** So many calls have reached the cell. */
async function taken(cell: TestCell, calls: number): Promise<void> {
  for (let tries = 0; cell.asked.length < calls; tries++) {
    assert.ok(tries < 1000, `${cell.asked.length} calls were taken, and not ${calls}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a user's own bounds count instead of everybody's, raised or lowered, also in the middle; others have everybody's [KB1] [P11]", async (t) => {
  const { promise: wait, resolve: go } = Promise.withResolvers<void>();
  const own = new Map<string, CallBounds>([["ann", { calls: 3, polls: 2, workPerSecond: 0.375 }]]);
  const bounds: Partial<Bounds> = { callsPerUser: 1, pollsPerUser: 1, workBurst: 1, workPerSecond: 0.125, heldMs: 50 };
  const cell = await testCell({ readEvents: () => wait.then(() => ({})) }, bounds, { boundsOf: (user) => own.get(user) });
  t.after(() => cell.server.close());
  const poll = jsonCall("ReadEvents", '{"waitMs":1000}');
  const running: Promise<string>[] = [];
  for (let i = 1; i <= 2; i++) {
    running.push(raw(cell, poll));
    await taken(cell, i);
  }
  const more = "or an admin raises it \\(borg quota bounds";
  assert.match(await raw(cell, poll), new RegExp(`^HTTP/1.1 503 .*waits for news in 2 calls already: .*${more} ann --polls N`, "s"));
  assert.match(
    await raw(cell, poll),
    new RegExp(`^HTTP/1.1 503 .*Slow down: .* \\(0 %, .*${more} ann --work N`, "s"),
    "three units at once",
  );
  const ofBob = poll.replace("token-of-ann", "token-of-bob");
  running.push(raw(cell, ofBob));
  await taken(cell, 3);
  assert.match(await raw(cell, ofBob), new RegExp(`^HTTP/1.1 503 .*has 1 calls in progress already: .*${more} bob --calls N`, "s"));
  own.set("ann", { calls: 2, polls: 0, workPerSecond: 250 });
  assert.match(await raw(cell, poll), /^HTTP\/1\.1 503 .*has 2 calls in progress already/s);
  go();
  for (const answer of await Promise.all(running)) assert.match(answer, /^HTTP\/1\.1 200 /);
});

test("a user whose answers cost much waits for them, also when many are asked for at once; others do not [KB1] [P11]", async (t) => {
  const listJobs: CellHandlers["listJobs"] = (_request, call) => {
    call.charge(30);
    return {};
  };
  const cell = await cellFor(t, { workBurst: 40, workPerSecond: 1, heldMs: 50 }, { listJobs });
  const list = (): Promise<string> => raw(cell, jsonCall("ListJobs", "{}"));
  assert.match(await list(), /^HTTP\/1\.1 200 /);
  const answers = await Promise.all([list(), list(), list(), raw(cell, jsonCall("ListUsers", "{}"))]);
  assert.deepEqual(
    answers.map((answer) => answer.slice(9, 12)),
    ["503", "503", "503", "200"],
  );
  assert.match(answers[0]!, /retry-after: [12]\d\r\n.*Slow down: user .{1,2}ann.{1,2} .*try again in [12]\d s/s);
  assert.match(await raw(cell, jsonCall("ListJobs", "{}").replace("token-of-ann", "token-of-bob")), /^HTTP\/1\.1 200 /);
  assert.equal(cell.asked.length, 3);
});

test("bytes of a request cost too [KB1]", async (t) => {
  const cell = await cellFor(t, { workBurst: 40, workPerSecond: 1, workBytes: 10, heldMs: 50 });
  const call = (): Promise<string> => raw(cell, jsonCall("ListUsers", `{${" ".repeat(500)}}`));
  assert.match(await call(), /^HTTP\/1\.1 200 /);
  assert.match(await call(), /^HTTP\/1\.1 503 .*try again in/s);
});

test("one connection cannot pipeline more than its share", async (t) => {
  const cell = await cellFor(t, { pipelined: 5 }, { getCell: () => new Promise(() => {}) });
  const call = jsonCall("GetCell", "{}").replace("Connection: close\r\n", "");
  await raw(cell, call.repeat(6));
  assert.ok(cell.asked.length <= 5);
});

test("a client that opens and cancels streams without end is cut off", async (t) => {
  const cell = await cellFor(t, {});
  const frame = (type: number, flags: number, stream: number, payload: Uint8Array): Buffer => {
    const header = Buffer.alloc(9);
    header.writeUIntBE(payload.length, 0, 3);
    header.writeUInt8(type, 3);
    header.writeUInt8(flags, 4);
    header.writeUInt32BE(stream, 5);
    return Buffer.concat([header, payload]);
  };
  // GET https /healthz of 127.0.0.1, as HPACK writes it.
  const get = Buffer.from("\x82\x87\x04\x08/healthz\x01\x09127.0.0.1", "latin1");
  const reset = (stream: number) => Buffer.concat([frame(1, 5, stream, get), frame(3, 0, stream, Buffer.alloc(4))]);
  const socket = await open(cell, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "h2");
  const ended = closed(socket);
  socket.write(frame(4, 0, 0, Buffer.alloc(0)));
  for (let i = 0; i < 2000; i++) socket.write(reset(2 * i + 1));
  await ended;
  assert.match(await raw(cell, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), /200 OK/);
});

test("while the API's thread is late strangers wait and are told to come again, admins are served [KB1]", async (t) => {
  const cell = await cellFor(t, { lateMs: -1000, lateWaitMs: 100 });
  // Long enough for the first look.
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.match(await raw(cell, jsonCall("GetCell", "{}")), /^HTTP\/1\.1 503 .*The cell is busy: try again in 1 s/s);
  assert.equal(cell.asked.length, 0);
  assert.match(await raw(cell, jsonCall("GetCell", "{}").replace(/Bearer \S+/, "Bearer token-of-an-admin")), /^HTTP\/1\.1 200 /);
});
