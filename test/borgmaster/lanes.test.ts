import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MASTER } from "../../src/borgmaster/defaults.ts";
import { Lanes, waitingOp } from "../../src/borgmaster/lanes.ts";
import { schedulerOp, seal, userOp } from "../../src/cell/op.ts";
import { World } from "../cell/world.ts";

const world = new World().init();

const submit = (user: string, name: string, padding = 1, count = 1) =>
  waitingOp(
    world.state,
    seal(userOp(user, name, { case: "jobSubmit", value: { spec: { user, name, count, task: { command: ["x".repeat(padding)] } } } })),
    { kind: "none" },
  );
const kill = (user: string, name: string) =>
  waitingOp(world.state, seal(userOp(user, name, { case: "jobKill", value: { job: `${user}/${name}` } })), { kind: "none" });

/** Entries of one op each, by request id. */
function order(lanes: Lanes): string[] {
  const out: string[] = [];
  for (let [next] = lanes.take(1, 1); next !== undefined; [next] = lanes.take(1, 1)) out.push(next.op.requestId);
  return out;
}

test("users take turns by the weight of what they ask for: a flood of one costs another one turn [KB1]", () => {
  const lanes = new Lanes(DEFAULT_MASTER);
  for (let i = 0; i < 20; i++) assert.equal(lanes.push(submit("flood", `big${i}`, 60_000)), undefined);
  for (let i = 0; i < 3; i++) lanes.push(submit("small", `s${i}`));
  assert.deepEqual(order(lanes).slice(0, 5), ["big0", "s0", "s1", "s2", "big1"]);
  assert.equal(lanes.size, 0);
});

test("tasks that an op makes have a weight too, for its user's turn and for the entry", () => {
  const lanes = new Lanes(DEFAULT_MASTER);
  for (let i = 0; i < 3; i++) lanes.push(submit("wide", `wide${i}`, 1, 100_000));
  lanes.push(submit("small", "s0"));
  const first = lanes.take(1000, 2 ** 20).map(({ op }) => op.requestId);
  assert.deepEqual(first, ["s0"], "a job of 100,000 tasks is an entry by itself");
  assert.deepEqual(
    [1, 2, 3].map(() => lanes.take(1000, 2 ** 20).length),
    [1, 1, 1],
  );
});

test("admins, and the master's own schedulers, go before all users", () => {
  const lanes = new Lanes(DEFAULT_MASTER);
  lanes.push(submit("ubar", "a"));
  lanes.push(kill("ubar", "b"));
  lanes.push(submit("admin", "c"));
  const claims = { case: "taskClaims" as const, value: { claims: [{ task: "u/j/0", place: "m1" }] } };
  lanes.push(waitingOp(world.state, seal(schedulerOp("theirs", claims, "ubar")), { kind: "none" }));
  lanes.push(waitingOp(world.state, seal(schedulerOp("own", claims)), { kind: "none" }));
  const taken = lanes.take(10, 1e6).map(({ op }) => (op.requestId === "" ? op.actor?.name : op.requestId));
  assert.deepEqual(taken, ["c", "b", "own", "theirs", "a"]);
});

test("what waits is bounded in bytes, for each user and in sum, and who is refused is told [KB1]", () => {
  const bounds = { waitingMax: 1000, userBytesMax: 1000, waitingBytesMax: 2000 };
  const lanes = new Lanes(bounds);
  assert.equal(lanes.push(submit("a", "a0", 700)), undefined);
  assert.match(lanes.push(submit("a", "a1", 700)) ?? "", /^0.1 MiB of user "a" wait for the journal$/);
  assert.equal(lanes.push(submit("b", "b0", 700)), undefined);
  assert.match(lanes.push(submit("c", "c0", 700)) ?? "", /^0.1 MiB wait for the journal$/);
  assert.equal(lanes.push(submit("admin", "own", 700)), undefined, "admins have as much again");
  assert.equal(lanes.take(10, 1e6).length, 3);
  assert.equal(lanes.push(submit("a", "a2", 700)), undefined, "what was taken no longer counts");
  lanes.drain();
  assert.equal(lanes.push(submit("a", "a3", 700)), undefined, "nor what was drained");
});
