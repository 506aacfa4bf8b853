import assert from "node:assert/strict";
import { test } from "node:test";
import { machineId } from "../../base/id.ts";
import { CHANGES_MAX, Improved } from "./improved.ts";

const [a, b] = [machineId("a"), machineId("b")];

test("since() names the machines that changed after a moment, each once [scheduler.Q3]", () => {
  const changes = new Improved();
  changes.add(a);
  const then = changes.now;
  assert.deepEqual(changes.since(then), new Set());
  changes.add(b);
  changes.add(b);
  assert.deepEqual(changes.since(then), new Set([b]));
  changes.add(a);
  assert.deepEqual(changes.since(then), new Set([a, b]));
  assert.deepEqual(changes.since(changes.now), new Set());
});

test("who comes too late, or after a reset, has to look at everything; the log stays bounded [scheduler.Q3]", () => {
  const changes = new Improved();
  const early = changes.now;
  for (let i = 0; i < CHANGES_MAX + 1; i++) changes.add(a);
  assert.equal(changes.since(early), undefined);
  const late = changes.now;
  changes.add(b);
  assert.deepEqual(changes.since(late), new Set([b]));
  changes.reset();
  assert.equal(changes.since(late), undefined);
});
