import assert from "node:assert/strict";
import { test } from "node:test";
import { appendTo, bytes, contentsOf, entryTexts, filledLog, openLog, text } from "../fixture.test.ts";
import type { Log } from "../log.ts";
import type { MemoryDisk } from "../memory-disk.ts";
import { UnusableError } from "./error.ts";

const snapshotFiles = (disk: MemoryDisk) => disk.list().filter((name) => name.includes(".snap"));
const file = (position: number) => `${String(position).padStart(16, "0")}.snap`;

function save(log: Log, ...positions: number[]): void {
  for (const position of positions)
    assert.deepEqual(log.saveSnapshot({ position, payload: bytes(`state ${position}`) }), { ok: true, value: undefined });
}

function loaded(log: Log, atMost = Number.MAX_SAFE_INTEGER): string | undefined {
  const result = log.loadSnapshot(atMost);
  assert.ok(result.ok, result.ok ? "" : result.reason);
  return result.value && text(result.value.payload);
}

const damage = (disk: MemoryDisk, position: number) => disk.flip(file(position), 34 * 8);

test("the two newest snapshots are kept and the newest at or before a position is loaded, also after a power cut [store.S1]", () => {
  const { disk, log } = filledLog(30);
  save(log, 5, 10, 20);
  assert.deepEqual(snapshotFiles(disk), [file(10), file(20)]);
  disk.crashKeeping(() => false);
  const again = openLog(disk);
  assert.equal(loaded(again), "state 20");
  assert.equal(loaded(again, 19), "state 10");
  assert.equal(loaded(again, 9), undefined);
});

test("an older snapshot goes only after the new one was read back [store.S1] [store.S4]", () => {
  const { disk, log } = filledLog(30);
  save(log, 5, 10);
  const order: string[] = [];
  disk.fault = (operation) => {
    if ("name" in operation && operation.name.includes(".snap")) order.push(`${operation.type} ${operation.name}`);
    return undefined;
  };
  save(log, 20);
  const removed = order.indexOf(`remove ${file(5)}`);
  assert.ok(removed > order.indexOf(`read ${file(20)}`) && order.includes(`read ${file(20)}`), order.join("\n"));
});

test("a snapshot that does not read back as written is not saved, and the older ones stand [store.S4]", () => {
  const { disk, log } = filledLog(30);
  save(log, 5, 10);
  disk.recorder = (operation) => {
    if (operation.type === "rename") damage(disk, 20);
  };
  assert.equal(log.saveSnapshot({ position: 20, payload: bytes("state 20") }).ok, false);
  assert.deepEqual(snapshotFiles(disk), [file(5), file(10)]);
  disk.recorder = undefined;
  save(log, 20);
  assert.equal(loaded(log), "state 20");
});

test("a damaged newest snapshot is passed over while the log reaches back to the older one [store.S2]", () => {
  const { disk, log } = filledLog(30);
  save(log, 10, 20);
  damage(disk, 20);
  assert.equal(loaded(log), "state 10");
  const again = openLog(disk);
  assert.equal(again.damagedSnapshots.length, 1);
  assert.equal(loaded(again), "state 10");
  assert.deepEqual(contentsOf(again), entryTexts(1, 30));
});

test("when all snapshots are damaged, replay from position 1 if the log still has it, else refuse in words [store.S2] [KD5]", () => {
  const { disk, log } = filledLog(60, { retention: { ageMs: 0, bytes: 0 } });
  save(log, 40, 50);
  const untrimmed = disk.clone();
  damage(untrimmed, 40);
  damage(untrimmed, 50);
  assert.equal(loaded(openLog(untrimmed)), undefined);
  assert.ok(log.trim().ok);
  assert.ok(log.first > 1 && log.first <= 41);
  damage(disk, 40);
  damage(disk, 50);
  assert.equal(log.loadSnapshot(60).ok, false);
  assert.throws(
    () => openLog(disk),
    (error) =>
      error instanceof UnusableError && /history begins at position \d+ and no snapshot reaches it: .*damaged.*Restore/.test(error.message),
  );
});

test("a disk that is full for a snapshot keeps the older ones and the log [store.S3]", () => {
  const { disk, log } = filledLog(30);
  save(log, 5, 10);
  disk.capacityBytes = 0;
  const result = log.saveSnapshot({ position: 20, payload: bytes("state 20") });
  assert.match(result.ok ? "" : result.reason, /full/);
  assert.deepEqual(snapshotFiles(disk), [file(5), file(10)]);
  assert.equal(log.dead, undefined);
  disk.capacityBytes = 1e9;
  save(log, 20);
  appendTo(log, 1);
});

test("a snapshot of the future, or older than the newest, is refused; the same again is no change [store.S6]", () => {
  const { disk, log } = filledLog(30);
  save(log, 20);
  assert.equal(log.saveSnapshot({ position: 31, payload: bytes("x") }).ok, false);
  assert.equal(log.saveSnapshot({ position: 19, payload: bytes("x") }).ok, false);
  disk.recorder = () => assert.fail("something was written");
  save(log, 20);
});

test("another cell's snapshot is not loaded [store.S7]", () => {
  const { disk, log } = filledLog(30);
  save(log, 20);
  const { disk: other, log: otherLog } = filledLog(30, { cell: "other" });
  save(otherLog, 20);
  disk.remove(file(20));
  const foreign = other.read(file(20), 0, other.size(file(20)));
  disk.create(file(20), foreign.length);
  disk.write(file(20), 0, foreign);
  assert.equal(loaded(log), undefined);
});
