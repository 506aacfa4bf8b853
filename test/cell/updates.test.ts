/** Updates of living jobs: who is changed when and how, what they may disturb, and how they end (Borg §2.3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { PROGRESS_MS } from "../../src/cell/gate.ts";
import { specOf } from "../../src/cell/generation.ts";
import { masterOp } from "../../src/cell/op.ts";
import { newFace } from "../../src/cell/spec.ts";
import type { Job } from "../../src/cell/state.ts";
import { nextStep, planOf } from "../../src/cell/update-plan.ts";
import { STAYS, TREATED_LIVE, VERSION_MAX } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { AppClass, JobSpecSchema, Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "./world.ts";

const WATCH_MS = 10_000;

/** Three machines and a job `ubar/web` of which every task runs. */
function cell(wish: JobWish = {}, machines = 3): World {
  const world = new World().init();
  for (let version = 2; version <= VERSION_MAX; version++) world.must(masterOp({ case: "cellVersion", value: { version } }));
  for (let i = 0; i < machines; i++)
    world.machine(`m${i}`, 4000, 8 * GI, { attributes: [{ key: "disk", value: i === 0 ? "old" : "new" }], rack: i === 2 ? "b" : "a" });
  world.prodQuota();
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.BATCH, quota: { unlimited: true } } }));
  assert.equal(world.submit("web", { count: 3, ...wish }), "ok");
  for (const task of web(world).tasks) world.claim(task.id, `m${task.index % machines}`);
  settle(world);
  return world;
}

const web = (world: World): Job => world.state.jobs.get("ubar/web" as never) ?? assert.fail();
const start = (world: World, wish: JobWish = {}, more: object = {}): string =>
  world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("web", { count: 3, ...wish }), ...more } }));
const ask = (world: World, name: "updateUndo" | "updateCommit" | "updatePause" | "jobKill" | "jobResize", more: object = {}): string =>
  world.say(world.user("ubar", { case: name, value: { job: "ubar/web", ...more } } as never));
const step = (world: World): void => void world.must(masterOp({ case: "updateStep", value: { job: "ubar/web" } }));
const NEW: JobWish = { task: { command: ["node", "new.js"] } };

/** Borglets do what they were told: what should start runs, what should stop has gone. */
function settle(world: World): void {
  for (let round = 0; round < 3; round++) {
    for (const { instance, state } of [...web(world).tasks]) {
      if (instance === undefined || !instance.place.machine.reachable) continue;
      const { id, place } = instance;
      if (instance.stop !== undefined) world.report(place.machine.id, { instance: id, phase: Phase.GONE });
      else if (state === "starting") world.report(place.machine.id, { instance: id, phase: Phase.RUNNING, run: 1 });
    }
  }
}

/** Places what waits wherever it fits. */
function schedule(world: World): void {
  settle(world);
  for (const task of web(world).tasks)
    for (const machine of world.state.machines.values()) if (task.state === "pending") world.claim(task.id, machine.id);
  settle(world);
}

/** A step, and time for its tasks to be well. */
function round(world: World, waitMs = WATCH_MS): void {
  step(world);
  settle(world);
  world.timeMs += waitMs;
}

function finish(world: World): void {
  for (let i = 0; i < 40 && nextStep(web(world), world.timeMs, VERSION_MAX) !== undefined; i++) round(world);
}

/** What each task runs: n for the new program, o for the old, - for none. */
const runs = (world: World): string =>
  web(world)
    .tasks.map(({ instance, state }) => {
      if (instance === undefined || state !== "running") return "-";
      const spec = specOf(instance);
      return spec.kind === "job" && spec.job.task?.command[1] === "new.js" ? "n" : "o";
    })
    .join("");
const told = (world: World): string =>
  web(world)
    .tasks.map((task) => task.told?.kind ?? "-")
    .join(" ");

test("an update rolls one batch after the other, each when the one before is well [D1] [D3] [cell.J15] [cell.J16]", () => {
  const world = cell();
  assert.equal(start(world, NEW), "ok");
  assert.deepEqual([runs(world), web(world).generation, web(world).update?.generation], ["ooo", 0, 1]);
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    step(world);
    settle(world);
    // Too early: nobody has been well for long enough.
    world.timeMs += WATCH_MS - 1;
    step(world);
    seen.push(runs(world));
    world.timeMs += 1;
  }
  assert.deepEqual(seen, ["noo", "nno", "nnn", "nnn"]);
  assert.equal(web(world).update?.phase, "rolled");
  assert.equal(ask(world, "updateCommit"), "ok");
  assert.deepEqual([web(world).update, web(world).generation, web(world).kept], [undefined, 1, []]);
  assert.equal(web(world).wants.task?.command[1], "new.js");
  assert.equal(stateHash(world.replay()), stateHash(world.state));
});

test("a restarted task stays on its machine, in the op in which its old instance goes [D5] [cell.J18]", () => {
  const world = cell();
  start(world, NEW);
  step(world);
  const [task] = web(world).tasks;
  const old = task!.instance!;
  assert.deepEqual([task!.state, task!.cause], ["stopping", "update"]);
  world.report("m0", { instance: old.id, phase: Phase.GONE });
  assert.deepEqual([task!.state, task!.instance?.place.id, task!.instance?.scheduler], ["starting", "m0", "service"]);
  assert.notEqual(task!.instance?.id, old.id);
});

test("that the old one fails before it is stopped is no failure of the new one [cell.J18]", () => {
  const world = cell();
  start(world, NEW);
  step(world);
  world.report("m0", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED, exitCode: 3 });
  const [task] = web(world).tasks;
  assert.deepEqual([task!.state, task!.failures, task!.past.avoid, task!.past.lastExit?.code], ["starting", 0, [], 3]);
});

test("a priority and a limit that fits change without a restart; a command and an environment restart; a constraint moves [D5] [cell.J19]", () => {
  const changes = (wish: JobWish, version = VERSION_MAX): string => {
    const world = cell();
    const spec = make(JobSpecSchema, jobSpec("web", { count: 3, ...wish }) as never);
    return planOf(web(world), newFace({ kind: "job", job: spec }), [], version)
      .map(({ change }) => change)
      .join(" ");
  };
  assert.equal(changes({ priority: 110 }), "in-place in-place in-place");
  const treated = { appClass: AppClass.LATENCY_SENSITIVE, restart: { failuresMax: 7 }, disableReclamation: true };
  assert.equal(changes(treated), "in-place in-place in-place", "how it is treated, beside others and when it fails");
  assert.equal(changes(treated, TREATED_LIVE - 1), "restart restart restart");
  assert.equal(changes({ task: { holdCpu: true } }), "in-place in-place in-place", "from version 8 on; before, nobody has it");
  assert.equal(changes({ labels: [{ key: "a", value: "b" }] }), "in-place in-place in-place");
  assert.equal(changes(NEW), "restart restart restart");
  assert.equal(changes({ task: { environment: [{ key: "A", value: "1" }] } }), "restart restart restart");
  assert.equal(changes({ task: { limit: limit(2000, GI) } }), "in-place in-place in-place");
  assert.equal(
    changes({ task: { limit: { ...limit(2000, GI), diskBytes: GI } } }),
    "restart restart restart",
    "disk is what it is started with",
  );
  assert.equal(changes({ task: { limit: limit(5000, GI) } }), "move move move");
  assert.equal(changes({ constraints: [{ attribute: "disk", operator: Operator.EQUAL, values: ["new"] }] }), "move in-place in-place");
  assert.equal(changes({ spread: Spread.RACK }), "move move in-place", "two are in one rack");
  assert.equal(changes({ beside: [{ job: "ubar/mill", max: 1 }] }), "in-place in-place in-place", "nobody is beside it");
  assert.equal(changes({ spread: Spread.POWER }), "move move move", "no machine names a power domain");
  const overrides = [{ first: 1, last: 1, arguments: ["canary.js"] }];
  assert.equal(changes({ overrides }), "in-place restart in-place");
});

test("a task moves whose machine has more of another job than its new spec wants beside it [cell.J19] [cell.C13]", () => {
  const world = cell();
  world.submit("mill", { task: { limit: limit(100, GI) } });
  world.claim("ubar/mill/0", "m1");
  const spec = make(JobSpecSchema, jobSpec("web", { count: 3, beside: [{ job: "ubar/mill", max: 0 }] }) as never);
  const planned = planOf(web(world), newFace({ kind: "job", job: spec }), [], VERSION_MAX);
  assert.deepEqual(
    planned.map(({ change }) => change),
    ["in-place", "move", "in-place"],
  );
});

test("an update moves nobody for a rule of place that it does not change, whatever became of the machine [cell.J34] [D5]", () => {
  const constraints = [{ attribute: "disk", operator: Operator.IN, values: ["old", "new"] }];
  const world = cell({ constraints });
  const machine = world.state.machines.get("m1" as never)!;
  const facts = { ...machine.facts, attributes: [{ key: "disk", value: "gone" }] };
  world.must(masterOp({ case: "machineFacts", value: { machine: "m1", facts } } as never));
  const face = newFace({ kind: "job", job: make(JobSpecSchema, jobSpec("web", { count: 3, constraints, priority: 110 }) as never) });
  const changes = (version: number): string =>
    planOf(web(world), face, [], version)
      .map(({ change }) => change)
      .join(" ");
  assert.equal(changes(STAYS), "in-place in-place in-place");
  assert.equal(changes(STAYS - 1), "in-place move in-place");
});

test("a change of priority is done at once, and its instances go on [D5] [cell.J19]", () => {
  const world = cell();
  const before = web(world).tasks.map(({ instance }) => instance!.id);
  start(world, { priority: 200 });
  step(world);
  assert.deepEqual(
    web(world).tasks.map(({ instance }) => [instance!.id, instance!.priority]),
    before.map((id) => [id, 200]),
  );
  step(world);
  assert.equal(ask(world, "updateCommit"), "ok");
  assert.deepEqual([web(world).priority, web(world).kept], [200, []]);
});

test("a limit changes while its tasks run, counts at once, and is undone the same way [D5] [I8] [cell.J19] [KR1]", () => {
  const world = cell();
  const before = web(world).tasks.map(({ instance }) => instance!.id);
  const held = (): unknown =>
    web(world).tasks.map(({ instance }) => [instance!.id, instance!.limit.cpu, instance!.reservation.cpu, instance!.place.reserved.cpu]);
  start(world, { task: { limit: limit(2000, GI) } });
  step(world);
  assert.deepEqual(
    held(),
    before.map((id) => [id, 2000, 2000, 2000]),
  );
  assert.equal(told(world), "in-place in-place in-place");
  assert.equal(stateHash(world.replay()), stateHash(world.state));
  assert.equal(ask(world, "updateUndo"), "ok");
  step(world);
  assert.deepEqual(
    held(),
    before.map((id) => [id, 1000, 1000, 1000]),
  );
});

test("of two tasks that would grow on one machine, and of which one fits, the other is looked at again [cell.J19] [KR1]", () => {
  const world = cell({ count: 2 }, 1);
  start(world, { count: 2, task: { limit: limit(2500, GI) } });
  step(world);
  assert.equal(told(world), "in-place -");
  step(world);
  assert.equal(told(world), "in-place move");
});

test("before version 4 a changed limit restarts, and whole cores and slack memory are refused [cell.J19] [KD7]", () => {
  const world = cell();
  const spec = make(JobSpecSchema, jobSpec("web", { count: 3, task: { limit: limit(2000, GI) } }) as never);
  const changes = planOf(web(world), newFace({ kind: "job", job: spec }), [], 3).map(({ change }) => change);
  assert.deepEqual(changes, ["restart", "restart", "restart"]);
});

test("what a borglet evicted is pending again with that cause and its words, and has not failed unless it was over its memory limit [I5] [cell.T13] [cell.T8]", () => {
  const world = cell();
  const gone = (index: number, overRam: boolean): unknown[] => {
    const { instance } = web(world).tasks[index]!;
    if (overRam) world.report(instance!.place.machine.id, { instance: instance!.id, phase: Phase.RUNNING, run: 1, overRam });
    world.report(instance!.place.machine.id, {
      instance: instance!.id,
      phase: Phase.GONE,
      outOfResources: true,
      message: "Evicted: x",
      overRam,
    });
    const { state, cause, failures, past } = web(world).tasks[index]!;
    return [state, cause, failures, past.avoid.length];
  };
  assert.deepEqual(gone(0, false), ["pending", "out-of-resources", 0, 0]);
  assert.deepEqual(gone(1, true), ["pending", "out-of-resources", 1, 1]);
});

test("disruptions beyond the most are skipped and listed, and block nobody [D4] [cell.J20] [KP2]", () => {
  const world = cell({}, 4);
  const constraints = [{ attribute: "disk", operator: Operator.EQUAL, values: ["none"] }];
  start(world, { constraints, update: { batch: 1, watchMs: 0, disruptionsMax: 1 } });
  step(world);
  assert.equal(told(world), "move skip skip");
  settle(world);
  assert.equal(web(world).tasks[0]!.state, "pending");
  world.timeMs += PROGRESS_MS;
  step(world);
  assert.equal(web(world).update?.phase, "undoing");
});

test("tasks that are preempted for a moved one are disruptions of the update: what would be more is skipped [D4] [cell.J20] [KP2]", () => {
  for (const [disruptionsMax, expected] of [
    [2, "move skip skip"],
    [3, "move move skip"],
  ] as const) {
    const world = cell({ priority: 110 });
    world.machine("spare", 4000, 8 * GI, { attributes: [{ key: "disk", value: "fast" }] });
    assert.equal(world.submit("low", { priority: 10, task: { limit: limit(4000, GI) } }), "ok");
    assert.equal(world.claim("ubar/low/0", "spare"), "ok");
    const victim = world.instance("ubar/low/0");
    world.report("spare", { instance: victim, phase: Phase.RUNNING, run: 1 });
    const constraints = [{ attribute: "disk", operator: Operator.EQUAL, values: ["fast"] }];
    start(world, { priority: 110, constraints, update: { batch: 1, watchMs: 0, disruptionsMax } });
    step(world);
    settle(world);
    assert.equal(world.claim("ubar/web/0", "spare", [victim]), "ok");
    assert.equal(web(world).update?.preempted, 1);
    world.report("spare", { instance: victim, phase: Phase.GONE });
    for (let turn = 0; turn < 3; turn++) {
      settle(world);
      world.timeMs += 20_000;
      step(world);
      settle(world);
      for (const { id, state } of web(world).tasks) if (state === "pending") world.claim(id, "spare");
    }
    assert.equal(told(world), expected);
    const again = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
    assert.ok(again.ok && again.value.jobs.get("ubar/web" as never)?.update?.preempted === 1);
  }
});

test("who no longer fits when its old instance has gone is a disruption, or keeps what it had [D4] [cell.J18] [cell.J20] [KP2]", () => {
  for (const [disruptionsMax, expected] of [
    [1, "move pending o"],
    [0, "skip starting o"],
  ] as const) {
    const world = cell({ count: 1 }, 1);
    start(world, {
      count: 1,
      task: { command: ["node", "new.js"], limit: limit(3000, GI) },
      update: { batch: 1, watchMs: 0, disruptionsMax },
    });
    step(world);
    assert.equal(told(world), "restart");
    assert.equal(world.submit("other", { task: { limit: limit(2000, GI) } }), "ok");
    assert.equal(world.claim("ubar/other/0", "m0"), "ok");
    const { id } = web(world).tasks[0]!.instance!;
    world.report("m0", { instance: id, phase: Phase.GONE });
    const [task] = web(world).tasks;
    const which = task!.instance === undefined || task!.instance.generation === 0 ? "o" : "n";
    assert.equal(`${task!.told!.kind} ${task!.state} ${which}`, expected);
  }
});

test("no more tasks are down at a time than the job allows, whatever they are down for [V3] [cell.J21] [KP2]", () => {
  const world = cell({ downMax: 1 });
  start(world, { ...NEW, downMax: 1, update: { batch: 3, watchMs: 0 } });
  world.must(masterOp({ case: "taskEvict", value: { instances: [world.instance("ubar/web/2")], cause: 5 } }));
  step(world);
  assert.equal(runs(world), "oo-");
  schedule(world);
  step(world);
  assert.equal(runs(world), "-oo");
});

test("tasks that do not run anyway take the new spec in their turn; broken ones are no obstacle [cell.J16]", () => {
  const world = cell({ downMax: 1 });
  for (const index of [0, 1]) {
    const { id, place } = web(world).tasks[index]!.instance!;
    world.report(place.machine.id, { instance: id, phase: Phase.FAILED, exitCode: 1 });
  }
  start(world, { ...NEW, downMax: 1, update: { batch: 3, watchMs: 0 } });
  step(world);
  assert.equal(told(world), "free free -");
  assert.equal(web(world).tasks[0]!.notBeforeMs, 0);
  schedule(world);
  finish(world);
  assert.equal(runs(world), "nnn");
});

test("an update of some tasks leaves the others, and is not committed before they follow [D2] [cell.J22]", () => {
  const world = cell();
  assert.equal(start(world, NEW, { tasks: [{ first: 0, last: 1 }] }), "ok");
  finish(world);
  assert.equal(runs(world), "nno");
  assert.match(ask(world, "updateCommit"), /left tasks out/);
  assert.equal(start(world, NEW), "ok");
  finish(world);
  assert.equal(runs(world), "nnn");
  assert.equal(ask(world, "updateCommit"), "ok");
});

test("pause holds it, resume lets it go on, and a staged one waits for that [D1] [cell.J15]", () => {
  const world = cell();
  assert.equal(start(world, NEW, { paused: true }), "ok");
  finish(world);
  assert.equal(runs(world), "ooo");
  assert.equal(ask(world, "updatePause", { paused: false }), "ok");
  round(world);
  assert.equal(ask(world, "updatePause", { paused: true }), "ok");
  finish(world);
  assert.equal(runs(world), "noo");
  ask(world, "updatePause", { paused: false });
  finish(world);
  assert.equal(runs(world), "nnn");
});

for (const rounds of [0, 1, 2, 9]) {
  test(`undo after ${rounds} batches gives every task its old spec, and the quota back [D1] [cell.J23]`, () => {
    const world = cell();
    const user = world.state.users.get("ubar" as never)!;
    const before = JSON.stringify([...user.charged]);
    start(world, { task: { command: ["node", "new.js"], limit: limit(2000, GI) } });
    for (let i = 0; i < rounds; i++) round(world);
    assert.equal(ask(world, "updateUndo"), "ok");
    finish(world);
    assert.deepEqual([runs(world), web(world).update, web(world).generation, told(world)], ["ooo", undefined, 0, "- - -"]);
    assert.deepEqual(web(world).kept, []);
    assert.equal(JSON.stringify([...user.charged]), before);
    // The next one begins from there.
    assert.equal(start(world, NEW), "ok");
    finish(world);
    assert.equal(runs(world), "nnn");
  });
}

test("undo goes in batches too, and under the down limit [cell.J23] [KP2]", () => {
  const world = cell({ downMax: 1 });
  start(world, { ...NEW, downMax: 1, update: { batch: 3, watchMs: 0 } });
  finish(world);
  assert.equal(runs(world), "nnn");
  ask(world, "updateUndo");
  step(world);
  assert.equal(runs(world), "-nn");
  settle(world);
  step(world);
  assert.equal(runs(world), "o-n");
});

test("too many failures undo it by themselves, and it says why [D1] [cell.J24]", () => {
  const world = cell();
  start(world, { ...NEW, update: { batch: 1, watchMs: WATCH_MS, failuresMax: 0 } });
  step(world);
  settle(world);
  world.report("m0", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED, exitCode: 3 });
  step(world);
  assert.deepEqual([web(world).update?.phase, web(world).update?.reason], ["undoing", "1 of its tasks failed, and 0 may: ubar/web/0"]);
  world.timeMs += 300_000;
  step(world);
  schedule(world);
  finish(world);
  assert.deepEqual([runs(world), web(world).update], ["ooo", undefined]);
});

test("who is not well after ten minutes has failed [cell.J24]", () => {
  const world = cell();
  start(world, NEW);
  step(world);
  world.timeMs += PROGRESS_MS - 1;
  assert.equal(nextStep(web(world), world.timeMs, VERSION_MAX), undefined);
  assert.equal(nextStep(web(world), world.timeMs + 1, VERSION_MAX)?.kind, "undo");
});

test("who is ready only after ten minutes is given its time [cell.J30]", () => {
  const world = cell();
  start(world, NEW);
  step(world);
  world.timeMs += PROGRESS_MS - 1000;
  settle(world);
  world.timeMs += 1000;
  step(world);
  assert.deepEqual([web(world).update?.phase, runs(world)], ["rolling", "noo"], "It waits, and goes on with nobody");
  world.timeMs += WATCH_MS;
  step(world);
  assert.equal(told(world), "restart restart -");
});

test("growth comes first and surplus is killed last; undo takes both back [cell.J25]", () => {
  const larger = cell();
  start(larger, { ...NEW, count: 5 });
  step(larger);
  assert.deepEqual([larger.state.taskCount, told(larger)], [5, "- - - free free"]);
  schedule(larger);
  assert.equal(runs(larger), "ooonn");
  ask(larger, "updateUndo");
  finish(larger);
  assert.deepEqual([runs(larger), web(larger).count], ["ooo", 3]);
  const smaller = cell();
  start(smaller, { ...NEW, count: 1 });
  round(smaller);
  assert.equal(runs(smaller), "noo");
  finish(smaller);
  assert.deepEqual([runs(smaller), web(smaller).count], ["n", 1]);
  ask(smaller, "updateUndo");
  schedule(smaller);
  finish(smaller);
  assert.equal(runs(smaller), "ooo");
});

test("two updates of a job do not run at once; a new one commits one that is done [D1] [cell.J26]", () => {
  const world = cell();
  start(world, NEW);
  assert.match(start(world, { task: { command: ["node", "third.js"] } }), /is being updated already/);
  assert.equal(start(world, NEW), "ok");
  assert.match(ask(world, "jobResize", { count: 4 }), /is being updated/);
  assert.match(ask(world, "updateCommit"), /is rolling/);
  finish(world);
  assert.equal(start(world, { task: { command: ["node", "third.js"] } }), "ok");
  assert.deepEqual([web(world).generation, web(world).update?.generation, runs(world)], [1, 2, "nnn"]);
  ask(world, "updateUndo");
  assert.match(start(world, NEW), /is being undone/);
});

test("a task that is evicted in the middle comes back with the spec it was told to run [cell.J17] [KU1]", () => {
  const world = cell();
  start(world, NEW);
  round(world);
  assert.equal(runs(world), "noo");
  const instances = [0, 1].map((index) => world.instance(`ubar/web/${index}`));
  world.must(masterOp({ case: "taskEvict", value: { instances, cause: 5 } }));
  settle(world);
  world.restart();
  schedule(world);
  assert.equal(runs(world), "noo");
});

test("quota holds the larger of both specs, by task; in two bands both [cell.J27] [KR3]", () => {
  const world = cell();
  const user = world.state.users.get("ubar" as never)!;
  const cpu = (band: "free" | "batch" | "production"): number => user.charged.get(band)?.cpu ?? 0;
  start(world, { task: { limit: limit(500, GI) }, count: 5 });
  assert.equal(cpu("free"), 3 * 1000 + 2 * 500);
  ask(world, "updateUndo");
  finish(world);
  assert.equal(cpu("free"), 3000);
  start(world, { priority: 120, count: 3 });
  assert.deepEqual([cpu("free"), cpu("production")], [3000, 3000]);
  finish(world);
  ask(world, "updateCommit");
  assert.deepEqual([cpu("free"), cpu("production")], [0, 3000]);
  assert.match(start(world, { priority: 120, count: 13 }), /lacks .* production quota/);
  world.restart();
  ask(world, "jobKill");
  assert.equal(world.state.users.get("ubar" as never)!.charged.get("production")?.cpu ?? 0, 0);
});

test("a job that left a band goes back into it with the quota that it still holds there [cell.J33] [KR3]", () => {
  const world = cell({ priority: 120 });
  start(world, { priority: 100 });
  finish(world);
  const charged = (): readonly (number | undefined)[] =>
    (["batch", "production"] as const).map((band) => world.state.users.get("ubar" as never)!.charged.get(band)?.cpu);
  assert.deepEqual(charged(), [3000, 3000]);
  const quota = { limit: limit(3000, 3 * GI) };
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota } }));
  assert.match(start(world, { priority: 120, count: 4 }), /it asks for 4000, 0 are admitted beside it, and 3000 are granted/);
  assert.equal(start(world, { priority: 120, count: 3 }), "ok");
  assert.deepEqual(charged(), [3000, 3000]);
});

test("a job that is killed while it is updated leaves nothing of the update behind [cell.J26] [KR3]", () => {
  const world = cell();
  start(world, NEW);
  round(world);
  ask(world, "jobKill");
  assert.deepEqual([web(world).update, web(world).state, web(world).kept.length], [undefined, "dead", 1]);
  settle(world);
  assert.deepEqual(web(world).kept, []);
  world.submit("web", { count: 3 });
  schedule(world);
  assert.equal(runs(world), "ooo");
});

test("what an update cannot do is refused in words [cell.J28]", () => {
  const world = cell();
  assert.match(start(world, { count: 2 }, { tasks: [{ first: 0, last: 1 }] }), /cannot change how many/);
  assert.match(start(world, NEW, { tasks: [{ first: 2, last: 3 }] }), /no range of them/);
  assert.match(start(world, { startAfter: "ubar/other" }), /cannot change startAfter/);
  assert.match(ask(world, "updateUndo"), /not being updated/);
  assert.match(ask(world, "updatePause", { paused: true }), /not being updated/);
  assert.match(world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("none") } })), /does not exist: submit it/);
  assert.deepEqual(start(world, {}), "ok");
  assert.equal(web(world).update, undefined);
  world.submitAllocs("set");
  assert.match(world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("set") } })), /is an alloc set/);
  ask(world, "jobKill");
  assert.match(start(world, NEW), /is dead/);
});
