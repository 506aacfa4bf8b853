/** Costly questions: in turn, bounded, and not answered for nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Follower } from "../../src/borgmaster/follower.ts";
import { QUESTIONS_MAX } from "../../src/borgmaster/questions.ts";
import { TestEnv } from "./test-env.ts";

test("users take turns, one has a bounded number, and what nobody waits for is not worked out [KB1] [P11]", () => {
  const env = new TestEnv<{ readonly type: string; readonly id?: string }>();
  const follower = new Follower(env as never, "master");
  const ask = (user: string, id: string): void => follower.onMessage("api", { type: "explain", id, user, name: "ann/none", nowMs: 0 });
  for (let i = 0; i <= QUESTIONS_MAX; i++) ask("ann", `a${i}`);
  ask("bob", "b0");
  const refused = env.take();
  assert.deepEqual(
    refused.map(({ message }) => message),
    [{ type: "not-explained", id: `a${QUESTIONS_MAX}`, reason: 'User "ann" has asked too much at once: wait for an answer' }],
  );
  for (const id of ["a1", "a2", "gone"]) follower.onMessage("api", { type: "forget", id });
  for (let turns = 0; env.timers.length > 0; turns++) {
    assert.ok(turns <= QUESTIONS_MAX);
    follower.onTimer();
    env.timers.shift();
  }
  const answered = env.take().map(({ message }) => message.id);
  assert.deepEqual(answered.slice(0, 4), ["a0", "b0", "a3", "a4"]);
  assert.equal(answered.length, QUESTIONS_MAX + 1 - 2);
});
