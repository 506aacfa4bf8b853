/** A disk that is full is named: by `up`, by `ls machines`, and as the cause of a task that cannot start; and work goes on when there is room. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Typist } from "./typist.ts";

const HANG_MS = 60_000;
const typist = new Typist("full");
const { home } = typist;
const disk = join(home, "disk");
mkdirSync(disk, { mode: 0o700 });
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300m,mode=0700", "tmpfs", disk]).status === 0;
const skip = isMounted ? false : "a small disk cannot be mounted here";
const PORT = String(9830 + Math.floor(Math.random() * 40) * 2);
const FILL = join(disk, "fill");

interface Told {
  readonly code: number;
  readonly said: string;
}

const borg = async (...args: readonly string[]): Promise<Told> => {
  const { code, out, err } = await typist.borg(...args);
  return { code, said: out + err };
};

/** To the last byte. */
function fill(): void {
  const file = openSync(FILL, "w");
  for (const bytes of [2 ** 20, 4096, 1]) {
    const piece = new Uint8Array(bytes);
    try {
      for (;;) writeSync(file, piece);
    } catch {
      // Full for pieces of this size.
    }
  }
  closeSync(file);
}

const up = (): Promise<Told> => borg("up", "--detach", "--data", join(disk, "cell"), "--port", PORT);

async function until(what: string, ask: () => Promise<Told>, expected: RegExp): Promise<void> {
  let said = "";
  for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(300)) {
    ({ said } = await ask());
    if (expected.test(said)) return;
  }
  assert.fail(`Waited in vain for ${what}: ${said}`);
}

after(async () => {
  if (isMounted) {
    rmSync(FILL, { force: true });
    await borg("down", "--kill", "--data", join(disk, "cell"));
    spawnSync("umount", ["-l", disk]);
  }
  typist.leave();
});

test("up names a full disk in a moment, and starts when there is room [N9]", { skip }, async () => {
  mkdirSync(join(disk, "cell"), { mode: 0o700 });
  fill();
  const refused = await up();
  assert.equal(refused.code, 1, refused.said);
  assert.match(refused.said, /^The disk of ".*cell" is full: .* are left, and a start needs 80 MiB\n {2}make room there/m);
  rmSync(FILL);
  const started = await up();
  assert.equal(started.code, 0, started.said);
});

test("a disk that fills up is told of its machine and of a task that cannot start there, and is forgotten with room [N9] [borglet.U5]", {
  skip,
}, async () => {
  fill();
  await until("the machine", () => borg("ls", "machines"), /m1: its disk is full: nothing new can start there/);
  await borg("run", "small", "--disk", "1MiB", "--restart", "always", "--", "sleep", "600");
  await until("the cause", () => borg("ls", "tasks"), /cannot start: the disk of this machine is full/);
  rmSync(FILL);
  await until("the machine to have room", () => borg("ls", "machines"), /^(?![\s\S]*is full)[\s\S]*m1 +up/);
  await until("the task", () => borg("ls", "tasks"), /small\/0 +running/);
});
