/** Tasks that flood, hog, fork and fail; neighbours and the borglet must not suffer, and the cause must be told. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { TASK_PIDS_MAX } from "../../src/borglet/bounds.ts";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { LOG_SLACK_BYTES } from "../../src/borglet/linux/shim.ts";
import { Health, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { BEST, EXTREMES, is, POOREST, Stage, start, stop, unheld } from "./stage.ts";

const best = findAbilities();
const hasVersion1 = best.cgroup === "v1";
const NEVER = { restart: { when: RestartWhen.NEVER } };
const MIB = 2 ** 20;
/** A task that exits at once does so this often; the soak asks for a thousand. */
const RESTARTS = Number(process.env["RESTARTS"] ?? 20);
/** Floods this much, as fast as it can. */
const FLOOD_BYTES = Number(process.env["FLOOD_MIB"] ?? 200) * MIB;

function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })!.size, 0);
}

test("A flood of output stays within its bound on the disk, offsets count every byte, it waits, and neighbours go on [borglet.L2] [borglet.L6] [N6] [KB1]", async () => {
  const logLimits = { fileBytes: 2 * MIB, files: 3 };
  const stage = await Stage.open(BEST, { logLimits });
  try {
    const [flood, neighbour] = ["ann/flood/0:1", "bob/calm/0:1"];
    const sinceMs = performance.now();
    stage.poll([
      start(neighbour, "i=0; while :; do echo $i; i=$((i+1)); sleep 0.05; done"),
      start(flood, `echo up >&2; head -c ${FLOOD_BYTES} /dev/zero; echo; echo over >&2; sleep 1000`),
    ]);
    await stage.instance(flood, "runs", is(Phase.RUNNING));
    const logs = join(stage.directory, "state", "logs", "ann_flood_0.1");
    const bound = logLimits.files * (logLimits.fileBytes + LOG_SLACK_BYTES);
    let most = 0;
    let over = false;
    const watching = stage.said(flood, "over", 2).then(() => {
      over = true;
    });
    while (!over) {
      try {
        most = Math.max(most, bytesIn(logs));
      } catch {
        // A file went while it was counted.
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await watching;
    // 4 MiB, and then a tenth of a second.
    const leastMs = (FLOOD_BYTES / (4 * MIB) - 2) * 100;
    assert.ok(performance.now() - sinceMs >= leastMs, `${FLOOD_BYTES} bytes in less than ${leastMs} ms`);
    assert.ok(most > 0 && most <= bound, `${most} bytes on the disk, at most ${bound} are allowed`);
    // The last of it may still be in the pipe when the other stream is over.
    let bytes = 0;
    while (bytes < FLOOD_BYTES + 1) {
      const end = await stage.log(flood, { fromEnd: true, offset: 1, waitMs: 5000 });
      bytes = end.offset + end.data.length;
    }
    assert.equal(bytes, FLOOD_BYTES + 1);
    const first = await stage.log(flood, { offset: 0, bytesMax: 10 });
    assert.ok(first.offset > 0, "what was dropped is passed over, and the chunk says where it begins");
    await stage.said(neighbour, "\n20\n");
    assert.equal((await stage.instance(neighbour, "runs", is(Phase.RUNNING))).run, 1);
  } finally {
    await stage.close();
  }
});

for (const mode of EXTREMES) {
  test(`A task that uses more memory than its limit is ended, the cause is told, neighbours go on (${mode.name}) [borglet.U3] [I9]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const [hog, neighbour] = ["ann/hog/0:1", "bob/calm/0:1"];
      const eat = "const all=[]; setInterval(()=>all.push(Buffer.alloc(8<<20,1)),40)";
      stage.poll([
        start(neighbour, "echo up; sleep 1000", {}, { limit: { ramBytes: 64 * MIB, cpuMilli: 100 } }),
        start(hog, "", NEVER, { command: ["node", "-e", eat], limit: { ramBytes: 128 * MIB, cpuMilli: 100 } }),
      ]);
      const report = await stage.instance(hog, "fails", is(Phase.FAILED));
      assert.match(report.message, /^Killed: used .*more (memory )?than its limit of 128 MiB$/);
      await stage.until("use is told", () => stage.usage.has(neighbour));
      assert.ok(stage.usage.get(neighbour)!.last!.ramBytes > 0);
      assert.equal((await stage.instance(neighbour, "runs", is(Phase.RUNNING))).run, 1);
    } finally {
      await stage.close();
    }
  });
}

test("Tasks that are within their limits, and together above what the machine has for them: who is killed is told so [borglet.U3] [I9]", {
  skip: unheld,
}, async () => {
  const stage = await Stage.open(BEST, { capacity: { cpuMilli: 2000, ramBytes: 200 * MIB, diskBytes: 1024 * MIB } });
  try {
    const eat = "const all=[]; setInterval(()=>{if(all.length<24)all.push(Buffer.alloc(4<<20,1))},20)";
    const limit = { ramBytes: 190 * MIB, cpuMilli: 100 };
    const names = ["ann/a/0:1", "ann/b/0:2"];
    stage.poll(names.map((name) => start(name, "", NEVER, { command: ["node", "-e", eat], limit })));
    const { instances } = await stage.until("one is killed", (report) => report.instances.some(is(Phase.FAILED)));
    const words = "Killed: all tasks of its machine together used more than 200 MiB of memory; it was within its own limit of 190 MiB";
    assert.equal(instances.find(is(Phase.FAILED))?.message, words);
  } finally {
    await stage.close();
  }
});

test("A machine that runs out of memory loses its lowest task before the kernel chooses; that is no failure, and prod goes on [I4] [I5] [I6] [R3] [borglet.O5]", {
  skip: unheld,
}, async () => {
  const stage = await Stage.open(BEST, { capacity: { cpuMilli: 2000, ramBytes: 300 * MIB, diskBytes: 1024 * MIB } });
  try {
    const [web, work] = ["ann/web/0:1", "bob/work/0:2"];
    const eat = (pieces: number): string => `const all=[]; setInterval(()=>{if(all.length<${pieces})all.push(Buffer.alloc(1<<20,1))},40)`;
    const limit = { ramBytes: 290 * MIB, cpuMilli: 100 };
    stage.poll([
      start(web, "", { ...NEVER, priority: 200 }, { command: ["node", "-e", eat(30)], limit }),
      start(work, "", { priority: 100 }, { command: ["node", "-e", eat(1000)], limit }),
    ]);
    const report = await stage.instance(work, "is evicted", is(Phase.GONE));
    assert.deepEqual([report.outOfResources, report.failures], [true, 0]);
    assert.match(
      report.message,
      /^Evicted: tasks of its machine used 2\d\d.* of 300 MiB memory, and those of higher priority need it; it used /,
    );
    assert.equal((await stage.instance(web, "runs", is(Phase.RUNNING))).run, 1);
  } finally {
    await stage.close();
  }
});

/** Only a hang is a failure: so long a poll stays without its answer at most, while a neighbour takes all it can. */
const GAP_MS_MAX = 5000 * Number(process.env["SLOW"] ?? 1);
const CALM = ["bob/calm/0:1", "i=0; while :; do echo $i; i=$((i+1)); sleep 0.05; done"] as const;

function answered(stage: Stage, t: TestContext): void {
  const gapMs = stage.takeLongestGap();
  t.diagnostic(`the longest that a poll waited for its answer: ${gapMs} ms`);
  assert.ok(gapMs <= GAP_MS_MAX, `a poll waited ${gapMs} ms for its answer`);
}

test("256 processes that spin leave the borglet its answers and a prod neighbour its turns, and go when they are stopped [borglet.G1] [I3] [Z19]", {
  skip: unheld,
}, async (t) => {
  const stage = await Stage.open(BEST);
  try {
    const hog = "ann/spin/0:1";
    stage.poll([
      start(CALM[0], CALM[1], { priority: 200 }),
      start(hog, "for i in $(seq 256); do (while :; do :; done) & done; echo up; wait", { priority: 100 }),
    ]);
    await stage.said(hog, "up");
    stage.takeLongestGap();
    const count = (await stage.said(CALM[0], "\n5\n")).split("\n").length;
    const sinceMs = performance.now();
    await stage.said(CALM[0], `\n${count + 40}\n`);
    t.diagnostic(`40 turns of 50 ms in ${Math.round(performance.now() - sinceMs)} ms`);
    await stage.until("it is seen to spin", () => (stage.usage.get(hog)?.last?.cpuMilli ?? 0) > 500);
    stage.poll([stop(hog, 100)]);
    await stage.instance(hog, "is gone", is(Phase.GONE));
    answered(stage, t);
    assert.equal((await stage.instance(CALM[0], "runs", is(Phase.RUNNING))).run, 1);
  } finally {
    await stage.close();
  }
});

/** Thousands of names are read a millisecond at a time, on a processor that others want too; only a hang takes so long. */
const FILES_MS = 150_000;

test("A task that makes files without end is ended for its disk, though they are empty; the borglet answers meanwhile [borglet.U6] [KB1]", async (t) => {
  const stage = await Stage.open(BEST);
  try {
    const hog = "ann/files/0:1";
    const fill = "i=0; while :; do : >f$i; i=$((i+1)); done";
    stage.poll([start(CALM[0], CALM[1]), start(hog, fill, NEVER, { limit: { diskBytes: 16 * MIB, cpuMilli: 100 } })]);
    await stage.instance(hog, "begins", ({ run }) => run > 0);
    stage.takeLongestGap();
    const { message } = await stage.instance(hog, "fails", is(Phase.FAILED), FILES_MS);
    assert.match(message, /^Killed: used .* of disk, more than its limit of 16 MiB$/);
    answered(stage, t);
    assert.equal((await stage.instance(CALM[0], "runs", is(Phase.RUNNING))).run, 1);
  } finally {
    await stage.close();
  }
});

test("A fork bomb ends at the number of processes that a task may have; its neighbour starts others, and all of it goes [borglet.T3] [borglet.X3]", {
  skip: unheld,
}, async (t) => {
  const stage = await Stage.open(BEST);
  try {
    const bomb = "ann/bomb/0:1";
    const fork = `perl -e '$| = 1; $SIG{TERM} = "IGNORE"; my $n = 1; while (defined(my $p = fork)) { if ($p == 0) { sleep 1000; exit } $n++ } print "$n, $!\n"; sleep 1000'`;
    stage.poll([
      start(CALM[0], CALM[1], { priority: 200 }),
      start(bomb, fork, { priority: 100 }, { limit: { ramBytes: 2048 * MIB, cpuMilli: 100 } }),
    ]);
    await stage.instance(bomb, "begins", ({ run }) => run > 0);
    stage.takeLongestGap();
    const said = await stage.said(bomb, "unavailable");
    const count = Number(/(\d+), Resource temporarily unavailable/.exec(said)?.[1]);
    assert.ok(count > TASK_PIDS_MAX - 100 && count <= TASK_PIDS_MAX, said);
    const before = (await stage.said(CALM[0], "\n5\n")).length;
    await stage.run("bob/late/0:1", "for i in $(seq 20); do sleep 0.01; done; echo over; sleep 1000", { priority: 200 });
    await stage.said("bob/late/0:1", "over");
    stage.poll([stop(bomb, 100)]);
    await stage.instance(bomb, "is gone", is(Phase.GONE));
    answered(stage, t);
    assert.ok((await stage.said(CALM[0], "\n20\n")).length > before);
  } finally {
    await stage.close();
  }
});

test("A fork bomb is held, stopped and gone; its neighbour goes on [borglet.T3]", {
  skip: unheld,
}, async () => {
  const stage = await Stage.open(BEST);
  try {
    const [bomb, neighbour] = ["ann/bomb/0:1", "bob/calm/0:1"];
    stage.poll([
      start(neighbour, "i=0; while :; do echo $i; i=$((i+1)); sleep 0.05; done"),
      // Bounded here, so that a failing test does no harm: forty that each start forty.
      start(
        bomb,
        "trap '' TERM; for i in $(seq 40); do (trap '' TERM; for j in $(seq 40); do setsid sleep 1000 & done; wait) & done; echo up; wait",
      ),
    ]);
    await stage.said(bomb, "up");
    stage.poll([stop(bomb, 200)]);
    await stage.instance(bomb, "is gone", is(Phase.GONE));
    await stage.said(neighbour, "\n5\n");
  } finally {
    await stage.close();
  }
});

test("What a borglet does for its tasks counts beside the bands on the processor, and nothing of that stays [borglet.G6] [I3]", {
  skip: unheld || (hasVersion1 ? false : "no control groups of version 1"),
}, async () => {
  const capacity = { cpuMilli: availableParallelism() * 1000, ramBytes: 4 * 2 ** 30, diskBytes: 2 ** 30 };
  const stage = await Stage.open(BEST, { capacity });
  const top = best.cgroups!.rootOf("cpu");
  try {
    await stage.run("ann/work/0:1", "echo up; sleep 1000");
    await stage.said("ann/work/0:1", "up");
    const groupOf = (what: string): string => {
      const pid = /^\d+/.exec(readFileSync(join(stage.directory, "state", "runs", `ann_work_0.1.1.${what}`), "latin1"))?.[0];
      return /^\d+:(?:.*,)?cpu(?:,.*)?:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "latin1"))?.[1] ?? "";
    };
    assert.deepEqual([groupOf("shim"), groupOf("pid")], [`/${stage.parent}/borglet`, `/${stage.parent}/prod/ann_work_0.1`]);
    assert.ok(existsSync(join(top, stage.parent, "borglet")));
  } finally {
    await stage.close();
  }
  assert.ok(!existsSync(join(top, stage.parent)));
});

test("A task that exits at once is restarted again and again, and then reported [borglet.S4] [B1]", async () => {
  const stage = await Stage.open(POOREST);
  try {
    const times = { backoffMinMs: 1, backoffMaxMs: 1 };
    const restart = { when: RestartWhen.ON_FAILURE, inPlaceMax: RESTARTS, ...times };
    stage.poll([start("ann/quick/0:1", "echo run; exit 3", { restart })]);
    const quick = await stage.instance("ann/quick/0:1", "fails", is(Phase.FAILED));
    const runs = RESTARTS + 1;
    assert.deepEqual([quick.run, quick.exitCode, quick.message], [runs, 3, `Failed ${runs} times on this machine; last: exit 3`]);
    assert.equal((await stage.said("ann/quick/0:1", "run\n".repeat(runs))).length, 4 * runs, "all runs write to one log");
  } finally {
    await stage.close();
  }
});

test("Health is asked of the task's own port; bad answers restart it [borglet.H2] [N4]", async () => {
  const stage = await Stage.open(BEST);
  try {
    const port = await freePort();
    const task = { ports: ["http"], health: { port: "http", path: "/health", intervalMs: 50, failures: 2 }, noticeMs: 100 };
    // Well for a second, and then not.
    const program =
      "const begin = Date.now(); require('http').createServer((_, r) => r.writeHead(Date.now() - begin < 1000 ? 200 : 500).end())";
    const script = `exec node -e "${program}.listen(process.env.BORG_PORT_HTTP, '127.0.0.1')"`;
    await stage.run("ann/web/0:1", script, { ports: [port], restart: { backoffMinMs: 1 } }, task);
    await stage.instance("ann/web/0:1", "is well", ({ health }) => health === Health.GOOD);
    const report = await stage.instance("ann/web/0:1", "is restarted", ({ run }) => run >= 2);
    assert.equal(report.message, "Restarted: its health check failed 2 times, last: Answered 500");
  } finally {
    await stage.close();
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
