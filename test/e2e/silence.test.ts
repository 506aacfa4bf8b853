/** A borglet that is stopped for a minute loses its tasks to others and, back again, ends its duplicates; one that misses a poll loses nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { instancePids, RealCell } from "./real-cell.ts";

const TASKS = 6;
const LONG_MS = 120_000;

test("kill -STOP of one of three borglets: given up and run elsewhere; duplicates end after kill -CONT [B4] [V1] [KT2]", {
  timeout: 4 * LONG_MS,
}, async () => {
  const cell = await RealCell.start(3);
  try {
    const task = { command: ["/bin/sh", "-c", "exec sleep 100000"], limit: { cpuMilli: 10, ramBytes: 2 ** 23 } };
    await cell.client.submitJob({ requestId: "s", spec: { user: "tester", name: "s", count: TASKS, priority: 100, task } });
    const before = await cell.running("tester/s", TASKS);
    const onFirst = before.filter(({ machine }) => machine === "m1").map(({ instance }) => instance);
    assert.ok(onFirst.length > 0, "Nothing runs on m1");

    // One missed poll is nothing.
    cell.signal("m1", "SIGSTOP");
    await sleep(6000);
    cell.signal("m1", "SIGCONT");
    await sleep(3000);
    assert.deepEqual(
      (await cell.running("tester/s", TASKS)).map(({ instance }) => instance),
      before.map(({ instance }) => instance),
    );

    cell.signal("m1", "SIGSTOP");
    await cell.until(
      "m1 to be unreachable",
      async () => (await cell.client.getMachine({ machine: "m1" })).machine?.state === "unreachable",
      LONG_MS,
    );
    await cell.until(
      "its tasks to run elsewhere",
      async () => {
        const tasks = await cell.tasks("tester/s");
        return tasks.every((each) => each.state === "running" && each.machine !== "m1");
      },
      LONG_MS,
    );
    const duplicates = onFirst.filter((instance) => instancePids(cell.name).has(instance));
    assert.equal(duplicates.length, onFirst.length, "A stopped borglet's tasks live on meanwhile");

    cell.signal("m1", "SIGCONT");
    await cell.until("the duplicates to end", () => onFirst.every((instance) => !instancePids(cell.name).has(instance)), LONG_MS);
    await cell.until("m1 to be up", async () => (await cell.client.getMachine({ machine: "m1" })).machine?.state === "up", LONG_MS);
    assert.equal([...instancePids(cell.name).keys()].filter((instance) => instance.startsWith("tester/s/")).length, TASKS);
  } finally {
    await cell.close();
  }
});
