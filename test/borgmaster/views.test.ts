/** Views call by call: a page that applies differences sees what a page sees that asks anew, and every bound holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import type { CellMethod } from "../../src/borgmaster/api/access.ts";
import { METHODS, mayBePaged } from "../../src/borgmaster/api/methods.ts";
import { WATCHES_PER_USER } from "../../src/borgmaster/api/view-calls.ts";
import { masterOp, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import { ViewKind, type WatchViewsRequest, WatchViewsRequestSchema, type WatchViewsResponse } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { TestApi } from "./test-api.ts";

type Views = {
  readonly kind: ViewKind;
  readonly query?: string;
  readonly sort?: string;
  readonly first?: number;
  readonly limit?: number;
}[];

class Desk extends TestApi {
  #calls = 0;

  submit(name: string, count: number, priority = 0): void {
    const spec = { user: "ann", name, count, priority, task: { command: ["x"], limit: { cpuMilli: 1 } } };
    this.entry(userOp("ann", "", { case: "jobSubmit", value: { spec } }));
  }

  kill(name: string): void {
    this.entry(userOp("ann", "", { case: "jobKill", value: { job: `ann/${name}` } }));
  }

  ask(request: Partial<Omit<WatchViewsRequest, "views">> & { readonly views: Views }, user = "ann"): void {
    this.#calls += 1;
    const made = make(WatchViewsRequestSchema, { watch: "page", ...request } as never);
    const id = `c${this.#calls}`;
    this.hear({ type: "call", id, method: "watchViews", user, request: made, requestId: "", deadlineMs: 60_000, stale: true });
  }

  answer(): WatchViewsResponse {
    const [first, ...more] = this.answers();
    assert.ok(first?.type === "answered" && more.length === 0, `one answer, not ${JSON.stringify([first, ...more])}`);
    return first.response as WatchViewsResponse;
  }

  wait(ms: number): void {
    for (let left = ms; left > 0; left -= 50) {
      this.env.nowMs += 50;
      for (const timer of this.env.timers.splice(0)) {
        if (timer.atMs <= this.env.nowMs) this.api.onTimer(timer.tag);
        else this.env.timers.push(timer);
      }
    }
  }
}

const JOBS: Views = [{ kind: ViewKind.JOBS }];

/** What a page knows of one view of jobs, after what it was told. */
class Page {
  order: readonly string[] = [];
  readonly rows = new Map<string, string>();
  total = 0;
  seen = 0;

  hear({ seen, changes }: WatchViewsResponse): this {
    this.seen = seen;
    for (const { anew, ordered, order, jobs, total } of changes) {
      if (anew) this.rows.clear();
      if (ordered) this.order = order;
      this.total = total;
      for (const { job } of jobs) this.rows.set(job!.name, `${job!.state} ${job!.count} ${job!.pending} ${job!.dead}`);
    }
    return this;
  }

  get shown(): string {
    return `${this.total}: ${this.order.map((name) => `${name} ${this.rows.get(name)}`).join("; ")}`;
  }
}

test("A page that applies differences shows what one shows that asks anew [N5]", () => {
  const desk = new Desk();
  const random = new Random(7);
  const views: Views = [{ kind: ViewKind.JOBS, query: "state:any", first: 2, limit: 6 }];
  const page = new Page();
  for (let i = 0; i < 200; i++) {
    const name = `j${random.int(0, 14)}`;
    if (random.chance(0.6)) desk.submit(name, random.int(1, 4));
    else desk.kill(name);
    if (random.chance(0.1)) desk.entry(userOp("ann", "", { case: "jobForget", value: { job: `ann/${name}` } }));
    desk.answers();
    if (random.chance(0.4)) continue;
    desk.wait(1000);
    desk.ask({ seen: page.seen, views });
    page.hear(desk.answer());
    desk.ask({ watch: "other", views });
    assert.equal(page.shown, new Page().hear(desk.answer()).shown, `after ${i} changes`);
  }
  assert.ok(page.total > 6, "there was more than the window");
});

test("With nothing new a call waits; what happens within a tenth of a second comes in one answer [N5]", () => {
  const desk = new Desk();
  desk.submit("a", 1);
  desk.answers();
  desk.ask({ views: JOBS, waitMs: 1500 });
  const { seen, changes } = desk.answer();
  assert.equal(changes[0]?.anew, true);
  desk.ask({ views: JOBS, seen, waitMs: 1500 });
  desk.submit("b", 1);
  desk.submit("c", 2);
  assert.deepEqual(desk.answers(), []);
  desk.wait(150);
  const next = desk.answer();
  assert.deepEqual(
    next.changes.map(({ anew, ordered, jobs }) => [anew, ordered, jobs.map(({ job }) => job?.name)]),
    [[false, true, ["ann/b", "ann/c"]]],
  );
  desk.ask({ views: JOBS, seen: next.seen, waitMs: 1500 });
  desk.wait(1400);
  assert.deepEqual(desk.answers(), []);
  desk.wait(200);
  assert.deepEqual([desk.answer().changes, next.seen], [[], next.seen]);
});

test("Who asks with another number than it was told last gets everything anew [borgmaster.V1]", () => {
  const desk = new Desk();
  desk.submit("a", 1);
  desk.answers();
  desk.ask({ views: JOBS });
  const { seen } = desk.answer();
  for (const wrong of [seen + 1, 0, 99]) {
    desk.wait(200);
    desk.ask({ views: JOBS, seen: wrong });
    const { changes } = desk.answer();
    assert.deepEqual([changes[0]?.anew, changes[0]?.order], [true, ["ann/a"]], String(wrong));
  }
  desk.hear({ type: "restore", position: 0, checkpoint: undefined });
  desk.entry(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
  desk.answers();
  desk.ask({ views: [{ kind: ViewKind.CELL }], seen: 1 }, "admin");
  assert.equal(desk.answer().changes[0]?.cell?.jobs, 0, "what a copy knew before it began anew is not told");
});

test("A watch that nobody asked about for a minute is forgotten [borgmaster.V2]", () => {
  const desk = new Desk();
  desk.submit("a", 1);
  desk.answers();
  desk.ask({ views: JOBS });
  const { seen } = desk.answer();
  desk.wait(59_000);
  desk.ask({ views: JOBS, seen });
  const next = desk.answer();
  assert.equal(next.changes[0]?.anew, false);
  desk.wait(61_000);
  desk.ask({ views: JOBS, seen: next.seen });
  assert.equal(desk.answer().changes[0]?.anew, true);
});

test("A user has so many watches; the oldest goes for one more, and nobody else's [borgmaster.V3]", () => {
  const desk = new Desk();
  desk.submit("a", 1);
  desk.answers();
  const seen = (watch: string, user: string, known = 0): WatchViewsResponse => {
    desk.wait(150);
    desk.ask({ watch, seen: known, views: JOBS }, user);
    return desk.answer();
  };
  const admins = seen("page", "admin").seen;
  const first = seen("w0", "ann").seen;
  for (let i = 1; i < WATCHES_PER_USER; i++) seen(`w${i}`, "ann");
  assert.equal(seen("w0", "ann", first).changes[0]?.anew ?? false, false, "it is still known");
  const second = 1;
  seen("more", "ann");
  assert.equal(seen("w1", "ann", second).changes[0]?.anew, true, "the one that was asked about longest ago is not");
  assert.equal(seen("page", "admin", admins).changes[0]?.anew ?? false, false);
});

test("What is wrong comes first; queries choose by owner, state and name [N5]", () => {
  const desk = new Desk();
  desk.submit("fine", 1);
  desk.submit("prod", 3, 50);
  desk.kill("fine");
  desk.answers();
  const names = (query: string, user = "ann"): readonly string[] => {
    desk.wait(200);
    desk.ask({ watch: query, views: [{ kind: ViewKind.JOBS, query }] }, user);
    return desk.answer().changes[0]?.order ?? [];
  };
  assert.deepEqual(names(""), ["ann/prod"]);
  assert.deepEqual(names("state:any"), ["ann/prod", "ann/fine"]);
  assert.deepEqual(names("state:dead FI"), ["ann/fine"]);
  assert.deepEqual([names("user:me", "admin"), names("user:me"), names("user:ann")], [[], ["ann/prod"], ["ann/prod"]]);
  assert.deepEqual([names("band:free"), names("band:batch"), names("state:wrong")], [["ann/prod"], [], ["ann/prod"]]);
});

test("Pages make the changes that one makes while looking, and no others [N5] [KA2]", () => {
  const changes = (Object.keys(METHODS) as CellMethod[]).filter((method) => mayBePaged(method) && METHODS[method].kind === "change");
  assert.deepEqual(changes.sort(), [
    "commitUpdate",
    "drainMachine",
    "killJob",
    "openShell",
    "pauseUpdate",
    "resizeJob",
    "restartJob",
    "startUpdate",
    "undoUpdate",
  ]);
  for (const method of ["createToken", "submitJob", "setSecret", "uploadPackage", "claimTasks", "denyMachine", "openUi"] as const)
    assert.equal(mayBePaged(method), false, method);
});
