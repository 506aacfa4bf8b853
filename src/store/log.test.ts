import assert from "node:assert/strict";
import { test } from "node:test";
import { appendTo, bytes, contentsOf, entryTexts, filledLog, OPTIONS, openLog } from "./fixture.test.ts";
import { Log } from "./log.ts";
import { type DiskOperation, MemoryDisk } from "./memory-disk.ts";

/** Counts operations of one type while `act` runs. */
function count(disk: MemoryDisk, type: DiskOperation["type"], act: () => void): number {
  let seen = 0;
  disk.recorder = (operation) => {
    if (operation.type === type) seen += 1;
  };
  act();
  disk.recorder = undefined;
  return seen;
}

test("what was acknowledged survives a power cut that loses everything unsynced [store.A1] [KD1]", () => {
  const { disk } = filledLog(200);
  disk.crashKeeping(() => false);
  const log = openLog(disk);
  assert.equal(log.cut, undefined);
  assert.deepEqual(contentsOf(log), entryTexts(1, 200));
  assert.ok(disk.list().length > 3, "the log rolled over");
});

test("a log can begin behind a snapshot: it opens there, and its first term is above the one given [store.S8] [KL1]", () => {
  const disk = new MemoryDisk();
  const snapshot = { position: 41, payload: bytes("state") };
  const log = Log.beginBehind(disk, OPTIONS, snapshot, 7);
  assert.deepEqual([log.last, log.first, log.term], [41, 42, 7]);
  assert.equal(log.append(7, 41, [bytes("x")]).refusal?.fault, "fenced");
  assert.deepEqual(log.lead(), { ok: true, value: 8 });
  appendTo(log, 30);
  disk.crashKeeping(() => false);
  const again = openLog(disk);
  assert.deepEqual([again.last, again.term, again.cut], [71, 8, undefined]);
  assert.deepEqual(contentsOf(again), entryTexts(42, 71));
  const loaded = again.loadSnapshot(1000);
  assert.ok(loaded.ok && loaded.value?.position === 41);
  assert.throws(() => Log.beginBehind(disk, OPTIONS, snapshot, 7), /there are files of another one/);
});

test("a log that was begun behind a snapshot only halfway refuses to open, or is whole [store.S8] [store.R12]", () => {
  const whole = new MemoryDisk();
  let operations = 0;
  whole.recorder = () => {
    operations += 1;
  };
  Log.beginBehind(whole, OPTIONS, { position: 41, payload: bytes("state") }, 7);
  for (let cut = 0; cut < operations; cut++) {
    const disk = new MemoryDisk();
    let left = cut;
    disk.recorder = () => {
      left -= 1;
      if (left < 0) throw new Error("power cut");
    };
    try {
      Log.beginBehind(disk, OPTIONS, { position: 41, payload: bytes("state") }, 7);
    } catch {
      // As far as it came.
    }
    disk.recorder = undefined;
    disk.crashKeeping(() => false);
    try {
      const log = openLog(disk);
      assert.ok(log.last === 41 || (log.last === 0 && disk.list().length === 1), `cut at ${cut}: ${log.last}`);
    } catch (error) {
      assert.match(String(error), /Cannot open the journal/);
    }
  }
});

test("append() answers only after the sync: at that moment nothing is pending [store.A1] [KD1]", () => {
  const { disk, log } = filledLog(1);
  for (let i = 0; i < 50; i++) {
    appendTo(log, 1);
    assert.equal(disk.pending, 0);
  }
});

test("a group of entries costs one write and one sync [store.A2]", () => {
  const { disk, log } = filledLog(1, { segmentBytes: 2 ** 16 });
  const group = entryTexts(2, 101).map(bytes);
  assert.equal(
    count(disk, "sync", () => assert.deepEqual(log.append(1, 2, group), { appended: 100 })),
    1,
  );
  assert.equal(
    count(disk, "write", () => log.append(1, 102, group)),
    1,
  );
});

test("a group that crosses segments on a full disk is appended as far as there was room [store.A3]", () => {
  const { disk, log } = filledLog(1);
  disk.capacityBytes = 1024;
  const { appended, refusal } = log.append(1, 2, entryTexts(2, 30).map(bytes));
  assert.equal(refusal?.fault, "unavailable");
  assert.ok(appended > 0 && appended < 29);
  assert.equal(log.last, 1 + appended);
  disk.capacityBytes = Number.POSITIVE_INFINITY;
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, 1 + appended));
});

test("after a failed sync every answer is `failed`, and the sync is never tried again [store.A4]", () => {
  const { disk, log } = filledLog(3);
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  assert.equal(log.append(1, 4, [bytes("lost")]).refusal?.fault, "failed");
  disk.fault = () => assert.fail("the disk was touched again");
  for (let i = 0; i < 3; i++) assert.equal(log.append(1, 4, [bytes("again")]).refusal?.fault, "failed");
  assert.equal(log.lead().ok, false);
  assert.equal(log.mark().ok, false);
  assert.equal(log.saveSnapshot({ position: 1, payload: bytes("s") }).ok, false);
  assert.match(log.dead!, /can no longer be trusted/);
  disk.fault = undefined;
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, 3));
});

test("a failed write kills the log as a failed sync does [store.A4]", () => {
  for (const type of ["write", "create", "rename", "sync-names"] as const) {
    const { disk, log } = filledLog(3);
    disk.fault = (operation) => (operation.type === type ? "io" : undefined);
    const { refusal } = log.append(
      1,
      4,
      Array.from({ length: 20 }, () => bytes("some more")),
    );
    assert.equal(refusal?.fault, "failed", type);
    disk.fault = undefined;
    assert.equal(log.append(1, log.last + 1, [bytes("again")]).refusal?.fault, "failed");
  }
});

test("on a full disk the answer is `unavailable`, nothing half-made remains, and it works again with space [store.A5]", () => {
  const { disk, log } = filledLog(1);
  disk.capacityBytes = 1024;
  while (log.append(1, log.last + 1, [bytes(`entry ${log.last + 1}`)]).appended === 1);
  const { last } = log;
  for (let i = 0; i < 3; i++) assert.equal(log.append(1, last + 1, [bytes("x")]).refusal?.fault, "unavailable");
  assert.equal(disk.list().length, 1);
  assert.equal(log.dead, undefined);
  disk.capacityBytes = 10_000;
  appendTo(log, 20);
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, last + 20));
});

test("a disk that is full inside preallocated space loses the batch and nothing else [store.A5]", () => {
  const { disk, log } = filledLog(2);
  let faults = 1;
  disk.fault = ({ type }) => (type === "write" && faults-- > 0 ? "full" : undefined);
  assert.equal(log.append(1, 3, [bytes("entry 3")]).refusal?.fault, "unavailable");
  appendTo(log, 3);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, 5));
});

test("a disk that fills up while a file is being made leaves nothing of it, of a segment or a snapshot [store.A5] [store.S3]", () => {
  const { disk, log } = filledLog(1);
  disk.fault = (operation) => (operation.type === "write" && operation.name.endsWith(".tmp") ? "full" : undefined);
  while (log.append(1, log.last + 1, [bytes("x")]).appended === 1);
  assert.equal(log.saveSnapshot({ position: 1, payload: bytes("s") }).ok, false);
  assert.equal(disk.list().length, 1);
  disk.fault = undefined;
  appendTo(log, 1);
  assert.ok(log.saveSnapshot({ position: 1, payload: bytes("s") }).ok);
});

test("a batch on a full disk that cannot be taken back kills the log [store.A5] [store.A4]", () => {
  const { disk, log } = filledLog(2);
  disk.fault = ({ type }) => (type === "write" ? "full" : undefined);
  assert.equal(log.append(1, 3, [bytes("entry 3")]).refusal?.fault, "failed");
});

test("mark() writes a record after an append or a lead, and none when the log says it already [store.A8]", () => {
  const { disk, log } = filledLog(3);
  const marks = () => count(disk, "write", () => assert.ok(log.mark().ok));
  assert.deepEqual([marks(), marks()], [1, 0]);
  appendTo(log, 1);
  assert.deepEqual([marks(), marks()], [1, 0]);
  log.lead();
  assert.deepEqual([marks(), marks()], [1, 0]);
  assert.equal(
    count(new MemoryDisk(), "write", () => openLog(new MemoryDisk()).mark()),
    0,
  );
});

test("lead() raises the term durably, above every one so far, also after a power cut [store.F1] [KL1]", () => {
  const { disk, log } = filledLog(3);
  assert.deepEqual(log.lead(), { ok: true, value: 2 });
  disk.crashKeeping(() => false);
  const again = openLog(disk);
  assert.equal(again.term, 2);
  assert.deepEqual(again.lead(), { ok: true, value: 3 });
});

test("a lower term, a term nobody was given, a taken position and a gap are fenced and write nothing [store.F2] [store.F3] [KL1]", () => {
  const { disk, log } = filledLog(3);
  log.lead();
  disk.recorder = () => assert.fail("something was written");
  for (const [term, position] of [
    [1, 4],
    [3, 4],
    [0, 4],
    [2, 3],
    [2, 5],
    [2, 0],
  ] as const) {
    assert.equal(log.append(term, position, [bytes("x")]).refusal?.fault, "fenced");
  }
});

test("nobody appends to a log that nobody has led [store.F4]", () => {
  assert.equal(openLog(new MemoryDisk()).append(0, 1, [bytes("x")]).refusal?.fault, "fenced");
});

test("a segment that only leads and marks have filled grows, for no other can have its name [store.A9]", () => {
  const disk = new MemoryDisk();
  const log = openLog(disk);
  for (let term = 1; term <= 40; term++) assert.deepEqual([log.lead(), log.mark().ok], [{ ok: true, value: term }, true]);
  appendTo(log, 40);
  disk.crashKeeping(() => false);
  const again = openLog(disk);
  assert.equal(again.term, 40);
  assert.deepEqual(contentsOf(again), entryTexts(1, 40));
});

test("growing such a segment on a full disk is `unavailable` and can be tried again [store.A9] [store.A5]", () => {
  const disk = new MemoryDisk();
  const log = openLog(disk);
  disk.capacityBytes = 1024;
  let leads = 0;
  while (log.lead().ok) leads += 1;
  assert.equal(log.append(leads, 1, [new Uint8Array(900)]).refusal?.fault, "unavailable");
  disk.capacityBytes = 4096;
  assert.deepEqual(log.append(leads, 1, [new Uint8Array(900)]), { appended: 1 });
  disk.capacityBytes = Number.POSITIVE_INFINITY;
  assert.equal(openLog(disk).last, 1);
});

test("an entry larger than a segment gets a segment of its size [store.A10]", () => {
  const { disk, log } = filledLog(2);
  assert.deepEqual(log.append(1, 3, [new Uint8Array(100_000).fill(7)]), { appended: 1 });
  log.append(1, 4, [bytes("entry 4")]);
  const again = openLog(disk);
  const read = again.read(3, 1);
  assert.ok(read.ok);
  assert.deepEqual(read.value[0]?.payload, new Uint8Array(100_000).fill(7));
  assert.equal(again.last, 4);
});

test("a segment that was made ready before is taken at the rollover, without writing zeros then [store.A11]", () => {
  const { disk, log } = filledLog(8);
  assert.ok(log.prepare().ok);
  assert.deepEqual(disk.list().slice(1), ["spare.tmp"]);
  assert.equal(
    count(disk, "create", () => appendTo(log, 12)),
    0,
  );
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, 20));
});

test("a spare segment is made only in the second half of the current one, and gives way on a full disk [store.A11] [store.A5]", () => {
  const { disk, log } = filledLog(1);
  log.prepare();
  assert.equal(disk.list().length, 1);
  appendTo(log, 7);
  disk.capacityBytes = 1500;
  for (let i = 0; i < 3; i++) assert.ok(log.prepare().ok);
  assert.equal(disk.list().length, 1);
  disk.capacityBytes = 2048;
  appendTo(log, 12);
});

test("a spare segment that is too small for an entry gives its space back [store.A11] [store.A10]", () => {
  const { disk, log } = filledLog(8);
  log.prepare();
  disk.capacityBytes = 1024 + 3000;
  assert.deepEqual(log.append(1, 9, [new Uint8Array(2500)]), { appended: 1 });
  disk.capacityBytes = Number.POSITIVE_INFINITY;
  assert.equal(openLog(disk).last, 9);
});

test("a spare segment that is not ready yet is not taken: every segment has its whole space [store.A11]", () => {
  const segmentBytes = 2_500_000;
  const { disk, log } = filledLog(1, { segmentBytes });
  log.append(1, 2, [new Uint8Array(1_390_000)]);
  log.prepare();
  assert.ok(disk.size("spare.tmp") < segmentBytes);
  log.append(1, 3, [new Uint8Array(1_390_000)]);
  assert.deepEqual(
    disk.list().map((file) => disk.size(file)),
    [segmentBytes, segmentBytes],
  );
});
