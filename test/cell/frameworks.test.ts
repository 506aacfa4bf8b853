/** Frameworks in the cell (Mesos): who leads one, what it launches, what it hears, and how it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { frameworkId, updateUuid, uuidOf } from "../../src/cell/framework.ts";
import { outcomeViolations } from "../../src/cell/invariants-outcome.ts";
import { encodeEntry, makeEntry, masterOp } from "../../src/cell/op.ts";
import { versionProblem } from "../../src/cell/ops/table.ts";
import type { Job, Led, Status } from "../../src/cell/state.ts";
import { FRAMEWORKS } from "../../src/cell/version.ts";
import type { Init } from "../../src/wire/codec.ts";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause, type LaunchSchema, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import type { FrameworkSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, jobSpec, limit, World } from "./world.ts";

function cell(version = FRAMEWORKS): World {
  const world = new World().init().machine("m1").machine("m2");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  return world;
}

type SpecWish = Partial<Init<typeof FrameworkSpecSchema>>;

const FW = "ubar/fw";
const subscribe = (world: World, more: SpecWish = {}, id = "", session = 1, by = "ubar"): string => {
  const spec = { user: "ubar", name: "fw", role: "*", priority: 100, failoverMs: 60_000, ...more };
  return world.say(world.user(by, { case: "frameworkSubscribe", value: { spec, id, session } }));
};
const framework = (world: World, id = FW): Job & { led: Led } => world.state.jobs.get(id as never) as Job & { led: Led };

type LaunchWish = Partial<Init<typeof LaunchSchema>>;

const task = (more: object = {}) => ({ command: ["work"], limit: limit(1000, GI), ...more });

/** What came of each launch: "ok", or its kind and the reason. */
function launch(world: World, launches: readonly LaunchWish[], session = 1): string[] {
  const all = launches.map((each, i) => ({ taskId: `t${i}`, machine: "m1", task: task(), ...each }));
  const answer = world.must(world.user("ubar", { case: "frameworkLaunch", value: { framework: FW, session, launches: all } }));
  assert.ok(answer.type === "launches");
  return answer.launches.map((each) => (each.ok ? "ok" : `${each.kind}: ${each.reason}`));
}

const kill = (world: World, taskIds: string[], session = 1): string =>
  world.say(world.user("ubar", { case: "frameworkKill", value: { framework: FW, session, taskIds } }));
const acknowledge = (world: World, taskId: string, uuid: Uint8Array, session = 1): string => {
  const value = { framework: FW, session, acknowledgements: [{ taskId, uuid }] };
  const outcome = world.try(world.user("ubar", { case: "frameworkAcknowledge", value }));
  return outcome.ok ? outcome.answer.type : outcome.reason;
};
const updates = (world: World, id = `${FW}/0`): readonly Status[] => world.task(id).launched?.updates ?? [];
const heard = (world: World, id = `${FW}/0`): string[] => updates(world, id).map(({ state }) => state);
const report = (world: World, id: string, phase: Phase, more: object = {}): string =>
  world.report(world.task(id).instance?.place.machine.id ?? "", { instance: world.instance(id), phase, ...more });
/** All that is told of a task. */
function acknowledgeAll(world: World, id = `${FW}/0`): void {
  const its = world.task(id);
  while (updates(world, id).length > 0)
    assert.equal(acknowledge(world, its.launched?.taskId ?? "", uuidOf(its, updates(world, id)[0]?.number ?? 0)), "done");
}

test("a framework is a job of its own kind, and its id is the cell's choice: the newest who subscribes with it leads [cell.F1] [Z12]", () => {
  const world = cell();
  assert.equal(subscribe(world, { title: "spark" }), "ok");
  const id = frameworkId(framework(world));
  assert.match(id, /^ubar\.fw\.\d+$/);
  assert.equal(framework(world).state, "pending");
  assert.match(subscribe(world, {}, "", 2), /^Framework "ubar\/fw" is there already: subscribe with its id ubar\.fw\.\d+, /);
  assert.equal(subscribe(world, { title: "spark 2" }, id, 2), "ok");
  assert.equal(framework(world).led.session, 2);
  for (const [field, more] of Object.entries({ role: { role: "eng" }, priority: { priority: 50 }, principal: { principal: "p" } }))
    assert.match(subscribe(world, more, id, 3), new RegExp(`^Framework ${id} has ${field} `));
  assert.match(subscribe(world, {}, `${id}0`, 3), /was torn down, and "ubar\/fw" is another one now/);
  assert.match(subscribe(world, {}, "ubar.other.1", 3), /^Framework "ubar\/other" does not exist/);
  assert.match(subscribe(world, {}, id, 3, "ann"), /^User "ann" may not ask for frameworkSubscribe for user "ubar"/);
  assert.match(subscribe(world, { name: "b", role: "a b" }), /^Cannot take "a b" as a role/);
  assert.equal(world.submit("web"), "ok");
  assert.match(subscribe(world, { name: "web" }), /^"ubar\/web" is a job already: /);
  assert.match(world.submit("fw"), /^"ubar\/fw" is a framework already: /);
  const early = masterOp({ case: "frameworkTeardown", value: { framework: FW } });
  assert.match(versionProblem({ ...world.state, version: 5 }, early) ?? "", /^The cell has version 5: it does this from version 6 on/);
});

test("the judge sees a launch of who does not lead, and a framework in a role that is for others [KF1]", () => {
  const world = cell();
  const spec = { user: "ubar", name: "fw", role: "eng", priority: 100 };
  const came = world.user("ubar", { case: "frameworkSubscribe", value: { spec, session: 1 } });
  const subscribed = world.try(came);
  const value = { framework: FW, session: 1, launches: [{ taskId: "t0", machine: "m1", task: task() }] };
  const launched = world.try(world.user("ubar", { case: "frameworkLaunch", value }));
  const told = world.user("ubar", { case: "frameworkLaunch", value: { ...value, session: 2 } });
  assert.deepEqual(outcomeViolations(world.state, told, launched), [
    { id: "KF1", text: 'Scheduler 2 of "ubar/fw" launched, and 1 leads it' },
  ]);
  world.must(world.user("admin", { case: "roleSet", value: { role: { name: "eng", weight: 1, users: ["ann"] } } }));
  const text = 'Framework "ubar/fw" subscribed in role "eng", which is for ann';
  assert.deepEqual(outcomeViolations(world.state, came, subscribed), [{ id: "KF1", text }]);
});

test("only the newest session launches, kills and acknowledges [cell.F2] [Z12]", () => {
  const world = cell();
  subscribe(world);
  assert.deepEqual(launch(world, [{}]), ["ok"]);
  report(world, `${FW}/0`, Phase.RUNNING);
  assert.equal(subscribe(world, {}, frameworkId(framework(world)), 7), "ok");
  const no = /^Another scheduler of framework "ubar\/fw" has subscribed since/;
  assert.match(kill(world, ["t0"], 1), no);
  assert.match(acknowledge(world, "t0", uuidOf(world.task(`${FW}/0`), 1), 1), no);
  const value = { framework: FW, session: 1, launches: [{ taskId: "x", machine: "m1", task: task() }] };
  assert.match(world.say(world.user("ubar", { case: "frameworkLaunch", value })), no);
  assert.match(world.say(world.user("ubar", { case: "frameworkTeardown", value: { framework: FW, session: 1 } })), no);
  assert.equal(kill(world, ["t0"], 7), "ok");
  assert.deepEqual(heard(world), ["running"], "what one scheduler was not told, the next one is");
});

test("without a scheduler a framework waits for its failover timeout, and is then torn down by the master [cell.F2] [cell.F9]", () => {
  const world = cell();
  subscribe(world);
  launch(world, [{}]);
  const end = (): string => world.say(world.master({ case: "frameworkTeardown", value: { framework: FW } }));
  const gone = (session: number): string => world.say(world.master({ case: "frameworkDisconnect", value: { framework: FW, session } }));
  assert.match(end(), /has a scheduler/);
  assert.equal(gone(9), "ok");
  assert.equal(framework(world).led.disconnectedMs, 0, "of a session that leads no longer there is nothing to say");
  assert.equal(gone(1), "ok");
  world.timeMs += 59_999;
  assert.match(end(), /waits for its scheduler for 1 ms more/);
  assert.equal(subscribe(world, {}, frameworkId(framework(world)), 2), "ok");
  world.timeMs += 10;
  assert.match(end(), /has a scheduler/);
  assert.equal(gone(2), "ok");
  // The clock may be wrong: what has ended does not come back.
  world.must(world.master({ case: "cellClock", value: { toMs: world.timeMs + 7_200_000 } }));
  world.timeMs += 7_200_000;
  assert.match(end(), /waits for its scheduler/);
  world.timeMs += 60_000;
  assert.equal(end(), "ok");
  assert.equal(framework(world).killed, true);
  assert.equal(world.task(`${FW}/0`).state, "ending");
});

test("a launch is judged as a claim, and a refused one leaves nothing behind [cell.F3] [Z1] [KS1]", () => {
  const world = cell();
  subscribe(world);
  const before = stateHash(world.state);
  const refusals = launch(world, [
    { taskId: "big", task: task({ limit: limit(9000, GI) }) },
    { taskId: "away", machine: "m9" },
    { taskId: "none", task: task({ command: [] }) },
    { taskId: "é".repeat(200) },
    { taskId: "port", task: task({ ports: ["http"] }), ports: [80] },
    { taskId: "ports", task: task({ ports: ["http"] }), ports: [20000, 20001] },
  ]);
  assert.match(refusals[0] ?? "", /^lost: "m1" lacks 5000 millicores of cpu by reservations/);
  assert.match(refusals[1] ?? "", /^lost: Place "m9" does not exist/);
  assert.match(refusals[2] ?? "", /^error: A task needs a command/);
  assert.match(refusals[3] ?? "", /^error: A task id has at most 255 bytes/);
  assert.match(refusals[4] ?? "", /^lost: Machine "m1" gives out ports 20000 to 20009, and not 80/);
  assert.match(refusals[5] ?? "", /^error: 2 ports are given for 1 that are named/);
  const users = world.state.users.get("ubar" as never);
  users?.requests.delete([...(users?.requests.keys() ?? [])].at(-1) ?? "");
  assert.equal(stateHash(world.state), before, "nothing but the request is remembered");
  world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining: true } }));
  assert.match(launch(world, [{}])[0] ?? "", /^lost: Machine "m1" is draining/);
  world.must(world.master({ case: "machineMark", value: { machine: "m2", reachable: false } }));
  assert.match(launch(world, [{ machine: "m2" }])[0] ?? "", /^lost: Machine "m2" is unreachable/);
});

test("ports are those that the framework names, once each [cell.F3] [KR2]", () => {
  const world = cell();
  subscribe(world);
  const named = (numbers: number[], more: object = {}) => ({
    task: task({ limit: limit(100, GI / 8), ports: numbers.map((_, i) => `p${i}`) }),
    ports: numbers,
    ...more,
  });
  assert.deepEqual(launch(world, [named([20003, 20001])]), ["ok"]);
  assert.deepEqual(world.task(`${FW}/0`).instance?.ports, [20003, 20001]);
  const any = { task: task({ limit: limit(100, GI / 8), ports: ["http"] }) };
  const answers = launch(world, [
    { taskId: "a", ...named([20001]) },
    { taskId: "b", ...named([20005, 20005]) },
    { taskId: "c", group: 1, ...any },
    { taskId: "d", group: 1, ...named([20000]) },
    { taskId: "e", group: 2, ...named([20007]) },
    { taskId: "f", group: 2, ...named([20007]) },
  ]);
  assert.match(answers[0] ?? "", /^lost: Port 20001 of machine "m1" is held by another task/);
  assert.match(answers[1] ?? "", /^error: A port is given twice/);
  assert.deepEqual(answers.slice(2, 4), ["ok", "ok"], "who names none gets what is left");
  assert.match(answers[5] ?? "", /^lost: Port 20007 of machine "m1" is held by another task/);
});

test("a group is launched whole or not at all [cell.F3] [KF1]", () => {
  const world = cell();
  subscribe(world);
  const answers = launch(world, [
    { taskId: "alone" },
    { taskId: "a", group: 1, task: task({ limit: limit(2000, GI) }) },
    { taskId: "b", group: 1, task: task({ limit: limit(2000, GI) }) },
    { taskId: "c", group: 2, machine: "m2" },
    { taskId: "d", group: 2, machine: "m2" },
  ]);
  assert.match(answers[1] ?? "", /^lost: Task "b" of its group was refused: "m1" lacks 1000 millicores/);
  assert.match(answers[2] ?? "", /^lost: "m1" lacks 1000 millicores/);
  assert.deepEqual([answers[0], answers[3], answers[4]], ["ok", "ok", "ok"]);
  assert.deepEqual(
    framework(world).tasks.map(({ launched }) => launched?.taskId),
    ["alone", "c", "d"],
  );
  const [, c, d] = framework(world).tasks;
  assert.deepEqual([c?.launched?.group, d?.launched?.group], [c?.incarnation, c?.incarnation]);
});

test("tasks of a framework are in its user's quota until they are over, and prod needs prod quota [cell.F4] [KR3]", () => {
  const world = cell();
  const quota = (cpuMilli: number) => ({ limit: { cpuMilli, ramBytes: 64 * GI, diskBytes: GI } });
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.BATCH, quota: quota(2500) } }));
  assert.match(subscribe(world, { priority: 200 }), /^User "ubar" has no production quota/);
  subscribe(world);
  const [first, second, third] = launch(world, [{}, {}, {}]);
  assert.deepEqual([first, second], ["ok", "ok"]);
  assert.match(third ?? "", /^error: User "ubar" lacks 500 millicores of cpu of batch quota/);
  assert.equal(framework(world).charge.cpu, 2000);
  assert.match(world.submit("web", { priority: 100 }), /^User "ubar" lacks 500 millicores/);
  world.restart();
  assert.equal(framework(world).charge.cpu, 2000, "a replica that goes on from a checkpoint charges the same");
  report(world, `${FW}/0`, Phase.FINISHED);
  assert.equal(framework(world).charge.cpu, 1000);
  assert.equal(world.submit("web", { priority: 100 }), "ok");
});

test("equal specs are one object, and what a task was told to run is forgotten when it is over [cell.F4]", () => {
  const world = cell();
  subscribe(world);
  const environment = [{ key: "TOKEN", value: "s3cret" }];
  launch(world, [{ task: task({ environment }) }, { task: task({ environment }) }, { task: task({ command: ["other"] }) }]);
  const [a, b, c] = framework(world).tasks;
  assert.equal(a?.launched?.spec, b?.launched?.spec);
  assert.notEqual(a?.launched?.spec, c?.launched?.spec);
  world.restart();
  assert.equal(framework(world).led.specs.size, 2);
  report(world, `${FW}/0`, Phase.FINISHED);
  acknowledgeAll(world);
  const spec = world.task(`${FW}/0`).launched?.spec.spec;
  assert.deepEqual(spec?.kind === "job" && spec.job.task?.environment, []);
});

const TERMINAL: readonly (readonly [string, (world: World) => unknown, string, string])[] = [
  ["exit 0", (world) => report(world, `${FW}/0`, Phase.FINISHED), "finished", "finished"],
  ["exit 3", (world) => report(world, `${FW}/0`, Phase.FAILED, { exitCode: 3 }), "failed", "failed"],
  ["a kill", (world) => [kill(world, ["t0"]), report(world, `${FW}/0`, Phase.FINISHED)], "killed", "killed"],
  ["gone", (world) => report(world, `${FW}/0`, Phase.GONE), "lost", "gone"],
  ["an eviction", (world) => [evict(world), report(world, `${FW}/0`, Phase.GONE)], "lost", "gone"],
  ["preemption", (world) => [preempt(world), report(world, `${FW}/0`, Phase.GONE)], "lost", "gone"],
  ["loss", (world) => giveUp(world), "lost", "gone"],
  ["its end", (world) => expire(world), "failed", "failed"],
];

const evict = (world: World): unknown =>
  world.must(world.master({ case: "taskEvict", value: { instances: [world.instance(`${FW}/0`)], cause: Cause.OTHER } }));

function preempt(world: World): void {
  world.prodQuota();
  world.submit("web", { priority: 200, task: { limit: limit(4000, GI) } });
  assert.equal(world.claim("ubar/web/0", "m1", [world.instance(`${FW}/0`)]), "ok");
}

function giveUp(world: World): void {
  world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(world.master({ case: "taskLost", value: { machine: "m1", instances: [world.instance(`${FW}/0`)] } }));
}

function expire(world: World): void {
  world.timeMs += 5000;
  world.must(world.master({ case: "taskExpire", value: { tasks: [`${FW}/0`] } }));
  report(world, `${FW}/0`, Phase.GONE);
}

for (const [what, happens, plain, aware] of TERMINAL)
  test(`${what} ends a task of a framework for good, and it hears ${plain}, or ${aware} if it knows partitions [cell.F4] [cell.F7] [Z12]`, () => {
    for (const partitionAware of [false, true]) {
      const world = cell();
      subscribe(world, { partitionAware });
      launch(world, [{ durationMs: 5000 }]);
      report(world, `${FW}/0`, Phase.RUNNING);
      happens(world);
      assert.equal(world.task(`${FW}/0`).state, "dead");
      assert.equal(heard(world).at(-1), partitionAware ? aware : plain);
      world.restart();
      assert.equal(heard(world).at(-1), partitionAware ? aware : plain, "also from a checkpoint");
    }
  });

test("an index and a name are free again when the last update is acknowledged, and not before [cell.F5] [KF1]", () => {
  const world = cell();
  subscribe(world);
  launch(world, [{ taskId: "a" }, { taskId: "b" }]);
  assert.match(launch(world, [{ taskId: "a" }])[0] ?? "", /^error: Task id "a" is in use/);
  report(world, `${FW}/0`, Phase.RUNNING);
  report(world, `${FW}/0`, Phase.FINISHED);
  assert.match(launch(world, [{ taskId: "a" }])[0] ?? "", /^error: Task id "a" is in use/);
  assert.deepEqual(launch(world, [{ taskId: "c", machine: "m2" }]), ["ok"]);
  assert.equal(world.task(`${FW}/2`).launched?.taskId, "c");
  const old = world.task(`${FW}/0`).incarnation;
  acknowledgeAll(world);
  assert.deepEqual(launch(world, [{ taskId: "a" }]), ["ok"]);
  assert.equal(world.task(`${FW}/0`).launched?.taskId, "a");
  assert.ok(world.task(`${FW}/0`).incarnation > old);
  assert.deepEqual(heard(world), []);
});

test("updates are kept in order until they are acknowledged by their uuid, eight at most, and the last word always fits [cell.F6] [Z12] [KF2]", () => {
  const world = cell();
  subscribe(world);
  launch(world, [{ task: task({ ports: ["http"], health: { port: "http", path: "/" } }) }]);
  report(world, `${FW}/0`, Phase.RUNNING);
  for (let i = 0; i < 10; i++)
    report(world, `${FW}/0`, Phase.RUNNING, { health: i % 2 === 0 ? Health.GOOD : Health.BAD, problem: `n${i}` });
  assert.equal(updates(world).length, 8);
  assert.deepEqual([updates(world)[0]?.healthy, updates(world)[7]?.number, updates(world)[7]?.healthy], [undefined, 11, false]);
  report(world, `${FW}/0`, Phase.FAILED, { exitCode: 2 });
  assert.equal(updates(world).length, 8);
  assert.equal(heard(world).at(-1), "failed");
  world.restart();
  const its = world.task(`${FW}/0`);
  assert.equal(acknowledge(world, "t0", new Uint8Array(16).fill(7)), "already");
  assert.equal(acknowledge(world, "t0", uuidOf(its, 2)), "already", "only the one in flight");
  assert.equal(acknowledge(world, "other", uuidOf(its, 1)), "already");
  assert.equal(acknowledge(world, "t0", uuidOf(its, 1)), "done");
  assert.equal(acknowledge(world, "t0", uuidOf(its, 1)), "already");
  assert.deepEqual(
    updates(world).map(({ number }) => number),
    [2, 3, 4, 5, 6, 7, 12],
  );
  acknowledgeAll(world);
  assert.deepEqual([heard(world), framework(world).led.unacknowledged], [[], 0]);
  assert.notDeepEqual(updateUuid("ubar/fw/0:1", 1), updateUuid("ubar/fw/0:1", 2));
});

test("a framework that knows partitions hears of machines that do not answer, and no other does [cell.F7] [Z12]", () => {
  for (const partitionAware of [false, true]) {
    const world = cell();
    subscribe(world, { partitionAware });
    launch(world, [{}]);
    report(world, `${FW}/0`, Phase.RUNNING);
    for (const reachable of [false, true]) world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable } }));
    assert.deepEqual(heard(world), partitionAware ? ["running", "unreachable", "running"] : ["running"]);
  }
});

test("with ten thousand tasks that are over and not acknowledged a framework launches nothing [cell.F8]", () => {
  const world = cell();
  subscribe(world);
  framework(world).led.unacknowledged = 10_000;
  const value = { framework: FW, session: 1, launches: [{ taskId: "a", machine: "m1", task: task() }] };
  // The count is not true, so no invariant is asked.
  const [outcome] = world.bytes(encodeEntry(makeEntry(world.timeMs, [world.user("ubar", { case: "frameworkLaunch", value })])));
  assert.ok(outcome?.ok && outcome.answer.type === "launches");
  const [answer] = outcome.answer.launches;
  assert.match(answer?.ok === false ? answer.reason : "", /^10000 tasks of the framework are over and not acknowledged/);
});

test("torn down, a framework ends with all its tasks, and its name is free when they are gone [cell.F9] [KF2]", () => {
  const world = cell();
  subscribe(world);
  launch(world, [{ taskId: "a" }, { taskId: "b" }]);
  report(world, `${FW}/0`, Phase.FINISHED);
  const id = frameworkId(framework(world));
  assert.equal(world.say(world.user("ubar", { case: "jobKill", value: { job: FW } })), "ok");
  assert.deepEqual(heard(world), []);
  assert.match(launchSaid(world), /^Framework "ubar\/fw" was torn down/);
  assert.match(subscribe(world, {}, "", 5), /^"ubar\/fw" was a framework whose last tasks still stop/);
  assert.match(world.submit("fw"), /^"ubar\/fw" was a framework whose last tasks still stop/);
  assert.match(subscribe(world, {}, id, 5), /was torn down/);
  report(world, `${FW}/1`, Phase.GONE);
  assert.equal(framework(world).state, "dead");
  world.restart();
  assert.equal(subscribe(world, {}, "", 5), "ok");
  assert.notEqual(frameworkId(framework(world)), id);
  assert.deepEqual([framework(world).tasks.length, framework(world).charge.cpu], [0, 0]);
  world.must(world.user("ubar", { case: "frameworkTeardown", value: { framework: FW, session: 5 } }));
  assert.equal(world.submit("fw"), "ok", "a job may have it then");
  assert.equal(world.state.jobs.get(FW as never)?.led, undefined);
});

const launchSaid = (world: World): string =>
  world.say(
    world.user("ubar", {
      case: "frameworkLaunch",
      value: { framework: FW, session: 1, launches: [{ taskId: "x", machine: "m1", task: task() }] },
    }),
  );

test("a role has a weight, a guarantee that the cell can keep beside prod quota, and users [cell.F10] [Z8]", () => {
  const world = cell();
  const role = (more: object, by = "admin"): string =>
    world.say(world.user(by, { case: "roleSet", value: { role: { name: "eng", weight: 2, ...more } } }));
  assert.equal(role({ guarantee: { cpuMilli: 5000 } }), "ok");
  assert.match(role({}, "ubar"), /^User "ubar" may not ask for roleSet/);
  assert.match(
    role({ name: "other", guarantee: { cpuMilli: 4000 } }),
    /^The cell lacks 1000 millicores of cpu for such a guarantee; 4000 are/,
  );
  const prod = (cpuMilli: number): string =>
    world.say(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: { cpuMilli } } } }));
  assert.match(prod(4000), /^The cell lacks 1000 millicores of cpu for so much prod quota/);
  assert.equal(prod(3000), "ok");
  assert.match(role({ guarantee: { cpuMilli: 5001 } }), /^The cell lacks 1 millicores/);
  assert.equal(role({ guarantee: { cpuMilli: 4000 }, users: ["ann"] }), "ok");
  assert.match(subscribe(world, { role: "eng" }), /^Role "eng" is for ann, and not for user "ubar"/);
  assert.equal(subscribe(world, { role: "eng", user: "ann" }, "", 1, "ann"), "ok");
  assert.match(role({ name: "/etc" }), /^Cannot take "\/etc" as a role/);
  world.restart();
  assert.equal(world.state.roles.get("eng")?.weight, 2);
});

test("a framework is not restarted, resized or updated [cell.F11]", () => {
  const world = cell();
  subscribe(world);
  assert.match(
    world.say(world.user("ubar", { case: "jobRestart", value: { job: FW, tasks: [] } })),
    /^"ubar\/fw" is a framework, which restarts/,
  );
  assert.match(
    world.say(world.user("ubar", { case: "jobResize", value: { job: FW, count: 2 } })),
    /^"ubar\/fw" is a framework, which launches/,
  );
  const started = world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("fw"), tasks: [], paused: false } }));
  assert.match(started, /^"ubar\/fw" is a framework, and an update leaves it one/);
});
