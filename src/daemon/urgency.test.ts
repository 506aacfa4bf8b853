import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { test } from "node:test";

const URGENCY = JSON.stringify(new URL("./urgency.ts", import.meta.url).href);

/**
 * In a process of its own, because what is changed stays changed. Prints how nice its main thread and a worker that
 * steps back are. The worker says which thread it is: not every kernel tells other threads its name.
 */
const PROGRAM = `
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
const source = \`
  import(${URGENCY})
    .then(({ stepBack }) => stepBack())
    .then(() => Promise.all([import("node:worker_threads"), import("node:fs")]))
    .then(([{ parentPort }, { readlinkSync }]) => parentPort.postMessage(readlinkSync("/proc/thread-self")))
\`;
new Worker(source, { eval: true }).once("message", (behind) => {
  console.log(JSON.stringify({ main: getPriority(process.pid), behind: getPriority(Number(behind.split("/").at(-1))) }));
  process.exit();
});
`;

test("A thread that nobody waits for steps back, and only that one [M7]", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  assert.notEqual(stdout, "", stderr);
  const { main, behind } = JSON.parse(stdout) as { readonly main: number; readonly behind: number };
  assert.equal(behind, Math.min(main + 5, constants.priority.PRIORITY_LOW));
});
