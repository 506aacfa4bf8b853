/** Updates of living alloc sets: allocs change where they are, or move with what is inside (Borg §2.3, §2.4). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateHash } from "../../src/cell/checkpoint/checkpoint.ts";
import { masterOp } from "../../src/cell/op.ts";
import { versionProblem } from "../../src/cell/ops/table.ts";
import type { Job } from "../../src/cell/state.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import type { Init } from "../../src/wire/codec.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { type AllocSetSpecSchema, Operator } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "./world.ts";

type SetWish = Partial<Init<typeof AllocSetSpecSchema>>;
const POLICY = { batch: 1, watchMs: 1000, failuresMax: 0 };
const BASE: SetWish = { count: 2, limit: limit(2000, 4 * GI), update: POLICY };

const spec = (wish: SetWish): Init<typeof AllocSetSpecSchema> => ({ user: "ubar", name: "aset", ...BASE, ...wish }) as never;

/** Two machines, alloc set `ubar/aset` with an alloc on each, and job `ubar/web` with a running task in each. */
function cell(job: JobWish = {}, set: SetWish = {}, version = VERSION_MAX): World {
  const world = new World().init();
  for (let next = 2; next <= version; next++) world.must(masterOp({ case: "cellVersion", value: { version: next } }));
  for (const name of ["m1", "m2"])
    world.machine(name, 4000, 8 * GI, { attributes: [{ key: "disk", value: name === "m1" ? "old" : "new" }] });
  world.prodQuota();
  assert.equal(world.submitAllocs("aset", spec(set)), "ok");
  assert.equal(world.submit("web", { count: 2, allocSet: "ubar/aset", ...job }), "ok");
  for (const i of [0, 1]) {
    assert.equal(world.claim(`ubar/aset/${i}`, `m${i + 1}`), "ok");
    inside(world, i);
  }
  world.timeMs += 10_000;
  return world;
}

function inside(world: World, index: number, alloc = index): void {
  assert.equal(world.claim(`ubar/web/${index}`, world.instance(`ubar/aset/${alloc}`)), "ok");
  const { id, place } = world.task(`ubar/web/${index}`).instance!;
  world.report(place.machine.id, { instance: id, phase: Phase.RUNNING, run: 1 });
}

const set = (world: World): Job => world.state.jobs.get("ubar/aset" as never)!;
const start = (world: World, wish: SetWish, more: object = {}): string =>
  world.say(world.user("ubar", { case: "updateStart", value: { allocSet: spec(wish), ...more } }));
const ask = (world: World, name: "updatePause" | "updateUndo" | "updateCommit", more: object = {}): string =>
  world.say(world.user("ubar", { case: name, value: { job: "ubar/aset", ...more } } as never));
const step = (world: World): void => void world.must(masterOp({ case: "updateStep", value: { job: "ubar/aset" } }));
const told = (world: World): string =>
  set(world)
    .tasks.map((task) => task.told?.kind ?? "-")
    .join(" ");
const states = (world: World, job: string): string =>
  world.state.jobs
    .get(job as never)!
    .tasks.map(({ state }) => state)
    .join(" ");
const sizes = (world: World): number[] => set(world).tasks.map(({ instance }) => instance?.inside?.capacity.cpu ?? 0);
/** The machine says that what should stop has gone. */
const gone = (world: World, task: string): void => {
  const { id, place } = world.task(task).instance!;
  world.report(place.machine.id, { instance: id, phase: Phase.GONE });
};

test("an alloc that fits is resized where it is, and the tasks inside stay [cell.A7] [D5] [A3]", () => {
  const world = cell();
  const before = [0, 1].map((i) => world.instance(`ubar/web/${i}`));
  assert.equal(start(world, { limit: limit(3000, 5 * GI), priority: 7 }), "ok");
  step(world);
  assert.deepEqual([told(world), states(world, "ubar/web"), sizes(world)], ["in-place in-place", "running running", [3000, 3000]]);
  assert.deepEqual(
    [0, 1].map((i) => world.instance(`ubar/web/${i}`)),
    before,
  );
  assert.equal(world.task("ubar/aset/0").instance?.priority, 7);
  world.submit("more", { allocSet: "ubar/aset", task: { limit: limit(2000, GI) } });
  assert.equal(world.claim("ubar/more/0", world.instance("ubar/aset/0")), "ok", "there is room for more now");
  const hash = stateHash(world.state);
  world.restart();
  assert.equal(stateHash(world.state), hash);
  assert.deepEqual(sizes(world), [3000, 3000], "as read from a checkpoint");
  step(world);
  assert.equal(ask(world, "updateCommit"), "ok");
  assert.equal(set(world).limit.cpu, 3000);
});

test("an alloc that no longer fits moves with its tasks: both stop, and start together where there is room [cell.A8] [A4] [D5]", () => {
  const world = cell();
  const onlyNew = [{ attribute: "disk", operator: Operator.EQUAL, values: ["new"] }];
  assert.equal(start(world, { constraints: onlyNew, limit: limit(1500, 3 * GI) }), "ok");
  step(world);
  assert.deepEqual(
    [told(world), states(world, "ubar/aset"), states(world, "ubar/web")],
    ["move in-place", "stopping running", "stopping running"],
  );
  gone(world, "ubar/web/0");
  assert.equal(states(world, "ubar/aset"), "pending running", "its machine is no longer for it");
  assert.equal(states(world, "ubar/web"), "pending running");
  assert.equal(world.claim("ubar/aset/0", "m2"), "ok");
  inside(world, 0);
  step(world);
  assert.equal(set(world).update?.phase, "rolling", "watched first");
  world.timeMs += 2000;
  step(world);
  assert.equal(set(world).update?.phase, "rolled");
  assert.deepEqual(sizes(world), [1500, 1500]);
});

test("an alloc that would be too small for what is inside goes with it, and is placed again at once [cell.A8] [A4]", () => {
  const world = cell();
  assert.equal(start(world, { limit: limit(500, GI) }), "ok");
  step(world);
  assert.equal(told(world), "move -");
  gone(world, "ubar/web/0");
  assert.equal(states(world, "ubar/aset"), "running running", "on the machine that it was on");
  assert.deepEqual(sizes(world), [500, 2000]);
  assert.match(world.claim("ubar/web/0", world.instance("ubar/aset/0")), /lacks 500 millicores/);
});

test("an empty alloc is changed at once, and other ports are another alloc [cell.A8]", () => {
  const world = cell();
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  for (const i of [0, 1]) gone(world, `ubar/web/${i}`);
  const before = world.instance("ubar/aset/0");
  assert.equal(start(world, { ports: 3 }), "ok");
  step(world);
  assert.equal(states(world, "ubar/aset"), "running running");
  assert.notEqual(world.instance("ubar/aset/0"), before);
  assert.equal(world.task("ubar/aset/0").instance?.ports.length, 3);
});

test("an alloc stands where it was placed: the next one is changed when it has stood for long enough [cell.A8] [KU2]", () => {
  const world = cell();
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  for (const i of [0, 1]) gone(world, `ubar/web/${i}`);
  assert.equal(start(world, { ports: 3 }), "ok");
  step(world);
  assert.deepEqual([told(world), states(world, "ubar/aset")], ["move -", "running running"], "other ports are another alloc, at once");
  step(world);
  assert.equal(told(world), "move -", "it has not stood for a second");
  world.timeMs += 1000;
  step(world);
  assert.equal(told(world), "move move");
});

test("what would be one disruption too many is skipped, and takes the new spec after the commit [cell.A9] [D4] [KP2]", () => {
  const world = cell();
  assert.equal(start(world, { limit: limit(500, GI), update: { ...POLICY, disruptionsMax: 0 } }), "ok");
  step(world);
  assert.deepEqual([told(world), states(world, "ubar/web")], ["skip skip", "running running"]);
  step(world);
  assert.equal(ask(world, "updateCommit"), "ok");
  assert.deepEqual(sizes(world), [2000, 2000]);
});

test("an alloc waits while too many tasks of a job inside it would be down [cell.A9] [KP2] [V3]", () => {
  const world = cell({ downMax: 1 });
  world.must(world.user("ubar", { case: "jobRestart", value: { job: "ubar/web", tasks: [1] } }));
  assert.equal(start(world, { limit: limit(500, GI), update: { ...POLICY, batch: 2 } }), "ok");
  step(world);
  assert.equal(told(world), "- -", "task 1 is down");
  gone(world, "ubar/web/1");
  inside(world, 1);
  step(world);
  assert.equal(told(world), "move -", "and one of them at a time");
});

test("an update of an alloc set is staged, goes on, is undone in batches, and removed allocs return [cell.A10] [D1] [D3]", () => {
  const world = cell();
  const before = stateHash(world.state);
  assert.equal(start(world, { limit: limit(3000, 5 * GI) }, { paused: true }), "ok");
  step(world);
  assert.equal(told(world), "- -");
  assert.equal(ask(world, "updatePause", { paused: false }), "ok");
  assert.match(start(world, { limit: limit(100, GI) }), /is being updated already/);
  step(world);
  assert.deepEqual(sizes(world), [3000, 3000]);
  assert.equal(ask(world, "updateUndo"), "ok");
  step(world);
  step(world);
  assert.deepEqual([sizes(world), set(world).update, set(world).limit.cpu], [[2000, 2000], undefined, 2000]);
  assert.notEqual(stateHash(world.state), before, "requests are remembered");
  assert.equal(start(world, { count: 1, limit: limit(2000, 4 * GI) }), "ok");
  step(world);
  step(world);
  assert.equal(states(world, "ubar/aset").split(" ")[1], "ending", "surplus goes last");
  assert.equal(ask(world, "updateUndo"), "ok");
  assert.equal(set(world).count, 2);
});

test("while a set is updated its jobs keep to both its specs, and quota holds the larger [cell.A11] [P9]", () => {
  const world = cell({}, { priority: 10, tenants: ["ann"] });
  world.must(world.user("admin", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  const asAnn = (): string =>
    world.say(world.user("ann", { case: "jobSubmit", value: { spec: { ...jobSpec("x", { allocSet: "ubar/aset" }), user: "ann" } } }));
  assert.equal(start(world, { priority: 5, limit: limit(2500, 4 * GI) }, { paused: true }), "ok");
  assert.match(world.submit("high", { allocSet: "ubar/aset", priority: 8 }), /above that of alloc set "ubar\/aset", which is 5/);
  assert.match(asAnn(), /belongs to user "ubar"/, "the new spec has no tenants");
  assert.equal(set(world).charge.cpu, 5000);
  assert.equal(ask(world, "updateUndo"), "ok");
  step(world);
  assert.equal(asAnn(), "ok");
  assert.match(start(world, { priority: 10 }), /would run in alloc set "ubar\/aset": name user "ann" as a tenant/);
  world.must(world.user("admin", { case: "quotaSet", value: { user: "ubar", band: Band.BATCH, quota: { limit: limit(100, GI) } } }));
  assert.match(start(world, { priority: 110, tenants: ["ann"] }), /batch quota/);
});

test("alloc sets are updated from cell version 5 on, and a thing stays what it is [cell.A7] [KD7]", () => {
  const old = cell({}, { update: undefined as never }, 4);
  const op = old.user("ubar", { case: "updateStart", value: { allocSet: spec({ limit: limit(1, GI) }) } });
  assert.match(versionProblem(old.state, op) ?? "", /from version 5 on/);
  const world = cell();
  assert.match(
    world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("aset") } })),
    /"ubar\/aset" is an alloc set, and an update leaves it one/,
  );
  assert.equal(start(world, {}), "ok", "nothing differs");
  assert.equal(set(world).update, undefined);
});

test("an alloc set is called one in every no: undone, committed early, left allocs out, no allocs [A5] [D1]", () => {
  const world = cell();
  assert.equal(start(world, { limit: limit(1000, GI) }), "ok");
  assert.match(
    ask(world, "updateCommit"),
    /^The update of alloc set "ubar\/aset" is rolling: it can be committed when every alloc had its turn/,
  );
  assert.equal(ask(world, "updateUndo"), "ok");
  assert.match(start(world, { limit: limit(3000, GI) }), /^The update of alloc set "ubar\/aset" is being undone: wait/);
  assert.match(ask(world, "updatePause", { paused: true }), /^The update of alloc set "ubar\/aset" is being undone, which is not paused/);
  const other = cell();
  const some = start(other, { count: 3 }, { tasks: [{ first: 0, last: 0 }] });
  assert.match(some, /^An update of some allocs cannot change how many there are, and alloc set "ubar\/aset" has 2, not 3/);
  const none = other.say(other.user("ubar", { case: "jobResize", value: { job: "ubar/aset", count: 0 } }));
  assert.equal(none, 'Alloc set "ubar/aset" needs at least one alloc: kill it instead (borg kill ubar/aset)');
});
