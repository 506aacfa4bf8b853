import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MASTER } from "../../src/borgmaster/defaults.ts";
import { Estimator } from "../../src/borgmaster/estimator.ts";
import { make } from "../../src/wire/codec.ts";
import { Phase, UsageSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Reclamation } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { GI, limit, World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

/** One task with a limit of 1,600 millicores and 16 GiB, started at time 0. */
function cell(more: { readonly diskBandwidth?: number } = {}) {
  const world = new World().init().machine("m1", 4000, 32 * GI, { capacity: { ...limit(4000, 32 * GI), diskBandwidth: 1e6 } });
  for (const version of [2, 3, 4]) world.must(world.master({ case: "cellVersion", value: { version } }));
  world.submit("web", { task: { limit: { ...limit(1600, 16 * GI), ...more } } });
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  const env = new TestEnv<never>();
  const estimator = new Estimator(env, DEFAULT_MASTER.estimator);
  estimator.reset();
  let journaled = 0;
  /** Five seconds at a time with this peak of cpu; the reservation afterwards. */
  const live = (seconds: number, cpuMilli: number): number => {
    for (let at = 0; at < seconds; at += 5) {
      env.nowMs += 5000;
      world.timeMs += 5000;
      world.must(world.master({ case: "barrier", value: {} }));
      estimator.learn([make(UsageSchema, { instance, peak: limit(cpuMilli, GI) })]);
      for (const op of estimator.tick(world.state, world.timeMs)) {
        assert.equal(world.say(op), "ok");
        journaled += 1;
      }
    }
    return world.task("ubar/web/0").instance?.reservation.cpu ?? -1;
  };
  return { live, journaled: () => journaled, world };
}

test("a young task keeps its limit; then it decays towards use and margin, in sixteenths [R2] [KR1]", () => {
  const { live } = cell();
  assert.equal(live(290, 400), 1600);
  const after = [live(600, 400), live(600, 400), live(3600, 400)];
  assert.ok(after[0]! < 1600 && after[1]! < after[0]! && after[2]! <= after[1]!, String(after));
  // 400 x 1.35 = 540, rounded up to sixteenths of 1,600.
  assert.equal(after[2], 600);
});

test("what nobody measures is lent to nobody: a task keeps all of its disk bandwidth [R2] [U3]", () => {
  const { live, world } = cell({ diskBandwidth: 1600 });
  live(7200, 400);
  const { reservation } = world.task("ubar/web/0").instance!;
  assert.deepEqual([reservation.cpu, reservation.bandwidth], [600, 1600]);
});

test("it rises at once when use exceeds it, never above the limit [R2]", () => {
  const { live } = cell();
  live(300, 100);
  live(7200, 100);
  assert.equal(live(5, 1000), 1400);
  assert.equal(live(5, 9000), 1600);
});

test("a decay is journaled at most once a minute [KB1]", () => {
  const { live, journaled } = cell();
  live(300, 100);
  const before = journaled();
  live(600, 100);
  assert.ok(journaled() - before <= 11, String(journaled() - before));
});

test("the reservation is never below what was last seen used [R2] [R3]", () => {
  const { live } = cell();
  live(300, 100);
  for (const use of [100, 700, 300, 900, 1500, 200, 1600]) assert.ok(live(60, use) >= use);
});

const choose = (world: World, reclamation: Reclamation): void =>
  void world.must(world.user("admin", { case: "reclamationSet", value: { reclamation } }));

test("the cell's preset decides the margin: baseline keeps most, aggressive least, medium unless told [R5]", () => {
  const settled = [Reclamation.UNSPECIFIED, Reclamation.BASELINE, Reclamation.MEDIUM, Reclamation.AGGRESSIVE].map((reclamation) => {
    const { live, world } = cell();
    if (reclamation !== Reclamation.UNSPECIFIED) choose(world, reclamation);
    live(300, 480);
    return live(7200, 480);
  });
  // 480 millicores and 50, 35 or 20 percent, in sixteenths of 1,600.
  assert.deepEqual(settled, [700, 800, 700, 600]);
});

test("switched off, every reservation is the limit again at once, also of a task nothing was heard of; then it falls anew [R5] [R2]", () => {
  const { live, world } = cell();
  live(300, 400);
  assert.ok(live(3600, 400) < 1600);
  choose(world, Reclamation.OFF);
  assert.equal(live(5, 400), 1600);
  assert.equal(live(3600, 400), 1600);
  choose(world, Reclamation.MEDIUM);
  assert.ok(live(120, 400) > 1200, "slowly");
  live(3600, 400);
  choose(world, Reclamation.OFF);
  const later = new Estimator(new TestEnv<never>(), DEFAULT_MASTER.estimator);
  later.reset();
  assert.equal(later.tick(world.state, world.timeMs).length, 1, "a new leader has heard nothing, and raises it all the same");
});
