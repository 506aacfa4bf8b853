import assert from "node:assert/strict";
import { test } from "node:test";
import { Budgets, type Spender } from "./budgets.ts";

const budgets = (more = {}): Budgets => new Budgets({ workPerSecond: 10, workBurst: 30, workOfAll: 1000, workBurstOfAll: 10_000, ...more });

const by = (user: string, workPerSecond = 10): Spender => ({ user, isAdmin: false, workPerSecond });
const adminBy = (user: string): Spender => ({ ...by(user), isAdmin: true });

test("a burst goes through, then so much work a second; one user's does not count for another [KB1] [P11]", () => {
  const all = budgets();
  const ann = (nowMs: number, price = 10): number => all.take(by("ann"), price, nowMs);
  assert.deepEqual(
    [1000, 1000, 1000, 1000, 1500, 2000, 2000].map((nowMs) => ann(nowMs)),
    [0, 0, 0, 1000, 500, 0, 1000],
  );
  assert.equal(all.take(by("bob"), 10, 2000), 0);
  assert.deepEqual(
    [100_000, 100_000, 100_000, 100_000].map((nowMs) => ann(nowMs)),
    [0, 0, 0, 1000],
  );
});

test("what a call cost beyond what it paid is owed, and what it paid too much comes back [KB1]", () => {
  const all = budgets();
  assert.equal(all.take(by("ann"), 1, 1000), 0);
  all.settle(by("ann"), "listJobs", 1, 80);
  assert.equal(all.take(by("ann"), 1, 1000), 5100, "50 owed, and one more, at 10 a second");
  assert.equal(all.take(by("ann"), 1, 6101), 0);
  assert.equal(all.take(by("bob"), 20, 6101), 0);
  all.settle(by("bob"), "listJobs", 20, 1);
  assert.equal(all.take(by("bob"), 29, 6101), 0);
});

test("heavy calls are expected to be heavy at once, and to be light again after a while: many at once pay before they run [KB1]", () => {
  const all = budgets();
  assert.equal(all.expected("listJobs"), 1);
  all.settle(by("ann"), "listJobs", 1, 25);
  assert.equal(all.expected("listJobs"), 25);
  assert.equal(all.expected("getTask"), 1);
  assert.deepEqual(
    [0, 0].map(() => Math.sign(all.take(by("bob"), all.expected("listJobs"), 1000))),
    [0, 1],
  );
  for (let i = 0; i < 20; i++) all.settle(by("ann"), "listJobs", 1, 1);
  assert.ok(all.expected("listJobs") < 2);
});

test("those who spend at the same time share what all may; a light user does not wait, and an admin has its own [KB1] [KB2]", () => {
  const all = budgets({ workOfAll: 20 });
  const heavy = Array.from({ length: 10 }, (_, i) => `heavy-${i}`);
  for (const user of heavy) all.take(by(user), 30, 1000);
  all.take(adminBy("root"), 30, 1000);
  let done = 0;
  let admin = 0;
  for (let nowMs = 1020; nowMs <= 11_000; nowMs += 20) {
    for (const user of heavy) if (all.take(by(user), 1, nowMs) === 0) done += 1;
    if (all.take(adminBy("root"), 1, nowMs) === 0) admin += 1;
    assert.equal(nowMs % 1000 === 0 ? all.take(by("light"), 1, nowMs) : 0, 0);
  }
  assert.ok(done > 120 && done <= 200, `${done} calls in ten seconds, of 20 a second`);
  assert.ok(admin >= 95 && admin <= 100, `${admin} of an admin's 10 a second`);
});

test("a crowd has one burst together; who has hardly asked for anything goes on, and so do admins [KB1] [KB2]", () => {
  const all = budgets({ workBurst: 160, workOfAll: 100, workBurstOfAll: 300 });
  const crowd = Array.from({ length: 20 }, (_, i) => `u${i}`);
  const through = (): number => crowd.filter((user) => all.take(by(user), 20, 1000) === 0).length;
  assert.equal(through(), 20, "the first of each, although 15 are their burst");
  assert.equal(through(), 0);
  assert.equal(all.take(by("u0"), 20, 1000), 1200, "100 owed, and 20 more, at 100 a second");
  for (let i = 0; i < 3; i++) assert.equal(all.take(by("late"), 5, 1000), 0);
  assert.ok(all.take(by("late"), 5, 1000) > 0, "a sixteenth of its burst is spent");
  assert.equal(all.take(adminBy("root"), 20, 1000), 0);
  assert.equal(all.take(by("u0"), 20, 3000), 0);
});

test("a user whose bound was raised or lowered has a burst and a rate to match; what all have together stays [KB1] [P11]", () => {
  const all = budgets({ workOfAll: 40 });
  const through = (who: Spender, nowMs: number): number => {
    let done = 0;
    while (done < 1000 && all.take(who, 1, nowMs) === 0) done += 1;
    return done;
  };
  assert.deepEqual([through(by("wide", 20), 1000), through(by("small", 1), 1000), through(by("plain"), 1000)], [60, 3, 30]);
  assert.deepEqual(
    [through(by("wide", 20), 2000), through(by("small", 1), 2000), through(by("plain"), 2000)],
    [13, 1, 10],
    "40 for the three",
  );
  assert.equal(through(by("small", 20), 3000), 1, "it filled at its old rate until it asked");
  assert.equal(through(by("small", 20), 4000), 13);
});
