import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { RunFiles } from "./run-files.ts";

function directoryWith(t: TestContext, ...names: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), "borg-runs-"));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const name of names) writeFileSync(join(directory, name), "");
  return directory;
}

test("the runs of one instance are removed, those before a run or all, and nobody else's [P11] [V5]", (t) => {
  const directory = directoryWith(t, "a.1.shim", "a.1.exit.new", "a.2.pid", "a.b.1.err", "notes");
  const files = new RunFiles(directory);
  assert.deepEqual([...files.newest()].sort(), [
    ["a", 2],
    ["a.b", 1],
  ]);
  files.remove("a", 2);
  assert.deepEqual(readdirSync(directory).sort(), ["a.2.pid", "a.b.1.err", "notes"]);
  files.begin("a", 3);
  writeFileSync(join(directory, "a.3.word"), "");
  assert.equal(files.newest().get("a"), 3);
  files.remove("a");
  assert.deepEqual(readdirSync(directory).sort(), ["a.b.1.err", "notes"]);
  assert.equal(files.newest().has("a"), false);
});
