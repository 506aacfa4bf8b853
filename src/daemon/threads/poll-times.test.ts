/** What `borg status` says of polls: the median machine, and the one that waits longest, also while it waits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PollTimes } from "./poll-times.ts";

test("the pace of polls is the time between two of a machine, and a machine that nobody polls any more shows at once [M2]", () => {
  const times = new PollTimes();
  assert.deepEqual(times.pace(0), { pollMsMedian: 0, pollMsMax: 0 });
  for (const machine of ["a", "b", "c"]) for (const nowMs of [0, 5000]) times.polled(machine, nowMs);
  times.polled("c", 12_000);
  assert.deepEqual(times.pace(12_000), { pollMsMedian: 7000, pollMsMax: 7000 });
  for (const machine of ["a", "b"]) times.polled(machine, 10_000);
  assert.deepEqual(times.pace(12_000), { pollMsMedian: 5000, pollMsMax: 7000 });
  assert.deepEqual(times.pace(40_000), { pollMsMedian: 30_000, pollMsMax: 30_000 }, "nobody polls");
  times.gone("c");
  times.polled("a", 40_001);
  times.polled("a", 40_002);
  times.polled("b", 40_002);
  times.polled("b", 40_003);
  assert.deepEqual(times.pace(40_003), { pollMsMedian: 1, pollMsMax: 1 }, "a link that is closed counts no more");
});
