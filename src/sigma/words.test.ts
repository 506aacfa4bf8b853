import assert from "node:assert/strict";
import { test } from "node:test";
import { LINE_MAX, LINES_MAX, logText, newLog, shownLines } from "./app/log-text.ts";
import { age, cellSentence, clock, figure, jobWords, trafficWords } from "./app/words.ts";

const NOW = new Date(2026, 5, 1, 15, 30).getTime();

test("One sentence says how the cell is, and nothing that is nothing [N5]", () => {
  const said = (cell: object): string => {
    const { look, words } = cellSentence({ name: "cc", user: "ann", ...cell }, NOW);
    return `${look}: ${words}`;
  };
  assert.equal(said({}), "waits: No machine has joined this cell yet.");
  assert.equal(said({ machines: 3 }), "runs: No tasks yet; all 3 machines answer.");
  assert.equal(said({ machines: 1, rest: { running: 1 } }), "runs: The only task runs; its machine answers.");
  assert.equal(
    said({ machines: 12_477, production: { running: 412 }, rest: { running: 8, pending: 2, jobsPending: 1 } }),
    "waits: All 412 production tasks run, 8 of 10 other tasks run; all 12,477 machines answer.",
  );
  assert.equal(
    said({ machines: 9, unreachable: 3, unreachableMs: NOW - 88 * 60_000, production: { running: 412 } }),
    "failed: All 412 production tasks run; 3 machines do not answer since 14:02.",
  );
  assert.equal(
    said({ machines: 2, rest: { running: 1, failing: 1, jobsFailing: 1 } }),
    "failed: 1 of 2 tasks runs; all 2 machines answer.",
  );
});

test("A job says what is wrong with it [N5]", () => {
  const said = (job: object): string => {
    const { look, words } = jobWords({ name: "ann/web", state: "running", count: 3, ...job });
    return `${look}: ${words}`;
  };
  assert.equal(said({ running: 3 }), "runs: All 3 tasks run");
  assert.equal(
    said({ running: 1, backingOff: 1, pending: 1 }),
    "failed: 1 of 3 tasks runs, 1 fails and will be tried again, 1 waits for a machine",
  );
  assert.equal(said({ count: 1, pending: 1 }), "waits: Its task waits for a machine");
  assert.equal(said({ state: "dead", finished: 2, killed: 1 }), "gone: Ended: 2 finished, 1 was killed");
  assert.equal(said({ held: true, startAfter: "ann/first" }), "waits: Waits for the end of ann/first");
});

test("Numbers have three figures, times the largest unit that says enough [N5]", () => {
  assert.deepEqual([0, 3, 0.004, 0.25, 12.34, 123.4, 12_477].map(figure), ["0", "3", "0.004", "0.25", "12.3", "123", "12,477"]);
  assert.deepEqual([999, 61_000, 7_200_000, 300_000_000].map(age), ["0 s", "1 min", "2 h", "3 d"]);
  assert.deepEqual([clock(NOW, NOW), clock(NOW - 86_400_000, NOW)], ["15:30", "31 May 15:30"]);
});

test("A log is text, whatever was written, and bounded [N5] [KX2]", () => {
  const shown = (text: string): readonly string[] => shownLines(logText(newLog(), text), "").lines.map((line) => line.text);
  assert.deepEqual(shown("<img src=x onerror=alert(1)>\nplain"), ["<img src=x onerror=alert(1)>", "plain"]);
  assert.deepEqual(shown("\u001b[31mred\u001b[0m \u001b]0;title\u0007a\u0000b\u0008\rc\u202egnp\n"), ["red abcgnp"]);
  const [long] = shown("x".repeat(10 * 2 ** 20));
  assert.equal(long, `${"x".repeat(LINE_MAX)} … (10,485,760 characters)`);
  let log = newLog();
  for (let i = 0; i < 30; i++) log = logText(log, "line\n".repeat(100));
  assert.deepEqual([log.lines.length, log.isCut, log.written], [LINES_MAX, true, 3000]);
  const pieces = logText(logText(logText(newLog(), "one li"), "ne\ntwo"), "\nthree");
  assert.deepEqual(
    shownLines(pieces, "").lines.map(({ number, text }) => `${number} ${text}`),
    ["0 one line", "1 two", "2 three"],
  );
  assert.deepEqual(shownLines(pieces, "T").matches, 2);
});

test("what a task moved between memory and disks is said where its machine knows it [N5] [borglet.U9]", () => {
  assert.equal(trafficWords({}), "");
  assert.equal(trafficWords({ diskTraffic: {} }), "0 GiB read from disks and 0 GiB written since its run began");
  assert.equal(
    trafficWords({ diskTraffic: { readBytes: 2 ** 31, writtenBytes: 2 ** 29 } }),
    "2 GiB read from disks and 0.50 GiB written since its run began",
  );
});
