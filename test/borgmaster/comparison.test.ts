import assert from "node:assert/strict";
import { test } from "node:test";
import { adjusted, isHeldTo } from "../../src/borglet/adjust.ts";
import { differences, hasOrders, ordersFor } from "../../src/borgmaster/link/comparison.ts";
import { Desired } from "../../src/borgmaster/link/desired.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { nextSpec } from "../../src/cell/generation.ts";
import { masterOp } from "../../src/cell/op.ts";
import { taskSpecOf } from "../../src/cell/spec.ts";
import { make } from "../../src/wire/codec.ts";
import { Health, type InstanceReport, Phase, type Report, ReportSchema, StartOrderSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AppClass, JobSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, jobSpec, limit, World } from "../cell/world.ts";

const cell = (): World => new World().init().machine("m1").machine("m2").prodQuota();
const desiredOf = (world: World): Desired => {
  const desired = new Desired();
  desired.fill(imageOf(world.state, { placedOnly: true }).records);
  return desired;
};
const report = (...instances: Partial<InstanceReport>[]): Report =>
  make(ReportSchema, { machine: "m1", instances: instances as InstanceReport[] });
function orders(world: World, told: Report): string[] {
  const made = ordersFor(desiredOf(world), "m1", told, 100);
  assert.equal(hasOrders(desiredOf(world), "m1", told), made.length > 0);
  return made.map(({ body }) => {
    assert.ok(body.value !== undefined);
    const after = body.case === "start" && body.value.after.length > 0 ? ` after ${body.value.after.join(",")}` : "";
    const notice = body.case === "stop" && body.value.noticeMs > 0 ? ` within ${body.value.noticeMs} ms` : "";
    const alloc = body.case === "start" && body.value.alloc !== "" ? ` in ${body.value.alloc}` : "";
    return body.case === "drop" ? `drop ${body.value.alloc}` : `${body.case} ${body.value.instance}${after}${notice}${alloc}`;
  });
}
const news = (world: World, told: Report): string[] =>
  differences(desiredOf(world).on("m1" as never), told).map((i) => `${i.instance} ${i.phase}`);

test("a link's image has no task that is on no machine, however many wait, and every spec [KB1] [B3]", () => {
  const world = cell();
  world.submit("web", { count: 3 });
  world.claim("ubar/web/1", "m1");
  world.submit("crowd", { count: 500 });
  const bodies = imageOf(world.state, { placedOnly: true }).records.map(({ body }) => body);
  const runs = bodies.flatMap((body) =>
    body.case === "tasks" ? [`${body.value.job}/${body.value.first} ${body.value.tasks.length}`] : [],
  );
  assert.deepEqual(runs, ["ubar/web/1 1"]);
  assert.equal(bodies.filter((body) => body.case === "job").length, 2);
  assert.deepEqual(
    [
      ...desiredOf(world)
        .on("m1" as never)
        .keys(),
    ],
    [world.instance("ubar/web/1")],
  );
});

test("what should start is ordered until it is reported; then its start is news, once the cell knows, no more [B3]", () => {
  const world = cell();
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  assert.deepEqual(orders(world, report()), [`start ${id}`]);
  assert.deepEqual(news(world, report()), []);
  const running = report({ instance: id, phase: Phase.RUNNING, run: 1 });
  assert.deepEqual(orders(world, running), []);
  assert.deepEqual(news(world, running), [`${id} ${Phase.RUNNING}`]);
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 1 });
  assert.deepEqual(news(world, running), []);
  assert.deepEqual(news(world, report({ instance: id, phase: Phase.RUNNING, run: 2 })), [`${id} ${Phase.RUNNING}`]);
  assert.deepEqual(news(world, report({ instance: id, phase: Phase.RUNNING, run: 1, health: Health.BAD })), [`${id} ${Phase.RUNNING}`]);
  assert.deepEqual(news(world, report()), [`${id} ${Phase.GONE}`], "it was there, and the machine has nothing of it");
});

test("an instance that the cell does not know is stopped: a duplicate, or one that has ended and may be forgotten [B4] [KT2]", () => {
  const world = cell();
  assert.deepEqual(
    orders(world, report({ instance: "ubar/old/0:1", phase: Phase.RUNNING }, { instance: "ubar/old/1:2", phase: Phase.FINISHED })),
    ["stop ubar/old/0:1", "stop ubar/old/1:2"],
    "at once: a duplicate may harm, and nobody waits for it",
  );
});

test("what the cell stops gets its notice, and what starts in an alloc is told in which [B3] [KT6]", () => {
  const world = cell();
  world.submit("web", { task: { noticeMs: 5000 } });
  world.claim("ubar/web/0", "m1");
  const web = world.instance("ubar/web/0");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  assert.deepEqual(orders(world, report({ instance: web, phase: Phase.RUNNING, run: 1 })), [`stop ${web} within 5000 ms`]);
  world.submitAllocs("set");
  world.claim("ubar/set/0", "m1");
  const alloc = world.instance("ubar/set/0");
  world.submit("inner", { allocSet: "ubar/set", task: { limit: limit(500, GI) } });
  world.claim("ubar/inner/0", alloc);
  assert.deepEqual(orders(world, report()), [`stop ${web} within 5000 ms`, `start ${world.instance("ubar/inner/0")} in ${alloc}`]);
});

test("a start in an alloc tells what the alloc has; its directory stays as long as the alloc, and then goes [A2] [A4] [B3]", () => {
  const world = cell();
  world.submitAllocs("set", { priority: 110 });
  world.claim("ubar/set/0", "m1");
  const alloc = world.instance("ubar/set/0");
  world.submit("inner", { allocSet: "ubar/set", task: { limit: limit(500, GI) } });
  world.claim("ubar/inner/0", alloc);
  const inner = world.instance("ubar/inner/0");
  const [order] = ordersFor(desiredOf(world), "m1", report(), 10);
  assert.ok(order?.body.case === "start");
  const { allocLimit, allocPriority } = order.body.value;
  assert.deepEqual([allocLimit?.cpuMilli, allocLimit?.ramBytes, allocPriority], [2000, 4 * GI, 110]);
  const told = (...instances: Partial<InstanceReport>[]): Report => ({ ...report(...instances), allocs: [alloc] });
  const running = { instance: inner, phase: Phase.RUNNING, run: 1 };
  assert.deepEqual(orders(world, told(running)), []);
  world.report("m1", running);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/inner" } }));
  world.report("m1", { instance: inner, phase: Phase.GONE });
  assert.deepEqual(orders(world, told()), [], "nobody is in it, and it stays");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/set" } }));
  assert.deepEqual(orders(world, told()), [`drop ${alloc}`]);
  world.state.machines.get("m1" as never)!.directories = [{ alloc: alloc as never, untilMs: 1e12 }];
  assert.deepEqual(orders(world, told()), [], "its directory is kept");
  world.state.machines.get("m1" as never)!.directories = [];
  assert.deepEqual(orders(world, report()), []);
});

test("what stops is ordered to stop until it is gone, and a start there waits for victims [D6]", () => {
  const world = cell();
  world.submit("mill", { task: { limit: limit(4000, GI) } });
  world.submit("web", { priority: 120, task: { limit: limit(4000, GI) } });
  world.claim("ubar/mill/0", "m1");
  const victim = world.instance("ubar/mill/0");
  world.claim("ubar/web/0", "m1", [victim]);
  const web = world.instance("ubar/web/0");
  const there = report({ instance: victim, phase: Phase.RUNNING, run: 1 });
  assert.deepEqual(orders(world, there), [`stop ${victim} within 10000 ms`, `start ${web} after ${victim}`]);
  assert.deepEqual(news(world, report()), [`${victim} ${Phase.GONE}`]);
});

test("a start order carries what is different for its index [U2]", () => {
  const spec = make(
    JobSpecSchema,
    jobSpec("web", {
      count: 3,
      task: {
        command: ["server", "--all"],
        environment: [
          { key: "A", value: "1" },
          { key: "B", value: "2" },
        ],
      },
      overrides: [{ first: 1, last: 2, arguments: ["--canary"], environment: [{ key: "A", value: "9" }] }],
    }),
  );
  assert.deepEqual(taskSpecOf(spec, 0).command, ["server", "--all"]);
  assert.deepEqual(taskSpecOf(spec, 1).command, ["server", "--canary"]);
  assert.deepEqual(
    taskSpecOf(spec, 1).environment.map(({ key, value }) => `${key}=${value}`),
    ["B=2", "A=9"],
  );
});

test("a machine gets no more restarts in place than failures are left until the task is dead [cell.T5] [B3]", () => {
  const world = cell();
  world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  world.submit("bad", { restart: { failuresMax: 6 } });
  const inPlace = (): number | undefined => {
    world.timeMs += 10_000;
    world.claim("ubar/bad/0", "m1");
    const [order] = ordersFor(desiredOf(world), "m1", undefined, 10);
    return order?.body.case === "start" ? order.body.value.restart?.inPlaceMax : undefined;
  };
  assert.equal(inPlace(), 3, "as where nothing is said");
  world.report("m1", { instance: world.instance("ubar/bad/0"), phase: Phase.FAILED, run: 4, failures: 4 });
  assert.equal(inPlace(), 1, "two failures are left: one restart");
});

test("an instance that is held to the limits of another spec than its own is adjusted, unless it stops or its borglet cannot [I8] [B3]", () => {
  const world = cell();
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  const told = (generation?: number, phase: Phase = Phase.RUNNING): string[] =>
    orders(world, report({ instance: id, phase, run: 1, ...(generation === undefined ? {} : { generation }) }));
  assert.deepEqual([told(0), told(7), told(undefined), told(7, Phase.FAILED)], [[], [`adjust ${id}`], [], []]);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  assert.deepEqual(told(7), [`stop ${id} within 10000 ms`]);
});

test("a task whose alloc was resized is told the alloc's new limit, until it says that it holds to it [A3] [B3]", () => {
  const world = cell();
  for (const version of [2, 3, 4, 5]) world.must(masterOp({ case: "cellVersion", value: { version } }));
  world.submitAllocs("aset");
  world.submit("web", { allocSet: "ubar/aset" });
  world.claim("ubar/aset/0", "m1");
  world.claim("ubar/web/0", world.instance("ubar/aset/0"));
  const id = world.instance("ubar/web/0");
  const told = (allocGeneration?: number): Report =>
    report({ instance: id, phase: Phase.RUNNING, run: 1, generation: 0, ...(allocGeneration === undefined ? {} : { allocGeneration }) });
  assert.deepEqual(orders(world, told(0)), []);
  const allocSet = { user: "ubar", name: "aset", count: 1, limit: limit(3000, 5 * GI) };
  world.must(world.user("ubar", { case: "updateStart", value: { allocSet } }));
  world.must(masterOp({ case: "updateStep", value: { job: "ubar/aset" } }));
  const [order] = ordersFor(desiredOf(world), "m1", told(0), 10);
  assert.ok(order?.body.case === "adjust");
  assert.deepEqual([order.body.value.allocLimit?.cpuMilli, order.body.value.allocGeneration, order.body.value.generation], [3000, 1, 0]);
  assert.deepEqual([orders(world, told(1)), orders(world, told(undefined))], [[], []], "held to it; a borglet that cannot say");
  const started = make(StartOrderSchema, { instance: id, alloc: "ubar/aset/0:1", allocGeneration: 0 });
  assert.equal(isHeldTo(started, order.body.value), false);
  const next = adjusted(started, order.body.value);
  assert.deepEqual([next.allocLimit?.cpuMilli, next.allocGeneration, isHeldTo(next, order.body.value)], [3000, 1, true]);
});

test("a task whose class and restart policy were changed is told both, and goes by them from then on [D5] [B3]", () => {
  const world = cell();
  const spec = { user: "ubar", name: "web", count: 1, priority: 200, task: { command: ["serve"] } };
  world.submit("web", { ...spec, restart: { backoffMinMs: 2, backoffMaxMs: 4 }, appClass: AppClass.LATENCY_SENSITIVE });
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  const [order] = ordersFor(desiredOf(world), "m1", report({ instance: id, phase: Phase.RUNNING, run: 1, generation: 7 }), 10);
  assert.ok(order?.body.case === "adjust");
  const next = adjusted(make(StartOrderSchema, { instance: id, appClass: AppClass.BATCH, generation: 7 }), order.body.value);
  assert.deepEqual([next.appClass, next.restart?.backoffMinMs, next.restart?.backoffMaxMs], [AppClass.LATENCY_SENSITIVE, 2, 4]);
});

test("where a job says nothing, a start order says the back-off and the notice of the cell, else those of the job [cell.T5] [B3]", () => {
  const world = cell();
  const config = { deadJobKeepMs: 60_000, noticeMs: 7000, backoffMinMs: 3000, backoffMaxMs: 9000 };
  world.must(world.user("admin", { case: "cellConfigure", value: { config } }));
  world.submit("silent");
  world.submit("told", { task: { command: ["serve"], noticeMs: 1 }, restart: { backoffMinMs: 2, backoffMaxMs: 4 } });
  world.claim("ubar/silent/0", "m1");
  world.claim("ubar/told/0", "m1");
  const times = ordersFor(desiredOf(world), "m1", undefined, 10).map(({ body }) =>
    body.case === "start" ? [body.value.task?.noticeMs, body.value.restart?.backoffMinMs, body.value.restart?.backoffMaxMs] : [],
  );
  assert.deepEqual(times, [
    [7000, 3000, 9000],
    [1, 2, 4],
  ]);
});

test("an instance is started with the spec it names, whatever its job wants by now [cell.J14] [B3]", () => {
  const world = cell();
  world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  world.submit("web", { count: 2, task: { command: ["old"] } });
  world.claim("ubar/web/0", "m1");
  const job = world.state.jobs.get("ubar/web" as never)!;
  nextSpec(world.state, job, { kind: "job", job: make(JobSpecSchema, jobSpec("web", { count: 2, task: { command: ["new"] } })) });
  world.claim("ubar/web/1", "m1");
  const programs = ordersFor(desiredOf(world), "m1", undefined, 10).map(({ body }) =>
    body.case === "start" ? [body.value.instance.split(":")[0], body.value.task?.command[0]] : [],
  );
  assert.deepEqual(programs, [
    ["ubar/web/0", "old"],
    ["ubar/web/1", "new"],
  ]);
});
