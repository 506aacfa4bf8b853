/** The API's reads and changes over a cell that is really applied: what users see, who may see it, and what happens at the bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerClient } from "../../src/borgmaster/answers.ts";
import { accessProblem } from "../../src/borgmaster/api/access.ts";
import { changedView } from "../../src/borgmaster/api/changes.ts";
import { Copy } from "../../src/borgmaster/api/copy.ts";
import { EventLog } from "../../src/borgmaster/api/event-log.ts";
import { findLog } from "../../src/borgmaster/api/logs.ts";
import { readFeed } from "../../src/borgmaster/api/read-feed.ts";
import * as reads from "../../src/borgmaster/api/reads.ts";
import { reportEvictions, reportQuota, reportReclaim } from "../../src/borgmaster/api/reports.ts";
import { checkJob, whyOf } from "../../src/borgmaster/api/why.ts";
import { Packer, unpack } from "../../src/borgmaster/packing.ts";
import { applyEntry } from "../../src/cell/cell.ts";
import { feedItem, type Image, imageOf } from "../../src/cell/feed.ts";
import { FeedReader } from "../../src/cell/feed-reader.ts";
import { decodeEntry, encodeEntry, makeEntry, masterOp, type Op, schedulerOp, userOp } from "../../src/cell/op.ts";
import { refusalKind } from "../../src/cell/ops/table.ts";
import { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { runPass } from "../../src/scheduler/pass.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import { make } from "../../src/wire/codec.ts";
import * as api from "../../src/wire/gen/borg/v1/api_pb.ts";
import { EventKind } from "../../src/wire/gen/borg/v1/event_pb.ts";
import { InstanceReportSchema, Phase, UsageSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Cause, Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { JobSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";

const GIB = 2 ** 30;
const facts = {
  capacity: { cpuMilli: 4000, ramBytes: 8 * GIB, diskBytes: 100 * GIB },
  portFirst: 20_000,
  portLast: 20_099,
  host: "127.0.0.1",
};
const spec = (name: string, more: object = {}) => ({
  user: "ann",
  name,
  count: 2,
  task: { command: ["work"], limit: { cpuMilli: 500, ramBytes: GIB }, ports: ["http"] },
  ...more,
});

class Cell {
  readonly copy = new Copy();
  timeMs = 1_000_000;

  constructor() {
    this.copy.hear({ type: "restore", position: 0, checkpoint: undefined });
    this.do(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    this.do(masterOp({ case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450 } } }));
    this.do(userOp("admin", "", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
    this.do(masterOp({ case: "machineJoin", value: { machine: "m1", facts } }));
  }

  do(...ops: Op[]): void {
    this.timeMs += 1000;
    this.copy.hear({ type: "entry", position: this.copy.state.position + 1, payload: encodeEntry(makeEntry(this.timeMs, ops)) });
  }

  /** A job of two whose first task runs. */
  withWork(): this {
    this.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("web") } }));
    const incarnation = this.copy.state.jobs.get("ann/web" as never)!.tasks[0]!.incarnation;
    this.do(schedulerOp("service", { case: "taskClaims", value: { claims: [{ task: "ann/web/0", incarnation, place: "m1" }] } }));
    const instance = this.copy.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id;
    this.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.RUNNING, run: 1 }] } }));
    return this;
  }
}

test("a task between two runs is backing off for everybody who asks, and the countdown is that of the last report [U11] [cell.T9]", () => {
  const cell = new Cell().withWork();
  const { copy } = cell;
  cell.do(masterOp({ case: "cellVersion", value: { version: 2 } }));
  const instance = copy.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id;
  const waits = { instance, phase: Phase.STARTING, run: 1, exitCode: 127, failures: 2, backoffMs: 4000 };
  cell.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [waits] } }));
  const { tasks } = reads.listTasks(copy, make(api.ListTasksRequestSchema, { states: ["backing-off"] }));
  assert.deepEqual(
    tasks.map(({ name, state, exitCode, runFailures, runMs, notBeforeMs }) => [name, state, exitCode, runFailures, runMs, notBeforeMs]),
    [["ann/web/0", "backing-off", 127, 2, 0, copy.state.timeMs + 4000]],
  );
  assert.equal(reads.listTasks(copy, make(api.ListTasksRequestSchema, { states: ["running"] })).tasks.length, 0);
  const [job] = reads.listJobs(copy, make(api.ListJobsRequestSchema, {})).jobs;
  assert.deepEqual([job!.running, job!.backingOff, job!.pending], [0, 1, 1]);
  assert.equal(reads.getCell(copy, make(api.GetCellRequestSchema, {}), "ann").running, 0);
  const told = make(InstanceReportSchema, { ...waits, run: 3, backoffMs: 2500 });
  copy.usage.learn([{ machine: "m1", usage: [], waiting: [told] }], { wallMs: 0, cellMs: 5000 });
  const [again] = reads.listTasks(copy, make(api.ListTasksRequestSchema, { states: ["backing-off"] })).tasks;
  assert.equal(again!.notBeforeMs, 7500);
  const why = whyOf(copy.state, "ann/web/0", copy.state.timeMs + 1000);
  assert.ok(why.ok);
  assert.equal(why.value.problem, "backs off, next try in 3 s, 2 runs failed in a row, last exit 127: command not found");
});

test("what a task moved between memory and disks is told as its machine said it, and absent where that did not [B1] [borglet.U9]", () => {
  const { cell, instances } = reclaiming();
  const [first, ...rest] = instances;
  const usage = [
    make(UsageSchema, { instance: first!, last: { cpuMilli: 400 }, diskTraffic: { readBytes: 0, writtenBytes: 5e12 } }),
    ...rest.map((instance) => make(UsageSchema, { instance, last: { cpuMilli: 400 } })),
  ];
  cell.copy.usage.learn([{ machine: "m1", usage, waiting: [] }], { wallMs: 1, cellMs: 1 });
  const { tasks } = reads.listTasks(cell.copy, make(api.ListTasksRequestSchema, { machine: "m1" }));
  assert.deepEqual(tasks.map(({ name, diskTraffic }) => [name, diskTraffic && [diskTraffic.readBytes, diskTraffic.writtenBytes]]).sort(), [
    ["ann/mill/0", [0, 5e12]],
    ["ann/mill/1", undefined],
    ["ann/web/0", undefined],
  ]);
});

test("dead tasks are counted by how they ended [U11]", () => {
  const cell = new Cell().withWork();
  const instance = cell.copy.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id;
  cell.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.FINISHED, run: 1 }] } }));
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }));
  const [job] = reads.listJobs(cell.copy, make(api.ListJobsRequestSchema, { dead: true })).jobs;
  assert.deepEqual([job!.dead, job!.finished, job!.killed, job!.failed, job!.lost], [2, 1, 1, 0, 0]);
});

test("jobs, tasks and machines as users see them [U9] [U12]", () => {
  const { copy } = new Cell().withWork();
  const { jobs } = reads.listJobs(copy, make(api.ListJobsRequestSchema, {}));
  assert.deepEqual(
    jobs.map(({ name, state, running, pending }) => [name, state, running, pending]),
    [["ann/web", "running", 1, 1]],
  );
  const { tasks } = reads.listTasks(copy, make(api.ListTasksRequestSchema, { machine: "m1" }));
  assert.equal(tasks.length, 1);
  assert.deepEqual(
    tasks[0]!.ports.map(({ name, number }) => [name, number]),
    [["http", 20_000]],
  );
  assert.equal(tasks[0]!.limit!.ramBytes, GIB);
  const machine = reads.getMachine(copy, make(api.GetMachineRequestSchema, { machine: "m1" }));
  assert.ok(machine.ok && machine.value.machine?.state === "up" && machine.value.tasks.length === 1);
  const task = reads.getTask(copy, make(api.GetTaskRequestSchema, { task: "ann/web/0" }), "ann");
  assert.ok(task.ok);
  assert.deepEqual(
    task.value.history.map(({ text }) => text).filter((text) => /placed|runs/.test(text)),
    ["ann/web/0 was placed on m1", "ann/web/0 runs on m1"],
  );
  const view = reads.getCell(copy, make(api.GetCellRequestSchema, { hash: true }), "ann");
  assert.deepEqual([view.tasks, view.running, view.pending, view.machines], [2, 1, 1, 1]);
  assert.match(view.hash, /^[0-9a-f]{64}$/);
});

test("lists are pages in the order of names, tasks by index", () => {
  const cell = new Cell();
  for (const name of ["c", "a", "b"]) cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec(name, { count: 12 }) } }));
  const first = reads.listJobs(cell.copy, make(api.ListJobsRequestSchema, { limit: 2 }));
  assert.deepEqual([first.jobs.map(({ name }) => name), first.more], [["ann/a", "ann/b"], true]);
  const rest = reads.listJobs(cell.copy, make(api.ListJobsRequestSchema, { limit: 2, after: "ann/b" }));
  assert.deepEqual([rest.jobs.map(({ name }) => name), rest.more], [["ann/c"], false]);
  const tasks = reads.listTasks(cell.copy, make(api.ListTasksRequestSchema, { limit: 3, after: "ann/a/9" })).tasks;
  assert.deepEqual(
    tasks.map(({ name }) => name),
    ["ann/a/10", "ann/a/11", "ann/b/0"],
  );
});

test("events are read with a cursor; what is no longer kept is said [U9]", () => {
  const cell = new Cell().withWork();
  const read = (init: object) => reads.readEvents(cell.copy, make(api.ReadEventsRequestSchema, init));
  const all = read({ limit: 1000 });
  const again = read({ afterPosition: all.nextPosition, afterIndex: all.nextIndex, limit: 1000 });
  assert.deepEqual([again.events.length, again.missed], [0, false]);
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }));
  const news = read({ afterPosition: again.nextPosition, afterIndex: again.nextIndex, about: "ann/web", limit: 1000 });
  assert.ok(
    news.events.some(({ text }) => text.includes("ann/web/1 is dead, killed (by ann)")),
    news.events.map(({ text }) => text).join("\n"),
  );
  const late = new EventLog(100).read({ position: 5, index: 0 }, { name: "", isMeant: undefined }, 10);
  assert.deepEqual([late.missed, late.next], [true, { position: 100, index: 0 }]);
  let seen = 0;
  for (let cursor = { afterPosition: 1, afterIndex: 0 }; ; ) {
    const page = read({ ...cursor, limit: 2 });
    seen += page.events.length;
    if (page.events.length === 0) break;
    cursor = { afterPosition: page.nextPosition, afterIndex: page.nextIndex };
  }
  assert.equal(seen, read({ afterPosition: 1, limit: 1000 }).events.length);
});

test("every kind of event has its number and its words: a kill, a task that lost its machine, a clock that was set [U9]", () => {
  const cell = new Cell();
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("agent", { count: 0, perMachine: true }) } }));
  cell.do(masterOp({ case: "machineMark", value: { machine: "m1", reachable: false } }));
  cell.do(masterOp({ case: "machineLeave", value: { machine: "m1" } }));
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("web") } }));
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }));
  cell.do(masterOp({ case: "cellVersion", value: { version: 2 } }));
  cell.do(masterOp({ case: "cellClock", value: { toMs: cell.timeMs + 7_200_000 } }));
  const { events } = reads.readEvents(cell.copy, make(api.ReadEventsRequestSchema, { limit: 1000 }));
  const told = (kind: EventKind) => events.filter(({ event }) => event?.kind === kind).map(({ text }) => text);
  assert.deepEqual(told(EventKind.JOB_KILLED), ["ann/web was killed (by ann)"]);
  assert.deepEqual(told(EventKind.TASK_CHANGED), ["ann/agent/0 is no longer tied to m1"]);
  assert.deepEqual(told(EventKind.CELL_CLOCK), ["cell cc: clock set ahead by 7199 s; nothing ends by it for ten minutes"]);
  assert.deepEqual(told(EventKind.UNSPECIFIED), []);
});

test("a caller hears that there was nothing to do: the job was dead, had that many tasks, or was there just so [cell.J5] [cell.J6]", () => {
  const cell = new Cell().withWork();
  const change = (op: Op) => {
    const [outcome] = applyEntry(cell.copy.state, cell.copy.state.position + 1, makeEntry(cell.timeMs, [op]));
    const answer = answerClient("q", cell.copy.state.position, outcome!);
    assert.ok(answer.type === "answer" && answer.result === "done");
    return changedView(answer);
  };
  const kill = userOp("ann", "k1", { case: "jobKill", value: { job: "ann/web" } });
  assert.equal(change(userOp("ann", "s1", { case: "jobSubmit", value: { spec: spec("web") } })).already, true);
  assert.equal(change(userOp("ann", "c1", { case: "jobResize", value: { job: "ann/web", count: 2 } })).already, true);
  assert.equal(change(userOp("ann", "c2", { case: "jobResize", value: { job: "ann/web", count: 3 } })).already, false);
  const killed = change(kill);
  assert.equal(killed.already, false);
  const report = { instance: cell.copy.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id, phase: Phase.GONE };
  cell.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [report] } }));
  assert.equal(cell.copy.state.jobs.get("ann/web" as never)?.state, "dead");
  assert.equal(change(userOp("ann", "k2", { case: "jobKill", value: { job: "ann/web" } })).already, true);
  const again = change(kill);
  assert.deepEqual([again.repeated, again.already, again.position], [true, false, killed.position]);
});

test("a no tells its kind: no right, no such thing, or refused [KA2]", () => {
  const { copy } = new Cell().withWork();
  const kill = (user: string, job: string) => refusalKind(copy.state, userOp(user, "", { case: "jobKill", value: { job } }));
  assert.equal(kill("ann", "ann/nope"), "not-found");
  assert.equal(kill("bob", "ann/web"), "not-permitted");
  assert.equal(refusalKind(copy.state, userOp("ann", "", { case: "jobSubmit", value: { spec: spec("x", { priority: 200 }) } })), "refused");
});

test("who has no role reads nothing; logs are their owner's and the admin's [KA2]", () => {
  const { state } = new Cell().copy;
  assert.match(accessProblem(state, "listJobs", "nobody", "") ?? "", /no role/);
  assert.equal(accessProblem(state, "listJobs", "ann", ""), undefined);
  assert.match(accessProblem(state, "readLog", "ann", "admin") ?? "", /may not read/);
  assert.equal(accessProblem(state, "readLog", "ann", "ann"), undefined);
  assert.equal(accessProblem(state, "readLog", "admin", "ann"), undefined);
  assert.match(accessProblem(state, "listTokens", "ann", "") ?? "", /may not read/);
});

test("why: what stands in the way, of a job or a task; a submit that is only tried changes nothing [N7]", () => {
  const cell = new Cell();
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("big", { task: { command: ["x"], limit: { cpuMilli: 9000 } } }) } }));
  const why = whyOf(cell.copy.state, "ann/big");
  assert.ok(why.ok && why.value.feasible === 0);
  assert.deepEqual(
    why.value.reasons.map(({ reason, machines }) => [reason, machines]),
    [["lacks 5 cores of cpu or more by reservations", 1]],
  );
  assert.deepEqual(
    why.value.changes.map(({ change }) => change),
    ["ask for 4 cores of cpu instead of 9 cores of cpu"],
  );
  assert.equal(whyOf(cell.copy.state, "ann/nope").ok, false);
  const here = whyOf(new Cell().withWork().copy.state, "ann/web/0");
  assert.ok(here.ok && here.value.score.length > 0);
  assert.match(here.value.summary[0] ?? "", /^m1 is the best of 1 machine/);
  const before = reads.getCell(cell.copy, make(api.GetCellRequestSchema, { hash: true }), "ann").hash;
  const tried = checkJob(cell.copy.state, "ann", make(JobSpecSchema, spec("new")));
  assert.deepEqual([tried.refusal, tried.exists, tried.explanation?.feasible], ["", false, 1]);
  assert.match(checkJob(cell.copy.state, "ann", make(JobSpecSchema, spec("new", { priority: 200 }))).refusal, /no production quota/);
  assert.equal(reads.getCell(cell.copy, make(api.GetCellRequestSchema, { hash: true }), "ann").hash, before);
});

test("a log is found with the instance a task has, or last had [N6]", () => {
  const cell = new Cell().withWork();
  const find = (task: string) => findLog(cell.copy, make(api.ReadLogRequestSchema, { task }));
  const now = find("ann/web/0");
  assert.ok(now.ok && now.value.machine === "m1");
  assert.equal(find("ann/web/1").ok, false);
  const { instance } = now.value;
  cell.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.FINISHED, run: 1 }] } }));
  const last = find("ann/web/0");
  assert.ok(last.ok && last.value.instance === instance);
});

test("what threads tell each other comes out as it went in [KD6]", () => {
  const { copy } = new Cell().withWork();
  const packer = new Packer();
  const entry = makeEntry(9_000_000, [userOp("ann", "r1", { case: "jobKill", value: { job: "ann/web" } })]);
  const image = imageOf(copy.state);
  const outcomes = applyEntry(copy.state, copy.state.position + 1, entry);
  const item = feedItem(copy.state, outcomes);
  const through = (message: object) => unpack(structuredClone(packer.pack(message).body));
  const { image: whole, ...rest } = through({ type: "image", image }) as { readonly image: Image };
  assert.deepEqual([{ ...whole, records: [...whole.records] }, rest], [image, { type: "image" }]);
  const [told] = (through({ type: "items", items: [item] }) as { items: (typeof item)[] }).items;
  assert.deepEqual([told!.position, told!.records, told!.removed], [item.position, item.records, item.removed]);
  const view = new Uint8Array(100).subarray(10, 20);
  assert.deepEqual(through({ type: "request", id: "7", op: view }), { type: "request", id: "7", op: view });
  assert.deepEqual(through({ type: "ops", term: 3, ops: [view] }), { type: "ops", term: 3, ops: [view] });
  const { body, bytes } = packer.pack({ type: "entry", position: 1, payload: view });
  assert.deepEqual([bytes, (body["payload"] as Uint8Array).buffer.byteLength], [10, 10]);
  assert.ok(decodeEntry(encodeEntry(entry)).ok);
});

test("a scheduler elsewhere reads the whole cell, then what changes; who was away too long begins again [S7] [KD6]", () => {
  const cell = new Cell().withWork();
  const read = (from: number) => readFeed(cell.copy, make(api.ReadFeedRequestSchema, { from }), "ann");
  const whole = read(0);
  assert.deepEqual([whole.anew, whole.items.length, whole.more, whole.next], [true, 0, "", cell.copy.state.position + 1]);
  assert.deepEqual(new Set(whole.piece.map(({ body }) => body.case)), new Set(["cell", "user", "scheduler", "machine", "job", "tasks"]));
  assert.deepEqual([read(whole.next).anew, read(whole.next).items.length], [false, 0]);
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("more") } }));
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/more" } }));
  const news = read(whole.next);
  assert.deepEqual([news.anew, news.items.map(({ position }) => position)], [false, [whole.next, whole.next + 1]]);
  assert.deepEqual(news.items[1]?.events.map(({ kind, subject, actor }) => [kind, subject, actor?.name]).slice(0, 1), [
    [EventKind.JOB_KILLED, "ann/more", "ann"],
  ]);
  assert.equal(read(whole.next - 1).anew, true, "What was before the first look is not kept");
  assert.equal(read(cell.copy.state.position + 100).anew, true, "A position that is not there yet is not waited for");
});

test("the specs that older instances run are veiled like the job's own [KA2] [cell.J14]", () => {
  const cell = new Cell().withWork();
  const job = cell.copy.state.jobs.get("ann/web" as never)!;
  const secret = make(JobSpecSchema, spec("web", { task: { command: ["x", "hushed"], environment: [{ key: "A", value: "hushed" }] } }));
  job.kept = [{ generation: 0, spec: { kind: "job", job: secret }, instances: 1 }];
  const said = (user: string): string => JSON.stringify(readFeed(cell.copy, make(api.ReadFeedRequestSchema, {}), user));
  assert.deepEqual([said("ann").includes("hushed"), said("bob").includes("hushed")], [true, false]);
});

test("of a job with an image others see no word of the command: the first one is an argument already [KA2] [U8]", () => {
  const cell = new Cell().withWork();
  const job = cell.copy.state.jobs.get("ann/web" as never)!;
  const packages = [{ name: "os", version: "a".repeat(64), root: true }];
  const secret = make(JobSpecSchema, spec("web", { task: { command: ["--password=hushed"], packages } }));
  job.kept = [{ generation: 0, spec: { kind: "job", job: secret }, instances: 1 }];
  const said = (user: string): string => JSON.stringify(readFeed(cell.copy, make(api.ReadFeedRequestSchema, {}), user));
  assert.deepEqual([said("ann").includes("hushed"), said("bob").includes("hushed")], [true, false]);
});

test("the digest of a forgotten spec is for those who may see the spec [D7] [N7]", () => {
  const cell = new Cell().withWork();
  cell.do(masterOp({ case: "cellVersion", value: { version: 2 } }));
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("more") } }));
  cell.do(userOp("ann", "", { case: "jobKill", value: { job: "ann/more" } }));
  const inFeed = (user: string) =>
    readFeed(cell.copy, make(api.ReadFeedRequestSchema, {}), user).piece.flatMap(({ body }) =>
      body.case === "job" && body.value.spec.value?.name === "more" ? [body.value.specDigest.length] : [],
    );
  const shown = (user: string) => {
    const found = reads.getJob(cell.copy, make(api.GetJobRequestSchema, { job: "ann/more" }), user);
    return found.ok ? found.value.specDigest.length : -1;
  };
  assert.deepEqual(["ann", "admin", "bob"].map(inFeed), [[16], [16], [0]]);
  assert.deepEqual(["ann", "admin", "bob"].map(shown), [16, 16, 0]);
});

test("a large cell comes in pieces, and a piece waits for the items before it [S7] [KD6]", () => {
  const cell = new Cell();
  cell.do(userOp("admin", "", { case: "quotaSet", value: { user: "ann", band: Band.FREE, quota: { unlimited: true } } }));
  for (let i = 0; i < 4; i++)
    cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec(`job${i}`, { count: 2000, priority: 0 }) } }));
  const read = (request: { readonly from: number; readonly more: string }) =>
    readFeed(cell.copy, make(api.ReadFeedRequestSchema, request), "ann");
  const reader = new FeedReader();
  const first = read(reader.request);
  assert.deepEqual([first.anew, first.more], [true, "job ann/job2/999"]);
  assert.equal(reader.hear(first).image, undefined);
  cell.do(userOp("ann", "", { case: "jobResize", value: { job: "ann/job0", count: 9000 } }));
  cell.do(userOp("ann", "", { case: "jobResize", value: { job: "ann/job0", count: 1 } }));
  const news = read(reader.request);
  assert.deepEqual([news.items.length, news.piece.length, news.more], [1, 0, first.more], "there is another item before the piece");
  reader.hear(news);
  const last = read(reader.request);
  assert.deepEqual([last.items.length, last.more], [1, ""]);
  const { image } = reader.hear(last);
  assert.ok(image !== undefined);
  const mirror = new Mirror("service");
  assert.equal(mirror.load(image), undefined);
  assert.deepEqual(
    [...mirror.jobs.values()].map(({ tasks }) => tasks.length),
    [1, 2000, 2000, 2000],
  );
  assert.equal(mirror.position, cell.copy.state.position);
});

test("claims, conflicts and waits are counted for every scheduler [O15]", () => {
  const cell = new Cell().withWork();
  const before = cell.copy.schedulers.of("service");
  assert.deepEqual([before.transactions, before.placed, before.refused, before.firstClaims], [1, 1, 0, 1]);
  cell.do(schedulerOp("service", { case: "taskClaims", value: { claims: [{ task: "ann/web/1", incarnation: 99, place: "m1" }] } }));
  const { claims, refused, firstClaims } = cell.copy.schedulers.of("service");
  assert.deepEqual([claims, refused, firstClaims], [2, 1, 1]);
  const [view] = reads.listSchedulers(cell.copy, new Map([["service", { busyMs: 5, upMs: 50 }]])).schedulers;
  assert.deepEqual([view!.name, view!.refused, view!.busyMs, view!.jobs], ["service", 1, 5, 1]);
});

test("a preview names the victims that the claim then evicts, if nothing changed meanwhile [G5] [P3]", () => {
  const cell = new Cell();
  const full = { task: { command: ["x"], limit: { cpuMilli: 1900, ramBytes: GIB } } };
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("low", full) } }));
  const claims = [0, 1].map((index) => ({
    task: `ann/low/${index}`,
    incarnation: cell.copy.state.jobs.get("ann/low" as never)!.tasks[index]!.incarnation,
    place: "m1",
  }));
  cell.do(schedulerOp("service", { case: "taskClaims", value: { claims } }));
  cell.do(userOp("admin", "", { case: "quotaSet", value: { user: "ann", band: Band.BATCH, quota: { unlimited: true } } }));
  const high = spec("high", { count: 1, priority: 110, task: { command: ["x"], limit: { cpuMilli: 2000, ramBytes: GIB } } });
  const preview = checkJob(cell.copy.state, "ann", make(JobSpecSchema, high));
  assert.deepEqual([preview.placed, preview.victims.length], [1, 1]);
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: high } }));
  const mirror = new Mirror("service");
  mirror.load(imageOf(cell.copy.state));
  const { transactions } = runPass(mirror, new Queue({ mine: () => true, retryMs: 0 }), { nowMs: mirror.timeMs, id: () => "t" });
  const planned = transactions.flatMap(({ claims: all }) => all.flatMap(({ victims = [] }) => victims));
  assert.deepEqual(
    planned,
    preview.victims.map(({ instance }) => instance),
  );
});

/** Version 3: a prod task of half the machine, and batch tasks in what it does not use. */
function reclaiming(): { readonly cell: Cell; readonly instances: readonly string[] } {
  const cell = new Cell();
  for (const version of [2, 3, 4]) cell.do(masterOp({ case: "cellVersion", value: { version } }));
  const quota = { limit: { cpuMilli: 4000, ramBytes: 8 * GIB } };
  cell.do(userOp("admin", "", { case: "quotaSet", value: { user: "ann", band: Band.PRODUCTION, quota } }));
  cell.do(userOp("admin", "", { case: "quotaSet", value: { user: "ann", band: Band.BATCH, quota: { unlimited: true } } }));
  const task = { command: ["work"], limit: { cpuMilli: 3000, ramBytes: GIB } };
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("web", { count: 1, priority: 200, task }) } }));
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("mill", { priority: 100, task: { ...task, ports: [] } }) } }));
  const place = (name: string, index: number): string => {
    const found = cell.copy.state.jobs.get(name as never)!.tasks[index]!;
    const { incarnation } = found;
    cell.do(schedulerOp("service", { case: "taskClaims", value: { claims: [{ task: `${name}/${index}`, incarnation, place: "m1" }] } }));
    const instance = found.instance!.id;
    cell.do(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.RUNNING, run: 1 }] } }));
    const reservations = [{ instance, amount: { cpuMilli: 500, ramBytes: GIB } }];
    cell.do(masterOp({ case: "reservations", value: { machine: "m1", reservations } }));
    return instance;
  };
  const instances = [place("ann/mill", 0), place("ann/web", 0), place("ann/mill", 1)];
  const usage = instances.map((instance) => make(UsageSchema, { instance, last: { cpuMilli: 400 }, peak: { cpuMilli: 400 } }));
  cell.copy.usage.learn([{ machine: "m1", usage, waiting: [] }], { wallMs: 1, cellMs: 1 });
  return { cell, instances };
}

test("work beyond a machine's capacity runs in reclaimed resources: the lowest priority and the last to come, never prod [R1] [S13] [X8]", () => {
  const { cell } = reclaiming();
  const rows = (by: api.ReportBy, more: object = {}): string[] =>
    reportReclaim(cell.copy, make(api.ReportReclaimRequestSchema, { by, ...more })).rows.map(
      ({ name, tasks, limit, reservation, usage, reclaimed, tasksInReclaimed, limitInReclaimed, partInReclaimed, prodLimit }) =>
        `${name} ${tasks}: ${limit?.cpuMilli} ${reservation?.cpuMilli} ${usage?.cpuMilli}, ${reclaimed?.cpuMilli} of ${tasksInReclaimed} with ${limitInReclaimed?.cpuMilli}, ${partInReclaimed.toFixed(2)} of the work, prod ${prodLimit?.cpuMilli}`,
    );
  assert.deepEqual(rows(api.ReportBy.CELL), ["cc 3: 9000 1500 1200, 5000 of 2 with 6000, 0.67 of the work, prod 3000"]);
  assert.deepEqual(rows(api.ReportBy.USER), ["ann 3: 9000 1500 1200, 5000 of 2 with 6000, 0.67 of the work, prod 3000"]);
  assert.deepEqual(rows(api.ReportBy.JOB), [
    "ann/mill 2: 6000 1000 800, 5000 of 2 with 6000, 1.00 of the work, prod 0",
    "ann/web 1: 3000 500 400, 0 of 0 with 0, 0.00 of the work, prod 3000",
  ]);
  assert.deepEqual(rows(api.ReportBy.JOB, { after: "ann/mill" }).length, 1);
  assert.deepEqual(rows(api.ReportBy.JOB, { user: "nobody" }), []);
  const page = reportReclaim(cell.copy, make(api.ReportReclaimRequestSchema, { by: api.ReportBy.JOB, limit: 1 }));
  assert.deepEqual([page.rows.length, page.more], [1, true]);
});

test("the quota report says what is granted, admitted, on machines and used, and its cost: higher bands cost more [P8] [P9]", () => {
  const { cell } = reclaiming();
  const { rows, sold, capacity } = reportQuota(cell.copy, make(api.ReportQuotaRequestSchema, { user: "ann" }));
  assert.deepEqual(
    rows.map(({ band, quota, charged, running, usage, quotaCost, chargedCost }) => [
      ...[band, quota?.limit?.cpuMilli, charged?.cpuMilli, running?.cpuMilli, usage?.cpuMilli],
      ...[quotaCost, chargedCost],
    ]),
    [
      [Band.BATCH, undefined, 6000, 6000, 800, 0, 6.5],
      // Three times (4 cores and 8 GiB / 4), and three times (3 cores and a GiB / 4).
      [Band.PRODUCTION, 4000, 3000, 3000, 400, 18, 9.75],
    ],
  );
  assert.deepEqual([sold?.cpuMilli, capacity?.cpuMilli], [4000, 4000]);
});

test("the report of evictions has the days that were asked for, with what runs, and is no more than thirty [V7] [KB1]", () => {
  const { cell, instances } = reclaiming();
  cell.do(masterOp({ case: "taskEvict", value: { instances: [instances[2]!], cause: Cause.OUT_OF_RESOURCES } }));
  const asked = (days: number) => reportEvictions(cell.copy, make(api.ReportEvictionsRequestSchema, { days })).days;
  assert.deepEqual(
    asked(0).map(({ day, nonProd, prod }) => [day, nonProd?.outOfResources, (prod?.runMs ?? 0) > 0]),
    [[0, 1, true]],
  );
  cell.timeMs += 50 * 86_400_000;
  cell.do(masterOp({ case: "barrier", value: {} }));
  assert.deepEqual([asked(0).length, asked(3).length, asked(3)[0]?.nonProd?.outOfResources], [30, 3, 0]);
});

test("lists and events show what has such labels, and an override's count for its tasks [L1]", () => {
  const cell = new Cell();
  for (const version of [2, 3, 4]) cell.do(masterOp({ case: "cellVersion", value: { version } }));
  const app = (value: string) => ({ labels: [{ key: "app", value }] });
  const overrides = [{ first: 1, last: 1, labels: [{ key: "track", value: "canary" }] }];
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("a", { ...app("web"), overrides }) } }));
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("b", app("db")) } }));
  cell.do(userOp("ann", "", { case: "jobSubmit", value: { spec: spec("c") } }));
  const jobs = (selector: string): string =>
    reads
      .listJobs(cell.copy, make(api.ListJobsRequestSchema, { selector }))
      .jobs.map(({ name }) => name)
      .join();
  assert.deepEqual(
    [jobs("app=web"), jobs("app!=web"), jobs("app in (web, db)"), jobs("!app")],
    ["ann/a", "ann/b,ann/c", "ann/a,ann/b", "ann/c"],
  );
  const tasks = (selector: string) => reads.listTasks(cell.copy, make(api.ListTasksRequestSchema, { selector })).tasks;
  assert.deepEqual(
    tasks("track=canary").map(({ name }) => name),
    ["ann/a/1"],
  );
  assert.deepEqual(
    tasks("track=canary")[0]?.labels.map(({ key, value }) => `${key}=${value}`),
    ["app=web", "track=canary"],
  );
  assert.deepEqual(
    tasks("app=web,!track").map(({ name }) => name),
    ["ann/a/0"],
  );
  const machines = (selector: string): number =>
    reads.listMachines(cell.copy, make(api.ListMachinesRequestSchema, { selector })).machines.length;
  assert.deepEqual([machines(""), machines("gpu"), machines("!gpu")], [1, 0, 1]);
  const about = (selector: string): string[] => {
    const { events } = reads.readEvents(cell.copy, make(api.ReadEventsRequestSchema, { selector, limit: 1000 }));
    return [...new Set(events.map(({ event }) => event?.subject ?? ""))].sort();
  };
  assert.deepEqual(about("app=db"), ["ann/b", "ann/b/0", "ann/b/1"]);
  assert.deepEqual(about("track"), ["ann/a/1"]);
  assert.ok(about("!app").includes("ann/c") && !about("!app").includes("m1"), "a machine has no labels");
});

test("a page of a list that is selected from goes on behind its last one [L1]", () => {
  const cell = new Cell();
  for (const name of ["a", "b", "c", "d"])
    cell.do(
      userOp("ann", "", {
        case: "jobSubmit",
        value: { spec: spec(name, { labels: [{ key: "odd", value: String("ac".includes(name)) }] }) },
      }),
    );
  const page = (after: string) => reads.listJobs(cell.copy, make(api.ListJobsRequestSchema, { selector: "odd=true", limit: 1, after }));
  assert.deepEqual([page("").jobs[0]?.name, page("").more], ["ann/a", true]);
  assert.deepEqual([page("ann/a").jobs[0]?.name, page("ann/a").more], ["ann/c", false]);
});
