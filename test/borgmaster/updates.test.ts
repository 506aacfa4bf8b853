/** What a master does for updates by itself, and what people are shown of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Copy } from "../../src/borgmaster/api/copy.ts";
import { checkUpdate, getUpdate } from "../../src/borgmaster/api/update-reads.ts";
import { housekeeping } from "../../src/borgmaster/housekeeping.ts";
import { masterOp } from "../../src/cell/op.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { CheckUpdateRequestSchema, GetUpdateRequestSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { GI, type JobWish, jobSpec, limit, World } from "../cell/world.ts";

function cell(): World {
  const world = new World().init().machine("m1").machine("m2");
  for (const version of [2, 3]) world.must(masterOp({ case: "cellVersion", value: { version } }));
  world.submit("web", { count: 3 });
  for (const [i, machine] of ["m1", "m2", "m2"].entries()) world.claim(`ubar/web/${i}`, machine);
  settle(world);
  return world;
}

function settle(world: World): void {
  for (const { instance, state } of [...world.state.jobs.get("ubar/web" as never)!.tasks]) {
    if (instance?.stop !== undefined) world.report(instance.place.machine.id, { instance: instance.id, phase: Phase.GONE });
    else if (state === "starting" && instance !== undefined)
      world.report(instance.place.machine.id, { instance: instance.id, phase: Phase.RUNNING, run: 1 });
  }
}

const NEW: JobWish = { count: 3, task: { command: ["node", "new.js"] } };
const start = (world: World, wish: JobWish): string =>
  world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("web", wish) } }));

/** What the master would do by itself, done. */
function tick(world: World): string[] {
  const ops = housekeeping(world.state, world.timeMs).filter(({ body }) => body.case === "updateStep");
  for (const op of ops) world.must(op);
  return ops.map(({ body }) => body.case as string);
}

const copyOf = (world: World): Copy => ({ state: world.state }) as Copy;
const view = (world: World) => {
  const found = getUpdate(copyOf(world), make(GetUpdateRequestSchema, { job: "ubar/web" }), "ubar");
  return found.ok ? found.value : assert.fail();
};
const check = (world: World, wish: JobWish) => {
  const found = checkUpdate(copyOf(world), make(CheckUpdateRequestSchema, { spec: jobSpec("web", wish) } as never), "ubar");
  return found.ok ? found.value : assert.fail();
};

test("a master goes on with an update only when there is something to do, and a new one from where it stands [D3] [cell.J15]", () => {
  const world = cell();
  assert.deepEqual(tick(world), []);
  start(world, NEW);
  const steps: string[] = [];
  for (let seconds = 0; seconds < 60; seconds++) {
    if (tick(world).length > 0) steps.push(`${seconds}`);
    settle(world);
    // As a new leader would have read it.
    if (seconds % 7 === 0) world.restart();
    world.timeMs += 1000;
  }
  assert.equal(world.state.jobs.get("ubar/web" as never)!.update?.phase, "rolled");
  assert.equal(steps.length, 4, steps.join(" "));
});

test("what the owner lacks for an update is told before it begins, and to nobody who may not begin it [D1] [P5] [KA2]", () => {
  const world = cell().prodQuota();
  for (let version = 4; version <= VERSION_MAX; version++) world.must(masterOp({ case: "cellVersion", value: { version } }));
  for (const user of ["ann", "ubar"])
    world.must(world.user("admin", { case: "userGrant", value: { user, roles: [Role.USER], add: true } }));
  const asked = (wish: JobWish, by = "ubar", tasks: readonly { first: number; last: number }[] = []): string => {
    const request = make(CheckUpdateRequestSchema, { spec: jobSpec("web", { count: 3, ...wish }), tasks } as never);
    const found = checkUpdate(copyOf(world), request, by);
    return found.ok ? found.value.refusal : found.reason;
  };
  const secret = { task: { secrets: [{ name: "db", path: "/borg/secrets/db" }] } };
  assert.match(asked({ priority: 200, task: { limit: limit(900_000, GI) } }), /^User "ubar" lacks .* of production quota/);
  assert.match(asked({ priority: 400 }), /^User "ubar" has no monitoring quota/);
  assert.match(asked(secret), /has no secret "db"/);
  assert.match(asked({}, "ubar", [{ first: 1, last: 9 }]), /has tasks 0 to 2: 1 to 9 are no range of them/);
  assert.deepEqual([asked(secret, "ann"), asked({ priority: 400 }, "ann")], ["", ""]);
  assert.equal(
    world.say(world.user("ubar", { case: "updateStart", value: { spec: jobSpec("web", { count: 3, priority: 400 }) } })),
    asked({ priority: 400 }),
  );
});

test("people see how far an update has come, task by task [D1]", () => {
  const world = cell();
  assert.deepEqual([view(world).phase, view(world).tasks.length], ["", 0]);
  start(world, NEW);
  tick(world);
  for (let i = 0; i < 2; i++) settle(world);
  const { phase, passed, waiting, left, tasks } = view(world);
  assert.deepEqual([phase, passed, waiting, left], ["rolling", 0, 1, 2]);
  assert.deepEqual(
    tasks.map(({ task, change, verdict }) => [task, change, verdict]),
    [
      ["ubar/web/0", "restart", "waiting"],
      ["ubar/web/1", "", ""],
      ["ubar/web/2", "", ""],
    ],
  );
  world.timeMs += 10_000;
  world.must(masterOp({ case: "barrier", value: {} }));
  assert.deepEqual([view(world).passed, view(world).waiting], [1, 0]);
});

test("what an update would do is told before: in place, restart, move, skip, and how many tasks come and go [D4] [D5]", () => {
  const world = cell();
  const told = ({ inPlace, restarts, moves, skipped, added, removed, already }: ReturnType<typeof check>) =>
    [already ? "already" : "", `${inPlace} ${restarts} ${moves} ${skipped}`, `+${added} -${removed}`].join(" ").trim();
  assert.equal(told(check(world, { count: 3 })), "already 3 0 0 0 +0 -0");
  assert.equal(told(check(world, { count: 3, priority: 7 })), "3 0 0 0 +0 -0");
  assert.equal(told(check(world, { ...NEW, count: 5 })), "0 3 0 0 +2 -0");
  assert.equal(told(check(world, { ...NEW, count: 2 })), "0 2 0 0 +0 -1");
  const huge = { count: 3, task: { limit: limit(9000, 1) }, update: { batch: 1, disruptionsMax: 2 } };
  assert.equal(told(check(world, huge)), "0 0 2 1 +0 -0");
  start(world, NEW);
  assert.match(check(world, { count: 3, priority: 7 }).refusal, /is being updated already/);
});
