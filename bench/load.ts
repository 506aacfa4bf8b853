/**
 * What a cell costs its master: emulated borglets on real links in a process of their own, a real master process with its journal on disk, and jobs that
 * arrive over the API at a steady rate. First the links alone, then the arrivals. Everything is read from the master itself (GetMaster) and from the borglets.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { CellClient } from "../src/rpc/client.ts";
import { RestartWhen } from "../src/wire/gen/borg/v1/spec_pb.ts";
import type { EmulationFigures } from "./emulated-borglets.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { startRig } from "./rig.ts";

export interface LoadArgs {
  readonly machines: number;
  /** Tasks a minute. */
  readonly rate: number;
  readonly seconds: number;
  readonly tasksPerJob: number;
  readonly lifeSeconds: number;
}

const IDLE_MS = 12_000;
const SUBMITS_AT_ONCE = 16;

export async function benchLoad(args: LoadArgs): Promise<Figures> {
  const rig = await startRig({ machines: args.machines, lifeSeconds: args.lifeSeconds, batchSchedulers: 1 });
  try {
    const idle = await measureIdle(rig.client, rig.borglets);
    const load = await measureLoad(rig.client, rig.borglets, args);
    return { joinMs: rig.joinMs, ...idle, ...load };
  } finally {
    await rig.close();
  }
}

function take(borglets: ChildProcess): Promise<EmulationFigures> {
  return new Promise((resolve) => {
    borglets.once("message", (figures) => resolve(figures as EmulationFigures));
    borglets.send({});
  });
}

/** Polls and nothing else. */
async function measureIdle(client: CellClient, borglets: ChildProcess): Promise<Figures> {
  await sleep(2000);
  await take(borglets);
  const before = await client.getMaster({});
  await sleep(IDLE_MS);
  const after = await client.getMaster({});
  const { pollGapsMs } = await take(borglets);
  const polls = after.polls - before.polls;
  return {
    idlePollsPerSecond: rounded(polls / (IDLE_MS / 1000)),
    idleCpuMicrosPerPoll: rounded(((after.cpuMs - before.cpuMs) * 1000) / polls),
    idleCores: rounded((after.cpuMs - before.cpuMs) / IDLE_MS, 3),
    idlePollGapP95Ms: rounded(percentile(pollGapsMs, 0.95)),
    idleRssMiB: rounded(after.rssBytes / 2 ** 20),
  };
}

async function measureLoad(client: CellClient, borglets: ChildProcess, args: LoadArgs): Promise<Figures> {
  const before = await client.getMaster({});
  const { submitted, answersMs, refused } = await submitAll(client, args);
  await untilStarted(client);
  const after = await client.getMaster({});
  const { starts, pollGapsMs } = await take(borglets);
  const delays: number[] = [];
  for (const [instance, atMs] of starts) {
    const job = instance.slice(0, instance.lastIndexOf("/"));
    const sentMs = submitted.get(job);
    if (sentMs !== undefined) delays.push(atMs - sentMs);
  }
  const tasks = submitted.size * args.tasksPerJob;
  const spanMs = after.upMs - before.upMs;
  return {
    tasks,
    tasksStarted: starts.length,
    refused,
    wallSeconds: rounded(spanMs / 1000, 1),
    tasksPerMinute: Math.round((starts.length / spanMs) * 60_000),
    cpuMsPerTask: rounded((after.cpuMs - before.cpuMs) / Math.max(starts.length, 1), 3),
    masterCores: rounded((after.cpuMs - before.cpuMs) / spanMs, 2),
    submitP50Ms: rounded(percentile(answersMs, 0.5)),
    submitP99Ms: rounded(percentile(answersMs, 0.99)),
    submitToStartP50Ms: rounded(percentile(delays, 0.5)),
    submitToStartP99Ms: rounded(percentile(delays, 0.99)),
    longestStepMs: rounded(after.longestStepMs, 1),
    loopDelayP99Ms: rounded(after.loopDelayP99Ms, 1),
    pollGapP95Ms: rounded(percentile(pollGapsMs, 0.95)),
    rssMiB: rounded(after.rssBytes / 2 ** 20),
    heapMiB: rounded(after.heapBytes / 2 ** 20),
    position: after.position,
  };
}

interface Submitted {
  /** When each job was sent, by name. */
  readonly submitted: Map<string, number>;
  readonly answersMs: number[];
  readonly refused: number;
}

/** At a steady rate, whether or not earlier ones were answered, but no more than a few at once: then the master is the bound, and it shows. */
async function submitAll(client: CellClient, args: LoadArgs): Promise<Submitted> {
  const jobs = Math.ceil((args.rate / 60) * args.seconds) / args.tasksPerJob;
  const everyMs = (args.tasksPerJob * 60_000) / args.rate;
  const result = { submitted: new Map<string, number>(), answersMs: [] as number[], refused: 0 };
  const startedMs = performance.now();
  const open = new Set<Promise<void>>();
  for (let i = 0; i < jobs; i++) {
    const waitMs = startedMs + i * everyMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    while (open.size >= SUBMITS_AT_ONCE) await Promise.race(open);
    const call: Promise<void> = submitOne(client, `job-${i}`, args.tasksPerJob, result).finally(() => open.delete(call));
    open.add(call);
  }
  await Promise.all(open);
  return result;
}

async function submitOne(
  client: CellClient,
  name: string,
  count: number,
  result: { submitted: Map<string, number>; answersMs: number[]; refused: number },
): Promise<void> {
  const sentMs = performance.now();
  const limit = { cpuMilli: 500, ramBytes: 2 ** 30 };
  const spec = { user: "bench", name, count, priority: 0, task: { command: ["work"], limit }, restart: { when: RestartWhen.NEVER } };
  result.submitted.set(`bench/${name}`, Date.now());
  try {
    await client.submitJob({ requestId: name, spec });
  } catch {
    result.refused += 1;
  }
  result.answersMs.push(performance.now() - sentMs);
}

async function untilStarted(client: CellClient): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    const { pending } = await client.getCell({});
    if (pending === 0) break;
    await sleep(100);
  }
  await sleep(1000);
}
