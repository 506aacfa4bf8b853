/** Restarts of a job's tasks are counted as they happen: on their machine, on another one, and not what was before anybody looked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../cell/state.ts";
import { TaskCounts } from "./task-counts.ts";

const NOON = 1_800_000_000_000;
const HOUR = 3_600_000;
const ALL = new Set([0, 1]);

test("restarts of the last hour are those that were seen in it; all of them are those of the tasks [N5]", () => {
  const task = (starts: number, run: number) => ({
    ...{ state: "running", cause: "started", starts, failures: 0 },
    instance: { run, faring: { backOffUntilMs: 0 }, place: { machine: { id: "m1" } } },
  });
  const job = { tasks: [task(3, 5), task(1, 1)] };
  const counts = new TaskCounts(job as unknown as Job);
  const after = (timeMs: number, first: object, second: object): readonly number[] => {
    job.tasks.splice(0, 2, first as never, second as never);
    counts.update(job as unknown as Job, ALL, timeMs);
    return [counts.restartsLately(timeMs), counts.restarts];
  };
  assert.deepEqual([counts.restartsLately(NOON), counts.restarts], [0, 6], "nobody saw when that was");
  assert.deepEqual(after(NOON, task(3, 6), task(1, 1)), [1, 7]);
  assert.deepEqual(after(NOON, task(4, 1), task(1, 1)), [2, 3], "on another machine its runs begin anew");
  assert.deepEqual(after(NOON, { ...task(4, 1), instance: undefined }, task(1, 1)), [2, 3], "who waits has not begun again");
  assert.deepEqual(after(NOON, task(5, 3), task(2, 1)), [6, 7]);
  assert.deepEqual(after(NOON + 2 * HOUR, task(5, 3), task(2, 2)), [1, 8]);
});
