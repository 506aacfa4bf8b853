/** What executors said, on a disk that fails and loses power. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../base/random.ts";
import { MemoryDisk } from "../store/memory-disk.ts";
import { ExecutorWords } from "./executor-words.ts";
import type { Said } from "./executors.ts";

const [TASK, OTHER] = ["ann/fw/0:1", "ann/fw/1:2"] as const;
const ENDED: Said = { what: "ended", exit: { code: 1, signal: 0 }, message: 'größer "als" 1\n€', data: Uint8Array.from([0, 255, 10]) };

function words(): { disk: MemoryDisk; logged: string[]; words: ExecutorWords } {
  const disk = new MemoryDisk();
  const logged: string[] = [];
  return { disk, logged, words: new ExecutorWords(disk, (line) => logged.push(line)) };
}

test("a word that was saved is there after every power cut, whole [Z12] [borglet.Y1]", () => {
  for (let seed = 0; seed < 200; seed++) {
    const { disk, words: before } = words();
    assert.ok(before.save(TASK, 1, { what: "running" }));
    assert.ok(before.save(TASK, 1, ENDED));
    disk.crash(new Random(seed, "power"));
    const after = new ExecutorWords(disk, () => assert.fail("nothing is wrong with the disk"));
    assert.deepEqual(after.saved(TASK, 1), ENDED);
    assert.equal(after.saved(TASK, 2), undefined);
    assert.equal(after.saved(OTHER, 1), undefined);
  }
});

test("a word that was not saved is none, and the same may be said again [Z12] [borglet.Y1]", () => {
  for (const type of ["create", "write", "sync", "rename", "sync-names"] as const) {
    const { disk, logged, words: own } = words();
    disk.fault = (operation) => (operation.type === type ? "io" : undefined);
    assert.equal(own.save(TASK, 1, ENDED), false, type);
    assert.equal(logged.length, 1);
    disk.fault = undefined;
    disk.crash(new Random(1, "power"));
    assert.ok(own.save(TASK, 1, ENDED), type);
    assert.deepEqual(own.saved(TASK, 1), ENDED);
  }
});

test("words on tasks that nobody keeps go, and what was written in half; other files of the directory stay [borglet.Y1]", () => {
  const { disk, logged, words: own } = words();
  disk.create("key", 32);
  for (const task of [TASK, OTHER]) assert.ok(own.save(task, 1, ENDED));
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  assert.equal(own.save(TASK, 2, ENDED), false);
  disk.fault = undefined;
  own.sweep(new Set([TASK]));
  assert.deepEqual(disk.list(), ["ann_fw_0.1.1", "key"]);
  own.drop(TASK);
  assert.deepEqual(disk.list(), ["key"]);
  // As it was written before words were in ASCII alone.
  const old = Buffer.from('{"what":"ended","exit":{"code":0,"signal":0},"message":"ok","data":"AQ=="}');
  disk.create("ann_fw_0.1.1", 0);
  disk.write("ann_fw_0.1.1", 0, old);
  assert.deepEqual(own.saved(TASK, 1), { what: "ended", exit: { code: 0, signal: 0 }, message: "ok", data: Uint8Array.from([1]) });
  disk.write("ann_fw_0.1.1", 0, Buffer.from("?"));
  assert.equal(own.saved(TASK, 1), undefined);
  assert.match(logged.at(-1) ?? "", /^Cannot read what an executor said: /);
});
