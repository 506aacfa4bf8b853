/** Secrets as files: in memory, for the task's user alone, and gone when they are not needed. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { SecretFiles } from "./secret-files.ts";

const TMPFS = 0x01021994;
const MARK = `test-${process.pid}`;
const SHM = existsSync("/dev/shm") && statfsSync("/dev/shm").type === TMPFS;
const skip = SHM ? false : "/dev/shm is no tmpfs here";
const ROOT = mkdtempSync(join(tmpdir(), "borg-secret-files-"));
after(() => {
  rmSync(ROOT, { recursive: true, force: true });
  for (const name of ["a", "b", "c", "d"]) rmSync(`/dev/shm/openborg-${MARK}-${name}`, { recursive: true, force: true });
});

const data = new TextEncoder().encode("hunter2");
const file = { path: "/borg/secrets/db", data };
const isRoot = process.getuid?.() === 0;

test("secrets are files of the task's user, in a directory of the borglet's, in memory [borglet.W5] [KA3]", { skip }, () => {
  const files = new SecretFiles(`${MARK}-a`);
  const owner = isRoot ? 1_900_000_001 : undefined;
  const directory = files.write("ann_web_0.1", [file], owner);
  assert.equal(directory, files.directoryOf("ann_web_0.1"));
  assert.equal(statfsSync(directory).type, TMPFS);
  assert.equal(readFileSync(join(directory, "db"), "utf8"), "hunter2");
  const [of, inside] = [statSync(directory), statSync(join(directory, "db"))];
  assert.deepEqual([inside.mode & 0o777, inside.uid], [0o400, owner ?? process.getuid?.()]);
  assert.deepEqual([of.mode & 0o777, of.uid], [isRoot ? 0o750 : 0o700, process.getuid?.()]);
  assert.equal(statSync(join(directory, "..")).mode & 0o777, 0o711);
  files.write("ann_web_0.1", [{ ...file, path: "/borg/secrets/other" }], owner);
  assert.ok(!existsSync(join(directory, "db")), "made anew for every run");
  files.write("ann_web_1.2", [file], owner);
  files.keepOnly((key) => key === "ann_web_0.1");
  assert.deepEqual([existsSync(files.directoryOf("ann_web_1.2")), existsSync(directory)], [false, true]);
  files.remove("ann_web_0.1");
  assert.ok(!existsSync(join(directory, "..")), "nothing is left");
});

test("where there is no memory to put them, or the place is another's, they are put nowhere [borglet.W5] [KA3]", () => {
  assert.throws(() => new SecretFiles(`${MARK}-b`, [join(ROOT, "none")]).write("k", [file], undefined), /no memory to put secrets into/);
  const isDisk = statfsSync(ROOT).type !== TMPFS;
  if (isDisk) assert.throws(() => new SecretFiles(`${MARK}-b`, [ROOT]).write("k", [file], undefined), /no memory to put secrets into/);
});

test("a directory that somebody else made in the same place, or a link there, is not used [borglet.W5]", { skip }, () => {
  const [open, link] = [`/dev/shm/openborg-${MARK}-c`, `/dev/shm/openborg-${MARK}-d`];
  mkdirSync(open, { mode: 0o777 });
  symlinkSync(ROOT, link);
  try {
    for (const name of ["c", "d"]) {
      const files = new SecretFiles(`${MARK}-${name}`, ["/dev/shm"]);
      if (name === "c") assert.ok((statSync(open).mode & 0o066) !== 0);
      assert.throws(() => files.write("k", [file], undefined), /no memory to put secrets into/);
      files.remove("k");
    }
  } finally {
    rmSync(open, { recursive: true, force: true });
    rmSync(link, { force: true });
  }
});
