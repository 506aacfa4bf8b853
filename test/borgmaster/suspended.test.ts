/** A master that led and whose journal does not answer: it refuses in words at once, keeps its term, and one guarded append decides. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToLink } from "../../src/borgmaster/message.ts";
import { SUSPENDED } from "../../src/borgmaster/role.ts";
import { leader, submit } from "./leading-master.ts";

const UNKNOWN = { type: "not-appended", position: 3, fault: "unknown", reason: "etcd: Deadline exceeded" } as const;
const granted = (sequence: number) => ({ type: "granted", sequence, ttlMs: 2000, known: { masters: 1, lowest: 1 } }) as const;

function suspended() {
  const led = leader();
  const { env, master, hear, ask } = led;
  ask(submit("flies"));
  ask(submit("waits"));
  env.nowMs = 1000;
  hear(UNKNOWN);
  hear({ type: "not-read", from: 3, reason: "etcd: Deadline exceeded" });
  env.nowMs = 1400;
  master.onTimer("flight");
  assert.equal(master.role, "suspended");
  return led;
}

const told = (answers: readonly { readonly type: string }[]): readonly string[] =>
  answers.map((answer) => ("result" in answer && "id" in answer ? `${answer.id} ${answer.result}` : answer.type));

test("an append whose outcome stays unknown suspends the master: who waits hears so within two seconds, and who asks then at once [borgmaster.H1] [M2]", () => {
  const { env, master, ask, answers } = suspended();
  assert.ok(env.nowMs < 2000);
  assert.deepEqual(told(answers()), ["flies unknown", "waits unavailable"]);
  ask(submit("later"));
  const [later] = answers();
  assert.ok(later?.type === "answer" && later.result === "unavailable");
  assert.equal(later.reason, SUSPENDED);
  assert.match(SUSPENDED, /etcd does not answer: nothing is changed/);
  master.onMessage("api", { type: "confirm", id: "read" });
  const read = env.take().find(({ to }) => to === "api")?.message;
  assert.deepEqual(read, { type: "not-confirmed", id: "read", reason: SUSPENDED });
});

test("an append that is found within the moment suspends nobody [borgmaster.H1]", () => {
  const { env, master, hear, ask, land, answers } = leader();
  ask(submit("flies"));
  env.nowMs = 1000;
  hear(UNKNOWN);
  hear({ type: "entries", from: 3, entries: [], last: 2 });
  land();
  env.nowMs = 1400;
  master.onTimer("flight");
  assert.equal(master.role, "leading");
  assert.deepEqual(told(answers()), ["flies done"]);
});

test("a lease that was not renewed suspends too; the shard keeps its term and is told nothing but when the lease ended [borgmaster.H2] [B3]", () => {
  const { env, master } = leader();
  const toLink = (): string[] => env.take().flatMap(({ to, message }) => (to === "l" ? [(message as ToLink).type] : []));
  assert.deepEqual(
    toLink().filter((type) => type !== "items"),
    ["lease", "lead"],
  );
  env.nowMs = 2100;
  master.onTimer("lock");
  assert.equal(master.role, "suspended");
  assert.equal(master.term, 1);
  assert.deepEqual(toLink(), []);
});

test("when the journal is back, what was in flight decides: the same master goes on in its term [borgmaster.H3] [M3]", () => {
  const { env, master, hear, reads, calls, land, ask, answers } = suspended();
  master.onTimer("lock");
  master.onMessage("lock", granted(2));
  assert.equal(master.role, "suspended", "the lock alone does not say who leads");
  master.onTimer("flight");
  assert.ok(reads.length >= 2, "it looks again without waiting for the tick");
  hear({ type: "entries", from: 3, entries: [], last: 2 });
  assert.equal(calls.at(-1)?.position, 3, "the same bytes at the same place");
  land();
  assert.equal(master.role, "leading");
  assert.equal(master.term, 1);
  answers();
  ask(submit("waits"));
  land();
  assert.deepEqual(told(answers()), ["waits done"]);
  assert.equal(env.lines.filter((line) => line === "~resumed").length, 1);
});

test("with nothing in flight a barrier decides, and only while the lease lives [borgmaster.H3] [KL1]", () => {
  const { env, master, land, calls, hear } = leader();
  env.nowMs = 2100;
  master.onTimer("lock");
  assert.equal(master.role, "suspended");
  assert.equal(calls.at(-1)?.position, 2);
  env.nowMs = 5000;
  master.onTimer("lock");
  master.onMessage("lock", granted(3));
  assert.equal(calls.at(-1)?.position, 3, "a barrier is on its way");
  env.nowMs = 8000;
  land();
  assert.equal(master.role, "suspended", "the lease ended while it was on its way");
  master.onTimer("lock");
  master.onMessage("lock", granted(4));
  hear({ type: "not-appended", position: 4, fault: "fenced", reason: "The journal is in term 2" });
  assert.equal(master.role, "following", "another one led meanwhile");
});

test("whoever else leads by then deposes it: by the lock, or by its own word where etcd cannot be reached [borgmaster.H4] [KL1]", () => {
  const one = suspended();
  one.master.onMessage("shell", { type: "outled", term: 1 });
  assert.equal(one.master.role, "suspended", "its own term is no newer one");
  one.master.onMessage("shell", { type: "outled", term: 2 });
  assert.equal(one.master.role, "following");
  const two = suspended();
  two.master.onTimer("lock");
  two.master.onMessage("lock", { type: "denied", sequence: 2, holder: "n", leftMs: 0 });
  assert.equal(two.master.role, "following");
});
