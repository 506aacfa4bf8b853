/** Readiness, checks and lame ducks as the cell knows them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isReady, isReadyFor, readySinceMs } from "../../src/cell/ready.ts";
import type { Instance } from "../../src/cell/state.ts";
import type { Init } from "../../src/wire/codec.ts";
import { Health, type InstanceReportSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { CheckKind } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, limit, World } from "./world.ts";

const CHECK = { kind: CheckKind.COMMAND, command: ["true"] };

function cell(version = 3): World {
  const world = new World().init();
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  return world.machine("m1");
}

function running(task: object, version = 3): World {
  const world = cell(version);
  assert.equal(world.submit("web", { task }), "ok");
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
  return world;
}

const says = (world: World, more: Init<typeof InstanceReportSchema> = {}): void =>
  void world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, run: 1, ...more });

const of = (world: World): Instance => world.task("ubar/web/0").instance as Instance;

test("An instance is ready while it runs and all its checks are good, since the last change, and never while it stops [cell.H1] [N4]", () => {
  const world = running({ health: CHECK, ready: CHECK });
  assert.equal(readySinceMs(of(world)), 0, "it has not begun");
  says(world, { health: Health.GOOD, ready: Health.UNKNOWN });
  assert.ok(!isReady(of(world)));
  world.timeMs += 1000;
  says(world, { health: Health.GOOD, ready: Health.GOOD });
  assert.equal(readySinceMs(of(world)), world.timeMs);
  const sinceMs = world.timeMs;
  world.timeMs += 5000;
  says(world, { health: Health.GOOD, ready: Health.GOOD });
  assert.deepEqual(
    [4999, 5000, 5001].map((ms) => isReadyFor(of(world), ms, sinceMs + 5000)),
    [true, true, false],
  );
  says(world, { health: Health.GOOD, ready: Health.BAD, problem: "Answered 503" });
  assert.deepEqual([isReady(of(world)), of(world).faring.problem, world.task("ubar/web/0").state], [false, "Answered 503", "running"]);
  world.timeMs += 1000;
  says(world, { health: Health.BAD, ready: Health.GOOD, problem: "Answered 500" });
  assert.ok(!isReady(of(world)), "its health counts too");
  says(world, { health: Health.GOOD, ready: Health.GOOD });
  assert.deepEqual([readySinceMs(of(world)), of(world).faring.problem], [world.timeMs, ""]);
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  assert.ok(!isReady(of(world)), "nobody knows");
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: true } }));
  assert.ok(isReady(of(world)));
  world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web" } }));
  assert.ok(!isReady(of(world)), "it stops");
});

test("A new run begins without an answer; without checks an instance is ready as long as its run lives [cell.H1]", () => {
  const world = running({ ready: CHECK });
  says(world, { ready: Health.GOOD });
  world.timeMs += 1000;
  says(world, { phase: Phase.STARTING, run: 1, backoffMs: 1000, failures: 1, exitCode: 1 });
  assert.deepEqual([isReady(of(world)), of(world).faring.ready], [false, "unknown"]);
  world.timeMs += 1000;
  says(world, { run: 2, ready: Health.GOOD, failures: 1 });
  assert.equal(readySinceMs(of(world)), world.timeMs, "counted from its own first answer");
  const plain = running({});
  says(plain, { upMs: 5 });
  assert.equal(readySinceMs(of(plain)), plain.timeMs - 5);
});

test("Health that was good before the cell was upgraded counts at once [cell.H1]", () => {
  const world = cell(2);
  assert.equal(world.submit("web", { task: { ports: ["http"], health: { port: "http" } } }), "ok");
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
  says(world, { health: Health.GOOD, upMs: 7 });
  assert.equal(readySinceMs(of(world)), world.timeMs - 7);
  world.must(world.master({ case: "cellVersion", value: { version: 3 } }));
  assert.equal(readySinceMs(of(world)), world.timeMs - 7);
});

test("Words that differ are no change, so a check that fails in many ways writes nothing [cell.H2]", () => {
  const world = running({ ready: CHECK });
  says(world, { ready: Health.BAD, problem: "first" });
  const op = world.master({
    case: "machineReport",
    value: { machine: "m1", instances: [{ instance: of(world).id, phase: Phase.RUNNING, run: 1, ready: Health.BAD, problem: "second" }] },
  });
  const outcome = world.try(op);
  assert.ok(outcome.ok && outcome.events.length === 0);
  assert.equal(of(world).faring.problem, "first");
});

test("Before version 3 readiness, lame ducks and checks other than by HTTP are refused [cell.H3]", () => {
  const world = cell(2);
  for (const task of [{ ready: CHECK }, { health: CHECK }, { lameDuckMs: 1 }])
    assert.match(world.submit("web", { task }), /not all masters of the cell are upgraded/);
  assert.equal(world.submit("web", { task: { ports: ["http"], health: { port: "http" } } }), "ok");
});

test("A stop is a lame duck first: for kill, restart, drain and eviction as asked, for a victim as far as its preemptor grants [cell.H4] [KT6]", () => {
  const task = { lameDuckMs: 4000, noticeMs: 2000, limit: limit(4000, GI) };
  const stopped = (act: (world: World) => void): string => {
    const world = running(task).prodQuota();
    says(world);
    act(world);
    const { stop } = of(world);
    return `${stop?.lameDuckMs} ${stop?.noticeMs}`;
  };
  assert.equal(
    stopped((world) => world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }))),
    "4000 2000",
  );
  assert.equal(
    stopped((world) => world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web" } }))),
    "4000 2000",
  );
  const preempted = (victimNoticeMs: number | undefined): string =>
    stopped((world) => {
      const more = victimNoticeMs === undefined ? {} : { victimNoticeMs };
      assert.equal(world.submit("big", { priority: 200, task: { limit: limit(4000, GI) }, ...more }), "ok");
      assert.equal(world.claim("ubar/big/0", "m1", [of(world).id]), "ok");
    });
  assert.deepEqual([undefined, 5000, 1500, 0].map(preempted), ["4000 2000", "3000 2000", "0 1500", "0 0"]);
});

test("What is inside an alloc has the lame duck it asked for, when the alloc stops [cell.H4] [KT6]", () => {
  const world = cell();
  assert.equal(world.submitAllocs("aset"), "ok");
  assert.equal(world.claim("ubar/aset/0", "m1"), "ok");
  assert.equal(world.submit("web", { allocSet: "ubar/aset", task: { lameDuckMs: 3000, noticeMs: 500 } }), "ok");
  assert.equal(world.claim("ubar/web/0", world.instance("ubar/aset/0")), "ok");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/aset" } }));
  const { stop } = of(world);
  assert.deepEqual([stop?.lameDuckMs, stop?.noticeMs], [3000, 500]);
});
