/** Explanations against the slow model, and suggestions by taking them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Random } from "../../src/base/random.ts";
import type { Vector } from "../../src/base/vector.ts";
import type { Task } from "../../src/cell/state.ts";
import { explain } from "../../src/scheduler/explain.ts";
import type { Suggestion } from "../../src/scheduler/suggestion.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { settings } from "../cell/settings.ts";
import { GI, type JobWish, jobSpec, World } from "../cell/world.ts";
import { Bench, takers } from "./support.ts";

/** A small cell where much is in the way: full and drained machines, attributes, devices, ports, hard spread. */
function crowdedCell(random: Random): Bench {
  const world = new World().init().upgraded();
  for (let i = 0; i < 5; i++) {
    const attributes = random.chance(0.5) ? [{ key: "ssd", value: "yes" }] : [];
    const extras = random.chance(0.3) ? [{ name: "gpu", amount: 2 }] : [];
    const places = i === 4 ? {} : { rack: `r${i % 3}`, powerDomain: `p${i % 2}` };
    const devices = random.chance(0.4) ? [{ name: "tpu-milli", unit: 1000 }] : [];
    if (devices.length > 0) extras.push({ name: "tpu-milli", amount: 2000 });
    world.machine(`m${i}`, random.pick([2000, 4000]), random.pick([4, 8]) * GI, {
      ...{ attributes, capacity: { extras }, devices, portLast: 20_001 },
      ...places,
    });
  }
  world.prodQuota();
  if (random.chance(0.3)) world.must(world.user("admin", { case: "machineDrain", value: { machine: "m0", draining: true } }));
  for (let i = 0; i < 8; i++) world.submit(`fill${i}`, wish(random, 3000, 5));
  const bench = new Bench(world);
  bench.settle();
  for (let i = 0; i < 4; i++) world.submit(`late${i}`, wish(random, 5000, 9));
  bench.look().settle();
  return bench;
}

function wish(random: Random, cpu: number, ram: number): JobWish {
  const extras = random.chance(0.15) ? [{ name: "gpu", amount: random.int(1, 4) }] : [];
  if (random.chance(0.25)) extras.push({ name: "tpu-milli", amount: random.pick([300, 600, 1000, 2000]) });
  const constraints = random.chance(0.3) ? [{ attribute: "ssd", operator: Operator.EQUAL, values: ["yes"] }] : [];
  return {
    priority: random.pick([0, 50, 100, 110, 119]),
    count: random.int(1, 4),
    spread: random.chance(0.4) ? random.pick([Spread.HARD, Spread.HARD, Spread.RACK, Spread.POWER]) : Spread.SOFT,
    constraints,
    task: {
      limit: { cpuMilli: random.int(1, cpu), ramBytes: random.int(1, ram * 4) * (GI / 4), extras },
      ports: random.chance(0.3) ? ["a", "b"] : [],
    },
  };
}

const pendingIn = ({ mirror }: Bench): Task[] =>
  [...mirror.jobs.values()].flatMap((job) => job.tasks.filter((task) => task.state === "pending"));

test("what fits nowhere is said to, what has a place is not: as many places as the slow model finds [scheduler.X1] [N7] [G2]", () => {
  let asked = 0;
  fc.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      const bench = crowdedCell(new Random(seed, "crowded"));
      for (const task of pendingIn(bench)) {
        const { feasible, reasons, changes } = explain(bench.mirror, task, bench.world.state.timeMs);
        assert.equal(feasible, takers(bench.world.state, "service", task).length, task.id);
        assert.equal(
          reasons.reduce((sum, { places }) => sum + places, feasible),
          bench.mirror.machines.size,
        );
        assert.ok(feasible === 0 || changes.length === 0);
        asked += 1;
      }
    }),
    settings(40),
  );
  assert.ok(asked > 50, `only ${asked}`);
});

test("every suggestion, taken, places the task [scheduler.X2] [N7] [G2]", () => {
  const taken = new Map<string, number>();
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(100), (seed, which) => {
      const bench = crowdedCell(new Random(seed, "crowded"));
      const offered = pendingIn(bench).flatMap((task) =>
        explain(bench.mirror, task, bench.world.state.timeMs).changes.map((change) => ({ task, change })),
      );
      if (offered.length === 0) return;
      const { task, change } = offered[which % offered.length] as (typeof offered)[number];
      const spec = changed(task, change);
      bench.world.prodQuota("ubar");
      const said = bench.world.say(bench.world.user("ubar", { case: "jobSubmit", value: { spec } }));
      if (said !== "ok") return assert.match(said, /(gpu|tpu-milli) of production quota/);
      const fresh = new Bench(bench.world, "service", (job) => job.id === `ubar/${spec.name}`);
      assert.deepEqual(
        fresh.settle().map((line) => line.split(" ")[0]),
        [`ubar/${spec.name}/0`],
        `${task.id}: ${change.text}`,
      );
      taken.set(change.kind, (taken.get(change.kind) ?? 0) + 1);
    }),
    settings(100),
  );
  console.log(`  suggestions: ${JSON.stringify(Object.fromEntries(taken))}`);
  assert.ok((taken.get("less") ?? 0) > 10 && (taken.get("priority") ?? 0) > 5, JSON.stringify([...taken]));
});

test("of devices a task is told to ask for what one of them has, or for as many whole ones as there are [scheduler.X1] [scheduler.X2] [U3]", () => {
  const world = new World().init().upgraded();
  world.machine("m1", 4000, 8 * GI, {
    capacity: { extras: [{ name: "gpu-milli", amount: 2000 }] },
    devices: [{ name: "gpu-milli", unit: 1000 }],
  });
  const asking = (amount: number): JobWish => ({
    task: { limit: { cpuMilli: 100, ramBytes: GI, extras: [{ name: "gpu-milli", amount }] } },
  });
  world.submit("parts", { count: 2, ...asking(400) });
  const bench = new Bench(world);
  assert.equal(bench.settle().length, 2);
  const told = (name: string, amount: number): unknown => {
    world.submit(name, { priority: 0, ...asking(amount) });
    bench.look();
    const [task] = pendingIn(bench).filter(({ job }) => job.id === `ubar/${name}`);
    const { reasons, changes } = explain(bench.mirror, task!, world.state.timeMs);
    return [reasons.map(({ reason }) => reason), changes.filter(({ kind }) => kind === "less").map(({ text }) => text)];
  };
  assert.deepEqual(told("two", 2000), [["lacks gpu-milli by reservations"], ["ask for 1000 gpu-milli, 1000 less"]]);
  world.submit("more", { ...asking(900) });
  bench.look().settle();
  assert.deepEqual(told("one", 300), [["has no unit of gpu-milli with 300 free"], ["ask for 200 gpu-milli, 100 less"]]);
});

const resources = ({ cpu, ram, disk, extras }: Vector) => ({
  cpuMilli: cpu,
  ramBytes: ram * 1024,
  diskBytes: disk * 1024,
  extras: extras.map(({ name, amount }) => ({ name, amount })),
});

/** The same task as a job of its own, with the change. Hard spread goes with the job: only its own suggestion drops it. */
function changed({ job }: Task, change: Suggestion): ReturnType<typeof jobSpec> & { name: string } {
  assert.ok(job.spec.kind === "job");
  const { constraints, priority, task } = job.spec.job;
  const limit = change.kind === "less" ? change.limit : job.limit;
  const ports = (task?.ports ?? []).slice(0, limit.ports);
  const kept = change.kind === "constraint" ? constraints.filter((each) => each !== change.without) : constraints;
  const spec = {
    priority: change.kind === "priority" ? change.priority : priority,
    constraints: [...kept],
    task: { limit: resources(limit), ports },
  };
  return { ...jobSpec("changed", spec), name: "changed" };
}

test("a task whose volumes are on a machine that is lost says so, and what its owner can do; nobody is told to drop the volume [scheduler.X4] [V6]", () => {
  const world = new World().init();
  for (let version = 2; version <= 5; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  world.machine("m1", 4000, 8 * GI, { volumes: [{ user: "ubar", name: "data" }] }).machine("m2");
  world.submit("db", { task: { volumes: [{ name: "data" }] } });
  const bench = new Bench(world);
  bench.settle();
  const instance = world.instance("ubar/db/0");
  assert.equal(world.task("ubar/db/0").pinned, "m1");
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(world.master({ case: "taskLost", value: { machine: "m1", instances: [instance] } }));
  bench.look();
  const [task] = pendingIn(bench);
  const found = explain(bench.mirror, task!, world.state.timeMs);
  assert.match(found.problem ?? "", /is pinned to machine m1, which has its volumes and does not answer.* borg unpin ubar\/db\/0/);
  assert.deepEqual(found.changes, []);
  world.submit("other", { task: { volumes: [{ name: "music" }] } });
  bench.look();
  const other = pendingIn(bench).find(({ id }) => id === "ubar/other/0")!;
  const { reasons } = explain(bench.mirror, other, world.state.timeMs);
  assert.deepEqual(reasons.map(({ reason }) => reason).sort(), ["offers no volume music to ubar", "unreachable"]);
});
