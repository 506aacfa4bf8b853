/** Controllers in the cell: what the token of one of their tasks is good for, and for how long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { masterOp, userOp } from "../../src/cell/op.ts";
import { CONTROLLERS } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Capability, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { type JobWish, jobSpec, type OpBody, World } from "./world.ts";

const PRIORITY = 120;
const CONTROLLER: JobWish = { priority: PRIORITY, task: { controller: { jobs: ["count-*", "last"] } } };

/** A cell whose controller ubar/count runs on m1. */
class Controlled extends World {
  #last = 0;

  static at(version = CONTROLLERS, wish: JobWish = CONTROLLER): Controlled {
    const world = new Controlled().init().machine("m1").machine("m2");
    for (let next = 2; next <= version; next++) world.must(masterOp({ case: "cellVersion", value: { version: next } }));
    world.prodQuota();
    world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
    assert.equal(world.submit("count", wish), "ok");
    assert.equal(world.claim("ubar/count/0", "m1"), "ok");
    return world;
  }

  get token(): string {
    return this.instance("ubar/count/0");
  }

  by(token: string, body: OpBody, user = "ubar"): string {
    this.#last += 1;
    return this.say(userOp(user, `c${this.#last}`, body, new Uint8Array(), token));
  }

  gives(name: string, wish: JobWish = {}): string {
    return this.by(this.token, { case: "jobSubmit", value: { spec: jobSpec(name, wish) } });
  }

  updates(name: string, wish: JobWish = {}): string {
    return this.by(this.token, { case: "updateStart", value: { spec: jobSpec(name, wish) } });
  }
}

test("a controller submits, changes and ends jobs that were declared, below its own priority [cell.O1] [U15] [P3]", () => {
  const world = Controlled.at();
  assert.equal(world.gives("count-a", { priority: PRIORITY - 1 }), "ok");
  assert.equal(world.gives("last"), "ok");
  assert.equal(world.updates("count-a", { priority: 100 }), "ok");
  for (const name of ["updatePause", "updateUndo"] as const)
    assert.equal(world.by(world.token, { case: name, value: { job: "ubar/count-a" } }), "ok");
  assert.equal(world.by(world.token, { case: "jobResize", value: { job: "ubar/last", count: 2 } }), "ok");
  assert.equal(world.by(world.token, { case: "jobRestart", value: { job: "ubar/last" } }), "ok");
  assert.equal(world.by(world.token, { case: "jobKill", value: { job: "ubar/last" } }), "ok");
  assert.equal(world.by(world.token, { case: "jobForget", value: { job: "ubar/last" } }), "ok");
  assert.equal(world.submit("elsewhere"), "ok", "its user may what it could");
});

test("names are those that were declared, of the same user [cell.O1] [U15] [KA2]", () => {
  const world = Controlled.at();
  const refusal = (target: string): string =>
    `Controller "${world.token}" may not touch job "${target}": it was given "count-*", "last" of user "ubar"; submit it with others`;
  for (const name of ["other", "counts", "last-one", "las"]) assert.equal(world.gives(name), refusal(`ubar/${name}`));
  assert.equal(world.gives("count"), refusal("ubar/count"));
  world.submit("mine");
  assert.equal(world.by(world.token, { case: "jobKill", value: { job: "ubar/mine" } }), refusal("ubar/mine"));
  const foreign = { case: "jobSubmit", value: { spec: { ...jobSpec("count-a"), user: "ann" } } } as const;
  assert.match(world.by(world.token, foreign), /may not ask for jobSubmit for user "ann"/);
  world.must(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.CELL_ADMIN, Role.USER] } }));
  assert.equal(world.by(world.token, foreign), refusal("ann/count-a"), "also where its user may");
});

test("no job of a controller is as high as it is, whoever made it so [cell.O2] [U15] [P3]", () => {
  const world = Controlled.at();
  assert.equal(
    world.gives("count-a", { priority: PRIORITY }),
    `Controller "${world.token}" may not give job "count-a" priority ${PRIORITY}: the highest for its jobs is ${PRIORITY - 1}`,
  );
  assert.equal(world.gives("count-a"), "ok");
  assert.match(world.updates("count-a", { priority: 250 }), / may not give job "count-a" priority 250: /);
  world.submit("count-b", { priority: 200 });
  for (const name of ["jobKill", "jobRestart"] as const)
    assert.match(
      world.by(world.token, { case: name, value: { job: "ubar/count-b" } }),
      /its priority is 200, and the controller's are up to 119$/,
    );
  const bounded = Controlled.at(CONTROLLERS, { priority: PRIORITY, task: { controller: { jobs: ["*"], priorityMax: 110 } } });
  assert.equal(bounded.gives("any", { priority: 110 }), "ok");
  assert.match(bounded.gives("any-more", { priority: 111 }), /the highest for its jobs is 110$/);
});

test("a token ends when its task is stopped, moved or lost, and with its job [cell.O3] [U15] [KA2]", () => {
  const ended = (token: string): string => `The token of "${token}" has ended: its task was stopped, or moved and has another one`;
  const killed = Controlled.at();
  const { token } = killed;
  assert.equal(killed.gives("count-a"), "ok");
  killed.report("m1", { instance: token, phase: Phase.RUNNING, run: 1 });
  killed.must(killed.user("ubar", { case: "jobKill", value: { job: "ubar/count" } }));
  assert.equal(killed.by(token, { case: "jobKill", value: { job: "ubar/count-a" } }), ended(token), "its task still stops");
  killed.report("m1", { instance: token, phase: Phase.GONE, run: 1 });
  killed.must(killed.user("ubar", { case: "jobForget", value: { job: "ubar/count" } }));
  assert.equal(killed.by(token, { case: "jobKill", value: { job: "ubar/count-a" } }), ended(token));
  const lost = Controlled.at();
  const first = lost.token;
  lost.must(lost.master({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  lost.must(lost.master({ case: "taskLost", value: { machine: "m1", instances: [first] } }));
  assert.equal(lost.claim("ubar/count/0", "m2"), "ok");
  assert.equal(lost.by(first, { case: "jobSubmit", value: { spec: jobSpec("count-a") } }), ended(first), "cut off, it may still run");
  assert.equal(lost.gives("count-a"), "ok", "its successor has another");
  assert.equal(lost.by("ubar/none/0:7", { case: "jobKill", value: { job: "ubar/count-a" } }), ended("ubar/none/0:7"));
  lost.claim("ubar/count-a/0", "m2");
  const worker = lost.instance("ubar/count-a/0");
  assert.equal(lost.by(worker, { case: "jobKill", value: { job: "ubar/count-a" } }), ended(worker), "one that is no controller has none");
});

test("a controller makes no controllers, and changes none: not itself either [cell.O4] [U15]", () => {
  const world = Controlled.at(CONTROLLERS, { priority: PRIORITY, task: { controller: { jobs: ["*"] } } });
  const nested: JobWish = { task: { controller: { jobs: ["other"] } }, priority: 110 };
  assert.equal(world.gives("sub", nested), `Controller "${world.token}" may not give job "sub" a token: only users make controllers`);
  assert.equal(world.gives("plain"), "ok");
  assert.match(world.updates("plain", nested), /a token: only users make controllers$/);
  const touch = (job: string): string => world.by(world.token, { case: "jobKill", value: { job } });
  assert.match(touch("ubar/count"), /may not touch job "ubar\/count": that is a controller too/);
  assert.match(world.updates("count", { priority: 100 }), /that is a controller too/);
  world.submit("low", nested);
  assert.match(touch("ubar/low"), /that is a controller too/);
  world.submitAllocs("set");
  assert.match(touch("ubar/set"), /may not touch alloc set "ubar\/set": its token is for jobs$/);
});

test("through its jobs nobody comes to what the controller has not: secrets, volumes, alloc sets [cell.O5] [U15] [KA3]", () => {
  const ref = (name: string) => ({ name, path: `/borg/secrets/${name}` });
  const secret = (name: string): OpBody => ({
    case: "secretSet",
    value: { user: "ubar", name, version: 1, sealed: { keyId: "k", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) } },
  });
  const world = new Controlled().init().machine("m1");
  for (let next = 2; next <= CONTROLLERS; next++) world.must(masterOp({ case: "cellVersion", value: { version: next } }));
  world.prodQuota();
  for (const name of ["db", "bank"]) world.must(world.user("ubar", secret(name)));
  world.must(
    world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER], capabilities: [Capability.DISABLE_RECLAMATION] } }),
  );
  world.submitAllocs("set", { priority: 110 });
  assert.equal(world.submit("count", { ...CONTROLLER, task: { ...CONTROLLER.task, secrets: [ref("db")] } }), "ok");
  assert.equal(world.claim("ubar/count/0", "m1"), "ok");
  assert.equal(world.gives("count-a", { task: { secrets: [ref("db")] } }), "ok");
  assert.match(world.gives("count-b", { task: { secrets: [ref("bank")] } }), /secret "bank", which it has not itself: name it/);
  assert.match(world.updates("count-a", { task: { secrets: [ref("bank")] } }), /secret "bank", which it has not itself/);
  assert.match(world.gives("count-b", { task: { volumes: [{ name: "data" }] } }), /volume "data", which it has not itself/);
  assert.match(world.gives("count-b", { allocSet: "ubar/set" }), /alloc set "ubar\/set": it can give only the one it runs in$/);
  assert.match(world.gives("count-b", { keptDirectory: "ubar/set/0:1" }), /the kept directory of "ubar\/set\/0:1": its user can$/);
  assert.match(world.gives("count-b", { disableReclamation: true }), /its limits as reservations: it has not asked for that itself$/);
});

test("a token is good for jobs alone, whatever its user may [cell.O6] [U15] [KA2]", () => {
  const world = Controlled.at(CONTROLLERS, { priority: PRIORITY, task: { controller: { jobs: ["*"] } } });
  world.must(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.CELL_ADMIN, Role.USER] } }));
  const others: readonly OpBody[] = [
    { case: "userGrant", value: { user: "zed", roles: [Role.CELL_ADMIN] } },
    { case: "tokenSet", value: { user: "ubar", hash: "ab".repeat(32) } },
    { case: "machineDrain", value: { machine: "m1", draining: true } },
    { case: "secretRemove", value: { user: "ubar", name: "db" } },
    { case: "shellOpen", value: { instance: world.token } },
    { case: "allocSetSubmit", value: { spec: { user: "ubar", name: "set", count: 1, limit: { cpuMilli: 1 } } } },
  ];
  for (const body of others)
    assert.equal(
      world.by(world.token, body),
      `Controller "${world.token}" may not ask for ${body.case}: its token is for submitting, changing and ending its jobs`,
    );
});

test("a job that would be a controller says which jobs, and is above them; not before version 6 [cell.O7] [U15]", () => {
  const world = Controlled.at();
  const as = (controller: object, priority = PRIORITY, more: object = {}): string =>
    world.submit("new", { priority, task: { controller: { jobs: ["a"], ...controller }, ...more } });
  assert.equal(as({ jobs: [] }), 'Controller "new" names no jobs: say which, as in jobs = ["new-*"]');
  for (const wrong of ["a b", "a*b", "**", "A", "ubar/a", "-*"])
    assert.equal(as({ jobs: [wrong] }), `Cannot understand "${wrong}" as jobs of a controller: give a name, or how names begin and a *`);
  assert.match(as({}, 0), /^Controller "new" has priority 0, and nothing is below that: /);
  assert.match(
    as({ priorityMax: PRIORITY }),
    /^Controller "new" has priority 120, and its jobs may have up to 120: its own must be higher$/,
  );
  assert.equal(as({ jobs: ["*", "a-*", "a"] }), "ok");
  const early = new World().init();
  for (let next = 2; next < CONTROLLERS; next++) early.must(masterOp({ case: "cellVersion", value: { version: next } }));
  assert.equal(early.submit("new", CONTROLLER), "Cannot run controllers yet: not all masters of the cell are upgraded");
});
