/** What a walk counts, and where it never goes. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DISK_DEPTH_MAX, DISK_ENTRY_BYTES } from "../bounds.ts";
import { DiskWalk } from "./disk-walk.ts";

const MIB = 2 ** 20;
const home = mkdtempSync(join(tmpdir(), "openborg-walk-"));
after(() => rmSync(home, { recursive: true, force: true }));

let made = 0;
function directory(): string {
  const path = join(home, String(++made));
  mkdirSync(path);
  return path;
}

function counted(roots: readonly string[], limitBytes = 2 ** 40): DiskWalk {
  const walk = new DiskWalk(roots, limitBytes);
  assert.ok(walk.go(() => false));
  return walk;
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

test("All files of all directories count, each name at least something, and one file of several names once [borglet.U6]", () => {
  const [work, tmp] = [directory(), directory()];
  mkdirSync(join(work, "a/b"), { recursive: true });
  writeFileSync(join(work, "a/b/big"), new Uint8Array(MIB));
  writeFileSync(join(tmp, "big"), new Uint8Array(MIB));
  linkSync(join(tmp, "big"), join(tmp, "again"));
  writeFileSync(join(tmp, "empty"), "");
  symlinkSync("nowhere", join(tmp, "link"));
  execFileSync("mkfifo", [join(tmp, "pipe")]);
  const names = 2 + 4;
  const before = descriptors();
  const { bytes } = counted([work, tmp]);
  const least = 2 * MIB + names * DISK_ENTRY_BYTES;
  assert.ok(bytes >= least && bytes < least + MIB / 2, `${bytes} bytes`);
  assert.equal(descriptors(), before, "nothing stays open");
});

test("A hole in a file does not count, and a name that is no UTF-8 does [borglet.U6]", () => {
  const work = directory();
  execFileSync("truncate", ["-s", "1G", join(work, "hole")]);
  writeFileSync(Buffer.concat([Buffer.from(`${work}/`), Buffer.from([0xff, 0xfe])]), new Uint8Array(MIB));
  const { bytes } = counted([work]);
  assert.ok(bytes >= DISK_ENTRY_BYTES + MIB && bytes < 2 * MIB, `${bytes} bytes`);
});

test("A link leads nowhere, not even as the top, and what is not there counts nothing [borglet.U6] [borglet.X1]", () => {
  const [work, victim] = [directory(), directory()];
  writeFileSync(join(victim, "precious"), new Uint8Array(MIB));
  symlinkSync(victim, join(work, "link"));
  assert.equal(counted([work]).bytes, DISK_ENTRY_BYTES);
  assert.equal(counted([join(work, "link"), join(work, "none")]).bytes, 0);
});

test("Another file system below is not entered [borglet.U6]", (context) => {
  const work = directory();
  const below = join(work, "below");
  mkdirSync(below);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", below]).status !== 0) {
    context.skip("nothing can be mounted here");
    return;
  }
  try {
    writeFileSync(join(below, "big"), new Uint8Array(MIB));
    assert.equal(counted([work]).bytes, DISK_ENTRY_BYTES);
  } finally {
    execFileSync("umount", [below]);
  }
});

test("A walk stops when it is time, goes on where it was, and may be given up [borglet.U6] [borglet.X2]", () => {
  const work = directory();
  for (let i = 0; i < 50; i++) mkdirSync(join(work, `${i}/in`), { recursive: true });
  const before = descriptors();
  const walk = new DiskWalk([work], 2 ** 40);
  let slices = 0;
  for (let over = false; !over; slices++) {
    let steps = 0;
    over = walk.go(() => ++steps > 10);
  }
  assert.ok(slices > 10, `${slices} slices`);
  assert.equal(walk.bytes, 100 * DISK_ENTRY_BYTES);
  const another = new DiskWalk([work], 2 ** 40);
  let steps = 0;
  another.go(() => ++steps > 4);
  assert.ok(descriptors() > before);
  another.close();
  assert.equal(descriptors(), before);
});

test("Directories that are deeper than anybody needs end the walk, which holds a bounded number of descriptors [borglet.U6]", () => {
  const work = directory();
  mkdirSync(join(work, "d/".repeat(DISK_DEPTH_MAX - 1)), { recursive: true });
  assert.equal(counted([work]).isTooDeep, false);
  mkdirSync(join(work, "d/".repeat(5 * DISK_DEPTH_MAX)), { recursive: true });
  const before = descriptors();
  let most = 0;
  const walk = new DiskWalk([work], 2 ** 40);
  const watch = (): boolean => {
    most = Math.max(most, descriptors() - before);
    return false;
  };
  assert.ok(walk.go(watch));
  assert.equal(walk.isTooDeep, true);
  assert.ok(most <= 2 * DISK_DEPTH_MAX, `${most} descriptors`);
  assert.equal(descriptors(), before);
});

test("A directory swapped for a link between the look and the step leads nowhere else [borglet.U6] [borglet.X1] [KB2]", () => {
  const [work, victim] = [directory(), directory()];
  writeFileSync(join(victim, "precious"), new Uint8Array(MIB));
  chmodSync(victim, 0o700);
  mkdirSync(join(work, "d/e"), { recursive: true });
  writeFileSync(join(work, "d/e/own"), "");
  // Before every single step, one way and the other. On some file systems a name that comes anew is listed again, and so for ever.
  let isSwapped = false;
  let left = 0;
  const swap = (): boolean => {
    if (left-- <= 0) return false;
    if (isSwapped) unlinkSync(join(work, "d"));
    renameSync(join(work, isSwapped ? "x" : "d"), join(work, isSwapped ? "d" : "x"));
    isSwapped = !isSwapped;
    if (isSwapped) symlinkSync(victim, join(work, "d"));
    return false;
  };
  for (let times = 0; times < 20; times++) {
    left = 30 + (times % 3);
    const walk = new DiskWalk([work], 2 ** 40);
    assert.ok(walk.go(swap));
    assert.ok(walk.bytes < MIB, "a directory of others was counted");
  }
});
