/** What a task used before its page was opened: asked for in SQL, and joined to what the page sees itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { after, historyPoints, historyQuestion, joined, momentPoints } from "./app/usage-history.ts";

test("Rows of the history become steps, gaps stay gaps, and the page's own points follow [N5] [N8]", () => {
  const row = (at: number, cpu: number): number[] => [at, 300, cpu, 2, 2 ** 30, 2 ** 31];
  const { cpu, ram } = historyPoints({ rows: [row(5000, 1), row(1300, 0.5), row(1000, 0.25)] });
  assert.deepEqual(cpu, [
    [1000, 1299, 1300, 1599, 4999, 5000, 5299],
    [0.25, 0.25, 0.5, 0.5, null, 1, 1],
    [null, null, null, null, null, null, null],
    [2, 2, 2, 2, null, 2, 2],
  ]);
  assert.deepEqual(ram[1]?.slice(0, 2), [1, 1]);
  assert.deepEqual(
    joined(cpu, [[5100], [0.9], [1], [2]])[0],
    [1000, 1299, 1300, 1599, 4999, 5000, 5100],
    "nothing is told twice, and times only grow",
  );
  assert.deepEqual(joined(cpu, [[], [], [], []])[0], cpu[0]);
  assert.deepEqual(historyPoints({ rows: [["x", null, "", {}, 1, 2], []] }).cpu, [[], [], [], []], "what is no number is nothing");
});

test("A name is only ever a text in the question [N5] [KX2]", () => {
  assert.match(historyQuestion("ann/web/3"), /job = 'ann\/web' and task_index = 3 /);
  assert.match(historyQuestion("ann/w'; drop table x/3"), /job = 'ann\/w''; drop table x' and task_index = 3 /);
});

test("What a machine measured second by second holds until the next, and what the page saw comes after it [N5] [N8]", () => {
  const seen = { cpu: [[15, 21], [0.9, 0.8], [1, 1], [2, 3]], ram: [[15, 21], [3, 3], [4, 4], [5, 5]] }; // biome-ignore format: rows
  const moments = [
    { timeMs: 10_000, cpuMilli: 100 },
    { timeMs: 11_000, cpuMilli: 500, ramBytes: 2 ** 30 },
    { timeMs: 16_000, cpuMilli: 200 },
  ];
  const { cpu, ram } = momentPoints({ timeMs: 17_000, moments }, seen);
  assert.deepEqual(cpu, [
    [10, 11, 15, 16],
    [0.1, 0.5, 0.5, 0.2],
    [null, null, 1, 1],
    [2, 2, 2, 2],
  ]);
  assert.deepEqual(ram[1], [0, 1, 1, 0]);
  assert.deepEqual(after(cpu, seen.cpu)[0], [10, 11, 15, 16, 21]);
  assert.deepEqual(momentPoints({}, seen).cpu, [[], [], [], []]);
  assert.deepEqual(after([[], [], [], []], seen.cpu), seen.cpu, "a machine that does not answer leaves what the page saw");
});
