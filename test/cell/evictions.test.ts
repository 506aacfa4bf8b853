/** Evictions by cause and day, prod and non-prod (Borg §4, Figure 3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { DAY_MS, daysNow, EVICTION_DAYS_MAX } from "../../src/cell/eviction-days.ts";
import { imageOf } from "../../src/cell/feed.ts";
import type { Op } from "../../src/cell/op.ts";
import type { EvictionDay } from "../../src/cell/state.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { draws, toOp } from "./random-op.ts";
import { settings } from "./settings.ts";
import { busyWorld, GI, limit, World } from "./world.ts";

/** At midnight, with version 4. */
function cell(): World {
  const world = new World();
  world.timeMs = 100 * DAY_MS;
  world.init().machine("m1").machine("m2");
  for (const version of [2, 3, 4]) world.must(world.master({ case: "cellVersion", value: { version } }));
  return world.prodQuota();
}

function run(world: World, name: string, machine: string, more: Parameters<World["submit"]>[1] = {}): string {
  assert.equal(world.submit(name, more), "ok");
  assert.equal(world.claim(`ubar/${name}/0`, machine), "ok");
  const instance = world.instance(`ubar/${name}/0`);
  world.report(machine, { instance, phase: Phase.RUNNING, run: 1 });
  return instance;
}

const evict = (world: World, instance: string, cause: Cause): string =>
  world.say(world.master({ case: "taskEvict", value: { instances: [instance], cause } }));

/** `day: prod causes / non-prod causes`, without what is nothing. */
function words(days: readonly EvictionDay[]): string[] {
  const side = (counts: EvictionDay["prod"]): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(" ");
  return days.map(({ day, prod, nonProd }) => `${day}: ${side(prod)} / ${side(nonProd)}`);
}

test("evictions are counted by cause and day, once each, prod apart from the rest [cell.E11] [V7]", () => {
  const world = cell();
  const low = run(world, "low", "m1", { task: { limit: limit(4000, GI) } });
  const late = run(world, "late", "m2");
  assert.equal(world.submit("web", { priority: 200, task: { limit: limit(2000, GI) } }), "ok");
  assert.equal(world.claim("ubar/web/0", "m1", [low]), "ok");
  assert.equal(evict(world, low, Cause.OTHER), "ok");
  world.report("m1", { instance: low, phase: Phase.GONE });
  assert.equal(evict(world, late, Cause.OUT_OF_RESOURCES), "ok");
  world.timeMs += DAY_MS;
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(world.master({ case: "taskLost", value: { machine: "m1", instances: [world.instance("ubar/web/0")] } }));
  assert.deepEqual(words(world.state.evictionDays), ["100:  / preemption 1 out-of-resources 1", "101: machine-failure 1 / "]);
});

test("what its user, its program or an update does to a task is no eviction [cell.E11] [V7]", () => {
  const world = cell();
  run(world, "killed", "m1");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/killed" } }));
  const restarted = run(world, "restarted", "m1");
  world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/restarted" } }));
  world.report("m1", { instance: restarted, phase: Phase.GONE });
  const failed = run(world, "failed", "m1");
  world.report("m1", { instance: failed, phase: Phase.FAILED, exitCode: 1 });
  assert.deepEqual(words(world.state.evictionDays), []);
});

test("an alloc that has to go evicts the tasks inside it, and is none itself [cell.E11] [V7]", () => {
  const world = cell();
  world.submitAllocs("aset");
  world.claim("ubar/aset/0", "m1");
  const alloc = world.instance("ubar/aset/0");
  world.submit("inside", { allocSet: "ubar/aset", count: 2 });
  for (const index of [0, 1]) assert.equal(world.claim(`ubar/inside/${index}`, alloc), "ok");
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  assert.equal(evict(world, alloc, Cause.MACHINE_SHUTDOWN), "ok");
  assert.deepEqual(words(world.state.evictionDays), ["100:  / machine-shutdown 2"]);
});

test("the time that a task ran is split over its days, and counts while it runs; only thirty days are kept [cell.E11] [V7] [KB1]", () => {
  const world = cell();
  world.timeMs += DAY_MS - 1000;
  const instance = run(world, "web", "m1");
  world.timeMs += DAY_MS + 3000;
  world.must(world.master({ case: "barrier", value: {} }));
  const expected = ["100:  / runMs 1000", `101:  / runMs ${DAY_MS}`, "102:  / runMs 2000"];
  assert.deepEqual(words(daysNow(world.state)), expected);
  assert.deepEqual(words(world.state.evictionDays), [], "a read changes nothing");
  world.report("m1", { instance, phase: Phase.FINISHED });
  assert.deepEqual(words(world.state.evictionDays), expected);
  world.restart();
  assert.deepEqual(words(daysNow(world.state)), expected, "a checkpoint keeps them");
  const long = run(world, "long", "m1");
  world.timeMs += 40 * DAY_MS;
  world.report("m1", { instance: long, phase: Phase.FINISHED });
  assert.equal(world.state.evictionDays.length, EVICTION_DAYS_MAX);
  assert.deepEqual(words(world.state.evictionDays.slice(0, 1)), [`113:  / runMs ${DAY_MS}`]);
  assert.equal(stateHash(world.replay()), stateHash(world.state));
});

test("a cell of version 2 counts nothing, and the feed tells nobody [cell.E11] [KD7]", () => {
  const world = new World().init().machine("m1");
  world.must(world.master({ case: "cellVersion", value: { version: 2 } }));
  const instance = run(world, "web", "m1");
  assert.equal(evict(world, instance, Cause.OTHER), "ok");
  world.report("m1", { instance, phase: Phase.GONE });
  assert.deepEqual([world.state.evictionDays, daysNow(world.state)], [[], []]);
  const newer = cell();
  evict(newer, run(newer, "web", "m1"), Cause.OTHER);
  assert.equal(newer.state.evictionDays.length, 1);
  assert.ok(!JSON.stringify(imageOf(newer.state).records).includes("viction"));
});

const PLACED = new Set<string | undefined>(["starting", "running"]);
const EVICTIONS = new Set<string | undefined>([
  "preemption",
  "out-of-resources",
  "machine-failure",
  "machine-shutdown",
  "other",
  "lost",
  "revocation",
]);

test("whatever happens, as many are counted as were told to have been evicted [cell.E11] [V7]", () => {
  fc.assert(
    fc.property(draws(120), (drawn) => {
      const world = busyWorld();
      for (const version of [2, 3, 4]) world.must(world.master({ case: "cellVersion", value: { version } }));
      const past: Op[] = [];
      let told = 0;
      for (const draw of drawn) {
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        for (const outcome of world.entry(op))
          for (const { kind, from, to, cause, subject } of outcome.ok ? outcome.events : []) {
            // Tasks of frameworks are tasks; allocs are none.
            const { spec } = world.state.jobs.get(subject.slice(0, subject.lastIndexOf("/")) as never) ?? {};
            const isTask = spec !== undefined && spec.kind !== "alloc-set";
            if (kind === "task.state" && isTask && PLACED.has(from) && !PLACED.has(to) && EVICTIONS.has(cause)) told += 1;
          }
      }
      const counts = world.state.evictionDays.flatMap(({ prod, nonProd }) => [prod, nonProd]);
      assert.equal(
        counts.reduce((sum, { runMs: _, ...causes }) => sum + Object.values(causes).reduce((a, b) => a + b, 0), 0),
        told,
      );
      assert.equal(stateHash(world.replay()), stateHash(world.state));
    }),
    settings(30),
  );
});
