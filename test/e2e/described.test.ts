/** Machines as their owner describes them, with flags and in a file that is looked at again while they run. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, HANG_MS } from "./real-cell.ts";
import { Typist } from "./typist.ts";

const typist = new Typist("described");
const { home, borg } = typist;
const file = join(home, "machines.json");

after(() => typist.leave());

interface Machine {
  readonly name: string;
  readonly rack: string | null;
  readonly capacity: { readonly cpuMilli: number; readonly ramBytes: number };
  readonly attributes: Readonly<Record<string, string>>;
}

const machines = async (where: string): Promise<readonly Machine[]> =>
  JSON.parse((await borg("ls", "machines", "--where", where, "--json")).out) as Machine[];
const names = async (where: string): Promise<string> => (await machines(where)).map(({ name }) => name).join(" ");

/** m1 is said to carry 8 MiB a second: a job that asks for some goes there and is held to it where the kernel can; more than is left waits, and why says so. */
async function bandwidth(): Promise<void> {
  const job = join(home, "reads.bcl");
  const asks = (name: string, amount: string): void =>
    writeFileSync(job, `job ${name} = { command = ["/bin/sleep", "1000"], disk_bandwidth = ${amount} }\n`);
  asks("reads", "6Mi");
  const reads = await borg("submit", job, "--wait");
  assert.equal(reads.code, 0, `${reads.out}${reads.err}`);
  assert.match((await borg("show", "reads/0")).out, /disk bandwidth +6 MiB\/s/);
  const machine = (await borg("show", "m1")).out;
  assert.match(machine, /disk bandwidth +8 MiB\/s \(limits 6 MiB\/s, reserved 6 MiB\/s\)/);
  assert.equal(/disk_bandwidth=counted/.test(machine), /disk bandwidth is counted where tasks are placed, and not enforced/.test(machine));
  asks("waits", "3Mi");
  assert.equal((await borg("submit", job)).code, 0);
  assert.match((await borg("why", "waits")).out, /disk bandwidth/);
  assert.equal((await borg("kill", "waits")).code, 0);
  assert.equal((await borg("kill", "reads")).code, 0);
}

test("machines are what flags and a file say of them, now and when the file changes; racks are drained whole [U13] [U3] [U4] [V3]", async (t) => {
  writeFileSync(file, JSON.stringify({ all: { power_domain: "p1" }, machines: { m2: { rack: "r2" } } }));
  const wrong = await borg("up", "--detach", "--machine-file", join(home, "none.json"));
  assert.deepEqual([wrong.code, /Cannot read .*none.json/.test(wrong.err)], [2, true], wrong.err);
  const port = String(await freePort());
  t.after(() => borg("down", "--kill"));
  const flags = ["--rack", "r1", "--attribute", "zone=z", "--core-speed", "1.5", "--machine-file", file];
  const up = await borg("up", "--detach", "--machines", "2", "--port", port, ...flags);
  assert.equal(up.code, 0, up.err);
  assert.deepEqual([await names("rack=r1"), await names("rack=r2"), await names("zone=z")], ["m1", "m2", "m1 m2"]);
  writeFileSync(file, "{");
  writeFileSync(
    file,
    JSON.stringify({
      machines: {
        m1: { rack: "r7", attributes: { ssd: "yes" }, disk_bandwidth: "8MiB", reserve: { cpu: 0.5, ram: "1GiB" }, extras: { gpu: 2 } },
      },
    }),
  );
  for (const end = Date.now() + HANG_MS; Date.now() < end && (await names("rack=r7")) !== "m1"; ) await sleep(300);
  assert.deepEqual([await names("rack=r7"), await names("ssd=yes"), await names("power_domain=p1")], ["m1", "m1", ""]);
  const [kept, whole] = [...(await machines("rack=r7")), ...(await machines("rack=r1"))];
  const [less, all] = [kept!.capacity, whole!.capacity];
  assert.deepEqual(
    [all.cpuMilli - less.cpuMilli, all.ramBytes - less.ramBytes],
    [750, 2 ** 30],
    "half a core of speed 1.5: what is left to the system counts for nobody",
  );
  const job = join(home, "there.bcl");
  writeFileSync(job, 'job there = { command = ["/bin/sleep", "1000"], extras = { gpu = 2 } }\n');
  const there = await borg("submit", job, "--wait");
  assert.equal(there.code, 0, `${there.out}${there.err}`);
  assert.match((await borg("ls", "machines")).out, /gpu 2\/2/);
  writeFileSync(job, 'job more = { command = ["/bin/sleep", "1000"], extras = { gpu = 1 } }\n');
  assert.equal((await borg("submit", job)).code, 0);
  assert.match((await borg("why", "more")).out, /gpu/);
  assert.equal((await borg("kill", "more")).code, 0);
  await bandwidth();
  writeFileSync(file, JSON.stringify({ all: { extras: { gpu: 2 } }, machines: { m1: { rack: "r7", attributes: { ssd: "yes" } } } }));
  for (const end = Date.now() + HANG_MS; Date.now() < end && !/gpu 0\/2/.test((await borg("ls", "machines")).out); ) await sleep(300);
  const drained = await borg("drain", "rack=r7", "--wait", "--timeout", "30s");
  assert.equal(drained.code, 0, drained.err);
  assert.match(drained.out, /^Draining machine m1: its tasks move elsewhere\n(1 of 1 task left\n)?Empty: 1 task went in/);
  assert.equal((await borg("undrain", "rack=r7")).out, "Machine m1 takes tasks again\n");
});
