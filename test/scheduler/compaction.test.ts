/** The experiment that asks how small a cell could be (Borg §5.1), on small made-up cells. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArgs } from "../../bench/cells/args.ts";
import { ORDERS } from "../../bench/cells/order.ts";
import { benchCompaction } from "../../bench/compaction.ts";

const compact = (...more: string[]): ReturnType<typeof benchCompaction> =>
  benchCompaction(cellArgs(["--synthetic", "150", "--only", "prod", "--seeds", "5", ...more]));

test("compaction gives the machines needed over the seeds, the same for the same seed [X0] [S1]", () => {
  const first = compact();
  const { p90, median, min, max } = first as Record<string, number>;
  assert.ok(min !== undefined && median !== undefined && p90 !== undefined && max !== undefined);
  assert.ok(20 < min && min <= median && median <= p90 && p90 <= max && max < 100, JSON.stringify(first));
  assert.deepEqual(compact(), first);
  assert.notDeepEqual(compact("--seed", "7"), first);
});

test("hybrid packs no worse than best fit in any order [X0] [S7]", (t) => {
  for (const order of ORDERS) {
    const [hybrid, bestFit] = [compact("--order", order), compact("--order", order, "--policy", "best-fit")];
    t.diagnostic(`${order}: hybrid ${hybrid["p90"]} %, best fit ${bestFit["p90"]} %`);
    assert.ok((hybrid["p90"] as number) <= (bestFit["p90"] as number), order);
  }
});

test("a cell that is too small for its work gets more machines: 1,200 tasks of which 40 fit on each of 20 [X0]", () => {
  const { p90, min } = benchCompaction(cellArgs(["--workload", "uniform", "--nodes", "20", "--count", "200", "--seeds", "2"]));
  assert.deepEqual([min, p90], [150, 150]);
});
