/** Control groups against a directory that looks like one: which files get which words. What the kernel makes of them test/borglet shows. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bandOf, Cgroups } from "./cgroup.ts";
import { type CgroupHost, findCgroups } from "./cgroup-host.ts";
import { canJoin, OwnGroup } from "./own-group.ts";

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

const T1 = { key: "t1", band: "prod", alloc: "" } as const;

/** A kernel makes these files with the directory; here the test does. */
function group(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const name of [...V2_FILES, ...MORE_FILES]) writeFileSync(join(directory, name), "");
}

test("Version 2: controllers are handed down, limits and weights written, use and whose memory ran out read [borglet.G1] [borglet.U3] [I8]", () => {
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
    assert.deepEqual(
      ["", "prod/", "batch/", "free/"].map((band) => read(`cell/${band}pids.max`)),
      ["16384", "16384", "12288", "8192"],
      "whatever batch forks, prod can",
    );
    cgroups.holdTogether({ cpuMilli: 2000, ramBytes: 3000 });
    assert.deepEqual([read("cell/cpu.max"), read("cell/memory.max").trim()], ["200000 100000", "3000"]);
    writeFileSync(join(root, "cell/memory.current"), "2000\n");
    cgroups.holdTogether({ cpuMilli: 2000, ramBytes: 1500 });
    assert.match(read("cell/memory.max"), /^3000/, "nobody is killed for a reserve that rose");
    assert.deepEqual(cgroups.make(T1, { cpuMilli: 500, ramBytes: 4096, isLatencySensitive: true, diskBandwidth: 0 }), [task]);
    assert.deepEqual(
      [read("cell/prod/t1/cpu.weight"), read("cell/prod/t1/memory.max"), read("cell/prod/t1/memory.swap.max")],
      ["500", "4096", "0"],
    );
    const limits = { cpuMilli: 500, ramBytes: 4096, isLatencySensitive: true, diskBandwidth: 0 };
    assert.equal(read("cell/prod/t1/cpu.max"), "", "idle time is anybody's");
    cgroups.make(T1, { ...limits, holdCpu: true });
    assert.equal(read("cell/prod/t1/cpu.max"), "50000 100000");
    cgroups.adjust(T1, limits);
    assert.match(read("cell/prod/t1/cpu.max"), /^max 100000/);
    writeFileSync(join(task, "cpu.stat"), "usage_usec 1500\nuser_usec 7\n");
    writeFileSync(join(task, "memory.current"), "9000\n");
    writeFileSync(join(task, "memory.stat"), "anon 1\ninactive_file 4000\nactive_file 3\n");
    assert.deepEqual(cgroups.use(T1), { cpuNs: 1_500_000, ramBytes: 5000 });
    assert.equal(cgroups.memoryEnd(T1), undefined);
    const met = (where: string, oom: number): void => writeFileSync(join(root, where, "memory.events.local"), `low 0\noom ${oom}\n`);
    writeFileSync(join(task, "memory.events"), "low 0\noom 0\noom_kill 3\n");
    assert.equal(cgroups.memoryEnd(T1), "machine", "nobody here met a limit");
    met("cell", 1);
    assert.equal(cgroups.memoryEnd(T1), "tasks");
    met("cell/prod/t1", 2);
    assert.equal(cgroups.memoryEnd(T1), "task");
    writeFileSync(join(task, "cgroup.procs"), "12\n34\n");
    assert.deepEqual(cgroups.processes(T1), [12, 34]);
    cgroups.kill(T1);
    assert.equal(read("cell/prod/t1/cgroup.kill"), "1");
    assert.deepEqual(cgroups.list(), [T1]);
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

/** A version 1 host of two hierarchies that everybody joins, and two for some. */
function version1(root: string): CgroupHost {
  for (const name of ["memory", "cpu", "cpuset", "blkio"]) mkdirSync(join(root, name), { recursive: true });
  const mounts = join(root, "mounts");
  const line = (name: string, options: string): string => `cgroup ${root}/${name} cgroup rw,${options} 0 0\n`;
  writeFileSync(
    mounts,
    line("memory", "memory") + line("cpu", "cpu,cpuacct,pids,freezer") + line("cpuset", "cpuset") + line("blkio", "blkio"),
  );
  return findCgroups(mounts, "/dev/null")!;
}

const GROUP_V1 = [
  "cpu.shares",
  "cpu.idle",
  "memory.limit_in_bytes",
  "memory.max_usage_in_bytes",
  "memory.usage_in_bytes",
  "memory.oom_control",
];

test("Version 1: bands get leftovers, latency-sensitive tasks go first, an alloc bounds what is in it, and its limit is told [borglet.G1] [borglet.U3] [I3] [I4] [I7]", () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-cgroup-"));
  try {
    const cgroups = new Cgroups(version1(root), "cell");
    const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
    const read = (path: string): string => readFileSync(join(root, path), "utf8");
    const files = (path: string): void => {
      for (const hierarchy of ["memory", "cpu", "cpuset", "blkio"]) {
        mkdirSync(join(root, hierarchy, path), { recursive: true });
        for (const name of GROUP_V1) put(join(hierarchy, path, name), "");
      }
      for (const name of ["cpuset.cpus", "cpuset.mems", "cgroup.clone_children"]) put(join("cpuset", path, name), "");
    };
    const [web, work] = [
      { key: "web", band: "prod", alloc: "box" },
      { key: "work", band: "prod", alloc: "" },
    ] as const;
    for (const path of [
      "",
      "cell",
      "cell/prod",
      "cell/batch",
      "cell/free",
      "cell/prod/alloc@box",
      "cell/prod/alloc@box/web",
      "cell/prod/work",
    ])
      files(path);
    put("cpuset/cpuset.cpus", "0-2\n");
    put("cpuset/cpuset.mems", "0\n");
    cgroups.prepare({ cpuMilli: 3000, ramBytes: 10_000_000 });
    assert.deepEqual(
      ["prod", "batch", "free"].map((band) => read(`cpu/cell/${band}/cpu.shares`)),
      ["262144", "26", "26"],
    );
    assert.equal(read("cpu/cell/free/cpu.idle"), "1");
    assert.deepEqual([read("cpuset/cell/prod/cpuset.cpus"), read("cpuset/cell/prod/cpuset.mems")], ["0-2", "0"]);
    rmSync(join(root, "blkio/cell/prod/alloc@box"), { recursive: true });
    const limits = { cpuMilli: 1000, ramBytes: 5_000_000, isLatencySensitive: true, diskBandwidth: 0 };
    const joined = cgroups.make(web, limits, { ...limits, ramBytes: 6_000_000 });
    assert.deepEqual(
      joined.map((path) => path.slice(root.length + 1)).sort(),
      ["cpu", "cpuset", "memory"].map((name) => `${name}/cell/prod/alloc@box/web`),
    );
    for (const path of ["cpuset/cell/prod/work", "blkio/cell/prod/work"]) rmSync(join(root, path), { recursive: true });
    assert.equal(cgroups.make(work, { ...limits, isLatencySensitive: false }).length, 2, "it needs no processors of its own");
    assert.deepEqual([read("cpu/cell/prod/alloc@box/web/cpu.shares"), read("cpu/cell/prod/work/cpu.shares")], ["26214", "262"]);
    assert.equal(read("memory/cell/prod/alloc@box/memory.limit_in_bytes"), "6000000");
    assert.deepEqual(
      cgroups
        .list()
        .map(({ key, alloc }) => `${alloc}/${key}`)
        .sort(),
      ["/work", "box/web"],
    );
    cgroups.setCores(web, [1, 2]);
    assert.deepEqual(
      [cgroups.coresOf(web), cgroups.cores()],
      [
        [1, 2],
        [0, 1, 2],
      ],
    );
    put("memory/cell/prod/alloc@box/web/memory.oom_control", "oom_kill_disable 0\noom_kill 1\n");
    put("memory/cell/prod/alloc@box/memory.max_usage_in_bytes", "6000000");
    assert.equal(cgroups.memoryEnd(web), "alloc");
    put("memory/cell/prod/alloc@box/web/memory.usage_in_bytes", "4000000");
    assert.equal(cgroups.adjust(web, { ...limits, ramBytes: 3_000_000 }), false, "nobody is killed for a limit that fell");
    assert.equal(read("memory/cell/prod/alloc@box/web/memory.limit_in_bytes"), "5000000");
    assert.equal(cgroups.adjust(web, { ...limits, cpuMilli: 2000, ramBytes: Number.POSITIVE_INFINITY }), true);
    assert.match(read("memory/cell/prod/alloc@box/web/memory.limit_in_bytes"), /^-1/);
    assert.equal(read("cpu/cell/prod/alloc@box/web/cpu.shares"), "52429");
    const quota = (): string => read("cpu/cell/prod/alloc@box/web/cpu.cfs_quota_us").trim();
    for (const file of ["cpu.cfs_period_us", "cpu.cfs_quota_us"]) put(`cpu/cell/prod/alloc@box/web/${file}`, "");
    cgroups.adjust(web, { ...limits, cpuMilli: 1500, holdCpu: true });
    assert.equal(quota(), "150000");
    cgroups.adjust(web, limits);
    assert.match(quota(), /^-1/);
    cgroups.giveTurn("free", true);
    assert.deepEqual([read("cpu/cell/free/cpu.idle"), read("cpu/cell/free/cpu.shares")], ["0", "13107"]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("Version 1: the borglet itself has a tenth of prod and a thousand times batch, where it has all processors of its host [borglet.G6]", async () => {
  const root = mkdtempSync(join(tmpdir(), "openborg-cgroup-"));
  try {
    const host = version1(root);
    const read = (path: string): string => readFileSync(join(root, "cpu", path), "utf8");
    mkdirSync(join(root, "cpu/cell/borglet"), { recursive: true });
    for (const path of ["cgroup.procs", "cell/borglet/cgroup.procs", "cell/borglet/cpu.shares"]) writeFileSync(join(root, "cpu", path), "");
    const own = new OwnGroup(host, "cell");
    assert.deepEqual([read("cell/borglet/cpu.shares"), read("cell/borglet/cgroup.procs")], ["26214", String(process.pid)]);
    await own.leave(false);
    assert.equal(read("cgroup.procs"), String(process.pid));
    const all = availableParallelism() * 1000;
    assert.deepEqual([canJoin(host, all), canJoin(host, all - 1), canJoin({ ...host, version: 2 }, all)], [true, false, false]);
    assert.ok(!canJoin({ ...host, rootOf: () => root }, all), "memory would be charged with it");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("Bands are those of the cell", () => {
  assert.deepEqual([0, 99, 100, 119, 120, 450].map(bandOf), ["free", "free", "batch", "batch", "prod", "prod"]);
});
