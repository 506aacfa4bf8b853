import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "./random.ts";

test("a seed gives the same stream for ever, another stream name another one", () => {
  const first = new Random(42);
  assert.deepEqual([first.uint32(), first.uint32(), first.uint32()], GOLDEN);
  assert.notEqual(new Random(42, "net").uint32(), new Random(42, "disk").uint32());
  assert.notEqual(new Random(42).uint32(), new Random(42 + 2 ** 32).uint32());
});

test("draws are uniform enough and inside their bounds", () => {
  const random = new Random(7);
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) counts[random.int(0, 10)]! += 1;
  for (const count of counts) assert.ok(count > 9_500 && count < 10_500, String(count));
  assert.deepEqual([...random.shuffle([1, 2, 3, 4])].sort(), [1, 2, 3, 4]);
  assert.equal(random.chance(0), false);
});

const GOLDEN = [145076852, 3246010591, 4141225530];
