/** What a master does by itself about machines that are too full, machines that drain, and jobs that are long dead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { housekeeping } from "../../src/borgmaster/housekeeping.ts";
import { type DownCount, downOf } from "../../src/cell/down.ts";
import { DRAIN_PACE } from "../../src/cell/version.ts";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "../cell/world.ts";

/** One machine of 4 cores with a task at each priority, each of one core, reserved as told. */
function full(priorities: readonly number[], cpuMilli = 1000): World {
  const world = new World()
    .init()
    .machine("m1", 4000, 8 * GI)
    .prodQuota();
  for (const [i, priority] of priorities.entries()) {
    world.submit(`j${i}`, { priority, task: { limit: limit(cpuMilli, GI) } });
    assert.equal(world.claim(`ubar/j${i}/0`, "m1"), "ok");
  }
  return world;
}

const shrinkTo = (world: World, cpuMilli: number): string =>
  world.say(
    world.master({
      case: "machineFacts",
      value: { machine: "m1", facts: { capacity: { cpuMilli, ramBytes: 8 * GI }, portFirst: 20000, portLast: 20009 } },
    }),
  );

/** Version 3 knows readiness. */
function readyWorld(wish: JobWish, versionLast = 3): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let version = 2; version <= versionLast; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  world.submitAllocs("aset", { count: 2, limit: limit(1500, 3 * GI) });
  assert.equal(world.submit("web", wish), "ok");
  return world;
}

function run(world: World, task: string, place: string, ready = true): void {
  assert.equal(world.claim(task, place), "ok");
  const instance = world.instance(task);
  const machine = world.task(task).instance!.place.machine.id;
  world.report(machine, { instance, phase: Phase.RUNNING, run: 1, ...(ready ? { ready: Health.GOOD, health: Health.GOOD } : {}) });
}

const drain = (world: World, machine: string): unknown =>
  world.must(world.user("admin", { case: "machineDrain", value: { machine, draining: true } }));

const counted = (world: World): DownCount => downOf(world.state.jobs.get("ubar/web" as never)!);

const evicted = (world: World): string[] =>
  housekeeping(world.state, 0).flatMap(({ body }) =>
    body.case === "taskEvict" ? body.value.instances.map((id) => id.split("/")[1]!) : [],
  );

test("an over-full machine loses its lowest work, no more than needed, and never prod [R3] [KR5]", () => {
  const world = full([110, 100, 119, 120]);
  assert.deepEqual(evicted(world), []);
  shrinkTo(world, 3500);
  assert.deepEqual(evicted(world), ["j1"]);
  shrinkTo(world, 2000);
  assert.deepEqual(evicted(world), ["j1", "j0"]);
  shrinkTo(world, 500);
  assert.deepEqual(evicted(world), ["j1", "j0", "j2"]);
});

test("who has nothing of what there is too much of stays, however low it is [R3] [KR5]", () => {
  const world = full([110, 120]);
  world.submit("idle", { priority: 0, task: { limit: limit(0, GI) } });
  assert.equal(world.claim("ubar/idle/0", "m1"), "ok");
  shrinkTo(world, 1500);
  assert.deepEqual(evicted(world), ["j0"]);
});

test("who is on its way already is not counted again [R3] [KR5]", () => {
  const world = full([110, 100, 119, 120]);
  shrinkTo(world, 3500);
  for (const op of housekeeping(world.state, 0)) world.must(op);
  assert.deepEqual(evicted(world), []);
});

test("a drain takes so many tasks of a job down at a time as it allows, over all machines [V3] [KP2]", () => {
  const world = new World().init().machine("m1").machine("m2");
  world.submit("web", { count: 4, downMax: 2, task: { limit: limit(500, GI) } });
  for (const index of [0, 1, 2, 3]) run(world, `ubar/web/${index}`, index < 2 ? "m1" : "m2");
  for (const machine of ["m1", "m2"]) drain(world, machine);
  assert.equal(evicted(world).length, 2);
  for (const op of housekeeping(world.state, 0)) world.must(op);
  assert.deepEqual(evicted(world), []);
});

test("a drain takes one task of a job at a time where it says how often, over all machines [V3] [KP2]", () => {
  const world = readyWorld({ count: 3, drainEveryMs: 1000, task: { limit: limit(500, GI) } }, DRAIN_PACE);
  for (const index of [0, 1, 2]) run(world, `ubar/web/${index}`, index < 2 ? "m1" : "m2");
  for (const machine of ["m1", "m2"]) drain(world, machine);
  assert.equal(evicted(world).length, 1);
  assert.deepEqual(counted(world), { down: 0, downMax: undefined, drainEveryMs: 1000, nextDrainMs: 0 });
  for (const op of housekeeping(world.state, world.timeMs)) world.must(op);
  assert.equal(evicted(world).length, 0, "and none so soon after");
  assert.deepEqual(counted(world), { down: 1, downMax: undefined, drainEveryMs: 1000, nextDrainMs: world.state.timeMs + 1000 });
});

test("of a job that is updated the smaller of both limits and the longer of both paces holds, and is told [V3] [KP2] [D4]", () => {
  const task = { limit: limit(500, GI) };
  const world = readyWorld({ count: 4, downMax: 3, drainEveryMs: 60_000, task }, DRAIN_PACE);
  for (const index of [0, 1, 2, 3]) run(world, `ubar/web/${index}`, index < 2 ? "m1" : "m2");
  const update = jobSpec("web", { count: 4, downMax: 1, drainEveryMs: 1000, task });
  world.must(world.user("ubar", { case: "updateStart", value: { spec: update, paused: true } }));
  assert.deepEqual(counted(world), { down: 0, downMax: 1, drainEveryMs: 60_000, nextDrainMs: 0 });
  drain(world, "m1");
  assert.equal(evicted(world).length, 1);
});

test("a task that runs and is not ready is down: a drain waits for it, and takes it itself at once [V3] [KP2]", () => {
  const world = readyWorld({ count: 3, downMax: 1, task: { ports: ["http"], ready: { port: "http" }, limit: limit(500, GI) } });
  for (const index of [0, 1, 2]) run(world, `ubar/web/${index}`, index < 2 ? "m1" : "m2", index !== 2);
  drain(world, "m1");
  assert.deepEqual(evicted(world), [], "task 2 runs, but is not ready yet");
  assert.deepEqual(counted(world), { down: 1, downMax: 1, drainEveryMs: 0, nextDrainMs: 0 });
  drain(world, "m2");
  assert.deepEqual(evicted(world), ["web"], "nobody else goes down with it");
});

test("an alloc that is drained takes no more tasks of a job along than may be down, but all of one alloc together [V3] [KP2] [A4]", () => {
  const world = readyWorld({ count: 4, downMax: 1, allocSet: "ubar/aset", task: { limit: limit(500, GI) } });
  for (const index of [0, 1]) {
    world.claim(`ubar/aset/${index}`, "m1");
    for (const inner of [2 * index, 2 * index + 1]) run(world, `ubar/web/${inner}`, world.instance(`ubar/aset/${index}`));
  }
  drain(world, "m1");
  assert.deepEqual(evicted(world), ["aset"], "two tasks of the job go with their alloc, the two of the other stay");
});
