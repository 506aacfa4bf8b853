/** Whose directory a cell may be in, and which processes are proven to be its own. */
import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DataDirectory, isAlive, isKeptUp, type ProcessId, processId } from "./data.ts";
import { DataError } from "./data-error.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-data-"));
after(() => rmSync(ROOT, { recursive: true }));
const SOMEBODY = 65_534;

function made(name: string): string {
  const path = join(ROOT, name);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

const refusal =
  (message: string, hint: string) =>
  (error: unknown): boolean =>
    error instanceof DataError && error.message === message && error.hint === hint;

test("a directory that others may enter is refused with the chmod to type [I1] [KA2]", () => {
  const path = made("open");
  for (const mode of [0o755, 0o710, 0o701]) {
    chmodSync(path, mode);
    assert.throws(() => new DataDirectory(path), refusal(`"${path}" is open to others`, `run: chmod 700 '${path}'`));
  }
  chmodSync(path, 0o700);
  assert.equal(new DataDirectory(path).path, path);
});

test("a directory of another user is refused, also for root, who could read it [I1] [KA2]", {
  skip: process.getuid?.() !== 0 && "needs root: it gives a directory away",
}, () => {
  const path = made("theirs");
  chownSync(path, SOMEBODY, SOMEBODY);
  const words = refusal(`"${path}" belongs to another user (uid ${SOMEBODY})`, "choose a directory of your own with --data");
  assert.throws(() => new DataDirectory(path), words);
});

const own = processId(process.pid);
const STRANGERS: readonly (readonly [string, ProcessId])[] = [
  ["started at another moment", { ...own, start: `${Number(own.start) + 1}` }],
  ["before the machine was started again", { ...own, boot: "11111111-2222-3333-4444-555555555555" }],
  ["gone", { ...own, pid: 2 ** 22 + 1 }],
  ["gone before anybody looked", { ...own, pid: 2 ** 22 + 1, start: "" }],
];

test("a process is the one that was written down only with its start and its boot [KA2] [B5]", () => {
  assert.ok(isAlive(own));
  assert.ok(isAlive({ pid: own.pid, start: own.start }), "as an older build wrote it down");
  for (const [what, id] of STRANGERS) assert.ok(!isAlive(id), what);
});

test("a cell is kept up while the borg up that was written down lives; without a file, or with a torn one, it is not [B5]", () => {
  const path = made("cell");
  assert.ok(!isKeptUp(path));
  const data = new DataDirectory(path);
  data.writeRun({ supervisor: own, processes: {} });
  assert.ok(isKeptUp(path));
  for (const [what, supervisor] of STRANGERS) {
    data.writeRun({ supervisor, processes: { master: own } });
    assert.ok(!isKeptUp(path), what);
  }
  writeFileSync(join(path, "run.json"), '{"supervisor":');
  assert.ok(!isKeptUp(path));
});
