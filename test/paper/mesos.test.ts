/** What the Mesos paper measured, as far as the allocator decides it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { delayTrial } from "../../bench/delay-scheduling.ts";

test("who waits a second for a machine with the data finds it nine times of ten, and is faster than on machines of its own (Mesos §6.3) [Z14]", () => {
  const [own, none, one] = [delayTrial(7, undefined), delayTrial(7, 0), delayTrial(7, 1_000)];
  assert.ok(own.local > 0.15 && own.local < 0.21, `${own.local} of the data is local on a static part of the machines`);
  assert.ok(none.local > own.local && one.local > 0.9, `${none.local} without a delay, ${one.local} with one second`);
  assert.ok(one.jobMs < none.jobMs && none.jobMs < own.jobMs);
});
