/** A borglet that is stopped for a minute loses its tasks to others and, back again, ends its duplicates; one that misses a poll loses nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { instancePids, isAlive, RealCell } from "./real-cell.ts";

const TASKS = 6;
/** For the master to notice silence and to find other places. */
const LONG_MS = 120_000;
/** After contact a duplicate lives for a poll (5 s), at most a pause before dialling again (5 s) and no notice; the rest is for a busy machine. */
const DUPLICATE_MS = 20_000;
/** They ignore SIGTERM and could ask for a minute of notice: a duplicate gets none. */
const COMMAND = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"];

test("kill -STOP of one of three borglets: given up and run elsewhere; duplicates end after kill -CONT [B4] [V1] [KT2]", {
  timeout: 4 * LONG_MS,
}, async () => {
  const cell = await RealCell.start(3);
  try {
    const task = { command: COMMAND, noticeMs: 60_000, limit: { cpuMilli: 10, ramBytes: 2 ** 23 } };
    await cell.client.submitJob({ requestId: "s", spec: { user: "tester", name: "s", count: TASKS, priority: 100, task } });
    const before = await cell.running("tester/s", TASKS);
    const onFirst = before.filter(({ machine }) => machine === "m1").map(({ instance }) => instance);
    assert.ok(onFirst.length > 0, "Nothing runs on m1");
    // A task counts as running when its shim does; its program follows within moments.
    await cell.until("all programs to be there", () => instancePids(cell.name).size === TASKS);
    await sleep(500);
    const pids = instancePids(cell.name);

    // One missed poll is nothing.
    cell.signal("m1", "SIGSTOP");
    await sleep(6000);
    cell.signal("m1", "SIGCONT");
    await sleep(3000);
    assert.deepEqual(
      (await cell.running("tester/s", TASKS)).map(({ instance }) => instance),
      before.map(({ instance }) => instance),
    );
    assert.deepEqual(instancePids(cell.name), pids, "One missed poll touched a process");

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
    await cell.until("the programs of the new ones", () => instancePids(cell.name).size === TASKS + onFirst.length);
    const both = instancePids(cell.name);
    for (const instance of onFirst) assert.equal(both.get(instance), pids.get(instance), "A stopped borglet's tasks live on meanwhile");

    cell.signal("m1", "SIGCONT");
    await cell.until(
      "the duplicates to end",
      () => onFirst.every((instance) => !isAlive(pids.get(instance)!) && !instancePids(cell.name).has(instance)),
      DUPLICATE_MS,
    );
    await cell.until("m1 to be up", async () => (await cell.client.getMachine({ machine: "m1" })).machine?.state === "up", LONG_MS);
    for (const instance of onFirst) both.delete(instance);
    assert.deepEqual(instancePids(cell.name), both, "The others did not notice anything");
  } finally {
    await cell.close();
  }
});
