import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JournalAnswer } from "../wire/journal.ts";
import { FilesJournal, JournalRefusedError } from "./files-journal.ts";
import { bytes, FIRST_SEGMENT } from "./fixture.test.ts";
import { QUEUE_BYTES_MAX } from "./log-journal.ts";

const WAIT_MS_MAX = 20_000;

async function withJournal(
  act: (directory: string, open: (cell?: string) => Promise<FilesJournal>, answers: JournalAnswer[]) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  const answers: JournalAnswer[] = [];
  const journals: FilesJournal[] = [];
  try {
    await act(
      directory,
      async (cell = "test") => {
        const journal = await FilesJournal.open({ directory, cell, segmentBytes: 2 ** 16 }, (answer) => answers.push(answer));
        journals.push(journal);
        return journal;
      },
      answers,
    );
  } finally {
    for (const journal of journals) await journal.close();
    rmSync(directory, { recursive: true });
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 5) {
    assert.ok(waited < WAIT_MS_MAX, "waited too long");
    await sleep(5);
  }
}

test("an idle log gets a mark after 50 ms, so that the loss of its newest entry is noticed [store.A8] [KD5]", () =>
  withJournal(async (directory, open, answers) => {
    const journal = await open();
    journal.lead();
    journal.append(1, 1, bytes("the only entry"));
    await until(() => answers.length === 2);
    const file = join(directory, FIRST_SEGMENT);
    await until(() => readFileSync(file).includes("MARK"));
    await journal.close();
    const damaged = readFileSync(file);
    damaged[damaged.indexOf("the only entry")]! ^= 1;
    writeFileSync(file, damaged);
    await assert.rejects(
      open(),
      (error) => error instanceof JournalRefusedError && error.exitCode === 78 && /position 1:/.test(error.message),
    );
  }));

test("another cell's directory is refused with exit code 78 [store.R7]", () =>
  withJournal(async (_, open) => {
    await (await open("one")).close();
    await assert.rejects(open("two"), (error) => error instanceof JournalRefusedError && error.exitCode === 78);
  }));

test("a second process or thread cannot open the same directory until the first lets go [store.F6] [KL1]", () =>
  withJournal(async (_, open) => {
    const first = await open();
    await assert.rejects(open(), /another process uses this journal/);
    await first.close();
    await open();
  }));

test("after close, and when the thread is gone, every call is answered as failed [store.A4]", () =>
  withJournal(async (_, open, answers) => {
    const journal = await open();
    await journal.close();
    journal.append(1, 1, bytes("x"));
    journal.lead();
    journal.read(1, 1);
    journal.follow(1);
    journal.unfollow();
    journal.saveSnapshot({ position: 1, payload: bytes("x") });
    journal.loadSnapshot(1);
    await until(() => answers.length === 6);
    assert.deepEqual(
      answers.map((answer) => (answer.type === "not-appended" ? answer.fault : answer.type)),
      ["failed", "not-leading", "not-read", "not-read", "snapshot-not-saved", "snapshot-not-loaded"],
    );
  }));

test("a thread that dies answers what waited as failed [store.A4]", () =>
  withJournal(async (_, open, answers) => {
    const journal = await open();
    journal.lead();
    await until(() => answers.length === 1);
    // Our own bug, as far as the log is concerned: it asserts, and the thread ends.
    journal.append(1, 1, new Uint8Array(1_400_001));
    journal.append(1, 2, bytes("x"));
    journal.read(1, 1);
    await until(() => answers.length === 4);
    assert.deepEqual(
      answers.slice(1).map((answer) => (answer.type === "not-appended" ? answer.fault : answer.type)),
      ["failed", "failed", "not-read"],
    );
  }));

test("beyond its bound the queue answers `unavailable`, after those before it [store.A7] [KB1]", () =>
  withJournal(async (_, open, answers) => {
    const journal = await open();
    journal.lead();
    await until(() => answers.length === 1);
    const payload = new Uint8Array(1_000_000);
    const count = Math.floor(QUEUE_BYTES_MAX / payload.length) + 3;
    for (let position = 1; position <= count; position++) journal.append(1, position, payload);
    await until(() => answers.length === 1 + count);
    assert.ok(answers.slice(1).every((answer, i) => "position" in answer && answer.position === i + 1));
    const refused = answers.filter((answer) => answer.type === "not-appended");
    assert.deepEqual(
      refused.map(({ position, fault }) => [position, fault]),
      [count - 2, count - 1, count].map((position) => [position, "unavailable"]),
    );
  }));
