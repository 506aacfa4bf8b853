/** Jobs that want no two tasks on one machine, among many others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, type CellPlan, GI, type JobPlan } from "../../bench/cells/plan.ts";
import { commit, schedule } from "../../bench/schedule.ts";
import { imageOf } from "../../src/cell/feed.ts";
import type { PlannedClaim } from "../../src/scheduler/message.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { everyJob } from "../../src/scheduler/responsibility.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { mirrorOf } from "./support.ts";

const MACHINES = 40;
const CORES = 10;
const WITH_SSD = 15;

function job(name: string, count: number, cores: number, spread: Spread = Spread.SOFT): JobPlan {
  const task = { command: ["run"], limit: { cpuMilli: 1000 * cores, ramBytes: cores * GI } };
  return { spec: { user: "ubar", name, priority: 200, count, task, spread }, ranOn: [] };
}

/** Machines that have an ssd come first. One user, whose jobs take turns by their names: those that are wide come last. */
function cell(others: number, ...wide: JobPlan[]): CellPlan {
  const capacity = { cpuMilli: 1000 * CORES, ramBytes: CORES * GI, diskBytes: GI };
  const machines = Array.from({ length: MACHINES }, (_, i) => {
    const attributes = i < WITH_SSD ? [{ key: "ssd", value: "yes" }] : [];
    return { name: `m${100 + i}`, facts: { capacity, attributes } };
  });
  return { machines, jobs: [...Array.from({ length: others }, (_, i) => job(`job-${1000 + i}`, 1, 1)), ...wide] };
}

/** The tasks that were placed, in the order of their claims; the cell has agreed to each. */
function placedIn(plan: CellPlan): string[] {
  const state = build(plan);
  const mirror = mirrorOf(imageOf(state));
  const claims: PlannedClaim[] = [];
  schedule(mirror, new Queue({ mine: everyJob("service"), retryMs: 10_000 }), (transaction) => {
    commit(state, transaction);
    claims.push(...transaction.claims);
  });
  return claims.map(({ task }) => task as string);
}

const isWide = (task: string): boolean => task.includes("wide");

test("a job that needs many machines goes first when those with room become few, and everything is placed [scheduler.Q8] [S1]", () => {
  const [wide, others] = [30, (MACHINES - 12) * CORES];
  const placed = placedIn(cell(others, job("wide", wide, 4, Spread.HARD)));
  assert.equal(placed.length, wide + others);
  const first = placed.findIndex(isWide);
  assert.ok(first > 10, `it waits for its turn while there is enough, and came at ${first}`);
  assert.ok(placed.slice(first, first + wide).every(isWide), "then it is placed whole");
  assert.ok(!isWide(placed.at(-1) as string), "before others are");
});

test("a job that cannot be placed whole jumps no line [scheduler.Q8] [scheduler.Q2]", () => {
  const others = 60;
  const placed = placedIn(cell(others, job("wide", MACHINES + 1, 4, Spread.HARD)));
  assert.equal(placed.findIndex(isWide), others);
});

test("a job whose constraints few machines meet jumps no line [scheduler.Q8] [scheduler.Q2]", () => {
  const others = 60;
  const { spec, ranOn } = job("wide", WITH_SSD, 1, Spread.HARD);
  const odd = { spec: { ...spec, constraints: [{ attribute: "ssd", operator: Operator.EQUAL, values: ["yes"] }] }, ranOn };
  const placed = placedIn(cell(others, odd));
  assert.equal(placed.findIndex(isWide), others);
});

test("machines are counted for all such jobs together: each alone would have had enough for long [scheduler.Q8]", () => {
  const others = 200;
  const placed = placedIn(cell(others, job("wide-a", 16, 6, Spread.HARD), job("wide-b", 16, 6, Spread.HARD)));
  assert.equal(placed.length, others + 32);
});

test("one that could be placed whole is helped as far as there is room when another took it [scheduler.Q8]", () => {
  const placed = placedIn(cell(60, job("wide-a", 25, 6, Spread.HARD), job("wide-b", 20, 6, Spread.HARD)));
  assert.equal(
    placed.findIndex((task) => !isWide(task)),
    MACHINES,
    "the tighter one whole, and of the other what fits",
  );
});
