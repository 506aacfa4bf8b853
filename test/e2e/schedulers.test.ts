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

test("a MapReduce job grows while the cell idles, shrinks when somebody waits, and teaches how long its activities are (Omega §6.1) [O12]", {
  timeout: 240_000,
}, async () => {
  const cell = await RealCell.start(2);
  const env = { ...cell.env, BORG_SOCKET: cell.data.socket("api") };
  const program = join(ROOT, "examples", "scheduler", "mapreduce", "scheduler.ts");
  let told = "";
  const child = spawn(process.execPath, [program, "--policy", "relative-job-size"], { env, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString("utf8");
  });
  const sizeOf = async (job: string): Promise<number> =>
    (await cell.tasks(job)).filter(({ state }) => state !== "dead" && state !== "ending" && state !== "stopping").length;
  try {
    const task = { command: ["/bin/sleep", "1000"], limit: { cpuMilli: 20, ramBytes: 2 ** 23 } };
    const labels = [
      { key: "maps", value: "400" },
      { key: "reduces", value: "10" },
    ];
    const spec = { user: "tester", name: "words-1", count: 2, priority: 100, task, scheduler: "mapreduce", labels };
    await cell.client.submitJob({ requestId: "words", spec });
    await cell.running("tester/words-1", 8);
    // Nobody can place it: its scheduler is not there. So it waits, and the workers beyond those asked for go.
    await cell.client.submitJob({
      requestId: "other",
      spec: { user: "tester", name: "other", count: 1, priority: 100, task, scheduler: "nobody" },
    });
    await cell.until("the job to shrink", async () => (await sizeOf("tester/words-1")) === 2);
    await cell.client.killJob({ requestId: "k1", job: "tester/other" });
    await cell.until("the job to grow again", async () => (await sizeOf("tester/words-1")) === 8);
    await cell.client.killJob({ requestId: "k2", job: "tester/words-1" });
    await cell.until("its end to be seen", async () => /words-1 is over: its activities took \d+ ms each/.test(told));
    assert.match(told, /tester\/words-1: 2 to 8 workers, 2 asked for/);
  } finally {
    child.kill("SIGKILL");
    await cell.close();
  }
});
