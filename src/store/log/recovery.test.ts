import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c } from "../../base/crc32c.ts";
import { DiskError } from "../../base/env.ts";
import { appendTo, bytes, contentsOf, entryTexts, FIRST_SEGMENT, filledLog, image, openLog, placeOf, rot } from "../fixture.test.ts";
import type { Log } from "../log.ts";
import { MemoryDisk } from "../memory-disk.ts";
import { DamagedError, JOURNAL_DAMAGED_EXIT, UnusableError } from "./error.ts";
import { SEGMENT_HEADER_BYTES } from "./segment.ts";

const ONE_SEGMENT = { segmentBytes: 2 ** 14 };

/** Opening refuses, and says where. The disk stays as it is. */
function refuses(disk: MemoryDisk, expected: { file?: string; position: number; offset?: number }, options = {}): DamagedError {
  const before = image(disk);
  try {
    openLog(disk, options);
  } catch (error) {
    assert.ok(error instanceof DamagedError, String(error));
    assert.equal(error.position, expected.position);
    if (expected.file !== undefined) assert.equal(error.file, expected.file);
    if (expected.offset !== undefined) assert.equal(error.offset, expected.offset);
    assert.equal(image(disk), before, "a refusal changes nothing");
    return error;
  }
  return assert.fail("the log was opened");
}

/** Leaves a batch of entries on the disk that was written but never synced, then cuts the power and keeps all of it. */
function unsyncedBatch(disk: MemoryDisk, log: Log, count: number): void {
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  const batch = entryTexts(log.last + 1, log.last + count).map(bytes);
  assert.equal(log.append(log.term, log.last + 1, batch).refusal?.fault, "failed");
  disk.fault = undefined;
}

test("a torn newest entry is cut off and reported; everything before it stays [store.R1] [KD5]", () => {
  const { disk } = filledLog(5, ONE_SEGMENT);
  rot(disk, 5);
  const log = openLog(disk, ONE_SEGMENT);
  assert.deepEqual(contentsOf(log), entryTexts(1, 4));
  assert.deepEqual({ ...log.cut, offset: 0 }, { file: FIRST_SEGMENT, offset: 0, position: 5, why: "its checksum is wrong", dropped: [] });
  assert.equal(openLog(disk, ONE_SEGMENT).cut, undefined, "the second time there is nothing to cut");
});

test("an entry that is torn while the next one of its batch arrived is cut off with it: neither was acknowledged [store.R2] [KD5]", () => {
  const { disk, log } = filledLog(3, ONE_SEGMENT);
  unsyncedBatch(disk, log, 3);
  rot(disk, 4);
  const again = openLog(disk, ONE_SEGMENT);
  assert.deepEqual(contentsOf(again), entryTexts(1, 3));
  assert.equal(again.cut?.position, 4);
});

test("the page of an unsynced entry that never arrived is zeros before intact records; they go too [store.R2]", () => {
  const { disk, log } = filledLog(3, ONE_SEGMENT);
  unsyncedBatch(disk, log, 3);
  const { file, offset } = placeOf(disk, 4);
  disk.write(file, offset - 56, new Uint8Array(64));
  const again = openLog(disk, ONE_SEGMENT);
  assert.deepEqual(contentsOf(again), entryTexts(1, 3));
  assert.equal(again.cut?.why, "something stands behind the end of the log");
});

test("damage in what was acknowledged is refused with file, byte, position, a way out, and exit code 78 [store.R3] [KD5]", () => {
  const { disk } = filledLog(5, ONE_SEGMENT);
  const { file, offset } = placeOf(disk, 3);
  rot(disk, 3);
  const error = refuses(disk, { file, offset: offset - 56, position: 3 }, ONE_SEGMENT);
  assert.equal(error.exitCode, 78);
  assert.equal(JOURNAL_DAMAGED_EXIT, 78);
  assert.match(error.message, new RegExp(`"${file}" at byte ${offset - 56}, record position 3: .*[Rr]estore.*replica.*snapshot`));
});

test("the newest entry has no witness until a mark is written; with it, its loss is refused [store.R3] [store.A8] [KD5]", () => {
  const { disk, log } = filledLog(5, ONE_SEGMENT);
  log.mark();
  rot(disk, 5);
  refuses(disk, { position: 5 }, ONE_SEGMENT);
});

test("an acknowledged page that reads as zeros is noticed by the records behind it [store.R3]", () => {
  const { disk, log } = filledLog(5, ONE_SEGMENT);
  log.mark();
  const { file, offset } = placeOf(disk, 4);
  disk.write(file, offset - 56, new Uint8Array(64));
  refuses(disk, { position: 4 }, ONE_SEGMENT);
});

test("a mark or lead that a later record proves durable is not a torn tail [store.R4] [KD5] [KL1]", () => {
  for (const write of ["mark", "lead"] as const) {
    const { disk, log } = filledLog(2, ONE_SEGMENT);
    let offset = 0;
    disk.recorder = (operation) => {
      if (operation.type === "write") offset = operation.offset;
    };
    log[write]();
    disk.recorder = undefined;
    appendTo(log, 1);
    disk.flip(FIRST_SEGMENT, (offset + 20) * 8);
    refuses(disk, { offset, position: 3 }, ONE_SEGMENT);
  }
});

test("a segment missing in the middle, at the start or after a seal is refused [store.R5] [KD5]", () => {
  const { disk: whole } = filledLog(40);
  const files = whole.list();
  assert.ok(files.length >= 4);
  for (const file of files) {
    const disk = whole.clone();
    disk.remove(file);
    if (file === files[0]) assert.throws(() => openLog(disk), UnusableError);
    else refuses(disk, { file, offset: 0, position: Number.parseInt(file, 10) });
  }
});

test("a segment whose header is damaged is refused when the one before it is sealed [store.R5]", () => {
  const { disk } = filledLog(40);
  const [first, second] = disk.list() as [string, string];
  for (const file of [first, second]) {
    const broken = disk.clone();
    broken.flip(file, 20 * 8);
    refuses(broken, { file, offset: 0, position: Number.parseInt(file, 10) });
  }
});

/** The disk as a power cut leaves it right after a new segment got its name and before the old one was sealed. */
function halfRolled(snapshotAtEnd: boolean): { disk: MemoryDisk; last: number } {
  const { disk, log } = filledLog(1);
  const files = () => disk.list().filter((name) => name.endsWith(".log")).length;
  let before = disk.clone();
  for (;;) {
    if (snapshotAtEnd) assert.ok(log.saveSnapshot({ position: log.last, payload: bytes("s") }).ok);
    disk.recorder = (operation) => {
      if (operation.type === "sync-names" && files() === 2) before = disk.clone();
    };
    appendTo(log, 1);
    if (files() === 2) return { disk: before, last: log.last - 1 };
  }
}

test("a new segment that nothing was written to yet is dropped, and made again when needed [store.R6]", () => {
  const { disk, last } = halfRolled(false);
  const log = openLog(disk);
  assert.equal(log.cut?.dropped.length, 1);
  assert.deepEqual(contentsOf(log), entryTexts(1, last));
  appendTo(log, 20);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, last + 20));
});

test("a half-made segment right after the newest snapshot is dropped as well, so history has no hole [store.R6]", () => {
  const { disk, last } = halfRolled(true);
  const log = openLog(disk);
  assert.equal(log.cut?.dropped.length, 1);
  appendTo(log, 20);
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, last + 20));
});

test("half-made files under temporary names are removed [store.R10]", () => {
  const { disk } = filledLog(3);
  disk.create("0000000000000004.log.tmp", 100);
  disk.create("0000000000000002.snap.tmp", 100);
  openLog(disk);
  assert.deepEqual(disk.list(), [FIRST_SEGMENT]);
});

test("another cell's log is refused in words [store.R7] [U14]", () => {
  const { disk } = filledLog(3);
  assert.throws(
    () => openLog(disk, { cell: "other" }),
    (error) => error instanceof UnusableError && error.exitCode === 78 && /belongs to cell "test", not to "other"/.test(error.message),
  );
});

test("a format that this version does not know is refused in words [store.R7]", () => {
  const { disk } = filledLog(3);
  const header = disk.read(FIRST_SEGMENT, 0, SEGMENT_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(8, 2, true);
  view.setUint32(12, 0, true);
  view.setUint32(12, crc32c(header), true);
  disk.write(FIRST_SEGMENT, 0, header);
  assert.throws(
    () => openLog(disk),
    (error) => error instanceof UnusableError && /has format 2, and this version knows format 1/.test(error.message),
  );
});

test("records that are each intact but do not follow on from each other are damage [store.R8] [KL1]", () => {
  const { disk: a, log } = filledLog(3, ONE_SEGMENT);
  appendTo(log, 4);
  const b = new MemoryDisk();
  const other = openLog(b, ONE_SEGMENT);
  other.lead();
  // Same places and positions, other contents before them: only the chain differs.
  for (let position = 1; position <= 7; position++) other.append(1, position, [bytes(`ENTRY ${position}`)]);
  const { offset } = placeOf(a, 5);
  a.write(FIRST_SEGMENT, offset - 56, b.read(FIRST_SEGMENT, offset - 56, 64));
  refuses(a, { position: 5, offset: offset - 56 }, ONE_SEGMENT);
});

test("a record written to the wrong place is not taken for one that belongs there [store.R8]", () => {
  const { disk } = filledLog(6, ONE_SEGMENT);
  const from = placeOf(disk, 2).offset - 56;
  const to = placeOf(disk, 4).offset - 56;
  disk.write(FIRST_SEGMENT, to, disk.read(FIRST_SEGMENT, from, 64));
  refuses(disk, { position: 4, offset: to }, ONE_SEGMENT);
});

test("what opening finds in memory it makes durable before anyone builds on it [store.R11] [KD1]", () => {
  const { disk, log } = filledLog(3, ONE_SEGMENT);
  // kill -9 between write and sync: the process is gone, the kernel still has the page.
  disk.fault = ({ type }) => {
    if (type === "sync") throw new Error("killed");
    return undefined;
  };
  assert.throws(() => log.append(1, 4, [bytes("entry 4")]), /killed/);
  disk.fault = undefined;
  assert.equal(openLog(disk, ONE_SEGMENT).last, 4);
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk, ONE_SEGMENT)), entryTexts(1, 4));
});

test("after a failed sync the kernel calls the pages clean: opening writes them again, or a later power cut takes them [store.R15] [KD1]", () => {
  for (const count of [3, 12]) {
    const { disk, log } = filledLog(count);
    disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
    assert.equal(log.append(1, count + 1, [bytes(`entry ${count + 1}`)]).appended, 0);
    assert.throws(() => openLog(disk), /sync/);
    disk.fault = undefined;
    const again = openLog(disk);
    assert.ok(again.last >= count);
    assert.ok(again.lead().ok);
    appendTo(again, 2);
    const { last } = again;
    disk.crashKeeping(() => false);
    assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, last));
  }
});

test("a torn tail that was zeroed stays zeroed, also when the sync after it failed once [store.R15] [KD5]", () => {
  const { disk, log } = filledLog(3, ONE_SEGMENT);
  disk.fault = ({ type }) => {
    if (type === "sync") throw new Error("killed");
    return undefined;
  };
  assert.throws(() => log.append(1, 4, [bytes("entry 4, long enough for two sectors".repeat(30))]), /killed/);
  disk.fault = undefined;
  disk.crashKeeping(() => true);
  rot(disk, 4);
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  assert.throws(() => openLog(disk, ONE_SEGMENT), /sync/);
  disk.fault = undefined;
  const again = openLog(disk, ONE_SEGMENT);
  assert.ok(again.lead().ok);
  appendTo(again, 1);
  disk.crashKeeping(() => false);
  assert.deepEqual(contentsOf(openLog(disk, ONE_SEGMENT)), entryTexts(1, 4));
});

test("a full disk refuses to open, changes nothing, and opens when there is space [store.R15] [store.A5]", () => {
  const { disk } = filledLog(3);
  disk.capacityBytes = 1024;
  const before = disk.list();
  assert.throws(() => openLog(disk), { fault: "full" });
  assert.deepEqual(disk.list(), before);
  disk.capacityBytes = 4096;
  assert.deepEqual(contentsOf(openLog(disk)), entryTexts(1, 3));
});

test("a log that ends before its newest snapshot is refused [store.R12] [KD5]", () => {
  const { disk, log } = filledLog(5, ONE_SEGMENT);
  assert.ok(log.saveSnapshot({ position: 5, payload: bytes("s") }).ok);
  rot(disk, 5);
  refuses(disk, { position: 5 }, ONE_SEGMENT);
});

test("snapshots without any segment are refused: the directory is not new [store.R12]", () => {
  const { disk, log } = filledLog(5, ONE_SEGMENT);
  log.saveSnapshot({ position: 5, payload: bytes("s") });
  disk.remove(FIRST_SEGMENT);
  assert.throws(() => openLog(disk, ONE_SEGMENT), UnusableError);
});

test("stray bits behind the end cost nothing and are cleared [store.R1]", () => {
  const { disk } = filledLog(3, ONE_SEGMENT);
  disk.flip(FIRST_SEGMENT, 9000 * 8);
  const log = openLog(disk, ONE_SEGMENT);
  assert.deepEqual(contentsOf(log), entryTexts(1, 3));
  assert.notEqual(log.cut, undefined);
  assert.equal(disk.read(FIRST_SEGMENT, 9000, 1)[0], 0);
});

test("a read that stops short refuses to open and changes nothing [store.R14]", () => {
  const { disk } = filledLog(5, ONE_SEGMENT);
  const before = image(disk);
  disk.fault = ({ type }) => (type === "read" ? "short" : undefined);
  assert.throws(() => openLog(disk, ONE_SEGMENT), DiskError);
  disk.fault = undefined;
  assert.equal(image(disk), before);
});

test("a payload that holds a whole log of this cell is not mistaken for records [store.R8]", () => {
  const { disk: inner } = filledLog(9, ONE_SEGMENT);
  const { disk, log } = filledLog(1, ONE_SEGMENT);
  log.append(1, 2, [inner.read(FIRST_SEGMENT, 0, 2000)]);
  // The header of entry 2 is damaged, so recovery looks for records inside its payload.
  disk.flip(FIRST_SEGMENT, (placeOf(disk, 1).offset + 8 + 20) * 8);
  assert.equal(openLog(disk, ONE_SEGMENT).last, 1);
});
