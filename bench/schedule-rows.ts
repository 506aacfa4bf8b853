/**
 * A whole cell from nothing, in three rows. Built: from the filled queue to the last claim; the cell judges the claims afterwards. Applied: the cell judges each
 * transaction, and the mirror follows its feed. Durable: the claims of each pass are on the disk before they are applied. Warm figures come after a warm-up,
 * because a scheduler lives long; the first run of the process is told as cold.
 */
import assert from "node:assert/strict";
import { feedItem } from "../src/cell/feed.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { encodeEntry } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import type { Mirror } from "../src/scheduler/mirror/mirror.ts";
import type { PassOptions, Transaction } from "../src/scheduler/pass.ts";
import type { Queue } from "../src/scheduler/queue.ts";
import { type BenchCell, type CellArgs, cellOf } from "./cells/args.ts";
import { expectHomes } from "./cells/kinds.ts";
import { queueFor } from "./cells/order.ts";
import { type Figures, rounded } from "./figures.ts";
import { BenchJournal } from "./journal.ts";
import { amountsOf, writePlacements } from "./placements.ts";
import { commit, entryOf, judge, mirrorOf, optionsOf, passes, prepared, schedule } from "./schedule.ts";
import { PENDING_MAX } from "./trials.ts";

const WARM_UP_MS = 5_000;

interface Stage {
  readonly state: CellState;
  readonly mirror: Mirror;
  readonly queue: Queue;
  readonly options: Partial<PassOptions>;
}

interface Planned {
  /** Transactions that the cell has not judged yet. */
  readonly unjudged: readonly Transaction[];
  /** How many places were looked at: the same on every machine, however busy it is. */
  readonly looks: number;
}

type Row = (stage: Stage) => Planned | Promise<Planned>;

interface Took {
  readonly state: CellState;
  /** That waited, and that were placed. */
  readonly tasks: number;
  readonly placed: number;
  readonly looks: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

export async function benchSchedule(args: CellArgs): Promise<Figures> {
  const cell = cellOf(args);
  expectHomes(prepared(cell), PENDING_MAX);
  const cold = await measured(args, cell, built);
  warmUp(args, cell);
  const warm = await measured(args, cell, built);
  const judged = await measured(args, cell, applied);
  const journal = await BenchJournal.open(args.dir);
  const synced = await measured(args, cell, (stage) => durable(stage, journal)).finally(() => journal.close());
  const { placed, pending, victims } = counted(warm.state, cell);
  writePlacements(args.placements, warm.state);
  return {
    ...{ machines: warm.state.machines.size, tasks: warm.tasks, placed, pending, victims },
    ...{ cpuSeconds: rounded(warm.cpuSeconds), wallSeconds: rounded(warm.wallSeconds) },
    ...{ microsPerTask: micros(warm.cpuSeconds, placed), placedPerSecond: Math.round(placed / warm.cpuSeconds) },
    looksPerPlacement: rounded(warm.looks / Math.max(placed, 1)),
    ...rowOf("coldBuilt", cold),
    ...rowOf("built", warm),
    ...rowOf("applied", judged),
    ...rowOf("durable", synced),
    ...amountsOf(warm.state),
    warmUpSeconds: WARM_UP_MS / 1000,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

const micros = (seconds: number, placed: number): number => rounded((seconds / Math.max(placed, 1)) * 1e6);

const rowOf = (name: string, { cpuSeconds, wallSeconds, placed }: Took): Figures => ({
  [`${name}CpuMicrosPerPlacement`]: micros(cpuSeconds, placed),
  [`${name}WallMicrosPerPlacement`]: micros(wallSeconds, placed),
});

function built({ mirror, queue, options }: Stage): Planned {
  const unjudged: Transaction[] = [];
  const looks = schedule(mirror, queue, (transaction) => void unjudged.push(transaction), options);
  return { unjudged, looks };
}

function applied({ state, mirror, queue, options }: Stage): Planned {
  const hear = (transaction: Transaction): void => {
    assert.equal(mirror.follow(feedItem(state, commit(state, transaction))), undefined);
    mirror.drop(transaction.id);
  };
  return { unjudged: [], looks: schedule(mirror, queue, hear, options) };
}

/** One entry a pass, as a master collects what comes while it waits for its disk. */
async function durable({ state, mirror, queue, options }: Stage, journal: BenchJournal): Promise<Planned> {
  let all = 0;
  for (const { transactions, looks } of passes(mirror, queue, options)) {
    all += looks;
    if (transactions.length === 0) continue;
    const entry = entryOf(state, transactions);
    await journal.append(encodeEntry(entry));
    assert.equal(mirror.follow(feedItem(state, judge(state, entry))), undefined);
    for (const { id } of transactions) mirror.drop(id);
  }
  return { unjudged: [], looks: all };
}

/** A fresh cell every time, with the mirror's arrays in place. CPU is the whole process's, garbage collection included. */
async function measured(args: CellArgs, cell: BenchCell, row: Row): Promise<Took> {
  const state = prepared(cell);
  const mirror = mirrorOf(state);
  for (const prod of [false, true]) mirror.slots(args.policy, prod);
  const stage = { state, mirror, queue: queueFor(args.order, cell, mirror, args.seed), options: optionsOf(args) };
  const tasks = [...mirror.waiting.values()].reduce((sum, { indexes }) => sum + indexes.size, 0);
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const { unjudged, looks } = await row(stage);
  const used = process.cpuUsage(cpu);
  const wallSeconds = (performance.now() - started) / 1000;
  for (const transaction of unjudged) commit(state, transaction);
  assert.deepEqual(stateViolations(state), []);
  return { state, tasks, placed: counted(state, cell).placed, looks, cpuSeconds: (used.user + used.system) / 1e6, wallSeconds };
}

/** Until the code has been compiled. */
function warmUp(args: CellArgs, cell: BenchCell): void {
  const state = prepared(cell);
  const started = performance.now();
  while (performance.now() - started < WARM_UP_MS) {
    const mirror = mirrorOf(state);
    schedule(mirror, queueFor(args.order, cell, mirror, args.seed), () => undefined, optionsOf(args));
  }
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
