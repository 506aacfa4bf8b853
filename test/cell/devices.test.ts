/** Devices: extras that come in units. Whole ones or a part of one, never twice, and told by number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Device, devicesFor } from "../../src/cell/device.ts";
import { schedulerOp } from "../../src/cell/op.ts";
import { DEVICES } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { settings } from "./settings.ts";
import { GI, type JobWish, limit, World } from "./world.ts";

const GPU = "gpu-milli";
const gpus = (count: number, unit = 1000) => ({
  capacity: { extras: [{ name: GPU, amount: count * unit }] },
  devices: [{ name: GPU, unit }],
});
const asking = (amount: number, more: JobWish = {}): JobWish => ({
  ...more,
  task: { limit: { ...limit(100, GI / 16), extras: [{ name: GPU, amount }] } },
});
const cell = (count = 2, unit = 1000): World =>
  new World()
    .init()
    .upgraded()
    .machine("m1", 64_000, 64 * GI, gpus(count, unit))
    .prodQuota();

/** "0:500 1:1000": numbers and amounts of what a task has. */
const held = (world: World, id: string): string =>
  (world.task(id).instance?.devices ?? []).map(({ number, amount }) => `${number}:${amount}`).join(" ");

test("a task has whole units or a part of one: parts go where least is left over, whole ones where nobody is [cell.Y1] [U3] [S3]", () => {
  const world = cell(3);
  for (const [name, amount] of Object.entries({ a: 600, b: 300, c: 300, d: 1000, e: 100, f: 700 })) world.submit(name, asking(amount));
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].map((name) => world.claim(`ubar/${name}/0`, "m1")),
    ["ok", "ok", "ok", "ok", "ok"],
  );
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].map((name) => held(world, `ubar/${name}/0`)),
    ["0:600", "0:300", "1:300", "2:1000", "0:100"],
  );
  assert.equal(world.claim("ubar/f/0", "m1"), "ok");
  world.submit("g", asking(100));
  assert.equal(world.claim("ubar/g/0", "m1"), '"m1" lacks 100 gpu-milli by reservations');
});

test("what fits by its sum and not by units is refused in words [cell.Y1] [S3]", () => {
  const world = cell(2);
  for (const [name, amount] of Object.entries({ a: 600, b: 600, c: 600, d: 1000, e: 1500, f: 2000 })) world.submit(name, asking(amount));
  assert.equal(world.claim("ubar/e/0", "m1"), '"m1" has gpu-milli in units of 1000, and 1500 is neither a part of one nor whole ones');
  world.claim("ubar/a/0", "m1");
  assert.equal(world.claim("ubar/f/0", "m1"), '"m1" lacks 600 gpu-milli by reservations');
  world.claim("ubar/b/0", "m1");
  assert.equal(world.claim("ubar/c/0", "m1"), '"m1" has no unit of gpu-milli with 600 free');
  assert.equal(world.claim("ubar/d/0", "m1"), '"m1" lacks 200 gpu-milli by reservations');
  const thirds = cell(4, 500);
  thirds.submit("a", asking(250));
  thirds.submit("b", asking(250, { count: 3 }));
  thirds.submit("w", asking(1500));
  thirds.claim("ubar/a/0", "m1");
  assert.equal(thirds.claim("ubar/w/0", "m1"), "ok");
  assert.equal(held(thirds, "ubar/w/0"), "1:500 2:500 3:500");
});

test("claims of one transaction count for those after them, and a checkpoint keeps the numbers [cell.Y1] [cell.Y2] [KR2]", () => {
  const world = cell(2);
  world.submit("web", asking(700, { count: 3 }));
  const claims = [0, 1, 2].map((i) => world.claimOf(`ubar/web/${i}`, "m1"));
  const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  assert.deepEqual(answer.type === "claims" && answer.claims.map(({ ok }) => ok), [true, true, false]);
  world.restart();
  assert.deepEqual([held(world, "ubar/web/0"), held(world, "ubar/web/1")], ["0:700", "1:700"]);
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED });
  assert.equal(world.claim("ubar/web/2", "m1"), "ok");
  assert.equal(held(world, "ubar/web/2"), "0:700");
});

test("a victim's units are free for who takes its place, and only victims that are needed go [cell.Y1] [cell.C5] [P3]", () => {
  const world = cell(2);
  world.submit("low", asking(600, { priority: 0, count: 2 }));
  world.submit("high", asking(1000, { priority: 100 }));
  for (const i of [0, 1]) world.claim(`ubar/low/${i}`, "m1");
  const victims = [0, 1].map((i) => world.instance(`ubar/low/${i}`));
  assert.equal(world.claim("ubar/high/0", "m1", victims), "ok");
  assert.deepEqual(
    [held(world, "ubar/high/0"), world.task("ubar/low/0").state, world.task("ubar/low/1").state],
    ["1:1000", "starting", "stopping"],
  );
});

test("inside an alloc there are the alloc's units, and no others [cell.Y3] [U6]", () => {
  const world = cell(3);
  world.submit("first", asking(1000));
  world.claim("ubar/first/0", "m1");
  world.submitAllocs("aset", { limit: { ...limit(2000, 4 * GI), extras: [{ name: GPU, amount: 2000 }] } as never });
  world.claim("ubar/aset/0", "m1");
  world.submit("in", { ...asking(500, { count: 5 }), allocSet: "ubar/aset" });
  const place = world.instance("ubar/aset/0");
  assert.deepEqual(
    [0, 1, 2, 3].map((i) => world.claim(`ubar/in/${i}`, place)),
    ["ok", "ok", "ok", "ok"],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((i) => held(world, `ubar/in/${i}`)),
    ["1:500", "1:500", "2:500", "2:500"],
  );
  assert.match(world.claim("ubar/in/4", place), /lacks 500 gpu-milli/);
});

test("a machine's units are whole, few and said once; those that are held stay [cell.Y4] [KR2]", () => {
  const world = cell(2);
  const facts = (more: object) =>
    world.say(world.master({ case: "machineFacts", value: { machine: "m1", facts: { ...gpus(2), ...more } } }));
  assert.match(facts({ devices: [{ name: GPU, unit: 300 }] }), /2000 of "gpu-milli" are no whole number of units of 300/);
  assert.match(facts({ devices: [{ name: "fpga", unit: 1 }] }), /0 of "fpga" are no whole number/);
  assert.match(facts({ devices: [{ name: GPU, unit: 1 }] }), /at most 64 units of "gpu-milli", and not 2000: make them larger/);
  const twice = [1000, 500].map((unit) => ({ name: GPU, unit }));
  assert.match(facts({ devices: twice }), /said twice/);
  world.submit("a", asking(600, { count: 2 }));
  for (const i of [0, 1]) world.claim(`ubar/a/${i}`, "m1");
  assert.match(facts(gpus(1)), /Unit 1 of "gpu-milli" is held by "ubar\/a\/1:\d+": keep it, or drain machine "m1" first/);
  assert.match(facts(gpus(4, 500)), /is held by/);
  assert.match(facts({ devices: [] }), /is held by/);
  assert.equal(facts(gpus(3)), "ok");
});

test("below version 7 units are only counted; who was placed then may use any of them [cell.Y5]", () => {
  const world = new World()
    .init()
    .upgraded(DEVICES - 1)
    .machine("m1", 64_000, 64 * GI, gpus(2))
    .prodQuota();
  world.submit("old", asking(1500));
  assert.equal(world.claim("ubar/old/0", "m1"), "ok");
  assert.deepEqual([held(world, "ubar/old/0"), world.state.machines.get("m1" as never)?.facts.devices], ["", []]);
  world.upgraded();
  world.must(world.master({ case: "machineFacts", value: { machine: "m1", facts: { portFirst: 20000, portLast: 20009, ...gpus(2) } } }));
  world.submit("new", asking(100));
  assert.match(world.claim("ubar/new/0", "m1"), /has no unit of gpu-milli with 100 free|over its capacity/);
});

test("every way to give out units that there is is found, and none that is not [cell.Y1]", () => {
  fc.assert(
    fc.property(
      fc.constantFrom([1, 4], [2, 4], [3, 4], [4, 2]),
      fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 })), { maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      ([count = 1, unit = 1], taken, asked) => {
        const world = cell(count, unit);
        const place = world.state.machines.get("m1" as never)?.place;
        const free = Array.from({ length: count }, () => unit);
        const devices: Device[] = [];
        for (const [number, amount] of taken) {
          if ((free[number] ?? 0) < amount) continue;
          free[number] = (free[number] as number) - amount;
          devices.push({ name: GPU, number, amount });
        }
        const found = devicesFor(
          place!,
          { ...place!.capacity, extras: [{ name: GPU, amount: asked }] },
          { gone: () => false, taken: devices },
        );
        const subsets = Array.from({ length: 2 ** count }, (_, mask) => free.map((_, i) => i).filter((i) => (mask >> i) & 1));
        const isWay = (units: readonly number[]): boolean =>
          units.length === 1 && asked <= unit
            ? (free[units[0] as number] as number) >= asked
            : units.length * unit === asked && units.every((i) => free[i] === unit);
        assert.equal(typeof found !== "string", subsets.some(isWay), JSON.stringify({ free, unit, asked, found }));
        if (typeof found === "string") return;
        assert.ok(isWay(found.map(({ number }) => number)), JSON.stringify({ free, unit, asked, found }));
        assert.equal(
          found.reduce((sum, { amount }) => sum + amount, 0),
          asked,
        );
      },
    ),
    settings(300),
  );
});
