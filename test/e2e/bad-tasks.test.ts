/** Tasks that misbehave in every way we could think of: each is handled, the cause is there to read, and a neighbour notices nothing. */
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { HANG_MS, instancePids, RealCell } from "./real-cell.ts";
import { jobOf, Witness } from "./witness.ts";

const MIB = 2 ** 20;
let cell: RealCell;
let witness: Witness;
let neighbour = 0;

before(async () => {
  cell = await RealCell.start(1);
  witness = new Witness(cell.name);
  await submit("neighbour", ["/bin/sh", "-c", "exec sleep 100000"]);
  await cell.running("tester/neighbour", 1);
  // A task counts as running when its shim does; its program follows within moments.
  await cell.until("the neighbour's program", () => neighbourPid() !== 0);
  await sleep(500);
  neighbour = neighbourPid();
});

after(async () => {
  try {
    assert.equal(neighbourPid(), neighbour, "The neighbour was harmed");
  } finally {
    await cell.close();
  }
});

const neighbourPid = (): number => [...instancePids(cell.name)].find(([instance]) => instance.startsWith("tester/neighbour/"))?.[1] ?? 0;

async function submit(name: string, command: readonly string[], more: object = {}, taskMore: object = {}): Promise<string> {
  const task = { command: [...command], limit: { cpuMilli: 100, ramBytes: 64 * MIB }, ...taskMore };
  await cell.client.submitJob({ requestId: name, spec: { user: "tester", name, count: 1, priority: 100, task, ...more } });
  return `tester/${name}`;
}

/** How many processes of a job live, also those that have hidden themselves since they were first seen. */
const processesOf = (job: string): number =>
  [...witness.look()].filter(([instance]) => jobOf(instance) === job).reduce((sum, [, ids]) => sum + ids.length, 0);

test("a task that forks a tree and ignores SIGTERM is gone after its notice, all of it [D6] [B1]", async () => {
  const script =
    "trap '' TERM; for i in 1 2 3; do (trap '' TERM; setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' & while :; do sleep 1; done) & done; while :; do sleep 1; done";
  const job = await submit("tree", ["/bin/sh", "-c", script], {}, { noticeMs: 500 });
  await cell.running(job, 1);
  await cell.until("the tree to grow", () => processesOf(job) >= 7);
  await cell.client.killJob({ requestId: "kill-tree", job });
  await cell.until("all of it to be gone", async () => processesOf(job) === 0 && (await cell.tasks(job))[0]?.instance === "");
});

test("a task that uses more memory than its limit is ended, and the cause is said [I9] [I4]", async () => {
  const script = "const keep = []; setInterval(() => keep.push(Buffer.alloc(16 * 1024 * 1024, 1)), 50)";
  const job = await submit("hog", ["node", "-e", script], { restart: { when: RestartWhen.NEVER } });
  await cell.until("it to be ended", async () => (await cell.tasks(job))[0]?.state === "dead");
  const [task] = await cell.tasks(job);
  assert.match(task!.message, /memory/i, `exit ${task!.exitCode} signal ${task!.signal}: ${task!.message}`);
  const { out } = await cell.borg("show", `${job}/0`);
  assert.match(out, /memory/i);
});

test("a task that floods its log stays within bounds, and its newest output can be read [N6]", async () => {
  const job = await submit("flood", ["/bin/sh", "-c", "yes 0123456789012345678901234567890123456789"]);
  await cell.running(job, 1);
  await sleep(4000);
  const bytes = sizeOf(join(cell.data.path, "machines"));
  assert.ok(bytes < 400 * MIB, `${bytes} bytes are kept`);
  const { data } = await cell.client.readLog({ task: `${job}/0`, offset: 1000, fromEnd: true });
  assert.match(new TextDecoder().decode(data), /0123456789/);
  assert.ok(processesOf(job) > 0);
  await cell.client.killJob({ requestId: "kill-flood", job });
  await cell.until("it to be gone", async () => processesOf(job) === 0 && (await cell.tasks(job))[0]?.instance === "");
});

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.blocks * 512;
  } catch {
    return 0;
  }
}

test("a task that exits at once is restarted with patience, and its exits are there to read [B1] [V5]", async () => {
  const job = await submit("brief", ["/bin/sh", "-c", "exit 3"], {
    restart: { when: RestartWhen.ALWAYS, inPlaceMax: 1000, backoffMinMs: 1, backoffMaxMs: 1 },
  });
  await cell.until("many runs", async () => ((await cell.tasks(job))[0]?.run ?? 0) > 20, HANG_MS);
  const [task] = await cell.tasks(job);
  assert.equal(task!.exitCode, 3);
  const { out } = await cell.borg("show", `${job}/0`);
  assert.match(out, /exit(ed)?( code)? 3/i);
  const { position } = await cell.client.getCell({});
  assert.ok(position < 20_000, "The journal is flooded");
  await cell.client.killJob({ requestId: "kill-brief", job });
  await cell.until("it to be gone", async () => processesOf(job) === 0 && (await cell.tasks(job))[0]?.instance === "");
});

test("a program that is not there fails with words, not with a mystery [B1]", async () => {
  const job = await submit("absent", ["/no/such/program"], { restart: { when: RestartWhen.NEVER } });
  await cell.until("it to fail", async () => (await cell.tasks(job))[0]?.state === "dead");
  const [task] = await cell.tasks(job);
  assert.ok(task!.exitCode === 127 || /no such|not found/i.test(task!.message), `exit ${task!.exitCode}: ${task!.message}`);
});
