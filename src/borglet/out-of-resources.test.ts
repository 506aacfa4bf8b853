/** Who goes when a machine runs out of something, and what the borglet makes of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Init, make } from "../wire/codec.ts";
import { type OrderSchema, Phase, PollSchema, type Report, type StartOrderSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import { AppClass, RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import { MemoryWorld } from "./fixture.test.ts";
import { type Claimant, isShort, shortages, spareOf, whoGoes } from "./out-of-resources.ts";
import { STARVED_MS } from "./starvation.ts";

const MIB = 2 ** 20;
const task = (instance: string, priority: number, usedMib: number, more: Partial<Claimant> = {}): Claimant => ({
  instance,
  priority,
  isLatencySensitive: false,
  usedBytes: usedMib * MIB,
  neededBytes: usedMib * MIB,
  isOverLimit: false,
  ...more,
});
const names = (claimants: readonly Claimant[], capacityMib: number): string =>
  whoGoes(claimants, capacityMib * MIB)
    .map(({ instance }) => instance)
    .join(" ");

test("The lowest priority goes first, and no more than it takes [I5] [borglet.O1]", () => {
  const tasks = [task("high", 119, 300), task("low", 0, 300), task("middle", 100, 300), task("prod", 200, 100)];
  assert.equal(names(tasks, 1100), "");
  assert.equal(names(tasks, 1000), "low");
  assert.equal(names(tasks, 700), "low middle");
  assert.equal(names(tasks, 110), "low middle high");
});

test("prod never goes, unless it is over its own memory limit; who is goes first of all [R3] [R4] [borglet.O2]", () => {
  const prod = [task("web", 200, 600), task("db", 360, 600)];
  assert.equal(names(prod, 1000), "");
  assert.equal(names([...prod, task("batch", 100, 100)], 1000), "batch", "and what does not suffice is done all the same");
  const over = task("greedy", 450, 500, { isOverLimit: true });
  assert.equal(names([...prod, over, task("batch", 100, 300)], 1700), "greedy");
  assert.equal(names([task("free", 0, 600), task("over", 110, 600, { isOverLimit: true })], 1000), "over");
});

test("At the same priority batch goes before latency-sensitive, then the one that frees most; what uses nothing stays [I5] [borglet.O1]", () => {
  const sensitive = task("a", 100, 500, { isLatencySensitive: true });
  assert.equal(names([sensitive, task("b", 100, 100), task("c", 100, 200)], 700), "c");
  assert.equal(names([sensitive, task("b", 100, 100), task("c", 100, 200)], 600), "c b");
  assert.equal(names([task("none", 0, 0), task("some", 100, 600)], 500), "some");
  assert.equal(names([task("z", 100, 300), task("y", 100, 300)], 500), "y", "the same every time");
});

test("What prod needs is predicted: room for it is made before it uses it [I6] [borglet.O3]", () => {
  const prod = task("web", 200, 200, { neededBytes: 700 * MIB });
  assert.equal(names([prod, task("batch", 100, 300)], 1000), "batch");
});

test("A machine is short a little before it is full; found by sums where the kernel does not count [I6] [borglet.O4]", () => {
  const capacity = 1000 * MIB;
  assert.ok(isShort(capacity - spareOf(capacity) + 1, capacity) && !isShort(capacity - spareOf(capacity), capacity));
  assert.ok(!isShort(5, 0), "of what it does not say it has nobody is short");
  assert.equal(spareOf(40 * MIB), 10 * MIB);
  const used = [700, 290].map((mib) => ({ cpuMilli: 1, ramBytes: mib * MIB, diskBytes: mib * MIB }));
  const found = (diskMib: number, isRamCounted: boolean): string =>
    shortages(used, { ramBytes: capacity, diskBytes: diskMib * MIB }, isRamCounted)
      .map(({ of }) => of)
      .join(" ");
  assert.deepEqual([found(1000, false), found(900, false), found(900, true)], ["ram", "ram disk", "disk"]);
});

const GIVEN = { cpuMilli: 100, ramBytes: 600 * MIB };
const start = (instance: string, priority: number, more: Init<typeof StartOrderSchema> = {}): Init<typeof OrderSchema> => ({
  body: { case: "start", value: { instance, priority, task: { command: ["serve"], limit: GIVEN }, generation: 3, ...more } },
});

function poll(world: MemoryWorld, sequence: number, orders: Init<typeof OrderSchema>[] = []): Report | undefined {
  world.say({ type: "frame", frame: { case: "poll", value: make(PollSchema, { term: 1, sequence, holdMs: 0, orders }) } });
  world.run(10);
  return world.reports.at(-1);
}

const [WEB, WORK] = ["ann/web/0:1", "ann/work/0:2"] as const;
const usage = (instance: string, usedMib: number, more: object = {}) => ({
  instance,
  cpuMilli: 10,
  ramBytes: usedMib * MIB,
  diskBytes: 0,
  ...more,
});
const short = (world: MemoryWorld, ...samples: ReturnType<typeof usage>[]): void => {
  world.say({ type: "usage", samples });
  world.say({ type: "short", shortage: { of: "ram", usedBytes: 990 * MIB, capacityBytes: 1000 * MIB } });
  world.run(10);
};

test("Whom the borglet evicts is gone, with the cause, and has not failed; the other goes on [I5] [R3] [borglet.O5]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(WEB, 200), start(WORK, 100, { restart: { when: RestartWhen.ALWAYS } })]);
  world.run(100);
  short(world, usage(WEB, 490), usage(WORK, 500));
  const [web, work] = poll(world, 2)!.instances;
  assert.equal(web!.phase, Phase.RUNNING);
  assert.deepEqual([work!.phase, work!.outOfResources, work!.failures], [Phase.GONE, true, 0]);
  assert.equal(
    work!.message,
    "Evicted: tasks of its machine used 990 MiB of 1000 MiB memory, and those of higher priority need it; it used 500 MiB",
  );
  assert.equal(world.starts, 2, "it is not started again here");
});

test("An eviction outlives its borglet, and a stop order that comes meanwhile counts as the order [borglet.O5] [borglet.K2]", () => {
  const world = new MemoryWorld();
  world.stubborn.add(WORK);
  poll(world, 1, [start(WEB, 200), start(WORK, 100)]);
  world.run(100);
  world.say({ type: "usage", samples: [usage(WEB, 490), usage(WORK, 500)] });
  world.say({ type: "short", shortage: { of: "ram", usedBytes: 990 * MIB, capacityBytes: 1000 * MIB } });
  world.crash();
  world.run(1000);
  assert.ok(poll(world, 2)!.instances.some(({ instance, outOfResources }) => instance === WORK && outOfResources));
  const other = new MemoryWorld();
  poll(other, 1, [start(WORK, 100)]);
  other.run(100);
  other.say({ type: "usage", samples: [usage(WORK, 999)] });
  other.say({ type: "short", shortage: { of: "ram", usedBytes: 990 * MIB, capacityBytes: 1000 * MIB } });
  poll(other, 2, [{ body: { case: "stop", value: { instance: WORK, noticeMs: 0 } } }]);
  assert.deepEqual(
    poll(other, 3)!.instances.map(({ phase, outOfResources }) => [phase, outOfResources]),
    [[Phase.GONE, false]],
  );
});

test("With slack memory a task may use more than its limit, is told as over it, and goes first [I8] [R4] [borglet.O2]", () => {
  const world = new MemoryWorld({ ramEnforced: false });
  poll(world, 1, [start(WEB, 200, { task: { command: ["serve"], limit: GIVEN, slackRam: true } }), start(WORK, 0)]);
  world.run(100);
  for (let i = 0; i < 5; i++) world.say({ type: "usage", samples: [usage(WEB, 900)] });
  const [web] = poll(world, 2)!.instances;
  assert.deepEqual([web!.phase, web!.overRam], [Phase.RUNNING, true]);
  short(world, usage(WEB, 900), usage(WORK, 90));
  assert.deepEqual(
    poll(world, 3)!.instances.map(({ phase }) => phase),
    [Phase.GONE, Phase.RUNNING],
  );
});

test("Other limits reach what runs without a restart, are kept, and what ended has none [I8] [borglet.G3]", () => {
  const world = new MemoryWorld();
  const adjust = (generation: number, cpuMilli: number): Init<typeof OrderSchema> => ({
    body: { case: "adjust", value: { instance: WEB, generation, priority: 210, limit: { cpuMilli, ramBytes: 5 } } },
  });
  assert.equal(poll(world, 1, [start(WEB, 200)])!.instances[0]!.generation, 3);
  world.run(100);
  const told = poll(world, 2, [adjust(4, 700)]);
  assert.equal(told!.instances[0]!.generation, 4);
  poll(world, 3, [adjust(4, 700)]);
  assert.deepEqual([world.adjusted, world.starts], [[`${WEB} 700 5`], 1], "once, and nothing is started");
  world.crash();
  assert.equal(poll(world, 4)!.instances[0]!.generation, 4);
  world.diskFull = true;
  poll(world, 5, [adjust(5, 900)]);
  assert.equal(world.adjusted.length, 1, "not before it is saved");
  world.diskFull = false;
  world.run(2000);
  assert.equal(world.adjusted.length, 2);
});

test("A task that hardly runs for a minute is told as starved, and no longer when it runs again [I3] [I5] [borglet.O6]", () => {
  const world = new MemoryWorld();
  poll(world, 1, [start(WORK, 100, { appClass: AppClass.BATCH })]);
  world.run(100);
  const isStarved = (sequence: number): boolean => poll(world, sequence)!.instances[0]!.starved;
  world.say({ type: "usage", samples: [usage(WORK, 10, { isHungry: true })] });
  world.run(STARVED_MS - 1000);
  assert.equal(isStarved(2), false);
  world.run(2000);
  assert.equal(isStarved(3), true, "silence means: as before");
  world.say({ type: "usage", samples: [usage(WORK, 10)] });
  assert.equal(isStarved(4), false);
});
