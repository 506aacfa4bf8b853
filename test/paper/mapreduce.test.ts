/** What the Omega paper says of its MapReduce scheduler (§6.1), on a made-up cell and on one made from the trace. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type PlannedCell, planCell, readTrace } from "../../bench/mapreduce/cell.ts";
import { MAPREDUCE_INPUTS } from "../../bench/mapreduce/inputs.ts";
import { Day, drawRuns } from "../../bench/mapreduce/policies.ts";
import { POLICIES } from "../../examples/scheduler/mapreduce/policy.ts";
import { Random } from "../../src/base/random.ts";

/** How many times sooner jobs are done with each policy, in the mean of logarithms; and how much utilisation varies, without any and with each. */
function compared(cell: PlannedCell, seed: number): { readonly gains: readonly number[]; readonly deviations: readonly number[] } {
  const runs = drawRuns(cell.templates, new Random(seed));
  const without = new Day(cell, runs, undefined).live();
  const days = POLICIES.map((policy) => new Day(cell, runs, policy).live());
  const gain = (tookMs: readonly number[]): number => {
    assert.equal(tookMs.filter((ms) => ms > 0).length, runs.length, "Every job is done");
    return Math.exp(tookMs.reduce((sum, ms, i) => sum + Math.log((without.tookMs[i] ?? 0) / ms), 0) / runs.length);
  };
  const deviation = (all: readonly number[]): number => {
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    return Math.sqrt(all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / all.length);
  };
  return { gains: days.map(({ tookMs }) => gain(tookMs)), deviations: [without, ...days].map(({ utilisation }) => deviation(utilisation)) };
}

/** Machines of ten cores of which so many are taken by others. */
function madeUp(taken: number): PlannedCell {
  const free = Array.from({ length: 100 }, () => ({ cpu: 10_000 * (1 - taken), ram: 10_000 * (1 - taken) }));
  const templates = Array.from({ length: 20 }, (_, i) => ({ name: `j${i}`, workers: 2 + i, size: { cpu: 200, ram: 200 } }));
  return { capacity: { cpu: 1_000_000, ram: 1_000_000 }, free, templates };
}

test("idle room makes MapReduce jobs end sooner, max-parallelism most; a full cell leaves nothing to global-cap; utilisation varies more (Omega §6.1) [O12]", () => {
  const [idle, full] = [compared(madeUp(0.2), 3), compared(madeUp(0.65), 3)];
  const [most = 0, capped = 0, relative = 0] = idle.gains;
  assert.ok(most > 3 && most >= capped && most > relative && relative > 1.5 && relative <= 4, `${idle.gains}`);
  assert.ok((full.gains[1] ?? 0) < 1.01 && (full.gains[0] ?? 0) > 1.2, `${full.gains}`);
  assert.ok((idle.deviations[1] ?? 0) > (idle.deviations[0] ?? 0));
});

test("the same on a cell made from the trace of 2011 [O12]", (t) => {
  if (!existsSync(join(process.env["BORG_TRACE_DIR"] ?? "", "tasks.csv.gz")))
    return t.skip("no trace: say where it is with BORG_TRACE_DIR");
  const small = MAPREDUCE_INPUTS.cells.find(({ name }) => name === "D");
  assert.ok(small !== undefined);
  const [most = 0, capped = 0, relative = 0] = compared(planCell(readTrace(), small, 1), 1).gains;
  assert.ok(most > 2 && Math.abs(most / capped - 1) < 0.1, `On a small idle cell the cap costs little: ${most}, ${capped}`);
  assert.ok(relative > 1.5 && relative <= 4);
});
