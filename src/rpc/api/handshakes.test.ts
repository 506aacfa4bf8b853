import assert from "node:assert/strict";
import { test } from "node:test";
import { Handshakes } from "./handshakes.ts";

const LIMITS = { handshakesPerSecond: 10, handshakesBurst: 3, handshakesWaiting: 8 };

/** Who began, in order, and a way to come. */
function door(): {
  readonly all: Handshakes;
  readonly began: string[];
  readonly closed: Set<string>;
  readonly come: (name: string, address: string, nowMs: number) => boolean;
} {
  const [began, closed] = [[] as string[], new Set<string>()];
  const all = new Handshakes(LIMITS, 0);
  const come = (name: string, address: string, nowMs: number): boolean =>
    all.add(address, { isOpen: () => !closed.has(name), begin: () => void began.push(name) }, nowMs);
  return { all, began, closed, come };
}

test("a burst shakes hands at once, then so many a second; who is too many is closed before it costs anything [KB1] [P11]", () => {
  const { all, began, come } = door();
  assert.deepEqual(
    Array.from({ length: 9 }, (_, i) => come(`a${i}`, "a", 0)),
    [true, true, true, true, true, true, true, false, false],
    "three at once, four wait: half of what may, because all are of one address",
  );
  assert.equal(began.join(), "a0,a1,a2");
  all.look(100);
  all.look(150);
  all.look(200);
  assert.deepEqual([began.join(), all.size], ["a0,a1,a2,a3,a4", 2]);
});

test("addresses take turns: who comes from elsewhere waits for one of each, not for a crowd [KB2] [P11]", () => {
  const { all, began, come } = door();
  for (let i = 0; i < 7; i++) come(`a${i}`, "a", 0);
  assert.ok(come("b", "b", 0));
  all.look(200);
  assert.equal(began.slice(3).join(), "a3,b");
});

test("who went away while it waited costs nothing and makes room [KB1]", () => {
  const { all, began, closed, come } = door();
  for (let i = 0; i < 7; i++) come(`a${i}`, "a", 0);
  assert.deepEqual([began.length, all.size], [3, 4]);
  for (const name of ["a3", "a4"]) closed.add(name);
  assert.ok(come("next", "a", 0), "two closed ones made room");
  all.look(1000);
  assert.deepEqual([began.slice(3).join(), all.size], ["a5,a6,next", 0]);
});
