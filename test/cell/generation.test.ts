/** Which spec an instance runs, and what the end of one that was killed means to a task that has to run again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { specOf } from "../../src/cell/generation.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { masterOp } from "../../src/cell/op.ts";
import type { Job } from "../../src/cell/state.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { World } from "./world.ts";

function cell(version: 1 | 2 = 2): World {
  const world = new World().init().machine("m1").machine("m2").prodQuota();
  if (version === 2) world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  return world;
}

const web = (world: World): Job => world.state.jobs.get("ubar/web" as never) ?? assert.fail();
const ask = (world: World, name: "jobKill" | "jobResize", value: object): unknown =>
  world.must(world.user("ubar", { case: name, value: { job: "ubar/web", ...value } } as never));
const states = (world: World): string =>
  web(world)
    .tasks.map(({ state }) => state)
    .join(" ");

test("an instance names the spec it runs, which is kept as long as one does [cell.J14]", () => {
  const world = cell();
  const program = (name: string) => ({ count: 2, task: { command: [name] } });
  const runs = (task: number): string => {
    const spec = specOf(web(world).tasks[task]!.instance!);
    return spec.kind === "job" ? spec.job.task!.command.join(" ") : assert.fail();
  };
  world.submit("web", program("old"));
  for (const [i, machine] of ["m1", "m2"].entries()) world.claim(`ubar/web/${i}`, machine);
  const [first, second] = [world.instance("ubar/web/0"), world.instance("ubar/web/1")];
  ask(world, "jobKill", {});
  world.submit("web", program("new"));
  assert.deepEqual([web(world).generation, web(world).kept.map(({ generation }) => generation)], [1, [0]]);
  world.report("m1", { instance: first, phase: Phase.GONE });
  world.claim("ubar/web/0", "m1");
  for (const again of [false, true]) {
    if (again) world.restart();
    assert.deepEqual([runs(0), runs(1)], ["new", "old"]);
    assert.deepEqual(web(world).kept[0]?.instances, 1);
    assert.deepEqual(stateViolations(world.state), []);
  }
  const both = world.state.specBytes;
  world.report("m2", { instance: second, phase: Phase.GONE });
  assert.deepEqual(web(world).kept, []);
  assert.ok(world.state.specBytes < both);
  assert.deepEqual(stateViolations(world.state), []);
});

test("below version 2 there are no generations [KD7] [cell.J14]", () => {
  const world = cell(1);
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  ask(world, "jobKill", {});
  world.submit("web", { count: 2 });
  assert.deepEqual([web(world).generation, web(world).kept], [0, []]);
});

for (const [words, phase] of [
  ["finishes", Phase.FINISHED],
  ["fails", Phase.FAILED],
  ["goes", Phase.GONE],
] as const) {
  test(`a killed instance that ${words} by itself ends nothing of the next job of its name [cell.T12] [KT2]`, () => {
    const world = cell();
    const never = { restart: { when: RestartWhen.NEVER } };
    world.submit("web", never);
    world.claim("ubar/web/0", "m1");
    const old = world.instance("ubar/web/0");
    ask(world, "jobKill", {});
    world.submit("web", { ...never, count: 2 });
    world.report("m1", { instance: old, phase, exitCode: 3 });
    assert.equal(states(world), "pending pending");
    const [task] = web(world).tasks;
    assert.deepEqual([task!.failures, task!.notBeforeMs, task!.past.avoid, task!.past.lastExit], [0, 0, [], undefined]);
  });
}

test("nor does one that is given up, or one whose task was killed by a resize and came back [cell.T12]", () => {
  const world = cell();
  world.submit("web", { count: 2, restart: { when: RestartWhen.NEVER } });
  world.claim("ubar/web/1", "m1");
  const old = world.instance("ubar/web/1");
  ask(world, "jobResize", { count: 1 });
  ask(world, "jobResize", { count: 2 });
  assert.equal(states(world), "pending stopping");
  world.must(masterOp({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(masterOp({ case: "taskLost", value: { machine: "m1", instances: [old] } }));
  assert.equal(states(world), "pending pending");
});
