/** Looks at the files of many tasks, a little at a time. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DISK_ENTRY_BYTES } from "../bounds.ts";
import { DiskWatch, type Watched } from "./disk-watch.ts";

const MIB = 2 ** 20;
const WAIT_MS = 30_000;
const home = mkdtempSync(join(tmpdir(), "openborg-watch-"));
after(() => rmSync(home, { recursive: true, force: true }));

function task(instance: string): Watched {
  const directory = join(home, instance);
  mkdirSync(directory);
  return { instance, parts: [directory], limitBytes: MIB };
}

/** Watches as the machine does, tick by tick. */
async function until(watch: DiskWatch, all: readonly Watched[], holds: () => boolean): Promise<void> {
  for (const overMs = performance.now() + WAIT_MS; !holds(); await sleep(50)) {
    assert.ok(performance.now() < overMs, "It did not happen");
    watch.watch(all);
  }
}

test("Every task is looked at again and again, and what is over its limit is told as it is [borglet.U6] [borglet.U2]", async () => {
  const watch = new DiskWatch();
  const all = ["a", "b"].map(task);
  writeFileSync(join(home, "a/file"), "");
  await until(watch, all, () => watch.use("a").diskBytes === DISK_ENTRY_BYTES);
  assert.deepEqual(watch.use("b"), { diskBytes: 0, isTooDeep: false });
  writeFileSync(join(home, "a/big"), new Uint8Array(3 * MIB));
  await until(watch, all, () => watch.use("a").diskBytes >= 3 * MIB);
  watch.forget("a");
  assert.equal(watch.use("a").diskBytes, 0, "another run begins with nothing");
  watch.close();
});

test("However many files there are, others are heard in between, and nothing stays open [borglet.U6] [borglet.X2]", async () => {
  const watch = new DiskWatch();
  const many = { ...task("many"), limitBytes: 2 ** 40 };
  for (let i = 0; i < 3000; i++) writeFileSync(join(home, "many", String(i)), "");
  const before = readdirSync("/proc/self/fd").length;
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await until(watch, [many], () => watch.use("many").diskBytes > 0);
  clearInterval(timer);
  assert.equal(watch.use("many").diskBytes, 3000 * DISK_ENTRY_BYTES);
  assert.ok(turns > 1, `${turns} turns`);
  await sleep(3000);
  watch.watch([many]);
  watch.close();
  assert.equal(readdirSync("/proc/self/fd").length, before);
});
