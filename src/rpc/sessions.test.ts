import assert from "node:assert/strict";
import { test } from "node:test";
import { type SESSION_LIMITS, Sessions } from "./sessions.ts";

function door(bounds: Partial<typeof SESSION_LIMITS> = {}) {
  const clock = { nowMs: 1000 };
  return { clock, sessions: new Sessions(() => clock.nowMs, bounds) };
}

function entered(sessions: Sessions, user: string): string {
  const found = sessions.enter(sessions.open(user).link);
  assert.ok(typeof found === "object");
  assert.equal(found.user, user);
  return found.key;
}

test("a link is good once and for a short time; its key is its user's and no other secret is [KA2]", () => {
  const { clock, sessions } = door();
  const { link, ttlMs } = sessions.open("ann");
  const first = sessions.enter(link);
  assert.ok(typeof first === "object");
  assert.equal(sessions.enter(link), undefined, "a second time");
  assert.equal(sessions.user(first.key), "ann");
  for (const guess of ["", link, `${first.key}x`, first.key.slice(1)]) assert.equal(sessions.user(guess), undefined, guess);
  const late = sessions.open("ann");
  clock.nowMs += ttlMs;
  assert.equal(sessions.enter(late.link), undefined, "too late");
});

test("a session ends when it is silent, when its life is over, and when its user says so [KA2]", () => {
  const { clock, sessions } = door({ idleMs: 100, lifeMs: 250, linkMs: 1000 });
  const key = entered(sessions, "ann");
  for (let i = 0; i < 2; i++) {
    clock.nowMs += 99;
    assert.equal(sessions.user(key), "ann");
  }
  clock.nowMs += 60;
  assert.equal(sessions.user(key), undefined, "its life is over");
  const silent = entered(sessions, "ann");
  clock.nowMs += 100;
  assert.equal(sessions.user(silent), undefined, "silent");
  const [mine, hers, unused] = [entered(sessions, "bob"), entered(sessions, "ann"), sessions.open("bob").link];
  assert.equal(sessions.end("bob"), 1);
  assert.deepEqual([sessions.user(mine), sessions.user(hers), sessions.enter(unused)], [undefined, "ann", undefined]);
});

test("links and sessions are bounded: the own oldest makes room, and nobody's crowd ends another's [KB1]", () => {
  const { clock, sessions } = door({ links: 3, perUser: 2, sessions: 4 });
  const links = Array.from({ length: 4 }, () => sessions.open("ann").link);
  assert.equal(sessions.enter(links[0]!), undefined, "the oldest link went");
  const keys = links.slice(1).map((link) => {
    clock.nowMs += 1;
    const found = sessions.enter(link);
    assert.ok(typeof found === "object");
    return found.key;
  });
  assert.deepEqual(
    keys.map((key) => sessions.user(key)),
    [undefined, "ann", "ann"],
  );
  const others = ["bob", "eve"].map((user) => entered(sessions, user));
  const { link } = sessions.open("mia");
  assert.equal(sessions.enter(link), "full");
  assert.deepEqual(
    others.map((key) => sessions.user(key)),
    ["bob", "eve"],
  );
  sessions.end("bob");
  assert.ok(typeof sessions.enter(link) === "object", "a link that found no room is not used up");
});
