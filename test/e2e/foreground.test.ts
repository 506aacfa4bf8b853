/** `borg up` in the foreground: `down --kill` from another terminal ends its tasks too, and a plain stop does not. */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { freePort, instancePids, isAlive } from "./real-cell.ts";

const HANG_MS = 120_000;

test("what is started in the foreground: SIGINT leaves tasks running, down --kill ends them [B5] [KT5]", {
  timeout: 2 * HANG_MS,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), "borg-foreground-"));
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", BORG_MASTER: "", BORG_TOKEN: "", BORG_TOKEN_FILE: "" };
  const port = await freePort();
  const cell = `fg-${port}`;
  const borg = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) =>
      execFile(process.execPath, [...entryPoint(), ...args], { env, timeout: HANG_MS }, (error, out, err) =>
        error === null ? resolve(out) : reject(new Error(`borg ${args.join(" ")}: ${out}${err}`, { cause: error })),
      ),
    );
  const upAgain = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [...entryPoint(), "up", "--cell", cell, "--port", String(port)], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((ready, failed) => {
      child.once("exit", (code) => failed(new Error(`borg up ended with ${code}`)));
      child.stdout!.on("data", (text: Buffer) => text.includes("is up:") && ready());
    });
    child.removeAllListeners("exit");
    return child;
  };
  const gone = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once("exit", resolve));
  try {
    const first = await upAgain();
    await borg("run", "keep", "--restart", "always", "--wait", "--", "sleep", "100000");
    // A task counts as running when its shim does; its program follows within moments.
    for (const end = Date.now() + HANG_MS; instancePids(cell).size === 0 && Date.now() < end; ) await sleep(50);
    await sleep(500);
    const before = instancePids(cell);
    assert.equal(before.size, 1);
    const stopped = gone(first);
    first.kill("SIGINT");
    await stopped;
    assert.deepEqual(instancePids(cell), before, "A plain stop touched a task");
    const second = await upAgain();
    assert.deepEqual(instancePids(cell), before, "The next start touched a task");
    const ended = gone(second);
    assert.match(await borg("down", "--kill"), /its tasks have ended/);
    await ended;
    for (const pid of before.values()) assert.ok(!isAlive(pid), "It said that tasks have ended, and their process lives");
    assert.equal(instancePids(cell).size, 0, "It said that tasks have ended, and one lives");
  } finally {
    for (const pid of instancePids(cell).values()) process.kill(pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
});
