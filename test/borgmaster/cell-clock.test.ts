import assert from "node:assert/strict";
import { test } from "node:test";
import { AT_ONCE_MS, CellClock } from "../../src/borgmaster/cell-clock.ts";
import { TestEnv } from "./test-env.ts";

const START = 1_000_000_000;

function setUp() {
  const env = new TestEnv<never>();
  env.wallMs = START;
  const clock = new CellClock(env);
  /** Both clocks of the machine go on, and it is read once a second. */
  const pass = (ms: number): number => {
    for (let left = ms; left > 0; left -= 1000) {
      env.nowMs += Math.min(left, 1000);
      env.wallMs += Math.min(left, 1000);
      clock.read();
    }
    return clock.read();
  };
  return { env, clock, pass };
}

test("in a new cell it is the wall clock, whatever that shows [cell.E6]", () => {
  const { clock, pass } = setUp();
  clock.heard(0);
  assert.equal(clock.read(), START);
  assert.equal(pass(5000), START + 5000);
});

test("a wall clock that steps back does not stop it: it goes on by the monotonic one, and catches up again [cell.E6] [KS3]", () => {
  const { env, pass } = setUp();
  pass(1000);
  env.wallMs -= 600_000;
  assert.equal(pass(60_000), START + 61_000);
  env.wallMs += 700_000;
  assert.equal(pass(1000), START + 162_000, "the wall clock is ahead again, and counts");
});

test("a new leader goes on from the last entry, also when its own wall clock is behind [cell.E6]", () => {
  const { clock, pass } = setUp();
  clock.heard(START + 50_000);
  assert.equal(clock.read(), START + 50_000);
  assert.equal(pass(3000), START + 53_000);
  clock.heard(START + 10_000);
  assert.equal(clock.read(), START + 53_000, "an older entry changes nothing");
});

test("fractions of a millisecond are not lost, however often it is read [cell.E6]", () => {
  const { env, clock } = setUp();
  clock.read();
  env.wallMs -= 10_000;
  for (let i = 0; i < 10_000; i++) {
    env.nowMs += 0.25;
    clock.heard(clock.read());
  }
  assert.equal(clock.read(), START + 2500);
});

test("up to an hour ahead is believed at once; more is not, until it was read three times over ten seconds [cell.E6]", () => {
  const { env, clock, pass } = setUp();
  pass(1000);
  env.wallMs += AT_ONCE_MS;
  assert.equal(clock.read(), START + 1000 + AT_ONCE_MS);
  const atMs = clock.read();
  env.wallMs += AT_ONCE_MS + 1;
  assert.equal(pass(9000), atMs + 9000);
  assert.equal(clock.takeBelieved(), undefined);
  assert.equal(pass(2000), atMs + 11_000);
  assert.equal(clock.takeBelieved(), env.wallMs);
  assert.equal(clock.read(), atMs + 11_000, "it is the entry that moves it");
  assert.equal(clock.takeBelieved(), undefined, "told once");
  clock.heard(env.wallMs);
  assert.equal(pass(1000), env.wallMs);
});

test("a clock that goes back, or jumps again, is doubted from the beginning [cell.E6]", () => {
  const { env, clock, pass } = setUp();
  pass(1000);
  env.wallMs += 2 * AT_ONCE_MS;
  pass(8000);
  env.wallMs -= 2 * AT_ONCE_MS;
  pass(1000);
  env.wallMs += 2 * AT_ONCE_MS;
  pass(8000);
  assert.equal(clock.takeBelieved(), undefined);
  env.wallMs += 2 * AT_ONCE_MS;
  pass(8000);
  assert.equal(clock.takeBelieved(), undefined);
  pass(3000);
  assert.equal(clock.takeBelieved(), env.wallMs);
});

test("many readings in one moment are one reading [cell.E6]", () => {
  const { env, clock, pass } = setUp();
  pass(1000);
  env.wallMs += 2 * AT_ONCE_MS;
  for (let i = 0; i < 100; i++) clock.read();
  assert.equal(clock.takeBelieved(), undefined);
});
