/** A clock that most of the others contradict keeps its master from standing for election, and what nobody measures any more does not. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { aheadOf, ClockEye, isClockWrong, writeClocks } from "./clocks.ts";

test("a clock is wrong when more than half of the cell's masters differ from it by more than five seconds [M3]", () => {
  assert.equal(isClockWrong({ "2": 0, "3": 12 }, 3), false);
  assert.equal(isClockWrong({ "2": 5001, "3": -5001 }, 3), true);
  assert.equal(isClockWrong({ "2": 7000, "3": 0 }, 3), false, "the other one is wrong");
  assert.equal(isClockWrong({ "2": 7000 }, 3), false, "of two nobody can tell");
  assert.equal(isClockWrong({ "2": 7000 }, 2), false, "of two nobody can tell");
  assert.equal(isClockWrong({ "2": 4999, "3": 5000 }, 3), false);
  assert.equal(isClockWrong({ "2": 9e9, "3": 9e9, "4": 9e9 }, 5), true);
  assert.equal(isClockWrong({ "2": 9e9, "3": 9e9 }, 5), false);
  assert.equal(aheadOf(1000, 900, 1100), 0);
  assert.equal(aheadOf(8000, 900, 1100), 7000);
});

test("a measurement counts while somebody goes on measuring [M3]", () => {
  const directory = mkdtempSync(join(tmpdir(), "borg-clocks-"));
  try {
    let nowMs = 0;
    const eye = new ClockEye(directory, 3, () => nowMs);
    assert.equal(eye.isWrong(), false, "nobody has looked");
    writeClocks(directory, { look: 1, aheadMs: { "2": 9000, "3": 9000 } });
    assert.equal(eye.isWrong(), true);
    nowMs = 31_000;
    assert.equal(eye.isWrong(), false, "nobody looks any more");
    writeClocks(directory, { look: 2, aheadMs: { "2": 9000, "3": 9000 } });
    assert.equal(eye.isWrong(), true);
    writeClocks(directory, { look: 3, aheadMs: { "2": 10, "3": 9000 } });
    assert.equal(eye.isWrong(), false);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
