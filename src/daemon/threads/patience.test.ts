/** Which letters between the threads of a master may be held, and for how long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEntry, newState } from "../../cell/cell.ts";
import { feedItem } from "../../cell/feed.ts";
import { makeEntry, masterOp, type Op, schedulerOp, userOp } from "../../cell/op.ts";
import { Phase } from "../../wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { API, FOLLOWER, LINK, MASTER } from "./addresses.ts";
import { ENTRY_MS, FOLLOWED_MS, NO_ORDER_MS, patienceMs, USAGE_MS } from "./patience.ts";

const GIB = 2 ** 30;
const FACTS = { capacity: { cpuMilli: 8000, ramBytes: 16 * GIB, diskBytes: GIB }, portFirst: 20_000, portLast: 20_099 };

/** What a link shard's letter is worth after each op of a job's life, in one entry each. */
function linkPatience(...ops: readonly Op[]): number[] {
  const state = newState();
  return ops.map((op, i) => {
    const outcomes = applyEntry(state, i + 1, makeEntry(1_000_000 + i, [op]));
    assert.ok(outcomes[0]?.ok, JSON.stringify(outcomes));
    return patienceMs(LINK, { type: "items", items: [feedItem(state, outcomes)] });
  });
}

test("a link shard waits for what is on machines: not for jobs whose tasks are not placed yet, nor for those that have ended there", () => {
  const spec = { user: "ann", name: "web", count: 1, task: { command: ["x"], limit: { cpuMilli: 1 } } };
  const claims = [{ task: "ann/web/0", incarnation: 1, place: "m1" }];
  const patience = linkPatience(
    masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }),
    masterOp({ case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450 } } }),
    masterOp({ case: "machineJoin", value: { machine: "m1", facts: FACTS } }),
    userOp("admin", "", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }),
    userOp("ann", "", { case: "jobSubmit", value: { spec } }),
    schedulerOp("service", { case: "taskClaims", value: { claims } }),
    masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance: "ann/web/0:1", phase: Phase.RUNNING, run: 1 }] } }),
    userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }),
    masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance: "ann/web/0:1", phase: Phase.GONE }] } }),
  );
  assert.deepEqual(patience, [...Array<number>(5).fill(NO_ORDER_MS), 0, 0, 0, NO_ORDER_MS]);
});

test("the follower's entries, word of how far a copy is, and usage may wait; whoever is asked or answered may not", () => {
  assert.equal(patienceMs(FOLLOWER, { type: "entry" }), ENTRY_MS);
  assert.equal(patienceMs(API, { type: "entry" }), 0, "reads are answered from it");
  assert.equal(patienceMs(MASTER, { type: "followed" }), FOLLOWED_MS);
  assert.equal(patienceMs(API, { type: "usage" }), USAGE_MS);
  for (const type of ["restore", "compare", "snapshot", "explain"]) assert.equal(patienceMs(FOLLOWER, { type }), 0, type);
  for (const type of ["request", "confirm", "ops", "claim"]) assert.equal(patienceMs(MASTER, { type }), 0, type);
  assert.equal(patienceMs("service", { type: "items", items: [] }), 0, "schedulers plan on it");
});
