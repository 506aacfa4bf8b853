/** What a pass decides, in small cells where the answer can be seen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { imageOf } from "../../src/cell/feed.ts";
import { type Op, schedulerOp } from "../../src/cell/op.ts";
import { explain } from "../../src/scheduler/explain.ts";
import { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { schedulerNames, startOf } from "../../src/scheduler/responsibility.ts";
import { POLICIES, type Policy } from "../../src/scheduler/search/policy.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { Operator, SchedulingMode, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { draws, toOp } from "../cell/random-op.ts";
import { settings } from "../cell/settings.ts";
import { busyWorld, GI, type JobWish, jobSpec, limit, World } from "../cell/world.ts";
import { Bench } from "./support.ts";

const task = (cpu: number, ram = GI): JobWish => ({ task: { limit: limit(cpu, ram) } });

/** Machines of 4 cores and 8 GiB. */
function cell(...names: string[]): World {
  const world = new World().init();
  for (const name of names) world.machine(name);
  return world.prodQuota();
}

function user(world: World, name: string): void {
  world.must(world.user("admin", { case: "userGrant", value: { user: name, roles: [Role.USER] } }));
  world.must(world.user("admin", { case: "quotaSet", value: { user: name, band: Band.BATCH, quota: { unlimited: true } } }));
}

const submitAs = (world: World, name: string, job: string, more: JobWish): void =>
  void world.must(world.user(name, { case: "jobSubmit", value: { spec: { ...jobSpec(job, more), user: name } } }));

const placed = (world: World, job: string): number =>
  world.state.jobs.get(job as never)?.tasks.filter((each) => each.state !== "pending").length ?? 0;

test("high priority first, whoever came first [scheduler.Q1] [S1]", () => {
  const world = cell("m1");
  world.submit("low", { priority: 100, count: 3, ...task(1000) });
  world.submit("high", { priority: 119, count: 2, ...task(1500) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/high/0 m1", "ubar/high/1 m1", "ubar/low/0 m1"]);
});

test("round robin over users: a large job gets no more than a small user's share [scheduler.Q2] [S1] [KS4]", () => {
  const world = new World().init().machine("m1", 100_000, 400 * GI);
  for (const name of ["ann", "bob"]) user(world, name);
  world.submit("huge", { count: 1000, ...task(1000) });
  submitAs(world, "ann", "mill", { count: 30, ...task(1000) });
  for (const job of ["a", "b", "c"]) submitAs(world, "bob", job, { count: 20, ...task(1000) });
  const bench = new Bench(world);
  const first = bench.pass();
  for (const transaction of first.transactions) bench.commit(transaction);
  assert.equal(placed(world, "ann/mill"), 30);
  const ofBob = ["a", "b", "c"].map((job) => placed(world, `bob/${job}`));
  const sum = ofBob.reduce((a, b) => a + b);
  assert.ok(sum >= 30 && placed(world, "ubar/huge") >= 30, `${ofBob} and ${placed(world, "ubar/huge")}`);
  assert.equal(sum + placed(world, "ubar/huge"), 70);
  assert.ok(Math.max(...ofBob) - Math.min(...ofBob) <= 10, "the jobs of a user take turns too");
});

test("whose turn it is goes on from pass to pass: when room comes in crumbs, users get it in turn [scheduler.Q2] [KS4]", () => {
  const world = new World().init().machine("m1", 1000);
  for (const name of ["ann", "bob"]) user(world, name);
  for (const name of ["ann", "bob", "ubar"]) submitAs(world, name, "mill", { count: 50, ...task(1000) });
  const bench = new Bench(world);
  const got: string[] = [];
  for (let i = 0; i < 9; i++) {
    const [line] = bench.settle();
    const [id = ""] = line?.split(" ") ?? [];
    got.push(id.split("/")[0] as string);
    bench.apply(
      world.master({
        case: "machineReport",
        value: { machine: "m1", instances: [{ instance: world.instance(id), phase: Phase.FINISHED }] },
      }),
    );
  }
  assert.deepEqual(got, ["ann", "bob", "ubar", "ann", "bob", "ubar", "ann", "bob", "ubar"]);
});

test("an impossible job, an impossible gang and a huge job block nobody behind them [scheduler.Q3] [S1] [O9] [KS4]", () => {
  const world = cell("m1", "m2");
  world.submit("impossible", { priority: 119, count: 500, ...task(64_000) });
  world.submit("picky", { priority: 118, constraints: [{ attribute: "gpu", operator: Operator.EXISTS }], ...task(100) });
  world.submit("gang", { priority: 117, count: 20, mode: SchedulingMode.GANG, ...task(1000) });
  world.submit("mill", { priority: 100, count: 2, ...task(1000) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/mill/0 m1", "ubar/mill/1 m2"].sort());
});

test("who found no room is not looked at again until something changed or the retry interval passed [scheduler.Q3]", () => {
  const world = cell("m1", "m2");
  world.submit("fill", { count: 2, ...task(3000) });
  world.submit("mill", { count: 2, ...task(2000) });
  const bench = new Bench(world);
  bench.settle();
  assert.equal(bench.pass().wakeMs, world.state.timeMs + 10_000);
  bench.apply(world.master({ case: "reservations", value: reservation(world, "ubar/fill/1", limit(500, GI)) }));
  assert.deepEqual(bench.settle(), [`ubar/mill/0 ${world.task("ubar/fill/1").instance?.place.id}`]);
});

const reservation = (world: World, id: string, amount: { cpuMilli: number; ramBytes: number }) => ({
  machine: world.task(id).instance?.place.machine.id ?? "",
  reservations: [{ instance: world.instance(id), amount }],
});

test("a pass that runs out of looks is continued where it stopped, so that low priorities get their turn [scheduler.Q6] [KS4]", () => {
  const world = cell("m1", "m2", "m3", "m4");
  for (let i = 0; i < 20; i++) world.submit(`huge${i}`, { priority: 119, ...task(64_000) });
  world.submit("mill", { priority: 100, ...task(1000) });
  const bench = new Bench(world);
  let passes = 0;
  for (let more = true; more; passes++) {
    const result = bench.pass(20);
    for (const transaction of result.transactions) bench.commit(transaction);
    more = result.more;
    // Something changes all the time: those above have to be looked at again and again.
    for (const name of ["m1", "m2"]) {
      world.timeMs += 1;
      bench.apply(world.master({ case: "machineMark", value: { machine: name, reachable: passes % 2 === 1 } }));
    }
    if (placed(world, "ubar/mill") === 1) break;
    assert.ok(passes < 20, "starved");
  }
  assert.equal(placed(world, "ubar/mill"), 1);
});

test("prod counts on limits, others on what is reserved [scheduler.P1] [S2] [S13]", () => {
  const world = cell("m1", "m2");
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m2", draining: true } }));
  world.submit("web", { priority: 120, ...task(3000) });
  world.submit("mill", { priority: 100, ...task(2000) });
  const bench = new Bench(world);
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"]);
  bench.apply(world.master({ case: "reservations", value: reservation(world, "ubar/web/0", limit(1000, GI)) }));
  assert.deepEqual(bench.settle(), ["ubar/mill/0 m1"]);
  assert.equal(world.submit("db", { priority: 120, ...task(1500) }), "ok");
  assert.deepEqual(bench.look().settle(), [], "prod does not rely on what others do not use");
});

test("a machine over its capacity takes nothing, not even in the place of victims [scheduler.P1] [S2]", () => {
  const world = cell("m1");
  world.submit("mill", { priority: 100, count: 4, ...task(1000) });
  const bench = new Bench(world);
  bench.settle();
  const facts = (cpuMilli: number) => ({ capacity: limit(cpuMilli, 8 * GI), portFirst: 20000, portLast: 20009 });
  bench.apply(world.master({ case: "machineFacts", value: { machine: "m1", facts: facts(3000) } }));
  world.submit("web", { priority: 110, ...task(500) });
  assert.deepEqual(bench.look().settle(), []);
  bench.apply(world.master({ case: "machineFacts", value: { machine: "m1", facts: facts(4000) } }));
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"]);
});

test("best fit: the fullest machine that still has room, ties to the first name [scheduler.S1]", () => {
  const world = cell("m1", "m2", "m3");
  world.submit("a", task(2000, 2 * GI));
  world.submit("b", task(1000, 2 * GI));
  world.claim("ubar/a/0", "m2");
  world.submit("c", task(1000));
  world.submit("d", task(3000));
  assert.deepEqual(new Bench(world).settle(), ["ubar/b/0 m2", "ubar/c/0 m2", "ubar/d/0 m1"]);
});

test("machines with devices are left to those who need them [scheduler.S1]", () => {
  const world = cell().machine("m1", 4000, 8 * GI, { capacity: { extras: [{ name: "gpu", amount: 2 }] } });
  world.machine("m2");
  world.submit("plain", task(1000));
  world.submit("trainer", { task: { limit: { ...limit(1000, GI), extras: [{ name: "gpu", amount: 2 }] } } });
  assert.deepEqual(new Bench(world).settle(), ["ubar/plain/0 m2", "ubar/trainer/0 m1"]);
});

test("parts of devices go to devices in use, where least is left; new ones are opened last, and whole ones find whole ones [scheduler.S12] [S3]", () => {
  const gpus = { capacity: { extras: [{ name: "gpu-milli", amount: 2000 }] }, devices: [{ name: "gpu-milli", unit: 1000 }] };
  const world = new World().init().upgraded();
  for (const name of ["m1", "m2", "m3"]) world.machine(name, 4000, 8 * GI, gpus);
  const part = (amount: number) => ({ task: { limit: { ...limit(100, GI / 8), extras: [{ name: "gpu-milli", amount }] } } });
  for (const [name, amount] of Object.entries({ a: 600, b: 500 })) world.submit(name, part(amount));
  world.claim("ubar/a/0", "m2");
  world.claim("ubar/b/0", "m3");
  const asked = { c: 400, d: 500, e: 1000, f: 300, g: 2000, h: 600 };
  const found = Object.entries(asked).flatMap(([name, amount]) => {
    world.submit(name, part(amount));
    return new Bench(world).settle();
  });
  assert.deepEqual(found, ["ubar/c/0 m2", "ubar/d/0 m3", "ubar/e/0 m2", "ubar/f/0 m3", "ubar/g/0 m1", "ubar/h/0 m3"]);
});

test("soft constraints win by their weights, hard ones are kept [scheduler.S2]", () => {
  const attributes = (key: string) => ({ attributes: [{ key, value: "yes" }] });
  const world = cell()
    .machine("m1", 4000, 8 * GI, attributes("ssd"))
    .machine("m2", 4000, 8 * GI, attributes("fast"))
    .machine("m3");
  const soft = (attribute: string, weight: number) => ({ attribute, operator: Operator.EXISTS, soft: true, weight });
  world.submit("a", { constraints: [soft("ssd", 2), soft("fast", 5)], ...task(100) });
  world.submit("b", { constraints: [soft("ssd", 1)], ...task(100) });
  world.submit("c", { constraints: [{ attribute: "fast", operator: Operator.NOT_EXISTS }, soft("fast", 9), soft("ssd", 0)], ...task(100) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/a/0 m2", "ubar/b/0 m1", "ubar/c/0 m1"]);
});

test("packages that are there count, any version for one asked for without [scheduler.S5] [S3] [S6]", () => {
  const world = cell()
    .machine("m1")
    .machine("m2", 4000, 8 * GI, { packages: ["web@1", "lib@2"] })
    .machine("m3", 4000, 8 * GI, { packages: ["web@2"] });
  const needs = (...packages: { name: string; version?: string }[]): JobWish => ({ task: { limit: limit(100, GI), packages } });
  world.submit("a", needs({ name: "web", version: "2" }));
  world.submit("b", needs({ name: "web", version: "1" }, { name: "lib" }));
  world.submit("c", needs({ name: "lib" }));
  assert.deepEqual(new Bench(world).settle(), ["ubar/a/0 m3", "ubar/b/0 m2", "ubar/c/0 m2"]);
});

test("of machines that are alike a batch task takes the one with prod on it [scheduler.S6] [S3]", () => {
  const world = cell("m1", "m2");
  world.submit("mill", { priority: 100, ...task(2000, 2 * GI) });
  world.submit("web", { priority: 120, ...task(2000, 2 * GI) });
  world.claim("ubar/mill/0", "m1");
  world.claim("ubar/web/0", "m2");
  world.submit("low", { priority: 0, ...task(1000, GI) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/low/0 m2"]);
});

test("a power domain is spread over too, and the more so the fewer tasks a job has [scheduler.S3] [V2] [O11]", () => {
  const world = cell();
  for (const [name, powerDomain] of [
    ["m1", "p1"],
    ["m2", "p1"],
    ["m3", "p2"],
  ] as const)
    world.machine(name, 4000, 8 * GI, { powerDomain });
  world.submit("web", { count: 2, ...task(100) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/web/0 m1", "ubar/web/1 m3"]);
});

test("policies: hybrid strands least, best fit leaves least over, e-pvm spreads [scheduler.S1] [S4]", () => {
  const where = (policy: Policy): string[] => {
    const world = cell("m1", "m2");
    world.machine("m3", 2000, 8 * GI);
    world.must(world.user("admin", { case: "schedulerSet", value: { name: "other", limits: { priorityMax: 450 } } }));
    world.submit("wide", task(2000, GI));
    world.claim("ubar/wide/0", "m2");
    world.submit("tall", task(500, 4 * GI));
    // So that the cell's work asks for cpu and ram as its machines have them.
    world.submit("theirs", { scheduler: "other", ...task(3500, 9 * GI) });
    return new Bench(world).pass(undefined, policy).transactions.flatMap(({ claims }) => claims.map(({ place }) => place ?? ""));
  };
  assert.deepEqual(POLICIES.map(where), [["m3"], ["m2"], ["m1"]]);
});

test("room is counted in the proportions in which work asks: where all lack ram, large machines stay whole [scheduler.S11] [S4]", () => {
  const world = cell();
  world.machine("m1", 4000, 16 * GI);
  world.machine("m2", 4000, 8 * GI);
  world.submit("small", task(100, 4 * GI));
  world.submit("wide", { count: 4, ...task(100, 2 * GI) });
  const bench = new Bench(world);
  const small = bench.settle().find((line) => line.startsWith("ubar/small/0"));
  assert.equal(small, "ubar/small/0 m2", "by the machines' own proportions m1 has more ram than cpu, and would lose nothing");
});

test("prod leaves room in the proportions in which the others ask for it, as far as the cell can hold them [scheduler.S11]", () => {
  const where = (theirs: number, wide: number): string | undefined => {
    const world = cell();
    world.must(world.user("admin", { case: "schedulerSet", value: { name: "other", limits: { priorityMax: 450 } } }));
    world.machine("m1", 4000, 16 * GI);
    world.machine("m2", 4000, 8 * GI);
    world.prodQuota();
    world.submit("small", { priority: 200, ...task(100, 4 * GI) });
    // So that the cell's work asks for cpu and ram as its machines have them.
    world.submit("even", { priority: 200, scheduler: "other", ...task(1200, GI / 8) });
    if (theirs > 0) world.submit("theirs", { count: theirs, priority: 110, scheduler: "other", ...task(3350, 10 * GI) });
    if (wide > 0) world.submit("wide", { count: wide, priority: 100, scheduler: "other", ...task(100, 2 * GI) });
    return new Bench(world).settle().find((line) => line.startsWith("ubar/small/0"));
  };
  assert.equal(where(0, 0), "ubar/small/0 m1", "prod alone asks for as much of both");
  assert.equal(where(0, 4), "ubar/small/0 m2", "the others lack ram, and m1 has most of it");
  assert.equal(where(2, 40), "ubar/small/0 m1", "nobody has a say for whom nothing is left");
});

test("a machine that only became fuller wakes nobody [scheduler.Q7]", () => {
  const world = cell("m1", "m2");
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "other", limits: { priorityMax: 450 } } }));
  world.submit("huge", task(64_000));
  world.submit("theirs", { scheduler: "other", ...task(1000) });
  const bench = new Bench(world);
  bench.settle();
  const before = bench.mirror.improved.now;
  const claim = { task: "ubar/theirs/0", incarnation: world.task("ubar/theirs/0").incarnation, place: "m1" };
  bench.apply(schedulerOp("other", { case: "taskClaims", value: { claims: [claim] } }));
  assert.equal(bench.mirror.improved.now, before);
  bench.apply(world.master({ case: "reservations", value: reservation(world, "ubar/theirs/0", limit(500, GI)) }));
  assert.equal(bench.mirror.improved.now, before + 1);
});

test("tasks of a job are spread over machines and racks; hard spread never shares a machine [scheduler.S3] [V2] [O11]", () => {
  const world = cell();
  for (const [name, rack] of [
    ["m1", "r1"],
    ["m2", "r1"],
    ["m3", "r2"],
    ["m4", "r2"],
  ] as const)
    world.machine(name, 4000, 8 * GI, { rack });
  world.submit("web", { count: 2, ...task(100) });
  world.submit("db", { count: 6, spread: Spread.HARD, ...task(100) });
  const lines = new Bench(world).settle();
  const of = (job: string) => lines.filter((line) => line.startsWith(`ubar/${job}/`)).map((line) => line.split(" ")[1]);
  assert.deepEqual(new Set(of("web").map((name) => (name === "m1" || name === "m2" ? "r1" : "r2"))), new Set(["r1", "r2"]));
  assert.deepEqual(of("db").sort(), ["m1", "m2", "m3", "m4"]);
});

test("no two tasks in one rack: as many are placed as there are racks, and one that leaves frees its whole rack [scheduler.S9] [V2]", () => {
  const world = cell("m0").upgraded();
  for (const [name, rack] of [
    ["m1", "r1"],
    ["m2", "r1"],
    ["m3", "r2"],
    ["m4", "r2"],
  ] as const)
    world.machine(name, 4000, 8 * GI, { rack });
  world.submit("db", { count: 3, spread: Spread.RACK, restart: { backoffMinMs: 1, backoffMaxMs: 1 }, ...task(3000) });
  world.submit("one", { spread: Spread.RACK, ...task(100) });
  const bench = new Bench(world);
  const lines = bench.settle();
  assert.deepEqual(
    lines
      .filter((line) => line.startsWith("ubar/db/"))
      .map((line) => line.split(" ")[1])
      .sort(),
    ["m1", "m3"],
  );
  assert.ok(
    lines.some((line) => line.startsWith("ubar/one/0 m") && line !== "ubar/one/0 m0"),
    "a single task wants a rack too",
  );
  bench.apply(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  const gone = { machine: "m1", instances: [{ instance: world.instance("ubar/db/0"), phase: Phase.GONE, run: 1 }] };
  bench.apply(world.user("ubar", { case: "jobRestart", value: { job: "ubar/db", tasks: [0] } }));
  bench.apply(world.master({ case: "machineReport", value: gone }));
  assert.deepEqual(
    bench.settle().map((line) => line.split(" ")[1]),
    ["m2"],
    "the rack's other machine, of which nothing was said",
  );
});

test("limits between jobs: both sides are planned so, and who is in the way may be a victim [scheduler.S10] [V2]", () => {
  const world = cell("m1", "m2").upgraded();
  world.submit("web", { beside: [{ job: "ubar/mill", max: 1 }], ...task(100) });
  world.submit("mill", { count: 4, ...task(1000) });
  const bench = new Bench(world);
  const placed = bench.settle();
  const at = (name: string): string[] => placed.filter((line) => line.startsWith(`ubar/${name}/`)).map((line) => line.split(" ")[1] ?? "");
  const [machine] = at("web");
  assert.ok(at("mill").filter((each) => each === machine).length <= 1, placed.join());
  world.submit("small", { count: 8, beside: [{ job: "ubar/web", max: 0 }], ...task(10) });
  const small = bench.look().settle();
  assert.equal(small.filter((line) => line.startsWith("ubar/small/")).length, 8);
  assert.ok(!small.some((line) => line.startsWith("ubar/small/") && line.endsWith(` ${machine}`)), "never beside web");
  world.submit("shy", { priority: 200, beside: [{ job: "ubar/mill", max: 0 }], ...task(10) });
  const before = [...world.state.jobs.get("ubar/mill" as never)!.tasks].filter(({ state }) => state !== "pending").length;
  bench.look().settle();
  const mills = world.state.jobs.get("ubar/mill" as never)!.tasks;
  const there = world.task("ubar/shy/0").instance?.place.machine;
  assert.ok(there !== undefined && before > 0);
  assert.ok(!mills.some(({ instance }) => instance?.place.machine === there && instance.stop === undefined), "no mill is left beside it");
});

test("a limit that an update drops lets the others in [scheduler.S10]", () => {
  const world = cell("m1").upgraded();
  world.submit("web", { beside: [{ job: "ubar/mill", max: 0 }], ...task(100) });
  const bench = new Bench(world);
  assert.equal(bench.settle().length, 1);
  world.submit("mill", task(100));
  assert.deepEqual(bench.look().settle(), []);
  bench.apply(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("web", task(100)) } }));
  bench.apply(world.master({ case: "updateStep", value: { job: "ubar/web" } }));
  assert.deepEqual(bench.settle(), ["ubar/mill/0 m1"]);
});

test("a gang over racks is planned whole or not at all [scheduler.S9] [S14]", () => {
  const world = cell().upgraded();
  for (const [name, rack] of Object.entries({ m1: "r1", m2: "r1", m3: "r2" })) world.machine(name, 4000, 8 * GI, { rack });
  world.submit("three", { count: 3, spread: Spread.RACK, mode: SchedulingMode.GANG, ...task(100) });
  world.submit("two", { count: 2, spread: Spread.RACK, mode: SchedulingMode.GANG, ...task(100) });
  const lines = new Bench(world).settle();
  assert.deepEqual(lines.map((line) => line.split(" ")[0]).sort(), ["ubar/two/0", "ubar/two/1"]);
});

test("a machine where the task crashed is taken again only if nothing else fits, even with victims [scheduler.P5] [KP4] [V5]", () => {
  const world = cell("m1", "m2");
  world.submit("web", { priority: 110, ...task(3000) });
  const bench = new Bench(world);
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"]);
  const fail = () => {
    const { machine } = world.task("ubar/web/0").instance?.place ?? assert.fail();
    const report = { machine: machine.id, instances: [{ instance: world.instance("ubar/web/0"), phase: Phase.FAILED }] };
    bench.apply(world.master({ case: "machineReport", value: report }));
    world.timeMs += 10_000;
    bench.apply(world.master({ case: "barrier", value: {} }));
  };
  world.submit("free", { priority: 0, ...task(3000) });
  world.claim("ubar/free/0", "m2");
  bench.look();
  fail();
  assert.deepEqual(bench.settle(), ["ubar/web/0 m2"]);
  fail();
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"], "both are avoided: the best of them");
});

test("victims: only if nothing fits without, lowest priority first, none too many, where it hurts least [scheduler.P3] [scheduler.P4] [S5] [KP1]", () => {
  const world = cell("m1", "m2");
  for (const [name, priority, cpu] of [
    ["a", 110, 1000],
    ["b", 50, 2000],
    ["c", 0, 1000],
  ] as const) {
    world.submit(name, { priority, ...task(cpu) });
    world.claim(`ubar/${name}/0`, "m1");
  }
  for (const [name, priority, cpu] of [
    ["d", 110, 1000],
    ["e", 60, 3000],
  ] as const) {
    world.submit(name, { priority, ...task(cpu) });
    world.claim(`ubar/${name}/0`, "m2");
  }
  world.submit("web", { priority: 120, ...task(2000) });
  const bench = new Bench(world);
  const [transaction] = bench.pass().transactions;
  const [claim] = transaction?.claims ?? [];
  assert.equal(claim?.place, "m1");
  assert.deepEqual(claim?.victims, [world.instance("ubar/b/0")], "c alone is too small, and with b it is not needed");
});

test("of those that would each make room the lowest go, even if that is two for one [scheduler.P3] [S5] [KP1]", () => {
  const world = cell("m1");
  for (const [name, priority, cpu] of [
    ["a", 110, 2000],
    ["b", 50, 1000],
    ["c", 0, 1000],
  ] as const) {
    world.submit(name, { priority, ...task(cpu) });
    world.claim(`ubar/${name}/0`, "m1");
  }
  world.submit("web", { priority: 120, ...task(2000) });
  const victims = new Bench(world).pass().transactions.flatMap((each) => each.claims.flatMap((claim) => claim.victims ?? []));
  assert.deepEqual(victims, [world.instance("ubar/c/0"), world.instance("ubar/b/0")]);
});

test("a claim under way is nobody's victim, and its room is there again when it is taken back [scheduler.P3] [scheduler.M3]", () => {
  const world = cell("m1");
  world.submit("mill", { priority: 100, ...task(3000) });
  const bench = new Bench(world);
  const [first] = bench.pass().transactions;
  bench.apply(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("web", { priority: 110, ...task(3000) }) } }));
  assert.deepEqual(bench.pass().transactions, []);
  bench.mirror.takeBack("ubar/mill/0", first?.id ?? "");
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"]);
});

test("an alloc that a claim under way goes into is nobody's victim [scheduler.P3]", () => {
  const world = cell("m1");
  world.submitAllocs("aset", { priority: 100, limit: limit(4000, 4 * GI) });
  const bench = new Bench(world);
  bench.settle();
  const submit = (name: string, more: JobWish) =>
    bench.apply(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec(name, more) } }));
  submit("inner", { priority: 100, allocSet: "ubar/aset", ...task(1000) });
  const [first] = bench.pass().transactions;
  submit("web", { priority: 110, ...task(3000) });
  assert.deepEqual(bench.pass().transactions, []);
  assert.ok(first !== undefined && typeof bench.commit(first) !== "string");
  assert.equal(bench.pass().transactions[0]?.claims[0]?.victims?.length, 1, "when it is decided, the alloc can go with what is inside");
});

test("production is never a victim of production, and who is over its memory goes first [scheduler.P3] [S5] [KP1]", () => {
  const world = cell("m1");
  for (const [name, priority] of [
    ["a", 120],
    ["b", 100],
    ["c", 0],
  ] as const) {
    world.submit(name, { priority, ...task(1000) });
    world.claim(`ubar/${name}/0`, "m1");
  }
  world.submit("web", { priority: 200, ...task(2000) });
  world.report("m1", { instance: world.instance("ubar/b/0"), phase: Phase.RUNNING, overRam: true });
  const bench = new Bench(world);
  const victims = bench.pass().transactions.flatMap((each) => each.claims.flatMap((claim) => claim.victims ?? []));
  assert.deepEqual(victims, [world.instance("ubar/b/0")]);
  world.submit("big", { priority: 201, ...task(4000) });
  const after = new Bench(world).pass().transactions.flatMap((each) => each.claims.map((claim) => claim.task));
  assert.deepEqual(after, ["ubar/web/0"], "big would need the room of a production task");
});

test("a gang is placed whole, with victims if need be, or not at all [scheduler.P6] [S14] [KS1]", () => {
  const world = cell("m1", "m2");
  world.submit("free", { priority: 0, count: 2, ...task(3000) });
  const bench = new Bench(world);
  bench.settle();
  const gang = { priority: 110, mode: SchedulingMode.GANG };
  world.submit("five", { ...gang, count: 5, ...task(2000) });
  bench.look();
  const before = bench.mirror.machines.get("m1" as never)?.place.reserved;
  assert.deepEqual(bench.settle(), []);
  assert.deepEqual(bench.mirror.machines.get("m1" as never)?.place.reserved, before, "nothing of the attempt is left");
  world.submit("four", { ...gang, count: 4, ...task(2000) });
  bench.look();
  assert.equal(bench.settle().length, 4);
  assert.deepEqual([placed(world, "ubar/four"), placed(world, "ubar/five")], [4, 0]);
  assert.ok([0, 1].every((i) => world.task(`ubar/free/${i}`).state === "stopping"));
});

test("a gang with a task that backs off waits for it [scheduler.P6]", () => {
  const world = cell("m1");
  world.submit("gang", { count: 2, mode: SchedulingMode.GANG, ...task(1000) });
  const bench = new Bench(world);
  assert.equal(bench.settle().length, 2);
  const report = (phase: Phase, index: number) => ({ instance: world.instance(`ubar/gang/${index}`), phase });
  const value = { machine: "m1", instances: [report(Phase.FAILED, 0), report(Phase.GONE, 1)] };
  bench.apply(world.master({ case: "machineReport", value }));
  assert.deepEqual(bench.settle(), []);
  world.timeMs += 2_000;
  bench.apply(world.master({ case: "barrier", value: {} }));
  assert.equal(bench.settle().length, 2);
});

test("allocs are placed like tasks, and tasks of the set go into them and nowhere else [scheduler.P7]", () => {
  const world = cell("m1", "m2");
  world.submitAllocs("aset", { count: 2, limit: limit(2000, 4 * GI) });
  world.submit("web", { allocSet: "ubar/aset", count: 5, ...task(1000) });
  const bench = new Bench(world);
  const lines = bench.settle();
  assert.equal(lines.filter((line) => line.startsWith("ubar/aset/")).length, 2);
  const inside = lines.filter((line) => line.startsWith("ubar/web/")).map((line) => line.split(" ")[1] ?? "");
  assert.equal(inside.length, 4);
  assert.ok(inside.every((place) => place.startsWith("ubar/aset/")));
});

test("a task per machine goes to its machine [scheduler.P7]", () => {
  const world = cell("m1", "m2", "m3");
  world.submit("log", { perMachine: true, ...task(100) });
  assert.deepEqual(new Bench(world).settle(), ["ubar/log/0 m1", "ubar/log/1 m2", "ubar/log/2 m3"]);
});

test("a scheduler proposes nothing beyond its own limits [scheduler.P8] [O8]", () => {
  const world = cell("m1", "m2");
  const limits = { priorityMin: 100, priorityMax: 450, jobsMax: 1, cap: { cpuMilli: 2000, ramBytes: 8 * GI } };
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "service", limits } }));
  world.submit("low", { priority: 0, ...task(100) });
  world.submit("mill", { priority: 100, count: 5, ...task(600) });
  world.submit("other", { priority: 100, ...task(100) });
  assert.equal(new Bench(world).settle().length, 3);
  assert.deepEqual([placed(world, "ubar/mill"), placed(world, "ubar/low"), placed(world, "ubar/other")], [3, 0, 0]);
});

test("a scheduler at its cap may replace its own, and goes on where there is room when something of its own ends [scheduler.P8] [scheduler.Q3]", () => {
  const world = cell("m1", "m2");
  const limits = { priorityMax: 450, cap: { cpuMilli: 4000, ramBytes: 32 * GI, diskBytes: GI } };
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "service", limits } }));
  world.submit("mill", { priority: 100, ...task(4000) });
  const bench = new Bench(world);
  assert.deepEqual(bench.settle(), ["ubar/mill/0 m1"]);
  bench.apply(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("equal", { priority: 100, ...task(1000) }) } }));
  assert.deepEqual(bench.settle(), []);
  bench.apply(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  assert.deepEqual(bench.settle(), []);
  const report = { machine: "m1", instances: [{ instance: world.instance("ubar/mill/0"), phase: Phase.FINISHED }] };
  bench.apply(world.master({ case: "machineReport", value: report }));
  assert.deepEqual(bench.settle(), ["ubar/equal/0 m2"]);
  bench.apply(world.user("admin", { case: "schedulerSet", value: { name: "service", limits: { ...limits, cap: limit(1000, 8 * GI) } } }));
  bench.apply(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("high", { priority: 110, ...task(1000) }) } }));
  const [transaction] = bench.pass().transactions;
  assert.deepEqual(transaction?.claims[0]?.victims, [world.instance("ubar/equal/0")]);
  assert.ok(transaction !== undefined && typeof bench.commit(transaction) !== "string");
});

test("new tasks of a job that rests are seen at once [scheduler.Q3]", () => {
  const world = cell("m1");
  const spec = jobSpec("web", { count: 2, overrides: [{ first: 0, last: 0, limit: limit(64_000, GI) }], ...task(1000) });
  world.must(world.user("ubar", { case: "jobSubmit", value: { spec } }));
  const bench = new Bench(world);
  assert.deepEqual(bench.settle(), ["ubar/web/1 m1"]);
  bench.pass();
  bench.apply(world.user("ubar", { case: "jobResize", value: { job: "ubar/web", count: 3 } }));
  assert.deepEqual(bench.settle(), ["ubar/web/2 m1"]);
});

test("why a task is pending: the first failing test of each place, counted [scheduler.X1]", () => {
  const world = cell("m1", "m2", "m3", "m4");
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m4", draining: true } }));
  world.submit("fill", { priority: 119, count: 3, spread: Spread.HARD, ...task(3500) });
  const bench = new Bench(world);
  bench.settle();
  world.submit("mill", { priority: 100, ...task(1000) });
  bench.look();
  bench.settle();
  const pending = bench.mirror.jobs.get("ubar/mill" as never)?.tasks[0] ?? assert.fail();
  assert.deepEqual(explain(bench.mirror, pending, world.state.timeMs), {
    problem: undefined,
    feasible: 0,
    reasons: [
      { reason: "lacks millicores of cpu by reservations", places: 3, missing: { dimension: "cpu", amount: 500 } },
      { reason: "draining", places: 1 },
    ],
    changes: [
      { kind: "less", limit: { ...pending.job.limit, cpu: 500 }, places: 3, text: "ask for 500 millicores of cpu, 500 less" },
      { kind: "priority", priority: 120, places: 3, text: "run at priority 120, at the expense of others" },
    ],
  });
});

test("the same cell gives the same claims, from an image or from the feed [scheduler.P9]", () => {
  fc.assert(
    fc.property(draws(80), (drawn) => {
      const world = busyWorld();
      const bench = new Bench(world);
      const past: Op[] = [];
      for (const draw of drawn) {
        const op = toOp(world.state, draw, past);
        if (op === undefined) continue;
        past.push(op);
        world.timeMs += 50;
        bench.apply(op);
      }
      bench.queue.forget();
      const fresh = new Bench(world);
      assert.equal(fresh.mirror.load(imageOf(world.state)), undefined);
      assert.deepEqual(
        bench.pass().transactions.map((each) => each.claims),
        fresh.pass().transactions.map((each) => each.claims),
      );
    }),
    settings(60),
  );
});

test("batch schedulers begin at different machines when all are alike, and use the others' too [scheduler.P9] [O10]", () => {
  const world = new World().init();
  for (const name of ["m1", "m2", "m3", "m4"]) world.machine(name);
  const names = schedulerNames(4);
  const image = imageOf(world.state);
  const firsts = names.slice(1).map((name) => {
    const mirror = new Mirror(name, startOf(name, names));
    assert.equal(mirror.load(image), undefined);
    return mirror.sorted().map(({ id }) => id);
  });
  assert.deepEqual(firsts, [
    ["m1", "m2", "m3", "m4"],
    ["m2", "m3", "m4", "m1"],
    ["m3", "m4", "m1", "m2"],
    ["m4", "m1", "m2", "m3"],
  ]);
  assert.deepEqual([startOf("service", names), startOf("batch-7", names), startOf("service", ["service"])], [0, 0, 0]);
});

test("a restart ends a back-off: the task is placed at once, not when it would have been its time [scheduler.Q4]", () => {
  const world = new World().init();
  for (const name of ["m1", "m2"]) world.machine(name);
  world.submit("web");
  const bench = new Bench(world);
  assert.deepEqual(bench.settle(), ["ubar/web/0 m1"]);
  const failed = { instance: world.instance("ubar/web/0"), phase: Phase.FAILED, exitCode: 1 };
  bench.apply(world.master({ case: "machineReport", value: { machine: "m1", instances: [failed] } }));
  assert.deepEqual(bench.settle(), [], "it backs off");
  bench.apply(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web" } }));
  assert.deepEqual(bench.settle(), ["ubar/web/0 m2"]);
});
