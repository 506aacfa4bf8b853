import assert from "node:assert/strict";
import { test } from "node:test";
import { ENTRY_BYTES_MAX } from "../../wire/journal.ts";
import { appendTo, bytes, contentsOf, entryTexts, filledLog, openLog, placeOf, rot, text } from "../fixture.test.ts";

test("read() starts anywhere, stops at bytesMax, and answers at least one entry [store.H1]", () => {
  const { log } = filledLog(100);
  for (const from of [1, 2, 13, 50, 99, 100]) {
    for (const bytesMax of [0, 1, 20, 300, 1e6]) {
      const read = log.read(from, bytesMax);
      assert.ok(read.ok);
      const texts = read.value.map(({ payload }) => text(payload));
      assert.deepEqual(texts, entryTexts(from, from + texts.length - 1));
      const size = texts.reduce((sum, entry) => sum + entry.length, 0);
      assert.ok(texts.length >= 1 && size < bytesMax + "entry 100".length + 1);
      if (bytesMax === 1e6) assert.equal(texts.at(-1), "entry 100");
    }
  }
  assert.deepEqual(log.read(101, 10), { ok: true, value: [] });
});

test("reading on after a read, in small steps and while entries are added, sees everything once [store.H1]", () => {
  const { log } = filledLog(10);
  const seen: string[] = [];
  for (let from = 1; from <= log.last; from = seen.length + 1) {
    const read = log.read(from, 1);
    assert.ok(read.ok);
    seen.push(...read.value.map(({ payload }) => text(payload)));
    if (log.last < 80) appendTo(log, 2);
  }
  assert.deepEqual(seen, entryTexts(1, log.last));
});

test("entries of the largest size are read back, also across the pieces they are fetched in [store.H1]", () => {
  const { log } = filledLog(1, { segmentBytes: 2 ** 23 });
  const payload = new Uint8Array(ENTRY_BYTES_MAX).map((_, i) => i * 31);
  for (let i = 0; i < 4; i++) assert.equal(log.append(1, log.last + 1, [payload, bytes("small")]).appended, 2);
  for (let from = 2; from <= log.last; from++) {
    const read = log.read(from, 1);
    assert.ok(read.ok, read.ok ? "" : read.reason);
    assert.deepEqual(read.value[0]?.payload, from % 2 === 0 ? payload : bytes("small"));
  }
});

test("damage found in history is reported with its place and never skipped [store.H2] [KD5]", () => {
  const { disk, log } = filledLog(60);
  assert.ok(log.saveSnapshot({ position: 50, payload: bytes("s") }).ok);
  const { file } = placeOf(disk, 12);
  rot(disk, 12);
  const again = openLog(disk);
  assert.equal(again.last, 60, "older history is not looked at when the log is opened");
  const read = again.read(10, 1e6);
  assert.match(
    read.ok ? "" : read.reason,
    new RegExp(`Cannot read position 10: Journal damaged in "${file}" at byte \\d+, record position 12`),
  );
  assert.ok(again.read(50, 1e6).ok);
});

test("a history file that is gone, or cannot be read, is reported [store.H2]", () => {
  const { disk, log } = filledLog(60);
  assert.ok(log.saveSnapshot({ position: 50, payload: bytes("s") }).ok);
  const [first, second] = disk.list() as [string, string];
  disk.fault = (operation) => (operation.type === "read" && operation.name === second ? "io" : undefined);
  assert.equal(log.read(1, 1e6).ok, false);
  disk.fault = (operation) => (operation.type === "read" && operation.name === first ? "short" : undefined);
  assert.equal(log.read(1, 1e6).ok, false);
  disk.fault = undefined;
  assert.equal(log.dead, undefined, "a failed read is no reason to stop writing");
  disk.remove(second);
  assert.match(String(Object.values(openLog(disk).read(1, 1e6))), /segment is missing/);
});

test("trim() removes whole oldest segments by age, only those that the oldest kept snapshot covers [store.H3]", () => {
  let now = 0;
  const { disk, log } = filledLog(0, { wall: () => now, retention: { ageMs: 100, bytes: 1e9 } });
  for (now = 0; now < 60; now++) appendTo(log, 1);
  const segments = () => disk.list().filter((name) => name.endsWith(".log")).length;
  const all = segments();
  now = 1e6;
  assert.deepEqual(log.trim(), { ok: true, value: 0 }, "no snapshot covers anything");
  assert.ok(log.saveSnapshot({ position: 30, payload: bytes("30") }).ok);
  assert.ok(log.saveSnapshot({ position: 50, payload: bytes("50") }).ok);
  now = 50;
  assert.deepEqual(log.trim(), { ok: true, value: 0 }, "nothing is old enough");
  now = 1e6;
  const trimmed = log.trim();
  assert.ok(trimmed.ok && trimmed.value > 0);
  assert.equal(segments(), all - trimmed.value);
  assert.ok(log.first > 1 && log.first <= 31, "the older snapshot can still be replayed from");
  assert.deepEqual(contentsOf(log), entryTexts(log.first, 60));
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(log.first, 60));
});

test("trim() keeps history within its bytes [store.H3]", () => {
  const { disk, log } = filledLog(60, { retention: { ageMs: 1e12, bytes: 3000 } });
  assert.ok(log.saveSnapshot({ position: 55, payload: bytes("55") }).ok);
  const trimmed = log.trim();
  assert.ok(trimmed.ok && trimmed.value > 0);
  const kept = disk.list().filter((name) => name.endsWith(".log"));
  assert.equal(kept.length, 2);
});

test("trim() removes nothing when the snapshot it would rely on is damaged [store.H3] [KD5]", () => {
  const { disk, log } = filledLog(60, { retention: { ageMs: 0, bytes: 0 } });
  assert.ok(log.saveSnapshot({ position: 55, payload: bytes("55") }).ok);
  disk.flip(disk.list().find((name) => name.endsWith(".snap"))!, 33 * 8);
  assert.deepEqual(log.trim(), { ok: true, value: 0 });
});

test("what was trimmed is answered as gone, not as empty [store.H4]", () => {
  const { log } = filledLog(60, { retention: { ageMs: 0, bytes: 0 } });
  assert.ok(log.read(1, 1).ok);
  assert.ok(log.saveSnapshot({ position: 55, payload: bytes("55") }).ok);
  assert.ok(log.trim().ok);
  const read = log.read(1, 1e6);
  assert.match(read.ok ? "" : read.reason, /history begins at \d+/);
});
