/** Orders other than the queue's own, for experiments: within a priority as the file has it, shuffled in small pieces, or large tasks first. */
import { Random } from "../../src/base/random.ts";
import { isHardSpread, limitOf } from "../../src/cell/spec.ts";
import type { Job } from "../../src/cell/state.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { type Line, Queue, Round } from "../../src/scheduler/queue.ts";
import { everyJob } from "../../src/scheduler/responsibility.ts";
import { type CellPlan, SCHEDULER } from "./plan.ts";

export const ORDERS = ["queue", "file", "shuffled", "decreasing"] as const;
export type Order = (typeof ORDERS)[number];

/** Shuffled: pieces of a job are no larger than this; jobs that want no two on a machine stay whole. */
const PIECE_TASKS_MAX = 2;
const RETRY_MS = 10_000;

/** Tasks of one job that come after each other. */
interface Piece {
  readonly job: Job;
  readonly indexes: readonly number[];
}

export function queueFor(order: Order, plan: CellPlan, mirror: Mirror, seed: number): Queue {
  const options = { mine: everyJob(SCHEDULER), retryMs: RETRY_MS };
  return order === "queue" ? new Queue(options) : new OrderedQueue(options, piecesIn(order, plan, mirror, seed));
}

function piecesIn(order: Exclude<Order, "queue">, plan: CellPlan, mirror: Mirror, seed: number): readonly Piece[] {
  const whole = plan.jobs.flatMap(({ spec }) => {
    const job = mirror.jobs.get(`${spec.user}/${spec.name}` as never);
    return job === undefined ? [] : [{ job, indexes: job.tasks.map((task) => task.index) }];
  });
  const byPriority = (a: Piece, b: Piece): number => b.job.priority - a.job.priority;
  if (order === "file") return whole.sort(byPriority);
  if (order === "shuffled") return new Random(seed, "order").shuffle(whole.flatMap(cut)).sort(byPriority);
  const size = sizeIn(mirror);
  const sized = whole.flatMap(({ job, indexes }) => indexes.map((index) => ({ job, indexes: [index], size: size(job, index) })));
  return joined(sized.sort((a, b) => byPriority(a, b) || b.size - a.size));
}

function cut({ job, indexes }: Piece): Piece[] {
  if (isHardSpread(job)) return [{ job, indexes }];
  const pieces: Piece[] = [];
  for (let at = 0; at < indexes.length; at += PIECE_TASKS_MAX) pieces.push({ job, indexes: indexes.slice(at, at + PIECE_TASKS_MAX) });
  return pieces;
}

/** Neighbours of one job are one piece again. */
function joined(pieces: readonly Piece[]): Piece[] {
  const out: { job: Job; indexes: number[] }[] = [];
  for (const { job, indexes } of pieces) {
    const last = out.at(-1);
    if (last?.job === job) last.indexes.push(...indexes);
    else out.push({ job, indexes: [...indexes] });
  }
  return out;
}

/** The larger of cpu and memory over the mean machine. */
function sizeIn(mirror: Mirror): (job: Job, index: number) => number {
  let [cpu, ram] = [0, 0];
  for (const { place } of mirror.machines.values()) [cpu, ram] = [cpu + place.capacity.cpu, ram + place.capacity.ram];
  return (job, index) => {
    const limit = limitOf(job, index);
    return Math.max(limit.cpu / cpu, limit.ram / ram);
  };
}

class OrderedQueue extends Queue {
  readonly #pieces: readonly Piece[];

  constructor(options: ConstructorParameters<typeof Queue>[0], pieces: readonly Piece[]) {
    super(options);
    this.#pieces = pieces;
  }

  override begin(mirror: Mirror, nowMs: number): Round {
    const lines: Line[] = [];
    for (const { job, indexes } of this.#pieces) {
      const waiting = mirror.waiting.get(job.id);
      const left = waiting === undefined ? [] : indexes.filter((index) => waiting.indexes.has(index));
      if (left.length > 0) lines.push(this.line(job, left, waiting?.revision ?? 0, nowMs));
    }
    const ahead = new Set<Job>();
    for (const line of [...lines].reverse()) {
      line.returns = ahead.has(line.job);
      ahead.add(line.job);
    }
    return new OrderedRound(lines);
  }
}

class OrderedRound extends Round {
  readonly #left: Line[];

  constructor(lines: readonly Line[]) {
    super(new Map(), new Map(), Number.POSITIVE_INFINITY, false);
    this.#left = [...lines].reverse();
  }

  override *every(): Generator<Line> {
    yield* this.#left;
  }

  override next(): Line | undefined {
    return this.#left.pop();
  }

  override again(line: Line): void {
    this.#left.push(line);
  }

  override finish(): void {}
}
