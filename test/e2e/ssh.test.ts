/** A shell in a task that runs: the task's jail, processes, user and rights; keys, sizes and exit codes as at a terminal; and it ends with the task. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn as spawnOnTerminal } from "@lydell/node-pty";
import { findAbilities } from "../../src/borglet/linux/abilities.ts";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { HANG_MS, RealCell } from "./real-cell.ts";

const { jail, user } = findAbilities();
const skip =
  jail === "none" ? "there is no jail here (package bubblewrap)" : user === "root" ? false : "only root finds the way into a jail";
/** What runs inside, with nothing that a small system lacks. */
const PROCESSES = "for each in /proc/[0-9]*; do tr '\\0' ' ' <$each/cmdline; echo; done";
let cell: RealCell;

before(async () => {
  cell = await RealCell.start(1);
  const task = { command: ["/bin/sh", "-c", "echo mine >note; exec sleep 100000"], limit: { cpuMilli: 10, ramBytes: 64 * 2 ** 20 } };
  await cell.client.submitJob({ requestId: "web", spec: { user: "tester", name: "web", count: 2, priority: 100, task } });
  await cell.running("tester/web", 2);
});

after(() => cell.close());

/** What it was given to read is told at once, as a pipe does. */
function typed(input: Uint8Array, ...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: Buffer }> {
  const child = spawn(process.execPath, [...entryPoint(), ...args], { env: cell.env, stdio: ["pipe", "pipe", "inherit"] });
  const pieces: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out: Buffer.concat(pieces) })));
}

test("a command runs in the task's jail, among its processes, with its user, rights and descriptors [N9] [I1] [borglet.E1]", {
  skip,
}, async () => {
  const look = `cat note; ${PROCESSES}; grep -hE '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status; ls /proc/self/fd; echo $BORG_TASK; touch /usr/x`;
  const { code, out, err } = await cell.borg("ssh", "web/1", "--", "sh", "-c", `${look}; exit 7`);
  assert.equal(code, 7, err);
  assert.match(out, /^mine$/m);
  assert.match(out, /^sleep 100000 $/m);
  assert.doesNotMatch(out, /internal-borglet/);
  assert.match(out, /^CapEff:\t0+$/m);
  assert.match(out, /^NoNewPrivs:\t1$/m);
  assert.match(out, /^Seccomp:\t2$/m);
  assert.match(out, /^0\n1\n2\n3\n1$/m, "its three descriptors, the one of ls itself, and the task's number");
  assert.match(err, /Read-only file system/);
});

test("what is typed arrives once and whole, both streams come apart, and signals are told [N9] [borglet.E2]", { skip }, async () => {
  const input = randomBytes(700_000);
  const { code, out } = await typed(input, "ssh", "web/0", "--", "sha256sum");
  assert.equal(code, 0);
  assert.equal(out.toString("latin1").slice(0, 64), createHash("sha256").update(input).digest("hex"));
  const large = await typed(Buffer.alloc(0), "ssh", "web/0", "--", "head", "-c", "2000000", "/dev/zero");
  assert.deepEqual([large.code, large.out.length], [0, 2_000_000]);
  const killed = await cell.borg("ssh", "web/0", "--", "sh", "-c", "echo a; echo b >&2; kill -TERM $$");
  assert.deepEqual([killed.code, killed.out, killed.err], [143, "a\n", "b\n"]);
});

test("on a terminal it has its size, Ctrl-C is the shell's, and the exit code comes back [N9] [borglet.E2]", {
  skip,
  timeout: HANG_MS,
}, async () => {
  const words = [...entryPoint(), "ssh", "web/0"];
  const terminal = spawnOnTerminal(process.execPath, words, {
    name: "xterm",
    rows: 31,
    cols: 117,
    env: cell.env as Record<string, string>,
  });
  let screen = "";
  terminal.onData((text) => {
    screen += text;
  });
  const seen = async (what: RegExp): Promise<void> => {
    for (const end = Date.now() + HANG_MS / 2; !what.test(screen) && Date.now() < end; ) await sleep(50);
    assert.match(screen, what);
  };
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  await seen(/[$#] $/);
  terminal.write("stty size; echo it-is-$TERM\r");
  await seen(/31 117[\s\S]*it-is-xterm/);
  terminal.resize(90, 20);
  await sleep(500);
  terminal.write("stty size; sleep 1000\r");
  await seen(/20 90/);
  terminal.write("\x03");
  await sleep(300);
  terminal.write("echo af''ter; exit 5\r");
  await seen(/after/);
  assert.equal(await ended, 5);
});

test("it is written down who came; others may not; it ends with the task [N9] [KA2] [borglet.E3] [cell.J9]", { skip }, async () => {
  const events = await cell.borg("events", "web/0");
  assert.match(events.out, /tester\/web\/0 on m1: a shell was opened \(by tester\)/);
  const open = cell.borg("ssh", "web/1", "--", "sh", "-c", "sleep 98765");
  await cell.until("the command to be there", async () =>
    (await cell.borg("ssh", "web/1", "--", "sh", "-c", PROCESSES)).out.includes("sleep 98765"),
  );
  await cell.client.killJob({ requestId: "kill", job: "tester/web" });
  const { code, err } = await open;
  assert.notEqual(code, 0);
  assert.match(err, /not open, or its task has ended|does not run|has ended|^$/);
  const none = await cell.borg("ssh", "web/0");
  assert.equal(none.code, 1, none.err);
  assert.match(none.err, /does not run now/);
});
