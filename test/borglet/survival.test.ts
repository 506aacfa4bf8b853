/** Borglets that are killed, stopped and started again while their tasks go on. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { endTasks } from "../../src/borglet/linux/machine.ts";
import { readStat } from "../../src/borglet/linux/proc.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { BEST, EXTREMES, is, isAlive, POOREST, Stage, start, stop } from "./stage.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };
/** Rounds of kill -9; the soak asks for more. */
const ROUNDS = Number(process.env["ROUNDS"] ?? 4);

/** The pid and start time that the shim wrote. */
const pidOf = (stage: Stage, key: string): string => readFileSync(join(stage.directory, "state", "runs", `${key}.pid`), "latin1");

for (const mode of EXTREMES) {
  test(`kill -9 of the borglet harms no task: same pids, right exit codes, no output lost (${mode.name}) [borglet.A1] [B5] [KT5] [KT3]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const steady = ["ann/steady/0:1", "ann/steady/1:1", "ann/steady/2:1"];
      const script = "i=0; while :; do echo line $i; i=$((i+1)); sleep 0.02; done";
      stage.poll(steady.map((name) => start(name, script)));
      await stage.until("all run", ({ instances }) => instances.filter(is(Phase.RUNNING)).length === 3);
      const pids = steady.map((_, i) => pidOf(stage, `ann_steady_${i}.1.1`));
      for (let round = 1; round <= ROUNDS; round++) {
        const ends = [3, 0, 9].map((code, i) => ({ name: `ann/ends/${i}:${round}`, code }));
        const scripts = ends.map(({ name, code }) =>
          start(name, `sleep 0.${round}; ${code === 9 ? "kill -KILL $$" : `exit ${code}`}`, NEVER),
        );
        stage.poll(scripts);
        await stage.until("they run", ({ instances }) =>
          ends.every(({ name }) => instances.some((each) => each.instance === name && each.run === 1)),
        );
        await stage.kill9();
        await new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? 0 : 600));
        await stage.start();
        const [a, b, c] = await Promise.all(
          ends.map(({ name }) => stage.instance(name, "ends", ({ phase }) => phase === Phase.FINISHED || phase === Phase.FAILED)),
        );
        assert.deepEqual([a!.exitCode, b!.phase, c!.signal], [3, Phase.FINISHED, 9], `round ${round}`);
        assert.deepEqual(
          steady.map((_, i) => pidOf(stage, `ann_steady_${i}.1.1`)),
          pids,
        );
      }
      for (const pid of pids) assert.ok(isAlive(Number.parseInt(pid, 10)));
      assert.deepEqual(
        stage.latest!.instances.filter(({ instance }) => instance.startsWith("ann/steady")).map(({ run }) => run),
        [1, 1, 1],
      );
      const text = await stage.said(steady[0]!, "line 60\n");
      assert.deepEqual(
        text.split("\n").slice(0, 60),
        Array.from({ length: 60 }, (_, i) => `line ${i}`),
        "every line, in order",
      );
    } finally {
      await stage.close();
    }
  });
}

test("After its own restart a borglet refuses what it refused before [borglet.A2] [KL2]", async () => {
  const stage = await Stage.open(POOREST);
  try {
    const name = "ann/web/0:1";
    stage.poll([start(name, "sleep 1000")], { term: 5, sequence: 100 });
    stage.poll([], { term: 5, sequence: 101 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await stage.kill9();
    await stage.start({ heard: false });
    await stage.line("Stale poll refused: term 1");
    stage.poll([stop(name)], { term: 5, sequence: 99 });
    stage.poll([stop(name)], { term: 4, sequence: 1000 });
    stage.resume(5, 200);
    const report = await stage.instance(name, "runs", is(Phase.RUNNING));
    assert.equal(report.run, 1);
  } finally {
    await stage.close();
  }
});

test("Stopping the borglet leaves tasks running; a second one on the same directory is refused; endTasks ends them [borglet.A3]", async () => {
  const stage = await Stage.open(BEST);
  try {
    await stage.run("ann/web/0:1", "echo up; sleep 1000");
    await stage.said("ann/web/0:1", "up");
    await assert.rejects(stage.second(), /another process uses this machine/);
    const pid = Number.parseInt(pidOf(stage, "ann_web_0.1.1"), 10);
    await stage.stop();
    assert.ok(isAlive(pid));
    if (BEST.root || process.getuid?.() !== 0) {
      assert.equal(await endTasks(stage.options() as never, 0), 1);
      assert.ok(!isAlive(pid));
    }
    await stage.start();
    const again = await stage.instance("ann/web/0:1", "runs again", is(Phase.RUNNING));
    assert.deepEqual([again.run, again.message], [2, ""], "it had not failed");
  } finally {
    await stage.close();
  }
});

test("A shim that is killed takes neither its task nor the truth with it [borglet.A4]", async () => {
  const stage = await Stage.open(BEST);
  try {
    const name = "ann/web/0:1";
    await stage.run(name, "echo up; exec sleep 1000", NEVER);
    await stage.said(name, "up");
    const shim = Number.parseInt(readFileSync(join(stage.directory, "state", "runs", "ann_web_0.1.1.shim"), "latin1"), 10);
    const pid = Number.parseInt(pidOf(stage, "ann_web_0.1.1"), 10);
    process.kill(shim, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.ok(isAlive(pid));
    assert.equal(stage.latest?.instances[0]?.phase, Phase.RUNNING);
    process.kill(pid, "SIGKILL");
    const report = await stage.instance(name, "fails", is(Phase.FAILED));
    assert.equal(report.message, "How it ended is not known: its shim was killed");
  } finally {
    await stage.close();
  }
});

test("A log copier that is killed takes no line with it: another one goes on where it ended [borglet.L2] [N6]", async () => {
  const stage = await Stage.open(BEST);
  try {
    const name = "ann/web/0:1";
    await stage.run(name, "i=0; while [ $i -lt 60 ]; do echo line $i; i=$((i+1)); sleep 0.05; done; echo over; exec sleep 1000");
    await stage.said(name, "line 1\n");
    const shim = readFileSync(join(stage.directory, "state", "runs", "ann_web_0.1.1.shim"), "latin1").split(" ")[0];
    for (let round = 0; round < 3; round++) {
      const copiers = readdirSync("/proc").filter((pid) => sessionOf(pid) === shim && commOf(pid) === "log-copier");
      assert.ok(copiers.length > 0);
      for (const pid of copiers) process.kill(Number(pid), "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const text = await stage.said(name, "over\n");
    assert.equal(text, [...Array.from({ length: 60 }, (_, i) => `line ${i}`), "over", ""].join("\n"));
  } finally {
    await stage.close();
  }
});

test("Descriptors that the borglet was started with do not reach tasks [borglet.T2]", async () => {
  const stage = await Stage.open(BEST, {}, { foreign: true });
  try {
    await stage.run("ann/fd/0:1", "ls /proc/self/fd | tr '\\n' ' '; ls /proc/$PPID/fd | tr '\\n' ' '; echo end", NEVER);
    assert.match(await stage.said("ann/fd/0:1", "end"), /^0 1 2 3 /);
    const shims = readdirSync(join(stage.directory, "state", "runs")).filter((name) => name.endsWith(".shim"));
    assert.equal(shims.length, 1);
  } finally {
    await stage.close();
  }
});

test("Killed at any moment of a start, stop or restart, the borglet finds one process of each instance or none, never two [borglet.A6] [KT3]", async (t) => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1e6);
  t.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const stage = await Stage.open(POOREST);
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const names = Array.from({ length: 6 }, (_, i) => `ann/race/${i}:${round}`);
      const old = names.map((name) => name.replace(`:${round}`, `:${round - 1}`));
      stage.poll([...names.map((name) => start(name, "exec sleep 1004")), ...(round > 1 ? old.map((name) => stop(name, 0)) : [])]);
      await new Promise((resolve) => setTimeout(resolve, random.int(0, 80)));
      await stage.kill9();
      await stage.start();
      // A poll that was lost with the borglet is said again, as a master does.
      stage.poll([...names.map((name) => start(name, "exec sleep 1004")), ...(round > 1 ? old.map((name) => stop(name, 0)) : [])]);
      await stage.until("all run", ({ instances }) =>
        names.every((name) => instances.some((each) => each.instance === name && is(Phase.RUNNING)(each))),
      );
      await stage.until("the others are gone", ({ instances }) =>
        old.every((name) => instances.every((each) => each.instance !== name || is(Phase.GONE)(each))),
      );
      // Who is told as running may still be on its way from the shell to its program.
      for (let tries = 0; tries < 500 && marks("sleep 1004").length < names.length; tries++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(marks("sleep 1004"), names, `round ${round}`);
    }
  } finally {
    await stage.close();
  }
});

/** The instance of every process with this command. */
function marks(command: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").startsWith(command)) continue;
      found.push(/\0?BORG_INSTANCE=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"))?.[1] ?? "");
    } catch {
      // It ended while we looked.
    }
  }
  return found.filter((instance) => instance !== "").sort();
}

const sessionOf = (pid: string): string => String((/^\d+$/.test(pid) ? readStat(Number(pid)) : undefined)?.session ?? "");

function commOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "latin1").trim();
  } catch {
    return "";
  }
}
