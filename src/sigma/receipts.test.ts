/** Receipts of preemptions, from events: who, for whom, where, by which rule, and what it was worth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { receiptsOf, ruleWords, sumWords, worthWords } from "./app/receipts.ts";
import type { Happened } from "./app/shapes.ts";

const event = (position: number, subject: string, to: string, more: object = {}): Happened => ({
  text: "",
  event: { position, timeMs: 1000 * position, kind: "EVENT_KIND_TASK_STATE", subject, to, ...more },
});

const made = { cause: "CAUSE_PREEMPTION", preemptor: "bob/prod/0:1", instance: "ann/batch/3:1", machine: "m1" };
const STORY: readonly Happened[] = [
  event(200, "ann/batch/3", "starting", { instance: "ann/batch/3:2", machine: "m2" }),
  event(110, "ann/batch/3", "pending", made),
  event(100, "ann/batch/3", "stopping", made),
  event(40, "ann/batch/3", "starting", { instance: "ann/batch/3:1", machine: "m1" }),
  event(120, "ann/other/0", "stopping", { cause: "CAUSE_KILLED", instance: "ann/other/0:1" }),
];

test("A receipt for each instance that made way, once, with what came before and after [N5] [P3] [G5]", () => {
  assert.deepEqual(receiptsOf(STORY), [
    {
      ...{ victim: "ann/batch/3", instance: "ann/batch/3:1", machine: "m1", preemptor: "bob/prod/0", timeMs: 100_000, ranMs: 60_000 },
      next: { machine: "m2", afterMs: 100_000 },
    },
  ]);
  assert.equal(receiptsOf(STORY.slice(1, 3))[0]?.ranMs, undefined, "nobody remembers");
  assert.deepEqual(
    [sumWords(receiptsOf(STORY), "ann/batch"), sumWords(receiptsOf(STORY), "bob/prod")],
    ["It made way once", "Others made way for it once"],
  );
});

test("The rule and the worth are told in words; of a job that is forgotten, what is left [N5]", () => {
  const [receipt] = receiptsOf(STORY);
  const job = (band: string, priority: number) => ({ name: "x", state: "running", band: `BAND_${band}`, priority });
  const limit = { cpuMilli: 500, ramBytes: 2 ** 28 };
  assert.equal(
    ruleWords(job("PRODUCTION", 210), job("BATCH", 100)),
    "Production (priority 210) may take the place of batch (priority 100).",
  );
  assert.equal(ruleWords(job("BATCH", 119), job("BATCH", 110)), "Priority 119 goes before priority 110.");
  assert.equal(ruleWords(job("BATCH", 100), job("BATCH", 100)), "It was over its memory limit, and such a task goes first.");
  assert.equal(ruleWords(undefined, job("BATCH", 100)), "");
  assert.equal(
    worthWords(receipt!, { job: { ...job("BATCH", 100), limit } }, true),
    "It freed 0.50 cores and 0.25 GiB; it had been there for 1 min; it went on at m2 1 min later.",
  );
  assert.equal(worthWords({ ...receipt!, ranMs: undefined, next: undefined }, undefined, true), "It has no other machine yet.");
  assert.equal(
    worthWords(receipt!, { job: { ...job("BATCH", 100), limit } }, false),
    "It freed 0.50 cores and 0.25 GiB.",
    "events of the other side do not tell",
  );
});
