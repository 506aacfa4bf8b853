import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "./kernel.ts";
import { RING_EVENTS, Trace } from "./trace.ts";

test("Kernel lets events happen by time, and in the order of asking among equal times", () => {
  const kernel = new Kernel({ seed: 1 });
  const seen: string[] = [];
  kernel.at(20, () => seen.push(`b ${kernel.nowMs}`));
  kernel.at(10, () => {
    seen.push(`a ${kernel.nowMs}`);
    kernel.after(10, () => seen.push(`c ${kernel.nowMs}`));
    kernel.at(0, () => seen.push(`late ${kernel.nowMs}`));
  });
  kernel.at(15, () => seen.push("cancelled")).cancel();
  kernel.run(15);
  assert.equal(kernel.nowMs, 15);
  kernel.run(100);
  assert.deepEqual(seen, ["a 10", "late 10", "b 20", "c 20"]);
});

test("Kernel stops at the first violation and keeps it", () => {
  const kernel = new Kernel({ seed: 1 });
  let after = 0;
  kernel.at(5, () => kernel.violate({ id: "KX1", text: "first" }));
  kernel.at(6, () => {
    after += 1;
  });
  kernel.run(10);
  kernel.violate({ id: "KX2", text: "second" });
  assert.deepEqual(kernel.violation, { id: "KX1", text: "first", timeMs: 5 });
  assert.equal(after, 0);
});

test("Streams of one seed are independent: more draws in one shift nothing in another", () => {
  const one = new Kernel({ seed: 9 }).streams;
  const two = new Kernel({ seed: 9 }).streams;
  for (let i = 0; i < 10; i++) one.of("net").float();
  assert.equal(one.of("workload").float(), two.of("workload").float());
  assert.notEqual(one.of("disk").float(), one.of("clock").float());
});

test("Trace keeps the last events, and its hash tells runs apart", () => {
  const [one, two, deep, deeper] = [new Trace(), new Trace(), new Trace(true), new Trace(true)];
  for (let i = 0; i < 500; i++) for (const trace of [one, two]) trace.note(i, "message", "b", "a", { type: "ping", i });
  assert.equal(one.hash, two.hash);
  assert.equal(one.lines().length, RING_EVENTS);
  assert.match(one.lines()[0]!, /^ +300 message b <- a \{"type":"ping","i":300\}$/);
  one.note(500, "message", "b", "a", { type: "ping" });
  two.note(500, "message", "c", "a", { type: "ping" });
  assert.notEqual(one.hash, two.hash);
  deep.note(0, "message", "b", "a", { type: "ping", bytes: new Uint8Array(3), map: new Map([["k", 1n]]) });
  deeper.note(0, "message", "b", "a", { type: "ping", bytes: new Uint8Array(4), map: new Map([["k", 1n]]) });
  assert.notEqual(deep.hash, deeper.hash);
});

test("Kernel does more than half a million trivial events a second even on a busy machine", () => {
  const kernel = new Kernel({ seed: 1 });
  const events = 300_000;
  let left = events;
  const act = () => {
    if (--left > 0) kernel.after(left % 7, act);
  };
  for (let i = 0; i < 100; i++) kernel.after(i, act);
  const start = performance.now();
  kernel.run(Number.POSITIVE_INFINITY);
  const perSecond = (events / (performance.now() - start)) * 1000;
  assert.ok(perSecond > 500_000, `${Math.round(perSecond)} events/s`);
});
