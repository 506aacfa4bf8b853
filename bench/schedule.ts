/** What the benches of the scheduler share: a cell with its mirror, passes over it, and the cell's word on what they plan. */
import assert from "node:assert/strict";
import { Random } from "../src/base/random.ts";
import { applyEntry } from "../src/cell/cell.ts";
import { imageOf } from "../src/cell/feed.ts";
import { type Entry, makeEntry, schedulerOp } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { Mirror } from "../src/scheduler/mirror/mirror.ts";
import { type PassOptions, type PassResult, runPass, type Transaction } from "../src/scheduler/pass.ts";
import { Queue } from "../src/scheduler/queue.ts";
import { everyJob } from "../src/scheduler/responsibility.ts";
import type { BenchCell, CellArgs } from "./cells/args.ts";
import { build, SCHEDULER } from "./cells/plan.ts";

/** Passes until nothing is planned any more; each result is handed on as it comes. How many places were looked at. */
export function schedule(
  mirror: Mirror,
  queue: Queue,
  hear: (transaction: Transaction) => void,
  options: Partial<PassOptions> = {},
): number {
  let all = 0;
  for (const { transactions, looks } of passes(mirror, queue, options)) {
    for (const transaction of transactions) hear(transaction);
    all += looks;
  }
  return all;
}

/** Pass by pass. */
export function* passes(mirror: Mirror, queue: Queue, options: Partial<PassOptions> = {}): Generator<PassResult> {
  let ids = 0;
  const id = (): string => `t${++ids}`;
  for (;;) {
    const result = runPass(mirror, queue, { nowMs: mirror.timeMs, id, ...options });
    yield result;
    if (!result.more && result.transactions.length === 0) return;
  }
}

/** Transactions as a master writes them into its journal. */
export function entryOf(state: CellState, transactions: readonly Transaction[]): Entry {
  const ops = transactions.map(({ claims, allOrNothing }) =>
    schedulerOp(SCHEDULER, { case: "taskClaims", value: { claims: claims.map((claim) => ({ ...claim })), allOrNothing } }),
  );
  return makeEntry(state.timeMs + 1, ops);
}

export const commit = (state: CellState, transaction: Transaction): ReturnType<typeof applyEntry> =>
  judge(state, entryOf(state, [transaction]));

/** The cell's word on an entry: every claim must be accepted, and none of its victims spared. */
export function judge(state: CellState, entry: Entry): ReturnType<typeof applyEntry> {
  const outcomes = applyEntry(state, state.position + 1, entry);
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

/** What a pass is told by the arguments. */
export function optionsOf(args: CellArgs): Partial<PassOptions> {
  const { "no-cache": noCache, "no-classes": noClasses, "no-blocks": noBlocks } = args;
  const random = new Random(args.seed, "sampling");
  const sampling = args.sampling === 0 ? undefined : { enough: args.sampling, random: () => random.float() };
  // Without short cuts there are more looks; passes must not end sooner for that, or the choices could not be compared.
  const looksMax = noCache || noClasses || noBlocks ? { looksMax: Number.MAX_SAFE_INTEGER } : {};
  return { policy: args.policy, shortcuts: { cache: !noCache, classes: !noClasses, blocks: !noBlocks, sampling }, ...looksMax };
}
