/** What the command says of tasks that do not stay up is true: real tasks, real back-offs, one after the other. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { RealCell } from "./real-cell.ts";

let cell: RealCell;

before(async () => {
  cell = await RealCell.start(1);
});

after(() => cell.close());

const sh = (script: string): readonly string[] => ["--", "/bin/sh", "-c", script];

test("a missing program is not said to run: ls, show, why, events and --wait say what it is [U11] [N7] [cell.T9]", async () => {
  const { code, out, err } = await cell.borg("run", "typo", "--restart", "always", "--wait", "--", "/no/such/program");
  assert.equal(code, 1, out);
  assert.match(err, /does not stay up.*exit 127: command not found/);
  assert.doesNotMatch(out, / runs/);
  await cell.borg("kill", "typo");
  await cell.borg("run", "typo2", "--restart", "always", "--", "/no/such/program");
  await cell.until("it to back off", async () => (await cell.tasks("tester/typo2"))[0]?.state === "backing-off");
  const listed = await cell.borg("ls", "tasks", "--state", "backing-off");
  assert.match(listed.out, /tester\/typo2\/0 +backing-off +exit 127: command not found/);
  assert.match((await cell.borg("show", "typo2/0")).out, /state +backing-off/);
  assert.match((await cell.borg("show", "typo2")).out, /1 \(1 backing off\)/);
  assert.match((await cell.borg("why", "typo2")).out, /typo2\/0 backs off, .*last exit 127: command not found/);
  assert.match((await cell.borg("events", "typo2")).out, /backs off, next try in \d+ s, last exit 127: command not found/);
  const [plain] = JSON.parse((await cell.borg("ls", "tasks", "--job", "typo2", "--json")).out) as readonly Record<string, unknown>[];
  assert.deepEqual([plain!["state"], plain!["exit"]], ["backing-off", { code: 127, signal: null }]);
  await cell.borg("kill", "typo2");
});

test("--wait fails with the cause at a crash loop and at a memory loop [U11] [I9]", async () => {
  const crash = await cell.borg("run", "crash", "--restart", "always", "--wait", ...sh("sleep 0.2; exit 3"));
  assert.equal(crash.code, 1, crash.out);
  assert.match(crash.err, /does not stay up.*exit 3/);
  const hog = "const keep = []; setInterval(() => keep.push(Buffer.alloc(64 * 1024 * 1024, 1)), 20)";
  const ram = await cell.borg("run", "hog", "--restart", "always", "--ram", "128MiB", "--wait", "--", "node", "-e", hog);
  assert.equal(ram.code, 1, ram.out);
  assert.match(ram.err, /does not stay up.*memory/);
  await cell.borg("kill", "crash");
  await cell.borg("kill", "hog");
});

test("a task's own exit 125 is its own, and no failure to start [B1] [borglet.T1]", async () => {
  await cell.borg("run", "own", "--restart", "never", ...sh("exit 125"));
  await cell.until("its end", async () => (await cell.tasks("tester/own"))[0]?.state === "dead");
  const shown = await cell.borg("show", "own/0");
  assert.match(shown.out, /exit 125/);
  assert.doesNotMatch(shown.out, /Cannot start/);
});

test("one-shot work: output, exit code, wait, results that are kept, and --rm [N9] [N6] [cell.J8]", async () => {
  const good = await cell.borg("run", "answer", "--wait", ...sh("echo 42; echo oops >&2"));
  assert.deepEqual([good.code, good.out, good.err], [0, "42\n", "oops\n"]);
  const bad = await cell.borg("run", "seven", "--wait", ...sh("echo partial; exit 7"));
  assert.deepEqual([bad.code, bad.out], [7, "partial\n"]);
  assert.match(bad.err, /Job tester\/seven failed: task tester\/seven\/0 failed \(exit 7\)/);
  assert.equal((await cell.borg("wait", "seven")).code, 7);
  assert.equal((await cell.borg("run", "shot", "--wait", ...sh("kill -9 $$"))).code, 137);
  const listed = await cell.borg("ls", "tasks", "--state", "failed");
  assert.match(listed.out, /tester\/seven\/0 +failed +exit 7/);
  assert.doesNotMatch(listed.out, /answer/);
  assert.match((await cell.borg("ls", "jobs", "--state", "finished")).out, /tester\/answer +finished \(1 finished\)/);
  const gone = await cell.borg("run", "gone", "--wait", "--rm", ...sh("echo once"));
  assert.deepEqual([gone.code, gone.out], [0, "once\n"]);
  assert.equal((await cell.borg("show", "gone")).code, 3);
});

test("results and logs of what has ended are found after the master was started again [N6] [cell.T7]", async () => {
  await cell.borg("run", "kept", "--wait", ...sh("echo kept words; exit 3"));
  await cell.kill("master");
  cell.startMaster();
  await cell.ready();
  assert.match((await cell.borg("show", "kept/0")).out, /state +failed .*\n.*exit 3/);
  await cell.until("its log", async () => (await cell.borg("logs", "kept")).out === "kept words\n");
});

test("failures_max counts runs, and a deadline ends what goes on too long [U10] [cell.T5] [cell.T11]", async () => {
  const limit = { cpuMilli: 100, ramBytes: 2 ** 26 };
  const task = { command: ["/bin/sh", "-c", "echo tried; exit 1"], limit };
  const restart = { failuresMax: 2, backoffMinMs: 200 };
  await cell.client.submitJob({ requestId: "twice", spec: { user: "tester", name: "twice", count: 1, priority: 100, task, restart } });
  await cell.until("its end", async () => (await cell.tasks("tester/twice"))[0]?.state === "dead");
  assert.equal((await cell.borg("logs", "twice")).out, "tried\ntried\n");
  const slow = { command: ["/bin/sleep", "1000"], limit, noticeMs: 500 };
  await cell.client.submitJob({
    requestId: "slow",
    spec: { user: "tester", name: "slow", count: 1, priority: 100, task: slow, deadlineMs: 2000 },
  });
  await cell.until("its end", async () => (await cell.tasks("tester/slow"))[0]?.state === "dead");
  assert.match((await cell.borg("show", "slow/0")).out, /state +failed [\s\S]*Its deadline of 2 s after its first start is over/);
});

test("an exit that a policy names ends a task for good, or as well done, and why says so [U11] [N7] [cell.T14] [borglet.S6]", async () => {
  const { code } = await cell.borg("run", "usage", "--restart", "always", "--fatal-exits", "64,78", ...sh("echo once; exit 64"));
  assert.equal(code, 0);
  await cell.until("its end", async () => (await cell.tasks("tester/usage"))[0]?.state === "dead");
  assert.equal((await cell.borg("logs", "usage")).out, "once\n");
  assert.match((await cell.borg("why", "usage/0")).out, /has failed with exit 64, which its restart policy takes for final/);
  const partial = await cell.borg("run", "partial", "--wait", "--restart", "on-failure", "--ok-exits", "24", ...sh("exit 24"));
  assert.equal(partial.code, 0, "as good as 0");
  assert.match((await cell.borg("why", "partial/0")).out, /has finished with exit 24/);
});
