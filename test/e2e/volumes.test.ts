/** Volumes in a real cell: declared by its operator with a flag and in a file, found again by the next run, and waited for when their machine is away. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, HANG_MS } from "./real-cell.ts";
import { Typist } from "./typist.ts";

const typist = new Typist("volumes");
const { home, borg } = typist;

after(() => typist.leave());

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(300)) if (await holds()) return;
  assert.fail(what);
}

test("data of one run is there for the next, on the same machine; away from it the task waits until its owner unpins it [V6] [U10]", async (t) => {
  // Tasks' users pass through it.
  chmodSync(home, 0o711);
  const file = join(home, "machines.json");
  writeFileSync(file, "{}");
  const me = userInfo().username;
  const flags = ["--volume", `${me}/data=${home}/srv/{machine}/data`, "--machine-file", file];
  t.after(() => borg("down", "--kill"));
  const up = await borg("up", "--detach", "--machines", "2", "--port", String(await freePort()), ...flags);
  assert.equal(up.code, 0, up.err);
  const job = join(home, "db.bcl");
  const script = 'echo start >>"$BORG_VOLUME_DATA/starts"; wc -l <"$BORG_VOLUME_DATA/starts"; sleep 1000';
  writeFileSync(job, `job db = { command = ["/bin/sh", "-c", ${JSON.stringify(script).replaceAll("$", "\\$")}], volumes = ["data"] }\n`);
  assert.equal((await borg("submit", job, "--wait")).code, 0);
  await until("the first run", async () => (await borg("logs", "db/0")).out.trim() === "1");
  const { pinned } = JSON.parse((await borg("show", "db/0", "--json")).out) as { pinned: string };
  await borg("kill", "db");
  const again = await borg("submit", job, "--wait");
  assert.equal(again.code, 0, again.err);
  await until("the second run", async () => (await borg("logs", "db/0")).out.trim() === "2");
  assert.equal((await borg("unpin", "db/0")).code, 1, "it runs");
  assert.equal((await borg("drain", pinned, "--wait", "--timeout", "60s")).code, 0);
  assert.match((await borg("why", "db/0")).out, /2 of 2 machines offer volume data to/);
  assert.match((await borg("show", "db/0")).out, /pending/);
  assert.match((await borg("unpin", "db/0")).out, /may go to any machine now/);
  await until("a run elsewhere", async () => (await borg("logs", "db/0")).out.trim() === "1");
  const other = pinned === "m1" ? "m2" : "m1";
  assert.equal(readFileSync(join(home, "srv", pinned, "data", "starts"), "utf8"), "start\nstart\n");
  assert.equal(readFileSync(join(home, "srv", other, "data", "starts"), "utf8"), "start\n");
  const machines = { machines: { [other]: { volumes: { "eve/music": join(home, "srv", "music") } } } };
  writeFileSync(file, JSON.stringify(machines));
  await until("another volume", async () => (await borg("show", other, "--json")).out.includes('"eve/music"'));
});
