/** Revocation (Mesos §3.3): who goes for a role below its guarantee, who stays, and what is told of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { preemptionLines } from "../../src/borgmaster/api/why-state.ts";
import { HEAD_START_MS } from "../../src/cell/ops/lifecycle.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { GI, limit, World } from "./world.ts";

/** Two machines of 4 cores; role `needy` is guaranteed half of all, `other` a quarter, and each has a framework. */
function cell(version = VERSION_MAX): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  for (const [name, cpuMilli] of [["needy", 4000] as const, ["other", 2000] as const])
    world.must(world.user("admin", { case: "roleSet", value: { role: { name, weight: 1, guarantee: { cpuMilli } } } }));
  for (const role of ["needy", "other"]) framework(world, role);
  return world;
}

function framework(world: World, role: string, priority = 100, name = role): void {
  const spec = { user: "ubar", name, role, priority, failoverMs: 60_000 };
  world.must(world.user("ubar", { case: "frameworkSubscribe", value: { spec, id: "", session: 1 } }));
}

function launch(world: World, name: string, taskId: string, machine = "m1", cpuMilli = 1000): string {
  const launches = [{ taskId, machine, task: { command: ["work"], limit: limit(cpuMilli, GI / 8) } }];
  const answer = world.must(world.user("ubar", { case: "frameworkLaunch", value: { framework: `ubar/${name}`, session: 1, launches } }));
  assert.ok(answer.type === "launches" && answer.launches[0]?.ok, JSON.stringify(answer));
  const { instance, task } = answer.launches[0];
  world.report(machine, { instance, phase: Phase.RUNNING, run: 1 });
  return task;
}

function run(world: World, name: string, priority: number, cpuMilli = 1000): string {
  assert.equal(world.submit(name, { priority, task: { command: ["work"], limit: limit(cpuMilli, GI / 8) } }), "ok");
  assert.equal(world.claim(`ubar/${name}/0`, "m1"), "ok");
  world.report("m1", { instance: world.instance(`ubar/${name}/0`), phase: Phase.RUNNING, run: 1 });
  return `ubar/${name}/0`;
}

const revoke = (world: World, tasks: readonly string[], role = "needy", graceMs = 10_000): string =>
  world.say(world.master({ case: "frameworkRevoke", value: { role, instances: tasks.map((id) => world.instance(id)), graceMs } }));

test("a task is revoked with notice for a role below its guarantee: its framework hears LOST, a Borg task waits before it comes back [cell.F12] [KF4] [Z8]", () => {
  const world = cell();
  const free = run(world, "free", 50);
  const others = ["a", "b", "c"].map((id) => launch(world, "other", id));
  assert.equal(revoke(world, [free, others[0]!]), "ok");
  const { stop } = world.task(others[0]!).instance!;
  assert.deepEqual([stop?.cause, stop?.noticeMs, stop?.preemptor], ["revocation", 10_000, undefined]);
  for (const id of [free, others[0]!]) world.report("m1", { instance: world.instance(id), phase: Phase.GONE, run: 1 });
  const last = world.task(others[0]!).launched?.updates.at(-1);
  assert.deepEqual([last?.state, last?.reason], ["lost", "container_preempted"]);
  assert.match(last?.message ?? "", /^It was revoked for a role|for role needy/);
  const { state, notBeforeMs, cause } = world.task(free);
  assert.deepEqual([state, notBeforeMs, cause], ["pending", world.timeMs + HEAD_START_MS, "revocation"]);
  assert.match(preemptionLines(world.state, world.task(free), world.timeMs).join(), /^It was revoked on m1 0 s ago: a role of frameworks/);
  assert.equal(world.state.evictionDays.at(-1)?.nonProd.revocation, 2);
});

test("nobody goes who must stay: not its own, not prod, not who would fall below its own guarantee, not a Borg task of its priority [cell.F12] [KF4]", () => {
  const world = cell();
  const equal = run(world, "equal", 100);
  const own = launch(world, "needy", "own", "m2");
  const others = ["a", "b"].map((id) => launch(world, "other", id, "m2"));
  assert.match(revoke(world, [equal]), /has priority 100: it is not revoked for frameworks of priority 100/);
  assert.match(revoke(world, [own]), /is of role "needy" itself/);
  assert.match(revoke(world, others), /which would fall below its own guarantee/, "all or none");
  assert.ok(others.every((id) => world.task(id).instance?.stop === undefined));
  assert.match(revoke(world, [own], "nobody"), /^Role "nobody" has no framework/);
  framework(world, "rich", 100);
  const rich = ["a", "b"].map((id) => launch(world, "rich", id, "m1"));
  assert.equal(revoke(world, rich), "ok", "a role without a guarantee loses all it has");
});

test("no more goes than is lacking, and what goes already counts [cell.F12]", () => {
  const world = cell();
  framework(world, "rich", 100);
  const rich = ["a", "b", "c", "d"].map((id) => launch(world, "rich", id, "m1"));
  const more = launch(world, "rich", "e", "m2");
  assert.match(revoke(world, [...rich, more]), /^Role "needy" has its guarantee, or will have it/);
  assert.equal(revoke(world, rich), "ok");
  assert.match(revoke(world, [more]), /^Role "needy" has its guarantee, or will have it/);
});
