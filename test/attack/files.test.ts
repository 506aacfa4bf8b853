/** A task that changes its directory while its owner reads files of it: whatever it puts under a name meanwhile, nothing of others is read and nothing is waited for. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readTaskFile } from "../../src/borglet/linux/task-files.ts";
import { isRoot } from "../nobody.ts";
import { RACE_MS } from "../race.ts";

const OWNER = 64_997;
/** A look that takes longer waited for somebody. */
const WAIT_MS_MAX = 8000;
/** A file and a pipe under one name in turn; when so many seconds are over, the pipe is written into. */
const SWAP_PIPE = `
use POSIX; use Time::HiRes qw(time); use Fcntl;
chdir shift; my $end = time + shift;
rename "swapped", "file"; mkfifo "fifo", 0666;
while (time < $end) { for ("file", "fifo") { rename $_, "swapped"; rename "swapped", $_ } }
sysopen my $pipe, "fifo", O_RDWR; sleep 10`;
let place = "";
let root = "";
before(() => {
  place = mkdtempSync(join(tmpdir(), "borg-files-"));
  root = join(place, "work");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(root, "sub/deep"), "deep");
  writeFileSync(join(root, "swapped"), "0123456789");
  mkdirSync(join(place, "secret"));
  writeFileSync(join(place, "secret/deep"), "SECRET");
  if (isRoot) for (const each of ["", "sub", "sub/deep", "swapped"]) chownSync(join(root, each), OWNER, OWNER);
});
after(() => rmSync(place, { recursive: true, force: true }));

/** What is in it, or why it is not read. */
function read(path: string): string {
  const piece = readTaskFile(root, path.split("/"), 0, 100);
  return "data" in piece ? Buffer.from(piece.data).toString() : "problem" in piece ? piece.problem : "a directory";
}

test("a directory that is swapped for a link again and again never leads out [N9] [borglet.F1] [KA2]", async () => {
  const swap = `cd "$1" && while :; do mv sub kept && ln -s ../secret sub && rm sub && mv kept sub; done`;
  const child = spawn("/bin/sh", ["-c", swap, "swap", root], { stdio: "ignore" });
  const seen = new Map<string, number>();
  try {
    for (const end = Date.now() + RACE_MS; Date.now() < end; await new Promise(setImmediate)) {
      const text = read("sub/deep");
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
  } finally {
    child.kill("SIGKILL");
    await new Promise((done) => child.once("close", done));
  }
  assert.equal(seen.has("SECRET"), false, JSON.stringify([...seen]));
  assert.ok(seen.size > 0);
});

test("a file that is swapped for a pipe again and again is read or refused, and never waited for (CVE-2026-6959) [N9] [borglet.F1] [KA2]", async () => {
  // In the end somebody writes into the pipe: who waits for it in vain is let go, and has waited too long.
  const child = spawn("perl", ["-e", SWAP_PIPE, root, String(RACE_MS / 1000 + 12)], { stdio: "ignore" });
  const ended = new Promise((done) => child.once("close", done));
  const seen = new Map<string, number>();
  let longestMs = 0;
  try {
    for (const end = Date.now() + RACE_MS; Date.now() < end; await new Promise(setImmediate)) {
      const sinceMs = performance.now();
      const text = read("swapped");
      longestMs = Math.max(longestMs, performance.now() - sinceMs);
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  const refusals = ["There is no such file", "Only regular files and directories are read; links are not followed"];
  assert.deepEqual(
    [...seen.keys()].filter((text) => text !== "0123456789" && !refusals.includes(text)),
    [],
  );
  assert.ok(longestMs < WAIT_MS_MAX, `${longestMs} ms for one file`);
});
