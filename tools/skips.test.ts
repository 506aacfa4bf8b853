import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { judge, parseAllowed, parseList } from "./skips.ts";

const ALLOWED = parseAllowed("# head\n\ntest/a.test.ts | no trace | it is large\n");
const TRACE = { file: "test/a.test.ts", test: "real cell", reason: "no trace: say where" };
const JAIL = { file: "test/b.test.ts", test: "jail", reason: "bubblewrap: not installed" };

test("a skip that is not allowed fails only where nobody reads the list; an allowed one never", () => {
  assert.equal(judge([TRACE], ALLOWED, true).failed, false);
  assert.equal(judge([TRACE, JAIL], ALLOWED, true).failed, true);
  assert.equal(judge([TRACE, JAIL], ALLOWED, false).failed, false);
  assert.equal(judge([{ ...TRACE, file: "test/c.test.ts" }], ALLOWED, true).failed, true);
  assert.equal(judge([{ ...TRACE, reason: "" }], ALLOWED, true).failed, true);
  assert.match(judge([JAIL], ALLOWED, true).lines[0]!, /test\/b\.test\.ts: jail: bubblewrap: not installed \(not in/);
  assert.throws(() => parseAllowed("test/a.test.ts | no trace\n"), /Cannot read/);
});

test("the reporter writes down what was skipped or is to do, with its reason, and nothing else", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "skips-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "some.test.mjs");
  const tests = ["test('a', () => {})", "test('b', { skip: 'no b' }, () => {})", "test('c', (t) => t.skip('no c'))"];
  tests.push("test('d', { todo: 'not yet' }, () => { throw new Error('d') })", "test('e', { skip: true }, () => {})");
  tests.push("test('f', async (t) => { await t.test('g', { skip: 'no g' }, () => {}) })");
  writeFileSync(file, `import { test } from 'node:test';\n${tests.join(";\n")};\n`);
  mkdirSync(join(directory, "out"));
  const reporter = new URL("skip-reporter.ts", import.meta.url).href;
  const out = join(directory, "out", "list");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ["--test", `--test-reporter=${reporter}`, `--test-reporter-destination=${out}`, file], { env });
  assert.equal(ran.status, 0, String(ran.stderr));
  const found = parseList(readFileSync(out, "utf8")).map(({ test: name, reason }) => [name, reason]);
  assert.deepEqual(found, [
    ["b", "no b"],
    ["c", "no c"],
    ["d", "not yet"],
    ["e", ""],
    ["g", "no g"],
  ]);
});
