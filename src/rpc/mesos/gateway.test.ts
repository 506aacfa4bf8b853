/** The gateway between old clients and a cell: whom it serves, and what it does when the leader goes. */
import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { make } from "../../wire/codec.ts";
import { Event_Type, EventSchema } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import type { Bounds } from "../bounds.ts";
import { OWNER, type TestCell, TOKEN, testCell } from "../test-cell.ts";
import { Gateway, type GatewayOptions } from "./gateway.ts";
import { uidIn } from "./peer-uid.ts";
import { type Answer, inTime, SUBSCRIBE, type Subscription, subscriptionOf, TestDesk } from "./test-desk.ts";

const UID = process.getuid?.() ?? 0;

interface Setup {
  readonly desk: TestDesk;
  readonly gateway: Gateway;
  readonly lines: string[];
  cell: TestCell;
}

async function withGateway(
  work: (setup: Setup) => Promise<void>,
  own: Partial<GatewayOptions> = {},
  bounds: Partial<Bounds> = {},
): Promise<void> {
  const desk = new TestDesk();
  const lines: string[] = [];
  const setup = { cell: await testCell({}, bounds, { frameworks: desk }) };
  const credentials = () => ({ at: setup.cell.at, token: TOKEN });
  const gateway = await Gateway.listen({ port: 0, credentials, log: (line) => lines.push(line), uid: UID, ...own });
  try {
    await inTime(work(Object.assign(setup, { desk, gateway, lines })));
  } finally {
    await gateway.close();
    await setup.cell.server.close();
  }
}

/** As the package mesos-framework does it: plain HTTP, chunked, no Accept, no token. */
function ask({ port }: Gateway, body: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: "127.0.0.1",
        port,
        path: "/api/v1/scheduler",
        method: "POST",
        agent: false,
        headers: { "content-type": "application/json", ...headers },
      },
      resolve,
    );
    asked.on("error", reject);
    asked.write(body);
    asked.end();
  });
}

async function call(gateway: Gateway, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await ask(gateway, body, headers);
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const subscribe = async (gateway: Gateway): Promise<Subscription> => subscriptionOf(await ask(gateway, SUBSCRIBE));

const json = (record: Buffer): unknown => JSON.parse(record.toString());
const REVIVE = JSON.stringify({ type: "REVIVE" });

test("a client without TLS and token subscribes, calls and hears as the gateway's user [Z3]", () =>
  withGateway(async ({ gateway, desk }) => {
    const stream = await subscribe(gateway);
    assert.equal(stream.streamId, "stream-1");
    assert.equal((json(await stream.next()) as { type: string }).type, "SUBSCRIBED");
    const answer = await call(gateway, REVIVE, { "mesos-stream-id": "stream-1" });
    assert.deepEqual([answer.status, answer.text], [202, ""]);
    assert.deepEqual([desk.seen[1]?.caller.user, desk.seen[1]?.streamId], ["ann", "stream-1"]);
    const stale = await call(gateway, REVIVE, { "mesos-stream-id": "stream-7" });
    assert.deepEqual([stale.status, stale.text], [403, "This stream is not the framework's\n"]);
    const wrong = await call(gateway, "{");
    assert.equal(wrong.status, 400);
    stream.response.destroy();
    while (desk.ended.length === 0) await sleep(5);
  }));

test("what comes together from the cell is passed on record by record, each in a chunk [Z3]", () =>
  withGateway(async ({ gateway, desk }) => {
    for (let i = 0; i < 5; i++) desk.first.push(make(EventSchema, { type: Event_Type.ERROR, error: { message: "x".repeat(20 * 4 ** i) } }));
    const socket = connect({ host: "127.0.0.1", port: gateway.port });
    socket.write(
      `POST /api/v1/scheduler HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\nContent-Length: ${SUBSCRIBE.length}\r\n\r\n${SUBSCRIBE}`,
    );
    const text = await textOf(socket, 6000, () => desk.streams.get("stream-1")?.end("enough"));
    const chunks = text.slice(text.indexOf("\r\n\r\n") + 4).split("\r\n");
    const records = chunks.filter((chunk, i) => i % 2 === 1 && chunk !== "");
    assert.equal(records.length, 6);
    for (const record of records) assert.equal(record.split("\n").length, 2);
  }));

/** Everything until the server's last chunk; `then` is done when so many bytes have come. */
function textOf(socket: Socket, bytes: number, then: () => void): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    socket.on("data", (chunk) => {
      const before = text.length;
      text += chunk.toString("latin1");
      if (before < bytes && text.length >= bytes) then();
      if (text.endsWith("0\r\n\r\n")) socket.destroy();
    });
    socket.on("close", () => resolve(text));
  });
}

test("when the leader dies its streams end in good order, and a new SUBSCRIBE waits for the next leader [Z11] [Z12]", () =>
  withGateway(async (setup) => {
    const { gateway, desk } = setup;
    const first = await subscribe(gateway);
    await first.next();
    await setup.cell.server.close();
    assert.equal(await first.ended, "end");
    const away = await call(gateway, REVIVE, { "mesos-stream-id": "stream-1" });
    assert.equal(away.status, 503);
    assert.match(away.text, /Cannot reach the cell: ECONNREFUSED: subscribe again/);
    const waiting = subscribe(gateway);
    await sleep(600);
    setup.cell = await testCell({}, {}, { frameworks: desk });
    const second = await waiting;
    assert.equal(second.response.statusCode, 200);
    assert.equal((json(await second.next()) as { type: string }).type, "SUBSCRIBED");
    second.response.destroy();
  }));

test("a leader that says nothing any more is as good as dead: its streams end in good order [Z11]", () =>
  withGateway(
    async ({ gateway }) => {
      const stream = await subscribe(gateway);
      await stream.next();
      assert.equal(await stream.ended, "end");
    },
    { bounds: { silenceMs: 300 } },
  ));

test("a SUBSCRIBE that waited in vain is sent to the same address again, which old clients follow [Z11]", () =>
  withGateway(
    async (setup) => {
      await setup.cell.server.close();
      const beganMs = performance.now();
      const answer = await call(setup.gateway, SUBSCRIBE);
      assert.equal(answer.status, 307);
      assert.equal(answer.headers.location, `//127.0.0.1:${setup.gateway.port}/api/v1/scheduler`);
      assert.ok(performance.now() - beganMs >= 200);
    },
    { bounds: { holdMs: 400, tryMs: 50 } },
  ));

test("only sockets of its own user are served: others get words, and the cell hears nothing [Z3]", () =>
  withGateway(
    async ({ gateway, desk, lines }) => {
      const answer = await call(gateway, SUBSCRIBE);
      assert.deepEqual([answer.status, answer.text], [403, "This gateway serves the user who started it, and nobody else\n"]);
      assert.equal(desk.seen.length, 0);
      assert.deepEqual(lines, [`Refused a connection of user id ${UID}`]);
    },
    { uid: UID + 1 },
  ));

test("the other end's user is read from the kernel's tables: of a living connection, and of no other [Z3]", () => {
  const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const row = (local: string, remote: string, state: string, uid: number, inode: number): string =>
    `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;
  const ends = { peer: { address: "127.0.0.1", port: 0x9c40 }, own: { address: "127.0.0.1", port: 5050 } };
  const found = (table: string): number | undefined => uidIn(head + table, ends);
  assert.equal(found(row("0100007F:9C40", "0100007F:13BA", "01", 1000, 77)), 1000);
  // Our own row has the ends the other way round.
  assert.equal(found(row("0100007F:13BA", "0100007F:9C40", "01", 0, 78)), undefined);
  assert.equal(found(row("0000000000000000FFFF00000100007F:9C40", "0000000000000000FFFF00000100007F:13BA", "01", 7, 79)), 7);
  // Closed by its process, it shows user 0: whoever it was is not known any more.
  assert.equal(found(row("0100007F:9C40", "0100007F:13BA", "05", 0, 0)), undefined);
  assert.equal(found(row("0100007F:9C40", "0100007F:13BA", "01", 0, 0)), undefined);
  assert.equal(found(""), undefined);
});

test("a page in a browser is not its user: other hosts, any origin and other paths are refused [Z3]", () =>
  withGateway(async ({ gateway, desk }) => {
    assert.equal((await call(gateway, SUBSCRIBE, { host: "evil.example" })).status, 421);
    assert.equal((await call(gateway, SUBSCRIBE, { origin: "http://evil.example" })).status, 403);
    assert.equal((await call(gateway, SUBSCRIBE, { origin: `http://127.0.0.1:${gateway.port}` })).status, 403);
    assert.equal(desk.seen.length, 0);
  }));

test("on the owner's socket no token is sent, and a revoked one is said in words [Z3]", () =>
  withGateway(async (setup) => {
    const owner = await Gateway.listen({
      port: 0,
      credentials: () => ({ at: { kind: "unix", path: setup.cell.path }, token: undefined }),
      log: () => {},
      uid: UID,
    });
    const stream = await subscribe(owner);
    await stream.next();
    assert.equal(setup.desk.seen[0]?.caller.user, OWNER);
    await owner.close();
    assert.equal(await stream.ended, "end");
    const stranger = await Gateway.listen({
      port: 0,
      credentials: () => ({ at: setup.cell.at, token: "nobody" }),
      log: () => {},
      uid: UID,
    });
    const answer = await call(stranger, SUBSCRIBE);
    assert.equal(answer.status, 401);
    assert.match(answer.text, /Cannot find the user of this token/);
    await stranger.close();
  }));

test("a client that does not read is cut off at the cell's bound [KB2]", () =>
  withGateway(
    async ({ gateway, desk }) => {
      const socket = connect({ host: "127.0.0.1", port: gateway.port });
      socket.write(
        `POST /api/v1/scheduler HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${SUBSCRIBE.length}\r\n\r\n${SUBSCRIBE}`,
      );
      socket.pause();
      while (!desk.streams.has("stream-1")) await sleep(5);
      const events = desk.streams.get("stream-1")!;
      let sent = 0;
      const event = make(EventSchema, { type: Event_Type.ERROR, error: { message: "x".repeat(100_000) } });
      while (events.send(event) && sent < 2000) {
        sent += 1;
        await sleep(1);
      }
      assert.ok(sent < 2000, `cut off after ${sent} records`);
      socket.destroy();
    },
    {},
    { streamBytes: 1_000_000 },
  ));
