/**
 * Three machines, each in a network of its own that a bridge joins to the master's; the cable of one is pulled (`ip link set down`) and put back. Its tasks go on without
 * anybody who hears of them, and are run elsewhere meanwhile; when it is heard again no duplicate survives, and nothing was lost. CUTS says how often.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { Networks } from "./networks.ts";
import { instancePids, RealCell } from "./real-cell.ts";

const CUTS = Number(process.env["CUTS"] ?? 1);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e9));
const MACHINES = ["east", "north", "west"] as const;
const TASKS = 6;
/** One machine a minute is given up, and the last cut may just have been one. */
const LONG_MS = 180_000;
/** After contact a duplicate lives for a poll, at most a pause before dialling again and no notice; the rest is for a busy machine. */
const DUPLICATE_MS = 30_000;
const SIZE = ["--cpu", "1", "--ram", "512MiB", "--disk", "200MiB"] as const;
const COMMAND = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"];

/** A borglet behind its cable, as somebody would start it on another host. */
async function startGuest(cell: RealCell, networks: Networks, directory: string, name: (typeof MACHINES)[number]): Promise<ChildProcess> {
  const ticket = join(directory, `${name}.ticket`);
  const invited = await cell.borg("machine", "invite", name, ...SIZE, "--out", ticket);
  assert.equal(invited.code, 0, invited.err);
  const args = ["borglet", "--join", ticket, "--data", join(directory, name), "--host", networks.address(name), ...SIZE];
  const words = [...networks.on(name), process.execPath, ...entryPoint(), ...args];
  return spawn("ip", words, { env: cell.env, stdio: ["ignore", "ignore", "inherit"] });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGUSR2");
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await gone;
  clearTimeout(timer);
}

/** One machine is cut off, given up and heard again. */
async function cut(cell: RealCell, networks: Networks, name: string): Promise<void> {
  const state = async (): Promise<string | undefined> => (await cell.client.getMachine({ machine: name })).machine?.state;
  const alone = (await cell.running("tester/s", TASKS)).filter(({ machine }) => machine === name).map(({ instance }) => instance);
  const before = instancePids(cell.name);
  networks.cable(name, "down");
  await cell.until(`${name} to be unreachable`, async () => (await state()) === "unreachable", LONG_MS);
  const elsewhere = async (): Promise<boolean> =>
    (await cell.tasks("tester/s")).every((task) => task.state === "running" && task.machine !== name);
  await cell.until("its tasks to run elsewhere", elsewhere, LONG_MS);
  await cell.until("the programs of the new ones", () => instancePids(cell.name).size === TASKS + alone.length);
  const both = instancePids(cell.name);
  for (const instance of alone) assert.equal(both.get(instance), before.get(instance), "Tasks of a machine that is cut off live on");
  networks.cable(name, "up");
  await cell.until("the duplicates to end", () => alone.every((instance) => !instancePids(cell.name).has(instance)), DUPLICATE_MS);
  await cell.until(`${name} to be up`, async () => (await state()) === "up", LONG_MS);
  for (const instance of alone) both.delete(instance);
  assert.deepEqual(instancePids(cell.name), both, "The others noticed something");
  const now = await cell.running("tester/s", TASKS);
  assert.deepEqual(now.map(({ instance }) => instance).sort(), [...both.keys()].sort(), "What runs is what the cell says");
}

test(`${CUTS} times one of three machines is cut off from the network: no duplicate survives, nothing is lost [B4] [KT2] [KT3] [V1]`, {
  skip: Networks.problem(),
  timeout: 4 * LONG_MS * (CUTS + 1),
}, async (t) => {
  t.diagnostic(`SEED=${SEED} CUTS=${CUTS}`);
  const random = new Random(SEED, "cuts");
  const networks = new Networks(MACHINES);
  assert.ok(networks.make());
  const directory = mkdtempSync(join(tmpdir(), "borg-cut-"));
  const guests: ChildProcess[] = [];
  const cell = await RealCell.start(1, networks.host);
  try {
    for (const name of MACHINES) guests.push(await startGuest(cell, networks, directory, name));
    await cell.until("all to join", async () => (await cell.client.getCell({})).machinesReachable === MACHINES.length + 1);
    assert.equal((await cell.borg("drain", "m1")).code, 0);
    const task = { command: COMMAND, noticeMs: 60_000, limit: { cpuMilli: 10, ramBytes: 2 ** 23 } };
    await cell.client.submitJob({ requestId: "s", spec: { user: "tester", name: "s", count: TASKS, priority: 100, task } });
    await cell.running("tester/s", TASKS);
    await cell.until("all programs to be there", () => instancePids(cell.name).size === TASKS);
    for (let i = 0; i < CUTS; i++) {
      const busy = [...new Set((await cell.tasks("tester/s")).map(({ machine }) => machine))];
      await cut(cell, networks, random.pick(busy));
    }
  } finally {
    for (const name of MACHINES) networks.cable(name, "up");
    await Promise.all(guests.map(ended));
    await cell.close();
    networks.remove();
    rmSync(directory, { recursive: true, force: true });
  }
});
