/** What one user may make a cell remember. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CELL_BOUNDS, callBoundsOf, cellBoundsOf, outgrown, SMALL_CELL_BOUNDS, usedBy } from "../../src/cell/bounds.ts";
import { apply, newState } from "../../src/cell/cell.ts";
import { encodeCheckpoint } from "../../src/cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../../src/cell/checkpoint/decode.ts";
import { stateViolations } from "../../src/cell/invariants.ts";
import { masterOp, type Op, userOp } from "../../src/cell/op.ts";
import { CALL_BOUNDS } from "../../src/cell/version.ts";
import { make } from "../../src/wire/codec.ts";
import { specDigest } from "../../src/wire/digest.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { JobSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { SMALL_USER_BOUNDS, USER_BOUNDS } from "../../src/wire/user-bounds.ts";
import { type JobWish, jobSpec } from "./world.ts";

/** Without the world's look at everything after each op: these cells are large. */
class LargeCell {
  readonly state = newState();

  constructor(versionMax = 3) {
    this.must(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    for (let version = 2; version <= versionMax; version++) this.must(masterOp({ case: "cellVersion", value: { version } }));
    for (const user of ["ann", "bob"]) this.must(userOp("admin", "", { case: "userGrant", value: { user, roles: [Role.USER] } }));
  }

  say(op: Op): string {
    const outcome = apply(this.state, op);
    return outcome.ok ? "ok" : outcome.reason;
  }

  must(op: Op): void {
    assert.equal(this.say(op), "ok");
  }
}

const submit = (cell: LargeCell, user: string, name: string, more: JobWish = {}): string =>
  cell.say(userOp(user, "", { case: "jobSubmit", value: { spec: { ...jobSpec(name, { priority: 0, ...more }), user } } }));

const large = { task: { command: ["x"], files: [0, 1, 2].map((i) => ({ path: `/f${i}`, content: new Uint8Array(250_000) })) } };

test("a user's jobs, tasks and bytes of specs are bounded in every band, others' are not touched [cell.B1] [P11] [KB1]", () => {
  const world = new LargeCell();
  for (let i = 0; i < 4; i++) assert.equal(submit(world, "ann", `large-${i}`, large), "ok");
  assert.match(
    submit(world, "ann", "more", large),
    /^The specs of user "ann" would take 3\.\d MiB, and 3 MiB is the most: ship large files in packages, or an admin raises it \(borg quota bounds ann --specs 16MiB\)$/,
  );
  assert.equal(submit(world, "bob", "large", large), "ok");
  assert.equal(
    submit(world, "ann", "wide", { count: USER_BOUNDS.tasks }),
    `User "ann" would have ${USER_BOUNDS.tasks + 4} tasks, and ${USER_BOUNDS.tasks} is the most: kill some first, or an admin raises it (borg quota bounds ann --tasks ${USER_BOUNDS.tasks + 4})`,
  );
  for (let i = 4; i < USER_BOUNDS.jobs; i++) assert.equal(submit(world, "ann", `small-${i}`), "ok");
  assert.equal(
    submit(world, "ann", "last"),
    `User "ann" would have 1001 jobs, and 1000 is the most: kill some first, or an admin raises it (borg quota bounds ann --jobs 1001)`,
  );
  assert.equal(
    world.say(userOp("ann", "", { case: "jobResize", value: { job: "ann/small-11", count: 9_999 } })),
    'User "ann" would have 10998 tasks, and 10000 is the most: kill some first, or an admin raises it (borg quota bounds ann --tasks 10998)',
  );
  assert.deepEqual(stateViolations(world.state), []);
});

test("the spec of a dead job shrinks to what history needs, and makes room for the next [cell.B2] [KB1]", () => {
  const world = new LargeCell();
  for (let i = 0; i < 50; i++) {
    assert.equal(submit(world, "ann", `large-${i}`, large), "ok");
    world.must(userOp("ann", "", { case: "jobKill", value: { job: `ann/large-${i}` } }));
  }
  assert.ok(world.state.specBytes < 50 * 500, `${world.state.specBytes} bytes`);
  const { spec, state } = world.state.jobs.get("ann/large-0" as never)!;
  assert.deepEqual(
    [state, spec.kind === "job" && spec.job.task?.command, spec.kind === "job" && spec.job.task?.files],
    ["dead", ["x"], []],
  );
  assert.deepEqual(stateViolations(world.state), []);
});

test("a job whose spec has shrunk is known again by its digest, until its name is used again [cell.B4] [D7]", () => {
  const world = new LargeCell();
  const command = ["/bin/sh", "-c", "echo $A"];
  const task = (value: string): JobWish => ({ task: { command, environment: [{ key: "A", value }] } });
  const run = (name: string, wish: JobWish): Uint8Array => {
    assert.equal(submit(world, "ann", name, wish), "ok");
    assert.equal(world.state.jobs.get(`ann/${name}` as never)!.specDigest.length, 0);
    world.must(userOp("ann", "", { case: "jobKill", value: { job: `ann/${name}` } }));
    const again = decodeCheckpoint(encodeCheckpoint(world.state).bytes);
    assert.ok(again.ok);
    return again.value.jobs.get(`ann/${name}` as never)!.specDigest;
  };
  const first = run("sum", task("1"));
  assert.equal(first.length, 16);
  assert.deepEqual(
    first,
    specDigest(make(JobSpecSchema, { ...jobSpec("sum", { priority: 0, ...task("1"), count: 7 }), user: "ann" })),
    "the count is kept beside it",
  );
  assert.notDeepEqual(run("sum", task("2")), first);
  assert.deepEqual(run("sum", task("1")), first);
});

test("all users together are bounded too, admins with them [cell.B1] [KB1]", () => {
  const world = new LargeCell();
  let said = "ok";
  for (let i = 0; said === "ok"; i++) {
    assert.ok(world.state.specBytes <= CELL_BOUNDS.specBytes && i < 100);
    said = submit(world, "admin", `large-${i}`, large);
  }
  assert.match(
    said,
    /^The cell holds 63\.\d MiB of job specs, of 64 MiB at most: ship large files in packages, and kill jobs that are not needed$/,
  );
  assert.match(submit(world, "ann", "small"), /of job specs, of 60\.8 MiB at most/, "the last part is for admins");
  assert.equal(submit(world, "admin", "small"), "ok");
});

test("an admin of quota raises and lowers a user's bounds; what it has stays [cell.B3] [P11]", () => {
  const world = new LargeCell();
  const set = (user: string, bounds: object, who = "admin"): string =>
    world.say(userOp(who, "", { case: "boundsSet", value: { user, bounds } } as never));
  for (let i = 0; i < 3; i++) assert.equal(submit(world, "ann", `job-${i}`), "ok");
  assert.equal(set("ann", { jobs: 2 }), "ok");
  assert.match(submit(world, "ann", "more"), /would have 4 jobs, and 2 is the most/);
  assert.equal(set("ann", { jobs: 4, tasks: 2 * USER_BOUNDS.tasks, specBytes: 1 }), "ok");
  assert.match(submit(world, "ann", "more"), /The specs of user "ann" would take/);
  assert.equal(set("ann", { jobs: 4 }), "ok");
  assert.equal(submit(world, "ann", "more"), "ok");
  assert.match(submit(world, "ann", "last"), /would have 5 jobs, and 4 is the most/);
  assert.equal(set("ann", {}), "ok");
  assert.equal(submit(world, "ann", "last"), "ok");
  assert.match(set("admin", { jobs: 1 }), /is an admin of the cell/);
  assert.match(set("nobody", { jobs: 1 }), /User "nobody" is unknown/);
  assert.match(set("ann", { jobs: 9 }, "ann"), /may not ask for boundsSet/);
});

test("what a user may ask of the API is set from version 8 on, of admins too [cell.B7] [P11]", () => {
  const world = new LargeCell(CALL_BOUNDS);
  const set = (user: string, bounds: object): string =>
    world.say(userOp("admin", "", { case: "boundsSet", value: { user, bounds } } as never));
  const may = (user: string): object => callBoundsOf(world.state.users.get(user as never)?.bounds);
  assert.equal(set("ann", { calls: 200, workPerSecond: 250 }), "ok");
  assert.deepEqual(may("ann"), { calls: 200, polls: USER_BOUNDS.polls, workPerSecond: 250 });
  assert.equal(set("ann", { polls: 5 }), "ok");
  assert.deepEqual(may("ann"), { calls: USER_BOUNDS.calls, polls: 5, workPerSecond: USER_BOUNDS.workPerSecond });
  assert.equal(set("admin", { calls: 7 }), "ok");
  assert.deepEqual(may("admin"), { calls: 7, polls: USER_BOUNDS.polls, workPerSecond: USER_BOUNDS.workPerSecond });
  assert.match(set("admin", { calls: 7, jobs: 1 }), /is an admin of the cell/);
  assert.equal(set("admin", {}), "ok");
  assert.equal(world.state.users.get("admin" as never)?.bounds, undefined);
  const before = new LargeCell(CALL_BOUNDS - 1);
  assert.match(
    before.say(userOp("admin", "", { case: "boundsSet", value: { user: "ann", bounds: { polls: 5 } } } as never)),
    /no bounds of a user's calls yet: upgrade every master/,
  );
  assert.match(before.say(userOp("admin", "", { case: "boundsSet", value: { user: "admin", bounds: {} } } as never)), /is an admin/);
});

test("what bounds count is right after any change, also of a cell that was read back [cell.B1] [KB1]", () => {
  const cell = new LargeCell();
  const resize = (job: string, count: number): Op => userOp("ann", "", { case: "jobResize", value: { job, count } });
  const kill = (job: string): Op => userOp("ann", "", { case: "jobKill", value: { job } });
  const counts = (state = cell.state): readonly number[] => {
    const { jobs, tasks, tasksKept, jobsKept } = usedBy(state.users.get("ann" as never)!);
    return [jobs, tasks, jobsKept, tasksKept, state.taskCount];
  };
  assert.equal(submit(cell, "ann", "web", { count: 5 }) + submit(cell, "bob", "other", { count: 2 }), "okok");
  assert.deepEqual(counts(), [1, 5, 1, 5, 7]);
  cell.must(resize("ann/web", 9));
  cell.must(resize("ann/web", 4));
  assert.deepEqual(counts(), [1, 4, 1, 4, 6]);
  cell.must(kill("ann/web"));
  assert.deepEqual(counts(), [0, 0, 1, 4, 6]);
  assert.equal(submit(cell, "ann", "web", { count: 3 }), "ok");
  assert.deepEqual(counts(), [1, 3, 1, 3, 5]);
  const read = decodeCheckpoint(encodeCheckpoint(cell.state).bytes);
  assert.ok(read.ok);
  assert.deepEqual([counts(read.value), stateViolations(read.value)], [counts(), []]);
  cell.must(kill("ann/web"));
  cell.must(userOp("ann", "", { case: "jobForget", value: { job: "ann/web" } }));
  assert.deepEqual(counts(), [0, 0, 0, 0, 2]);
  assert.deepEqual(stateViolations(cell.state), []);
});

test("the oldest dead jobs of a user make room for its new ones; a submit that is refused forgets none [cell.B5] [KB1]", () => {
  const cell = new LargeCell();
  const names = (): string => [...cell.state.jobs.values()].map(({ id }) => id.slice(4)).join(" ");
  const die = (name: string, count: number): void => {
    cell.state.timeMs += 1000;
    assert.equal(submit(cell, "ann", name, { count }), "ok");
    cell.must(userOp("ann", "", { case: "jobKill", value: { job: `ann/${name}` } }));
  };
  for (const name of ["old", "older", "new"]) die(name, 5_000);
  assert.equal(names(), "old older new");
  assert.match(submit(cell, "ann", "wide", { count: 10_001 }), /would have 10001 tasks, and 10000 is the most/);
  assert.equal(names(), "old older new", "it was refused");
  assert.equal(submit(cell, "ann", "more", { count: 5_001 }), "ok");
  assert.equal(names(), "new more", "the two oldest went");
  cell.must(userOp("ann", "", { case: "jobResize", value: { job: "ann/more", count: 10_000 } }));
  assert.equal(names(), "new more");
  cell.state.timeMs += 1000;
  cell.must(userOp("ann", "", { case: "jobKill", value: { job: "ann/more" } }));
  assert.equal(submit(cell, "ann", "next"), "ok");
  assert.equal(names(), "more next", "for a task more");
  cell.must(userOp("ann", "", { case: "jobResize", value: { job: "ann/next", count: 9_000 } }));
  assert.equal(names(), "next", "a job that grows needs room too");
  assert.equal(submit(cell, "ann", "new", { count: 1_000 }), "ok", "one whose name is used again is not forgotten for itself");
  assert.deepEqual(stateViolations(cell.state), []);
  const most = { jobs: 1, tasks: 1_000_000, specBytes: 0 };
  assert.deepEqual(outgrown({ ...cell.state, version: 2 }, cell.state.users.get("ann" as never)!, most, undefined), []);
});

test("twenty users who fill their bounds fit into the cell's, and leave its admins a part [cell.B5] [KB1]", () => {
  for (const [each, all] of [
    [USER_BOUNDS.jobsKept, CELL_BOUNDS.jobsKept],
    [USER_BOUNDS.tasksKept, CELL_BOUNDS.tasksKept],
    [USER_BOUNDS.specBytes, CELL_BOUNDS.specBytes],
    [SMALL_USER_BOUNDS.jobsKept, SMALL_CELL_BOUNDS.jobsKept],
    [SMALL_USER_BOUNDS.tasksKept, SMALL_CELL_BOUNDS.tasksKept],
    [SMALL_USER_BOUNDS.specBytes, SMALL_CELL_BOUNDS.specBytes],
  ] as const)
    assert.ok(20 * each <= 0.95 * all, `${20 * each} of ${all}`);
  const cell = new LargeCell();
  const { tasksKept } = CELL_BOUNDS;
  assert.equal(submit(cell, "admin", "most", { count: 100_000 }), "ok");
  for (let i = 0; i < 2; i++) assert.equal(submit(cell, "admin", `more-${i}`, { count: 100_000 }), "ok");
  assert.equal(submit(cell, "admin", "rest", { count: 0.95 * tasksKept - 300_000 }), "ok");
  assert.match(submit(cell, "ann", "one"), /^The cell would hold 380001 tasks, and 380000 is the most: dead ones go after a while$/);
  assert.equal(submit(cell, "admin", "last", { count: 1000 }), "ok");
});

test("bounds grow with the cell's machines, from version 6 on, until there are a thousand [cell.B6] [KB1]", () => {
  const cell = new LargeCell();
  const wide = SMALL_USER_BOUNDS.tasks + 1;
  assert.equal(submit(cell, "ann", "wide", { count: wide }), "ok");
  for (const version of [4, 5, 6]) cell.must(masterOp({ case: "cellVersion", value: { version } }));
  assert.equal(
    submit(cell, "ann", "more"),
    `User "ann" would have ${wide + 1} tasks, and ${SMALL_USER_BOUNDS.tasks} is the most: kill some first, or an admin raises it (borg quota bounds ann --tasks ${wide + 1})`,
    "what there is stays",
  );
  assert.equal(submit(cell, "admin", "most", { count: 95_000 - wide }), "ok");
  assert.equal(submit(cell, "bob", "one"), "The cell would hold 95001 tasks, and 95000 is the most: dead ones go after a while");
  const facts = { capacity: { cpuMilli: 1000, ramBytes: 2 ** 30, diskBytes: 2 ** 30 } };
  const grow = (to: number): void => {
    for (let i = cell.state.machines.size; i < to; i++) cell.must(masterOp({ case: "machineJoin", value: { machine: `m${i}`, facts } }));
  };
  grow(1);
  assert.deepEqual(
    [submit(cell, "ann", "next"), submit(cell, "bob", "one")],
    ["ok", "ok"],
    "a machine more is seven tasks more for each user",
  );
  grow(500);
  assert.deepEqual(cellBoundsOf(cell.state), { jobsKept: 32_500, tasksKept: 250_000, specBytes: 48 * 2 ** 20 });
  grow(1001);
  const { jobsKept, tasksKept, specBytes } = CELL_BOUNDS;
  assert.deepEqual(cellBoundsOf(cell.state), { jobsKept, tasksKept, specBytes });
});

test("an entry of a spec's lists weighs what it takes in memory, from version 6 on, whoever read the cell when [cell.B6] [KB1]", () => {
  const cell = new LargeCell();
  const overrides = Array.from({ length: 100 }, (_, i) => ({ first: i, last: i, arguments: ["x"], labels: [], environment: [] }));
  const environment = Array.from({ length: 200 }, (_, i) => ({ key: `A${i}`, value: "" }));
  const many = { count: 100, task: { command: ["x"], environment }, overrides };
  assert.equal(submit(cell, "ann", "many", many as never), "ok");
  const { used } = cell.state.users.get("ann" as never)!;
  const bytes = used.specBytes;
  assert.ok(bytes < 4_000, `${bytes} bytes before`);
  for (const version of [4, 5, 6]) cell.must(masterOp({ case: "cellVersion", value: { version } }));
  const entries = 1 + 200 + 100 * (4 + 1);
  assert.equal(used.specBytes - bytes, 128 * entries);
  const read = decodeCheckpoint(encodeCheckpoint(cell.state).bytes);
  assert.ok(read.ok);
  assert.equal(read.value.users.get("ann" as never)!.used.specBytes, used.specBytes, "a replica that reads it then weighs the same");
  assert.deepEqual([cell.state.specBytes, stateViolations(cell.state)], [read.value.specBytes, []]);
  for (let i = 0; i < 16; i++) assert.equal(submit(cell, "ann", `many-${i}`, many as never), "ok");
  assert.match(submit(cell, "ann", "last", many as never), /^The specs of user "ann" would take 1\.\d MiB, and 1\.5 MiB is the most/);
});
