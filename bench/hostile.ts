/**
 * People who do not trust each other on one cell: hostile users do everything that once cost others something, on a cell that is filled to its bounds, while the owner
 * calls in a loop and another user's tasks run. In the middle everything of the cell is killed with -9. Real processes, loopback alone.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { cellBoundsOf } from "../src/cell/bounds.ts";
import { applyEntry, newState } from "../src/cell/cell.ts";
import { encodeCheckpoint } from "../src/cell/checkpoint/checkpoint.ts";
import { makeEntry, masterOp, type Op, userOp } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { VERSION_MAX } from "../src/cell/version.ts";
import { Keys } from "../src/daemon/keys.ts";
import type { CellClient } from "../src/rpc/client.ts";
import { newNativeSha256 } from "../src/shell/native-sha256.ts";
import { FilesDisk } from "../src/store/files.ts";
import { Log } from "../src/store/log.ts";
import type { Init } from "../src/wire/codec.ts";
import { Band } from "../src/wire/gen/borg/v1/resource_pb.ts";
import type { JobSpecSchema } from "../src/wire/gen/borg/v1/spec_pb.ts";
import { RealCell } from "../test/e2e/real-cell.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import type { Crowd, CrowdFigures } from "./hostile-users.ts";

export interface HostileArgs {
  readonly users: number;
  readonly seconds: number;
  /** How much of the cell's bounds is taken before it begins, from 0 to 1. */
  readonly fill: number;
}

/** The stated bound of a full cell: docs/security/bounds.md. */
const MASTER_BYTES_MAX = 1536 * 2 ** 20;
/** Of a spec beside what pads it, with what its two entries weigh. */
const SPEC_BYTES = 460;
const SAMPLE_MS = 200;
const CALM_TASKS = 3;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const INTERRUPTED = 130;
const NANOS = 1e6;
const AFTER_MS_MIN = 2000;
/** Not what is wanted, but when a restart is taken for one that never ends. */
const BACK_MS_MAX = 300_000;
/** What filling leaves free, so that the hostile have something to fight for. */
const FILLED = 0.9;

export async function benchHostile({ users, seconds, fill }: HostileArgs): Promise<Figures> {
  const cell = await RealCell.start();
  let crowd: ChildProcess | undefined;
  // Whoever ends the bench ends its cell too: tasks would go on without it.
  const interrupted = (): void => {
    crowd?.kill("SIGKILL");
    void cell.close().finally(() => process.exit(INTERRUPTED));
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const filled = await fillCell(cell, fill);
    const calm = await startCalm(cell);
    const tokens = await Promise.all(Array.from({ length: users }, (_, i) => tokenFor(cell.client, `hostile-${i}`)));
    const watch = new Watch(cell);
    const before = await measure(watch, 3000);
    // From here on its longest steps are counted anew: those of its start are another matter.
    await cell.client.getMaster({}, { timeoutMs: 30_000 });
    crowd = fork(new URL("./hostile-users.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const told = crowdFigures(crowd, { at: addressOf(cell), tokens, seconds });
    const first = await measure(watch, (seconds * 1000) / 2);
    const beforeKill = await cell.client.getMaster({}, { timeoutMs: 30_000 });
    const { backMs, backCpuMs } = await restartAll(cell, calm);
    const { longestStepMs, loopDelayP99Ms } = beforeKill;
    const second = await measure(watch, Math.max(AFTER_MS_MIN, (seconds * 1000) / 2 - backMs));
    const all = [...first, ...second];
    const figures = await told;
    return {
      users,
      fill,
      ...filled,
      ownerQuietP50Ms: rounded(percentile(before, 0.5), 1),
      ownerCalls: all.length,
      ownerFailed: watch.failed,
      ownerP50Ms: rounded(percentile(all, 0.5), 1),
      ownerP99Ms: rounded(percentile(all, 0.99), 1),
      ownerMaxMs: rounded(percentile(all, 1), 1),
      ...Object.fromEntries([...watch.slowestMs].map(([call, ms]) => [`ownerMaxMs_${call}`, rounded(ms, 1)])),
      callerLoopP99Ms: rounded(watch.loop.percentile(99) / NANOS, 1),
      callerLoopMaxMs: rounded(watch.loop.max / NANOS, 1),
      othersTouched: await touched(cell, calm),
      masterRssMaxMiB: rounded(watch.rssMax / 2 ** 20),
      masterRssBoundMiB: rounded(MASTER_BYTES_MAX / 2 ** 20),
      mainLongestStepMs: rounded(longestStepMs, 1),
      mainLoopDelayP99Ms: rounded(loopDelayP99Ms, 1),
      restartedMs: rounded(backMs),
      restartedCpuMs: rounded(backCpuMs),
      hostileAnswered: figures.answered,
      hostileRefused: figures.refused,
      ...Object.fromEntries(Object.entries(figures.told).map(([code, count]) => [`hostileTold_${code}`, count])),
    };
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    crowd?.kill("SIGKILL");
    await cell.close();
  }
}

/**
 * Held jobs, which no scheduler looks at: what fills a cell is what it remembers. They stand in a snapshot from which the cell starts, as after any restart: submitted one by one
 * they would take longer than the bench itself.
 */
async function fillCell(cell: RealCell, fill: number): Promise<Figures> {
  const most = cellBoundsOf({ version: VERSION_MAX, machines: { size: 1 } }, Math.min(fill, 1) * FILLED);
  const jobs = Math.max(1, Math.floor(most.jobsKept));
  const count = Math.max(1, Math.floor(most.tasksKept / jobs));
  const padding = "x".repeat(Math.max(0, Math.floor(most.specBytes / jobs) - SPEC_BYTES));
  const state = filledState(cell.name, jobs, count, padding);
  await Promise.all(["master", ...cell.machines].map((name) => cell.kill(name)));
  rmSync(cell.data.journal, { recursive: true });
  const disk = new FilesDisk(cell.data.journal);
  const { bytes: payload } = encodeCheckpoint(state, newNativeSha256);
  Log.beginBehind(disk, { cell: cell.name, wall: Date.now }, { position: state.position, payload }, 1);
  disk.close();
  cell.startMaster();
  for (const machine of cell.machines) cell.startBorglet(machine);
  await cell.until("the full cell to answer", async () => (await cell.client.getCell({})).machinesReachable > 0, BACK_MS_MAX);
  return { filledJobs: jobs, filledTasks: state.taskCount, filledSpecMiB: rounded(state.specBytes / 2 ** 20) };
}

function filledState(cell: string, jobs: number, count: number, padding: string): CellState {
  const state = newState();
  const must = (op: Op): void => {
    const [outcome] = applyEntry(state, state.position + 1, makeEntry(Date.now(), [op]));
    assert.ok(outcome?.ok, outcome?.ok === false ? outcome.reason : "");
  };
  must(masterOp({ case: "cellInit", value: { cell, owner: "tester" } }));
  for (let version = state.version + 1; version <= VERSION_MAX; version++) must(masterOp({ case: "cellVersion", value: { version } }));
  must(userOp("tester", "quota", { case: "quotaSet", value: { user: "tester", band: Band.BATCH, quota: { unlimited: true } } }));
  const submit = (name: string, spec: Init<typeof JobSpecSchema>): void =>
    must(userOp("tester", name, { case: "jobSubmit", value: { spec: { ...spec, user: "tester", name } } }));
  submit("anchor", { count: 1, task: { command: ["/bin/sleep", "100000"], limit: { cpuMilli: 1 } } });
  const task = { command: ["x"], limit: { cpuMilli: 1 }, environment: [{ key: "PADDING", value: padding }] };
  for (let i = 0; i < jobs; i++) submit(`fill-${i}`, { count, task, startAfter: "tester/anchor" });
  return state;
}

/** Another user's tasks; where nothing keeps tasks from their machine's owner only the owner's may run. */
async function startCalm(cell: RealCell): Promise<ReadonlyMap<string, string>> {
  const user = process.getuid?.() === 0 ? "calm" : "tester";
  if (user === "calm") await tokenFor(cell.client, user);
  const task = { command: ["/bin/sleep", "100000"], limit: { cpuMilli: 10, ramBytes: 2 ** 24 } };
  await cell.client.submitJob({ requestId: "calm", spec: { user, name: "calm", count: CALM_TASKS, priority: 100, task } });
  const running = await cell.running(`${user}/calm`, CALM_TASKS);
  return new Map(running.map((task) => [task.name, wordsOf(task)]));
}

const wordsOf = ({ instance, run, state }: { readonly instance: string; readonly run: number; readonly state: string }): string =>
  `${instance} run ${run} ${state}`;

/** Tasks that are not what they were: another instance, another run, or no longer running. */
async function touched(cell: RealCell, calm: ReadonlyMap<string, string>): Promise<number> {
  const [first] = [...calm.keys()];
  const job = (first as string).slice(0, (first as string).lastIndexOf("/"));
  const now = await cell.tasks(job);
  return now.filter((task) => calm.get(task.name) !== wordsOf(task)).length;
}

async function tokenFor(client: CellClient, user: string): Promise<{ readonly user: string; readonly token: string }> {
  const token = randomBytes(32).toString("base64url");
  await client.createToken({ requestId: randomBytes(8).toString("hex"), user, hash: createHash("sha256").update(token).digest("hex") });
  return { user, token };
}

function addressOf(cell: RealCell): Crowd["at"] {
  const { host, port } = cell.data.readCell()!;
  return { kind: "tls", url: `https://${host}:${port}`, cell: cell.name, authorities: new Keys(cell.data, cell.name).authorities() };
}

function crowdFigures(crowd: ChildProcess, told: Crowd): Promise<CrowdFigures> {
  return new Promise((resolve, reject) => {
    crowd.once("message", (figures) => resolve(figures as CrowdFigures));
    crowd.once("exit", (code) => reject(new Error(`The hostile users ended with ${code}`)));
    crowd.send(told);
  });
}

type OwnerCall = readonly [name: string, call: (requestId: string) => Promise<unknown>];

/** The owner, who calls one after the other, and the master's memory beside it. */
class Watch {
  readonly cell: RealCell;
  /** How late this process itself is: on a busy machine calls seem to wait when it is the caller that does. */
  readonly loop = monitorEventLoopDelay({ resolution: 10 });
  readonly slowestMs = new Map<string, number>();
  failed = 0;
  rssMax = 0;

  constructor(cell: RealCell) {
    this.cell = cell;
    this.loop.enable();
  }

  readonly #calls: readonly OwnerCall[] = [
    ["getCell", () => this.cell.client.getCell({})],
    ["listJobs", () => this.cell.client.listJobs({ limit: 50 })],
    ["killJob", (requestId) => this.cell.client.killJob({ requestId, job: "tester/none" }).catch(expectNotFound)],
  ];

  sample(): void {
    this.rssMax = Math.max(this.rssMax, rssOf(this.cell.pid("master")));
  }

  async call(i: number): Promise<number> {
    const startedMs = performance.now();
    const [name, call] = this.#calls[i % this.#calls.length] as OwnerCall;
    try {
      await call(`owner-${i}-${startedMs}`);
    } catch {
      this.failed += 1;
    }
    const tookMs = performance.now() - startedMs;
    this.slowestMs.set(name, Math.max(tookMs, this.slowestMs.get(name) ?? 0));
    return tookMs;
  }
}

/** A change that the cell refuses went all the way. */
function expectNotFound(error: unknown): void {
  if ((error as { readonly code?: string }).code !== "not-found" && (error as { readonly code?: string }).code !== "refused") throw error;
}

/** The owner stands for somebody at another machine, so waits for this one's processors are not to be in these times: as root the caller goes first while it calls. */
async function measure(watch: Watch, ms: number): Promise<number[]> {
  if (process.getuid?.() !== 0) return timesOf(watch, ms);
  setPriority(constants.priority.PRIORITY_HIGHEST);
  try {
    return await timesOf(watch, ms);
  } finally {
    setPriority(constants.priority.PRIORITY_NORMAL);
  }
}

async function timesOf(watch: Watch, ms: number): Promise<number[]> {
  const times: number[] = [];
  let sampledMs = 0;
  for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(10)) {
    times.push(await watch.call(times.length));
    if (performance.now() - sampledMs < SAMPLE_MS) continue;
    sampledMs = performance.now();
    watch.sample();
  }
  return times;
}

/**
 * kill -9 of everything of the cell but the tasks, and how long until it answers, its machine is back and the tasks are known to run; and how much of the machine its master
 * had until then, which is the same on a busy machine.
 */
async function restartAll(
  cell: RealCell,
  calm: ReadonlyMap<string, string>,
): Promise<{ readonly backMs: number; readonly backCpuMs: number }> {
  const sinceMs = performance.now();
  await Promise.all(["master", ...cell.machines].map((name) => cell.kill(name)));
  cell.startMaster();
  for (const machine of cell.machines) cell.startBorglet(machine);
  await cell.until(
    "everything to be back",
    async () => {
      const { machinesReachable } = await cell.client.getCell({});
      return machinesReachable === cell.machines.length && (await touched(cell, calm)) === 0;
    },
    BACK_MS_MAX,
  );
  return { backMs: performance.now() - sinceMs, backCpuMs: cpuMsOf(cell.pid("master")) };
}

/** User and system time of a process, in clock ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const rssOf = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
