import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEntry, newState } from "../../cell/cell.ts";
import { makeEntry, masterOp, type Op, schedulerOp, userOp } from "../../cell/op.ts";
import { Phase } from "../../wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import { RestartWhen, SchedulingMode, Spread } from "../../wire/gen/borg/v1/spec_pb.ts";
import { spaceFor } from "./space.ts";
import { FITS_MS, Waiting } from "./waiting.ts";

const GIB = 2 ** 30;
const facts = { capacity: { cpuMilli: 4000, ramBytes: 8 * GIB, diskBytes: 9 * GIB }, portFirst: 1, portLast: 9 };

/** A cell with two machines whose clock a test turns by hand, and what a judge makes of it. */
function setUp() {
  const state = newState();
  const waiting = new Waiting(1);
  let worldMs = 0;
  let cellMs = 1_000_000;
  const apply = (...ops: Op[]): void => {
    const outcomes = applyEntry(state, state.position + 1, makeEntry(cellMs, ops));
    for (const outcome of outcomes) assert.ok(outcome.ok, outcome.ok ? "" : outcome.reason);
    waiting.note(
      state,
      worldMs,
      outcomes.flatMap((outcome) => (outcome.ok ? outcome.events : [])),
    );
  };
  apply(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
  for (const name of ["service", "batch-0"]) apply(masterOp({ case: "schedulerSet", value: { name, limits: { priorityMax: 450 } } }));
  apply(userOp("admin", "", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  apply(userOp("admin", "", { case: "quotaSet", value: { user: "ann", band: Band.BATCH, quota: { unlimited: true } } }));
  for (const machine of ["m1", "m2"]) apply(masterOp({ case: "machineJoin", value: { machine, facts } }));
  const submit = (name: string, cpuMilli: number, more: object = {}): void => {
    const restart = { when: RestartWhen.ALWAYS, backoffMinMs: 8000 };
    const spec = { user: "ann", name, count: 1, restart, task: { command: ["x"], limit: { cpuMilli, ramBytes: GIB } }, ...more };
    apply(userOp("ann", "", { case: "jobSubmit", value: { spec } }));
  };
  const jobOf = (name: string) => state.jobs.get(`ann/${name}` as never)!;
  const place = (name: string, machine: string, index = 0): void => {
    const task = jobOf(name).tasks[index]!;
    const claims = [{ task: task.id, incarnation: task.incarnation, place: machine, victims: [], seen: 0 }];
    apply(schedulerOp("service", { case: "taskClaims", value: { claims } }));
    assert.ok(task.instance);
  };
  const fail = (name: string): void => {
    const { instance } = jobOf(name).tasks[0]!;
    apply(
      masterOp({
        case: "machineReport",
        value: { machine: instance!.place.machine.id, instances: [{ instance: instance!.id, phase: Phase.FAILED }] },
      }),
    );
  };
  const pass = (ms: number, cell = ms): void => {
    worldMs += ms;
    cellMs += cell;
  };
  /** As the observer does at the end of a run. */
  const judged = (): readonly string[] => {
    for (let look = 0; look < 3; look++) waiting.look(state, worldMs - FITS_MS);
    return waiting.violations().map(({ id, text }) => `${id} ${text.slice(0, text.indexOf(" "))}`);
  };
  const room = (name: string) =>
    spaceFor(
      state,
      jobOf(name),
      jobOf(name).tasks.filter((task) => task.state === "pending"),
    );
  return { state, apply, submit, place, fail, pass, judged, room };
}

test("a task that fits and waits for 20 s of the world's time breaks KS3, also when the cell's clock stands still [KS3]", () => {
  const { submit, place, fail, pass, judged } = setUp();
  submit("web", 1000);
  place("web", "m1");
  fail("web");
  pass(8000 + FITS_MS - 1, 0);
  assert.deepEqual(judged(), [], "it counts from the end of its back-off");
  const late = setUp();
  late.submit("web", 1000);
  late.place("web", "m1");
  late.fail("web");
  late.pass(8000 + FITS_MS, 0);
  assert.deepEqual(late.judged(), ["KS3 ann/web/0"]);
});

test("room that is gone at one look, a held job, or a scheduler at its own limits is no violation [KS3]", () => {
  const full = setUp();
  full.submit("web", 4000);
  full.pass(FITS_MS);
  assert.equal(full.room("web"), "free");
  for (const machine of ["m1", "m2"]) full.apply(userOp("admin", "", { case: "machineDrain", value: { machine, draining: true } }));
  assert.deepEqual([full.room("web"), full.judged()], [undefined, []]);
  const held = setUp();
  held.submit("first", 1000);
  held.place("first", "m1");
  held.submit("web", 1000, { startAfter: "ann/first" });
  held.pass(FITS_MS);
  assert.deepEqual(held.judged(), []);
  const capped = setUp();
  capped.submit("web", 1000);
  capped.apply(userOp("admin", "", { case: "schedulerSet", value: { name: "batch-0", limits: { priorityMax: 450, jobsMax: 0 } } }));
  capped.pass(FITS_MS);
  assert.deepEqual(capped.judged(), []);
});

test("a gang needs room for all of it; with hard spread a machine for each [KS3]", () => {
  const gang = { mode: SchedulingMode.GANG };
  const { submit, pass, judged, room } = setUp();
  submit("four", 2000, { ...gang, count: 4 });
  submit("five", 2000, { ...gang, count: 5 });
  submit("two", 1000, { ...gang, count: 2, spread: Spread.HARD });
  submit("three", 1000, { ...gang, count: 3, spread: Spread.HARD });
  assert.deepEqual(["four", "five", "two", "three"].map(room), ["free", undefined, "free", undefined]);
  pass(FITS_MS);
  assert.deepEqual(judged(), ["KS3 ann/four/0", "KS3 ann/two/0"]);
});

test("who could make room by eviction breaks KS4; never by evicting its own band above free, nor equals [KS4]", () => {
  const { submit, place, pass, judged, room } = setUp();
  for (const [name, machine] of [
    ["low", "m1"],
    ["mid", "m2"],
  ] as const) {
    submit(name, 4000, { priority: name === "low" ? 10 : 110 });
    place(name, machine);
  }
  submit("same", 4000, { priority: 10 });
  submit("batch", 4000, { priority: 110 });
  submit("gang", 4000, { priority: 115, count: 2, mode: SchedulingMode.GANG });
  assert.deepEqual(["same", "batch", "gang"].map(room), [undefined, "victims", "victims"]);
  pass(FITS_MS);
  assert.deepEqual(judged(), ["KS4 ann/batch/0", "KS4 ann/gang/0"]);
});
