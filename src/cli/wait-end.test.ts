import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT } from "./exit.ts";
import { borg, type Script } from "./fixture.test.ts";

interface End {
  readonly cause: string;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly message?: string;
}

/** A job that is seen running once, and then has ended like this, task by task. */
function ends(...tasks: readonly End[]): Script {
  let looks = 0;
  const count = (cause: string): number => tasks.filter((task) => task.cause === cause).length;
  return {
    submitJob: () => ({ position: 1 }),
    forgetJob: () => ({ position: 2 }),
    getTask: ({ task }) => ({ task: { name: task, state: "dead", cause: "finished" } }),
    getJob: () => {
      const dead = looks++ > 1;
      return {
        job: {
          name: "ann/x",
          state: dead ? "dead" : "running",
          count: tasks.length,
          dead: dead ? tasks.length : 0,
          finished: dead ? count("finished") : 0,
          failed: dead ? count("failed") : 0,
        },
        tasks: tasks.map((task, i) => ({
          name: `ann/x/${i}`,
          state: dead ? "dead" : "running",
          ...task,
          exited: task.exitCode !== undefined,
        })),
      };
    },
    readLog: ({ stream, offset }) => {
      const data = new TextEncoder().encode(stream === 1 ? "out\n" : "err\n");
      return { instance: "ann/x/0:1", data: data.subarray(offset), offset, nextOffset: data.length, ended: true };
    },
  };
}

const RUN = ["run", "x", "--wait", "--", "prog"] as const;

test("run --wait passes both streams on where they belong and ends with the program's exit code [N9] [N6]", async () => {
  const good = await borg([...RUN], ends({ cause: "finished", exitCode: 0 }));
  assert.deepEqual([good.code, good.out, good.err], [EXIT.done, "out\n", "err\n"]);
  const spec = good.asked.find(({ method }) => method === "submitJob")!.request["spec"] as { restart: { when: number } };
  assert.equal(spec.restart.when, 3, "never: its first end is the one that is wanted");
  const bad = await borg([...RUN], ends({ cause: "failed", exitCode: 7 }));
  assert.deepEqual([bad.code, bad.out], [7, "out\n"]);
  assert.match(bad.err, /Job ann\/x failed: task ann\/x\/0 failed \(exit 7\)/);
  const signal = await borg([...RUN], ends({ cause: "failed", exitCode: 0, signal: 9 }));
  assert.equal(signal.code, 137);
  const killed = await borg([...RUN], ends({ cause: "killed" }));
  assert.deepEqual([killed.code, /killed/.test(killed.err)], [EXIT.refused, true]);
});

test("of several tasks the first bad end counts, and lines stand behind their task [N9]", async () => {
  const many = await borg(
    ["run", "x", "--count", "3", "--wait", "--", "prog"],
    ends({ cause: "finished", exitCode: 0 }, { cause: "failed", exitCode: 4 }, { cause: "failed", exitCode: 5 }),
  );
  assert.equal(many.code, 4);
  assert.deepEqual(many.out.split("\n").sort(), ["", "0 | out", "1 | out", "2 | out"]);
  assert.match(many.err, /Job ann\/x failed, 1 finished, 2 failed: task ann\/x\/1 failed \(exit 4\)/);
});

test("--rm forgets the job afterwards; it means nothing without an end [N9]", async () => {
  const gone = await borg(["run", "x", "--wait", "--rm", "--", "prog"], ends({ cause: "finished", exitCode: 0 }));
  assert.equal(gone.asked.filter(({ method }) => method === "forgetJob").length, 1);
  for (const args of [["--rm"], ["--rm", "--wait", "--restart", "always"]])
    assert.equal((await borg(["run", "x", ...args, "--", "prog"], ends({ cause: "finished" }))).code, EXIT.usage);
});

test("borg wait waits for the end, without output; --timeout is exit 4 and the job stays [N9]", async () => {
  const waited = await borg(["wait", "x"], ends({ cause: "failed", exitCode: 9 }));
  assert.deepEqual([waited.code, waited.out], [9, ""]);
  const plain = JSON.parse((await borg(["wait", "x", "--json"], ends({ cause: "failed", exitCode: 9 }))).out);
  assert.deepEqual([plain.job, plain.outcome, plain.exitCode, plain.failed], ["ann/x", "died", 9, 1]);
  const late = await borg(["wait", "x", "--timeout", "3s"], {
    ...ends({ cause: "finished" }),
    getJob: () => ({ job: { name: "ann/x", state: "running", count: 1, running: 1 } }),
  });
  assert.equal(late.code, EXIT.waited);
  assert.match(late.err, /Waited 3s and job ann\/x has not ended/);
});

test("Ctrl-C leaves the job, and with --rm takes it along [N9]", async () => {
  const interrupt = new AbortController();
  interrupt.abort();
  const running = { getJob: () => ({ job: { name: "ann/x", state: "running", count: 1 } }), killJob: () => ({ position: 3 }) };
  const left = await borg([...RUN], { ...ends({ cause: "finished" }), ...running }, { interrupted: () => interrupt.signal });
  assert.deepEqual([left.code, left.asked.some(({ method }) => method === "killJob")], [EXIT.interrupted, false]);
  assert.match(left.err, /Stopped waiting; job ann\/x stays as it is/);
  const taken = await borg(
    ["run", "x", "--wait", "--rm", "--", "prog"],
    { ...ends({ cause: "finished" }), ...running },
    { interrupted: () => interrupt.signal },
  );
  const changes = taken.asked.map(({ method }) => method).filter((method) => method === "killJob" || method === "forgetJob");
  assert.deepEqual([taken.code, changes], [EXIT.interrupted, ["killJob", "forgetJob"]]);
});
