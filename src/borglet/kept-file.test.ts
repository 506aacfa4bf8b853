import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c } from "../base/crc32c.ts";
import { DiskError } from "../base/env.ts";
import { Random } from "../base/random.ts";
import { MemoryDisk } from "../store/memory-disk.ts";
import { encode, make } from "../wire/codec.ts";
import { type KeptRecord, KeptRecordSchema } from "../wire/gen/borg/v1/borglet_pb.ts";
import { StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { forgottenRecord, keptRecord, type Memory, newKept, newMemory, recall, termRecord } from "./kept.ts";
import { KEPT_NAME, KeptFile } from "./kept-file.ts";

const order = (instance: string, bytes = 1) => make(StartOrderSchema, { instance, task: { command: ["x".repeat(bytes)] } });
const instance = (name: string, run: number, bytes = 1): KeptRecord => keptRecord({ ...newKept(order(name, bytes)), run });
const term = (number: number, sequence = 0): KeptRecord => termRecord({ term: number, sequence, instances: new Map() });

const words = (memory: Memory): string =>
  [`${memory.term}.${memory.sequence}`, ...[...memory.instances].map(([name, { run }]) => `${name} ${run}`).sort()].join(", ");

const open = (disk: MemoryDisk, rewriteBytes = 2 ** 22): KeptFile => new KeptFile(disk, { salt: 0xdeadbeef, rewriteBytes });

/** As the borglet does: its memory changes first. */
function save(file: KeptFile, records: readonly KeptRecord[]): void {
  for (const record of records) recall(file.memory, record);
  file.append(records);
}

function diskWith(bytes: Uint8Array): MemoryDisk {
  const disk = new MemoryDisk();
  disk.create(KEPT_NAME, 0);
  disk.write(KEPT_NAME, 0, bytes);
  return disk;
}

const bytesOf = (disk: MemoryDisk): Uint8Array => disk.read(KEPT_NAME, 0, disk.size(KEPT_NAME));

test("What was kept is there again; a batch cut short at the end is dropped, other damage is refused [borglet.K6]", () => {
  const disk = new MemoryDisk();
  const file = open(disk);
  const first = disk.size(KEPT_NAME);
  save(file, [term(3, 9), instance("ann/web/0:1", 1)]);
  save(file, [instance("ann/web/1:1", 1)]);
  const before = disk.size(KEPT_NAME);
  save(file, [instance("ann/web/2:1", 7), forgottenRecord("ann/web/0:1")]);
  const whole = bytesOf(disk);
  assert.equal(words(open(diskWith(whole)).memory), "3.9, ann/web/1:1 1, ann/web/2:1 7");
  for (let cut = 0; cut < whole.length; cut++) {
    // An empty file is one that a borglet of before had just made.
    if (cut > 0 && cut < first) assert.throws(() => open(diskWith(whole.slice(0, cut))), /damaged at byte/, `cut at ${cut}`);
    else open(diskWith(whole.slice(0, cut)));
  }
  const torn = open(diskWith(whole.slice(0, whole.length - 1)));
  assert.deepEqual([words(torn.memory), torn.cut], ["3.9, ann/web/0:1 1, ann/web/1:1 1", true]);
  for (let bit = 0; bit < before * 8; bit++) {
    const bent = diskWith(whole);
    bent.flip(KEPT_NAME, bit);
    assert.throws(() => open(bent), /Cannot read "kept": damaged at byte \d+; end the tasks/, `bit ${bit}`);
  }
  for (let bit = before * 8; bit < whole.length * 8; bit++) {
    const bent = diskWith(whole);
    bent.flip(KEPT_NAME, bit);
    assert.equal(words(open(bent).memory), words(torn.memory), `bit ${bit}: never misread`);
  }
});

/** A life of saves on a disk that fails at operation `failing`; answers what was acknowledged, and what was on its way. */
function live(disk: MemoryDisk, failing: number): { readonly sure: string; readonly tried: string } {
  let operations = 0;
  disk.fault = ({ type }) => (type !== "read" && operations++ === failing ? "io" : undefined);
  const said = newMemory();
  let sure = words(said);
  const batches = [
    [term(1, 1), instance("ann/web/0:1", 1, 900)],
    [instance("ann/web/1:2", 1, 700), instance("ann/web/2:3", 1, 600)],
    [term(2), forgottenRecord("ann/web/1:2")],
    [instance("ann/web/2:3", 2, 600)],
  ];
  try {
    const file = open(disk, 1500);
    for (const batch of batches) {
      for (const record of batch) recall(said, record);
      save(file, batch);
      sure = words(said);
    }
  } catch (error) {
    assert.ok(error instanceof DiskError, String(error));
  }
  disk.fault = undefined;
  return { sure, tried: words(said) };
}

test("At a power cut in any moment what was acknowledged is there, and what was not is there whole or not at all [borglet.K8] [KL2]", () => {
  let cases = 0;
  for (let failing = 0; failing < 60; failing++) {
    const disk = new MemoryDisk();
    const { sure, tried } = live(disk, failing);
    for (let round = 0; round < 40; round++) {
      const cut = disk.clone();
      if (round === 0) cut.crashKeeping(() => false);
      else cut.crash(new Random(failing * 1000 + round));
      const found = words(open(cut).memory);
      assert.ok(found === sure || found === tried, `operation ${failing}, round ${round}: found ${found}, acknowledged ${sure}`);
      cases += 1;
    }
  }
  assert.equal(cases, 2400);
});

test("What could be read at the start is durable before anybody rests on it [borglet.K8]", () => {
  const disk = new MemoryDisk();
  const file = open(disk);
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  assert.throws(() => save(file, [term(5)]), DiskError);
  // The process ends, the machine does not: the batch is in the kernel's memory only.
  assert.throws(() => open(disk), DiskError, "not while it cannot be made durable");
  disk.fault = undefined;
  const again = open(disk);
  assert.equal(again.memory.term, 5);
  disk.crashKeeping(() => false);
  assert.equal(open(disk).memory.term, 5);
});

test("A failed sync and a full disk fail the save; the next good one has everything [borglet.K1] [borglet.K8]", () => {
  for (const fault of ["full", "sync"] as const) {
    const disk = new MemoryDisk();
    const file = open(disk);
    save(file, [term(1)]);
    if (fault === "full") disk.capacityBytes = disk.size(KEPT_NAME);
    else disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
    for (let tries = 0; tries < 3; tries++) assert.throws(() => save(file, [term(2), instance("ann/web/0:1", 1)]), DiskError);
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    disk.fault = undefined;
    save(file, [term(3)]);
    disk.crashKeeping(() => false);
    assert.equal(words(open(disk).memory), "3.0, ann/web/0:1 1");
  }
});

test("Records beyond the bound are written anew, smaller [borglet.K7] [KB1]", () => {
  const disk = new MemoryDisk();
  const file = open(disk);
  for (let run = 1; run <= 100; run++) save(file, [instance("ann/web/0:1", run, 100_000)]);
  assert.ok(disk.size(KEPT_NAME) < 6e6);
  assert.deepEqual(disk.list(), [KEPT_NAME]);
  assert.equal(words(open(disk).memory), "0.0, ann/web/0:1 100");
});

test("Nothing that a task's spec holds is taken for a batch [borglet.K6]", () => {
  const disk = new MemoryDisk();
  const file = open(disk);
  save(file, [term(1)]);
  const whole = bytesOf(disk);
  // A user who saw another file of this kind puts a piece of it into a spec; the batch with it is torn.
  const foreign = new MemoryDisk();
  const other = new KeptFile(foreign, { salt: 1, rewriteBytes: 2 ** 22 });
  for (let i = 0; i < 9; i++) save(other, [term(i)]);
  const lost = Uint8Array.from([...whole, ...new Uint8Array(40), ...bytesOf(foreign)]);
  assert.deepEqual([open(diskWith(lost)).memory.term, open(diskWith(lost)).cut], [1, true]);
});

test("A term that is forgotten stays forgotten, also after a power cut, and instances stay [borglet.K10]", () => {
  const disk = new MemoryDisk();
  save(open(disk), [term(1e12, 7), instance("ann/web/0:1", 3)]);
  assert.equal(open(disk).forgetTerm(), 1e12);
  disk.crashKeeping(() => false);
  assert.equal(words(open(disk).memory), "0.0, ann/web/0:1 3");
});

/** As borglets wrote it before batches had numbers. */
function unnumbered(records: readonly KeptRecord[]): Uint8Array {
  const parts = records.map((record) => {
    const body = encode(KeptRecordSchema, record);
    const head = new DataView(new ArrayBuffer(12));
    head.setUint32(0, body.length, true);
    head.setUint32(4, crc32c(new Uint8Array(head.buffer), 0, 4), true);
    head.setUint32(8, crc32c(body), true);
    return [...new Uint8Array(head.buffer), ...body];
  });
  return Uint8Array.from(parts.flat());
}

test("A file of before is read, cut short or whole, and written anew; damage in it is refused [borglet.K9]", () => {
  const old = unnumbered([term(3, 9), instance("ann/web/0:1", 1), instance("ann/web/1:1", 4)]);
  const disk = diskWith(old);
  const file = open(disk);
  assert.equal(words(file.memory), "3.9, ann/web/0:1 1, ann/web/1:1 4");
  save(file, [term(4)]);
  disk.crashKeeping(() => false);
  assert.equal(words(open(disk).memory), "4.0, ann/web/0:1 1, ann/web/1:1 4");
  for (let cut = 0; cut < old.length; cut++) open(diskWith(old.slice(0, cut)));
  assert.equal(words(open(diskWith(old.slice(0, old.length - 1))).memory), "3.9, ann/web/0:1 1");
  for (let at = 0; at < old.length - 60; at++) {
    const bent = diskWith(old);
    bent.flip(KEPT_NAME, at * 8 + 2);
    assert.throws(() => open(bent), /damaged at byte/, `byte ${at}`);
  }
});
