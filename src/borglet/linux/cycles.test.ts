import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Cycles, parseCounts } from "./cycles.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Where groups of version 2 are that we may make, whoever else uses version 1. */
function mount(): string | undefined {
  const path = /^\S+ (\S+) cgroup2 /m.exec(readFileSync("/proc/self/mounts", "utf8"))?.[1];
  return path !== undefined && process.getuid?.() === 0 ? path : undefined;
}

const hasPerf = spawnSync("perf", ["stat", "-x,", "-e", "cpu-clock", "--", "/bin/true"]).status === 0;

test("Counts are read group by group; what the kernel did not count is absent, not zero [borglet.U7] [N10]", () => {
  const text = [
    "# started on Wed",
    "3000000,,cycles,borg/prod/a,1000,100.00,,",
    "2000000,,instructions,borg/prod/a,1000,100.00,0.67,insn per cycle",
    "<not counted>,,cycles,borg/prod/b,0,100.00,,",
    "<not supported>,,instructions,borg/prod/b,0,100.00,,",
    "77,,cycles,borg/prod/c,1000,100.00,,",
    "",
  ].join("\n");
  assert.deepEqual([...parseCounts(text)], [["borg/prod/a", [3_000_000, 2_000_000]]]);
  assert.equal(parseCounts("x".repeat(10_000)).size, 0);
});

test("Without perf nothing is told, and nothing is tried again [borglet.U7] [N10]", async () => {
  const cycles = new Cycles({ perf: "/nowhere/perf" });
  for (let i = 0; i < 5; i++) {
    cycles.tick(i * 1_000_000, [{ instance: "ann/web/0:1", group: "a" }]);
    await wait(20);
  }
  assert.equal(cycles.of("ann/web/0:1"), undefined);
});

// This kernel may count no cycles (virtual machines seldom do): the same way is gone with what every kernel counts.
test("perf counts in the groups of tasks, each for itself [borglet.U7] [N10]", {
  skip: hasPerf && mount() !== undefined ? false : "needs root, perf (package linux-perf) and control groups of version 2",
}, async () => {
  const names = ["busy", "idle"].map((name) => `borg-cycles-${process.pid}-${name}`);
  const groups = names.map((name) => join(mount()!, name));
  for (const group of groups) mkdirSync(group);
  const busy = spawn("/bin/sh", ["-c", "while :; do :; done"], { stdio: "ignore" });
  try {
    writeFileSync(join(groups[0]!, "cgroup.procs"), String(busy.pid));
    const cycles = new Cycles({ events: "cpu-clock,task-clock", seconds: 1, least: 10 });
    const tasks = names.map((group, i) => ({ instance: `ann/web/${i}:1`, group }));
    for (let tries = 0; tries < 300 && cycles.of("ann/web/0:1") === undefined; tries++) {
      cycles.tick(performance.now(), tasks);
      await wait(50);
    }
    const ratio = cycles.of("ann/web/0:1") ?? 0;
    assert.ok(ratio > 0.5 && ratio < 2, `both clocks ran alike, and their ratio is ${ratio}`);
    assert.equal(cycles.of("ann/web/1:1"), undefined, "who did not run has none");
    cycles.forget("ann/web/0:1");
    assert.equal(cycles.of("ann/web/0:1"), undefined);
  } finally {
    busy.kill("SIGKILL");
    await wait(100);
    for (const group of groups) rmdirSync(group);
  }
});
