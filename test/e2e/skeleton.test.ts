/** One op through journal and apply to one real process and back, with kill -9 in the middle. The first thing that ever ran; kept as a test. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { masterOp, type Op, schedulerOp, userOp } from "../../src/cell/op.ts";
import { encode } from "../../src/wire/codec.ts";
import { OpSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { Out } from "./skeleton-actor.ts";

const HANG_MS = 20_000;

class Client {
  readonly process: ChildProcess;
  readonly #seen: Out[] = [];
  #asked = 0;

  constructor(directory: string) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, "skeleton.ts"), directory], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.process.stdout! }).on("line", (line) => this.#seen.push(JSON.parse(line) as Out));
  }

  async wait<T extends Out>(what: string, match: (message: Out) => message is T): Promise<T> {
    for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(5)) {
      const found = this.#seen.find(match);
      if (found !== undefined) return found;
    }
    return assert.fail(`Nothing heard of ${what}; heard ${JSON.stringify(this.#seen)}`);
  }

  ready = () => this.wait("ready", (m): m is Out & { type: "ready" } => m.type === "ready");
  answer = (id: string) => this.wait(id, (m): m is Out & { type: "answer" } => m.type === "answer" && m.id === id);

  async ask(op: Op): Promise<Out & { type: "answer" }> {
    const id = `ask ${++this.#asked}`;
    this.process.stdin!.write(`${JSON.stringify({ id, op: Buffer.from(encode(OpSchema, op)).toString("base64") })}\n`);
    const answer = await this.answer(id);
    assert.ok(answer.outcome.ok, answer.outcome.ok ? "" : answer.outcome.reason);
    return answer;
  }

  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await gone;
  }
}

/** A zombie is dead, whoever forgets to bury it. */
const alive = (pid: number): boolean => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");

test("skeleton: submit, claim, a real process, kill -9 of the master, and the exit comes back [KT5] [KD1] [B5]", {
  timeout: 6 * HANG_MS,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "skeleton-"));
  let master = new Client(directory);
  try {
    assert.equal((await master.ready()).position, 0);
    await master.ask(masterOp({ case: "cellInit", value: { cell: "skeleton", owner: "ubar" } }));
    await master.ask(userOp("ubar", "r1", { case: "schedulerSet", value: { name: "hand", limits: { priorityMax: 450 } } }));
    await master.ask(masterOp({ case: "machineJoin", value: { machine: "m1", facts: { capacity: { cpuMilli: 1000 } } } }));
    const task = { command: ["/bin/sh", "-c", "i=0; while ! test -e go && test $i -lt 2000; do i=$((i+1)); sleep 0.02; done"] };
    const submit = userOp("ubar", "r2", { case: "jobSubmit", value: { spec: { user: "ubar", name: "hello", count: 1, task } } });
    await master.ask(submit);
    const claimed = await master.ask(
      schedulerOp("hand", { case: "taskClaims", value: { claims: [{ task: "ubar/hello/0", incarnation: 1, place: "m1" }] } }),
    );
    const started = await master.answer("report ubar/hello/0:1");
    assert.notEqual(started.hash, claimed.hash);
    const home = join(directory, "tasks", readdirSync(join(directory, "tasks"))[0] as string);
    const pid = Number(readFileSync(join(home, "pid"), "utf8"));

    await master.kill();
    assert.ok(alive(pid), "the task lives on without a master");

    master = new Client(directory);
    assert.equal((await master.ready()).position, 6, "everything acknowledged is there");
    const again = await master.ask(submit);
    assert.ok(again.outcome.ok && again.outcome.answer.type === "repeated" && again.outcome.answer.position === 4);
    assert.ok(alive(pid));
    assert.equal(Number(readFileSync(join(home, "pid"), "utf8")), pid, "it was not started again");

    spawn("/bin/sh", ["-c", "touch go"], { cwd: home });
    const ended = await master.wait(
      "the end",
      (m): m is Out & { type: "answer" } => m.type === "answer" && JSON.stringify(m).includes('"finished"'),
    );
    assert.ok(ended.outcome.ok && ended.outcome.events.some((event) => event.kind === "job.state" && event.to === "dead"));
    assert.ok(!alive(pid));

    await master.kill();
    master = new Client(directory);
    await master.ready();
    const last = await master.ask(masterOp({ case: "barrier", value: {} }));
    assert.equal(last.hash, ended.hash, "replay gives the same state");
  } finally {
    await master.kill();
    rmSync(directory, { recursive: true });
  }
});

test("the skeleton stays small: under 600 lines with its test", () => {
  const lines = ["skeleton-actor.ts", "skeleton.ts", "skeleton.test.ts"].map(
    (name) => readFileSync(join(import.meta.dirname, name), "utf8").split("\n").length,
  );
  assert.ok(lines.reduce((a, b) => a + b, 0) < 600, lines.join(" + "));
});
