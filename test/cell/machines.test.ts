import assert from "node:assert/strict";
import { test } from "node:test";
import { ZERO } from "../../src/base/vector.ts";
import { schedulerOp } from "../../src/cell/op.ts";
import { COUNTED_DRAINS, DRAIN_PACE } from "../../src/cell/version.ts";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { GI, limit, World } from "./world.ts";

const cell = (): World => new World().init().machine("m1").machine("m2").prodQuota();
const machine = (world: World, name: string) => world.state.machines.get(name as never) ?? assert.fail(name);
const mark = (world: World, reachable: boolean): string =>
  world.say(world.master({ case: "machineMark", value: { machine: "m1", reachable } }));
const lost = (world: World, ...instances: string[]): string =>
  world.say(world.master({ case: "taskLost", value: { machine: "m1", instances } }));

test("a machine joins with its facts, and joining again changes them; cpu is normalised by core speed [cell.M1] [U4] [U13]", () => {
  const world = cell().machine("fast", 4000, 8 * GI, { coreSpeedPermille: 1501 });
  assert.equal(machine(world, "fast").place.capacity.cpu, 6004);
  world.machine("fast", 3, 8 * GI, { coreSpeedPermille: 500 });
  assert.equal(machine(world, "fast").place.capacity.cpu, 1);
  assert.equal(world.state.capacity.cpu, 8001);
  const join = (facts: object) => world.say(world.master({ case: "machineJoin", value: { machine: "x", facts } }));
  assert.equal(join({ capacity: {}, portFirst: 9, portLast: 3 }), "Ports 9 to 3 are no range: name the lower one first");
  assert.equal(join({ capacity: {}, portLast: 3 }), "Port 0 cannot be given out: begin the range at 1 or above");
});

test("an unreachable machine keeps its tasks; only then can they be given up, and they run elsewhere [cell.M2] [cell.T3] [B4] [V1]", () => {
  const world = cell();
  world.submit("web", { count: 2 });
  for (const i of [0, 1]) world.claim(`ubar/web/${i}`, "m1");
  const first = world.instance("ubar/web/0");
  assert.equal(lost(world, first), 'Machine "m1" answers: nothing on it is given up');
  assert.equal(mark(world, false), "ok");
  assert.equal(world.task("ubar/web/0").state, "starting");
  const outcome = world.try(world.master({ case: "taskLost", value: { machine: "m1", instances: [first] } }));
  assert.ok(outcome.ok);
  assert.equal(world.task("ubar/web/0").state, "pending");
  assert.equal(machine(world, "m1").place.reserved.cpu, 1000);
  assert.equal(world.claim("ubar/web/0", "m2"), "ok");
  assert.equal(mark(world, true), "ok");
  assert.equal(world.task("ubar/web/1").state, "starting", "what was not given up is kept");
});

test("a report of an instance that is not there does nothing, and never creates state [cell.T6] [B4]", () => {
  const world = cell();
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  mark(world, false);
  lost(world, instance);
  mark(world, true);
  for (const phase of [Phase.RUNNING, Phase.FAILED, Phase.FINISHED, Phase.GONE]) {
    const outcome = world.try(world.master({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase }] } }));
    assert.ok(outcome.ok && outcome.events.length === 0);
  }
  world.claim("ubar/web/0", "m2");
  const other = world.try(
    world.master({
      case: "machineReport",
      value: { machine: "m1", instances: [{ instance: world.instance("ubar/web/0"), phase: Phase.FAILED }] },
    }),
  );
  assert.ok(other.ok && other.events.length === 0, "another machine speaks only for itself");
  assert.equal(
    world.report("m9", { instance, phase: Phase.GONE }),
    'Machine "m9" is not in this cell: borg ls machines shows those that are',
  );
});

test("a machine that answers leaves only when empty; an unreachable one gives up what was on it [cell.M3]", () => {
  const world = cell();
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const leave = () => world.say(world.user("admin", { case: "machineLeave", value: { machine: "m1" } }));
  assert.equal(leave(), 'Machine "m1" still has 1 tasks or allocs: drain it first');
  mark(world, false);
  assert.equal(leave(), "ok");
  assert.equal(world.task("ubar/web/0").state, "pending");
  assert.equal(world.task("ubar/web/0").cause, "machine-shutdown");
  assert.equal(leave(), 'Machine "m1" is not in this cell: borg ls machines shows those that are');
});

test("ports that are held cannot leave the range [cell.M4] [KR2]", () => {
  const world = cell();
  world.submit("web", { task: { ports: ["http"] } });
  world.claim("ubar/web/0", "m1");
  const facts = { capacity: { cpuMilli: 4000, ramBytes: 8 * GI }, portFirst: 30000, portLast: 30009 };
  assert.match(
    world.say(world.master({ case: "machineFacts", value: { machine: "m1", facts } })),
    /Port 20000 is held by "ubar\/web\/0:\d+": keep it in the range/,
  );
});

test("the sequence rises with what a plan may rest on, and with nothing else [cell.M5] [O6]", () => {
  const world = cell();
  world.submit("web", { count: 2, task: { limit: limit(1000, GI) } });
  const rises = (act: () => void): boolean => {
    const before = machine(world, "m1").sequence;
    act();
    return machine(world, "m1").sequence > before;
  };
  const reserve = (cpuMilli: number) =>
    world.must(
      world.master({
        case: "reservations",
        value: { machine: "m1", reservations: [{ instance: world.instance("ubar/web/0"), amount: limit(cpuMilli, GI) }] },
      }),
    );
  const seen: Record<string, boolean> = {};
  seen["claim"] = rises(() => world.claim("ubar/web/0", "m1"));
  seen["start"] = rises(() => world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, run: 1 }));
  seen["health"] = rises(() =>
    world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, run: 1, health: Health.BAD }),
  );
  seen["falling reservation"] = rises(() => reserve(500));
  seen["rising reservation"] = rises(() => reserve(900));
  seen["draining"] = rises(() => world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } })));
  seen["eviction"] = rises(() =>
    world.must(world.master({ case: "taskEvict", value: { instances: [world.instance("ubar/web/0")], cause: Cause.MACHINE_SHUTDOWN } })),
  );
  seen["gone"] = rises(() => world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.GONE }));
  seen["unreachable"] = rises(() => mark(world, false));
  seen["facts"] = rises(() => world.machine("m1", 5000));
  seen["same facts"] = rises(() => world.machine("m1", 5000));
  assert.deepEqual(seen, {
    claim: true,
    start: false,
    health: false,
    "falling reservation": false,
    "rising reservation": true,
    draining: true,
    eviction: true,
    gone: false,
    unreachable: true,
    facts: true,
    "same facts": false,
  });
});

test("a reservation stays within the limit; ports and devices count whole [cell.M6] [R1] [KR2]", () => {
  const world = cell().machine("gpu", 4000, 8 * GI, { capacity: { extras: [{ name: "gpu", amount: 1 }] } });
  const gpu = { ...limit(1000, GI), extras: [{ name: "gpu", amount: 1 }] };
  world.submit("train", { count: 2, task: { limit: gpu, ports: ["http"] } });
  world.claim("ubar/train/0", "gpu");
  const reserve = (cpuMilli: number) =>
    world.say(
      world.master({
        case: "reservations",
        value: { machine: "gpu", reservations: [{ instance: world.instance("ubar/train/0"), amount: limit(cpuMilli, 1) }] },
      }),
    );
  assert.match(reserve(1001), /A reservation of instance "ubar\/train\/0:\d+" above its limit/);
  assert.equal(reserve(10), "ok");
  assert.deepEqual(machine(world, "gpu").place.reserved, {
    ...ZERO,
    cpu: 10,
    ram: 1,
    ports: 1,
    extras: [{ name: "gpu", amount: 1 }],
  });
  assert.equal(world.claim("ubar/train/1", "gpu"), '"gpu" lacks 1 gpu by reservations');
});

test("the master evicts only non-prod for lack of resources, and for shutdown only where it drains [cell.M7] [R3] [V7]", () => {
  const world = cell();
  world.submit("web", { priority: 120 });
  world.submit("mill", { priority: 100 });
  for (const name of ["web", "mill"]) world.claim(`ubar/${name}/0`, "m1");
  const evict = (name: string, cause: Cause) =>
    world.say(world.master({ case: "taskEvict", value: { instances: [world.instance(`ubar/${name}/0`)], cause } }));
  assert.match(evict("web", Cause.OUT_OF_RESOURCES), /is prod: it is not evicted for lack of resources/);
  assert.equal(evict("web", Cause.MACHINE_SHUTDOWN), 'Machine "m1" is not draining');
  assert.match(evict("web", Cause.FINISHED), /An eviction is for/);
  assert.equal(evict("mill", Cause.OUT_OF_RESOURCES), "ok");
  assert.equal(world.task("ubar/mill/0").cause, "out-of-resources");
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, overRam: true });
  assert.equal(evict("web", Cause.OUT_OF_RESOURCES), "ok");
});

test("an alloc is placed like a task; what is inside counts against it, and it against the machine, once [cell.A1] [A1] [A3] [A5] [KR4]", () => {
  const world = cell();
  world.submitAllocs("aset", { ports: 2 });
  world.submit("web", { allocSet: "ubar/aset", count: 2, task: { limit: limit(1500, GI), ports: ["http"] } });
  assert.equal(world.claim("ubar/aset/0", "m1"), "ok");
  assert.equal(world.task("ubar/aset/0").state, "running");
  const alloc = world.instance("ubar/aset/0");
  assert.equal(world.claim("ubar/web/0", "m1"), 'Task "ubar/web/0" runs only in alloc set "ubar/aset"');
  assert.equal(world.claim("ubar/web/0", alloc), "ok");
  assert.equal(world.claim("ubar/web/1", alloc), `"${alloc}" lacks 1000 millicores of cpu by reservations`);
  assert.equal(machine(world, "m1").place.reserved.cpu, 2000);
  assert.deepEqual(world.task("ubar/web/0").instance?.ports, [20000]);
});

test("when an alloc stops, what is inside stops with it, and it is gone when that is [cell.A2] [A4]", () => {
  const world = cell();
  world.submitAllocs("aset");
  world.submit("web", { allocSet: "ubar/aset", task: { limit: limit(1000, GI) } });
  world.submit("prod", { priority: 120, task: { limit: limit(4000, GI) } });
  world.claim("ubar/aset/0", "m1");
  const alloc = world.instance("ubar/aset/0");
  world.claim("ubar/web/0", alloc);
  const web = world.instance("ubar/web/0");
  const outcome = world.try(
    schedulerOp("service", { case: "taskClaims", value: { claims: [world.claimOf("ubar/prod/0", "m1", [alloc])] } }),
  );
  assert.ok(outcome.ok && outcome.answer.type === "claims" && outcome.answer.claims[0]?.ok);
  assert.equal(world.task("ubar/aset/0").state, "stopping");
  assert.equal(world.task("ubar/web/0").state, "stopping");
  assert.match(world.claim("ubar/web/0", alloc), /still has an instance that stops/);
  world.report("m1", { instance: web, phase: Phase.GONE });
  assert.equal(world.task("ubar/aset/0").state, "pending");
  assert.equal(world.claim("ubar/web/0", alloc), `Place "${alloc}" does not exist`);
  assert.equal(world.claim("ubar/aset/0", "m2"), "ok");
  assert.equal(world.claim("ubar/web/0", world.instance("ubar/aset/0")), "ok");
});

test("a transaction that evicts an alloc cannot also place something inside it [cell.A2] [cell.C1]", () => {
  const world = cell();
  world.submitAllocs("aset");
  world.submit("web", { allocSet: "ubar/aset", task: { limit: limit(1000, GI) } });
  world.submit("prod", { priority: 120, task: { limit: limit(4000, GI) } });
  world.claim("ubar/aset/0", "m1");
  const alloc = world.instance("ubar/aset/0");
  const claims = [world.claimOf("ubar/prod/0", "m1", [alloc]), world.claimOf("ubar/web/0", alloc)];
  const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  assert.ok(answer.type === "claims");
  assert.deepEqual(
    answer.claims.map((claim) => (claim.ok ? "ok" : claim.reason)),
    ["ok", `Place "${alloc}" does not exist`],
  );
});

test("when an alloc is given up, what is inside goes with it [cell.A3]", () => {
  const world = cell();
  world.submitAllocs("aset");
  world.submit("web", { allocSet: "ubar/aset", task: { limit: limit(1000, GI) } });
  world.claim("ubar/aset/0", "m1");
  world.claim("ubar/web/0", world.instance("ubar/aset/0"));
  mark(world, false);
  assert.equal(lost(world, world.instance("ubar/aset/0")), "ok");
  assert.equal(world.task("ubar/aset/0").state, "pending");
  assert.equal(world.task("ubar/web/0").state, "pending");
});

test("a drain takes no more of a job down than may be when it is carried out: who became ready since counts [cell.M7] [KP2] [V3]", () => {
  for (const [version, states] of [
    [COUNTED_DRAINS - 1, ["stopping", "stopping"]],
    [COUNTED_DRAINS, ["stopping", "running"]],
  ] as const) {
    const world = new World().init().machine("m1", 4000, 8 * GI);
    for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
    world.prodQuota();
    assert.equal(world.submit("web", { count: 2, downMax: 1 }), "ok");
    for (const index of [0, 1]) {
      assert.equal(world.claim(`ubar/web/${index}`, "m1"), "ok");
      world.report("m1", { instance: world.instance(`ubar/web/${index}`), phase: Phase.RUNNING, run: 1 });
    }
    world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
    const instances = [0, 1].map((index) => world.instance(`ubar/web/${index}`));
    world.must(world.master({ case: "taskEvict", value: { instances, cause: Cause.MACHINE_SHUTDOWN } }));
    assert.deepEqual(
      [0, 1].map((index) => world.task(`ubar/web/${index}`).state),
      states,
    );
  }
});

test("a drain takes one task of a job and then none for as long as it says, over all machines; who is down already goes, and allocs go whole [cell.M7] [KP2] [V3]", () => {
  const world = new World().init();
  for (let next = 2; next <= DRAIN_PACE; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  for (const machine of ["m1", "m2"]) world.machine(machine, 4000, 8 * GI);
  world.prodQuota();
  assert.equal(world.submit("web", { count: 4, drainEveryMs: 60_000, task: { limit: limit(500, GI) } }), "ok");
  const tasks = [0, 1, 2, 3].map((index) => `ubar/web/${index}`);
  for (const [index, task] of tasks.entries()) {
    assert.equal(world.claim(task, index < 2 ? "m1" : "m2"), "ok");
    if (index !== 3) world.report(index < 2 ? "m1" : "m2", { instance: world.instance(task), phase: Phase.RUNNING, run: 1 });
  }
  for (const machine of ["m1", "m2"]) world.must(world.user("admin", { case: "machineDrain", value: { machine, draining: true } }));
  const evict = (): string => {
    const instances = tasks.map((task) => world.task(task).instance?.id ?? "").filter((id) => id !== "");
    world.must(world.master({ case: "taskEvict", value: { instances, cause: Cause.MACHINE_SHUTDOWN } }));
    return tasks.map((task) => world.task(task).state).join(" ");
  };
  assert.equal(evict(), "stopping running running stopping", "the last one does not serve yet: it costs nothing");
  assert.equal(evict(), "stopping running running stopping", "a minute is not over");
  world.timeMs += 59_000;
  assert.equal(evict(), "stopping running running stopping");
  world.timeMs += 1000;
  assert.equal(evict(), "stopping stopping running stopping");
  assert.equal(evict(), "stopping stopping running stopping");
});
