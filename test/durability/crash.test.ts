import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { Log, type LogOptions } from "../../src/store/log.ts";
import { type DiskOperation, MemoryDisk } from "../../src/store/memory-disk.ts";
import { countOf, seedOf } from "./pristine.ts";

/** Random crashes tried; every prefix of one fixed trace is tried besides, whatever this says. */
const CRASHES = countOf("CRASHES", 500);
/** A power cut during recovery is tried at every so many-th point of a trace; at each of them when somebody says how many crashes. */
const RECOVERY_STEP = process.env["CRASHES"] === undefined ? 2 : 1;
/** Of a point with more changes pending than this, not all subsets are tried but 2 ** SUBSETS_EXPONENT of them. */
const SUBSETS_EXPONENT = 5;

const OPTIONS: LogOptions = { cell: "crash", wall: () => 5000, segmentBytes: 1536, retention: { ageMs: 1, bytes: 4000 } };

/** What the world had been promised at some moment. */
interface Promised {
  /** Terms of acknowledged entries by position; index 0 is unused. */
  readonly terms: readonly number[];
  readonly term: number;
  readonly snapshot: number;
}

/** A run of a log from some disk on: what it did to the disk, and what it had promised after how many operations. */
interface Trace {
  readonly start: MemoryDisk;
  readonly operations: readonly DiskOperation[];
  readonly promises: readonly { readonly after: number; readonly promised: Promised }[];
}

/** A payload tells its term and position, so that any entry can be checked without knowing which run wrote it. */
const payloadOf = (term: number, position: number): Uint8Array =>
  counting(8 + ((term * 7 + position * 13) % 200), term * 101 + position * 3);

const snapshotOf = (position: number): Uint8Array => counting(50 + (position % 700), position);

function counting(length: number, from: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = from + i;
  return bytes;
}

/** Opens the log on a copy of the disk and works on it: appends, groups, marks, leads, rollovers, snapshots, trims. */
function record(start: MemoryDisk, random: Random, steps: number, before: Promised): Trace {
  const disk = start.clone();
  const operations: DiskOperation[] = [];
  disk.recorder = (operation) => operations.push(operation);
  const promises = [{ after: 0, promised: before }];
  const log = Log.open(disk, OPTIONS);
  const terms = recoveredTerms(log, before);
  const newest = log.loadSnapshot(Number.MAX_SAFE_INTEGER);
  assert.ok(newest.ok);
  let snapshot = newest.value?.position ?? 0;
  const promise = () => promises.push({ after: operations.length, promised: { terms: [...terms], term: log.term, snapshot } });
  promise();
  assert.ok(log.lead().ok);
  promise();
  for (let step = 0; step < steps; step++) {
    const roll = random.float();
    if (roll < 0.65) {
      const group = Array.from({ length: random.chance(0.4) ? random.int(2, 9) : 1 }, (_, i) => payloadOf(log.term, log.last + 1 + i));
      assert.deepEqual(log.append(log.term, log.last + 1, group), { appended: group.length });
      for (const _ of group) terms.push(log.term);
      if (random.chance(0.5)) assert.ok(log.prepare().ok);
    } else if (roll < 0.8) {
      assert.ok(log.mark().ok);
    } else if (roll < 0.85) {
      assert.ok(log.lead().ok);
    } else {
      const position = random.int(Math.max(snapshot, 0), log.last + 1);
      if (position <= snapshot) continue;
      const saved = log.saveSnapshot({ position, payload: snapshotOf(position) });
      assert.ok(saved.ok, saved.ok ? "" : saved.reason);
      snapshot = position;
      promise();
      assert.ok(log.trim().ok);
    }
    promise();
  }
  return { start, operations, promises };
}

/** Opening makes durable what it finds, also what was never acknowledged. */
function recoveredTerms(log: Log, before: Promised): number[] {
  const terms = before.terms.slice(0, log.last + 1);
  for (let position = terms.length; position <= log.last; position++) {
    const read = log.read(position, 1);
    assert.ok(read.ok);
    terms.push(read.value[0]!.term);
  }
  return terms;
}

/** Repeats the first operations of a trace; what had been promised by then comes with the disk. */
function replay(trace: Trace, count: number): { disk: MemoryDisk; promised: Promised } {
  const disk = trace.start.clone();
  for (const operation of trace.operations.slice(0, count)) disk.apply(operation);
  return { disk, promised: trace.promises.findLast(({ after }) => after <= count)!.promised };
}

/** After a power cut: everything promised is there, and the log goes on and survives the next one. */
function check(disk: MemoryDisk, promised: Promised): void {
  const log = Log.open(disk, OPTIONS);
  checkPromised(log, promised);
  const { last } = log;
  const led = log.lead();
  assert.ok(led.ok && led.value > promised.term);
  const more = [payloadOf(led.value, last + 1), payloadOf(led.value, last + 2)];
  assert.deepEqual(log.append(led.value, last + 1, more), { appended: 2 });
  disk.crashKeeping(() => false);
  const again = Log.open(disk, OPTIONS);
  assert.equal(again.last, last + 2);
  checkPromised(again, promised);
}

function checkPromised(log: Log, promised: Promised): void {
  assert.ok(log.last >= promised.terms.length - 1, `position ${promised.terms.length - 1} was acknowledged, the log ends at ${log.last}`);
  assert.ok(log.term >= promised.term, "the term went back");
  const snapshot = log.loadSnapshot(Number.MAX_SAFE_INTEGER);
  assert.ok(snapshot.ok, snapshot.ok ? "" : snapshot.reason);
  const base = snapshot.value?.position ?? 0;
  assert.ok(base >= promised.snapshot, `the snapshot at ${promised.snapshot} was saved, but ${base} is the newest`);
  if (snapshot.value !== undefined)
    assert.ok(Buffer.from(snapshot.value.payload).equals(snapshotOf(base)), `the snapshot at ${base} is another`);
  assert.ok(log.first <= base + 1);
  for (let position = log.first; position <= log.last; ) {
    const read = log.read(position, 1000);
    assert.ok(read.ok, read.ok ? "" : read.reason);
    for (const entry of read.value) {
      assert.equal(entry.position, position);
      if (position < promised.terms.length) assert.equal(entry.term, promised.terms[position]);
      assert.ok(Buffer.from(entry.payload.buffer, entry.payload.byteOffset, entry.payload.length).equals(payloadOf(entry.term, position)));
      position += 1;
    }
  }
}

const NOTHING: Promised = { terms: [0], term: 0, snapshot: 0 };

/** Tries every subset of what is pending after `count` operations, or some of them when there are many. */
function checkPoint(trace: Trace, count: number, random: Random): number {
  const { disk: point, promised } = replay(trace, count);
  // kill -9: the kernel still has everything, the log builds on it, and only then the power goes.
  check(point.clone(), promised);
  const all = point.pending <= SUBSETS_EXPONENT;
  const subsets = 2 ** Math.min(point.pending, SUBSETS_EXPONENT);
  for (let subset = 0; subset < subsets; subset++) {
    const disk = point.clone();
    disk.crashKeeping((index) => (all ? ((subset >> index) & 1) === 1 : random.chance(0.5)));
    check(disk, promised);
  }
  return subsets;
}

test("a power cut after any operation, with any subset of the unsynced ones lost, loses nothing acknowledged [store.A1] [store.S5] [KD1] [KD5]", () => {
  const random = new Random(7, "crash");
  const trace = record(new MemoryDisk(), random, 60, NOTHING);
  const seen = new Set(trace.operations.map(({ type }) => type));
  for (const type of ["create", "write", "sync", "rename", "remove", "sync-names"] as const)
    assert.ok(seen.has(type), `no ${type} in the trace`);
  let states = 0;
  for (let count = 0; count <= trace.operations.length; count++) states += checkPoint(trace, count, random);
  assert.ok(states > 500, `only ${states} states`);
});

test("a power cut during the recovery from a power cut loses nothing either [store.R9] [KD1]", () => {
  const random = new Random(8, "crash");
  const trace = record(new MemoryDisk(), random, 40, NOTHING);
  let cuts = 0;
  for (let count = seedOf("recovery") % RECOVERY_STEP; count <= trace.operations.length; count += RECOVERY_STEP) {
    const { disk, promised } = replay(trace, count);
    disk.crash(random);
    const recovery = record(disk, random, 1, promised);
    cuts += Log.open(disk.clone(), OPTIONS).cut === undefined ? 0 : 1;
    for (let inner = 0; inner <= recovery.operations.length; inner++) checkPoint(recovery, inner, random);
  }
  assert.ok(cuts > 5 / RECOVERY_STEP, `only ${cuts} torn tails`);
});

test(`${CRASHES} power cuts at random, with torn sectors and names out of order, again and again [store.R1] [store.R2] [KD1] [KD5]`, () => {
  const seed = seedOf("crash");
  for (let count = 0; count < CRASHES; ) {
    const random = new Random(seed + count, "crash");
    let disk = new MemoryDisk();
    let promised = NOTHING;
    for (let life = 0; life < 10; life++, count++) {
      const trace = record(disk, random, random.int(1, 30), promised);
      const point = replay(trace, random.int(0, trace.operations.length + 1));
      point.disk.crash(random);
      check(point.disk.clone(), point.promised);
      disk = point.disk;
      promised = point.promised;
    }
  }
});
