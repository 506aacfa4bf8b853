import assert from "node:assert/strict";
import { test } from "node:test";
import { Health } from "../wire/gen/borg/v1/machine_pb.ts";
import { EXIT } from "./exit.ts";
import { borg, type Script } from "./fixture.test.ts";

type Counts = Readonly<Record<string, number>>;
const JOB = { name: "ann/hi", state: "pending", count: 3 } as const;

/** Each look at the job sees the next of these; the last one stays. */
function looks(states: readonly (Counts & { readonly dead?: number })[], more: Script = {}): Script {
  let at = 0;
  return {
    submitJob: () => ({ position: 1 }),
    getJob: () => {
      const counts = states[Math.min(at++, states.length - 1)]!;
      const state = (counts["running"] ?? 0) > 0 ? "running" : "pending";
      return { job: { ...JOB, ...counts, state } };
    },
    ...more,
  };
}

const RUN = ["run", "hi", "--count", "3", "--restart", "always", "--wait"] as const;
const COMMAND = ["--", "/bin/true"] as const;

test("--wait shows the counts as they change, in plain lines without a terminal, and ends when all run", async () => {
  const { code, out } = await borg(
    [...RUN, ...COMMAND],
    looks([{ pending: 3 }, { pending: 3 }, { pending: 1, running: 2 }, { running: 3 }]),
  );
  assert.equal(code, EXIT.done);
  assert.deepEqual(out.split("\n"), [
    "Submitted job ann/hi with 3 tasks",
    "ann/hi  [....................]  3 pending of 3  0s",
    "ann/hi  [#############.......]  2 running, 1 pending of 3  0s",
    "ann/hi  [####################]  3 running of 3  0s",
    "Job ann/hi runs: 3 of 3 tasks",
    "",
  ]);
});

test("on a terminal the line is redrawn in place and fits", async () => {
  const script = looks([{ pending: 3 }, { pending: 2, running: 1 }, { running: 3 }]);
  const { out } = await borg([...RUN, ...COMMAND], script, { live: true, columns: 40 });
  assert.equal(out.split("\x1b[1A\r\x1b[J").length, 3);
  for (const line of out.replaceAll("\x1b[1A\r\x1b[J", "").split("\n").slice(1, 4)) assert.ok(line.length < 40, line);
});

test("after five seconds of pending it says why by itself, and again only when the reason changed [N7]", async () => {
  const pending = Array.from({ length: 30 }, () => ({ pending: 3 }));
  let asked = 0;
  const explain = () => ({
    task: "ann/hi/0",
    state: "pending",
    reasons: [{ reason: asked++ < 2 ? "not enough ram" : "not enough cpu", machines: 2 }],
  });
  const { code, out, terminal } = await borg([...RUN, ...COMMAND], looks([...pending, { running: 3 }], { explain }));
  assert.equal(code, EXIT.done);
  assert.ok(asked >= 3);
  assert.equal(out.split("not enough ram").length, 2);
  assert.equal(out.split("not enough cpu").length, 2);
  assert.match(out, /Task ann\/hi\/0 is pending\.\nNone of 2 machines can take it:\n {2}2 machines: not enough ram\n/);
  assert.ok(terminal.slept.every((ms) => ms <= 1000));
});

test("waiting too long is exit 4; the job stays", async () => {
  const { code, err, terminal } = await borg([...RUN, "--timeout", "7s", ...COMMAND], looks([{ pending: 3 }], { explain: () => ({}) }));
  assert.equal(code, EXIT.waited);
  assert.match(err, /^Waited 7s and not all tasks of job ann\/hi run\n {2}see why: borg why ann\/hi\n$/);
  assert.equal(
    terminal.slept.reduce((sum, ms) => sum + ms, 0),
    7000,
  );
  assert.equal((await borg(["run", "x", "--timeout", "5s", ...COMMAND], looks([{}]))).code, EXIT.usage);
});

test("a job that dies is exit 1 with the cause; one that finished is done", async () => {
  const task = { name: "ann/hi/0", state: "dead", exited: true };
  const dead = (cause: string, exitCode: number): Script => ({
    submitJob: () => ({ position: 1 }),
    getJob: () => ({ job: { ...JOB, state: "dead", dead: 1 }, tasks: [{ ...task, cause, exitCode, message: "no such\x1b[2Jfile" }] }),
  });
  const died = await borg([...RUN, ...COMMAND], dead("failed", 127));
  assert.equal(died.code, EXIT.refused);
  assert.match(
    died.err,
    /Job ann\/hi died: task ann\/hi\/0 failed \(exit 127: command not found\): no such\\x1b\[2Jfile\n {2}see its output: borg logs ann\/hi\/0/,
  );
  const finished = await borg([...RUN, "--json", ...COMMAND], dead("finished", 0));
  assert.equal(finished.code, EXIT.done);
  const plain = JSON.parse(finished.out);
  assert.deepEqual([plain.job, plain.position, plain.state, plain.outcome], ["ann/hi", 1, "dead", "finished"]);
});

test("Ctrl-C stops the waiting and says that the job stays", async () => {
  const interrupt = new AbortController();
  const script = looks([{ pending: 3 }], {
    getJob: () => {
      interrupt.abort();
      return { job: { ...JOB, pending: 3 } };
    },
  });
  const { code, err } = await borg([...RUN, ...COMMAND], script, { interrupted: () => interrupt.signal });
  assert.equal(code, EXIT.interrupted);
  assert.equal(err, "Stopped waiting; ann/hi stays as it is (borg show ann/hi)\n");
});

interface Seen {
  readonly state: string;
  readonly run?: number;
  readonly runFailures?: number;
  readonly exitCode?: number;
  readonly health?: Health;
  readonly ready?: boolean;
  readonly readiness?: Health;
  readonly problem?: string;
  readonly message?: string;
}

/** One task, second by second; the last one stays. */
function lives(
  seen: readonly Seen[],
  health?: { readonly port: string },
  ready?: { readonly port: string },
): { readonly script: Script; looked: () => number } {
  let at = 0;
  const script: Script = {
    submitJob: () => ({ position: 1 }),
    explain: () => ({}),
    getJob: () => {
      const task = { name: "ann/hi/0", cause: "started", instance: "ann/hi/0:1", run: 1, ...seen[Math.min(at++, seen.length - 1)]! };
      const counts = { running: Number(task.state === "running"), backingOff: Number(task.state === "backing-off") };
      return {
        job: { ...JOB, count: 1, state: "running", ...counts },
        spec: { task: { ...(health === undefined ? {} : { health }), ...(ready === undefined ? {} : { ready }) } },
        tasks: [{ ...task, exited: task.exitCode !== undefined }],
      };
    },
  };
  return { script, looked: () => at };
}

const SERVICE = ["run", "hi", "--restart", "always", "--wait", ...COMMAND] as const;

test("--wait does not take a task for running before it stayed up a moment, and longer after a failure [U11] [N7]", async () => {
  const once = await borg([...SERVICE], lives([{ state: "running" }]).script);
  assert.equal(once.code, EXIT.done);
  assert.ok(sum(once.terminal.slept) >= 2000, `after ${sum(once.terminal.slept)} ms`);
  const again = await borg(
    [...SERVICE],
    lives([
      { state: "running" },
      { state: "backing-off", exitCode: 1, runFailures: 1 },
      { state: "running", run: 2, exitCode: 1, runFailures: 1 },
    ]).script,
  );
  assert.equal(again.code, EXIT.done);
  assert.match(again.out, /1 backing off of 1 .*exit 1/);
  assert.ok(sum(again.terminal.slept) >= 10_000);
});

test("--wait never says that a crash loop or a missing program runs, and fails with the cause [U11] [N7]", async () => {
  const loop = await borg(
    [...SERVICE],
    lives([
      { state: "running" },
      { state: "backing-off", exitCode: 3, runFailures: 1 },
      { state: "running", run: 2, exitCode: 3, runFailures: 1 },
      { state: "backing-off", run: 3, exitCode: 3, runFailures: 3 },
    ]).script,
  );
  assert.deepEqual([loop.code, /runs/.test(loop.out)], [EXIT.refused, false]);
  assert.match(
    loop.err,
    /^Job ann\/hi does not stay up: task ann\/hi\/0 failed 3 times and is tried again \(exit 3\)\n {2}see its output: borg logs ann\/hi\/0/,
  );
  const missing = await borg([...SERVICE], lives([{ state: "backing-off", exitCode: 127, runFailures: 1 }]).script);
  assert.equal(missing.code, EXIT.refused);
  assert.match(missing.err, /exit 127: command not found/);
  const wellAgain = await borg([...SERVICE], lives([{ state: "backing-off", run: 3, exitCode: 0 }]).script);
  assert.equal(wellAgain.code, EXIT.refused, "a service that ends well again and again does not stay up either");
});

test("--wait waits for good health where health is declared [N4] [U11]", async () => {
  const { script, looked } = lives(
    [...Array.from({ length: 9 }, () => ({ state: "running", health: Health.UNKNOWN })), { state: "running", health: Health.GOOD }],
    { port: "http" },
  );
  assert.equal((await borg([...SERVICE], script)).code, EXIT.done);
  assert.equal(looked(), 10);
});

test("--wait waits until every task is ready where readiness is declared, and says what its check says [N4] [U11]", async () => {
  const unready = { state: "running", health: Health.GOOD, readiness: Health.BAD, problem: "Answered 503" };
  const warm = { state: "running", health: Health.GOOD, readiness: Health.GOOD, ready: true };
  const { script, looked } = lives([...Array.from({ length: 9 }, () => unready), warm], { port: "http" }, { port: "http" });
  const done = await borg([...SERVICE], script);
  assert.deepEqual([done.code, looked()], [EXIT.done, 10]);
  assert.match(done.out, /1 not ready: Answered 503/);
  const never = await borg(
    [...SERVICE, "--timeout", "3s"].toSorted((a, b) => Number(a === "--") - Number(b === "--")),
    lives([unready], undefined, { port: "http" }).script,
  );
  assert.equal(never.code, EXIT.waited);
  assert.match(never.err, /not all tasks of job ann\/hi are ready/);
});

const sum = (slept: readonly number[]): number => slept.reduce((all, ms) => all + ms, 0);
