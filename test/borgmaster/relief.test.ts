/** Who moves when somebody on a machine hardly gets to run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RELIEF_MS, Relief } from "../../src/borgmaster/relief.ts";
import { make } from "../../src/wire/codec.ts";
import { InstanceReportSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { GI, limit, World } from "../cell/world.ts";

function cell(priorities: readonly number[]): World {
  const world = new World()
    .init()
    .machine("m1", 4000, 8 * GI)
    .prodQuota();
  for (const [i, priority] of priorities.entries()) {
    world.submit(`j${i}`, { priority, task: { limit: limit(500, GI) } });
    assert.equal(world.claim(`ubar/j${i}/0`, "m1"), "ok");
  }
  return world;
}

const said = (starved: boolean) => ({
  machine: "m1",
  usage: [],
  waiting: [make(InstanceReportSchema, { instance: "ubar/j0/0:1", phase: Phase.RUNNING, starved })],
});

test("The lowest that is not prod moves away from a machine where somebody is starved, one at a time; prod never does [I5] [R3]", () => {
  const world = cell([200, 110, 100]);
  const relief = new Relief();
  const moved = (nowMs: number): string[] =>
    relief.tick(world.state, nowMs).flatMap((op) => {
      world.must(op);
      return op.body.case === "taskEvict" ? op.body.value.instances.map((id) => id.split("/")[1]!) : [];
    });
  relief.learn(said(false));
  assert.deepEqual(moved(0), []);
  relief.learn(said(true));
  assert.deepEqual([moved(1000), moved(2000)], [["j2"], []]);
  assert.equal(world.task("ubar/j2/0").cause, "out-of-resources");
  assert.deepEqual([moved(1000 + RELIEF_MS), moved(1000 + 3 * RELIEF_MS)], [["j1"], []], "then only prod is left");
  relief.learn(said(false));
  assert.deepEqual(moved(1000 + 5 * RELIEF_MS), []);
});
