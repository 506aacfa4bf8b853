/** `why` is right: the cause is the one that holds, and every suggestion helps when it is followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { imageAround } from "../../src/borgmaster/api/preview.ts";
import { checkJob, whyOf } from "../../src/borgmaster/api/why.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { masterOp } from "../../src/cell/op.ts";
import { NAMED_EXITS, VERSION_MAX } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import type { Explanation } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { AfterFailure, JobSpecSchema, RestartWhen, SchedulingMode, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, jobSpec, limit, World } from "../cell/world.ts";

function cell(machines = 1): World {
  const world = new World().init();
  world.must(masterOp({ case: "cellVersion", value: { version: 2 } }));
  for (let i = 1; i <= machines; i++) world.machine(`m${i}`);
  return world;
}

function why(world: World, name: string, laterMs = 0): Explanation {
  const found = whyOf(world.state, name, world.state.timeMs + laterMs);
  assert.ok(found.ok);
  return found.value;
}

const changes = ({ changes: found }: Explanation): string[] => found.map(({ change }) => change);

test("a scheduler that nobody knows, or that does nothing, is named with the command that starts it [N7] [G2]", () => {
  const world = cell();
  world.submit("web", { scheduler: "mine" });
  assert.equal(
    why(world, "ubar/web").problem,
    'waits for scheduler "mine", which this cell does not know: start it (borg scheduler --name mine) or name another',
  );
  assert.deepEqual(changes(why(world, "ubar/web")), []);
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "mine", limits: { priorityMax: 450 } } }));
  assert.equal(why(world, "ubar/web").problem, "");
  assert.match(
    why(world, "ubar/web", 30_000).problem,
    /^is placed by scheduler "mine" alone, which has let it wait for 30 s: does it run\?/,
  );
});

test("a gang that does not fit says how much of it would, and what helps then [N7] [S14]", () => {
  const world = cell(2);
  world.submit("gang", { count: 3, mode: SchedulingMode.GANG, task: { limit: limit(4000, GI) } });
  const found = why(world, "ubar/gang");
  assert.equal(found.problem, "starts only together with the 2 other pending tasks of its job, and there is room for 2 of 3");
  assert.deepEqual(changes(found), ['let tasks start as they find room: mode = "incremental"', "ask for 2 tasks instead of 3"]);
  const wide = cell(2);
  wide.submit("gang", { count: 3, mode: SchedulingMode.GANG, task: { limit: limit(9000, GI) } });
  assert.deepEqual(changes(why(wide, "ubar/gang")), [], "less of one task would still not place three");
});

test("hard spread: only what would help is suggested [N7] [V2]", () => {
  const world = cell(1);
  world.submit("web", { count: 2, spread: Spread.HARD, task: { limit: limit(1000, GI) } });
  world.claim("ubar/web/0", "m1");
  assert.deepEqual(changes(why(world, "ubar/web/1")), ["let tasks of the job share a machine"]);
});

test("spread over racks: a machine without one is said to have none, and softer spread is suggested as far as it helps [N7] [V2]", () => {
  const small = { count: 2, spread: Spread.RACK, task: { limit: limit(1000, GI) } };
  const none = cell(2).upgraded();
  none.submit("web", small);
  const found = why(none, "ubar/web/0");
  assert.deepEqual(
    found.reasons.map(({ reason }) => reason),
    ["names no rack, and no two tasks of the job may share one"],
  );
  assert.deepEqual(changes(found), ['let tasks of the job share a rack: spread = "hard"']);
  const one = cell(0)
    .upgraded()
    .machine("m1", 4000, 8 * GI, { rack: "r1" })
    .machine("m2", 4000, 8 * GI, { rack: "r1" });
  one.submit("web", small);
  one.claim("ubar/web/0", "m1");
  assert.deepEqual(
    why(one, "ubar/web/1")
      .reasons.map(({ reason }) => reason)
      .sort(),
    ["has a task of the job already", "is in a rack that has a task of the job already"],
  );
  assert.deepEqual(changes(why(one, "ubar/web/1")), ['let tasks of the job share a rack: spread = "hard"']);
  const single = cell(0)
    .upgraded()
    .machine("m1", 4000, 8 * GI, { rack: "r1" });
  single.submit("web", small);
  single.claim("ubar/web/0", "m1");
  assert.deepEqual(changes(why(single, "ubar/web/1")), ["let tasks of the job share a machine"]);
});

test("limits between jobs: both sides say who is in the way, and the one that has the limit is told to lift it [N7] [cell.C13]", () => {
  const small = { task: { limit: limit(100, GI) } };
  const world = cell(1).upgraded();
  world.submit("mill", small);
  world.claim("ubar/mill/0", "m1");
  world.submit("web", { ...small, beside: [{ job: "ubar/mill", max: 0 }] });
  const reasons = (found: Explanation): string[] => found.reasons.map(({ reason }) => reason);
  assert.deepEqual(reasons(why(world, "ubar/web")), ["has more tasks of ubar/mill than the 0 that may be beside it"]);
  assert.ok(changes(why(world, "ubar/web")).includes("let more of ubar/mill be beside it"));
  const other = cell(1).upgraded();
  other.submit("web", { ...small, beside: [{ job: "ubar/mill", max: 0 }] });
  other.claim("ubar/web/0", "m1");
  other.submit("mill", small);
  assert.deepEqual(reasons(why(other, "ubar/mill")), ["has a task of ubar/web, which wants at most 0 of ubar/mill beside it"]);
});

test("a band that the user has no quota for is not suggested, one that it has is [N7] [P5]", () => {
  const filled = (priority: number): World => {
    const full = cell(1);
    full.submit("full", { priority, task: { limit: limit(4000, GI) } });
    full.claim("ubar/full/0", "m1");
    full.submit("web", { priority: 100, task: { limit: limit(4000, GI) } });
    return full;
  };
  const atPriority = (found: World): string[] => changes(why(found, "ubar/web")).filter((change) => change.startsWith("run at priority"));
  assert.deepEqual(atPriority(filled(100)), ["run at priority 101, at the expense of others"]);
  assert.deepEqual(atPriority(filled(119)), [], "production is not ubar's to use");
  assert.deepEqual(atPriority(filled(119).prodQuota()), ["run at priority 120, at the expense of others"]);
});

test("a preempted task says by whom, when and by which rule [N7] [P3] [G5]", () => {
  const world = cell(1).prodQuota();
  world.submit("low", { task: { limit: limit(4000, GI), noticeMs: 1000 } });
  world.claim("ubar/low/0", "m1");
  world.submit("high", { priority: 200, task: { limit: limit(4000, GI) } });
  assert.equal(world.claim("ubar/high/0", "m1", [world.instance("ubar/low/0")]), "ok");
  const rule = "production (priority 200) may take the place of batch (priority 0)";
  const stopping = why(world, "ubar/low/0");
  assert.deepEqual(
    [stopping.state, stopping.summary],
    ["stopping", [`It was preempted on m1 0 s ago by ubar/high/0: ${rule.replace("batch", "free")}.`]],
  );
  world.report("m1", { instance: world.instance("ubar/low/0"), phase: Phase.GONE, run: 1 });
  assert.match(why(world, "ubar/low/0", 7000).summary[0] ?? "", /^It was preempted on m1 7 s ago by ubar\/high\/0: production/);
});

test("a dead task says its cause and why it is not tried again [N7] [U11]", () => {
  const world = cell(1);
  world.submit("once", { restart: { when: RestartWhen.NEVER } });
  world.submit("twice", { restart: { failuresMax: 2 } });
  world.submit("gone");
  for (const name of ["once", "twice"]) {
    world.claim(`ubar/${name}/0`, "m1");
    world.report("m1", { instance: world.instance(`ubar/${name}/0`), phase: Phase.FAILED, run: 2, failures: 2, exitCode: 127 });
  }
  for (let version = world.state.version + 1; version <= NAMED_EXITS; version++)
    world.must(world.master({ case: "cellVersion", value: { version } }));
  world.submit("usage", { restart: { when: RestartWhen.ALWAYS, fatalExits: [64] } });
  world.claim("ubar/usage/0", "m1");
  world.report("m1", {
    instance: world.instance("ubar/usage/0"),
    phase: Phase.FAILED,
    run: 1,
    failures: 1,
    exitCode: 64,
    message: "exit 64",
  });
  assert.equal(why(world, "ubar/usage/0").problem, "has failed with exit 64, which its restart policy takes for final (fatal_exits)");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/gone" } }));
  assert.equal(why(world, "ubar/once/0").problem, "has failed with exit 127: command not found; its restart policy is never");
  assert.match(
    why(world, "ubar/twice/0").problem,
    /^has failed with exit 127: command not found; 2 failed runs are all that failures_max allows$/,
  );
  assert.equal(why(world, "ubar/gone/0").problem, "was killed with its job");
});

test("a pending task in a back-off says the last exit; one that waits for a job names it [N7] [U6]", () => {
  const world = cell(1);
  world.submit("bad");
  world.claim("ubar/bad/0", "m1");
  world.report("m1", { instance: world.instance("ubar/bad/0"), phase: Phase.FAILED, run: 4, failures: 4, exitCode: 3 });
  assert.equal(why(world, "ubar/bad/0").problem, "backs off, next try in 1 s, last exit 3");
  world.submit("later", { startAfter: "ubar/bad" });
  assert.equal(why(world, "ubar/later").problem, "waits for the end of job ubar/bad, which is pending with 1 of 1 tasks not ended");
});

test("a task that runs again after it failed says so, here or elsewhere [N7] [U11]", () => {
  const world = cell(2);
  world.submit("web", { restart: { when: RestartWhen.ALWAYS } });
  world.claim("ubar/web/0", "m1");
  const first = world.instance("ubar/web/0");
  world.report("m1", { instance: first, phase: Phase.RUNNING, run: 1 });
  assert.equal(why(world, "ubar/web").problem, "");
  world.report("m1", { instance: first, phase: Phase.STARTING, run: 1, exitCode: 3, failures: 1, backoffMs: 10 });
  world.report("m1", { instance: first, phase: Phase.RUNNING, run: 2, exitCode: 3, failures: 1 });
  assert.deepEqual([why(world, "ubar/web").state, why(world, "ubar/web").problem], ["running", "has failed before, last exit 3"]);
  world.report("m1", { instance: first, phase: Phase.FAILED, run: 2, exitCode: 3, failures: 2 });
  world.timeMs += 60_000;
  world.claim("ubar/web/0", "m2");
  assert.deepEqual([why(world, "ubar/web").state, why(world, "ubar/web").problem], ["starting", "has failed before, last exit 3"]);
});

test("a crowd of jobs that only wait changes nothing in an answer, and is not read for it [KB1] [N7]", () => {
  const world = cell(2);
  world.submit("big", { task: { command: ["x"], limit: limit(9000, GI) } });
  world.submit("low", { count: 2, task: { command: ["x"], limit: limit(1000, GI) } });
  world.claim("ubar/low/0", "m1");
  const spec = make(JobSpecSchema, jobSpec("new", { count: 2, startAfter: "ubar/big" }));
  const answers = (): unknown[] => [why(world, "ubar/big"), why(world, "ubar/low/0"), checkJob(world.state, "ubar", spec)];
  const before = answers();
  world.must(world.user("admin", { case: "userGrant", value: { user: "crowd", roles: [Role.USER] } }));
  for (let i = 0; i < 50; i++) {
    const other = { ...jobSpec(`crowd${i}`, { count: 20 }), user: "crowd" };
    world.must(world.user("crowd", { case: "jobSubmit", value: { spec: other } }));
  }
  assert.deepEqual(answers(), before);
  const jobs = imageOf(world.state, { jobs: () => true }).records.filter(({ body }) => body.case === "job");
  const around = [...imageAround(world.state, "ubar/big" as never).records].flatMap(({ body }) =>
    body.case === "tasks" ? [`${body.value.job} ${body.value.tasks.length}`] : [],
  );
  assert.deepEqual([jobs.length, around], [52, ["ubar/big 1", "ubar/low 2"]]);
  world.state.taskCount += 10_000_000;
  assert.match(checkJob(world.state, "ubar", spec).refusal, /^The cell would hold \d+ tasks, and \d+ is the most/);
});

test("who can only be in an alloc is told when there is none: the set is gone, or no alloc of it is placed [N7] [A2] [A5]", () => {
  const world = cell();
  world.submitAllocs("room", { limit: limit(1000, GI) });
  world.submit("inside", { allocSet: "ubar/room", task: { limit: limit(500, GI) } });
  assert.equal(
    why(world, "ubar/inside").problem,
    "waits for an alloc of ubar/room, of which none is on a machine yet (borg why ubar/room)",
  );
  assert.equal(world.claim("ubar/room/0", "m1"), "ok");
  const one = why(world, "ubar/inside");
  assert.deepEqual([one.problem, one.inAlloc, one.summary], ["", true, []]);
  world.submit("crowd", { allocSet: "ubar/room", task: { limit: limit(900, GI) } });
  assert.equal(world.claim("ubar/inside/0", world.instance("ubar/room/0")), "ok");
  const none = why(world, "ubar/crowd");
  assert.deepEqual(none.summary, [
    "It can only be in an alloc of ubar/room: more of them (borg scale ubar/room COUNT) or larger ones (borg update FILE) make room.",
  ]);
  assert.deepEqual(
    none.changes.filter(({ priority }) => priority > 0),
    [],
    "nothing inside is above the set",
  );
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/room" } }));
  assert.equal(
    why(world, "ubar/crowd").problem,
    "waits for alloc set ubar/room, which was killed: submit that again, or kill this one (borg kill ubar/crowd)",
  );
});

test("why tells what a job waits for when the one before it failed, and what it was killed with [N7] [U6]", () => {
  const world = cell(1);
  for (let version = 3; version <= VERSION_MAX; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  world.submit("first");
  world.submit("patient", { startAfter: "ubar/first", afterFailure: AfterFailure.WAIT });
  world.submit("strict", { startAfter: "ubar/first", afterFailure: AfterFailure.FAIL });
  assert.match(why(world, "ubar/strict").problem, /^waits for the end of job ubar\/first, .* not ended; if that fails it is killed$/);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/first" } }));
  assert.equal(
    why(world, "ubar/patient").problem,
    "waits for job ubar/first, which did not end well (1 killed): submit that again, or kill this one (borg kill ubar/patient)",
  );
  assert.match(why(world, "ubar/strict").problem, /^was killed with its job, which starts after ubar\/first and fails with it/);
});

test("of a framework's task: the framework chose its machine from an offer, and launches it again or does not [N7] [Z1]", () => {
  const world = cell(2).upgraded();
  const spec = { user: "ubar", name: "fw", role: "*", priority: 100, failoverMs: 60_000 };
  world.must(world.user("ubar", { case: "frameworkSubscribe", value: { spec, id: "", session: 1 } }));
  const none = whyOf(world.state, "ubar/fw");
  assert.ok(!none.ok);
  assert.equal(none.reason, '"ubar/fw" has no tasks now: borg show ubar/fw says what it is');
  const launches = ["a", "b", "c"].map((taskId) => ({ taskId, machine: "m2", task: { command: ["work"], limit: limit(1000, GI) } }));
  world.must(world.user("ubar", { case: "frameworkLaunch", value: { framework: "ubar/fw", session: 1, launches } }));
  const found = why(world, "ubar/fw/0");
  assert.deepEqual(
    [found.problem, found.summary, found.score],
    ["", ["Framework ubar/fw chose m2 from an offer (borg show ubar/fw): no scheduler of the cell placed it."], []],
  );
  const said = (index: number, phase: Phase, exitCode = 0): string =>
    world.report("m2", { instance: world.instance(`ubar/fw/${index}`), phase, run: 1, exitCode });
  assert.equal(said(0, Phase.FAILED, 3), "ok");
  assert.equal(why(world, "ubar/fw/0").problem, "has failed with exit 3: whether it is launched again is its framework's to say");
  assert.equal(said(1, Phase.FINISHED), "ok");
  assert.match(why(world, "ubar/fw/1").problem, /^has finished/);
  world.must(world.user("ubar", { case: "frameworkKill", value: { framework: "ubar/fw", session: 1, taskIds: ["c"] } }));
  assert.match(why(world, "ubar/fw/2").problem, /^was killed by its framework/);
});
