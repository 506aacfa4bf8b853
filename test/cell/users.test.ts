import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { eventText } from "../../src/borgmaster/api/event-text.ts";
import { applyEntry, newState } from "../../src/cell/cell.ts";
import { encodeCheckpoint } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { makeEntry, schedulerOp, userOp } from "../../src/cell/op.ts";
import { REQUEST_KEEP_MS, REQUESTS_MAX, REQUESTS_SURE } from "../../src/cell/ops/requests.ts";
import { isTokenValid, TOKENS_MAX } from "../../src/cell/ops/tokens.ts";
import { Touched } from "../../src/cell/touched.ts";
import { HOST_MOUNT_UNUSED, SLACK_GRANTED, VERSION_MAX } from "../../src/cell/version.ts";
import { Capability, OfferModule, Reclamation, Role, type UserGrantSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { clause, GI, jobSpec, limit, type OpBody, World } from "./world.ts";

const cell = (): World => new World().init().machine("m1").machine("m2");

test("before cellInit all else is refused, after it cellInit is [cell.E2]", () => {
  const world = new World();
  assert.equal(world.submit("web"), "The cell does not exist yet: its first op is cellInit");
  world.init();
  assert.equal(world.say(world.master({ case: "cellInit", value: { cell: "cc", owner: "admin" } })), "The cell exists already");
});

test("entries follow each other, and time never runs back [cell.E1]", () => {
  const world = cell();
  world.timeMs = 5_000_000;
  world.submit("a");
  world.timeMs = 1_000;
  world.submit("b");
  assert.equal(world.state.timeMs, 5_000_000);
  assert.equal(world.state.jobs.get("ubar/b" as never)?.submittedMs, 5_000_000);
  assert.throws(() => applyEntry(newState(), 2, makeEntry(0, [])), /Entry 2 does not follow 0/);
});

test("versions go up one at a time; a build that cannot do the next one stops [cell.E4]", () => {
  const world = cell();
  const version = (to: number) => world.master({ case: "cellVersion", value: { version: to } });
  assert.equal(world.say(version(3)), "The cell has version 1: the next one is 2");
  assert.equal(world.say(version(1)), "The cell has version 1: the next one is 2");
  for (let next = 2; next <= VERSION_MAX; next++) assert.equal(world.say(version(next)), "ok");
  assert.throws(() => world.say(version(VERSION_MAX + 1)), /This build cannot do cell version/);
});

test("from version 2 on a grant adds when it says so, and a scheduler's name is its user's [cell.U6] [cell.C12] [KA2]", () => {
  for (const version of [1, 2]) {
    const world = cell();
    if (version === 2) world.must(world.master({ case: "cellVersion", value: { version } }));
    const rolesOf = (): string => [...world.state.users.get("ann" as never)!.roles].sort().join();
    for (const roles of [[Role.USER], [Role.VIEWER]])
      world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles, add: true } }));
    assert.equal(rolesOf(), version === 2 ? `${Role.VIEWER},${Role.USER}` : `${Role.VIEWER}`, "a grant of version 1 sets");
    world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
    assert.equal(rolesOf(), `${Role.USER}`);
    world.must(world.user("admin", { case: "schedulerSet", value: { name: "mine", limits: { priorityMax: 450, user: "ann" } } }));
    const claim = (user: string): string =>
      world.say(schedulerOp("mine", { case: "taskClaims", value: { claims: [{ task: "ann/none/0", place: "m1" }] } }, user));
    assert.equal(claim("ann-x"), version === 2 ? 'Scheduler "mine" is not user "ann-x"\'s' : "ok");
    for (const user of ["", "ann", "admin"]) assert.equal(claim(user), "ok", `in the name of "${user}"`);
  }
});

test("only listed actors may ask, and names are compared whole [cell.U1] [cell.U2] [KA2]", () => {
  const world = cell();
  for (const user of ["ann", "ann-x", "boss"]) world.must(world.user("admin", { case: "userGrant", value: { user, roles: [Role.USER] } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "viewer", roles: [Role.VIEWER] } }));
  world.must(
    world.user("admin", { case: "userGrant", value: { user: "boss", roles: [Role.USER], capabilities: [Capability.MODIFY_ANY_JOB] } }),
  );
  world.must(world.user("ann", { case: "jobSubmit", value: { spec: { ...jobSpec("web"), user: "ann" } } }));
  const kill: OpBody = { case: "jobKill", value: { job: "ann/web" } };
  assert.equal(
    world.say(world.user("ann-x", kill)),
    'User "ann-x" may not ask for jobKill for user "ann": only that user (with the role user) and admins of the cell and the master itself may',
  );
  assert.equal(
    world.say(world.user("viewer", kill)),
    'User "viewer" may not ask for jobKill for user "ann": only that user (with the role user) and admins of the cell and the master itself may',
  );
  assert.equal(
    world.say(world.user("stranger", kill)),
    'User "stranger" may not ask for jobKill for user "ann": only that user (with the role user) and admins of the cell and the master itself may',
  );
  assert.equal(
    world.say(schedulerOp("service", kill)),
    'Scheduler "service" may not ask for jobKill for user "ann": only that user (with the role user) and admins of the cell and the master itself may',
  );
  assert.equal(
    world.say(world.user("ann", { case: "barrier", value: {} })),
    'User "ann" may not ask for barrier: only the master itself may',
  );
  assert.equal(
    world.say(world.user("viewer", { case: "jobSubmit", value: { spec: { ...jobSpec("x"), user: "viewer" } } })),
    'User "viewer" may not ask for jobSubmit for user "viewer": only that user (with the role user) and admins of the cell may',
  );
  assert.equal(world.say(world.user("boss", kill)), "ok");
});

test("the last cell-admin cannot be taken away [cell.U3]", () => {
  const world = cell();
  const grant = (user: string, roles: Role[]) => world.say(world.user("admin", { case: "userGrant", value: { user, roles } }));
  assert.equal(grant("admin", [Role.USER]), 'User "admin" is the last cell-admin: name another one first');
  assert.equal(grant("ubar", [Role.CELL_ADMIN]), "ok");
  assert.equal(grant("admin", [Role.USER]), "ok");
  assert.equal(grant("ubar", []), 'User "admin" may not ask for userGrant: only admins of the cell may');
});

test("a token is a hash of one user's secret, until it ends or is revoked [cell.U5]", () => {
  const world = cell();
  const hash = (n: number): string => n.toString(16).padStart(4, "0").repeat(16);
  const set = (user: string, n: number, untilMs = 0, by = "admin") =>
    world.say(world.user(by, { case: "tokenSet", value: { user, hash: hash(n), label: "laptop", untilMs } }));
  const revoke = (user: string, n: number) =>
    world.say(world.user("admin", { case: "tokenRevoke", value: { user, id: hash(n).slice(0, 12) } }));
  assert.equal(set("ann", 1, 0, "ubar"), 'User "ubar" may not ask for tokenSet: only admins of the cell may');
  assert.equal(set("ann", 1), "ok");
  assert.deepEqual([...world.state.users.get("ann" as never)!.roles], [Role.USER]);
  assert.equal(set("ubar", 1), "The token is in use: make another one");
  assert.match(set("ann", 2, 1), /ended already/);
  assert.match(world.say(world.user("admin", { case: "tokenSet", value: { user: "ann", hash: "secret" } })), /64 lower-case hex digits/);
  for (let n = 2; n <= TOKENS_MAX; n++) assert.equal(set("ann", n), "ok");
  assert.equal(set("ann", 99), 'User "ann" has 50 tokens: revoke one first');
  assert.equal(revoke("ann", 7), "ok");
  assert.match(revoke("ann", 7), /has no token/);
  assert.equal(set("ann", 99), "ok");
  const token = { hash: hash(1), label: "", createdMs: 0, untilMs: 1000 };
  assert.deepEqual(
    [isTokenValid(token, 999), isTokenValid(token, 1000), isTokenValid({ ...token, untilMs: 0 }, 1e15)],
    [true, false, true],
  );
  const copy = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(copy.ok && copy.value.users.get("ann" as never)!.tokens.size === TOKENS_MAX);
});

test("slack memory needs its capability, at a submit and at an update, from version 8 on [cell.U4] [P10]", () => {
  const world = cell();
  const slack = { task: { slackRam: true } };
  for (let version = world.state.version + 1; version < SLACK_GRANTED; version++)
    world.must(world.master({ case: "cellVersion", value: { version } }));
  assert.equal(world.submit("before", slack), "ok");
  world.must(world.master({ case: "cellVersion", value: { version: SLACK_GRANTED } }));
  assert.match(world.submit("after", slack), /capability slack-memory/);
  assert.equal(world.submit("after", {}), "ok");
  const update = world.user("ubar", { case: "updateStart", value: { spec: jobSpec("after", slack) } });
  assert.match(world.say(update), /capability slack-memory/);
  const capabilities = [Capability.SLACK_MEMORY];
  world.must(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER], capabilities } }));
  assert.equal(world.submit("more", slack), "ok");
});

test("disable-reclamation and host volumes need their capabilities [cell.U4] [P10] [R5]", () => {
  const world = cell();
  const volume = { task: { volumes: [{ name: "data" }] } };
  assert.match(world.submit("a", { disableReclamation: true }), /capability disable-reclamation/);
  assert.match(world.submit("b", volume), /capability host-mount/);
  const capabilities = [Capability.DISABLE_RECLAMATION, Capability.HOST_MOUNT];
  world.must(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER], capabilities } }));
  assert.equal(world.submit("a", { disableReclamation: true }), "ok");
  assert.equal(world.submit("b", volume), "ok");
  world.claim("ubar/a/0", "m1");
  const reservations = [{ instance: world.instance("ubar/a/0"), amount: limit(1, 1) }];
  assert.match(
    world.say(world.master({ case: "reservations", value: { machine: "m1", reservations } })),
    /keeps its reservation at the limit/,
  );
});

test("from version 8 on nobody is granted host-mount, and who has it keeps it [cell.U4] [P10]", () => {
  const world = cell();
  const grant = (capabilities: Capability[]): string =>
    world.say(world.user("admin", { case: "userGrant", value: { user: "ubar", roles: [Role.USER], capabilities, add: true } }));
  for (let version = world.state.version + 1; version < HOST_MOUNT_UNUSED; version++)
    world.must(world.master({ case: "cellVersion", value: { version } }));
  assert.equal(grant([Capability.HOST_MOUNT]), "ok");
  world.must(world.master({ case: "cellVersion", value: { version: HOST_MOUNT_UNUSED } }));
  assert.match(grant([Capability.HOST_MOUNT, Capability.SCHEDULE]), /^Capability host-mount allows nothing: leave it out/);
  assert.equal(grant([Capability.SLACK_MEMORY]), "ok");
  assert.deepEqual([...world.state.users.get("ubar" as never)!.capabilities], [Capability.HOST_MOUNT, Capability.SLACK_MEMORY]);
});

test("the event of a grant says what was given and what was taken [cell.U6] [P10]", () => {
  const world = cell();
  for (let version = 2; version <= VERSION_MAX; version++) world.must(world.master({ case: "cellVersion", value: { version } }));
  const grant = (value: Omit<MessageInitShape<typeof UserGrantSchema>, "$typeName" | "user">): string => {
    const op = userOp("admin", "", { case: "userGrant", value: { user: "ann", ...value } });
    const outcome = world.try(op);
    assert.ok(outcome.ok);
    return outcome.events.map((event) => eventText(event, op.actor)).join();
  };
  assert.equal(grant({ roles: [Role.USER], add: true }), "user ann: +user (by admin)");
  assert.equal(grant({ capabilities: [Capability.SLACK_MEMORY], add: true }), "user ann: +slack-memory (by admin)");
  assert.equal(grant({ capabilities: [Capability.SLACK_MEMORY], add: true }), "user ann: nothing new (by admin)");
  assert.equal(
    grant({ roles: [Role.VIEWER, Role.QUOTA_ADMIN], capabilities: [Capability.SCHEDULE], labels: { labels: [] } }),
    "user ann: +viewer +quota-admin +schedule -user -slack-memory labels set (by admin)",
  );
  assert.equal(grant({}), "user ann: -viewer -quota-admin -schedule (by admin)");
});

test("a request id that was done answers its position; for something else it is refused [cell.I1] [cell.I2] [KD3] [U9]", () => {
  const world = cell();
  const op = userOp("ubar", "once", { case: "jobSubmit", value: { spec: jobSpec("web") } });
  assert.ok(world.try(op).ok);
  const position = world.state.position;
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  const again = world.try(op);
  assert.deepEqual(again, { ok: true, answer: { type: "repeated", position }, events: [], touched: new Touched() });
  assert.equal(world.state.jobs.get("ubar/web" as never)?.state, "dead", "a retried submit does not bring a killed job back");
  assert.equal(
    world.say(userOp("ubar", "once", { case: "jobKill", value: { job: "ubar/web" } })),
    'Request id "once" was used for "jobSubmit ubar/web": take a fresh one',
  );
});

test("ids of different users never meet [cell.I1] [KD3]", () => {
  const world = cell();
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  assert.ok(world.try(userOp("ubar", "r1", { case: "jobSubmit", value: { spec: jobSpec("web") } })).ok);
  const other = world.try(userOp("ann", "r1", { case: "jobSubmit", value: { spec: { ...jobSpec("web"), user: "ann", priority: 0 } } }));
  assert.ok(other.ok && other.answer.type === "submitted");
  assert.ok(world.state.jobs.has("ann/web" as never));
});

test("1,000 ids are remembered while they are young, the last 100 whatever the clock says [cell.I3] [KB1] [KD3]", () => {
  const world = cell();
  const kill = (id: string) => world.entry(userOp("ubar", id, { case: "jobKill", value: { job: "ubar/web" } }))[0];
  world.submit("web");
  const ids = Array.from({ length: REQUESTS_MAX + 5 }, (_, i) => `id${i}`);
  for (const id of ids) assert.ok(kill(id)?.ok);
  const requests = () => world.state.users.get("ubar" as never)?.requests ?? assert.fail();
  assert.equal(requests().size, REQUESTS_MAX);
  assert.ok(!requests().has("id0") && requests().has(`id${REQUESTS_MAX + 4}`));
  // A leader's clock that jumps by hours must not make the retry of a moment ago a new request.
  world.timeMs += 10 * REQUEST_KEEP_MS;
  const late = kill(ids.at(-1) as string);
  assert.ok(late?.ok && late.answer.type === "repeated");
  assert.ok(kill("fresh")?.ok);
  assert.equal(requests().size, REQUESTS_SURE);
});

test("a refusal is not remembered: asking again asks anew [cell.I4] [cell.E3]", () => {
  const world = cell();
  const op = userOp("ubar", "r", { case: "jobSubmit", value: { spec: jobSpec("web", { priority: 120 }) } });
  assert.equal(clause(world.say(op)), 'User "ubar" has no production quota');
  world.prodQuota();
  assert.equal(world.say(op), "ok");
});

const quota = (world: World, user: string, band: Band, cpuMilli: number, more = {}): string =>
  world.say(world.user("admin", { case: "quotaSet", value: { user, band, quota: { limit: limit(cpuMilli, 16 * GI), ...more } } }));

test("what exceeds quota is refused at submit, in its band and dimension [cell.Q1] [P4] [P5] [P9]", () => {
  const world = cell();
  quota(world, "ubar", Band.PRODUCTION, 2500);
  assert.equal(world.submit("web", { priority: 120, count: 2 }), "ok");
  assert.equal(clause(world.submit("more", { priority: 200 })), 'User "ubar" lacks 500 millicores of cpu of production quota');
  assert.equal(clause(world.submit("watch", { priority: 360 })), 'User "ubar" has no monitoring quota');
  assert.equal(world.submit("more", { priority: 100 }), "ok");
  assert.equal(
    clause(world.submit("gpu", { priority: 120, task: { limit: { cpuMilli: 1, extras: [{ name: "gpu", amount: 1 }] } } })),
    'User "ubar" lacks 1 gpu of production quota',
  );
  assert.equal(world.submit("ports", { priority: 120, task: { limit: limit(1, 1), ports: ["a", "b"] } }), "ok");
});

test("free needs no quota and may stay pending; a quota that has ended admits nothing new [cell.Q2] [P6] [P7]", () => {
  const world = cell();
  assert.equal(world.submit("huge", { priority: 99, count: 50_000, task: { limit: limit(64_000, 64 * GI) } }), "ok");
  assert.equal(world.state.jobs.get("ubar/huge" as never)?.state, "pending");
  quota(world, "ubar", Band.PRODUCTION, 2000, { untilMs: world.timeMs + 60_000 });
  assert.equal(world.submit("web", { priority: 120 }), "ok");
  world.timeMs += 60_000;
  assert.equal(clause(world.submit("web2", { priority: 120 })), 'The production quota of user "ubar" has ended');
  assert.equal(world.state.jobs.get("ubar/web" as never)?.state, "pending");
  assert.match(quota(world, "ubar", Band.FREE, 1), /Everyone has unlimited free quota/);
});

test("a job that grows is charged for what it becomes, not for what it was as well [cell.Q1] [cell.J6] [KR3]", () => {
  const world = cell();
  const quota = { limit: limit(4000, 8 * GI) };
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota } }));
  const resize = (count: number) => world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/web", count } }));
  assert.equal(world.submit("web", { priority: 120, count: 3, task: { limit: limit(1000, GI) } }), "ok");
  assert.equal(resize(4), "ok");
  assert.match(resize(5), /lacks 1000 millicores of cpu of production quota/);
});

test("lowering quota kills nothing [cell.Q3] [KR3]", () => {
  const world = cell();
  quota(world, "ubar", Band.PRODUCTION, 2000);
  world.submit("web", { priority: 120, count: 2 });
  assert.equal(quota(world, "ubar", Band.PRODUCTION, 0), "ok");
  assert.equal(world.state.jobs.get("ubar/web" as never)?.tasks.length, 2);
  assert.match(world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/web", count: 3 } })), /lacks 3000 millicores/);
  assert.equal(world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/web", count: 1 } })), "ok");
});

test("prod quota sold never exceeds the cell, and can always be lowered [cell.Q4] [P6]", () => {
  const world = cell();
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  assert.equal(quota(world, "ubar", Band.PRODUCTION, 6000), "ok");
  assert.match(quota(world, "ann", Band.MONITORING, 3000), /The cell lacks 1000 millicores of cpu for so much prod quota/);
  assert.match(quota(world, "ann", Band.PRODUCTION, 1, { unlimited: true }), /cannot be unlimited/);
  world.must(
    world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: limit(5000, 8 * GI) } } }),
  );
  world.must(world.user("admin", { case: "machineLeave", value: { machine: "m2" } }));
  world.must(
    world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: limit(4500, 8 * GI) } } }),
  );
  assert.match(quota(world, "ubar", Band.PRODUCTION, 4600), /The cell lacks 100 millicores/);
});

test("a refusal for quota says what is asked for, admitted, granted, missing, and until when [cell.Q7] [P4] [P5]", () => {
  const world = cell();
  const untilMs = 1_924_991_940_000;
  quota(world, "ubar", Band.PRODUCTION, 2500, { untilMs });
  world.submit("web", { priority: 120, count: 2 });
  const help = "submit at priority batch, or let a quota admin say: borg quota set ubar production --cpu 3 --ram 16384MiB --disk 0MiB";
  assert.equal(
    world.submit("more", { priority: 120 }),
    `User "ubar" lacks 500 millicores of cpu of production quota; it asks for 1000, 2000 are admitted beside it, and 2500 are granted until 2030-12-31 23:59 UTC; ${help}`,
  );
  assert.match(
    world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/web", count: 4 } })),
    /it asks for 4000, 0 are admitted beside it, and 2500 are granted until/,
  );
  world.timeMs = untilMs;
  assert.match(world.submit("more", { priority: 120 }), /has ended; it was granted until 2030-12-31 23:59 UTC; submit at priority batch/);
  assert.equal(world.state.jobs.get("ubar/web" as never)?.tasks.length, 2, "what was admitted stays");
});

test("prod quota exceeds the cell only where that is said, from version 4 on [cell.Q4] [P6]", () => {
  const world = cell();
  const sell = (oversell: boolean): string =>
    world.say(
      world.user("admin", {
        case: "quotaSet",
        value: { user: "ubar", band: Band.PRODUCTION, quota: { limit: limit(9000, GI) }, oversell },
      }),
    );
  const words =
    "The cell lacks 1000 millicores of cpu for so much prod quota; 9000 are asked for, 0 granted already, and its machines have 8000; add machines, lower another user's, or say --oversell";
  assert.deepEqual([sell(false), sell(true)], [words, words]);
  for (const version of [2, 3, 4]) world.must(world.master({ case: "cellVersion", value: { version } }));
  assert.deepEqual([sell(false), sell(true)], [words, "ok"]);
});

test("reclamation is chosen by admins, from version 4 on, and another configuration leaves it [cell.E12] [R5] [KA2]", () => {
  const world = cell();
  const choose = (user: string): string =>
    world.say(world.user(user, { case: "reclamationSet", value: { reclamation: Reclamation.AGGRESSIVE } }));
  assert.match(choose("admin"), /reclamation is chosen from version 4 on/);
  for (const version of [2, 3, 4]) world.must(world.master({ case: "cellVersion", value: { version } }));
  assert.match(choose("ubar"), /may not ask for/);
  assert.equal(choose("admin"), "ok");
  world.must(world.user("admin", { case: "cellConfigure", value: { config: { deadJobKeepMs: 5, reclamation: Reclamation.OFF } } }));
  assert.deepEqual([world.state.config.deadJobKeepMs, world.state.config.reclamation], [5, Reclamation.AGGRESSIVE]);
  world.restart();
  assert.equal(world.state.config.reclamation, Reclamation.AGGRESSIVE);
});

test("how room is offered is chosen by admins, from version 8 on; what is not named stays, also when the cell is configured anew [cell.E13] [Z7] [Z9]", () => {
  const world = cell();
  const choose = (
    user: string,
    value: { readonly module?: OfferModule; readonly shortPermille?: number; readonly shortMs?: number },
  ): string => world.say(world.user(user, { case: "offersSet", value }));
  assert.match(choose("admin", { shortPermille: 100 }), /how room is offered is chosen from version 8 on/);
  for (const version of [2, 3, 4, 5, 6, 7, 8]) world.must(world.master({ case: "cellVersion", value: { version } }));
  assert.match(choose("ubar", { shortPermille: 100 }), /may not ask for/);
  assert.match(choose("admin", {}), /^Nothing of how room is offered is to be changed/);
  assert.equal(choose("admin", { module: OfferModule.LOTTERY }), "ok");
  assert.equal(choose("admin", { shortPermille: 100, shortMs: 60_000 }), "ok");
  world.must(world.user("admin", { case: "cellConfigure", value: { config: { deadJobKeepMs: 5, offers: { module: OfferModule.DRF } } } }));
  world.restart();
  const { module, shortPermille, shortMs } = world.state.config.offers ?? {};
  assert.deepEqual([module, shortPermille, shortMs], [OfferModule.LOTTERY, 100, 60_000]);
});

test("a dead job is charged nothing, and a job in an alloc set never is: the alloc is [cell.Q5] [cell.A4]", () => {
  const world = cell();
  quota(world, "ubar", Band.PRODUCTION, 2000);
  world.submit("web", { priority: 120, count: 2 });
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  assert.equal(world.submitAllocs("aset", { priority: 120 }), "ok");
  assert.equal(clause(world.submit("web", { priority: 120 })), 'User "ubar" lacks 1000 millicores of cpu of production quota');
  assert.equal(world.submit("inside", { priority: 120, allocSet: "ubar/aset", count: 3 }), "ok");
  assert.equal(world.submit("x", { allocSet: "ubar/none" }), 'Alloc set "ubar/none" does not exist: submit it first');
});
