import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Bundle, LETTER_BYTES } from "./thread.ts";

const PATIENCE_MS = 50;

/** What went, by the numbers of the letters, and a way to add more. */
function bundleOf(context: TestContext): {
  readonly went: number[][];
  readonly add: (number: number, patienceMs?: number, bytes?: number) => void;
} {
  context.mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  const went: number[][] = [];
  const bundle = new Bundle((letters) => void went.push(letters.map(({ body }) => body as number)));
  return { went, add: (body, patienceMs = 0, bytes = LETTER_BYTES) => bundle.add({ from: "a", to: "b", body, bytes }, patienceMs) };
}

test("letters of one turn go together, when it ends", (context) => {
  const { went, add } = bundleOf(context);
  add(1);
  add(2);
  assert.deepEqual(went, []);
  context.mock.timers.tick(0);
  add(3);
  context.mock.timers.tick(0);
  assert.deepEqual(went, [[1, 2], [3]]);
});

test("a letter that nobody waits for is held, but not longer than its patience", (context) => {
  const { went, add } = bundleOf(context);
  add(1, PATIENCE_MS);
  context.mock.timers.tick(PATIENCE_MS - 1);
  add(2, PATIENCE_MS);
  assert.deepEqual(went, []);
  context.mock.timers.tick(1);
  assert.deepEqual(went, [[1, 2]], "the second does not prolong it");
  add(3, PATIENCE_MS);
  context.mock.timers.tick(PATIENCE_MS);
  assert.deepEqual(went, [[1, 2], [3]]);
});

test("a letter that somebody waits for takes those along that are held, before itself", (context) => {
  const { went, add } = bundleOf(context);
  add(1, PATIENCE_MS);
  add(2);
  add(3, PATIENCE_MS);
  context.mock.timers.tick(0);
  assert.deepEqual(went, [[1, 2, 3]]);
  context.mock.timers.tick(PATIENCE_MS);
  assert.deepEqual(went, [[1, 2, 3]], "nothing goes twice");
});

test("no more than a bound of bytes is held", (context) => {
  const { went, add } = bundleOf(context);
  add(1, PATIENCE_MS, 2 ** 19);
  context.mock.timers.tick(0);
  assert.deepEqual(went, []);
  add(2, PATIENCE_MS, 2 ** 19);
  context.mock.timers.tick(0);
  assert.deepEqual(went, [[1, 2]]);
});
