/** The first of many tasks by a figure: those that one finds who sorts them all, and no more than the bound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../base/random.ts";
import type { Task } from "../../cell/state.ts";
import { firstTasks, SORTED_MAX } from "./task-order.ts";
import { UsageTable } from "./usage-table.ts";

test("firstTasks() finds the first of more tasks than it keeps, among equals in their order, up to its bound [N9]", () => {
  const random = new Random(1);
  const tasks = Array.from({ length: 3 * SORTED_MAX }, (_, i) => ({
    id: `ann/web/${i}`,
    starts: 1 + random.int(0, 50),
    instance: undefined,
  }));
  const names = (sign: 1 | -1) => tasks.toSorted((a, b) => sign * (b.starts - a.starts)).map(({ id }) => id);
  const found = (sort: string, most: number) => firstTasks(tasks as unknown as readonly Task[], sort, most, new UsageTable());
  assert.deepEqual(found("restarts", 500), names(1).slice(0, 500));
  assert.deepEqual(found("-restarts", 500), names(-1).slice(0, 500));
  assert.deepEqual(found("restarts", 2 * SORTED_MAX), names(1).slice(0, SORTED_MAX));
});
