import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { slice } from "./slice.ts";

for (const suite of ["e2e", "attack"])
  test(`two commits in a row of numbers see every test of ${suite}, and E2E=all sees them at once`, () => {
    const paths = globSync(`test/${suite}/*.test.ts`).sort();
    const [even, odd] = [slice(paths, "00000000", false), slice(paths, "00000001", false)];
    assert.deepEqual([...new Set([...even, ...odd])].sort(), paths);
    assert.ok(even.length < paths.length && odd.length < paths.length);
    assert.deepEqual(slice(paths, "00000000", true), paths);
  });
