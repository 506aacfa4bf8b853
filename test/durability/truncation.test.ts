import assert from "node:assert/strict";
import { test } from "node:test";
import { DamagedError } from "../../src/store/log/error.ts";
import { Log } from "../../src/store/log.ts";
import { checkContents, countOf, type Pristine, writeLog } from "./pristine.ts";

const TAIL_BYTES = 64 * 1024;

/** Every TRUNCATION_STEP-th byte is tried: 1 tries them all, as the soak does. */
const STEP = countOf("TRUNCATION_STEP", 17);

function truncated(pristine: Pristine, file: string, size: number) {
  const disk = pristine.disk.clone();
  disk.truncate(file, size);
  disk.sync(file);
  return disk;
}

test("a log cut short at any byte of its last 64 KiB opens with exactly the entries that are still whole [store.R1] [store.R13] [KD5]", () => {
  const pristine = writeLog(1, 128 * 1024, 500, 250);
  const { file, end } = pristine.records.at(-1)!;
  assert.equal(pristine.disk.list().length, 1, "this test wants one segment");
  assert.ok(end > TAIL_BYTES);
  for (let size = end - TAIL_BYTES; size <= end + 16; size += STEP) {
    const log = Log.open(truncated(pristine, file, size), pristine.options);
    const whole = pristine.records.filter((record) => record.end <= size);
    const entries = whole.filter(({ kind }) => kind === "entry").length;
    const covered = Math.max(...whole.map(({ acknowledged }) => acknowledged));
    assert.equal(log.last, entries, `cut at byte ${size}`);
    assert.ok(log.last >= covered);
    checkContents(log, pristine, size % 64 === 0 ? 1 : Math.max(1, log.last - 2));
  }
});

test("a log cut short can be appended to and opened again [store.R13] [KD1]", () => {
  const pristine = writeLog(2, 16 * 1024, 40, 250);
  const { file, end } = pristine.records.at(-1)!;
  for (let size = 128; size <= end; size += 7) {
    const disk = truncated(pristine, file, size);
    const log = Log.open(disk, pristine.options);
    const before = log.last;
    const term = log.lead();
    assert.ok(term.ok);
    assert.deepEqual(log.append(term.value, before + 1, [pristine.payloads[before + 1] ?? new Uint8Array(9)]), { appended: 1 });
    disk.crashKeeping(() => false);
    const again = Log.open(disk, pristine.options);
    assert.equal(again.cut, undefined);
    assert.equal(again.last, before + 1);
    assert.equal(again.term, term.value);
    checkContents(again, pristine, 1);
  }
});

test("an earlier segment cut short is refused, naming the first entry that is gone [store.R3] [KD5]", () => {
  const pristine = writeLog(3, 16 * 1024, 300, 250);
  const [first, second] = pristine.disk.list() as [string, string];
  assert.ok(second !== undefined);
  const seal = pristine.records.find(({ kind }) => kind === "seal")!;
  for (let size = 0; size < seal.end; size += STEP * 3) {
    const gone = pristine.records.find((record) => record.file === first && record.end > size)!;
    const position = gone.kind === "entry" || gone.kind === "header" ? Math.max(gone.position, 1) : gone.position + 1;
    assert.throws(
      () => Log.open(truncated(pristine, first, size), pristine.options),
      (error) => error instanceof DamagedError && error.file === first && error.offset === gone.start && error.position === position,
      `cut at byte ${size}`,
    );
  }
});
