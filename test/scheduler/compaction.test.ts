/** The experiment that asks how small a cell could be (Borg §5.1), on small made-up cells. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cellArgs } from "../../bench/cells/args.ts";
import { ORDERS } from "../../bench/cells/order.ts";
import { build, GI, type JobPlan } from "../../bench/cells/plan.ts";
import { benchCompaction } from "../../bench/compaction.ts";
import { type Asked, isAnswer, type Result } from "../../bench/packing.ts";
import { amountsOf, placementsText } from "../../bench/placements.ts";
import { commit, mirrorOf, schedule } from "../../bench/schedule.ts";
import { digestOf } from "../../bench/sources.ts";
import { Sizes, type Way } from "../../bench/trials.ts";
import { isUsage } from "../../bench/usage.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { everyJob } from "../../src/scheduler/responsibility.ts";
import type { Policy } from "../../src/scheduler/search/policy.ts";

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

const plainMachine = (name: string) => ({ name, facts: { capacity: { cpuMilli: 10_000, ramBytes: 10 * GI, diskBytes: GI } } });

function plainJob(name: string, count: number, cores: number): JobPlan {
  const task = { command: ["run"], limit: { cpuMilli: 1000 * cores, ramBytes: cores * GI } };
  return { spec: { user: "ubar", name, priority: 200, count, task }, ranOn: [] };
}

const inOrder = (policy: Policy): Way => ({ order: "file", options: { policy }, seed: 1 });

test("whichever policy needs more machines than there are is given more, and nobody is told one more than all [X0]", () => {
  const machines = ["m1", "m2", "m3", "m4"].map(plainMachine);
  const sizes = new Sizes({
    machines,
    jobs: [...["a", "b", "c", "d"].map((name) => plainJob(name, 1, 5)), plainJob("wholes", 2, 10)],
    before: new Set(),
  });
  const fewest = (policy: Policy): number => sizes.fewest((all) => all, inOrder(policy)).names.length;
  assert.equal(fewest("hybrid"), 4);
  assert.equal(fewest("e-pvm"), 6, "worst fit puts a half on each machine");
});

test("work that fits on no eight times the cell is refused, and the job is named [X0]", () => {
  const sizes = new Sizes({ machines: [plainMachine("m1")], jobs: [plainJob("nine", 9, 10)], before: new Set() });
  assert.throws(
    () => sizes.fewest((all) => all, inOrder("hybrid")),
    (error: Error) => isUsage(error) && error.message.includes("8 times") && error.message.includes('1 tasks of job "ubar/nine"'),
  );
});

test("a result that was kept counts only for the same row, policy, draws, programs and files [X0]", () => {
  const asked: Asked = { row: "synthetic-200 prod file", policy: "hybrid", seeds: 3, seed: 42, code: "a", files: "" };
  const kept: Result = { ...asked, p90: 70, min: 69, max: 71, bound: 65 };
  assert.ok(isAnswer(kept, asked));
  for (const other of [{ row: "x" }, { policy: "best-fit" as const }, { seeds: 4 }, { seed: 1 }, { code: "b" }, { files: "c" }])
    assert.ok(!isAnswer(kept, { ...asked, ...other }), JSON.stringify(other));
});

test("a digest changes with a letter of a program, and with nothing else [X0]", () => {
  const directory = mkdtempSync(join(tmpdir(), "sources-"));
  writeFileSync(join(directory, "a.ts"), "1");
  const before = digestOf(directory);
  writeFileSync(join(directory, "notes.md"), "1");
  assert.equal(digestOf(directory), before);
  writeFileSync(join(directory, "a.ts"), "2");
  assert.notEqual(digestOf(directory), before);
  assert.equal(digestOf(), "");
  assert.throws(() => digestOf(join(directory, "nowhere.csv")), isUsage);
  rmSync(directory, { recursive: true });
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
