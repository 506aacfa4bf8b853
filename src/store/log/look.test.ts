import assert from "node:assert/strict";
import { test } from "node:test";
import { ok, refused } from "../../base/result.ts";
import { appendTo, bytes, entryTexts, filledLog, text } from "../fixture.test.ts";
import type { MemoryDisk } from "../memory-disk.ts";
import { lookInto } from "./look.ts";

function seen(disk: MemoryDisk, last: number): { readonly words: readonly string[]; readonly problem: string } {
  const words: string[] = [];
  const read = lookInto(disk, "test", last, {
    snapshot: ({ position, payload }) => ok(void words.push(`snapshot ${position} ${text(payload)}`)),
    entry: ({ payload }) => ok(void words.push(text(payload))),
  });
  return { words, problem: read.ok ? "" : read.reason };
}

test("who only looks reads everything up to a durable position, while the log goes on, and changes nothing [store.H6]", () => {
  const { disk, log } = filledLog(100);
  const before = disk.list();
  assert.deepEqual(seen(disk, 100), { words: entryTexts(1, 100), problem: "" });
  assert.deepEqual(seen(disk, 37).words, entryTexts(1, 37));
  assert.deepEqual(disk.list(), before);
  assert.ok(log.saveSnapshot({ position: 60, payload: bytes("state") }).ok);
  appendTo(log, 20);
  assert.deepEqual(seen(disk, 110).words, ["snapshot 60 state", ...entryTexts(61, 110)]);
  assert.deepEqual(seen(disk, 59).words, entryTexts(1, 59), "a snapshot that is too new is not used");
  assert.deepEqual(seen(disk, 60).words, ["snapshot 60 state"]);
});

test("what cannot be read is refused in words: beyond the end, a file that went, a taker that says no [store.H6]", () => {
  const { disk } = filledLog(100);
  assert.match(seen(disk, 200).problem, /^Cannot read position/);
  disk.remove(disk.list().filter((name) => name.endsWith(".log"))[1]!);
  assert.match(seen(disk, 100).problem, /missing/);
  disk.remove(disk.list().filter((name) => name.endsWith(".log"))[0]!);
  assert.match(seen(disk, 100).problem, /no snapshot reaches it/);
  const other = filledLog(3).disk;
  assert.deepEqual(lookInto(other, "test", 3, { snapshot: () => ok(undefined), entry: () => refused("No") }), refused("No"));
});
