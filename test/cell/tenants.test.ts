/** Labels of single tasks, and jobs of other users in an alloc set (Borg §2.4, §8.1). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { taskLabels } from "../../src/cell/labels.ts";
import { masterOp } from "../../src/cell/op.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "./world.ts";

function cell(version = 4): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let next = 2; next <= version; next++) world.must(masterOp({ case: "cellVersion", value: { version: next } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  return world;
}

const asAnn = (world: World, name: string, more: JobWish = {}): string =>
  world.say(world.user("ann", { case: "jobSubmit", value: { spec: { ...jobSpec(name, more), user: "ann" } } }));

const canary = [{ first: 0, last: 1, labels: [{ key: "track", value: "canary" }] }];
const labels = [
  { key: "app", value: "web" },
  { key: "track", value: "stable" },
];
const told = (world: World, task: string): string => [...taskLabels(world.task(task))].map(([key, value]) => `${key}=${value}`).join(" ");

test("a task has its job's labels, and what an override says over them, also when the job is dead [cell.J29] [L1]", () => {
  const world = cell();
  assert.equal(world.submit("web", { count: 3, labels, overrides: canary }), "ok");
  assert.deepEqual(
    [0, 1, 2].map((i) => told(world, `ubar/web/${i}`)),
    ["app=web track=canary", "app=web track=canary", "app=web track=stable"],
  );
  world.restart();
  assert.equal(told(world, "ubar/web/1"), "app=web track=canary");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  assert.equal(told(world, "ubar/web/1"), "app=web track=canary", "of what has ended, too");
});

test("labels of single tasks begin with version 4, and no label is given twice [cell.J29] [L1]", () => {
  assert.match(cell(3).submit("web", { count: 3, overrides: canary }), /not all masters of the cell are upgraded/);
  const world = cell();
  const twice = [labels[0]!, labels[0]!];
  assert.equal(world.submit("web", { overrides: [{ first: 0, last: 0, labels: twice }] }), 'Label "app" is given twice: keep one of them');
  assert.equal(world.submitAllocs("aset", { labels: twice }), 'Label "app" is given twice: keep one of them');
});

test("an update that changes nothing but labels restarts nobody [cell.J19] [L1] [D5]", () => {
  const world = cell();
  world.submit("web", { count: 2, labels });
  for (const i of [0, 1]) world.claim(`ubar/web/${i}`, "m1");
  const before = [0, 1].map((i) => world.instance(`ubar/web/${i}`));
  for (const instance of before) world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  const spec = jobSpec("web", { count: 2, labels, overrides: [{ ...canary[0]!, last: 0 }] });
  world.must(world.user("ubar", { case: "updateStart", value: { spec } }));
  world.must(masterOp({ case: "updateStep", value: { job: "ubar/web" } }));
  assert.deepEqual(
    [0, 1].map((i) => world.instance(`ubar/web/${i}`)),
    before,
  );
  assert.equal(told(world, "ubar/web/0"), "app=web track=canary");
});

test("jobs of other users run in an alloc set whose owner let them in, side by side with its own [cell.A5] [A2] [A5]", () => {
  const world = cell();
  world.submitAllocs("aset", { tenants: ["ann"] });
  assert.equal(world.submit("web", { allocSet: "ubar/aset", task: { limit: limit(1000, GI) } }), "ok");
  assert.equal(asAnn(world, "saver", { allocSet: "ubar/aset", task: { limit: limit(500, GI) } }), "ok");
  world.claim("ubar/aset/0", "m1");
  const alloc = world.instance("ubar/aset/0");
  assert.equal(world.claim("ubar/web/0", alloc), "ok");
  assert.equal(world.claim("ann/saver/0", alloc), "ok");
  assert.equal(world.task("ann/saver/0").instance?.place.id, alloc);
  assert.equal(world.state.users.get("ann" as never)?.charged.get("batch")?.cpu ?? 0, 0, "the set is paid for, not what is inside");
});

test("who is no tenant stays outside, and stays outside of a new set of that name [cell.A5] [A5] [KR6]", () => {
  const world = cell();
  world.submitAllocs("aset");
  assert.match(asAnn(world, "saver", { allocSet: "ubar/aset" }), /belongs to user "ubar": its owner names tenants/);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/aset" } }));
  assert.equal(world.submitAllocs("aset", { tenants: ["ann"] }), "ok");
  assert.equal(asAnn(world, "saver", { allocSet: "ubar/aset" }), "ok");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/aset" } }));
  assert.match(world.submitAllocs("aset"), /Job "ann\/saver" would run in alloc set "ubar\/aset": name user "ann" as a tenant/);
  assert.equal(world.submitAllocs("aset", { tenants: ["ann"] }), "ok");
  assert.match(cell(3).submitAllocs("aset", { tenants: ["ann"] }), /not all masters of the cell are upgraded/);
});

test("what is inside a set counts for no more than the set, at submit, in an update and in a new set [cell.A6] [A3]", () => {
  const world = cell();
  world.submitAllocs("aset", { priority: 110 });
  const above = /Priority 119 of a job in it is above that of alloc set "ubar\/aset", which is 110/;
  assert.match(world.submit("web", { allocSet: "ubar/aset", priority: 119 }), above);
  assert.equal(world.submit("web", { allocSet: "ubar/aset", priority: 110 }), "ok");
  const spec = jobSpec("web", { allocSet: "ubar/aset", priority: 119 });
  assert.match(world.say(world.user("ubar", { case: "updateStart", value: { spec } })), above);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/aset" } }));
  assert.match(
    world.submitAllocs("aset", { priority: 100 }),
    /Priority 110 of a job in it is above that of alloc set "ubar\/aset", which is 100/,
  );
});

test("an alloc keeps its resources while tasks come and go, and for those that come later [cell.A1] [A1] [A2]", () => {
  const world = cell();
  world.submitAllocs("aset");
  world.claim("ubar/aset/0", "m1");
  const alloc = world.instance("ubar/aset/0");
  const reserved = (): number => world.state.machines.get("m1" as never)?.place.reserved.cpu ?? 0;
  assert.equal(reserved(), 2000, "nobody is in it yet");
  world.submit("web", { allocSet: "ubar/aset", task: { limit: limit(1000, GI) }, restart: { when: 3 } });
  world.claim("ubar/web/0", alloc);
  const web = world.instance("ubar/web/0");
  assert.equal(reserved(), 2000, "once");
  world.report("m1", { instance: web, phase: Phase.FINISHED, run: 1 });
  assert.equal(world.task("ubar/aset/0").state, "running");
  assert.equal(reserved(), 2000, "between stop and start");
  assert.equal(world.submit("later", { allocSet: "ubar/aset", task: { limit: limit(2000, GI) } }), "ok");
  assert.equal(world.claim("ubar/later/0", alloc), "ok");
});
