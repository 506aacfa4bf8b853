import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const URGENCY = JSON.stringify(new URL("./urgency.ts", import.meta.url).href);

/** In a process of its own, because what is changed stays changed. Prints how nice its main thread and a worker that steps back are. */
const PROGRAM = `
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
const source = \`
  import(${URGENCY}).then(({ stepBack }) => stepBack()).then(() => import("node:worker_threads")).then(({ parentPort }) => parentPort.postMessage("there"))
\`;
new Worker(source, { eval: true, name: "behind" }).once("message", () => {
  const threads = readdirSync("/proc/self/task").map(Number);
  const behind = threads.filter((thread) => readFileSync("/proc/self/task/" + thread + "/comm", "utf8").trim() === "behind");
  console.log(JSON.stringify({ main: getPriority(process.pid), behind: behind.map((thread) => getPriority(thread)) }));
  process.exit();
});
`;

test("A thread that nobody waits for steps back, and only that one [M7]", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { encoding: "utf8" });
  assert.notEqual(stdout, "", stderr);
  const { main, behind } = JSON.parse(stdout) as { readonly main: number; readonly behind: readonly number[] };
  assert.deepEqual(behind, [main + 5]);
});
