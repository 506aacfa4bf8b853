/** Revocation at the desk: a role below its guarantee is given room, and is offered it first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { TaskStatus_Reason as Reason } from "../../src/wire/gen/mesos/v1/mesos_pb.ts";
import { Call_Type as Type } from "../../src/wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { GI, limit } from "../cell/world.ts";
import { DeskWorld, type Scheduler } from "./desk-world.ts";

/** A machine of four cores, half of which is guaranteed to role `eng`, and a framework of role `*` that has as much of it as it could get. */
function fullCell(borg: readonly number[] = []): { readonly world: DeskWorld; readonly rich: Scheduler } {
  const world = new DeskWorld().init().machine("m1", 4000, 8 * GI);
  world.must(world.user("admin", { case: "roleSet", value: { role: { name: "eng", weight: 1, guarantee: { cpuMilli: 2000 } } } }));
  for (const priority of borg) {
    world.submit(`borg${priority}`, { priority, task: { command: ["work"], limit: limit(1000, GI / 8) } });
    assert.equal(world.claim(`ubar/borg${priority}/0`, "m1"), "ok");
    world.says(`ubar/borg${priority}/0`, Phase.RUNNING);
  }
  const rich = world.scheduler("rich");
  rich.subscribe();
  const { offer } = rich;
  const tasks = Array.from({ length: 4 - borg.length }, (_, i) => rich.task(`t${i}`, offer));
  rich.launch(offer, tasks, 3600);
  world.run();
  for (const [i] of tasks.entries()) world.runs(`ubar/rich/${i}`);
  for (const update of rich.updates) rich.acknowledge(update);
  world.run();
  return { world, rich };
}

const needy = (world: DeskWorld): Scheduler => {
  const eng = world.scheduler("eng", { roles: ["eng"], capabilities: [{ type: 6 }] });
  eng.subscribe();
  // Memory without cores.
  for (const offer of [...eng.offers.values()]) eng.decline(offer, 3600);
  return eng;
};

const stopping = (world: DeskWorld): string[] =>
  [...world.state.machines.values()].flatMap(({ place }) =>
    [...place.occupants.values()].filter(({ stop }) => stop !== undefined).map(({ task, stop }) => `${task.id} ${stop?.cause}`),
  );

test("a framework below its guarantee is given room by revocation, and offered it first; who lost it hears LOST [offers.G3][offers.G4][Z8]", () => {
  const { world, rich } = fullCell();
  const eng = needy(world);
  world.run(9_000);
  assert.deepEqual(stopping(world), [], "first it waits");
  world.run(11_000);
  assert.deepEqual(stopping(world), ["ubar/rich/0 revocation", "ubar/rich/1 revocation"], "half of the machine, and no more");
  for (const i of [0, 1]) world.says(`ubar/rich/${i}`, Phase.GONE);
  world.run();
  assert.equal(rich.told.at(-1), "t1 TASK_LOST");
  assert.equal(rich.updates.at(-1)?.reason, Reason.CONTAINER_PREEMPTED);
  assert.match(rich.updates.at(-1)?.message ?? "", /for role eng|revoked/);
  assert.equal(rich.offers.size, 0);
  eng.launch(eng.offer, [eng.task("e0", eng.offer), eng.task("e1", eng.offer)]);
  world.run(60_000);
  assert.deepEqual(stopping(world), [], "it has its guarantee");
  assert.equal(world.task("ubar/eng/1").state, "starting");
});

test("Borg tasks of lower priority go before tasks of frameworks; those of the same priority stay [offers.G1][offers.G4]", () => {
  const { world } = fullCell([50, 100]);
  needy(world);
  world.run(20_000);
  assert.deepEqual(stopping(world).sort(), ["ubar/borg50/0 revocation", "ubar/rich/0 revocation"]);
});

test("nothing is revoked for who wants nothing, and later each time for who takes nothing [offers.G3][offers.G5]", () => {
  const { world } = fullCell();
  const eng = needy(world);
  eng.call({ type: Type.SUPPRESS, suppress: {} });
  world.run(60_000);
  assert.deepEqual(stopping(world), []);
  eng.call({ type: Type.REVIVE, revive: {} });
  world.run(20_000);
  for (const i of [0, 1]) world.says(`ubar/rich/${i}`, Phase.GONE);
  world.run();
  eng.decline(eng.offer, 3600);
  assert.equal(world.submit("new", { priority: 100, task: { command: ["work"], limit: limit(2000, GI / 8) } }), "ok");
  assert.equal(world.claim("ubar/new/0", "m1"), "ok");
  world.run(12_000);
  assert.deepEqual(stopping(world), [], "it waits twice as long");
  world.run(12_000);
  assert.deepEqual(stopping(world), ["ubar/rich/2 revocation", "ubar/rich/3 revocation"]);
});
