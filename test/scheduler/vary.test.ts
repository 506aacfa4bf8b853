/** Cells that experiments make from others, the bound they are held against, and the stress set made of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArgs, cellOf } from "../../bench/cells/args.ts";
import { lowerBound } from "../../bench/cells/bound.ts";
import { build, type CellPlan, GI, type JobPlan } from "../../bench/cells/plan.ts";
import { selected, stressSet } from "../../bench/cells/stress.ts";
import { varied } from "../../bench/cells/vary.ts";
import { Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

const AS_IT_IS = { scaleRam: 1, scaleCpu: 1, sample: 1, vary: 0 };

const machine = (name: string, cores: number, gib: number): CellPlan["machines"][number] => ({
  name,
  facts: { capacity: { cpuMilli: 1000 * cores, ramBytes: gib * GI, diskBytes: GI } },
});

function job(name: string, count: number, cores: number, gib: number, spread: Spread = Spread.SOFT): JobPlan {
  const task = { command: ["run"], limit: { cpuMilli: 1000 * cores, ramBytes: gib * GI } };
  return { spec: { user: "ubar", name, priority: 200, count, task, spread }, ranOn: [] };
}

/** Of ten machines each, so that the tenth with most memory is one of 20. */
const PLAN: CellPlan = {
  machines: Array.from({ length: 10 }, (_, i) => machine(`m${i}`, 10, i < 2 ? 20 : 10)),
  jobs: [job("even", 1, 1, 1), job("ram", 3, 1, 8), job("cpu", 2, 4, 1), job("huge", 1, 1, 15)],
};

const limits = ({ jobs }: CellPlan): unknown =>
  jobs.map(({ spec }) => [(spec.task?.limit?.cpuMilli ?? 0) / 1000, (spec.task?.limit?.ramBytes ?? 0) / GI]);

test("tasks that lean to a resource ask for more of it, at most what a tenth of the machines have [X0]", () => {
  assert.deepEqual(limits(varied(PLAN, { ...AS_IT_IS, scaleRam: 2 })), [
    [1, 1],
    [1, 16],
    [4, 1],
    [1, 20],
  ]);
  assert.deepEqual(limits(varied(PLAN, { ...AS_IT_IS, scaleCpu: 3 })), [
    [3, 1],
    [1, 8],
    [10, 1],
    [1, 15],
  ]);
});

test("a sample has its part of machines and jobs, the same for the same seed; jobs drawn anew keep their number [X0]", () => {
  const whole = cellOf(cellArgs(["--synthetic", "200"]));
  const of = (vary: number) => varied(whole, { ...AS_IT_IS, sample: 0.25, vary });
  assert.deepEqual([of(1).machines.length, of(1).jobs.length], [50, Math.round(whole.jobs.length / 4)]);
  assert.deepEqual(of(1), of(1));
  assert.notDeepEqual(of(1), of(2));
  const drawn = varied(whole, { ...AS_IT_IS, vary: 1 });
  assert.deepEqual([drawn.machines, drawn.jobs.length], [whole.machines, whole.jobs.length]);
  assert.equal(new Set(drawn.jobs.map(({ spec }) => `${spec.user}/${spec.name}`)).size, drawn.jobs.length);
});

test("the bound is what is asked for of what there is, or what only few machines take, or spread needs [X0]", () => {
  const machines = Array.from({ length: 10 }, (_, i) => machine(`m${i}`, 10, i < 5 ? 20 : 10));
  const boundOf = (...jobs: JobPlan[]): number => lowerBound(build({ machines, jobs }), 0);
  const near = (actual: number, expected: number): void => {
    assert.ok(actual <= expected + 1e-9 && actual > expected - 0.01, `${actual} instead of ${expected}`);
  };
  near(boundOf(job("cpu", 50, 1, 1)), 0.5);
  near(boundOf(job("ram", 3, 1, 20)), 0.6);
  near(boundOf(job("wide", 8, 1, 1, Spread.HARD)), 0.8);
  assert.throws(
    () => boundOf(job("nowhere", 1, 11, 1)),
    /1 of 1 tasks fit on no machine even when it is empty: the first is of job "ubar\/nowhere"/,
  );
});

test("the stress set names every row once, and rows are chosen by words [X0]", () => {
  const rows = stressSet("m.csv", "t.csv");
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
  assert.equal(selected(rows, "").length, rows.length);
  assert.deepEqual(
    selected(rows, "ram-2 prod file").map(({ name }) => name),
    ["ram-2 prod file"],
  );
  assert.throws(() => selected(rows, "foo"), /Cannot find "foo" in --only "foo": there are recorded, prod, queue/);
  assert.throws(() => selected(rows, "prod all"), /Cannot find a row with all of "prod all"/);
});
