/** Schedulers outside the master's process: ours as a process, and the hundred lines of the how-to. Jobs that name one wait for it, and are placed by it. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { RealCell } from "./real-cell.ts";

const ROOT = join(import.meta.dirname, "..", "..");

test("a scheduler as a process of its own, and one in a hundred lines of somebody else's [O1] [S8] [U9]", {
  timeout: 180_000,
}, async () => {
  const cell = await RealCell.start(2);
  const env = { ...cell.env, BORG_SOCKET: cell.data.socket("api") };
  const children: ChildProcess[] = [];
  const start = (...args: readonly string[]): void => {
    children.push(spawn(process.execPath, [...args], { env, stdio: ["ignore", "ignore", "inherit"] }));
  };
  try {
    const task = { command: ["/bin/sleep", "1000"], limit: { cpuMilli: 50, ramBytes: 2 ** 24 } };
    for (const scheduler of ["batch-7", "first-fit"])
      await cell.client.submitJob({
        requestId: scheduler,
        spec: { user: "tester", name: scheduler, count: 4, priority: 100, task, scheduler },
      });
    assert.deepEqual(
      (await cell.tasks("tester/batch-7")).map(({ state }) => state),
      new Array(4).fill("pending"),
    );
    start(...entryPoint(), "scheduler", "--name", "batch-7");
    start(join(ROOT, "examples", "scheduler", "first-fit.mjs"));
    for (const name of ["batch-7", "first-fit"]) {
      await cell.running(`tester/${name}`, 4);
      assert.equal((await cell.client.getTask({ task: `tester/${name}/0` })).scheduler, name);
    }
    await cell.kill("master");
    cell.startMaster();
    await cell.until("the master to lead again", async () => (await cell.client.getCell({})).name === cell.name);
    await cell.client.resizeJob({ requestId: "more", job: "tester/batch-7", count: 6 });
    await cell.running("tester/batch-7", 6);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await cell.close();
  }
});
