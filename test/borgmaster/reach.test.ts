import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MASTER } from "../../src/borgmaster/defaults.ts";
import { Lanes } from "../../src/borgmaster/lanes.ts";
import { Reach } from "../../src/borgmaster/reach.ts";
import { seal } from "../../src/cell/op.ts";
import { limit, World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

/** A cell of n machines in racks of ten, each with one task. */
function cell(machines: number): World {
  const world = new World().init();
  for (let i = 0; i < machines; i++) world.machine(`m${i}`, 4000, 2 ** 33, { rack: `r${Math.floor(i / 10)}` });
  world.submit("web", { count: machines, task: { limit: limit(100, 1000) } });
  for (let i = 0; i < machines; i++) world.claim(`ubar/web/${i}`, `m${i}`);
  return world;
}

const silence = (world: World, ...machines: number[]): void => {
  for (const i of machines) world.must(world.master({ case: "machineMark", value: { machine: `m${i}`, reachable: false } }));
};

/** Ticks once a second and applies; how many machines had been given up after each minute. */
function run(world: World, minutes: number): number[] {
  const env = new TestEnv<never>();
  const reach = new Reach(env, DEFAULT_MASTER.reach);
  reach.reset();
  const counts: number[] = [];
  for (let second = 1; second <= minutes * 60; second++) {
    env.nowMs += 1000;
    for (const op of reach.tick(world.state)) assert.equal(world.say(op), "ok");
    if (second % 60 === 0)
      counts.push(world.state.jobs.get("ubar/web" as never)?.tasks.filter((task) => task.state === "pending").length ?? 0);
  }
  return counts;
}

test("one machine is given up at once, then one a minute in a small cell [KP3] [V4]", () => {
  const world = cell(12);
  silence(world, 0, 1, 2);
  assert.deepEqual(run(world, 4), [1, 2, 3, 3]);
});

test("a machine that answers again is not given up [B4]", () => {
  const world = cell(12);
  silence(world, 0, 1);
  const env = new TestEnv<never>();
  const reach = new Reach(env, DEFAULT_MASTER.reach);
  reach.reset();
  for (const op of reach.tick(world.state)) world.must(op);
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: true } }));
  env.nowMs += 600_000;
  assert.deepEqual(reach.tick(world.state), []);
});

test("more than 30 % and at least ten machines at once: nobody is given up [KP3] [V4]", () => {
  const world = cell(30);
  silence(world, 0, 1, 2, 3, 4, 5, 6, 7, 8);
  assert.notDeepEqual(run(world, 1), [0], "nine are too few to freeze");
  const half = cell(30);
  silence(half, ...Array.from({ length: 15 }, (_, i) => i * 2));
  assert.deepEqual(run(half, 5), [0, 0, 0, 0, 0]);
});

test("after a freeze those that are about to answer are waited for [KP3]", () => {
  const world = cell(30);
  const half = Array.from({ length: 15 }, (_, i) => i);
  silence(world, ...half);
  const env = new TestEnv<never>();
  const reach = new Reach(env, DEFAULT_MASTER.reach);
  reach.reset();
  assert.deepEqual(reach.tick(world.state), []);
  for (const i of half.slice(0, 14)) world.must(world.master({ case: "machineMark", value: { machine: `m${i}`, reachable: true } }));
  env.nowMs += DEFAULT_MASTER.reach.thawMs - 1;
  assert.deepEqual(reach.tick(world.state), []);
  env.nowMs += 1;
  assert.equal(reach.tick(world.state).length, 1);
});

test("a whole rack that vanishes freezes too, in a cell that hardly notices [KP3]", () => {
  const world = cell(60);
  silence(world, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  assert.deepEqual(run(world, 3), [0, 0, 0]);
});

test("a whole power domain that vanishes freezes too, over all of its racks [KP3]", () => {
  const world = new World().init();
  for (let i = 0; i < 60; i++) world.machine(`m${i}`, 4000, 2 ** 33, { rack: `r${i % 12}`, powerDomain: `p${Math.floor(i / 15)}` });
  world.submit("web", { count: 60, task: { limit: limit(100, 1000) } });
  for (let i = 0; i < 60; i++) world.claim(`ubar/web/${i}`, `m${i}`);
  silence(world, ...Array.from({ length: 12 }, (_, i) => 15 + i));
  assert.deepEqual(run(world, 3), [0, 0, 0]);
});

test("what was decided before too many fell silent, and still waits for its entry, is dropped [KP3]", () => {
  const world = cell(30);
  silence(world, 0);
  const reach = new Reach(new TestEnv<never>(), DEFAULT_MASTER.reach);
  reach.reset();
  const lanes = new Lanes(DEFAULT_MASTER);
  const [giveUp] = reach.tick(world.state);
  assert.ok(giveUp !== undefined);
  lanes.push({ ...seal(giveUp), reply: { kind: "none" }, user: "", tasks: 0 });
  lanes.push({ ...seal(world.master({ case: "barrier", value: { master: "m" } })), reply: { kind: "none" }, user: "", tasks: 0 });
  assert.ok(lanes.waits("taskLost") && !reach.freezes(world.state));
  silence(world, ...Array.from({ length: 14 }, (_, i) => i + 1));
  assert.ok(reach.freezes(world.state));
  lanes.drop("taskLost");
  assert.deepEqual(
    lanes.take(10, 100).map(({ op }) => op.body.case),
    ["barrier"],
  );
});
