/** What cell version 2 switches on: request digests, and a clock that is set ahead. Below it everything is as it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../src/cell/cell.ts";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { CLOCK_GRACE_MS } from "../../src/cell/expiry.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { makeEntry, masterOp, type Op, opFault, unseal, userOp } from "../../src/cell/op.ts";
import { REQUEST_KEEP_MS, REQUESTS_SURE } from "../../src/cell/ops/requests.ts";
import { VERSION_MAX, versionAfter } from "../../src/cell/version.ts";
import { encode } from "../../src/wire/codec.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { OpSchema, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { clause, GI, jobSpec, limit, type OpBody, World } from "./world.ts";

const HOUR_MS = 3_600_000;
const raise = masterOp({ case: "cellVersion", value: { version: 2 } });

function cell(version: 1 | 2): World {
  const world = new World().init().machine("m1");
  if (version === 2) world.must(raise);
  return world;
}

const digest = (n: number): Uint8Array => new Uint8Array(16).fill(n);
const ask = (id: string, n: number, body: OpBody, user = "ubar"): Op => userOp(user, id, body, digest(n));
const resize = (count: number): OpBody => ({ case: "jobResize", value: { job: "ubar/web", count } });

test("the same id with other values is refused; with the same ones it is repeated [cell.I5] [KD3] [D7]", () => {
  const world = cell(2);
  world.submit("web");
  assert.equal(world.say(ask("r", 5, resize(5))), "ok");
  assert.equal(
    world.say(ask("r", 9, resize(9))),
    'Request id "r" was used for something else ("jobResize ubar/web" with other values): take a fresh one',
  );
  assert.equal(world.state.jobs.get("ubar/web" as never)?.count, 5);
  const again = world.try(ask("r", 5, resize(5)));
  assert.ok(again.ok && again.answer.type === "repeated");
  const drain = (draining: boolean): OpBody => ({ case: "machineDrain", value: { machine: "m1", draining } });
  assert.equal(world.say(ask("d", 1, drain(true), "admin")), "ok");
  assert.match(world.say(ask("d", 2, drain(false), "admin")), /something else/);
  const quota = (cpu: number): OpBody => ({
    case: "quotaSet",
    value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: limit(cpu, GI) } },
  });
  assert.equal(world.say(ask("q", 1, quota(1000), "admin")), "ok");
  assert.match(world.say(ask("q", 2, quota(2000), "admin")), /something else/);
});

test("digests are kept by checkpoints; a request without one is told apart as before [cell.I5] [cell.K3]", () => {
  const world = cell(2);
  world.submit("web");
  world.must(ask("r", 5, resize(5)));
  world.must(userOp("ubar", "bare", resize(6)));
  world.restart();
  assert.match(world.say(ask("r", 9, resize(9))), /something else/);
  const bare = world.try(ask("bare", 1, resize(7)));
  assert.ok(bare.ok && bare.answer.type === "repeated");
});

test("ids of different users never meet, with digests or without [cell.I5] [U9]", () => {
  const world = cell(2);
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  const submit = (user: string, n: number): Op => ask("same", n, { case: "jobSubmit", value: { spec: { ...jobSpec("web"), user } } }, user);
  assert.deepEqual(world.must(submit("ubar", 1)), { type: "submitted", already: false });
  assert.deepEqual(world.must(submit("ann", 2)), { type: "submitted", already: false });
  assert.equal(world.must(submit("ann", 2)).type, "repeated");
});

test("below version 2 digests are neither looked at nor kept [cell.I5] [KD4]", () => {
  const [world, plain] = [cell(1), cell(1)];
  for (const each of [world, plain]) each.submit("web");
  world.must(ask("r", 5, resize(5)));
  plain.must(userOp("ubar", "r", resize(5)));
  assert.equal(stateHash(world.state), stateHash(plain.state));
  assert.equal(world.must(ask("r", 9, resize(9))).type, "repeated");
});

test("a digest has 16 bytes or none [KB1] [KB2]", () => {
  const op = userOp("ubar", "r", resize(5), new Uint8Array(15));
  assert.equal(opFault(op), ".requestDigest: Expected 16 bytes or none, found 15");
  const decoded = unseal(encode(OpSchema, userOp("ubar", "r", resize(5), new Uint8Array(17))));
  assert.ok(!decoded.ok);
});

const setClock = (toMs: number): Op => masterOp({ case: "cellClock", value: { toMs } });

test("the clock is set ahead by an op: time goes there, and it is told; only by the master, only ahead, only from version 2 on [cell.E7]", () => {
  const world = cell(2);
  const toMs = world.state.timeMs + 3 * HOUR_MS;
  const outcome = world.try(setClock(toMs));
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.events, [{ kind: "cell.clock", subject: "cc", detail: "set ahead by 10800 s" }]);
  assert.equal(world.state.timeMs, toMs);
  assert.equal(world.say(setClock(toMs)), `Cell time is ${toMs} already`);
  assert.equal(
    world.say(userOp("admin", "c", setClock(toMs + 1).body as never)),
    'User "admin" may not ask for cellClock: only the master itself may',
  );
  assert.equal(cell(1).say(setClock(toMs)), "The cell has version 1: its clock is set from version 2 on");
});

test("after a restore instance numbers go on above what machines know; only the master says so, from version 2 on [cell.E10]", () => {
  const restored = (incarnations: number): Op => masterOp({ case: "cellRestored", value: { incarnations } });
  const world = cell(2);
  const outcome = world.try(restored(500));
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.events.map(({ kind, detail }) => [kind, detail]),
    [["cell.changed", "restored from a backup; what came after it is not known"]],
  );
  assert.equal(world.state.incarnations, 500);
  world.must(restored(3));
  assert.equal(world.state.incarnations, 500, "they never go back");
  assert.equal(
    world.say(userOp("admin", "c", restored(900).body as never)),
    'User "admin" may not ask for cellRestored: only the master itself may',
  );
  assert.equal(cell(1).say(restored(7)), "The cell has version 1: it can be restored from version 2 on");
});

/** A cell with everything that ends by the clock. */
function mortal(): World {
  const world = cell(2);
  const untilMs = world.state.timeMs + HOUR_MS;
  world.must(
    world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.BATCH, quota: { limit: limit(8000, 16 * GI), untilMs } } }),
  );
  world.must(world.user("admin", { case: "tokenSet", value: { user: "ubar", hash: "a".repeat(64), untilMs } }));
  world.submit("old");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/old" } }));
  return world;
}

const forget = masterOp({ case: "jobForget", value: { job: "ubar/old" } });
let tokens = 0;
const newToken = (world: World): string =>
  world.say(world.user("admin", { case: "tokenSet", value: { user: "ubar", hash: String(++tokens).padEnd(64, "b") } }));
const tokensOf = (world: World): number => world.state.users.get("ubar" as never)?.tokens.size ?? 0;

test("for ten minutes after that no quota, token, dead job or request id ends by it; then they do [cell.E7] [cell.I3] [cell.J8] [cell.Q2] [cell.U5]", () => {
  const world = mortal();
  for (let i = 0; i < REQUESTS_SURE + 50; i++) world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/old" } }));
  const kept = world.state.users.get("ubar" as never)?.requests.size;
  world.must(setClock(world.state.timeMs + 3 * HOUR_MS));
  world.restart();
  world.timeMs = world.state.timeMs + CLOCK_GRACE_MS - 1;
  assert.equal(world.submit("a", { priority: 100 }), "ok");
  assert.match(world.say(forget), /is kept for \d+ ms more/);
  assert.equal(newToken(world), "ok");
  assert.equal(tokensOf(world), 2);
  assert.equal(world.state.users.get("ubar" as never)?.requests.size, (kept ?? 0) + 1);
  world.timeMs += 1 + REQUEST_KEEP_MS;
  assert.equal(clause(world.submit("b", { priority: 100 })), 'The batch quota of user "ubar" has ended');
  assert.equal(world.say(forget), "ok");
  assert.equal(newToken(world), "ok");
  assert.equal(tokensOf(world), 2, "the first one had ended");
  assert.equal(world.submit("c", { priority: 0 }), "ok");
  assert.equal(world.state.users.get("ubar" as never)?.requests.size, REQUESTS_SURE);
});

test("while it lasts, what would have ended anyway does; a second step adds to the first [cell.E7]", () => {
  const world = mortal();
  world.must(setClock(world.state.timeMs + 3 * HOUR_MS));
  world.timeMs = world.state.timeMs + CLOCK_GRACE_MS / 2;
  world.must(world.master({ case: "barrier", value: {} }));
  world.must(setClock(world.state.timeMs + 5 * HOUR_MS));
  world.timeMs = world.state.timeMs + CLOCK_GRACE_MS - 1;
  assert.equal(world.submit("a", { priority: 100 }), "ok");
  const late = mortal();
  late.timeMs += HOUR_MS - 1000;
  late.must(late.master({ case: "barrier", value: {} }));
  late.must(setClock(late.state.timeMs + 3 * HOUR_MS));
  late.timeMs = late.state.timeMs + 5000;
  assert.equal(clause(late.submit("a", { priority: 100 })), 'The batch quota of user "ubar" has ended');
});

test("who cannot do a version sees it before the entry is applied [cell.E4] [KD7]", () => {
  const world = cell(1);
  assert.equal(versionAfter(world.state, makeEntry(1, [raise])), 2);
  assert.equal(versionAfter(world.state, makeEntry(1, [raise, masterOp({ case: "cellVersion", value: { version: 3 } })])), 3);
  assert.equal(versionAfter(world.state, makeEntry(1, [masterOp({ case: "cellVersion", value: { version: 3 } })])), 1);
  assert.equal(versionAfter(world.state, makeEntry(1, [userOp("admin", "", raise.body as never)])), 1);
  assert.ok(VERSION_MAX >= 2);
});

test("an op that this build does not know is refused in words [KB2]", () => {
  const world = cell(2);
  const before = stateHash(world.state);
  const unknown = { ...masterOp({ case: "barrier", value: {} }), body: { case: "jobPaint", value: {} } } as unknown as Op;
  assert.deepEqual(apply(world.state, unknown), { ok: false, reason: 'This build does not know the op "jobPaint"' });
  // What a newer build appended: its body is a field that this one has never heard of.
  const bytes = new Uint8Array([...encode(OpSchema, masterOp({ case: "barrier", value: {} })).subarray(0, 4), 0xfa, 0x3e, 0]);
  const decoded = unseal(bytes);
  assert.ok(!decoded.ok && /Cannot understand field number/.test(decoded.reason));
  assert.equal(stateHash(world.state), before);
});

test("between two runs a task backs off, with its last exit and when it is tried again; a run that lives ends that [cell.T9] [U11]", () => {
  const world = cell(2);
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  const task = () => world.state.jobs.get("ubar/web" as never)!.tasks[0]!;
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 1, upMs: 40 });
  assert.equal(task().instance!.faring.runMs, world.state.timeMs - 40);
  const told = { instance: id, phase: Phase.STARTING, run: 1, exitCode: 127, failures: 1, backoffMs: 4000 };
  const outcome = world.try(masterOp({ case: "machineReport", value: { machine: "m1", instances: [told] } }));
  assert.deepEqual(
    [task().state, task().instance!.faring.backOffUntilMs, task().instance!.faring.failures],
    ["running", world.state.timeMs + 4000, 1],
  );
  assert.deepEqual(task().past.lastExit, { code: 127, signal: 0, message: "" });
  assert.equal(outcome.ok && outcome.events.at(-1)?.detail, "backs off, next try in 4 s, last exit 127: command not found");
  assert.deepEqual(stateViolations(world.state), []);
  world.restart();
  assert.equal(task().instance!.faring.failures, 1, "a checkpoint keeps it");
  world.report("m1", { instance: id, phase: Phase.STARTING, run: 1, exitCode: 127, failures: 1 });
  assert.ok(task().instance!.faring.backOffUntilMs > 0, "on its way is not there");
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 2, exitCode: 127, failures: 1, upMs: 3000 });
  assert.deepEqual([task().instance!.faring.backOffUntilMs, task().instance!.faring.runMs], [0, world.state.timeMs - 3000]);
});

test("below version 2 a back-off changes nothing that replicas would not know [cell.T9] [cell.E4]", () => {
  const world = cell(1);
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 1, upMs: 40 });
  const before = stateHash(world.state);
  world.report("m1", { instance: id, phase: Phase.STARTING, run: 1, exitCode: 127, failures: 1, backoffMs: 4000 });
  assert.equal(stateHash(world.state), before);
});

test("where a task's last instance was is kept with it, for its logs [cell.T7] [N6]", () => {
  const world = cell(2);
  world.submit("web", { restart: { when: RestartWhen.NEVER } });
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 1, upMs: 1 });
  world.report("m1", { instance: id, phase: Phase.FAILED, run: 1, exitCode: 3 });
  world.restart();
  const task = world.state.jobs.get("ubar/web" as never)!.tasks[0]!;
  assert.deepEqual([task.state, task.past.last], ["dead", { instance: id, machine: "m1", preemptor: undefined }]);
});

test("the owner of a dead job may have it forgotten before its time, nobody else, and none that is alive [cell.J8] [N9]", () => {
  const forget = (user: string): Op => userOp(user, "", { case: "jobForget", value: { job: "ubar/web" } });
  for (const version of [1, 2] as const) {
    const world = cell(version);
    world.submit("web");
    assert.match(world.say(forget("ubar")), /is not dead/);
    world.must(userOp("ubar", "", { case: "jobKill", value: { job: "ubar/web" } }));
    assert.match(world.say(forget("other")), /may not ask for jobForget/);
    if (version === 1) assert.match(world.say(forget("ubar")), /forgets jobs only by itself/);
    else assert.equal(world.say(forget("ubar")), "ok");
    assert.equal(world.state.jobs.has("ubar/web" as never), version === 1);
  }
});

test("a run that went with its machine is no failure: the cause says so, nothing is counted and no machine avoided [cell.T10] [V1]", () => {
  const world = cell(2);
  world.submit("web");
  world.claim("ubar/web/0", "m1");
  const id = world.instance("ubar/web/0");
  world.report("m1", { instance: id, phase: Phase.RUNNING, run: 1, upMs: 40 });
  const told = { instance: id, phase: Phase.RUNNING, run: 2, upMs: 10, rebooted: true };
  const outcome = world.try(masterOp({ case: "machineReport", value: { machine: "m1", instances: [told] } }));
  assert.equal(outcome.ok && outcome.events.at(-1)?.detail, "run 2 after its machine was restarted");
  const task = world.state.jobs.get("ubar/web" as never)!.tasks[0]!;
  assert.deepEqual(
    [task.state, task.cause, task.failures, task.past.avoid, task.past.lastExit],
    ["running", "machine-restart", 0, [], undefined],
  );
  assert.equal(task.instance!.faring.runMs, world.state.timeMs - 10, "the age is that of the current run");
});

test("failures_max counts failed runs in a row over all machines, and a good run ends the row [cell.T5] [U11]", () => {
  const world = cell(2).machine("m2");
  world.submit("bad", { restart: { failuresMax: 5 } });
  const fail = (machine: string, run: number, failures: number): string => {
    world.timeMs += 10_000;
    assert.equal(world.claim("ubar/bad/0", machine), "ok");
    world.report(machine, { instance: world.instance("ubar/bad/0"), phase: Phase.FAILED, run, failures, exitCode: 1 });
    return world.task("ubar/bad/0").state;
  };
  assert.equal(fail("m1", 4, 4), "pending");
  assert.equal(fail("m2", 3, 2), "pending", "of three runs one went well, so two in a row");
  assert.equal(world.task("ubar/bad/0").past.failedRuns, 2);
  assert.equal(fail("m1", 3, 3), "dead");
});

test("a task whose deadline is over is stopped and counts as failed, pending or not; nobody before [cell.T11] [U10]", () => {
  const world = cell(2);
  world.submit("slow", { deadlineMs: 60_000 });
  world.submit("other", { deadlineMs: 60_000 });
  const expire = (): string =>
    world.say(masterOp({ case: "taskExpire", value: { tasks: ["ubar/slow/0", "ubar/other/0", "ubar/none/3"] } }));
  for (const name of ["slow", "other"]) {
    world.claim(`ubar/${name}/0`, "m1");
    world.report("m1", { instance: world.instance(`ubar/${name}/0`), phase: Phase.RUNNING, run: 1, upMs: 1 });
  }
  world.report("m1", { instance: world.instance("ubar/other/0"), phase: Phase.FAILED, run: 1, failures: 1 });
  world.timeMs += 59_999;
  assert.equal(expire(), "ok");
  assert.deepEqual([world.task("ubar/slow/0").state, world.task("ubar/other/0").state], ["running", "pending"]);
  world.timeMs += 1;
  assert.equal(expire(), "ok");
  assert.deepEqual([world.task("ubar/slow/0").state, world.task("ubar/other/0").state], ["ending", "dead"]);
  world.report("m1", { instance: world.instance("ubar/slow/0"), phase: Phase.GONE, run: 1 });
  const { state, cause, past } = world.task("ubar/slow/0");
  assert.deepEqual([state, cause, past.lastExit?.message], ["dead", "failed", "Its deadline of 60 s after its first start is over"]);
  assert.match(cell(1).say(masterOp({ case: "taskExpire", value: { tasks: ["ubar/slow/0"] } })), /from version 2 on/);
});

test("what waited for a job that failed starts all the same, and is told how it ended [cell.J4] [U6]", () => {
  const world = cell(2);
  world.submit("first", { restart: { when: RestartWhen.NEVER } });
  world.submit("second", { startAfter: "ubar/first" });
  world.claim("ubar/first/0", "m1");
  const failed = { instance: world.instance("ubar/first/0"), phase: Phase.FAILED, run: 1, exitCode: 1 };
  const outcome = world.try(masterOp({ case: "machineReport", value: { machine: "m1", instances: [failed] } }));
  assert.ok(outcome.ok);
  const released = outcome.events.find(({ kind }) => kind === "job.released");
  assert.deepEqual([released?.subject, released?.detail], ["ubar/second", 'Job "ubar/first" has ended (1 failed)']);
  assert.equal(world.claim("ubar/second/0", "m1"), "ok");
});

test("packages, secrets and volumes are refused when they are asked for, not when a task starts [cell.J13] [U10]", () => {
  const volumes = [{ name: "data" }];
  assert.match(cell(2).submit("web", { task: { volumes } }), /^Cannot use "volumes" yet/);
  assert.match(cell(1).submit("web", { task: { volumes } }), /host-mount/);
});

test("whoever becomes a user may submit batch work at once; what was set stays; a refusal says what helps [cell.Q6] [P4] [N9]", () => {
  const world = cell(2);
  const grant = (user: string, roles: Role[]): OpBody => ({ case: "userGrant", value: { user, roles } });
  const token = { user: "tom", hash: "ab".repeat(32) };
  world.must(userOp("admin", "", grant("ann", [Role.USER])));
  world.must(userOp("admin", "", grant("guest", [Role.VIEWER])));
  world.must(userOp("admin", "", { case: "tokenSet", value: token }));
  const quota = (user: string) => world.state.users.get(user as never)!.quotas.get("batch");
  assert.deepEqual([quota("ann")?.unlimited, quota("tom")?.unlimited, quota("guest")], [true, true, undefined]);
  const small = { user: "ann", band: Band.BATCH, quota: { limit: limit(1000, GI) } };
  world.must(userOp("admin", "", { case: "quotaSet", value: small }));
  world.must(userOp("admin", "", grant("ann", [Role.USER, Role.QUOTA_ADMIN])));
  assert.equal(quota("ann")?.unlimited, false);
  const submit = (priority: number, cpu: number): string =>
    world.say(
      userOp("ann", "", {
        case: "jobSubmit",
        value: { spec: { ...jobSpec("web", { priority, task: { limit: limit(cpu, GI) } }), user: "ann" } },
      }),
    );
  assert.equal(
    submit(100, 3000),
    'User "ann" lacks 2000 millicores of cpu of batch quota; it asks for 3000, 0 are admitted beside it, and 1000 are granted; submit at priority free, or let a quota admin say: borg quota set ann batch --unlimited',
  );
  assert.equal(
    submit(200, 3000),
    'User "ann" has no production quota; submit at priority batch, or let a quota admin say: borg quota set ann production --cpu 3 --ram 1024MiB --disk 0MiB',
  );
  const old = cell(1);
  old.must(userOp("admin", "", grant("ann", [Role.USER])));
  assert.equal(old.state.users.get("ann" as never)!.quotas.size, 0);
});

test("a held job waits on, however what is left of its predecessor ends [cell.J4] [cell.T12] [KS5]", () => {
  const world = cell(2);
  world.submit("first");
  world.submit("web", { restart: { when: RestartWhen.NEVER } });
  world.claim("ubar/web/0", "m1");
  const old = world.instance("ubar/web/0");
  world.report("m1", { instance: old, phase: Phase.RUNNING, run: 1, upMs: 1 });
  world.must(userOp("ubar", "", { case: "jobKill", value: { job: "ubar/web" } }));
  assert.equal(world.submit("web", { startAfter: "ubar/first" }), "ok");
  world.report("m1", { instance: old, phase: Phase.FINISHED, run: 1 });
  const job = world.state.jobs.get("ubar/web" as never)!;
  assert.deepEqual([job.state, job.held, world.state.waiters.size], ["pending", true, 1]);
});
