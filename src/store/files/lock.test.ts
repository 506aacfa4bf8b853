import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockDirectory, lockFile } from "./lock.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-lock-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const directory = (): string => mkdtempSync(join(ROOT, "x"));

test("a lock is held once, and can be taken again when it was given back", () => {
  const path = join(directory(), "lock");
  const lock = lockFile(path);
  assert.ok(lock);
  assert.equal(lockFile(path), undefined);
  lock.release();
  const again = lockFile(path);
  assert.ok(again);
  again.release();
});

test("kill -9 gives a lock back, and a child that its holder started does not keep it", async () => {
  const path = join(directory(), "lock");
  const code = `
    import { spawn } from "node:child_process";
    import { lockFile } from ${JSON.stringify(new URL("./lock.ts", import.meta.url).href)};
    globalThis.lock = lockFile(${JSON.stringify(path)});
    spawn("/bin/sleep", ["20"], { detached: true, stdio: "ignore" });
    process.stdout.write(globalThis.lock === undefined ? "no" : "yes");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module-typescript", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(holder.stdout, "data")) as [Buffer];
  assert.equal(said.toString(), "yes");
  assert.throws(() => lockDirectory(path.slice(0, -"/lock".length), "journal"), /another process uses this journal/);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = lockFile(path);
  assert.ok(lock);
  lock.release();
});

test("a link in the lock's place is not followed, and a replaced file is no lock", () => {
  const where = directory();
  writeFileSync(join(where, "other"), "");
  symlinkSync(join(where, "other"), join(where, "lock"));
  assert.throws(() => lockFile(join(where, "lock")), /ELOOP/);
  rmSync(join(where, "lock"));
  const lock = lockFile(join(where, "lock"));
  renameSync(join(where, "lock"), join(where, "moved"));
  const second = lockFile(join(where, "lock"));
  assert.ok(second, "a fresh file under the name is another lock: the directory must be private");
  lock?.release();
  second.release();
});
