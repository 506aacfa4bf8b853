/** The experiment that asks how small a cell could be (Borg §5.1), on small made-up cells. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArgs } from "../../bench/cells/args.ts";
import { ORDERS } from "../../bench/cells/order.ts";
import { build } from "../../bench/cells/plan.ts";
import { benchCompaction } from "../../bench/compaction.ts";
import { amountsOf, placementsText } from "../../bench/placements.ts";
import { commit, mirrorOf, schedule } from "../../bench/schedule.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { everyJob } from "../../src/scheduler/responsibility.ts";

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

test("what was asked for, what was placed and where is told of every task and resource [X0] [G7]", () => {
  const limit = { cpuMilli: 600, ramBytes: 1024, extras: [{ name: "gpu-milli", amount: 500 }] };
  const facts = {
    capacity: { cpuMilli: 1000, ramBytes: 8192, extras: [{ name: "gpu-milli", amount: 1000 }] },
    devices: [{ name: "gpu-milli", unit: 1000 }],
  };
  const state = build({
    machines: [{ name: "m1", facts }],
    jobs: [{ spec: { user: "ann", name: "web", priority: 0, count: 2, task: { command: ["run"], limit } }, ranOn: [] }],
  });
  const mirror = mirrorOf(state);
  schedule(mirror, new Queue({ mine: everyJob("service"), retryMs: 10_000 }), (transaction) => void commit(state, transaction));
  assert.equal(placementsText(state), "task,machine,devices\nann/web/0,m1,gpu-milli:0:500\nann/web/1,,\n");
  const { "asked cpu": asked, "used cpu": used, "there gpu-milli": there } = amountsOf(state);
  assert.deepEqual([asked, used, there], [1200, 600, 1000]);
});
