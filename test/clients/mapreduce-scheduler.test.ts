/** The MapReduce scheduler of the examples: its policies, what it learns, and its copy of the cell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Copy } from "../../examples/scheduler/mapreduce/copy.ts";
import { chosenWorkers, History, POLICIES, predictMs } from "../../examples/scheduler/mapreduce/policy.ts";
import { settings } from "../cell/settings.ts";

const LENGTHS = { mapMs: 10_000, reduceMs: 20_000 };
const job = (asked: number, more: object = {}) => ({ asked, workers: asked, maps: 100, reduces: 10, ...more });

test("twice the workers halve the time, as far as there are activities (Omega §6.1) [O12]", () => {
  assert.equal(predictMs(job(5), 5, LENGTHS), 20 * 10_000 + 2 * 20_000);
  assert.equal(predictMs(job(5), 10, LENGTHS), 10 * 10_000 + 20_000);
  assert.equal(predictMs(job(5), 100, LENGTHS), 10_000 + 20_000);
  assert.equal(predictMs(job(5), 1000, LENGTHS), 30_000);
  assert.equal(predictMs(job(5, { maps: 0, reduces: 0 }), 5, LENGTHS), 0);
});

test("max-parallelism takes what helps, global-cap stays below its part of the cell, relative-job-size at four times (Omega §6.1) [O12]", () => {
  const idle = { workers: 1_000, workersBelowCap: 7 };
  assert.equal(chosenWorkers("max-parallelism", job(5), LENGTHS, idle), 100, "more than there are activities do not help");
  assert.equal(chosenWorkers("global-cap", job(5), LENGTHS, idle), 12);
  assert.equal(chosenWorkers("relative-job-size", job(5), LENGTHS, idle), 20);
  for (const policy of POLICIES) assert.equal(chosenWorkers(policy, job(5), LENGTHS, { workers: 0, workersBelowCap: 0 }), 5);
});

test("whatever is there: never fewer than were asked for, never more than have room, and never a later end [O12]", () => {
  const numbers = fc.record({
    asked: fc.integer({ min: 1, max: 50 }),
    more: fc.integer({ min: 0, max: 50 }),
    maps: fc.integer({ min: 0, max: 500 }),
    reduces: fc.integer({ min: 0, max: 100 }),
    workers: fc.integer({ min: 0, max: 300 }),
    workersBelowCap: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(numbers, fc.constantFrom(...POLICIES), ({ asked, more, maps, reduces, workers, workersBelowCap }, policy) => {
      const own = { asked, workers: asked + more, maps, reduces };
      const chosen = chosenWorkers(policy, own, LENGTHS, { workers, workersBelowCap });
      assert.ok(chosen >= asked && chosen <= asked + more + workers);
      if (policy === "relative-job-size") assert.ok(chosen <= 4 * asked);
      assert.ok(predictMs(own, chosen, LENGTHS) <= predictMs(own, asked, LENGTHS));
    }),
    settings(300),
  );
});

test("what a run took is predicted for the next of its family, and for strangers the mean of all [O12]", () => {
  const history = new History(LENGTHS);
  assert.deepEqual(history.lengthsOf("u/words"), LENGTHS);
  history.add("u/words", { mapMs: 1_000, reduceMs: 3_000 });
  history.add("u/words", { mapMs: 3_000, reduceMs: 5_000 });
  history.add("u/other", { mapMs: 8_000, reduceMs: 1_000 });
  assert.deepEqual(history.lengthsOf("u/words"), { mapMs: 2_000, reduceMs: 4_000 });
  assert.deepEqual(history.lengthsOf("u/never"), { mapMs: 4_000, reduceMs: 3_000 });
});

test("its copy of the cell counts room that nobody has, and knows who waits [O12]", () => {
  const copy = new Copy("mapreduce");
  const capacity = { cpuMilli: 4_000, ramBytes: 4 * 2 ** 30, diskBytes: 2 ** 40 };
  copy.learn({ machine: { name: "m1", facts: { capacity }, reachable: true } });
  copy.learn({ machine: { name: "m2", facts: { capacity }, reachable: true, draining: true } });
  const spec = { user: "u", name: "words-17", count: 2, scheduler: "mapreduce", labels: [{ key: "maps", value: "40" }] };
  copy.learn({ job: { job: { ...spec, task: { limit: { cpuMilli: 500, ramBytes: 2 ** 20 } } }, count: 3 } });
  copy.learn({ tasks: { job: "u/words-17", tasks: [{ state: "TASK_STATE_PENDING", incarnation: 1 }] } });
  const instance = { place: "m1", limit: { cpu: 1_000, ram: 1024 } };
  copy.learn({ tasks: { job: "u/web", tasks: [{ state: "TASK_STATE_RUNNING", instance }] } });
  const [known] = copy.jobs();
  assert.ok(known !== undefined && known.family === "u/words" && known.asked === 2 && known.count === 3 && known.maps === 40);
  assert.deepEqual(
    copy.idleFor(known, 0.6),
    { workers: 5, workersBelowCap: 1 },
    "4 cores less one taken less our own that waits; 60 % are 2.4 cores",
  );
  assert.deepEqual(copy.claims(10), [{ task: "u/words-17/0", incarnation: 1, place: "m1" }]);
  assert.equal(copy.othersWait, false);
  copy.learn({ tasks: { job: "u/web", first: 1, tasks: [{ state: "TASK_STATE_PENDING" }] } });
  assert.equal(copy.othersWait, true);
});
