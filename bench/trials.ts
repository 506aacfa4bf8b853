/**
 * Trials of one cell: whether its work fits on some of its machines when all of it is placed anew, and the fewest of a row of machines on which it
 * does. The cell is built once; machines that are left out do not answer. Where the cell is too small for its work, it is tried with machines of the
 * same kinds again.
 */
import assert from "node:assert/strict";
import { feedRecord } from "../src/cell/feed-piece.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { machineRecord } from "../src/cell/record/record.ts";
import type { CellState } from "../src/cell/state.ts";
import type { Mirror } from "../src/scheduler/mirror/mirror.ts";
import type { PassOptions } from "../src/scheduler/pass.ts";
import { Spread } from "../src/wire/gen/borg/v1/spec_pb.ts";
import type { BenchCell } from "./cells/args.ts";
import { lowerBound } from "./cells/bound.ts";
import { type Order, queueFor } from "./cells/order.ts";
import { build, copyOfMachine } from "./cells/plan.ts";
import { commit, mirrorOf, schedule } from "./schedule.ts";
import { UsageError } from "./usage.ts";

export const PENDING_MAX = 0.002;
/** No more machines than so many times those of the cell. */
const TIMES_MAX = 8;
/** The first step above the bound of a search, in parts of the cell; each next one is twice as large. */
const FIRST_STEP = 0.02;

/** How the work is placed. */
export interface Way {
  readonly order: Order;
  readonly options: Partial<PassOptions>;
  /** Orders that are drawn are drawn by it. */
  readonly seed: number;
}

/** Picky jobs that are too large for a smaller cell would decide everything (Borg §5.1). */
export function softened(cell: BenchCell): BenchCell {
  const jobs = cell.jobs.map(({ spec, ranOn }) => {
    if (spec.count <= cell.machines.length / 2) return { spec, ranOn };
    const constraints = (spec.constraints ?? []).map((constraint) => ({ ...constraint, soft: true }));
    return { spec: { ...spec, constraints, spread: Spread.SOFT }, ranOn };
  });
  return { ...cell, jobs };
}

/** What a row of machines came to. */
export interface Found {
  readonly trials: Trials;
  /** The beginning of the row on which the work fits. */
  readonly names: readonly string[];
}

/** A cell in the sizes that are asked for, each built once. */
export class Sizes {
  readonly #cell: BenchCell;
  readonly #trials = new Map<number, Trials>();

  constructor(cell: BenchCell) {
    this.#cell = cell;
  }

  get machines(): number {
    return this.#cell.machines.length;
  }

  at(times: number): Trials {
    const known = this.#trials.get(times);
    if (known !== undefined) return known;
    const trials = new Trials(this.#cell, times);
    this.#trials.set(times, trials);
    return trials;
  }

  /** The fewest machines of a row of the cell's, drawn; where all of them are too few, as many again follow, and again. */
  fewest(draw: (names: readonly string[]) => readonly string[], way: Way, slack = 1): Found {
    for (let times = 1; times <= TIMES_MAX; times *= 2) {
      const trials = this.at(times);
      const row = trials.copies.flatMap(draw);
      const fewest = trials.fewest(row, way, slack);
      if (fewest !== undefined) return { trials, names: row.slice(0, fewest) };
      process.stderr.write(`The work does not fit on ${row.length} machines: trying twice as many\n`);
    }
    const most = this.at(TIMES_MAX);
    const waiting = most.pending(most.copies.flat(), way);
    const [job, tasks] = [...waiting].reduce((largest, each) => (each[1] > largest[1] ? each : largest));
    throw new UsageError(
      `The work does not fit on ${TIMES_MAX} times the cell's machines: ${tasks} tasks of job "${job}" find no place; give the cell machines for them, or leave them out`,
    );
  }
}

function withMachines(cell: BenchCell, times: number): BenchCell {
  const copies = Array.from({ length: times }, (_, i) =>
    i === 0 ? cell.machines : cell.machines.map((machine) => copyOfMachine(machine, `c${i}-`)),
  );
  return { ...cell, machines: copies.flat() };
}

export class Trials {
  readonly #cell: BenchCell;
  readonly #state: CellState;
  readonly #mirror: Mirror;
  /** How many times over the cell's machines are there. */
  readonly times: number;
  readonly tasks: number;
  /** No packing needs a smaller part of these machines. */
  readonly bound: number;

  constructor(cell: BenchCell, times: number) {
    this.times = times;
    this.#cell = withMachines(cell, times);
    this.#state = build(this.#cell);
    this.#mirror = mirrorOf(this.#state);
    this.tasks = pendingIn(this.#mirror);
    this.bound = lowerBound(this.#state, PENDING_MAX);
  }

  /** The names of the cell's machines, and of those that were added. */
  get copies(): readonly (readonly string[])[] {
    const names = this.#cell.machines.map(({ name }) => name);
    const size = names.length / this.times;
    return Array.from({ length: this.times }, (_, i) => names.slice(i * size, (i + 1) * size));
  }

  fits(names: readonly string[], way: Way): boolean {
    let waiting = 0;
    for (const tasks of this.pending(names, way).values()) waiting += tasks;
    return waiting <= Math.floor(this.tasks * PENDING_MAX);
  }

  /**
   * The length of the smallest beginning of the row on which the work fits, or up to `slack` more; nothing if it fits not even on the whole row. The row
   * is a draw of machines, so that a beginning may have better ones than the cell as a whole: it starts somewhat below the bound.
   */
  fewest(names: readonly string[], way: Way, slack = 1): number | undefined {
    let low = Math.floor(names.length * this.bound * SURELY_TOO_FEW);
    let high = names.length;
    for (let step = names.length * FIRST_STEP; low < high; step *= 2) {
      const middle = Math.min(names.length, Math.ceil(low + step));
      if (this.fits(names.slice(0, middle), way)) {
        high = middle;
        break;
      }
      if (middle === names.length) return undefined;
      low = middle;
    }
    if (low >= names.length) return undefined;
    while (high - low > slack) {
      const middle = (low + high) >> 1;
      if (this.fits(names.slice(0, middle), way)) high = middle;
      else low = middle;
    }
    return high;
  }

  /** A cell of those machines alone agrees with every claim. */
  check(kept: ReadonlySet<string>, way: Way): CellState {
    const cell = { machines: this.#cell.machines.filter(({ name }) => kept.has(name)), jobs: this.#cell.jobs };
    const state = build(cell);
    const mirror = mirrorOf(state);
    schedule(mirror, this.#queue(mirror, way), (transaction) => void commit(state, transaction), way.options);
    assert.deepEqual(stateViolations(state), []);
    return state;
  }

  #queue(mirror: Mirror, { order, seed }: Way): ReturnType<typeof queueFor> {
    return queueFor(order, this.#cell, mirror, seed);
  }

  /** How many tasks of each job find no place on these machines. */
  pending(names: readonly string[], way: Way): ReadonlyMap<string, number> {
    this.#keep(new Set(names));
    const transactions: string[] = [];
    schedule(this.#mirror, this.#queue(this.#mirror, way), ({ id }) => void transactions.push(id), way.options);
    const pending = new Map([...this.#mirror.waiting].map(([job, { indexes }]) => [job as string, indexes.size]));
    for (const id of transactions) this.#mirror.drop(id);
    return pending;
  }

  /** The feed says which machines answer. */
  #keep(kept: ReadonlySet<string>): void {
    const { position, timeMs } = this.#mirror;
    const changed = [...this.#state.machines.values()].filter((machine) => machine.reachable !== kept.has(machine.id));
    const records = changed.map((machine) => {
      machine.reachable = kept.has(machine.id);
      return feedRecord({ case: "machine", value: machineRecord(machine) });
    });
    assert.equal(this.#mirror.follow({ position: position + 1, timeMs, events: [], records, removed: [] }), undefined);
  }
}

/** Below the bound by so much nobody looks. */
const SURELY_TOO_FEW = 0.97;

const pendingIn = (mirror: Mirror): number => [...mirror.waiting.values()].reduce((sum, { indexes }) => sum + indexes.size, 0);
