/** Secrets in the cell: whose they are, which version comes next, who may name them, and that nobody is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { feedItem, imageOf } from "../../src/cell/feed.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { masterOp, userOp } from "../../src/cell/op.ts";
import { versionProblem } from "../../src/cell/ops/table.ts";
import { CELL_SECRET_BOUNDS, SECRET_BOUNDS } from "../../src/cell/secret.ts";
import { SECRETS } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { type OpBody, World } from "./world.ts";

function cell(version = SECRETS): World {
  const world = new World().init().machine("m1");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  return world;
}

const MARK = new TextEncoder().encode("ciphertext-canary");
const sealedOf = (more: object = {}) => ({ keyId: "k1", nonce: new Uint8Array(12).fill(7), ciphertext: MARK, ...more });
const body = (name: "secretSet" | "secretReseal", more: object = {}): OpBody =>
  ({ case: name, value: { user: "ubar", name: "db", version: 1, sealed: sealedOf(), ...more } }) as OpBody;
const set = (world: World, more: object = {}, by = "ubar"): string => world.say(world.user(by, body("secretSet", more)));
const remove = (world: World, more: object = {}, by = "ubar"): string =>
  world.say(world.user(by, { case: "secretRemove", value: { user: "ubar", name: "db", ...more } }));
const secretOf = (world: World) => world.state.users.get("ubar" as never)?.secrets.get("db");
const REF = { name: "db", path: "/borg/secrets/db" };

test("a secret is its owner's, and its version rises by one: who encrypted for another is told to do it again [cell.S1] [G14] [KA2]", () => {
  const world = cell();
  assert.equal(set(world, { version: 2 }), 'Secret "db" of user "ubar" was encrypted for version 2, and 1 is next: ask again');
  assert.equal(set(world), "ok");
  assert.equal(set(world), 'Secret "db" of user "ubar" was encrypted for version 1, and 2 is next: ask again');
  assert.equal(set(world, { version: 2, sealed: sealedOf({ keyId: "k2" }) }), "ok");
  assert.deepEqual([secretOf(world)?.version, secretOf(world)?.sealed.keyId], [2, "k2"]);
  assert.match(set(world, { version: 3 }, "ann"), /^User "ann" may not ask for secretSet for user "ubar": only that user/);
  assert.match(remove(world, {}, "ann"), /^User "ann" may not ask for secretRemove for user "ubar": only that user/);
  assert.match(set(world, { user: "zed" }, "admin"), /^User "zed" is unknown: /);
  assert.match(set(world, { version: 3, sealed: sealedOf({ nonce: new Uint8Array(8) }) }), /needs a nonce of 12 bytes/);
  assert.match(set(world, { version: 3, sealed: sealedOf({ ciphertext: new Uint8Array(16) }) }), /cannot be empty/);
  assert.equal(remove(world, { name: "other" }), 'User "ubar" has no secret "other": borg secret ls shows them');
  assert.equal(remove(world), "ok");
  assert.equal(set(world), "ok", "of one that is gone nothing is known");
  assert.deepEqual(stateViolations(world.state), []);
});

test("a retry is known by its digest: the same value is answered as repeated, another is refused [cell.S1] [KD5]", () => {
  const world = cell();
  const digest = (n: number): Uint8Array => new Uint8Array(16).fill(n);
  const again = (version: number, n: number) => userOp("ubar", "r1", body("secretSet", { version }), digest(n));
  assert.equal(world.must(again(1, 1)).type, "done");
  assert.equal(world.must(again(2, 1)).type, "repeated", "it was encrypted for the next version meanwhile");
  assert.match(world.say(again(2, 2)), /^Request id "r1" was used for something else/);
  assert.equal(secretOf(world)?.version, 1);
});

test("what a living job names is not removed, nor what still stops with it [cell.S2] [KG1]", () => {
  const world = cell();
  assert.equal(set(world), "ok");
  assert.equal(world.submit("web", { task: { secrets: [REF] } }), "ok");
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  assert.equal(remove(world), 'Secret "db" is named by job "ubar/web": kill that first');
  world.report("m1", { instance, phase: Phase.RUNNING, run: 1 });
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  world.report("m1", { instance, phase: Phase.GONE, run: 1 });
  assert.equal(remove(world), "ok");
  assert.deepEqual(stateViolations(world.state), []);
});

test("a job names secrets of its own user that are there, each at a place of its own [cell.S3] [U10]", () => {
  const world = cell();
  const submit = (secrets: object[]): string => world.submit("web", { task: { secrets } });
  assert.match(submit([REF]), /^User "ubar" has no secret "db": borg secret set db sets it, from a file or from what is typed$/);
  assert.equal(set(world), "ok");
  for (const path of ["/etc/passwd", "/borg/secrets", "/borg/secrets/a/b", "/borg/secrets/.hidden", "/borg/secretsdb"])
    assert.match(submit([{ ...REF, path }]), /secrets are files of "\/borg\/secrets", as in "\/borg\/secrets\/db"$/, path);
  assert.match(submit([REF, REF]), /^Two secrets would be at "\/borg\/secrets\/db"/);
  const foreign = { user: "ann", name: "x", count: 1, priority: 0, task: { command: ["x"], secrets: [REF] } };
  assert.match(world.say(userOp("ann", "", { case: "jobSubmit", value: { spec: foreign } })), /^User "ann" has no secret "db"/);
  assert.equal(submit([REF, { ...REF, path: "/borg/secrets/again" }]), "ok");
});

test("secrets are counted for their user, admins too, and for the cell [cell.S4] [KB1]", () => {
  const world = cell();
  for (let i = 0; i < SECRET_BOUNDS.secrets; i++) assert.equal(set(world, { name: `s${i}` }), "ok");
  assert.match(set(world), /^User "ubar" has 100 secrets, the most that one can have: remove one/);
  assert.equal(set(world, { name: "s1", version: 2 }), "ok", "one that is there may change");
  const large = sealedOf({ ciphertext: new Uint8Array(65_552) });
  const admin = (n: number): string => set(world, { user: "admin", name: `a${n}`, sealed: large }, "admin");
  for (let i = 0; i < 15; i++) assert.equal(admin(i), "ok");
  assert.match(admin(15), /^The secrets of user "admin" would take \d+ bytes, and 1048576 is the most/);
  const one = secretOf(world) ?? [...world.state.users.get("ubar" as never)!.secrets.values()][0]!;
  for (let u = 0; u < CELL_SECRET_BOUNDS.secrets / SECRET_BOUNDS.secrets - 1; u++) {
    world.must(world.user("admin", { case: "userGrant", value: { user: `u${u}`, roles: [Role.USER] } }));
    // One by one they take long: everything is checked after every op.
    const { secrets } = world.state.users.get(`u${u}` as never)!;
    for (let i = 0; i < SECRET_BOUNDS.secrets; i++) secrets.set(`s${i}`, { ...one, name: `s${i}` });
  }
  assert.match(set(world, { user: "ann" }, "admin"), /^The cell keeps 2015 secrets of \d+ bytes, of 2000 and 20971520 at most/);
});

test("encrypted anew a secret stays what it was, and only admins ask for it [cell.S5] [KA2]", () => {
  const world = cell();
  const reseal = (more: object = {}, by = "admin"): string => world.say(world.user(by, body("secretReseal", more)));
  assert.match(reseal(), /^User "ubar" has no secret "db"/);
  assert.equal(set(world), "ok");
  const before = secretOf(world);
  assert.match(reseal({}, "ubar"), /may not ask for secretReseal/);
  assert.match(reseal({ version: 2 }), /was encrypted for version 2, and 1 is next/);
  assert.match(reseal({ sealed: sealedOf({ ciphertext: new Uint8Array(40) }) }), /has another length/);
  assert.equal(reseal({ sealed: sealedOf({ keyId: "k2" }) }), "ok");
  assert.deepEqual(secretOf(world), { ...before, sealed: { ...before?.sealed, keyId: "k2" } });
});

test("nobody is told of a secret, neither by events nor by the feed nor by an image of the cell [cell.S6] [KA3]", () => {
  const world = cell();
  const told: string[] = [];
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? Buffer.from(each).toString("latin1") : each));
  for (const each of [body("secretSet"), body("secretReseal"), { case: "secretRemove", value: { user: "ubar", name: "db" } } as OpBody]) {
    const outcome = world.try(world.user("admin", each));
    assert.ok(outcome.ok);
    told.push(text(feedItem(world.state, [outcome])), text(imageOf(world.state)), text(outcome.events));
    assert.deepEqual(stateViolations(world.state), []);
  }
  for (const each of told) assert.ok(!/ciphertext-canary|\bdb\b|k1/.test(each), each);
});

test("secrets outlive a checkpoint, and are of version 5 [cell.S1] [KD4] [KD7]", () => {
  const world = cell();
  assert.equal(set(world), "ok");
  assert.equal(set(world, { name: "a" }), "ok");
  const decoded = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.value.users.get("ubar" as never)?.secrets.get("db"), secretOf(world));
  assert.equal(stateHash(decoded.value), stateHash(world.state));
  const before = cell(SECRETS - 1);
  assert.match(before.submit("web", { task: { secrets: [REF] } }), /^Cannot use "secrets" yet/);
  assert.match(set(before), /no secrets yet/);
  assert.match(versionProblem(before.state, before.user("ubar", body("secretSet"))) ?? "", /from version 5 on/);
  assert.equal(versionProblem(before.state, masterOp({ case: "barrier", value: {} })), undefined);
});
