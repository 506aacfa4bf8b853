import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { GROUPS, slice, sliceOfTexts } from "./slice.ts";

for (const suite of ["e2e", "attack", "borglet", "infrastore"])
  test(`as many commits in a row of numbers as there are groups see every test of ${suite}, and E2E=all sees them at once`, () => {
    const paths = globSync(`test/${suite}/*.test.ts`).sort();
    const seen = GROUPS.map((_, i) => slice(paths, i.toString(16).padStart(8, "0"), false));
    assert.deepEqual([...new Set(seen.flat())].sort(), paths);
    for (const some of seen) assert.ok(some.length < paths.length);
    assert.deepEqual(slice(paths, "00000000", true), paths);
  });

test("a commit chooses a part of the texts, and each text is in one part", () => {
  const texts = ["borg ls", "borg up", "borg down --kill", "borg why web", "borg ls tasks"];
  const parts = ["00000000", "00000001", "00000002"].map((commit) => sliceOfTexts(texts, 3, commit, false));
  assert.deepEqual(parts.flat().sort(), [...texts].sort());
  assert.deepEqual(sliceOfTexts(texts, 3, "00000000", true), texts);
});
