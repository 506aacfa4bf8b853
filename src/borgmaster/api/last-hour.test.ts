/** What is counted in the last hour leaves it again, also when nobody asked for long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LastHour } from "./last-hour.ts";

const MINUTE = 60_000;
const NOON = 1_800_000_000_000;

test("LastHour counts what happened within an hour, and forgets it after that [N5]", () => {
  const hour = new LastHour();
  hour.add(NOON, 2);
  hour.add(NOON + 20 * MINUTE, 3);
  assert.equal(hour.at(NOON + 50 * MINUTE), 5);
  assert.equal(hour.at(NOON + 62 * MINUTE), 3);
  hour.add(NOON + 65 * MINUTE, 1);
  assert.equal(hour.at(NOON + 65 * MINUTE), 4);
  assert.equal(hour.at(NOON + 1000 * MINUTE), 0);
  hour.add(NOON + 1000 * MINUTE, 7);
  assert.equal(hour.at(NOON), 7, "a clock that steps back forgets nothing");
});
