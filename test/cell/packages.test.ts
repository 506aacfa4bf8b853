/** Packages: whose they are, who may name them, and that what is named stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CELL_BOUNDS } from "../../src/cell/bounds.ts";
import { encodeCheckpoint, stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { userOp } from "../../src/cell/op.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Operator } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { USER_BOUNDS } from "../../src/wire/user-bounds.ts";
import { type OpBody, World } from "./world.ts";

const [ONE, TWO] = ["a", "b"].map((digit) => digit.repeat(64)) as [string, string];
const GIB = 2 ** 30;

function cell(version = 3): World {
  const world = new World().init().machine("m1");
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  return world;
}

const add = (world: World, more: object = {}, by = "ubar"): string =>
  world.say(world.user(by, { case: "packageAdd", value: { user: "ubar", name: "web", digest: ONE, bytes: 100, ...more } } as OpBody));
const remove = (world: World, more: object = {}, by = "ubar"): string =>
  world.say(world.user(by, { case: "packageRemove", value: { user: "ubar", name: "web", digest: ONE, ...more } } as OpBody));
const run = (world: World, packages: object[], more: object = {}): string => world.submit("job", { task: { packages, ...more } });
const REF = { name: "web", version: ONE };

test("a package is its owner's, by name and hash; the same again is done already [cell.G1] [KA2]", () => {
  const world = cell();
  assert.equal(add(world), "ok");
  assert.equal(
    world.must(world.user("ubar", { case: "packageAdd", value: { user: "ubar", name: "web", digest: ONE, bytes: 100 } })).type,
    "already",
  );
  assert.equal(add(world, { bytes: 101 }), `Package "ubar/web@${ONE}" has 100 bytes, not 101: push what the digest is of`);
  assert.match(add(world, { digest: "../../etc/passwd" }), /SHA-256 of its bytes: 64 lower-case hex digits/);
  assert.match(add(world, { digest: ONE.toUpperCase() }), /64 lower-case hex digits/);
  assert.equal(
    add(world, {}, "ann"),
    'User "ann" may not ask for packageAdd for user "ubar": only that user (with the role user) and admins of the cell may',
  );
  assert.equal(
    remove(world, {}, "ann"),
    'User "ann" may not ask for packageRemove for user "ubar": only that user (with the role user) and admins of the cell may',
  );
  assert.equal(add(world, { user: "zed" }, "admin"), 'User "zed" is unknown: grant a role first');
  assert.match(remove(world, { digest: TWO }), /^User "ubar" has no package "web@bbbbbbbbbbbb": borg package ls shows them$/);
  assert.equal(remove(world), "ok");
  assert.match(remove(world), /has no package/);
});

test("a job names packages by their whole hash, its own user's or shared ones [cell.G2] [U8]", () => {
  const world = cell();
  assert.match(run(world, [REF]), /^There is no package "ubar\/web@aaaaaaaaaaaa" that jobs of user "ubar" may name: borg package push/);
  assert.equal(add(world), "ok");
  assert.equal(run(world, [{ name: "web" }]), `Package "ubar/web" needs its hash, as in "ubar/web@${ONE}": borg package ls shows it`);
  assert.match(run(world, [{ name: "web", version: "1.4" }]), /needs its hash/);
  assert.match(run(world, [{ ...REF, user: "ann" }]), /^There is no package "ann\/web@/);
  const foreign = {
    spec: { user: "ann", name: "x", count: 1, priority: 0, task: { command: ["x"], packages: [{ ...REF, user: "ubar" }] } },
  };
  const submit = (): string => world.say(userOp("ann", "", { case: "jobSubmit", value: foreign }));
  assert.match(
    submit(),
    /^There is no package "ubar\/web@aaaaaaaaaaaa" that jobs of user "ann" may name/,
    "it is not even told that it is there",
  );
  assert.equal(add(world, { shared: true }), "ok");
  assert.equal(submit(), "ok");
  assert.equal(run(world, [REF]), "ok");
  assert.deepEqual(stateViolations(world.state), []);
});

test("what a living job names is neither removed nor taken from others [cell.G3] [KG1]", () => {
  const world = cell();
  assert.equal(add(world, { shared: true }), "ok");
  assert.equal(run(world, [REF]), "ok");
  assert.equal(remove(world), 'Package "ubar/web@aaaaaaaaaaaa" is named by job "ubar/job": kill that first');
  const spec = { user: "ann", name: "x", count: 1, priority: 0, task: { command: ["x"], packages: [{ ...REF, user: "ubar" }] } };
  world.must(userOp("ann", "", { case: "jobSubmit", value: { spec } }));
  assert.match(add(world, { shared: false }), /named by job "ann\/x" of another user: it stays shared/);
  world.must(userOp("ann", "", { case: "jobKill", value: { job: "ann/x" } }));
  assert.equal(add(world, { shared: false }), "ok");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/job" } }));
  assert.equal(remove(world), "ok");
});

test("packages are counted for their user and for the cell, also those of admins [cell.G4]", () => {
  const world = cell();
  for (let i = 0; i < USER_BOUNDS.packages; i++) assert.equal(add(world, { name: `p${i}` }), "ok");
  assert.match(add(world), /^User "ubar" has 100 packages, its most: remove one .*borg quota bounds ubar --packages 101\)$/);
  world.must(world.user("admin", { case: "boundsSet", value: { user: "ubar", bounds: { packages: 101, packageBytes: GIB } } }));
  assert.match(add(world, { bytes: GIB }), /^The packages of user "ubar" would take 1024\.1 MiB, and 1024 MiB is the most: /);
  assert.equal(add(world, { bytes: GIB - 100 * USER_BOUNDS.packages }), "ok");
  const most = Math.floor(CELL_BOUNDS.packageBytes / GIB) - 1;
  for (let i = 0; i < most; i++) assert.equal(add(world, { user: "admin", name: `p${i}`, bytes: GIB }, "admin"), "ok");
  assert.match(
    add(world, { user: "admin", name: "more", bytes: GIB }, "admin"),
    /^The cell has \d+ packages of \d+\.?\d* MiB, of 2000 and 65536 MiB at most/,
  );
});

test("packages of a task are apart from each other, from its files and from what is not the task's [cell.G5]", () => {
  const world = cell();
  assert.equal(add(world), "ok");
  assert.equal(add(world, { name: "lib" }), "ok");
  const at = (path: string, name = "web"): object => ({ name, version: ONE, path });
  assert.match(run(world, [at("/proc/x")]), /"\/proc" is not the task's/);
  assert.match(run(world, [at("/borg/launch")]), /"\/borg" is not the task's/);
  assert.match(run(world, [REF, REF]), /in each other's way/);
  assert.match(run(world, [at("/app"), at("/app/lib", "lib")]), /in each other's way/);
  assert.match(run(world, [at("/app")], { files: [{ path: "/app/conf", content: new Uint8Array() }] }), /would lie in a package/);
  assert.equal(run(world, [at("/app"), { name: "lib", version: ONE }]), "ok");
});

test("packages outlive a checkpoint, and are of version 3 [cell.G1] [KD4] [KD7]", () => {
  const world = cell();
  assert.equal(add(world, { shared: true }), "ok");
  assert.equal(add(world, { name: "app", digest: TWO }), "ok");
  const decoded = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
  assert.ok(decoded.ok);
  assert.equal(stateHash(decoded.value), stateHash(world.state));
  assert.deepEqual(
    decoded.value.users.get("ubar" as never)?.packages,
    new Map([...world.state.users.get("ubar" as never)!.packages].sort()),
  );
  assert.match(cell(2).submit("web", { task: { packages: [REF] } }), /^Cannot use "packages" yet/);
});

const IMAGES = { attribute: "images", operator: Operator.EQUAL, values: ["yes"] };

test("one package of a job may be its image, from version 5 on, on machines that say that they can [cell.G6] [U8] [I1]", () => {
  const world = cell(5);
  for (const name of ["web", "lib"]) assert.equal(add(world, { name }), "ok");
  const image = { ...REF, root: true };
  const submit = (packages: object[], constraints: object[] = [IMAGES]): string =>
    world.submit("job", { task: { command: [], packages }, constraints });
  const asked = /^A job with an image needs the constraint images = yes: not every machine can give a task another root$/;
  assert.match(submit([image], []), asked);
  assert.match(submit([image], [{ ...IMAGES, soft: true, weight: 1 }]), asked);
  assert.match(submit([image], [{ ...IMAGES, operator: Operator.NOT_EQUAL }]), asked);
  assert.match(submit([image], [{ ...IMAGES, values: ["no"] }]), asked);
  assert.match(
    submit([image, { name: "lib", version: ONE, root: true }]),
    /^A task has one image: "web" and "lib" cannot both be its root; leave one out$/,
  );
  assert.match(
    submit([{ ...image, path: "/app" }]),
    /^Image "web" is the root of the task: it cannot be at "\/app" as well; leave the path out$/,
  );
  assert.match(submit([{ ...image, version: TWO }]), /^There is no package "ubar\/web@bbbbbbbbbbbb"/);
  assert.equal(submit([image, { name: "lib", version: ONE, path: "/srv" }]), "ok");
  assert.match(remove(world), /is named by job "ubar\/job": kill that first/);
  assert.match(world.claim("ubar/job/0", "m1"), /images/, "a machine that does not say so gets none of its tasks");
  const old = cell(4);
  assert.equal(add(old), "ok");
  const early = old.submit("job", { task: { command: ["x"], packages: [image] }, constraints: [IMAGES] });
  assert.equal(early, "Cannot run images yet: not all masters of the cell are upgraded");
});

test("a job without an image names a command [cell.G7]", () => {
  const world = cell(5);
  assert.equal(add(world), "ok");
  const lacks = "A task needs a command: a program and its arguments, or an image that names one";
  assert.equal(world.submit("job", { task: { command: [] } }), lacks);
  assert.equal(world.submit("job", { task: { command: [], packages: [REF] } }), lacks);
});
