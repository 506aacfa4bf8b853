/**
 * The walking skeleton's shell: real files, a real child process, and lines of JSON on stdin and stdout for the client.
 * Usage: node test/e2e/skeleton.ts DIRECTORY. A line in: {"id", "op": base64 of an Op}; lines out: the actor's messages to "client" and "shell".
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Address, Env } from "../../src/base/env.ts";
import { decodeOp, masterOp } from "../../src/cell/op.ts";
import { FilesJournal } from "../../src/store/files-journal.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { type In, type Out, SkeletonMaster } from "./skeleton-actor.ts";

const MACHINE = "m1";
const LOOK_MS = 20;

class RealEnv implements Env<Out> {
  readonly #deliver: (to: Address, message: Out) => void;
  onTimer: (tag: string) => void = () => {};

  constructor(deliver: (to: Address, message: Out) => void) {
    this.#deliver = deliver;
  }

  now = (): number => performance.now();
  wall = (): number => Date.now();
  random = (): number => Math.random();
  id = (): string => randomUUID();
  log = (line: string): void => void process.stderr.write(`${line}\n`);
  cancel = (): void => {};
  send = (to: Address, message: Out): void => this.#deliver(to, message);

  timer(afterMs: number, tag: string): { readonly tag: string } {
    setTimeout(() => this.onTimer(tag), afterMs);
    return { tag };
  }
}

/** Starts a process once per instance, whoever asks how often; it outlives us, and leaves its exit code in a file by rename. */
class SkeletonBorglet {
  readonly #directory: string;
  readonly #report: (instance: string, phase: Phase, exitCode: number) => void;

  constructor(directory: string, report: (instance: string, phase: Phase, exitCode: number) => void) {
    this.#directory = directory;
    this.#report = report;
  }

  start(instance: string, command: readonly string[]): void {
    const home = join(this.#directory, instance.replaceAll(/[/:]/g, "_"));
    if (!existsSync(home)) {
      mkdirSync(home);
      const script = `echo $$ > pid.new; mv pid.new pid; "$@"; echo $? > exit.new; mv exit.new exit`;
      spawn("/bin/sh", ["-c", script, "shim", ...command], { cwd: home, detached: true, stdio: "ignore" }).unref();
    }
    this.#watch(instance, home, false);
  }

  #watch(instance: string, home: string, toldRunning: boolean): void {
    const running = existsSync(join(home, "pid"));
    if (running && !toldRunning) this.#report(instance, Phase.RUNNING, 0);
    if (existsSync(join(home, "exit"))) {
      const code = Number(readFileSync(join(home, "exit"), "utf8"));
      this.#report(instance, code === 0 ? Phase.FINISHED : Phase.FAILED, code);
    } else {
      setTimeout(() => this.#watch(instance, home, running), LOOK_MS);
    }
  }
}

const directory = process.argv[2] as string;
mkdirSync(join(directory, "journal"), { recursive: true });
mkdirSync(join(directory, "tasks"), { recursive: true });

const print = (message: Out): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const borglet = new SkeletonBorglet(join(directory, "tasks"), (instance, phase, exitCode) => {
  const op = masterOp({ case: "machineReport", value: { machine: MACHINE, instances: [{ instance, phase, run: 1, exitCode }] } });
  master.onMessage("borglet", { type: "op", id: `report ${instance}`, op });
});
const env = new RealEnv((to, message) => {
  if (to === "borglet" && message.type === "start") borglet.start(message.instance, message.command);
  else print(message);
});
const early: In[] = [];
let deliver = (message: In): void => void early.push(message);
const journal = await FilesJournal.open({ directory: join(directory, "journal"), cell: "skeleton" }, (answer) =>
  deliver({ type: "journal", answer }),
);
const master = new SkeletonMaster(env, journal);
deliver = (message) => master.onMessage("journal", message);
for (const message of early) deliver(message);
master.start();

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op } = JSON.parse(line) as { id: string; op: string };
  const decoded = decodeOp(Buffer.from(op, "base64"));
  if (decoded.ok) master.onMessage("client", { type: "op", id, op: decoded.value });
  else print({ type: "answer", id, outcome: decoded, hash: "" });
});
