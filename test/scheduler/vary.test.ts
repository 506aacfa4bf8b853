/** Cells that experiments make from others, the bound they are held against, and the stress set made of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellArgs, cellOf } from "../../bench/cells/args.ts";
import { lowerBound } from "../../bench/cells/bound.ts";
import { expectHomes } from "../../bench/cells/kinds.ts";
import { build, type CellPlan, cloned, GI, type JobPlan, onlyProd } from "../../bench/cells/plan.ts";
import { selected, stressSet } from "../../bench/cells/stress.ts";
import { varied } from "../../bench/cells/vary.ts";
import { isUsage } from "../../bench/usage.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

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
    /1 of 1 tasks fit on no machine even when it is empty: task "ubar\/nowhere\/0" asks for 11000 millicores of cpu where the largest .* has 10000;/,
  );
});

test("a task that fits nowhere is named with what it lacks: a resource, a constraint, or all at once [X0] [S12]", () => {
  const machines = [machine("m1", 10, 5), machine("m2", 5, 10)];
  const refused = (spec: Partial<JobPlan["spec"]>): string => {
    const odd = job("odd", 1, 1, 1);
    try {
      expectHomes(build({ machines, jobs: [{ ...odd, spec: { ...odd.spec, ...spec } }] }), 0.002);
    } catch (error) {
      assert.ok(isUsage(error));
      return error.message;
    }
    return "taken";
  };
  const asking = (limit: object) => ({ task: { command: ["run"], limit } });
  assert.equal(refused({}), "taken");
  assert.match(
    refused(asking({ cpuMilli: 1, ramBytes: 1, extras: [{ name: "gpu", amount: 2 }] })),
    /"ubar\/odd\/0" asks for 2 .*gpu.* has 0;/,
  );
  assert.match(
    refused({ constraints: [{ attribute: "os", operator: Operator.EQUAL, values: ["b"] }] }),
    /"ubar\/odd\/0" needs .*os.*, which no machine has;/,
  );
  assert.match(refused(asking({ cpuMilli: 8000, ramBytes: 8 * GI })), /"ubar\/odd\/0" asks for more at once than any machine/);
});

test("copies of a cell have racks of their own, and their limits name their own jobs; jobs drawn anew name those drawn [X0] [V2]", () => {
  const limited = job("web", 1, 1, 1);
  const plan: CellPlan = {
    machines: [{ name: "m1", facts: { rack: "r1", powerDomain: "p1" } }],
    jobs: [{ ...limited, spec: { ...limited.spec, beside: [{ job: "ubar/mill", max: 0 }] } }, job("mill", 1, 1, 1)],
  };
  const twice = cloned(plan, 2);
  assert.deepEqual(
    twice.machines.map(({ facts }) => [facts.rack, facts.powerDomain]),
    [
      ["c0-r1", "c0-p1"],
      ["c1-r1", "c1-p1"],
    ],
  );
  assert.deepEqual(
    twice.jobs.map(({ spec }) => [spec.user, spec.beside?.[0]?.job]),
    [
      ["c0-ubar", "c0-ubar/mill"],
      ["c0-ubar", undefined],
      ["c1-ubar", "c1-ubar/mill"],
      ["c1-ubar", undefined],
    ],
  );
  for (const seed of [1, 2, 3]) {
    const { jobs } = varied(plan, { ...AS_IT_IS, vary: seed });
    const mills = jobs.map(({ spec }) => `${spec.user}/${spec.name}`).filter((name) => name.startsWith("ubar/mill"));
    for (const { spec } of jobs)
      if (spec.name.startsWith("web"))
        assert.deepEqual(
          (spec.beside ?? []).map((limit) => limit.job),
          mills,
        );
  }
});

test("prod alone keeps every job that asks for anything, and a cell without one is refused [X0] [S12]", () => {
  const empty = job("empty", 2, 0, 0);
  const devices = {
    ...empty,
    spec: { ...empty.spec, name: "devices", task: { command: ["run"], limit: { extras: [{ name: "gpu", amount: 1 }] } } },
  };
  const later = { ...empty, spec: { ...empty.spec, name: "later", overrides: [{ first: 1, last: 1, limit: { cpuMilli: 5 } }] } };
  const batch = { ...job("batch", 1, 1, 1), spec: { ...job("batch", 1, 1, 1).spec, priority: 100 } };
  const names = (jobs: JobPlan[]) => onlyProd({ machines: [], jobs }).jobs.map(({ spec }) => spec.name);
  assert.deepEqual(names([empty, devices, later, batch]), ["devices", "later"]);
  assert.throws(
    () => names([empty, batch]),
    (error: Error) => isUsage(error) && error.message.includes("--only prod"),
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
