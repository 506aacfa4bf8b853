import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { test } from "node:test";

const URGENCY = JSON.stringify(new URL("./urgency.ts", import.meta.url).href);

/** In a process of its own, because what is changed stays changed. Prints how nice its main thread and a worker that steps back are; the worker, which ends then, says so itself. */
const PROGRAM = `
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
const source = \`
  import(${URGENCY})
    .then(({ stepBack }) => stepBack())
    .then(() => Promise.all(["worker_threads", "fs", "os", "path"].map((name) => import("node:" + name))))
    .then(([{ parentPort }, { readlinkSync }, { getPriority }, { basename }]) =>
      parentPort.postMessage(getPriority(Number(basename(readlinkSync("/proc/thread-self"))))))
\`;
new Worker(source, { eval: true }).once("message", (behind) => {
  console.log(JSON.stringify({ main: getPriority(process.pid), behind }));
  process.exit();
});
`;

test("A thread that nobody waits for steps back, and only that one [M7]", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  assert.notEqual(stdout, "", stderr);
  const { main, behind } = JSON.parse(stdout) as { readonly main: number; readonly behind: number };
  assert.equal(behind, Math.min(main + 5, constants.priority.PRIORITY_LOW));
});
