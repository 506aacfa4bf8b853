/** Mesos' scheduler API from outside: who may call, what a stream is, and when it ends. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode, make } from "../../wire/codec.ts";
import { CallSchema, type Event, Event_Type, EventSchema, Call_Type as Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import type { Bounds } from "../bounds.ts";
import type { ApiServerOptions } from "../server.ts";
import { raw, type TestCell, TOKEN, testCell } from "../test-cell.ts";
import { inTime, post, SUBSCRIBE, subscribe, subscribeAsOwner, TestDesk } from "./test-desk.ts";

interface Edge {
  readonly cell: TestCell;
  readonly desk: TestDesk;
}

async function withEdge(
  work: (edge: Edge) => Promise<void>,
  bounds: Partial<Bounds> = {},
  more: Partial<ApiServerOptions> = {},
): Promise<void> {
  const desk = new TestDesk();
  const cell = await testCell({}, bounds, { frameworks: desk, ...more });
  try {
    await inTime(work({ cell, desk }));
    assert.deepEqual(cell.lines, []);
  } finally {
    await cell.server.close();
  }
}

const json = (record: Buffer): Record<string, unknown> => JSON.parse(record.toString("latin1")) as Record<string, unknown>;

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    if (isTrue()) return;
    await sleep(10);
  }
  assert.fail(`Not within 10 s: ${what}`);
}

const REVIVE = JSON.stringify({ framework_id: { value: "f-1" }, type: "REVIVE" });
const big = (bytes: number): Event => make(EventSchema, { type: Event_Type.ERROR, error: { message: "x".repeat(bytes) } });

test("SUBSCRIBE is answered 200 with a stream, other calls 202, and a torn down stream ends in good order [Z3]", () =>
  withEdge(async ({ cell, desk }) => {
    const stream = await subscribe(cell);
    assert.equal(stream.response.statusCode, 200);
    assert.equal(stream.streamId, "stream-1");
    assert.equal(stream.response.headers["content-type"], "application/json");
    assert.deepEqual(json(await stream.next()), {
      type: "SUBSCRIBED",
      subscribed: { framework_id: { value: "f-1" }, heartbeat_interval_seconds: 5 },
    });
    const answer = await post(cell, REVIVE, { "mesos-stream-id": "stream-1" });
    assert.deepEqual([answer.status, answer.text], [202, ""]);
    const { caller, streamId, call } = desk.seen[1]!;
    assert.deepEqual([caller.user, streamId, call.type], ["ann", "stream-1", Type.REVIVE]);
    const foreign = await post(cell, REVIVE, { "mesos-stream-id": "stream-9" });
    assert.deepEqual([foreign.status, foreign.text], [403, "This stream is not the framework's\n"]);
    await post(cell, JSON.stringify({ type: "TEARDOWN" }), { "mesos-stream-id": "stream-1" });
    assert.equal(await stream.ended, "end");
    await until(() => desk.ended.includes("stream-1"), "the desk hears of the end");
  }));

test("every record is one chunk, also those that were sent before the head [Z3]", () =>
  withEdge(async ({ cell, desk }) => {
    desk.first.push(big(3), big(200_000));
    const head = `POST /api/v1/scheduler HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    // A chunked body, as old clients send it.
    const body = `Transfer-Encoding: chunked\r\n\r\n${SUBSCRIBE.length.toString(16)}\r\n${SUBSCRIBE}\r\n0\r\n\r\n`;
    setTimeout(() => desk.streams.get("stream-1")?.end("enough"), 300);
    setTimeout(() => void cell.server.close(), 600);
    const text = await raw(cell, head, body);
    const chunks = text.slice(text.indexOf("\r\n\r\n") + 4).split("\r\n");
    const records = chunks.filter((_, i) => i % 2 === 1).filter((chunk) => chunk !== "");
    assert.equal(records.length, 3);
    for (const record of records) {
      const [length, rest] = record.split("\n");
      assert.equal(Number(length), rest?.length);
    }
  }));

test("a stream says every now and then that it lives [Z3]", () =>
  withEdge(
    async ({ cell }) => {
      const stream = await subscribe(cell);
      await stream.next();
      for (let i = 0; i < 3; i++) assert.deepEqual(json(await stream.next()), { type: "HEARTBEAT" });
      stream.response.destroy();
    },
    { heartbeatMs: 50, sweepMs: 10 },
  ));

test("calls and events may be protobuf, each by its own header [Z3]", () =>
  withEdge(async ({ cell, desk }) => {
    const call = encode(CallSchema, make(CallSchema, { type: Type.SUBSCRIBE, subscribe: { frameworkInfo: { user: "u", name: "n" } } }));
    const both = { "content-type": "application/x-protobuf", accept: "application/x-protobuf" };
    const stream = await subscribe(cell, both, call);
    assert.equal(stream.response.headers["content-type"], "application/x-protobuf");
    const event = decode(EventSchema, await stream.next(), 1000);
    assert.ok(event.ok && event.value.subscribed?.frameworkId?.value === "f-1");
    stream.response.destroy();
    const mixed = await subscribe(cell, { accept: "application/x-protobuf, application/json" });
    assert.equal(mixed.response.headers["content-type"], "application/x-protobuf");
    mixed.response.destroy();
    assert.equal(desk.seen.length, 2);
  }));

test("a token counts over TLS only; the owner's socket needs none, and frameworks there are the owner's [Z3]", () =>
  withEdge(async ({ cell, desk }) => {
    const clear = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect({ port: cell.port, host: "127.0.0.1" });
      socket.on("data", (chunk) => {
        text += String(chunk);
        socket.end();
      });
      socket.on("close", () => resolve(text));
      socket.write(
        `POST /api/v1/scheduler HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: ${SUBSCRIBE.length}\r\n\r\n${SUBSCRIBE}`,
      );
    });
    assert.match(clear, /^HTTP\/1\.1 403/);
    assert.match(clear, /the token that you sent was readable on its way: revoke it/);
    assert.equal(desk.seen.length, 0);
    const stream = await subscribeAsOwner(cell);
    await stream.next();
    assert.deepEqual([desk.seen.length, desk.seen[0]?.caller.user], [1, "owner"]);
    stream.response.destroy();
  }));

test("a reader that does not read is cut off at the bound, and the desk is told [Z3] [KB2]", () =>
  withEdge(
    async ({ cell, desk }) => {
      const stream = await subscribe(cell);
      stream.response.pause();
      stream.response.socket.pause();
      const events = desk.streams.get("stream-1")!;
      let sent = 0;
      while (events.send(big(100_000)) && sent < 1000) {
        sent += 1;
        await sleep(1);
      }
      // What the kernel holds for both sides comes on top of the bound.
      assert.ok(sent > 5 && sent < 300, `cut off after ${sent} records`);
      await until(() => desk.ended.includes("stream-1"), "the desk hears of the cut");
      assert.equal(events.send(big(1)), false);
    },
    { streamBytes: 1_000_000 },
  ));

test("one who reads keeps up with any number of records, and one that waits too long is cut off [Z3] [KB2]", () =>
  withEdge(
    async ({ cell, desk }) => {
      const reading = await subscribe(cell);
      await reading.next();
      const events = desk.streams.get("stream-1")!;
      for (let i = 0; i < 50; i++) {
        assert.ok(events.send(big(100_000)));
        await reading.next();
      }
      const stuck = await subscribe(cell);
      stuck.response.pause();
      stuck.response.socket.pause();
      for (let i = 0; i < 90; i++) desk.streams.get("stream-2")?.send(big(100_000));
      await until(() => desk.ended.includes("stream-2"), "a reader that takes nothing is cut off");
      assert.ok(!desk.ended.includes("stream-1"));
      reading.response.destroy();
    },
    { streamBytes: 10_000_000, answerMs: 300, sweepMs: 50 },
  ));

test("all streams together have a bound: whoever is behind is cut off, others go on [KB2]", () =>
  withEdge(
    async ({ cell, desk }) => {
      const [stuck, reading] = [await subscribe(cell), await subscribe(cell)];
      stuck.response.pause();
      stuck.response.socket.pause();
      const behind = desk.streams.get("stream-1")!;
      while (behind.send(big(100_000))) await sleep(1);
      await until(() => desk.ended.includes("stream-1"), "who is behind is cut off");
      await reading.next();
      assert.ok(desk.streams.get("stream-2")?.send(big(1000)));
      await reading.next();
      reading.response.destroy();
    },
    { streamsBytes: 500_000 },
  ));

test("a user has so many streams and no more, whatever others have; one that ends makes room [KB2] [Z3]", () =>
  withEdge(
    async ({ cell, desk }) => {
      const [first, second] = [await subscribe(cell), await subscribe(cell)];
      const third = await post(cell, SUBSCRIBE);
      assert.equal(third.status, 503);
      assert.match(third.text, /^User "ann" has as many open streams as one may have/);
      const bob = await subscribe(cell, { authorization: "Bearer token-of-bob" });
      assert.equal(bob.response.statusCode, 200);
      first.response.destroy();
      await until(() => desk.ended.length === 1, "the first has gone");
      const again = await subscribe(cell);
      assert.equal(again.response.statusCode, 200);
      for (const each of [second, bob, again]) each.response.destroy();
    },
    { streamsPerUser: 2 },
  ));

test("a stream ends when its token does, with words [Z3]", () => {
  let isValid = true;
  return withEdge(
    async ({ cell }) => {
      const stream = await subscribe(cell);
      await stream.next();
      await stream.next();
      isValid = false;
      let last = json(await stream.next());
      for (let i = 0; i < 100 && last["type"] === "HEARTBEAT"; i++) last = json(await stream.next());
      assert.deepEqual(last, { type: "ERROR", error: { message: "The token of this framework is not valid any more" } });
      assert.equal(await stream.ended, "end");
    },
    { heartbeatMs: 50, sweepMs: 10 },
    { identify: () => (isValid ? { user: "ann" } : undefined) },
  );
});

test("the token of a controller leads no framework [cell.O6] [KA2]", () =>
  withEdge(
    async ({ cell, desk }) => {
      const { status, text } = await post(cell, SUBSCRIBE);
      assert.deepEqual([status, text], [403, 'The token of "ann/primes/0:7" is for its own jobs: a framework needs a token of its user\n']);
      assert.deepEqual(desk.seen, []);
    },
    {},
    { identify: () => ({ user: "ann", controller: "ann/primes/0:7" }) },
  ));

test("streams end in good order when the server closes [Z11]", async () => {
  const desk = new TestDesk();
  const cell = await testCell({}, {}, { frameworks: desk });
  const stream = await subscribe(cell);
  await stream.next();
  const closed = cell.server.close();
  assert.equal(await stream.ended, "end");
  await closed;
  assert.deepEqual(desk.ended, ["stream-1"]);
});

test("without a desk there is no such path", async () => {
  const cell = await testCell();
  assert.equal((await post(cell, SUBSCRIBE)).status, 404);
  await cell.server.close();
});
