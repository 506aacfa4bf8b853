/** A whole cell from nothing: from the filled queue to the last claim built. Afterwards the cell has the last word on every claim. */
import assert from "node:assert/strict";
import { Random } from "../src/base/random.ts";
import { applyEntry } from "../src/cell/cell.ts";
import { feedItem, imageOf } from "../src/cell/feed.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { makeEntry, schedulerOp } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { Mirror } from "../src/scheduler/mirror.ts";
import { type PassOptions, runPass, type Transaction } from "../src/scheduler/pass.ts";
import { Queue } from "../src/scheduler/queue.ts";
import { everyJob } from "../src/scheduler/responsibility.ts";
import { type BenchCell, type CellArgs, cellOf } from "./cells/args.ts";
import { queueFor } from "./cells/order.ts";
import { build, SCHEDULER } from "./cells/plan.ts";
import { type Figures, rounded } from "./figures.ts";

/** Passes until nothing is planned any more; each result is handed on as it comes. */
export function schedule(mirror: Mirror, queue: Queue, hear: (transaction: Transaction) => void, options: Partial<PassOptions> = {}): void {
  let ids = 0;
  const id = (): string => `t${++ids}`;
  for (;;) {
    const { transactions, more } = runPass(mirror, queue, { nowMs: mirror.timeMs, id, ...options });
    for (const transaction of transactions) hear(transaction);
    if (!more && transactions.length === 0) return;
  }
}

/** The cell's word on a transaction: every claim must be accepted, and none of its victims spared. */
export function commit(state: CellState, { claims, allOrNothing }: Transaction): ReturnType<typeof applyEntry> {
  const value = { claims: claims.map((claim) => ({ ...claim })), allOrNothing };
  const outcomes = applyEntry(
    state,
    state.position + 1,
    makeEntry(state.timeMs + 1, [schedulerOp(SCHEDULER, { case: "taskClaims", value })]),
  );
  for (const outcome of outcomes) {
    assert.ok(outcome.ok && outcome.answer.type === "claims", JSON.stringify(outcome));
    for (const answer of outcome.answer.claims) assert.ok(answer.ok && answer.spared.length === 0, JSON.stringify(answer));
  }
  return outcomes;
}

/** The cell with its jobs that run before anything is measured in place. */
export function prepared(cell: BenchCell): CellState {
  const state = build(cell);
  if (cell.before.size === 0) return state;
  const mirror = mirrorOf(state);
  const mine = everyJob(SCHEDULER);
  const queue = new Queue({ mine: (job) => mine(job) && cell.before.has(job.id.slice(job.id.indexOf("/") + 1)), retryMs: 10_000 });
  schedule(mirror, queue, (transaction) => void commit(state, transaction));
  return state;
}

export function mirrorOf(state: CellState): Mirror {
  const mirror = new Mirror(SCHEDULER);
  assert.equal(mirror.load(imageOf(state)), undefined);
  return mirror;
}

export function benchSchedule(args: CellArgs): Figures {
  const cell = cellOf(args);
  const state = prepared(cell);
  warmUp(args, cell, state);
  const mirror = mirrorOf(state);
  for (const prod of [false, true]) mirror.slots(args.policy, prod);
  const queue = queueFor(args.order, cell, mirror, args.seed);
  const transactions: Transaction[] = [];
  const live = (transaction: Transaction): void => {
    const outcomes = commit(state, transaction);
    assert.equal(mirror.follow(feedItem(state, outcomes)), undefined);
    mirror.drop(transaction.id);
  };
  const tasks = [...mirror.waiting.values()].reduce((sum, { indexes }) => sum + indexes.size, 0);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  schedule(mirror, queue, args.live ? live : (transaction) => void transactions.push(transaction), optionsOf(args));
  const used = process.cpuUsage(cpu);
  const wallSeconds = (performance.now() - started) / 1000;
  const cpuSeconds = (used.user + used.system) / 1e6;
  for (const transaction of transactions) commit(state, transaction);
  assert.deepEqual(stateViolations(state), []);
  return { machines: state.machines.size, tasks, ...counted(state, cell), ...timed(state, cell, cpuSeconds, wallSeconds) };
}

/** A scheduler lives long: it is measured when its code has been compiled, on a fresh mirror. */
function warmUp(args: CellArgs, cell: BenchCell, state: CellState): void {
  const started = performance.now();
  while (performance.now() - started < WARM_UP_MS) {
    const mirror = mirrorOf(state);
    schedule(mirror, queueFor(args.order, cell, mirror, args.seed), () => undefined, optionsOf(args));
  }
}

const WARM_UP_MS = 5_000;

/** What a pass is told by the arguments. */
export function optionsOf(args: CellArgs): Partial<PassOptions> {
  const { "no-cache": noCache, "no-classes": noClasses, "no-blocks": noBlocks } = args;
  const random = new Random(args.seed, "sampling");
  const sampling = args.sampling === 0 ? undefined : { enough: args.sampling, random: () => random.float() };
  // Without short cuts there are more looks; passes must not end sooner for that, or the choices could not be compared.
  const looksMax = noCache || noClasses || noBlocks ? { looksMax: Number.MAX_SAFE_INTEGER } : {};
  return { policy: args.policy, shortcuts: { cache: !noCache, classes: !noClasses, blocks: !noBlocks, sampling }, ...looksMax };
}

function counted(state: CellState, cell: BenchCell): { readonly placed: number; readonly pending: number; readonly victims: number } {
  let [placed, pending, victims] = [0, 0, 0];
  for (const job of state.jobs.values()) {
    const before = cell.before.has(job.id.slice(job.id.indexOf("/") + 1));
    for (const task of job.tasks) {
      if (task.instance?.stop !== undefined) victims += 1;
      else if (task.state === "pending") pending += 1;
      else if (!before) placed += 1;
    }
  }
  return { placed, pending, victims };
}

function timed(state: CellState, cell: BenchCell, cpuSeconds: number, wallSeconds: number): Figures {
  const { placed } = counted(state, cell);
  return {
    cpuSeconds: rounded(cpuSeconds),
    wallSeconds: rounded(wallSeconds),
    microsPerTask: rounded((cpuSeconds / Math.max(placed, 1)) * 1e6),
    placedPerSecond: Math.round(placed / cpuSeconds),
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}
