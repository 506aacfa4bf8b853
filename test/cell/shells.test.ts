import assert from "node:assert/strict";
import { test } from "node:test";
import { records } from "../../src/cell/checkpoint/checkpoint.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { World } from "./world.ts";

const open = (instance: string) => ({ case: "shellOpen" as const, value: { instance } });

test("who opens a shell in a running task is told, and nothing else changes; others are refused [cell.J9] [N9] [KA2]", () => {
  const world = new World().init().machine("m1").prodQuota();
  world.submit("web", { count: 2 });
  world.claim("ubar/web/0", "m1");
  const instance = world.instance("ubar/web/0");
  assert.match(world.say(world.user("ubar", open(instance))), /is starting: a shell is opened in one that runs/);
  world.report("m1", { instance, phase: Phase.RUNNING });
  const jobs = (): object[] => [...records(world.state)].filter(({ body }) => body.case !== "user" && body.case !== "cell");
  const before = jobs();
  const done = world.try(world.user("ubar", open(instance)));
  assert.deepEqual(done.ok && done.events, [{ kind: "task.entered", subject: "ubar/web/0", instance, machine: "m1" }]);
  assert.deepEqual(jobs(), before);
  assert.equal(world.say(world.user("admin", open(instance))), "ok");
  world.must(world.user("admin", { case: "userGrant", value: { user: "eve", roles: [Role.USER] } }));
  assert.match(world.say(world.user("eve", open(instance))), /User "eve" may not ask for shellOpen for user "ubar"/);
  assert.match(world.say(world.user("ubar", open("ubar/web/0:999"))), /does not run: borg show ubar\/web\/0/);
});
