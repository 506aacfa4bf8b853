/** What reads cost, and that no read costs more than a page: by counts, never by a clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareIds } from "../../src/base/id.ts";
import { Copy } from "../../src/borgmaster/api/copy.ts";
import { FeedRing } from "../../src/borgmaster/api/feed-ring.ts";
import { METHODS } from "../../src/borgmaster/api/methods.ts";
import { Portions } from "../../src/borgmaster/api/portions.ts";
import { Meter } from "../../src/borgmaster/api/price.ts";
import * as reads from "../../src/borgmaster/api/reads.ts";
import { applyEntry } from "../../src/cell/cell.ts";
import { encodeEntry, makeEntry, masterOp, type Op, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import * as api from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";

const USERS = ["ann", "ann-b", "bob"];

class Cell {
  readonly copy = new Copy();
  #timeMs = 1_000_000;

  constructor() {
    this.copy.hear({ type: "restore", position: 0, checkpoint: undefined });
    this.do(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    this.do(masterOp({ case: "cellVersion", value: { version: 2 } }));
    for (const user of USERS) this.do(userOp("admin", "", { case: "userGrant", value: { user, roles: [Role.USER] } }));
  }

  do(...ops: Op[]): void {
    this.#timeMs += 1000;
    this.copy.hear({ type: "entry", position: this.copy.state.position + 1, payload: encodeEntry(makeEntry(this.#timeMs, ops)) });
  }

  submit(user: string, names: readonly string[], count = 1): this {
    const task = { command: ["work"], limit: { cpuMilli: 1, ramBytes: 1024 } };
    this.do(...names.map((name) => userOp("admin", "", { case: "jobSubmit", value: { spec: { user, name, count, task } } })));
    return this;
  }

  /** What a call costs. */
  price(method: "listJobs" | "listTasks" | "readFeed" | "readEvents" | "getCell", request: object): number {
    const meter = new Meter();
    const how = METHODS[method];
    assert.ok(how.kind === "read" || how.kind === "poll");
    how.read(this.copy, request as never, "ann", meter);
    return meter.price;
  }
}

const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `j${i}`);

test("a read costs by what it looked at and answered, and the same every time [KB1] [P11]", () => {
  const cell = new Cell().submit("ann", named(900)).submit("bob", ["wide"], 30_000);
  const jobs = make(api.ListJobsRequestSchema, {});
  assert.equal(cell.price("listJobs", make(api.ListJobsRequestSchema, { limit: 1 })), 1);
  assert.equal(cell.price("listJobs", jobs), 6, "901 jobs answered, and 30,900 tasks looked at for it");
  assert.equal(cell.price("listJobs", jobs), 6);
  assert.equal(cell.price("listTasks", make(api.ListTasksRequestSchema, { states: ["running"] })), 4, "all looked at, none answered");
  assert.equal(
    cell.price("readFeed", make(api.ReadFeedRequestSchema, {})),
    15,
    "a piece of 5,000 records and tasks, and what its last record has beyond",
  );
  assert.equal(cell.price("getCell", make(api.GetCellRequestSchema, {})), 7);
});

test("a change costs by the tasks that it makes or ends [KB1] [P11]", () => {
  const cell = new Cell().submit("bob", ["wide"], 30_000);
  const price = (body: Parameters<typeof userOp>[2]): number => {
    const meter = new Meter();
    meter.changes(cell.copy.state, userOp("bob", "", body));
    return meter.price;
  };
  const spec = (count: number) => ({ user: "bob", name: "more", count, task: { command: ["x"] } });
  assert.equal(price({ case: "jobSubmit", value: { spec: spec(1) } }), 1);
  assert.equal(price({ case: "jobSubmit", value: { spec: spec(100_000) } }), 51);
  assert.equal(price({ case: "jobKill", value: { job: "bob/wide" } }), 16);
  assert.equal(price({ case: "jobKill", value: { job: "bob/none" } }), 1);
  assert.equal(price({ case: "jobResize", value: { job: "bob/wide", count: 26_000 } }), 3);
});

test("a page is bounded whatever was asked for, and pages together are the whole list [KB1]", () => {
  const cell = new Cell().submit("bob", ["wide"], 5_500).submit("ann", ["a", "b"]);
  const sizes: number[] = [];
  const all: string[] = [];
  for (let after = "", more = true; more; ) {
    const page = reads.listTasks(cell.copy, make(api.ListTasksRequestSchema, { limit: 10_000, after }));
    sizes.push(page.tasks.length);
    all.push(...page.tasks.map(({ name }) => name));
    after = all.at(-1) as string;
    more = page.more;
  }
  assert.deepEqual(sizes, [2000, 2000, 1502]);
  assert.equal(new Set(all).size, 5_502);
  assert.deepEqual(all.slice(0, 4), ["ann/a/0", "ann/b/0", "bob/wide/0", "bob/wide/1"]);
});

test("lists of one user have its jobs alone, also beside a look-alike, in order as jobs come and go [KA2] [KB1]", () => {
  const cell = new Cell();
  for (const user of USERS) cell.submit(user, ["z", "m", "a"]);
  const kill = (job: string): void => cell.do(userOp("admin", "", { case: "jobKill", value: { job } }));
  const forget = (job: string): void => cell.do(userOp("admin", "", { case: "jobForget", value: { job } }));
  const names = (user: string, after = ""): string =>
    reads
      .listJobs(cell.copy, make(api.ListJobsRequestSchema, { user, after, dead: true }))
      .jobs.map(({ name }) => name)
      .join(" ");
  assert.equal(names("ann"), "ann/a ann/m ann/z");
  assert.equal(names("ann", "ann/m"), "ann/z");
  kill("ann/m");
  forget("ann/m");
  cell.submit("ann", ["b"]);
  assert.equal(names("ann"), "ann/a ann/b ann/z");
  assert.equal(names(""), [...cell.copy.state.jobs.keys()].sort(compareIds).join(" "));
  assert.equal(
    reads
      .listTasks(cell.copy, make(api.ListTasksRequestSchema, { user: "ann", after: "ann/a/0" }))
      .tasks.map(({ name }) => name)
      .join(" "),
    "ann/b/0 ann/z/0",
  );
});

test("a poll that found nothing looks only at what is new [KB1]", () => {
  const cell = new Cell().submit("ann", named(300), 40);
  const poll = METHODS.readEvents;
  assert.ok(poll.kind === "poll");
  const request = make(api.ReadEventsRequestSchema, { about: "nobody", waitMs: 1000 });
  const first = new Meter();
  const { next, empty } = poll.read(cell.copy, request as never, "ann", first);
  assert.ok(empty && first.work > 0.02);
  const second = new Meter();
  poll.read(cell.copy, next as never, "ann", second);
  assert.equal(second.work, 0);
});

test("what the feed keeps for its readers is bounded by weight: specs of jobs that are long dead go [KB1]", () => {
  const { copy } = new Cell();
  const { state } = copy;
  const ring = new FeedRing(100);
  ring.read(state, 0, 10);
  const add = (op: Op): void => ring.add(state, applyEntry(state, state.position + 1, makeEntry(2_000_000, [op])), []);
  const from = state.position + 1;
  const environment = [{ key: "A", value: "x".repeat(9_000) }];
  for (let i = 0; i < 30; i++) {
    const spec = { user: "ann", name: `j${i}`, count: 1, task: { command: ["x"], limit: { cpuMilli: 1 }, environment } };
    add(userOp("admin", "", { case: "jobSubmit", value: { spec } }));
    add(userOp("admin", "", { case: "jobKill", value: { job: `ann/j${i}` } }));
    if (i === 5) assert.equal(ring.read(state, from, 10_000)?.length, 12);
  }
  assert.equal(ring.read(state, from, 10_000), undefined, "270 KB of specs are not kept");
  assert.equal(ring.read(state, state.position - 5, 10_000)?.length, 6);
  assert.equal(ring.read(state, state.position - 5, 3)?.length, 1, "an answer ends with the item that makes it heavy");
});

test("a portion is so much and no more; then each user's next one goes, and who asks for little is not behind who asks for much [KB1]", () => {
  const done: string[] = [];
  let asked = 0;
  const portions = new Portions(() => {
    asked += 1;
  });
  const add = (name: string, work: number): void =>
    portions.add(name[0] as string, () => {
      done.push(name);
      return work;
    });
  portions.begin();
  for (let i = 0; i < 6; i++) add(`h${i}`, 6);
  add("l0", 0.1);
  assert.deepEqual([done, asked], [["h0", "h1"], 1]);
  portions.begin();
  add("m0", 0.1);
  portions.next();
  assert.deepEqual(done.splice(0), ["h0", "h1", "h2", "l0", "m0", "h3"]);
  portions.next();
  assert.deepEqual([done.splice(0), asked], [["h4", "h5"], 2]);
  portions.begin();
  add("l1", 0.1);
  assert.deepEqual(done, ["l1"], "with nothing left over it goes at once");
});

test("reads of admins are worked out before all others that wait [KB2]", () => {
  const done: string[] = [];
  const portions = new Portions(() => {});
  const due = (name: string) => (): number => {
    done.push(name);
    return 10;
  };
  portions.begin();
  for (const name of ["a0", "a1", "a2"]) portions.add("a", due(name));
  portions.add("b", due("b0"));
  portions.add("root", due("root"), true);
  for (let i = 0; i < 5; i++) portions.next();
  assert.deepEqual(done, ["a0", "root", "a1", "b0", "a2"]);
});
