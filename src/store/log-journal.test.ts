import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalAnswer } from "../wire/journal.ts";
import { bytes, filledLog, rot } from "./fixture.test.ts";
import { LogJournal, QUEUE_ENTRIES_MAX } from "./log-journal.ts";

function journalOf(count: number, options = {}) {
  const { disk, log } = filledLog(count, options);
  const answers: JournalAnswer[] = [];
  const waiting: (() => void)[] = [];
  const journal = new LogJournal({ log, listener: (answer) => answers.push(answer), defer: (act) => waiting.push(act) });
  const run = () => {
    for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) act();
  };
  return { disk, log, journal, answers, run };
}

test("appends that arrive together are one batch with one sync [store.A2]", () => {
  const { disk, journal, answers, run } = journalOf(1, { segmentBytes: 2 ** 16 });
  let syncs = 0;
  disk.recorder = ({ type }) => {
    if (type === "sync") syncs += 1;
  };
  for (let position = 2; position <= 51; position++) journal.append(1, position, bytes("x"));
  run();
  assert.equal(syncs, 1);
  assert.deepEqual(
    answers,
    Array.from({ length: 50 }, (_, i) => ({ type: "appended", position: i + 2 })),
  );
});

test("beyond its bound the queue answers `unavailable`, in call order, and nothing is lost before it [store.A7] [KB1]", () => {
  const { log, journal, answers, run } = journalOf(0, { segmentBytes: 2 ** 21 });
  for (let position = 1; position <= QUEUE_ENTRIES_MAX + 5; position++) journal.append(1, position, bytes("x"));
  run();
  assert.equal(log.last, QUEUE_ENTRIES_MAX);
  assert.equal(answers.length, QUEUE_ENTRIES_MAX + 5);
  assert.ok(answers.every((answer, i) => "position" in answer && answer.position === i + 1));
  assert.ok(answers.slice(-5).every((answer) => answer.type === "not-appended" && answer.fault === "unavailable"));
});

test("after a failed sync every call is answered with failure [store.A4]", () => {
  const { disk, journal, answers, run } = journalOf(3);
  disk.fault = ({ type }) => (type === "sync" ? "io" : undefined);
  journal.append(1, 4, bytes("x"));
  run();
  disk.fault = undefined;
  journal.append(1, 4, bytes("x"));
  journal.lead();
  journal.read(1, 1);
  journal.follow(1);
  journal.saveSnapshot({ position: 1, payload: bytes("s") });
  run();
  assert.deepEqual(
    answers.map((answer) => (answer.type === "not-appended" ? answer.fault : answer.type)),
    ["failed", "failed", "not-leading", "not-read", "not-read", "snapshot-not-saved"],
  );
});

test("a follower is told of damage in history and followed no further [store.H2]", () => {
  const { disk, journal, answers, run } = journalOf(5);
  rot(disk, 3);
  journal.follow(1);
  run();
  journal.append(1, 6, bytes("x"));
  run();
  assert.deepEqual(
    answers.map(({ type }) => type),
    ["not-read", "appended"],
  );
});

test("saving a snapshot trims history by the retention [store.H3]", () => {
  const { log, journal, answers, run } = journalOf(60, { retention: { ageMs: 0, bytes: 0 } });
  journal.saveSnapshot({ position: 55, payload: bytes("s") });
  run();
  assert.deepEqual(answers, [{ type: "snapshot-saved", position: 55 }]);
  assert.ok(log.first > 40);
});

test("idle() marks the log, but not while appends wait [store.A8]", () => {
  const { disk, journal, run } = journalOf(3);
  let writes = 0;
  disk.recorder = ({ type }) => {
    if (type === "write") writes += 1;
  };
  journal.append(1, 4, bytes("x"));
  journal.idle();
  assert.equal(writes, 0);
  run();
  journal.idle();
  assert.equal(writes, 2);
});

test("a large snapshot is saved in steps, and appends go between them [store.S9]", () => {
  const { disk, log, journal, answers, run } = journalOf(3, { segmentBytes: 2 ** 16 });
  const payload = new Uint8Array(5 * 2 ** 20 + 7).fill(9);
  let written = 0;
  let position = 4;
  const before: number[] = [];
  disk.recorder = (operation) => {
    if (operation.type !== "write" || !operation.name.includes(".snap")) return;
    written += 1;
    journal.append(1, position, bytes("x"));
    position += 1;
    before.push(log.last);
  };
  journal.saveSnapshot({ position: 3, payload });
  run();
  disk.recorder = undefined;
  assert.equal(written, 7);
  assert.deepEqual(before, [3, 4, 5, 6, 7, 8, 8], "each append was durable before the next piece was written");
  assert.deepEqual(answers.at(-1), { type: "snapshot-saved", position: 3 });
  const loaded = log.loadSnapshot(3);
  assert.ok(loaded.ok && Buffer.compare(loaded.value!.payload, payload) === 0);
  for (let i = 0; i < 5; i++) journal.saveSnapshot({ position: 4, payload: bytes("s") });
  run();
  assert.deepEqual(
    answers.slice(-5).map(({ type }) => type),
    ["snapshot-not-saved", "snapshot-not-saved", "snapshot-saved", "snapshot-saved", "snapshot-saved"],
  );
});
