import assert from "node:assert/strict";
import { test } from "node:test";
import { DiskError } from "../base/env.ts";
import { Random } from "../base/random.ts";
import { bytes, text } from "./fixture.test.ts";
import { type DiskOperation, MemoryDisk } from "./memory-disk.ts";

const fault = (expected: string) => (error: unknown) => error instanceof DiskError && error.fault === expected;
const contents = (disk: MemoryDisk, name: string) => text(disk.read(name, 0, disk.size(name)));

function durableFile(name: string, content: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.create(name, 0);
  disk.write(name, 0, bytes(content));
  disk.sync(name);
  disk.syncNames();
  return disk;
}

test("bytes survive a power cut only after sync, names only after syncNames", () => {
  const disk = durableFile("a", "old");
  disk.write("a", 0, bytes("new"));
  disk.rename("a", "b");
  assert.equal(contents(disk, "b"), "new");
  disk.crashKeeping(() => false);
  assert.deepEqual(disk.list(), ["a"]);
  assert.equal(contents(disk, "a"), "old");
  disk.write("a", 0, bytes("new"));
  disk.sync("a");
  disk.remove("a");
  disk.crashKeeping(() => false);
  assert.equal(contents(disk, "a"), "new");
});

test("a power cut keeps any subset of what is pending", () => {
  const seen = new Set<string>();
  for (let subset = 0; subset < 8; subset++) {
    const disk = durableFile("a", "..");
    disk.write("a", 0, bytes("x"));
    disk.write("a", 1, bytes("y"));
    disk.create("b", 0);
    assert.equal(disk.pending, 4, "a name, two writes, and the size of the new file");
    disk.crashKeeping((index) => ((subset >> index) & 1) === 1);
    seen.add(`${disk.list().join()} ${contents(disk, "a")}`);
  }
  assert.equal(seen.size, 8);
});

test("crash() tears sectors and loses some, the same for the same seed", () => {
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const run = () => {
      const disk = durableFile("a", "");
      disk.write("a", 0, new Uint8Array(4096).fill(1));
      disk.crash(new Random(seed));
      return disk.read("a", 0, 4096).join("");
    };
    assert.equal(run(), run());
    outcomes.add(run());
  }
  assert.ok(outcomes.size > 10);
});

test("a failed sync drops what was pending: a second one succeeds and saves nothing", () => {
  const disk = durableFile("a", "old");
  disk.write("a", 0, bytes("new"));
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  assert.throws(() => disk.sync("a"), fault("io"));
  disk.fault = undefined;
  disk.sync("a");
  assert.equal(contents(disk, "a"), "new");
  disk.crashKeeping(() => true);
  assert.equal(contents(disk, "a"), "old");
});

test("a full disk refuses what would grow and allows what is already taken", () => {
  const disk = new MemoryDisk();
  disk.capacityBytes = 10;
  disk.create("a", 8);
  assert.throws(() => disk.create("b", 3), fault("full"));
  assert.throws(() => disk.write("a", 8, bytes("abc")), fault("full"));
  disk.write("a", 0, bytes("12345678"));
  disk.remove("a");
  disk.create("b", 10);
});

test("faults are injected into any operation, and reads can be short", () => {
  const disk = durableFile("a", "12345678");
  disk.fault = ({ type }) => (type === "read" ? "short" : "io");
  assert.equal(disk.read("a", 0, 8).length, 4);
  for (const act of [
    () => disk.create("b", 1),
    () => disk.write("a", 0, bytes("x")),
    () => disk.truncate("a", 1),
    () => disk.remove("a"),
  ]) {
    assert.throws(act, fault("io"));
  }
  disk.fault = undefined;
  assert.throws(() => disk.read("b", 0, 1), fault("missing"));
  assert.throws(() => disk.create("a", 1), fault("exists"));
});

test("recorded operations, applied to another disk, make the same disk", () => {
  const operations: DiskOperation[] = [];
  const disk = new MemoryDisk();
  disk.recorder = (operation) => operations.push(operation);
  disk.create("a", 4);
  disk.write("a", 2, bytes("abcd"));
  disk.sync("a");
  disk.rename("a", "b");
  disk.syncNames();
  disk.truncate("b", 5);
  disk.create("c", 1);
  disk.remove("c");
  const copy = new MemoryDisk();
  for (const operation of operations) copy.apply(operation);
  assert.equal(copy.pending, disk.pending);
  assert.equal(contents(copy, "b"), contents(disk, "b"));
  for (const each of [disk, copy]) each.crashKeeping(() => false);
  assert.equal(contents(copy, "b"), "\0\0abcd");
  assert.equal(contents(disk, "b"), "\0\0abcd");
});

test("a clone has its own future", () => {
  const disk = durableFile("a", "one");
  disk.write("a", 0, bytes("two"));
  const copy = disk.clone();
  copy.write("a", 0, bytes("six"));
  copy.flip("a", 0);
  disk.crashKeeping(() => true);
  assert.equal(contents(disk, "a"), "two");
});
