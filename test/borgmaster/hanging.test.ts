/** The judge of changes that hang, by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HANG_MS, Hanging } from "../../src/fauxmaster/judge/hanging.ts";
import { TestEnv } from "./test-env.ts";

function watched(heldMs: () => number) {
  const env = new TestEnv<never>();
  const found: string[] = [];
  const hanging = new Hanging(env, heldMs, (text) => found.push(text));
  const look = (count: number, stepMs = 100): number => {
    for (let i = 0; i < count; i++) {
      env.nowMs += stepMs;
      hanging.onTimer();
    }
    return found.length;
  };
  return { env, look };
}

test("callers of an entry in flight that hear nothing for two seconds are noticed [KL3]", () => {
  assert.ok(watched(() => HANG_MS + 1).look(6) > 0);
  assert.equal(watched(() => HANG_MS).look(60), 0);
});

test("a pause is not the master's: it has a moment to read its post [KL3]", () => {
  const { look } = watched(() => HANG_MS + 1);
  assert.equal(look(4), 0);
  assert.equal(look(1, 5000), 0);
  assert.equal(look(4), 0);
});
