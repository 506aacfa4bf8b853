import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Child } from "./child.ts";

interface Life {
  readonly pids: number[];
  readonly exits: { readonly code: number | undefined; readonly signal: string | undefined; readonly again: boolean }[];
}

/** Runs `script` as a child until it has ended `lives` times, then stops it. */
async function live(script: string, lives: number, final: readonly number[] = []): Promise<Life & { readonly log: string }> {
  const directory = mkdtempSync(join(tmpdir(), "child-"));
  const life: Life = { pids: [], exits: [] };
  const done = Promise.withResolvers<void>();
  const child = new Child({
    name: "test",
    command: "/bin/sh",
    args: ["-c", script],
    env: process.env,
    logFile: join(directory, "log"),
    final,
    onStart: (pid) => life.pids.push(pid),
    onExit: (code, signal, again) => {
      life.exits.push({ code, signal, again });
      if (life.exits.length >= lives) done.resolve();
    },
  });
  child.start();
  await done.promise;
  await child.stop(1000);
  const log = readFileSync(join(directory, "log"), "utf8");
  rmSync(directory, { recursive: true });
  return { ...life, log };
}

test("a process that ends is started again, and its words are kept", async () => {
  const { exits, pids, log } = await live("echo here; exit 7", 2);
  assert.deepEqual(exits, [
    { code: 7, signal: undefined, again: true },
    { code: 7, signal: undefined, again: true },
  ]);
  assert.equal(new Set(pids).size, pids.length);
  assert.match(log, /^here\nhere\n/);
});

test("an exit code that says it is of no use is not tried again", async () => {
  const { exits, pids } = await live("exit 78", 1, [78]);
  assert.deepEqual(exits, [{ code: 78, signal: undefined, again: false }]);
  assert.equal(pids.length, 1);
});

test("a process that is killed is started again, the signal known", async () => {
  const { exits } = await live("kill -9 $$", 1);
  assert.deepEqual(exits[0], { code: undefined, signal: "SIGKILL", again: true });
});
