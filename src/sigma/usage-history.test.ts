/** What a task used before its page was opened: asked for in SQL, and joined to what the page sees itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyPoints, historyQuestion, joined } from "./app/usage-history.ts";

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
