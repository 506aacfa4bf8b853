/** Names (Borg §2.6): who stands under the name of a task, a job and a service, from the entry that changes it on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Copy } from "../../src/borgmaster/api/copy.ts";
import { resolve } from "../../src/borgmaster/api/resolve.ts";
import { encodeEntry, makeEntry, masterOp, type Op, schedulerOp, userOp } from "../../src/cell/op.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import { ResolveRequestSchema, type ResolveResponse } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Health, type InstanceReportSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";

const GIB = 2 ** 30;
const FACTS = { capacity: { cpuMilli: 8000, ramBytes: 16 * GIB, diskBytes: GIB }, portFirst: 20_000, portLast: 20_099 };

class Cell {
  readonly copy = new Copy();
  #timeMs = 1_000_000;

  constructor() {
    this.copy.hear({ type: "restore", position: 0, checkpoint: undefined });
    this.do(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    for (const version of [2, 3, 4, 5, 6, 7]) this.do(masterOp({ case: "cellVersion", value: { version } }));
    this.do(masterOp({ case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450 } } }));
    for (const user of ["ann", "bob"]) this.do(userOp("admin", "", { case: "userGrant", value: { user, roles: [Role.USER] } }));
    for (const machine of ["m1", "m2"])
      this.do(masterOp({ case: "machineJoin", value: { machine, facts: { ...FACTS, host: `10.0.0.${machine.slice(1)}` } } }));
  }

  do(...ops: Op[]): void {
    this.#timeMs += 1000;
    this.copy.hear({ type: "entry", position: this.copy.state.position + 1, payload: encodeEntry(makeEntry(this.#timeMs, ops)) });
  }

  submit(name: string, more: object = {}, user = "ann"): void {
    const task = { command: ["serve"], limit: { cpuMilli: 100, ramBytes: GIB / 16 }, ports: ["http", "debug"] };
    this.do(userOp(user, "", { case: "jobSubmit", value: { spec: { user, name, count: 2, task, ...more } } }));
  }

  place(task: string, machine: string): string {
    const { incarnation } = this.#task(task);
    this.do(schedulerOp("service", { case: "taskClaims", value: { claims: [{ task, incarnation, place: machine }] } }));
    return this.#task(task).instance!.id;
  }

  report(machine: string, ...instances: Init<typeof InstanceReportSchema>[]): void {
    this.do(masterOp({ case: "machineReport", value: { machine, instances: instances.map((each) => ({ run: 1, ...each })) } }));
  }

  /** Placed, and it runs. */
  run(task: string, machine: string): string {
    const instance = this.place(task, machine);
    this.report(machine, { instance, phase: Phase.RUNNING });
    return instance;
  }

  names(init: Init<typeof ResolveRequestSchema>): ResolveResponse {
    return resolve(this.copy, make(ResolveRequestSchema, init)).page as ResolveResponse;
  }

  /** Which tasks are under a job's name. */
  ready(name = "ann/web"): readonly string[] {
    return this.names({ name }).tasks.map((task) => task.name);
  }

  #task(name: string) {
    const slash = name.lastIndexOf("/");
    return this.copy.state.jobs.get(name.slice(0, slash) as never)!.tasks[Number(name.slice(slash + 1))]!;
  }
}

test("A task that runs is under its own name and its job's, with host and port; the job's size is told beside [N1] [N3]", () => {
  const cell = new Cell();
  cell.submit("web");
  assert.deepEqual([cell.names({ name: "ann/web" }).size, cell.ready()], [2, []], "a job of tasks that wait is there, and nobody serves");
  const instance = cell.run("ann/web/1", "m2");
  const { tasks, ...job } = cell.names({ name: "ann/web" });
  assert.deepEqual([job.kind, job.size, job.ready, job.more], ["job", 2, 1, false]);
  assert.equal(tasks.length, 1);
  const [one] = tasks;
  assert.deepEqual([one!.name, one!.host, one!.machine, one!.instance, one!.ready], ["ann/web/1", "10.0.0.2", "m2", instance, true]);
  assert.deepEqual(
    one!.ports.map(({ name, number }) => [name, number]),
    [
      ["http", 20_000],
      ["debug", 20_001],
    ],
  );
  const task = cell.names({ name: "ann/web/1" });
  assert.deepEqual([task.kind, task.size, task.ready, task.tasks], ["task", 1, 1, tasks]);
  const waits = cell.names({ name: "ann/web/0" });
  assert.deepEqual([waits.kind, waits.tasks.length], ["task", 0], "it is there, and not ready");
  assert.deepEqual(
    cell.names({ name: "ann/web", all: true }).tasks.map(({ name, state, ready, host }) => [name, state, ready, host]),
    [
      ["ann/web/0", "pending", false, ""],
      ["ann/web/1", "running", true, "10.0.0.2"],
    ],
  );
});

test("What is not ready leaves its name with the entry that says so: stopped, failing its check, in a back-off, on a lost machine [N1] [N3]", () => {
  const cell = new Cell();
  const check = { port: "http", path: "/" };
  const task = { command: ["serve"], limit: { cpuMilli: 100, ramBytes: GIB / 16 }, ports: ["http"], ready: check };
  cell.submit("web", { task });
  const instance = cell.place("ann/web/0", "m1");
  cell.report("m1", { instance, phase: Phase.RUNNING });
  assert.deepEqual(cell.ready(), [], "its check has said nothing yet");
  cell.report("m1", { instance, phase: Phase.RUNNING, ready: Health.GOOD });
  assert.deepEqual(cell.ready(), ["ann/web/0"]);
  cell.report("m1", { instance, phase: Phase.RUNNING, ready: Health.BAD, problem: "503" });
  assert.deepEqual(cell.ready(), []);
  cell.report("m1", { instance, phase: Phase.RUNNING, ready: Health.GOOD });
  cell.do(masterOp({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  assert.deepEqual(cell.ready(), [], "nobody knows how it is");
  cell.do(masterOp({ case: "machineMark", value: { machine: "m1", reachable: true } }));
  assert.deepEqual(cell.ready(), ["ann/web/0"]);
  cell.report("m1", { instance, phase: Phase.STARTING, failures: 1, backoffMs: 4000, exitCode: 1 });
  assert.deepEqual(cell.ready(), [], "between two runs nobody listens");
  cell.report("m1", { instance, phase: Phase.RUNNING, run: 2, ready: Health.GOOD });
  assert.deepEqual(cell.ready(), ["ann/web/0"]);
  cell.do(userOp("ann", "", { case: "jobRestart", value: { job: "ann/web" } }));
  assert.deepEqual(cell.ready(), [], "it still serves for a while, for who knew it before");
});

test("What has ended is called nothing any more, and neither is an alloc set or what never was [N1]", () => {
  const cell = new Cell();
  cell.submit("web");
  const instance = cell.run("ann/web/0", "m1");
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }));
  assert.equal(cell.names({ name: "ann/web" }).ready, 0);
  cell.report("m1", { instance, phase: Phase.GONE });
  for (const name of ["ann/web", "ann/web/0", "ann/none", "ann/web/00", "ann", "", "ann/web/", "/", "ann/web/x"])
    assert.deepEqual([cell.names({ name }).kind, cell.names({ name }).tasks], ["", []], name);
  cell.do(
    userOp("ann", "", {
      case: "allocSetSubmit",
      value: { spec: { user: "ann", name: "room", count: 1, limit: { cpuMilli: 10, ramBytes: GIB / 16 } } },
    }),
  );
  assert.equal(cell.names({ name: "ann/room" }).kind, "");
});

test("A service is all jobs of one user with its label, whatever they are called; another's of the same name is another [N1] [L2]", () => {
  const cell = new Cell();
  const labels = [{ key: "service", value: "site" }];
  cell.submit("canary", { count: 1, labels });
  cell.submit("stable", { labels });
  cell.submit("other", {});
  cell.submit("stable", { labels }, "bob");
  for (const task of ["ann/stable/1", "ann/canary/0", "ann/other/0", "bob/stable/0"]) cell.run(task, "m1");
  const { kind, size, ready, tasks } = cell.names({ user: "ann", service: "site" });
  assert.deepEqual([kind, size, ready, tasks.map(({ name }) => name)], ["service", 3, 2, ["ann/canary/0", "ann/stable/1"]]);
  assert.equal(cell.names({ user: "ann", service: "none" }).kind, "");
  assert.equal(cell.names({ user: "zed", service: "site" }).kind, "");
});

test("An answer has another version when anything in it is another, and waits only while it is the same [N3]", () => {
  const cell = new Cell();
  cell.submit("web");
  const versions = new Set<string>();
  const look = (): void => {
    const { version } = cell.names({ name: "ann/web" });
    const again = resolve(cell.copy, make(ResolveRequestSchema, { name: "ann/web", version }));
    assert.deepEqual([again.empty, (again.page as ResolveResponse).unchanged, (again.page as ResolveResponse).tasks], [true, true, []]);
    assert.equal(resolve(cell.copy, make(ResolveRequestSchema, { name: "ann/web" })).empty, false, "who knows nothing is told at once");
    versions.add(version);
  };
  look();
  const instance = cell.run("ann/web/0", "m1");
  look();
  cell.run("ann/web/1", "m2");
  look();
  cell.report("m1", { instance, phase: Phase.RUNNING, run: 2, failures: 1, upMs: 1 });
  look();
  cell.do(userOp("ann", "", { case: "jobResize", value: { job: "ann/web", count: 3 } }));
  look();
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }));
  look();
  assert.equal(versions.size, 6);
  const { version } = cell.names({ name: "ann/web" });
  cell.submit("elsewhere");
  assert.equal(cell.names({ name: "ann/web" }).version, version, "what others do is no news");
});
