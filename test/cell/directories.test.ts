/** Directories that outlive their allocs, and the job that saves what is in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { housekeeping } from "../../src/borgmaster/housekeeping.ts";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { masterOp } from "../../src/cell/op.ts";
import { KEPT_PER_USER_MAX } from "../../src/cell/ops/directories.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { jobSpec, World } from "./world.ts";

const DAY_MS = 86_400_000;
const ALLOC = "ubar/room/0";

function cell(version = VERSION_MAX): World {
  const world = new World().init();
  for (let next = 2; next <= version; next++) world.must(world.master({ case: "cellVersion", value: { version: next } }));
  return world.machine("m1").machine("m2");
}

/** An alloc on m1 that was there and is gone: its instance. */
function goneAlloc(world: World, keepDirectoryMs = 3 * DAY_MS): string {
  assert.equal(world.submitAllocs("room", { keepDirectoryMs }), "ok");
  assert.equal(world.claim(ALLOC, "m1"), "ok");
  const id = world.instance(ALLOC);
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/room" } }));
  return id;
}

const keptOn = (world: World, machine: string): string[] =>
  world.state.machines.get(machine as never)!.directories.map(({ alloc }) => alloc);
const forget = (world: World, alloc: string, user = "ubar"): string =>
  world.say(world.user(user, { case: "directoryForget", value: { alloc } }));
const saver = (alloc: string, more = {}) => ({ keptDirectory: alloc, ...more });

test("the directory of an alloc that is gone is kept for the time its set says, through restarts, and then forgotten [cell.D1] [V6]", () => {
  const world = cell();
  const id = goneAlloc(world);
  assert.deepEqual([keptOn(world, "m1"), keptOn(world, "m2")], [[id], []]);
  world.restart();
  assert.deepEqual(world.state.machines.get("m1" as never)?.directories, [{ alloc: id, untilMs: world.timeMs + 3 * DAY_MS }]);
  world.timeMs += 3 * DAY_MS - 1;
  world.must(masterOp({ case: "barrier", value: {} }));
  const due = () => housekeeping(world.state, world.timeMs).filter(({ body }) => body.case === "directoryForget");
  assert.deepEqual(due(), []);
  assert.match(world.say(masterOp({ case: "directoryForget", value: { alloc: id } })), /is kept until/);
  world.timeMs += 1;
  for (const op of due()) world.must(op);
  assert.deepEqual(keptOn(world, "m1"), []);
  assert.equal(stateHash(world.replay()), stateHash(world.state));
});

test("an alloc that moves, or whose machine is given up, leaves its directory; one whose set says nothing leaves none [cell.D1]", () => {
  const world = cell();
  world.submitAllocs("room", { keepDirectoryMs: DAY_MS });
  world.claim(ALLOC, "m1");
  const id = world.instance(ALLOC);
  world.must(masterOp({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  world.must(masterOp({ case: "taskLost", value: { machine: "m1", instances: [id] } }));
  assert.deepEqual(keptOn(world, "m1"), [id]);
  world.claim(ALLOC, "m2");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/room" } }));
  assert.equal(keptOn(world, "m2").length, 1);
  world.must(masterOp({ case: "machineLeave", value: { machine: "m1" } }));
  const other = cell();
  goneAlloc(other, 0);
  assert.deepEqual(keptOn(other, "m1"), []);
});

test("a job of its owner that names it runs where it is, once it is there, and waits when it is no more [cell.D2] [V6]", () => {
  const world = cell();
  assert.match(world.submit("save", saver("ubar/room/0:1")), /No directory of alloc "ubar\/room\/0:1" is kept/);
  const id = goneAlloc(world);
  world.must(world.user("admin", { case: "userGrant", value: { user: "bob", roles: [Role.USER] } }));
  const foreign = world.say(world.user("bob", { case: "jobSubmit", value: { spec: jobSpec("save", { user: "bob", ...saver(id) }) } }));
  assert.match(foreign, /is not user "bob"'s/);
  assert.match(world.submit("save", saver(id, { count: 2 })), /has one task/);
  assert.equal(world.submit("save", saver(id)), "ok");
  assert.match(world.claim("ubar/save/0", "m2"), /runs only on machine "m1"/);
  assert.match(world.say(world.user("ubar", { case: "jobResize", value: { job: "ubar/save", count: 2 } })), /one task/);
  assert.match(world.say(world.user("ubar", { case: "taskUnpin", value: { task: "ubar/save/0" } })), /nowhere else/);
  assert.equal(world.claim("ubar/save/0", "m1"), "ok");
  const instance = world.instance("ubar/save/0");
  world.timeMs += 4 * DAY_MS;
  world.must(masterOp({ case: "barrier", value: {} }));
  assert.match(world.say(masterOp({ case: "directoryForget", value: { alloc: id } })), /Task "ubar\/save\/0" has the directory/);
  assert.match(forget(world, id), /has the directory/);
  assert.deepEqual(
    housekeeping(world.state, world.timeMs).filter(({ body }) => body.case === "directoryForget"),
    [],
  );
  world.report("m1", { instance, phase: Phase.FAILED, exitCode: 1, failures: 1 });
  assert.match(forget(world, id, "bob"), /bob/);
  assert.equal(forget(world, id), "ok");
  assert.match(forget(world, id), /No directory of alloc/);
  world.timeMs += DAY_MS;
  world.must(masterOp({ case: "barrier", value: {} }));
  assert.match(world.claim("ubar/save/0", "m1"), /Machine "m1" no longer keeps the directory of/);
});

test("of one user a machine keeps so many directories; the oldest makes room [cell.D3] [KB1]", () => {
  const world = cell();
  const gone = Array.from({ length: KEPT_PER_USER_MAX + 2 }, () => goneAlloc(world));
  assert.deepEqual(keptOn(world, "m1"), gone.slice(2));
});

test("one that a task has makes room for nobody: the oldest of the others does [cell.D2] [cell.D3]", () => {
  const world = cell();
  const first = goneAlloc(world);
  assert.equal(world.submit("save", saver(first)), "ok");
  assert.equal(world.claim("ubar/save/0", "m1"), "ok");
  const more = Array.from({ length: KEPT_PER_USER_MAX + 1 }, () => goneAlloc(world));
  assert.deepEqual(keptOn(world, "m1"), [first, ...more.slice(2)]);
});

test("in version 5 the oldest made room, whoever had it: what was journaled then means the same now [cell.D3]", () => {
  const world = cell(5);
  const first = goneAlloc(world);
  assert.equal(world.submit("save", saver(first)), "ok");
  assert.equal(world.claim("ubar/save/0", "m1"), "ok");
  const more = Array.from({ length: KEPT_PER_USER_MAX }, () => goneAlloc(world));
  assert.deepEqual(keptOn(world, "m1"), more);
});

test("below version 5 no directory is kept [cell.D4]", () => {
  const world = cell(4);
  assert.match(world.submitAllocs("room", { keepDirectoryMs: 1000 }), /Cannot keep directories yet/);
  assert.match(world.submit("save", saver("ubar/room/0:1")), /Cannot use kept_directory yet/);
});
