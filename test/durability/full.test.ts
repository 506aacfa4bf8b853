import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Disk } from "../../src/base/env.ts";
import { FilesDisk } from "../../src/store/files.ts";
import { Log, type LogOptions } from "../../src/store/log.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";

const OPTIONS: LogOptions = { cell: "full", wall: () => 0, segmentBytes: 64 * 1024 };
const payload = new Uint8Array(4000).fill(3);

/** Appends until the disk is full, gives space back, goes on: everything acknowledged is there, in order, and nothing else. */
function fillAndGoOn(disk: Disk, giveSpace: () => void): void {
  const log = Log.open(disk, OPTIONS);
  assert.ok(log.lead().ok);
  let fault: string | undefined;
  while (fault === undefined) fault = log.append(1, log.last + 1, [payload]).refusal?.fault;
  assert.equal(fault, "unavailable");
  const { last } = log;
  assert.ok(last > 10);
  assert.equal(log.append(1, last + 1, [payload]).refusal?.fault, "unavailable");
  assert.equal(log.saveSnapshot({ position: last, payload: new Uint8Array(2 ** 20) }).ok, false);
  assert.ok(
    disk.list().every((name) => !name.endsWith(".tmp")),
    "nothing half-made remains",
  );
  giveSpace();
  for (let i = 0; i < 40; i++) assert.deepEqual(log.append(1, log.last + 1, [payload]), { appended: 1 });
  const again = Log.open(disk, OPTIONS);
  assert.equal(again.last, last + 40);
  assert.equal(again.cut, undefined);
}

test("a simulated disk that is full and gets space again [store.A5] [store.S3]", () => {
  const disk = new MemoryDisk();
  disk.capacityBytes = 300_000;
  fillAndGoOn(disk, () => {
    disk.capacityBytes = 1e9;
  });
});

/** Runs `act` on a tmpfs of this size, or says why it cannot. */
function onTmpfs(context: TestContext, size: string, act: (directory: string) => void): void {
  if (process.getuid?.() !== 0) {
    context.skip("mounting a tmpfs of limited size needs root");
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), "tmpfs-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", directory]);
  try {
    if (mounted.status !== 0) context.skip(`cannot mount a tmpfs: ${mounted.stderr}`);
    else act(directory);
  } finally {
    if (mounted.status === 0) execFileSync("umount", [directory]);
    rmSync(directory, { recursive: true });
  }
}

test("a real file system that is full (ENOSPC) and gets space again [store.A5] [store.S3]", (context) => {
  onTmpfs(context, "400k", (directory) => {
    const disk = new FilesDisk(directory);
    fillAndGoOn(disk, () => execFileSync("mount", ["-o", "remount,size=8m", directory]));
    disk.close();
  });
});

test("a file-size limit of the process (EFBIG) is a full disk, and no signal ends the process [store.A5]", (context) => {
  if (spawnSync("prlimit", ["--version"]).status !== 0) {
    context.skip("there is no prlimit command");
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), "fsize-"));
  try {
    const child = spawnSync("prlimit", [
      "--fsize=30000",
      process.execPath,
      fileURLToPath(new URL("full.child.ts", import.meta.url)),
      directory,
    ]);
    assert.equal(child.status, 0, `${child.signal} ${child.stderr}`);
    assert.match(String(child.stdout), /first: full\n/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a failed fdatasync on real files kills the log; what was acknowledged before is there [store.A4]", () => {
  const directory = mkdtempSync(join(tmpdir(), "sync-"));
  const real = fs.fdatasyncSync;
  try {
    const disk = new FilesDisk(directory);
    const log = Log.open(disk, OPTIONS);
    log.lead();
    for (let i = 0; i < 5; i++) log.append(1, log.last + 1, [payload]);
    let calls = 0;
    fs.fdatasyncSync = () => {
      calls += 1;
      throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    };
    syncBuiltinESMExports();
    for (let i = 0; i < 3; i++) assert.equal(log.append(1, 6, [payload]).refusal?.fault, "failed");
    assert.equal(calls, 1, "a sync that failed is never tried again");
    fs.fdatasyncSync = real;
    syncBuiltinESMExports();
    assert.equal(log.append(1, 6, [payload]).refusal?.fault, "failed");
    assert.ok(Log.open(disk, OPTIONS).last >= 5);
    disk.close();
  } finally {
    fs.fdatasyncSync = real;
    syncBuiltinESMExports();
    rmSync(directory, { recursive: true });
  }
});
