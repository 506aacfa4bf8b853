import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MUTANTS } from "./mutants.ts";

test("every planted bug still fits the code: its text stands exactly once in its file", () => {
  const misfits = MUTANTS.filter(({ file, text }) => readFileSync(file, "utf8").split(text).length !== 2).map(({ name }) => name);
  assert.deepEqual(misfits, []);
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  assert.ok(MUTANTS.length >= 25);
});
