/** Limits that were not given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diskBound, ramBound } from "./bounds.ts";

const MIB = 2 ** 20;

test("A limit that was not given is a quarter of the machine, within bounds; one that was given has a floor [borglet.X3] [KB1]", () => {
  assert.deepEqual(
    [0, 100, 1024, 1_000_000].map((machine) => ramBound(0, machine * MIB) / MIB),
    [64, 64, 256, 1024],
  );
  assert.deepEqual(
    [1, 8 * MIB, 2 ** 40].map((given) => ramBound(given, 1024 * MIB)),
    [8 * MIB, 8 * MIB, 2 ** 40],
  );
  assert.deepEqual([diskBound(0, 0), diskBound(0, 2 ** 50), diskBound(1, 0)], [256 * MIB, 16_384 * MIB, 16 * MIB]);
});
