/** Control groups against a directory that looks like one: which files get which words. What the kernel makes of them test/borglet shows. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bandOf, Cgroups } from "./cgroup.ts";
import { findCgroups } from "./cgroup-host.ts";

const V2_FILES = [
  "cgroup.procs",
  "cgroup.kill",
  "cgroup.subtree_control",
  "cpu.weight",
  "cpu.max",
  "cpu.idle",
  "cpu.stat",
  "memory.max",
  "memory.swap.max",
];
const MORE_FILES = ["memory.oom.group", "memory.current", "memory.stat", "memory.events", "pids.max", "cgroup.controllers"];

/** A kernel makes these files with the directory; here the test does. */
function group(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const name of [...V2_FILES, ...MORE_FILES]) writeFileSync(join(directory, name), "");
}

test("Version 2: controllers are handed down, limits and weights written, use and whose memory ran out read [borglet.G1] [borglet.U3]", () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-cgroup-"));
  try {
    const task = join(root, "cell", "prod", "t1");
    for (const each of [root, join(root, "cell"), join(root, "cell/prod"), join(root, "cell/batch"), join(root, "cell/free"), task])
      group(each);
    writeFileSync(join(root, "cgroup.controllers"), "cpuset cpu io memory pids\n");
    const mounts = join(root, "mounts");
    writeFileSync(mounts, `proc /proc proc rw 0 0\ncgroup2 ${root} cgroup2 rw,nosuid 0 0\n`);
    const host = findCgroups(mounts, "/dev/null")!;
    assert.equal(host.version, 2);
    const cgroups = new Cgroups(host, "cell");
    cgroups.prepare({ cpuMilli: 2500, ramBytes: 1000 });
    const read = (path: string): string => readFileSync(join(root, path), "utf8");
    assert.match(read("cell/cgroup.subtree_control"), /\+pids/);
    assert.deepEqual([read("cell/cpu.max"), read("cell/memory.max"), read("cell/free/cpu.idle")], ["250000 100000", "1000", "1"]);
    assert.deepEqual(cgroups.make("t1", "prod", { cpuMilli: 500, ramBytes: 4096 }), [task]);
    assert.deepEqual(
      [read("cell/prod/t1/cpu.weight"), read("cell/prod/t1/memory.max"), read("cell/prod/t1/memory.swap.max")],
      ["50", "4096", "0"],
    );
    writeFileSync(join(task, "cpu.stat"), "usage_usec 1500\nuser_usec 7\n");
    writeFileSync(join(task, "memory.current"), "9000\n");
    writeFileSync(join(task, "memory.stat"), "anon 1\ninactive_file 4000\nactive_file 3\n");
    assert.deepEqual(cgroups.use("t1", "prod"), { cpuNs: 1_500_000, ramBytes: 5000 });
    assert.equal(cgroups.memoryEnd("t1", "prod"), undefined);
    const met = (where: string, oom: number): void => writeFileSync(join(root, where, "memory.events.local"), `low 0\noom ${oom}\n`);
    writeFileSync(join(task, "memory.events"), "low 0\noom 0\noom_kill 3\n");
    assert.equal(cgroups.memoryEnd("t1", "prod"), "machine", "nobody here met a limit");
    met("cell", 1);
    assert.equal(cgroups.memoryEnd("t1", "prod"), "tasks");
    met("cell/prod/t1", 2);
    assert.equal(cgroups.memoryEnd("t1", "prod"), "task");
    writeFileSync(join(task, "cgroup.procs"), "12\n34\n");
    assert.deepEqual(cgroups.processes("t1", "prod"), [12, 34]);
    cgroups.kill("t1", "prod");
    assert.equal(read("cell/prod/t1/cgroup.kill"), "1");
    assert.deepEqual(cgroups.list(), [{ key: "t1", band: "prod" }]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("Without a memory controller that we may write there are no control groups [borglet.G2]", () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-cgroup-"));
  try {
    const mounts = join(root, "mounts");
    writeFileSync(
      mounts,
      `cgroup ${root}/cpu cgroup rw,cpu 0 0\ncgroup2 ${root} cgroup2 rw 0 0\ncgroup ${root}/none cgroup rw,memory 0 0\n`,
    );
    mkdirSync(join(root, "cpu"));
    assert.equal(findCgroups(mounts, "/dev/null"), undefined);
    mkdirSync(join(root, "none"));
    assert.deepEqual(findCgroups(mounts, "/dev/null")?.roots, [join(root, "none"), join(root, "cpu")]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("Bands are those of the cell", () => {
  assert.deepEqual([0, 99, 100, 119, 120, 450].map(bandOf), ["free", "free", "batch", "batch", "prod", "prod"]);
});
