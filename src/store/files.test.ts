import assert from "node:assert/strict";
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DiskError } from "../base/env.ts";
import { FilesDisk } from "./files.ts";
import { bytes, text } from "./fixture.test.ts";

const directory = mkdtempSync(join(tmpdir(), "files-"));
after(() => rmSync(directory, { recursive: true }));
let next = 0;
const fresh = () => new FilesDisk(join(directory, `disk-${next++}`));
const fault = (expected: string) => (error: unknown) => error instanceof DiskError && error.fault === expected;

test("files are created with their space, written, read, cut, renamed and removed", () => {
  const disk = fresh();
  disk.create("b", 3_000_000);
  assert.equal(disk.size("b"), 3_000_000);
  disk.write("b", 2_999_998, bytes("hello"));
  assert.equal(text(disk.read("b", 2_999_998, 100)), "hello");
  assert.equal(disk.read("b", 4_000_000, 10).length, 0);
  disk.sync("b");
  disk.truncate("b", 10);
  disk.create("a", 0);
  assert.deepEqual(disk.list(), ["a", "b"]);
  disk.rename("b", "a");
  disk.syncNames();
  assert.deepEqual(disk.list(), ["a"]);
  assert.equal(disk.size("a"), 10);
  disk.write("a", 0, bytes("x"));
  disk.remove("a");
  assert.deepEqual(disk.list(), []);
  disk.close();
});

test("sync() syncs the file's data, syncNames() the directory, and nothing less [store.A1] [KD1]", (t) => {
  const disk = fresh();
  disk.create("a", 0);
  const synced: string[] = [];
  const isDirectory = (descriptor: number): boolean => fs.fstatSync(descriptor).isDirectory();
  t.mock.method(fs, "fdatasyncSync", (descriptor: number) => void synced.push(isDirectory(descriptor) ? "directory" : "data"));
  t.mock.method(fs, "fsyncSync", (descriptor: number) => void synced.push(isDirectory(descriptor) ? "directory" : "file"));
  syncBuiltinESMExports();
  disk.sync("a");
  disk.syncNames();
  disk.close();
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.deepEqual(synced, ["data", "directory"]);
});

test("faults are named: missing, exists, io", () => {
  const disk = fresh();
  disk.create("a", 1);
  assert.throws(() => disk.create("a", 1), fault("exists"));
  assert.throws(() => disk.read("nothing", 0, 1), fault("missing"));
  assert.throws(() => disk.remove("nothing"), fault("missing"));
  disk.close();
});

test("a name that could leave the directory is refused", () => {
  const disk = fresh();
  for (const name of ["../x", "a/b", "", ".", "..", ".hidden", "x".repeat(200), "a\0b"]) {
    assert.throws(() => disk.create(name, 0), fault("io"), JSON.stringify(name));
  }
  disk.close();
});

test("more files than descriptors are kept open, and none leaks", () => {
  const disk = fresh();
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const before = descriptors();
  for (let i = 0; i < 100; i++) {
    disk.create(`f${i}`, 10);
    disk.write(`f${i}`, 0, bytes(String(i)));
  }
  for (let i = 0; i < 100; i++) assert.equal(text(disk.read(`f${i}`, 0, 2)).replace("\0", ""), String(i));
  assert.ok(descriptors() - before <= 16);
  disk.close();
  assert.equal(descriptors(), before);
});

test("directories and foreign names beside the files are left alone", () => {
  const path = join(directory, `disk-${next}`);
  const disk = fresh();
  mkdirSync(join(path, "subdirectory"));
  writeFileSync(join(path, "README"), "hello");
  assert.deepEqual(disk.list(), ["README"]);
  disk.close();
});
