import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../src/cell/cell.ts";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { NAMED_EXITS, VERSION_MAX } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AfterFailure, Operator, RestartWhen, SchedulingMode } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { clause, GI, type JobWish, jobSpec, limit, World } from "./world.ts";

const cell = (): World => new World().init().machine("m1").machine("m2").prodQuota();
const job = (world: World, name: string) => world.state.jobs.get(`ubar/${name}` as never) ?? assert.fail(name);
const states = (world: World, name: string): string =>
  job(world, name)
    .tasks.map((task) => task.state)
    .join(" ");
const kill = (world: World, name: string): string => world.say(world.user("ubar", { case: "jobKill", value: { job: `ubar/${name}` } }));
const resize = (world: World, name: string, count: number): string =>
  world.say(world.user("ubar", { case: "jobResize", value: { job: `ubar/${name}`, count } }));
const forget = (world: World, name: string): string => world.say(world.master({ case: "jobForget", value: { job: `ubar/${name}` } }));

test("a submit makes pending tasks 0..n-1, each with a number that no instance ever had [cell.J1] [U1] [U2] [KT1]", () => {
  const world = cell();
  assert.equal(world.submit("web", { count: 3 }), "ok");
  const numbers = job(world, "web").tasks.map((task) => task.incarnation);
  assert.equal(new Set(numbers).size, 3);
  assert.equal(states(world, "web"), "pending pending pending");
  kill(world, "web");
  world.timeMs += 3_600_000;
  assert.equal(forget(world, "web"), "ok");
  world.submit("web", { count: 3 });
  for (const task of job(world, "web").tasks) assert.ok(!numbers.includes(task.incarnation));
});

test("an equal spec is there already; a different one is refused and says what differs [cell.J2] [D7]", () => {
  const world = cell();
  const submit = (more = {}) => world.try(world.user("ubar", { case: "jobSubmit", value: { spec: jobSpec("web", more) } }));
  assert.ok(submit().ok);
  const again = submit();
  assert.ok(again.ok && again.answer.type === "submitted" && again.answer.already && again.events.length === 0);
  assert.equal(
    world.submit("web", { count: 2 }),
    'Job "ubar/web" is there already and differs in count: borg update FILE changes it, task by task',
  );
  assert.match(world.submit("web", { task: { limit: limit(1000, 2 * GI) } }), /differs in task\.limit\.ramBytes/);
  assert.match(world.submit("web", { task: { environment: [{ key: "A", value: "b" }] } }), /differs in task\.environment/);
  assert.match(world.submitAllocs("web"), /is a job already: take another name/);
});

test("the name of a dead job is free; an instance that still stops blocks its successor [cell.J3] [cell.T2] [KT2]", () => {
  const world = cell();
  world.submit("web", { count: 2 });
  world.claim("ubar/web/0", "m1");
  world.claim("ubar/web/1", "m2");
  const old = world.instance("ubar/web/0");
  kill(world, "web");
  assert.equal(states(world, "web"), "ending ending");
  world.report("m2", { instance: world.instance("ubar/web/1"), phase: Phase.GONE });
  assert.equal(states(world, "web"), "ending dead");
  assert.equal(world.submit("web", { count: 3, priority: 100 }), "ok");
  assert.equal(states(world, "web"), "stopping pending pending");
  assert.equal(world.claim("ubar/web/0", "m2"), 'Task "ubar/web/0" still has an instance that stops');
  world.report("m1", { instance: old, phase: Phase.GONE });
  assert.equal(world.claim("ubar/web/0", "m2"), "ok");
  assert.notEqual(world.instance("ubar/web/0"), old);
});

test("a smaller job of the same name drops the old job's tasks when they are gone [cell.J3]", () => {
  const world = cell();
  world.submit("web", { count: 3 });
  world.claim("ubar/web/2", "m1");
  kill(world, "web");
  world.submit("web", { count: 1 });
  assert.equal(states(world, "web"), "pending dead ending");
  world.report("m1", { instance: world.instance("ubar/web/2"), phase: Phase.GONE });
  assert.equal(states(world, "web"), "pending");
});

test("a job that starts after another is held until that one is dead, however it died [cell.J4] [U6]", () => {
  const world = cell();
  assert.equal(world.submit("second", { startAfter: "ubar/first" }), 'Job "ubar/first" to wait for does not exist: submit it first');
  world.submit("first");
  world.submit("second", { startAfter: "ubar/first" });
  world.submit("third", { startAfter: "ubar/first" });
  assert.ok(job(world, "second").held);
  world.claim("ubar/first/0", "m1");
  kill(world, "third");
  const outcome = world.try(
    world.master({
      case: "machineReport",
      value: { machine: "m1", instances: [{ instance: world.instance("ubar/first/0"), phase: Phase.FINISHED }] },
    }),
  );
  assert.ok(outcome.ok);
  assert.ok(outcome.touched.jobs.has("ubar/second" as never));
  assert.ok(!job(world, "second").held);
  world.submit("fourth", { startAfter: "ubar/first" });
  assert.ok(!job(world, "fourth").held, "what it waits for is dead already");
});

test("kill makes every task dead, keeps instances until they are gone, and is done already for a dead job [cell.J5] [U11] [KD2]", () => {
  const world = cell();
  world.submit("web", { count: 2 });
  world.claim("ubar/web/0", "m1");
  assert.equal(kill(world, "web"), "ok");
  assert.equal(states(world, "web"), "ending dead");
  assert.equal(job(world, "web").state, "dead");
  assert.equal(kill(world, "web"), "ok");
  assert.equal(kill(world, "none"), 'Job "ubar/none" does not exist: borg ls shows those that do');
});

test("resize kills the highest indexes and adds new ones within quota [cell.J6] [KR3]", () => {
  const world = cell();
  world.submit("web", { count: 3, priority: 120, task: { limit: limit(1000, GI) } });
  world.claim("ubar/web/2", "m1");
  assert.equal(resize(world, "web", 1), "ok");
  assert.equal(states(world, "web"), "pending dead ending");
  assert.equal(clause(resize(world, "web", 9)), 'User "ubar" lacks 1000 millicores of cpu of production quota');
  assert.equal(resize(world, "web", 4), "ok");
  assert.equal(states(world, "web"), "pending pending stopping pending");
  assert.equal(resize(world, "web", 0), 'Job "ubar/web" needs at least one task: kill it instead (borg kill ubar/web)');
  world.submit("daemon", { perMachine: true });
  assert.match(resize(world, "daemon", 2), /has one task per machine/);
  world.submit("odd", { count: 4, overrides: [{ first: 3, last: 3, limit: limit(1, 1) }] });
  assert.match(resize(world, "odd", 3), /overrides up to task 3: it cannot shrink to 3/);
  kill(world, "odd");
  assert.match(resize(world, "odd", 5), /is dead/);
});

test("a gang that no transaction could hold is refused at once, when submitted and when resized [cell.J12] [S14]", () => {
  const world = cell();
  const gang = (count: number): JobWish => ({ count, priority: 0, mode: SchedulingMode.GANG, task: { limit: limit(1, 1) } });
  const reason = "A gang has at most 1000 tasks, not 1001: make several jobs of it, or let its tasks start one by one";
  assert.equal(world.submit("large", gang(1001)), reason);
  assert.equal(world.submit("fits", gang(1000)), "ok");
  assert.equal(resize(world, "fits", 1001), reason);
});

test("restart stops what runs and forgets failures and back-off [cell.J7]", () => {
  const world = cell();
  world.submit("web", { count: 3 });
  for (const i of [0, 1]) world.claim(`ubar/web/${i}`, "m1");
  world.report("m1", { instance: world.instance("ubar/web/1"), phase: Phase.FAILED, exitCode: 3 });
  const restart = (tasks: number[]) => world.say(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web", tasks } }));
  assert.ok(world.task("ubar/web/1").notBeforeMs > 0);
  assert.equal(restart([7]), 'Job "ubar/web" has no task 7: it has tasks 0 to 2');
  assert.equal(restart([]), "ok");
  assert.equal(states(world, "web"), "stopping pending pending");
  assert.equal(world.task("ubar/web/0").cause, "restart");
  assert.equal(world.task("ubar/web/1").notBeforeMs, 0);
  assert.equal(world.claim("ubar/web/1", "m2"), "ok");
});

test("an alloc set is not forgotten while a job that would run in it lives, whatever its name was used for meanwhile [cell.J8]", () => {
  const world = cell();
  const inside = 'Alloc set "ubar/aset" has jobs that would run in it: kill those first, or submit the set again';
  world.submitAllocs("aset");
  for (const name of ["web", "db"]) world.submit(name, { allocSet: "ubar/aset", task: { limit: limit(500, GI) } });
  kill(world, "aset");
  world.timeMs += 3_600_000;
  assert.equal(forget(world, "aset"), inside);
  kill(world, "web");
  assert.equal(world.submit("aset", {}), "ok");
  kill(world, "aset");
  world.timeMs += 3_600_000;
  assert.equal(forget(world, "aset"), inside);
  kill(world, "db");
  assert.equal(forget(world, "aset"), "ok");
});

test("forget removes what is dead for long enough and has nothing left [cell.J8]", () => {
  const world = cell();
  world.submit("web");
  assert.equal(forget(world, "web"), 'Job "ubar/web" is not dead: kill it first (borg kill ubar/web)');
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  kill(world, "web");
  assert.equal(forget(world, "web"), 'Job "ubar/web" still has instances that stop: ask again when they are gone');
  world.report("m1", { instance, phase: Phase.GONE });
  assert.equal(forget(world, "web"), 'Job "ubar/web" is kept for 3600000 ms more');
  world.timeMs += 3_600_000;
  assert.equal(forget(world, "web"), "ok");
  assert.ok(!world.state.jobs.has("ubar/web" as never));
});

test("a job runs while a task is placed, and is dead when all are [cell.J9] [U11]", () => {
  const world = cell();
  world.submit("web", { count: 2 });
  assert.equal(job(world, "web").state, "pending");
  world.claim("ubar/web/0", "m1");
  assert.equal(job(world, "web").state, "running");
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FINISHED });
  assert.equal(job(world, "web").state, "pending");
  world.claim("ubar/web/1", "m1");
  world.report("m1", { instance: world.instance("ubar/web/1"), phase: Phase.FINISHED });
  assert.equal(job(world, "web").state, "dead");
});

test("one task per machine: tasks come and go with machines and their attributes [cell.J10]", () => {
  const world = cell();
  const linux = { attribute: "os", operator: Operator.EQUAL, values: ["linux"] };
  world.submit("daemon", { perMachine: true, constraints: [linux], task: { limit: limit(100, GI) } });
  assert.equal(states(world, "daemon"), "");
  world.machine("m3", 4000, 8 * GI, { attributes: [{ key: "os", value: "linux" }] });
  assert.equal(states(world, "daemon"), "pending");
  assert.equal(world.claim("ubar/daemon/0", "m1"), 'Task "ubar/daemon/0" runs only on machine "m3"');
  assert.equal(world.claim("ubar/daemon/0", "m3"), "ok");
  world.machine("m3", 4000, 8 * GI, { attributes: [{ key: "os", value: "plan9" }] });
  assert.equal(states(world, "daemon"), "ending");
  world.machine("m4", 4000, 8 * GI, { attributes: [{ key: "os", value: "linux" }] });
  assert.equal(states(world, "daemon"), "ending pending");
  world.report("m3", { instance: world.instance("ubar/daemon/0"), phase: Phase.GONE });
  world.machine("m3", 4000, 8 * GI, { attributes: [{ key: "os", value: "linux" }] });
  assert.equal(states(world, "daemon"), "pending pending");
  assert.equal(world.task("ubar/daemon/0").pinned, "m3");
  kill(world, "daemon");
  assert.equal(job(world, "daemon").state, "dead");
  world.machine("m5", 4000, 8 * GI, { attributes: [{ key: "os", value: "linux" }] });
  assert.equal(states(world, "daemon"), "dead dead");
});

test("overrides change limits where they cover, in quota and feasibility [cell.J11] [U2] [U3]", () => {
  const world = cell();
  const big = { first: 1, last: 1, limit: limit(5000, GI) };
  assert.equal(world.submit("web", { count: 2, priority: 120, overrides: [big] }), "ok");
  assert.equal(world.state.users.get("ubar" as never)?.charged.get("production")?.cpu, 6000);
  assert.equal(world.claim("ubar/web/1", "m1"), '"m1" lacks 1000 millicores of cpu by limits');
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
});

test("a failure backs off, doubling, and avoids the machine; a long life starts anew [cell.T4] [V5] [KP4]", () => {
  const world = cell();
  world.submit("web");
  const delays: number[] = [];
  for (let i = 0; i < 12; i++) {
    world.timeMs = Math.max(world.timeMs, world.task("ubar/web/0").notBeforeMs);
    assert.equal(world.claim("ubar/web/0", "m1"), "ok");
    world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED });
    delays.push(world.task("ubar/web/0").notBeforeMs - world.timeMs);
  }
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 300000, 300000, 300000]);
  assert.deepEqual(
    world.task("ubar/web/0").past.avoid.map((a) => a.machine),
    ["m1"],
  );
  world.timeMs += 300_000;
  world.claim("ubar/web/0", "m1");
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.RUNNING, run: 1 });
  world.timeMs += 300_000;
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED });
  assert.equal(world.task("ubar/web/0").failures, 1);
});

test("never, or too many failures, makes a failed task dead; never makes a lost one dead [cell.T5] [U11]", () => {
  const world = cell();
  world.submit("once", { restart: { when: RestartWhen.NEVER } });
  world.submit("lost", { restart: { when: RestartWhen.NEVER } });
  world.submit("twice", { restart: { failuresMax: 1 } });
  for (const name of ["once", "lost", "twice"]) world.claim(`ubar/${name}/0`, "m1");
  const fail = (name: string) =>
    world.report("m1", { instance: world.instance(`ubar/${name}/0`), phase: Phase.FAILED, exitCode: 7, message: "boom" });
  fail("once");
  fail("twice");
  assert.equal(states(world, "once"), "dead");
  assert.equal(states(world, "twice"), "pending");
  world.timeMs += 1000;
  world.claim("ubar/twice/0", "m2");
  world.report("m2", { instance: world.instance("ubar/twice/0"), phase: Phase.FAILED });
  assert.equal(states(world, "twice"), "dead");
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(world.master({ case: "taskLost", value: { machine: "m1", instances: [world.instance("ubar/lost/0")] } }));
  assert.equal(states(world, "lost"), "dead");
  assert.equal(world.task("ubar/lost/0").cause, "lost");
});

test("an exit that the policy takes for final makes a task dead, one that others caused does not [cell.T14] [U11]", () => {
  const world = cell();
  for (let version = 2; version <= NAMED_EXITS; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  const ended = (name: string, report: object, restart: object = {}): string => {
    assert.equal(world.submit(name, { restart: { when: RestartWhen.ALWAYS, fatalExits: [64, 78], ...restart } }), "ok");
    world.claim(`ubar/${name}/0`, "m1");
    world.report("m1", { instance: world.instance(`ubar/${name}/0`), phase: Phase.FAILED, run: 1, failures: 1, ...report });
    return `${states(world, name)} ${world.task(`ubar/${name}/0`).cause}`;
  };
  assert.equal(ended("said", { exitCode: 78, message: "exit 78" }), "dead failed");
  assert.equal(ended("bare", { exitCode: 64 }), "dead failed");
  assert.equal(ended("other", { exitCode: 65 }), "pending failed");
  assert.equal(ended("killed", { exitCode: 64, signal: 9 }), "pending failed");
  assert.equal(ended("ill", { exitCode: 64, message: "Restarted: its health check failed 2 times" }), "pending failed");
  assert.equal(ended("unnamed", { exitCode: 64 }, { fatalExits: [] }), "pending failed");
});

test("the exit of the last process stays with the task [cell.T7] [N6]", () => {
  const world = cell();
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED, exitCode: 7, signal: 9, message: "out of memory" });
  assert.deepEqual(world.task("ubar/web/0").past.lastExit, { code: 7, signal: 9, message: "out of memory" });
});

/** Job `first` of two tasks that end so, and those that wait for it. */
function afterwards(ends: readonly Phase[], ...waiting: readonly AfterFailure[]): World {
  const world = cell();
  for (let version = 2; version <= VERSION_MAX; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  const first = (): void => {
    assert.equal(world.submit("first", { count: 2, restart: { when: RestartWhen.NEVER } }), "ok");
    for (const i of [0, 1]) assert.equal(world.claim(`ubar/first/${i}`, "m1"), "ok");
  };
  first();
  for (const [i, afterFailure] of waiting.entries()) assert.equal(world.submit(`w${i}`, { startAfter: "ubar/first", afterFailure }), "ok");
  for (const [i, phase] of ends.entries())
    world.report("m1", { instance: world.instance(`ubar/first/${i}`), phase, ...(phase === Phase.FAILED ? { exitCode: 1 } : {}) });
  return world;
}

const held = (world: World, ...names: string[]): string =>
  names.map((name) => `${job(world, name).state}${job(world, name).held ? " held" : ""}`).join(", ");

test("who starts after a job that fails starts, waits on or is killed, as it says [cell.J31] [U6]", () => {
  const all = [AfterFailure.UNSPECIFIED, AfterFailure.START, AfterFailure.WAIT, AfterFailure.FAIL];
  const names = ["w0", "w1", "w2", "w3"];
  assert.equal(held(afterwards([Phase.FINISHED, Phase.FINISHED], ...all), ...names), "pending, pending, pending, pending");
  const world = afterwards([Phase.FINISHED, Phase.FAILED], ...all);
  assert.equal(held(world, ...names), "pending, pending, pending held, dead");
  assert.equal(world.task("ubar/w3/0").cause, "killed");
  assert.equal(
    world.submit("w4", { startAfter: "ubar/first", afterFailure: AfterFailure.FAIL }),
    'Job "ubar/first" to start after did not end well (1 failed, 1 finished), and after_failure is "fail": run that one again first, or leave after_failure out',
  );
  assert.equal(world.submit("w5", { startAfter: "ubar/first", afterFailure: AfterFailure.WAIT }), "ok");
  assert.equal(held(world, "w5"), "pending held");
  // It is run again, and ends well.
  assert.equal(world.submit("first", { count: 1 }), "ok");
  assert.equal(held(world, "w2", "w5"), "pending held, pending held");
  assert.equal(world.claim("ubar/first/0", "m1"), "ok");
  world.report("m1", { instance: world.instance("ubar/first/0"), phase: Phase.FINISHED });
  assert.equal(held(world, "w2", "w5"), "pending, pending");
  assert.deepEqual(stateViolations(world.state), []);
});

test("a killed job did not end well; who waits on over it waits over its being forgotten, too, and a checkpoint [cell.J31] [U6]", () => {
  const world = afterwards([], AfterFailure.WAIT, AfterFailure.FAIL);
  kill(world, "first");
  assert.equal(held(world, "w0", "w1"), "pending held, dead");
  for (const i of [0, 1]) world.report("m1", { instance: world.instance(`ubar/first/${i}`), phase: Phase.GONE });
  world.must(world.user("ubar", { case: "jobForget", value: { job: "ubar/first" } }));
  assert.equal(held(world, "w0"), "pending held");
  assert.deepEqual(stateViolations(world.state), []);
  const again = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(again.ok && stateHash(again.value) === stateHash(world.state));
  assert.equal(kill(world, "w0"), "ok");
  assert.equal(held(world, "w0"), "dead");
});

/** `first` was made smaller: its surplus is still being killed when the task that is left has finished. */
function shrunk(version: number): World {
  const world = cell();
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  assert.equal(world.submit("first", { count: 2 }), "ok");
  for (const i of [0, 1]) assert.equal(world.claim(`ubar/first/${i}`, "m1"), "ok");
  for (const [i, afterFailure] of [AfterFailure.WAIT, AfterFailure.FAIL].entries())
    assert.equal(world.submit(`w${i}`, { startAfter: "ubar/first", afterFailure }), "ok");
  world.must(world.user("ubar", { case: "jobResize", value: { job: "ubar/first", count: 1 } }));
  world.report("m1", { instance: world.instance("ubar/first/0"), phase: Phase.FINISHED });
  assert.equal(job(world, "first").state, "dead");
  return world;
}

test("a job that was made smaller ended well when the tasks that it wants did, whatever its surplus does [cell.J32] [U6]", () => {
  const world = shrunk(VERSION_MAX);
  assert.equal(held(world, "w0", "w1"), "pending, pending");
  world.report("m1", { instance: world.instance("ubar/first/1"), phase: Phase.GONE });
  assert.equal(held(world, "w0", "w1"), "pending, pending");
  assert.deepEqual(stateViolations(world.state), []);
});

test("who waited in vain for one that was made smaller goes on when the cell has version 8 [cell.J32] [cell.E4]", () => {
  const world = shrunk(7);
  assert.equal(held(world, "w0", "w1"), "pending held, dead");
  world.must(world.master({ case: "cellVersion", value: { version: 8 } }));
  assert.equal(held(world, "w0"), "pending");
  assert.deepEqual(stateViolations(world.state), []);
});

test("a chain of jobs that fail with each other fails at once, however long it is [cell.J31] [U6]", () => {
  const world = afterwards([], AfterFailure.FAIL);
  const last = 290;
  for (let i = 1; i <= last; i++) {
    const spec = jobSpec(`w${i}`, { startAfter: `ubar/w${i - 1}`, afterFailure: AfterFailure.FAIL });
    assert.ok(apply(world.state, world.user("ubar", { case: "jobSubmit", value: { spec } })).ok);
  }
  kill(world, "first");
  for (let i = 0; i <= last; i++) assert.equal(job(world, `w${i}`).state, "dead");
  assert.equal(world.state.waiters.size, 0);
});

test("after_failure needs a job to start after, stays what it is, and is of version 7 [cell.J31] [U6]", () => {
  const world = afterwards([], AfterFailure.WAIT);
  assert.match(world.submit("web", { afterFailure: AfterFailure.WAIT }), /^after_failure says what happens when the job of start_after/);
  const spec = jobSpec("w0", { startAfter: "ubar/first", afterFailure: AfterFailure.FAIL });
  assert.match(world.say(world.user("ubar", { case: "updateStart", value: { spec } })), /^An update cannot change afterFailure of job/);
  const old = cell();
  old.submit("first");
  assert.match(old.submit("web", { startAfter: "ubar/first", afterFailure: AfterFailure.WAIT }), /^Cannot use after_failure yet/);
});
