import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { slice } from "./e2e-slice.ts";

test("two commits in a row of numbers see every test of the end to end suite, and E2E=all sees them at once", () => {
  const paths = globSync("test/e2e/*.test.ts").sort();
  const [even, odd] = [slice(paths, "00000000", false), slice(paths, "00000001", false)];
  assert.deepEqual([...new Set([...even, ...odd])].sort(), paths);
  assert.ok(even.length < paths.length && odd.length < paths.length);
  assert.deepEqual(slice(paths, "00000000", true), paths);
});
