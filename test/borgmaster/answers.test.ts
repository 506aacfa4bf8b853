/** What callers hear of an op: each outcome as it is, and of an append that nobody knows the end of nothing but that. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answerClient } from "../../src/borgmaster/answers.ts";
import type { Answer } from "../../src/cell/answer.ts";
import { masterOp, seal, sealEntry, userOp } from "../../src/cell/op.ts";
import { Touched } from "../../src/cell/touched.ts";
import { leader, submit } from "./leading-master.ts";

test("a refusal is told as one, everything else as done, and a repetition with the place where it was done first [KD3]", () => {
  const told = (answer: Answer) => answerClient("r", 7, { ok: true, answer, events: [], touched: new Touched() });
  for (const answer of [{ type: "done" }, { type: "submitted", already: false }, { type: "submitted", already: true }] as const)
    assert.deepEqual(told(answer), { type: "answer", id: "r", result: "done", position: 7, answer });
  const repeated = { type: "repeated", position: 3 } as const;
  assert.deepEqual(told(repeated), { type: "answer", id: "r", result: "done", position: 3, answer: repeated });
  const no = { type: "answer", id: "r", result: "refused", position: 7, reason: "No" };
  assert.deepEqual(answerClient("r", 7, { ok: false, reason: "No" }), no);
});

test("who leads no more tells of what was under way that it is unknown, of what waited that it was never done [KD1] [KD3]", () => {
  const { ask, hear, answers } = leader();
  ask(submit("flies"));
  ask(submit("waits"));
  hear({ type: "not-appended", position: 3, fault: "fenced", reason: "Another leads" });
  assert.deepEqual(
    answers().map((answer) => (answer.type === "answer" ? `${answer.id} ${answer.result}` : answer.type)),
    ["flies unknown", "waits unavailable"],
  );
});

test("an append that never happened is told as unavailable, one that did as done [KD1]", () => {
  const { ask, hear, land, answers } = leader();
  ask(submit("first"));
  hear({ type: "not-appended", position: 3, fault: "unavailable", reason: "Full" });
  ask(submit("second"));
  land();
  assert.deepEqual(
    answers().map((answer) => (answer.type === "answer" ? `${answer.id} ${answer.result}` : answer.type)),
    ["first unavailable", "second done"],
  );
});

test("while the journal runs full no job is taken, and everything else goes on [store.E8]", () => {
  const { ask, hear, land, answers } = leader();
  hear({ type: "space", level: "alarm", reason: "etcd uses 60 %" });
  ask(submit("alarmed"));
  land();
  hear({ type: "space", level: "full", reason: "etcd uses 80 % of its 2048 MiB: no jobs are taken at 80 %" });
  ask(submit("refused"));
  ask(userOp("admin", "kill", { case: "jobKill", value: { job: "admin/web" } }));
  land();
  hear({ type: "space", level: "fine", reason: "etcd uses 10 %" });
  ask(submit("again"));
  land();
  assert.deepEqual(
    answers().map((answer) => (answer.type === "answer" ? `${answer.id} ${answer.result}` : answer.type)),
    ["alarmed done", "refused unavailable", "kill done", "again done"],
  );
});

test("a standby that starts anew and finds no snapshot begins at nothing, as its copies do [M4] [KD4]", () => {
  const { master, ask, hear, land, env } = leader();
  ask(submit("done"));
  land();
  ask(submit("lost"));
  hear({ type: "not-appended", position: 4, fault: "fenced", reason: "Another leads" });
  env.take();
  // The answer to a read of the catching-up that it gave up since: it looks like word that history is gone.
  hear({ type: "not-read", from: 4, reason: "No answer before the deadline" });
  hear({ type: "snapshot", snapshot: undefined });
  const restored = env.take().flatMap(({ message }) => (message.type === "restore" ? [message.position] : []));
  assert.deepEqual(restored, [0]);
  assert.equal(master.state.position, 0);
});

test("a standby has its reads confirmed by the journal, under the newest term that it followed, and never by itself [M7] [KD3]", () => {
  const { master, hear, env, confirmed } = leader();
  hear({ type: "not-appended", position: 3, fault: "fenced", reason: "Another leads" });
  hear({ type: "not-appended", position: 3, fault: "fenced", reason: "Another leads" });
  master.onTimer("lock");
  master.onMessage("lock", { type: "denied", sequence: 2, holder: "n", leftMs: 0 });
  assert.equal(master.role, "following");
  const answers = (): unknown[] => env.take().flatMap(({ to, message }) => (to === "api" ? [message] : []));
  answers();
  master.onMessage("api", { type: "confirm", id: "early" });
  assert.deepEqual(answers(), [{ type: "not-confirmed", id: "early", reason: "This master does not lead" }], "it followed nothing yet");
  hear({
    type: "followed",
    entry: { position: 3, term: 5, payload: sealEntry(1000, [seal(masterOp({ case: "barrier", value: { master: "n" } }))]) },
  });
  assert.equal(master.state.position, 3);
  master.onMessage("api", { type: "confirm", id: "read" });
  assert.deepEqual([answers(), confirmed], [[], [5]]);
  hear({ type: "confirmed", term: 5, position: 7 });
  assert.deepEqual(answers(), [{ type: "confirmed", id: "read", position: 7 }], "the copy waits for 7");
});
