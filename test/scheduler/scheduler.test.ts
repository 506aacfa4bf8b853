import assert from "node:assert/strict";
import { test } from "node:test";
import type { Env } from "../../src/base/env.ts";
import { imageOf } from "../../src/cell/feed.ts";
import type { FromScheduler } from "../../src/scheduler/message.ts";
import { claimsOf } from "../../src/scheduler/message.ts";
import { TRANSACTION_CLAIMS_MAX } from "../../src/scheduler/pass.ts";
import { batchJobs, everyJob, serviceJobs } from "../../src/scheduler/responsibility.ts";
import { SchedulerActor } from "../../src/scheduler/scheduler.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AppClass, SchedulingMode } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "../cell/world.ts";
import { Loop } from "./loop.ts";

const small = (cpu = 1000): JobWish => ({ task: { limit: limit(cpu, GI) } });

function loopOf(machines: number, seed?: number): Loop {
  const world = new World().init();
  for (let i = 0; i < machines; i++) world.machine(`m${i}`);
  for (const name of ["batch-0", "batch-1"])
    world.must(world.user("admin", { case: "schedulerSet", value: { name, limits: { priorityMax: 450 } } }));
  return new Loop(world.prodQuota(), seed);
}

const submit = (loop: Loop, name: string, more: JobWish): void =>
  assert.ok(loop.op(loop.world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec(name, more) } })));

const pending = (loop: Loop): string[] =>
  [...loop.world.state.jobs.values()].flatMap((job) => job.tasks.filter((task) => task.state === "pending").map((task) => task.id));

test("watches, passes when the feed brings work, and claims: submitted tasks are placed soon [scheduler.A1] [S1] [S7] [O1] [KS3]", () => {
  const loop = loopOf(3);
  loop.add({ name: "service", mine: everyJob("service") });
  loop.run(200);
  assert.deepEqual(loop.counts, { watches: 1, images: 1, claims: 0, accepted: 0, refused: 0, lost: 0 });
  submit(loop, "web", { count: 5, ...small() });
  loop.run(30);
  assert.deepEqual(pending(loop), []);
  submit(loop, "db", { count: 5, ...small() });
  loop.run(150);
  assert.deepEqual(pending(loop), []);
  assert.deepEqual([loop.counts.watches, loop.counts.accepted, loop.counts.refused], [1, 10, 0]);
});

test("a scheduler with nothing to do is silent, apart from asking now and then whether it missed something [scheduler.A2]", () => {
  const loop = loopOf(1);
  loop.add({ name: "service", mine: everyJob("service") });
  submit(loop, "huge", small(99_000));
  loop.run(60_000);
  assert.equal(loop.counts.claims, 0);
  assert.equal(loop.counts.images, 1);
  assert.ok(loop.counts.watches <= 14, `${loop.counts.watches}`);
});

test("a claim in flight keeps its room, and the next pass plans other work meanwhile [scheduler.M2] [scheduler.A3]", () => {
  const loop = loopOf(1);
  loop.delayMs = [400, 401];
  const service = loop.add({ name: "service", mine: everyJob("service") });
  loop.run(900);
  submit(loop, "a", { count: 2, ...small() });
  loop.run(200);
  submit(loop, "b", { count: 2, ...small() });
  loop.run(400);
  assert.equal(service.mirror.open(), 4);
  loop.run(2_000);
  assert.deepEqual([loop.counts.claims, loop.counts.accepted, loop.counts.refused, service.mirror.open()], [4, 4, 0, 0]);
});

test("two schedulers with stale mirrors: conflicts are refused, come again, and all is placed in the end [scheduler.A4] [S7] [O1] [O9] [KS1] [KS3]", () => {
  let refused = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const loop = loopOf(4, seed);
    loop.delayMs = [1, 300];
    for (const name of ["service", "batch-0"]) loop.add({ name, mine: everyJob(name) });
    loop.run(1_000);
    for (let i = 0; i < 6; i++) {
      submit(loop, `a${i}`, { scheduler: i % 2 ? "service" : "batch-0", count: 3, ...small(600) });
      submit(loop, `both${i}`, small(500));
      loop.run(120);
    }
    loop.run(20_000);
    assert.deepEqual(pending(loop), [], `seed ${seed}`);
    refused += loop.counts.refused;
    for (const scheduler of loop.schedulers.values()) assert.equal(scheduler.mirror.open(), 0);
  }
  assert.ok(refused > 20, `only ${refused} conflicts`);
});

test("an answer that overtakes the feed frees nothing: a claim stays under way until the feed shows it [scheduler.M3] [S7]", () => {
  const loop = loopOf(2);
  loop.extraMs = (message) => (message.type === "items" ? 1_000 : 0);
  const service = loop.add({ name: "service", mine: everyJob("service") });
  submit(loop, "web", { count: 3, ...small() });
  loop.run(500);
  assert.deepEqual([loop.counts.accepted, service.mirror.open()], [3, 3]);
  loop.run(3_000);
  assert.deepEqual([loop.counts.claims, loop.counts.refused, service.mirror.open()], [3, 0, 0]);
});

test("of several masters all are asked, and the one that answers gets the claims [scheduler.A1]", () => {
  const loop = loopOf(1);
  const sent: string[] = [];
  const env: Env<FromScheduler> = {
    now: () => 0,
    wall: () => 0,
    random: () => 0,
    id: () => `t${sent.length}`,
    timer: (_afterMs, tag) => ({ tag }),
    cancel: () => undefined,
    send: (to, message) => void sent.push(`${message.type} ${to}`),
    log: () => undefined,
  };
  const scheduler = new SchedulerActor(env, { name: "service", master: ["master/0", "master/1"], mine: everyJob("service") });
  scheduler.start();
  submit(loop, "web", small());
  scheduler.onMessage("master/1", { type: "image", image: imageOf(loop.world.state) });
  scheduler.onTimer("pass");
  assert.deepEqual(sent, ["watch master/0", "watch master/1", "claim master/1"]);
});

test("an image that takes longer than a silence is not asked for again while it comes [scheduler.A2] [KB1]", () => {
  const loop = loopOf(2);
  loop.extraMs = (message) => (message.type === "image" ? 20_000 : 0);
  const service = loop.add({ name: "service", mine: everyJob("service"), silenceMs: 1_000, imageMs: 60_000 });
  submit(loop, "web", small());
  loop.run(25_000);
  assert.deepEqual([loop.counts.images, service.mirror.position, pending(loop)], [1, loop.world.state.position, []]);
});

test("items that come again change nothing [scheduler.A5]", () => {
  const loop = loopOf(2);
  const service = loop.add({ name: "service", mine: everyJob("service") });
  loop.run(100);
  submit(loop, "web", { count: 3, ...small() });
  loop.run(500);
  service.onMessage("master/0", { type: "items", items: [...loop.items] });
  loop.run(500);
  assert.deepEqual([loop.counts.watches, loop.counts.claims, service.mirror.position], [1, 3, loop.world.state.position]);
});

test("the last message before a silence was lost: asking for what was missed brings it [scheduler.A2] [scheduler.A5] [KS3]", () => {
  const loop = loopOf(2);
  loop.add({ name: "service", mine: everyJob("service"), silenceMs: 2_000 });
  loop.run(100);
  loop.passes = (message) => message.type !== "items";
  submit(loop, "web", small());
  loop.passes = () => true;
  loop.run(1_500);
  assert.deepEqual(pending(loop), ["ubar/web/0"]);
  loop.run(4_000);
  assert.deepEqual(pending(loop), []);
  assert.equal(loop.counts.images, 1);
});

test("lost messages of every kind are made good: a gap, a silence or a missing answer leads to a fresh image [scheduler.A5] [KS3]", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const loop = loopOf(3, seed);
    loop.loss = 0.3;
    loop.add({ name: "service", mine: everyJob("service") });
    for (let i = 0; i < 5; i++) {
      submit(loop, `j${i}`, { count: 2, ...small() });
      loop.run(700);
    }
    loop.run(120_000);
    assert.deepEqual(pending(loop), [], `seed ${seed}`);
    loop.loss = 0;
    loop.run(60_000);
    assert.equal(loop.schedulers.get("service")?.mirror.position, loop.world.state.position);
  }
});

test("an answer that never comes is not waited for longer than answerMs, and the image tells what is true [scheduler.A5] [KS1]", () => {
  const loop = loopOf(1);
  const service = loop.add({ name: "service", mine: everyJob("service"), answerMs: 2_000 });
  loop.run(100);
  loop.passes = (message) => message.type !== "claim";
  submit(loop, "web", { count: 2, ...small() });
  loop.run(1_000);
  assert.equal(service.mirror.open(), 2);
  loop.passes = () => true;
  loop.run(3_000);
  assert.deepEqual(pending(loop), []);
  assert.equal(loop.counts.images, 2);
  assert.match(loop.log.join("\n"), /does not know what became of 2 claims/);
});

test("back-off is kept: a failed task is claimed when its time has come, not before [scheduler.Q4]", () => {
  const loop = loopOf(2);
  loop.add({ name: "service", mine: everyJob("service") });
  submit(loop, "web", small());
  loop.run(200);
  const { world } = loop;
  const instance = world.instance("ubar/web/0");
  const failed = { machine: world.task("ubar/web/0").instance?.place.machine.id ?? "", instances: [{ instance, phase: Phase.FAILED }] };
  loop.op(world.master({ case: "machineReport", value: failed }));
  loop.run(900);
  assert.deepEqual(pending(loop), ["ubar/web/0"]);
  assert.equal(loop.counts.claims, 1);
  loop.run(400);
  assert.deepEqual(pending(loop), []);
  assert.deepEqual([loop.counts.claims, loop.counts.refused], [2, 0]);
  assert.notEqual(world.task("ubar/web/0").instance?.place.machine.id, failed.machine);
});

test("jobs are shared out: by name, services to one, batch by hash over the others, each job to exactly one [scheduler.R1] [O9] [O10]", () => {
  const loop = loopOf(8);
  loop.add({ name: "service", mine: serviceJobs("service") });
  for (const index of [0, 1]) loop.add({ name: `batch-${index}`, mine: batchJobs(`batch-${index}`, index, 2) });
  submit(loop, "web", { priority: 120, ...small() });
  submit(loop, "front", { priority: 110, appClass: AppClass.LATENCY_SENSITIVE, ...small() });
  submit(loop, "mine", { priority: 120, scheduler: "batch-1", ...small() });
  for (let i = 0; i < 12; i++) submit(loop, `mill${i}`, { priority: 100, ...small() });
  loop.run(2_000);
  assert.deepEqual(pending(loop), []);
  const by = (name: string): string | undefined => loop.world.task(`ubar/${name}/0`).instance?.scheduler;
  assert.deepEqual([by("web"), by("front"), by("mine")], ["service", "service", "batch-1"]);
  const mills = Array.from({ length: 12 }, (_, i) => by(`mill${i}`));
  assert.deepEqual([...new Set(mills)].sort(), ["batch-0", "batch-1"]);
  const all = [serviceJobs("service"), batchJobs("batch-0", 0, 2), batchJobs("batch-1", 1, 2)];
  for (const job of loop.world.state.jobs.values()) assert.equal(all.filter((mine) => mine(job)).length, 1, job.id);
});

test("under coarse detection nothing is planned on a machine that a claim in flight is about to change [scheduler.P9] [O6]", () => {
  const loop = loopOf(1);
  loop.world.must(
    loop.world.user("admin", { case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450, coarse: true } } }),
  );
  loop.add({ name: "service", mine: everyJob("service") });
  loop.run(200);
  loop.delayMs = [100, 100];
  submit(loop, "one", small());
  loop.run(150);
  submit(loop, "two", small());
  loop.run(2_000);
  assert.deepEqual(pending(loop), []);
  assert.equal(loop.counts.refused, 0, "the second waited for the first");
});

test("a transaction holds at most 1000 claims [scheduler.A6]", () => {
  const loop = loopOf(0);
  loop.world.machine("big", 4_000_000, 9_000 * GI);
  const service = loop.add({ name: "service", mine: everyJob("service") });
  let largest = 0;
  loop.passes = (message) => {
    if (message.type === "claim") largest = Math.max(largest, claimsOf(message.op).claims.length);
    return true;
  };
  submit(loop, "wide", { count: 2_500, task: { limit: limit(10, GI) } });
  loop.run(1_000);
  assert.deepEqual(pending(loop), []);
  assert.equal(largest, TRANSACTION_CLAIMS_MAX);
  assert.equal(service.mirror.open(), 0);
});

test("a gang that another scheduler gets in the way of is refused whole and comes again [scheduler.P6] [KS1]", () => {
  let refused = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const loop = loopOf(3, seed);
    loop.delayMs = [1, 200];
    for (const name of ["service", "batch-0"]) loop.add({ name, mine: everyJob(name) });
    loop.run(500);
    submit(loop, "gang", { scheduler: "service", count: 4, mode: SchedulingMode.GANG, ...small(1500) });
    submit(loop, "other", { scheduler: "batch-0", count: 3, ...small(1500) });
    for (let i = 0; i < 100; i++) {
      loop.run(100);
      const placed = loop.world.state.jobs.get("ubar/gang" as never)?.tasks.filter((task) => task.state !== "pending").length;
      assert.ok(placed === 0 || placed === 4, `${placed} of a gang of 4`);
    }
    const gang = loop.world.task("ubar/gang/0").state;
    const others = [0, 1, 2].filter((i) => loop.world.task(`ubar/other/${i}`).state !== "pending").length;
    assert.ok(gang !== "pending" ? others >= 2 : others === 3);
    refused += loop.counts.refused;
  }
  assert.ok(refused > 0);
});
