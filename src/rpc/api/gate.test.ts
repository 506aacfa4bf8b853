import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate, LOOK_MS } from "./gate.ts";

test("while its thread is late calls wait, a few go on at each look when it is in time again, and who waits too long is told [KB1]", async () => {
  let nowMs = 0;
  const gate = new Gate({ lateMs: 100, lateWaitMs: 1000, lateCalls: 64 }, () => nowMs);
  const look = (afterMs = LOOK_MS): void => {
    nowMs += afterMs;
    gate.look();
  };
  look();
  assert.equal(gate.enter(), true);
  look(200);
  const told: boolean[] = [];
  const waiting = Array.from({ length: 64 }, async () => void told.push(await gate.enter()));
  assert.equal(gate.enter(), false, "one too many");
  look(200);
  await Promise.resolve();
  assert.deepEqual(told, [], "still late");
  look();
  await new Promise(setImmediate);
  assert.deepEqual(
    told,
    Array.from({ length: 40 }, () => true),
  );
  const last = gate.enter();
  assert.notEqual(last, true, "behind those who came before");
  for (let i = 0; i < 6; i++) look(200);
  await Promise.all(waiting);
  assert.deepEqual(
    told.slice(40),
    Array.from({ length: 24 }, () => false),
  );
  look();
  assert.equal(await last, false);
  assert.equal(gate.enter(), true);
});
