/** When a log was written: what is noted, how far, and how it becomes coarse. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LogTimes, MARKS_MAX, marksOf, offsetSince, thinner } from "./log-times.ts";

const FILE_BYTES = 100;

class Log {
  readonly directory = mkdtempSync(join(tmpdir(), "openborg-times-"));
  times = new LogTimes(FILE_BYTES);
  #file = "out.0000000000000000";

  /** The keeper writes; the file has that time. */
  write(text: string, atMs: number): void {
    appendFileSync(join(this.directory, this.#file), text);
    utimesSync(join(this.directory, this.#file), atMs / 1000, atMs / 1000);
  }

  rotate(at: number): void {
    this.#file = `out.${String(at).padStart(16, "0")}`;
  }

  look(nowMs: number): void {
    this.times.look(this.directory, nowMs);
  }

  marks(offset = 0, end = Number.MAX_SAFE_INTEGER): string[] {
    return marksOf(this.directory, "out", offset, end).map((mark) => `${mark.offset}: ${mark.fromMs}-${mark.toMs}`);
  }

  since(ms: number): number {
    return offsetSince(this.directory, "out", ms);
  }
}

function withLog(use: (log: Log) => void): void {
  const log = new Log();
  try {
    use(log);
  } finally {
    rmSync(log.directory, { recursive: true });
  }
}

test("what was written is noted between the look that did not see it and the file's own time [borglet.L5] [N6]", () => {
  withLog((log) => {
    log.look(1000);
    log.write("one\n", 1400);
    log.look(2000);
    log.look(3000);
    log.write("two\n", 3900);
    log.look(4000);
    assert.deepEqual(log.marks(), ["4: 1000-1400", "8: 3000-3900"]);
    assert.deepEqual(log.marks(0, 4), ["4: 1000-1400"]);
    assert.deepEqual(log.marks(4, 5), ["8: 3000-3900"]);
    assert.deepEqual(log.marks(8, 8), []);
    assert.deepEqual(
      [0, 1400, 1401, 3900, 3901].map((ms) => log.since(ms)),
      [0, 0, 4, 4, 8],
      "never too late",
    );
  });
});

test("while no borglet looks, what is written lies between its last note and the file's time; an old log has no beginning [borglet.L5]", () => {
  withLog((log) => {
    log.write("before anybody looked\n", 5000);
    log.look(9000);
    assert.deepEqual(log.marks(), ["22: 0-5000"]);
    log.times = new LogTimes(FILE_BYTES);
    log.write("more\n", 20_000);
    log.look(90_000);
    assert.deepEqual(log.marks(22), ["27: 5000-20000"]);
    log.write("x", 200_000);
    log.look(91_000);
    assert.deepEqual(log.marks(27), ["28: 90000-91000"], "a clock that was set back claims nothing of the future");
  });
});

test("rotation is followed, also to a file that began before the last was full; a torn note is passed over [borglet.L5] [borglet.L2]", () => {
  withLog((log) => {
    log.look(1000);
    log.write("x".repeat(FILE_BYTES), 1500);
    log.look(2000);
    log.rotate(FILE_BYTES);
    log.write("y", 2500);
    log.look(3000);
    assert.deepEqual(log.marks(), ["100: 1000-1500", "101: 2000-2500"]);
    log.rotate(500);
    log.write("z", 3500);
    for (let i = 1; i <= 16; i++) log.look(3000 + i * 1000);
    assert.deepEqual(
      log.marks(101).map((mark) => mark.split(":")[0]),
      ["501"],
    );
    writeFileSync(join(log.directory, "times.out"), "10 1 2\n20 3 4\n30 5");
    log.times = new LogTimes(FILE_BYTES);
    assert.deepEqual(log.marks(), ["10: 1-2", "20: 3-4"]);
  });
});

test("notes are bounded: old ones are joined, and say no more than both did [borglet.L5] [KB1]", () => {
  withLog((log) => {
    log.look(0);
    for (let i = 1; i <= 2 * MARKS_MAX; i++) {
      log.times = i % 1000 === 0 ? new LogTimes(2 ** 20) : log.times;
      log.write("x", i * 1000);
      log.look(i * 1000);
    }
    const notes = readFileSync(join(log.directory, "times.out"), "utf8").trimEnd().split("\n");
    assert.ok(notes.length <= MARKS_MAX && notes.length > 600, String(notes.length));
    assert.equal(log.since(1500 * 1000) <= 1500, true);
  });
  const marks = Array.from({ length: 1001 }, (_, i) => ({ offset: i + 1, fromMs: i * 10, toMs: i * 10 + 5 }));
  const fewer = thinner(marks);
  assert.equal(fewer.length, 512 + Math.ceil((1001 - 512) / 2));
  assert.deepEqual(fewer[0], { offset: 2, fromMs: 0, toMs: 15 });
  for (const { offset, fromMs, toMs } of marks) {
    const joined = fewer.find((mark) => mark.offset >= offset)!;
    assert.ok(joined.fromMs <= fromMs && joined.toMs >= toMs, String(offset));
  }
});
