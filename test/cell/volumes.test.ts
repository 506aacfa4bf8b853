/** Volumes: who may use which, and that a task stays with what it wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { masterOp } from "../../src/cell/op.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { GI, type JobWish, jobSpec, World } from "./world.ts";

const DATA = { task: { volumes: [{ name: "data" }] } } satisfies JobWish;
const OFFERS = [{ user: "ubar", name: "data" }];

function cell(version = 5): World {
  const world = new World().init();
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  for (const name of ["m1", "m2"]) world.machine(name, 4000, 8 * GI, { volumes: OFFERS });
  return world.machine("m3");
}

/** The machine does not answer, and what was on it is given up. */
function lose(world: World, machine: string, task: string): void {
  const instance = world.instance(task);
  world.must(world.master({ case: "machineMark", value: { machine, reachable: false } }));
  world.must(world.master({ case: "taskLost", value: { machine, instances: [instance] } }));
}

const unpin = (world: World, task: string, user = "ubar"): string => world.say(world.user(user, { case: "taskUnpin", value: { task } }));

test("a job goes only where a machine offers its volumes to its user [cell.V1] [U10] [V6]", () => {
  const world = cell();
  for (const user of ["bob"]) {
    world.must(world.user("admin", { case: "userGrant", value: { user, roles: [Role.USER] } }));
    world.must(world.user("admin", { case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } }));
    world.must(world.user(user, { case: "jobSubmit", value: { spec: jobSpec("db", { user, ...DATA }) } }));
  }
  assert.equal(world.submit("db", DATA), "ok");
  assert.match(world.claim("ubar/db/0", "m3"), /Machine "m3" offers no volume data to ubar/);
  assert.match(world.claim("bob/db/0", "m1"), /Machine "m1" offers no volume data to bob/);
  assert.equal(world.claim("ubar/db/0", "m1"), "ok");
  world.must(
    world.master({
      case: "machineFacts",
      value: { machine: "m3", facts: { capacity: { cpuMilli: 4000, ramBytes: 8 * GI }, volumes: [{ user: "bob", name: "data" }] } },
    }),
  );
  assert.equal(world.claim("bob/db/0", "m3"), "ok");
});

test("a volume is named once, in a job that is in no alloc set [cell.V1]", () => {
  const world = cell();
  assert.match(world.submit("db", { task: { volumes: [{ name: "data" }, { name: "data" }] } }), /Volume "data" is named twice/);
  assert.equal(world.submitAllocs("aset"), "ok");
  assert.match(world.submit("db", { ...DATA, allocSet: "ubar/aset" }), /A job in an alloc set cannot use volumes/);
});

test("tasks of one job do not write into the same volume; those that only read may be on one machine [cell.V2]", () => {
  const world = cell();
  assert.equal(world.submit("db", { count: 2, ...DATA }), "ok");
  assert.equal(world.claim("ubar/db/0", "m1"), "ok");
  assert.match(world.claim("ubar/db/1", "m1"), /already has a task of job "ubar\/db"/);
  assert.equal(world.claim("ubar/db/1", "m2"), "ok");
  assert.equal(world.submit("reader", { count: 2, task: { volumes: [{ name: "data", readOnly: true }] } }), "ok");
  for (const task of ["ubar/reader/0", "ubar/reader/1"]) assert.equal(world.claim(task, "m1"), "ok");
});

test("a task stays with the machine it was first placed on, until its owner unpins it [cell.V3]", () => {
  const world = cell();
  world.submit("db", DATA);
  assert.match(unpin(world, "ubar/db/0"), /is pinned to no machine/);
  world.claim("ubar/db/0", "m1");
  assert.match(unpin(world, "ubar/db/0"), /is on machine "m1": only one that waits is unpinned/);
  // It was never reported, and may have run all the same.
  lose(world, "m1", "ubar/db/0");
  assert.match(world.claim("ubar/db/0", "m2"), /runs only on machine "m1"/);
  world.restart();
  assert.match(world.claim("ubar/db/0", "m2"), /runs only on machine "m1"/);
  world.must(world.master({ case: "machineLeave", value: { machine: "m1" } }));
  assert.match(world.claim("ubar/db/0", "m2"), /runs only on machine "m1"/);
  world.must(world.user("admin", { case: "userGrant", value: { user: "bob", roles: [Role.USER] } }));
  assert.match(unpin(world, "ubar/db/0", "bob"), /bob/);
  assert.match(unpin(world, "ubar/db/7"), /does not exist/);
  assert.equal(unpin(world, "ubar/db/0"), "ok");
  assert.equal(world.claim("ubar/db/0", "m2"), "ok");
  assert.equal(stateHash(world.replay()), stateHash(world.state));
});

test("a job that was killed and is submitted again finds its volumes, and one that names none any more is free [cell.V3]", () => {
  const world = cell();
  const end = (): void => {
    const instance = world.instance("ubar/db/0");
    world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/db" } }));
    world.report("m2", { instance, phase: Phase.GONE });
  };
  world.submit("db", DATA);
  world.claim("ubar/db/0", "m2");
  end();
  assert.equal(world.submit("db", DATA), "ok");
  assert.match(world.claim("ubar/db/0", "m1"), /runs only on machine "m2"/);
  assert.equal(world.claim("ubar/db/0", "m2"), "ok");
  end();
  assert.equal(world.submit("db"), "ok");
  assert.equal(world.claim("ubar/db/0", "m3"), "ok");
});

test("one task per machine is one per machine that offers the volume; who stops offering it loses the task [cell.V1] [cell.J10]", () => {
  const world = cell();
  world.submit("agent", { perMachine: true, ...DATA });
  assert.deepEqual(
    world.state.jobs.get("ubar/agent" as never)?.tasks.map(({ pinned }) => pinned),
    ["m1", "m2"],
  );
  assert.match(unpin(world, "ubar/agent/0"), /one task for each machine/);
  const facts = { capacity: { cpuMilli: 4000, ramBytes: 8 * GI } };
  world.must(masterOp({ case: "machineFacts", value: { machine: "m2", facts } }));
  assert.equal(world.task("ubar/agent/1").state, "dead");
  world.restart();
  assert.equal(world.state.jobs.get("ubar/agent" as never)?.pins.size, 1);
});

test("below version 5 nothing of volumes counts [cell.V4]", () => {
  const world = cell(4);
  assert.match(world.submit("db", DATA), /^Cannot use "volumes" yet/);
  assert.deepEqual(world.state.machines.get("m1" as never)?.facts.volumes, []);
  world.must(world.master({ case: "cellVersion", value: { version: 5 } }));
  world.must(
    masterOp({
      case: "machineFacts",
      value: { machine: "m1", facts: { capacity: { cpuMilli: 4000 }, portFirst: 20000, portLast: 20009, volumes: OFFERS } },
    }),
  );
  assert.equal(world.submit("db", DATA), "ok");
});
