/** Executors of frameworks in the cell (Mesos): what is launched inside one, what is told of it, and that it ends with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../../src/cell/state.ts";
import { EXECUTORS } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { GI, limit, World } from "./world.ts";

const FW = "ubar/fw";

function cell(version = EXECUTORS): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  const spec = { user: "ubar", name: "fw", role: "*", priority: 100, failoverMs: 60_000 };
  world.must(world.user("ubar", { case: "frameworkSubscribe", value: { spec, id: "", session: 1 } }));
  return world;
}

const task = { command: ["work"], limit: limit(1000, GI) };
const executor = (id = "e") => ({
  taskId: `executor ${id} on m1`,
  machine: "m1",
  task: { ...task, executor: { id, info: new Uint8Array([1]) } },
});
const inside = (taskId: string, id = "e", machine = "m1") => ({ taskId, machine, inside: true, task: { ...task, executor: { id } } });

function launch(world: World, launches: readonly object[]): string[] {
  const value = { framework: FW, session: 1, launches: [...launches] } as never;
  const answer = world.must(world.user("ubar", { case: "frameworkLaunch", value }));
  assert.ok(answer.type === "launches");
  return answer.launches.map((each) => (each.ok ? "ok" : `${each.kind}: ${each.reason}`));
}

const updates = (world: World, index: number): readonly Status[] => world.task(`${FW}/${index}`).launched?.updates ?? [];
const told = (world: World, index: number): string =>
  updates(world, index)
    .map(({ state, reason }) => `${state} ${reason}`)
    .join(", ");
/** All of one report: an executor with what it has. */
function report(world: World, ...said: readonly (readonly [index: number, phase: Phase, more?: object])[]): void {
  const instances = said.map(([index, phase, more = {}]) => ({ instance: world.instance(`${FW}/${index}`), phase, ...more }));
  world.must(world.master({ case: "machineReport", value: { machine: "m1", instances } }));
}

test("tasks are launched inside an executor that is on their machine, or comes with them; nothing is told of the executor itself [cell.F13] [Z2]", () => {
  const world = cell();
  assert.deepEqual(launch(world, [inside("t0")]), [
    'lost: Executor "e" is not on machine "m1", or ends: launch the task again, and another executor',
  ]);
  assert.deepEqual(launch(world, [executor(), inside("t1"), inside("t2", "e", "m2")]), [
    "ok",
    "ok",
    'lost: Executor "e" is not on machine "m2", or ends: launch the task again, and another executor',
  ]);
  assert.match(launch(world, [executor()])[0] ?? "", /^lost: Executor "e" is on machine "m1" already/);
  const large = { ...executor("big"), task: { ...executor("big").task, limit: limit(1e6, GI) } };
  assert.match(launch(world, [large, inside("t3", "big")])[1] ?? "", /^lost: Its executor was refused: /);
  assert.equal(world.task(`${FW}/1`).launched?.spec.wants.task?.executor?.instance, world.instance(`${FW}/0`));
  report(world, [0, Phase.RUNNING], [1, Phase.RUNNING]);
  assert.deepEqual([told(world, 0), told(world, 1)], ["", "running none"]);
  assert.match(launch(cell(6), [executor()])[0] ?? "", /^error: The cell has version 6: it has executors from version 7 on/);
  assert.match(
    world.submit("web", { task: { command: ["x"], executor: { id: "e" } } } as never),
    /^Executors come with launches of frameworks/,
  );
});

test("what an executor sent along with the end of a task is kept with its last update [cell.F13] [KF2]", () => {
  const world = cell();
  launch(world, [executor(), inside("t0")]);
  report(world, [0, Phase.RUNNING], [1, Phase.RUNNING]);
  report(world, [1, Phase.FINISHED, { data: new Uint8Array([4, 2]) }]);
  assert.deepEqual(
    updates(world, 1).map(({ data }) => [...data]),
    [[], [4, 2]],
  );
  assert.equal(world.task(`${FW}/0`).state, "running", "its executor lives on");
});

test("what an executor has ends with it, as it ended; what it said before counts first [cell.F14] [KF5] [Z12]", () => {
  const world = cell();
  launch(world, [executor(), inside("done"), inside("left"), inside("late")]);
  report(world, [0, Phase.RUNNING], [1, Phase.RUNNING], [2, Phase.RUNNING]);
  const gone = { signal: 9, message: "Its executor ended" };
  report(world, [0, Phase.FAILED, { exitCode: 3 }], [1, Phase.FINISHED], [2, Phase.FAILED, gone]);
  assert.equal(told(world, 1), "running none, finished none");
  assert.equal(told(world, 2), "running none, failed executor_terminated");
  assert.equal(told(world, 3), "failed executor_terminated");
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => world.task(`${FW}/${index}`).state),
    ["dead", "dead", "dead", "dead"],
  );
  assert.equal(updates(world, 2).at(-1)?.message, 'Its executor "e" ended');
  assert.deepEqual(launch(world, [executor(), inside("again")]), ["ok", "ok"], "its name is free at once");
});

test("an executor that is told to end takes its tasks along as killed, and takes no new ones [cell.F14] [Z12]", () => {
  const world = cell();
  launch(world, [executor(), inside("t0")]);
  report(world, [0, Phase.RUNNING], [1, Phase.RUNNING]);
  world.must(world.user("ubar", { case: "frameworkKill", value: { framework: FW, session: 1, taskIds: ["executor e on m1"] } }));
  assert.match(launch(world, [inside("t1")])[0] ?? "", /^lost: Executor "e" is not on machine "m1", or ends/);
  report(world, [1, Phase.FAILED, { signal: 9 }]);
  assert.equal(world.task(`${FW}/1`).state, "running", "its executor's own end says why");
  report(world, [0, Phase.GONE]);
  assert.equal(told(world, 1), "running none, killed none");
});

test("a group ends as one: who fails, is killed or evicted takes the others along, who finishes does not [cell.F15]", () => {
  const group = (taskId: string) => ({ taskId, machine: "m1", group: 1, task });
  const world = cell();
  assert.deepEqual(launch(world, [group("a"), group("b"), group("c"), { taskId: "alone", machine: "m1", task }]), ["ok", "ok", "ok", "ok"]);
  report(world, [0, Phase.RUNNING], [1, Phase.RUNNING], [2, Phase.RUNNING], [3, Phase.RUNNING]);
  report(world, [0, Phase.FINISHED]);
  assert.equal(world.task(`${FW}/1`).state, "running");
  report(world, [1, Phase.FAILED, { exitCode: 1 }]);
  assert.deepEqual([world.task(`${FW}/2`).state, world.task(`${FW}/3`).state], ["ending", "running"]);
  report(world, [2, Phase.GONE]);
  assert.equal(told(world, 2), "running none, killed none");
  const old = cell(6);
  launch(old, [group("a"), group("b")]);
  report(old, [0, Phase.FAILED]);
  assert.equal(old.task(`${FW}/1`).state, "starting", "below version 7 each is for itself");
});
