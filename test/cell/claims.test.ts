import assert from "node:assert/strict";
import { test } from "node:test";
import { schedulerOp } from "../../src/cell/op.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, jobSpec, limit, World } from "./world.ts";

const cell = (): World => new World().init().machine("m1").machine("m2").prodQuota();

test("a claim is refused when the task is placed already, has another incarnation, is held or backs off [cell.C1] [O3]", () => {
  const world = cell();
  world.submit("web", { task: { limit: limit(100, GI) } });
  world.submit("after", { startAfter: "ubar/web" });
  const stale = { ...world.claimOf("ubar/web/0", "m1"), incarnation: 99 };
  const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims: [stale] } }));
  assert.ok(answer.type === "claims" && answer.claims[0]?.ok === false);
  assert.match(answer.claims[0].reason, /has incarnation \d+, not 99/);
  assert.equal(world.claim("ubar/after/0", "m1"), `Job "ubar/after" waits for another job's end`);
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
  assert.equal(world.claim("ubar/web/0", "m1"), 'Task "ubar/web/0" is not pending');
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FAILED });
  assert.equal(world.claim("ubar/web/0", "m1"), 'Task "ubar/web/0" backs off for 1000 ms more');
  world.timeMs += 1000;
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
});

test("coarse detection refuses a machine that changed since the scheduler looked; others of the transaction apply [cell.C2] [O6]", () => {
  const world = cell();
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "coarse", limits: { priorityMax: 450, coarse: true } } }));
  world.submit("web", { count: 4, task: { limit: limit(100, GI) } });
  const plan = [world.claimOf("ubar/web/0", "m1"), world.claimOf("ubar/web/1", "m1"), world.claimOf("ubar/web/2", "m2")];
  world.claim("ubar/web/3", "m2");
  const answer = world.must(schedulerOp("coarse", { case: "taskClaims", value: { claims: plan } }));
  assert.ok(answer.type === "claims");
  assert.deepEqual(
    answer.claims.map((claim) => (claim.ok ? "ok" : claim.reason)),
    ["ok", "ok", 'Machine "m2" changed since the scheduler looked'],
  );
});

test("prod counts on limits, everybody else on reservations [cell.C3] [S13] [KR1]", () => {
  const world = cell();
  world.submit("web", { priority: 120, count: 3, task: { limit: limit(2000, GI) } });
  world.submit("mill", { priority: 100, count: 2, task: { limit: limit(2000, GI) } });
  world.claim("ubar/web/0", "m1");
  world.claim("ubar/web/1", "m1");
  assert.equal(world.claim("ubar/mill/0", "m1"), '"m1" lacks 2000 millicores of cpu by reservations');
  const reservations = [0, 1].map((i) => ({ instance: world.instance(`ubar/web/${i}`), amount: limit(500, GI) }));
  world.must(world.master({ case: "reservations", value: { machine: "m1", reservations } }));
  assert.equal(world.claim("ubar/web/2", "m1"), '"m1" lacks 2000 millicores of cpu by limits');
  assert.equal(world.claim("ubar/mill/0", "m1"), "ok");
});

test("prod that fits by limits takes the room of batch by name, and says who went [cell.C3] [cell.C11] [P3] [S5] [G5]", () => {
  const world = cell();
  world.submit("mill", { priority: 100, count: 2, task: { limit: limit(2000, GI), noticeMs: 7000 } });
  world.submit("web", { priority: 120, task: { limit: limit(3000, GI) }, victimNoticeMs: 2000 });
  for (const i of [0, 1]) world.claim(`ubar/mill/${i}`, "m1");
  const victims = [0, 1].map((i) => world.instance(`ubar/mill/${i}`));
  assert.equal(world.claim("ubar/web/0", "m1"), '"m1" lacks 3000 millicores of cpu by reservations');
  const outcome = world.try(
    schedulerOp("service", { case: "taskClaims", value: { claims: [world.claimOf("ubar/web/0", "m1", victims)] } }),
  );
  assert.ok(outcome.ok);
  const victim = world.task("ubar/mill/0");
  assert.equal(victim.instance?.stop?.noticeMs, 2000);
  assert.equal(victim.state, "stopping");
  assert.equal(victim.cause, "preemption");
  assert.equal(victim.instance?.stop?.preemptor, world.instance("ubar/web/0"));
  assert.equal(world.claim("ubar/mill/0", "m2"), 'Task "ubar/mill/0" still has an instance that stops');
  world.report("m1", { instance: victims[0] as string, phase: Phase.GONE });
  assert.equal(world.claim("ubar/mill/0", "m2"), "ok");
});

test("who may evict whom [cell.C4] [KP1] [P1] [P2] [P3] [O7]", () => {
  const priorities = [0, 99, 100, 119, 120, 359, 360, 450];
  const drawn = priorities.map((claimant) => {
    const verdicts = priorities.map((victim) => {
      const world = new World().init().machine("m1", 1000).machine("big", 9000).prodQuota("ubar");
      world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: 4, quota: { limit: {} } } }));
      const quota = { limit: limit(5000, 8 * GI) };
      world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: 3, quota } }));
      world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: 4, quota } }));
      assert.equal(world.submit("low", { priority: victim, task: { limit: limit(1000, GI) } }), "ok");
      assert.equal(world.submit("high", { priority: claimant, task: { limit: limit(1000, GI) } }), "ok");
      world.claim("ubar/low/0", "m1");
      return world.claim("ubar/high/0", "m1", [world.instance("ubar/low/0")]) === "ok" ? "yes" : "-";
    });
    return [String(claimant).padEnd(5), ...verdicts.map((v) => v.padEnd(4))].join("").trimEnd();
  });
  assert.equal(
    `\n     ${priorities
      .map((p) => String(p).padEnd(4))
      .join("")
      .trimEnd()}\n${drawn.join("\n")}`,
    `
     0   99  100 119 120 359 360 450
0    -   -   -   -   -   -   -   -
99   yes -   -   -   -   -   -   -
100  yes yes -   -   -   -   -   -
119  yes yes yes -   -   -   -   -
120  yes yes yes yes -   -   -   -
359  yes yes yes yes -   -   -   -
360  yes yes yes yes yes yes -   -
450  yes yes yes yes yes yes -   -`,
  );
});

test("a task over its memory limit may be named by any claim, whatever its priority [cell.C4] [R4] [KP1]", () => {
  const world = cell();
  world.submit("web", { priority: 120, task: { limit: limit(4000, GI) } });
  world.submit("mill", { priority: 0, task: { limit: limit(1000, GI) } });
  world.claim("ubar/web/0", "m1");
  const web = world.instance("ubar/web/0");
  assert.equal(world.claim("ubar/mill/0", "m1", [web]), `Priority 0 may not evict "${web}" at priority 120`);
  world.report("m1", { instance: web, phase: Phase.RUNNING, overRam: true });
  assert.equal(world.claim("ubar/mill/0", "m1", [web]), "ok");
});

test("a task evicted while over its memory limit backs off like one that failed [cell.T8] [R4] [KP4]", () => {
  const world = cell();
  world.submit("web", { priority: 120, task: { limit: limit(4000, GI) } });
  world.submit("mill", { priority: 0, task: { limit: limit(1000, GI) } });
  world.claim("ubar/web/0", "m1");
  const web = world.instance("ubar/web/0");
  world.report("m1", { instance: web, phase: Phase.RUNNING, overRam: true });
  world.claim("ubar/mill/0", "m1", [web]);
  world.report("m1", { instance: web, phase: Phase.GONE });
  assert.equal(world.claim("ubar/web/0", "m2"), 'Task "ubar/web/0" backs off for 1000 ms more');
});

test("unneeded victims are spared: the highest priority first, over-ram last [cell.C5] [KP1]", () => {
  const world = cell();
  for (const [name, priority] of [
    ["a", 0],
    ["b", 50],
    ["c", 100],
  ] as const) {
    world.submit(name, { priority, task: { limit: limit(1000, GI) } });
    world.claim(`ubar/${name}/0`, "m1");
  }
  world.submit("web", { priority: 120, task: { limit: limit(2000, GI) } });
  const named = ["a", "b", "c"].map((name) => world.instance(`ubar/${name}/0`));
  world.report("m1", { instance: named[2] as string, phase: Phase.RUNNING, overRam: true });
  const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims: [world.claimOf("ubar/web/0", "m1", named)] } }));
  assert.ok(answer.type === "claims" && answer.claims[0]?.ok);
  assert.deepEqual(answer.claims[0].victims, [named[2]]);
  assert.deepEqual(answer.claims[0].spared, [named[0], named[1]]);
  assert.equal(world.task("ubar/a/0").state, "starting");
});

test("a gang is placed whole or not at all [cell.C6] [O5] [S14] [KS1]", () => {
  const world = cell();
  world.submit("mpi", { count: 3, task: { limit: limit(3000, GI) } });
  const gang = (places: string[]) =>
    world.say(
      schedulerOp("service", {
        case: "taskClaims",
        value: { allOrNothing: true, claims: places.map((place, i) => world.claimOf(`ubar/mpi/${i}`, place)) },
      }),
    );
  assert.equal(gang(["m1", "m2", "m1"]), 'Claim for "ubar/mpi/2": "m1" lacks 2000 millicores of cpu by reservations');
  assert.equal(world.task("ubar/mpi/0").state, "pending");
  world.machine("m3");
  assert.equal(gang(["m1", "m2", "m3"]), "ok");
  assert.equal(world.state.jobs.get("ubar/mpi" as never)?.placed, 3);
});

test("claims of one transaction see each other: the same task, the same room, the same victim [cell.C1] [cell.C3] [O4]", () => {
  const world = cell();
  world.submit("web", { count: 2, task: { limit: limit(3000, GI) } });
  const claims = [world.claimOf("ubar/web/0", "m1"), world.claimOf("ubar/web/0", "m2"), world.claimOf("ubar/web/1", "m1")];
  const answer = world.must(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  assert.ok(answer.type === "claims");
  assert.deepEqual(
    answer.claims.map((c) => (c.ok ? "ok" : c.reason)),
    ["ok", 'Task "ubar/web/0" is not pending', '"m1" lacks 2000 millicores of cpu by reservations'],
  );
});

test("a scheduler keeps to its priorities, its cap and its jobs [cell.C7] [O2]", () => {
  const world = cell();
  const limits = { priorityMin: 100, priorityMax: 119, cap: { ...limit(1500, 9 * GI), diskBytes: GI }, jobsMax: 2 };
  world.must(world.user("admin", { case: "schedulerSet", value: { name: "batch-0", limits } }));
  world.submit("web", { priority: 120 });
  for (const name of ["a", "b", "c"]) world.submit(name, { priority: 100, count: 2, task: { limit: limit(500, GI) } });
  const claim = (task: string) => world.claim(task, "m1", [], "batch-0");
  assert.equal(claim("ubar/web/0"), 'Scheduler "batch-0" may not use priority 120');
  assert.equal(claim("ubar/a/0"), "ok");
  assert.equal(claim("ubar/b/0"), "ok");
  assert.equal(claim("ubar/c/0"), 'Scheduler "batch-0" has tasks of 2 jobs, its most');
  assert.equal(claim("ubar/a/1"), "ok");
  assert.equal(claim("ubar/b/1"), 'Scheduler "batch-0" would be 500 millicores of cpu above its cap');
  assert.equal(
    world.say(schedulerOp("nobody", { case: "taskClaims", value: { claims: [world.claimOf("ubar/b/1", "m1")] } })),
    'Scheduler "nobody" is unknown: set its limits first',
  );
});

test("a machine that is unreachable, draining or over takes no claims [cell.C8] [KR1]", () => {
  const world = cell();
  world.submit("web", { count: 2, task: { limit: limit(2000, GI) } });
  const mark = (reachable: boolean) => world.must(world.master({ case: "machineMark", value: { machine: "m1", reachable } }));
  const drain = (draining: boolean) => world.must(world.user("admin", { case: "machineDrain", value: { machine: "m1", draining } }));
  mark(false);
  assert.equal(world.claim("ubar/web/0", "m1"), 'Machine "m1" is unreachable');
  mark(true);
  drain(true);
  assert.equal(world.claim("ubar/web/0", "m1"), 'Machine "m1" is draining');
  drain(false);
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
  const facts = { capacity: { cpuMilli: 1000, ramBytes: 8 * GI }, portFirst: 20000, portLast: 20009 };
  world.must(world.master({ case: "machineFacts", value: { machine: "m1", facts } }));
  assert.equal(world.claim("ubar/web/1", "m1"), 'Machine "m1" is over its capacity');
  assert.equal(world.claim("ubar/web/1", "nowhere"), 'Place "nowhere" does not exist');
});

test("hard constraints and hard spread are kept, soft ones are not the cell's business [cell.C9] [U5] [V2]", () => {
  const world = cell().machine("m3", 4000, 8 * GI, { attributes: [{ key: "arch", value: "arm64" }], rack: "r1" });
  const arm = { attribute: "arch", operator: Operator.EQUAL, values: ["arm64"] };
  world.submit("arm", { constraints: [arm, { attribute: "rack", operator: Operator.PREFIX, values: ["r"] }] });
  world.submit("soft", { constraints: [{ ...arm, soft: true, weight: 5 }] });
  world.submit("wide", { count: 2, spread: Spread.HARD, task: { limit: limit(100, GI) } });
  assert.equal(world.claim("ubar/arm/0", "m1"), 'Machine "m1" does not meet the constraint arch = arm64');
  assert.equal(world.claim("ubar/arm/0", "m3"), "ok");
  assert.equal(world.claim("ubar/soft/0", "m1"), "ok");
  assert.equal(world.claim("ubar/wide/0", "m1"), "ok");
  assert.equal(world.claim("ubar/wide/1", "m1"), 'Machine "m1" already has a task of job "ubar/wide", which wants no two on one machine');
});

test("no two tasks of a job in one rack or power domain, where it says so; a machine that names none will not do [cell.C9] [V2]", () => {
  const world = cell().upgraded();
  for (const [name, rack, powerDomain] of [
    ["a1", "r1", "p1"],
    ["a2", "r1", "p1"],
    ["b1", "r2", "p1"],
    ["c1", "r3", "p2"],
    ["c2", "r3", "p2"],
  ] as const)
    world.machine(name, 4000, 8 * GI, { rack, powerDomain });
  const small = { count: 4, task: { limit: limit(100, GI) } };
  world.submit("racks", { ...small, spread: Spread.RACK });
  world.submit("power", { ...small, spread: Spread.POWER });
  assert.equal(world.claim("ubar/racks/0", "m1"), 'Machine "m1" names no rack, and no two tasks of the job may share one');
  assert.equal(world.claim("ubar/racks/0", "a1"), "ok");
  const taken = 'Machine "a2" is in rack "r1", which already has a task of job "ubar/racks", which wants no two in one rack';
  assert.equal(world.claim("ubar/racks/1", "a2"), taken);
  assert.equal(world.claim("ubar/racks/1", "a1"), 'Machine "a1" already has a task of job "ubar/racks", which wants no two on one machine');
  assert.equal(world.claim("ubar/racks/1", "b1"), "ok");
  assert.equal(world.claim("ubar/power/0", "a2"), "ok", "another job");
  assert.match(world.claim("ubar/power/1", "b1"), /^Machine "b1" is in power domain "p1", which already has a task of job "ubar\/power"/);
  assert.equal(world.claim("ubar/power/1", "c1"), "ok");
  const both = { claims: [world.claimOf("ubar/racks/2", "c1"), world.claimOf("ubar/racks/3", "c2")], allOrNothing: true };
  const said = world.say(schedulerOp("service", { case: "taskClaims", value: both }));
  assert.match(said, /^Claim for "ubar\/racks\/3": Machine "c2" is in rack "r3"/, "one transaction puts no two in a rack either");
});

test("a machine that moves to another rack evicts nobody, and counts where it is now [cell.C9] [V2]", () => {
  const world = cell()
    .upgraded()
    .machine("a1", 4000, 8 * GI, { rack: "r1" })
    .machine("b1", 4000, 8 * GI, { rack: "r2" });
  world.machine("c1", 4000, 8 * GI, { rack: "r3" });
  world.submit("racks", { count: 3, spread: Spread.RACK, task: { limit: limit(100, GI) } });
  assert.deepEqual([world.claim("ubar/racks/0", "a1"), world.claim("ubar/racks/1", "b1")], ["ok", "ok"]);
  const facts = { capacity: { cpuMilli: 4000, ramBytes: 8 * GI }, portFirst: 20000, portLast: 20009, rack: "r3" };
  for (const machine of ["a1", "b1"]) world.must(world.master({ case: "machineFacts", value: { machine, facts } }));
  assert.deepEqual([world.task("ubar/racks/0").state, world.task("ubar/racks/1").state], ["starting", "starting"]);
  assert.match(world.claim("ubar/racks/2", "c1"), /^Machine "c1" is in rack "r3", which already has a task/);
});

const besideMill = (max: number, user = "ubar") => [{ job: `${user}/mill`, max }];

test("a job says how many of another may be beside it: it is not placed where there are more, nor more of the other where it is [cell.C13] [V2]", () => {
  const world = cell().upgraded();
  const small = { count: 4, task: { limit: limit(100, GI) } };
  world.submit("web", { ...small, beside: besideMill(1) });
  world.submit("mill", small);
  assert.deepEqual([world.claim("ubar/web/0", "m1"), world.claim("ubar/mill/0", "m1")], ["ok", "ok"]);
  assert.equal(world.claim("ubar/mill/1", "m1"), 'Machine "m1" has a task of ubar/web, which wants at most 1 of ubar/mill beside it');
  assert.deepEqual([world.claim("ubar/mill/1", "m2"), world.claim("ubar/mill/2", "m2")], ["ok", "ok"]);
  assert.equal(world.claim("ubar/web/1", "m2"), 'Machine "m2" has more tasks of ubar/mill than the 1 that may be beside it');
  world.restart();
  assert.match(world.claim("ubar/mill/3", "m1"), /which wants at most 1/, "also after a restart");
});

test("one transaction counts what it puts on a machine for limits between jobs, on both sides [cell.C13]", () => {
  const both = (first: string, second: string): string => {
    const world = cell().upgraded();
    world.submit("web", { beside: besideMill(0), task: { limit: limit(100, GI) } });
    world.submit("mill", { task: { limit: limit(100, GI) } });
    const claims = [first, second].map((name) => world.claimOf(`ubar/${name}/0`, "m1"));
    return world.say(schedulerOp("service", { case: "taskClaims", value: { claims, allOrNothing: true } }));
  };
  assert.equal(
    both("web", "mill"),
    'Claim for "ubar/mill/0": Machine "m1" has a task of ubar/web, which wants at most 0 of ubar/mill beside it',
  );
  assert.equal(both("mill", "web"), 'Claim for "ubar/web/0": Machine "m1" has more tasks of ubar/mill than the 0 that may be beside it');
});

test("a limit keeps no stranger's work off a machine: whoever names it restrains only itself [cell.C13]", () => {
  const world = cell().upgraded();
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  const mill = { ...jobSpec("mill", { count: 2, task: { limit: limit(100, GI) } }), user: "ann" };
  world.must(world.user("ann", { case: "jobSubmit", value: { spec: mill } }));
  // She has limits of her own, so that her tasks are asked about limits at all.
  const own = { ...jobSpec("own", { beside: [{ job: "ann/other", max: 0 }] }), user: "ann" };
  world.must(world.user("ann", { case: "jobSubmit", value: { spec: own } }));
  world.submit("web", { count: 2, beside: besideMill(0, "ann"), task: { limit: limit(100, GI) } });
  assert.deepEqual([world.claim("ubar/web/0", "m1"), world.claim("ann/mill/0", "m1"), world.claim("ann/mill/1", "m2")], ["ok", "ok", "ok"]);
  assert.match(world.claim("ubar/web/1", "m2"), /^Machine "m2" has more tasks of ann\/mill/);
});

test("victims make room beside a job too [cell.C13] [KP1]", () => {
  const world = cell().upgraded();
  world.submit("mill", { task: { limit: limit(100, GI) } });
  world.submit("web", { priority: 120, beside: besideMill(0), task: { limit: limit(100, GI) } });
  world.claim("ubar/mill/0", "m1");
  assert.match(world.claim("ubar/web/0", "m1"), /has more tasks of ubar\/mill/);
  assert.equal(world.claim("ubar/web/0", "m1", [world.instance("ubar/mill/0")]), "ok");
});

test("ports are given by number, never twice while held, going round [cell.C10] [U12] [KR2]", () => {
  const world = cell();
  world.submit("web", { count: 4, task: { limit: limit(100, GI), ports: ["http", "admin", "debug", "grpc"] } });
  world.claim("ubar/web/0", "m1");
  world.claim("ubar/web/1", "m1");
  assert.deepEqual(world.task("ubar/web/0").instance?.ports, [20000, 20001, 20002, 20003]);
  assert.deepEqual(world.task("ubar/web/1").instance?.ports, [20004, 20005, 20006, 20007]);
  assert.equal(world.claim("ubar/web/2", "m1"), '"m1" lacks 2 ports by reservations');
  world.report("m1", { instance: world.instance("ubar/web/0"), phase: Phase.FINISHED });
  assert.equal(world.claim("ubar/web/2", "m1"), "ok");
  assert.deepEqual(world.task("ubar/web/2").instance?.ports, [20008, 20009, 20000, 20001]);
});

test("a victim keeps its ports until it is gone [cell.C10] [KR2]", () => {
  const world = cell();
  world.submit("mill", { task: { limit: limit(1000, GI), ports: ["a", "b", "c", "d", "e", "f", "g"] } });
  world.submit("web", { priority: 120, task: { limit: limit(1000, GI), ports: ["a", "b", "c", "d", "e"] } });
  world.claim("ubar/mill/0", "m1");
  const victim = world.instance("ubar/mill/0");
  assert.equal(world.claim("ubar/web/0", "m1", [victim]), '"m1" lacks 2 ports that are not held');
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/mill" } }));
  assert.equal(world.claim("ubar/web/0", "m1"), '"m1" lacks 2 ports by reservations');
  world.report("m1", { instance: victim, phase: Phase.GONE });
  assert.equal(world.claim("ubar/web/0", "m1"), "ok");
});
