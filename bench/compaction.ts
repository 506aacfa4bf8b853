/**
 * Compaction (Borg §5.1): how small a cell could be and still take its work. For each seed the machines are shuffled; the smallest beginning
 * of that row, found by bisection, on which at most 0.2 % of the tasks stay pending when all are placed anew; in percent of all machines.
 * The 90th percentile over the seeds is the figure to compare. Machines that are left out do not answer.
 *
 * As in the paper, jobs with more tasks than half the machines have their hard constraints made soft, and a cell that is too small for its
 * work is given as many machines of the same kinds again as it needs: then the figure is above 100.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Random } from "../src/base/random.ts";
import { feedRecord } from "../src/cell/feed-piece.ts";
import { stateViolations } from "../src/cell/invariants.ts";
import { machineRecord } from "../src/cell/record/record.ts";
import { limitOf } from "../src/cell/spec.ts";
import type { CellState } from "../src/cell/state.ts";
import type { Mirror } from "../src/scheduler/mirror/mirror.ts";
import { Spread } from "../src/wire/gen/borg/v1/spec_pb.ts";
import { type BenchCell, type CellArgs, cellOf } from "./cells/args.ts";
import { queueFor } from "./cells/order.ts";
import { build } from "./cells/plan.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { commit, mirrorOf, optionsOf, schedule } from "./schedule.ts";

const PENDING_MAX = 0.002;
/** No beginning of the row with less than this part of what is asked for is tried. */
const SURELY_TOO_FEW = 0.9;
/** No more machines than so many times those of the cell. */
const TIMES_MAX = 8;

export function benchCompaction(args: CellArgs): Figures {
  const cell = softened(cellOf(args));
  const trials = enough(args, cell);
  const percents: number[] = [];
  for (let seed = 1; seed <= args.seeds; seed++) {
    const names = new Random(args.seed + seed, "compaction").shuffle(trials.machines);
    const fewest = trials.fewest(names, seed);
    percents.push((100 * fewest) / cell.machines.length);
    process.stderr.write(`seed ${seed} of ${args.seeds}: ${fewest} machines, ${(percents.at(-1) ?? 0).toFixed(2)} %\n`);
    if (seed === args.seeds) trials.check(new Set(names.slice(0, fewest)));
  }
  percents.sort((a, b) => a - b);
  const at = (part: number): number => rounded(percentile(percents, part));
  if (args.svg !== "") writeFileSync(args.svg, drawn(args, percents));
  return { machines: cell.machines.length, tasks: trials.tasks, p90: at(0.9), median: at(0.5), min: at(0), max: at(1) };
}

/** Picky jobs that are too large for a smaller cell would decide everything (Borg §5.1). */
function softened(cell: BenchCell): BenchCell {
  const jobs = cell.jobs.map(({ spec, ranOn }) => {
    if (spec.count <= cell.machines.length / 2) return { spec, ranOn };
    const constraints = (spec.constraints ?? []).map((constraint) => ({ ...constraint, soft: true }));
    return { spec: { ...spec, constraints, spread: Spread.SOFT }, ranOn };
  });
  return { ...cell, jobs };
}

/** With machines of the same kinds again if the cell is too small for its work. */
function enough(args: CellArgs, cell: BenchCell): Trials {
  for (let times = 1; times < TIMES_MAX; times *= 2) {
    const trials = new Trials(args, withMachines(cell, times));
    if (trials.fitsAll()) return trials;
    process.stderr.write(`The work does not fit on ${times * cell.machines.length} machines: trying twice as many\n`);
  }
  return new Trials(args, withMachines(cell, TIMES_MAX));
}

function withMachines(cell: BenchCell, times: number): BenchCell {
  const copies = Array.from({ length: times }, (_, i) => (i === 0 ? cell.machines : renamed(cell.machines, `c${i}-`)));
  return { ...cell, machines: copies.flat() };
}

const renamed = (machines: BenchCell["machines"], prefix: string): BenchCell["machines"] =>
  machines.map(({ name, facts }) => ({ name: `${prefix}${name}`, facts }));

class Trials {
  readonly #args: CellArgs;
  readonly #cell: BenchCell;
  readonly #state: CellState;
  readonly #mirror: Mirror;
  readonly tasks: number;
  /** Of the trial: orders that are drawn are drawn anew for each. */
  #seed = 0;

  constructor(args: CellArgs, cell: BenchCell) {
    this.#args = args;
    this.#cell = cell;
    this.#state = build(cell);
    this.#mirror = mirrorOf(this.#state);
    this.tasks = pendingIn(this.#mirror);
  }

  get machines(): readonly string[] {
    return this.#cell.machines.map(({ name }) => name);
  }

  fitsAll(): boolean {
    return this.#fits(this.machines);
  }

  #fits(names: readonly string[]): boolean {
    return this.#pendingOn(new Set(names)) <= Math.floor(this.tasks * PENDING_MAX);
  }

  fewest(names: readonly string[], seed: number): number {
    this.#seed = seed;
    let [low, high] = [Math.floor(names.length * SURELY_TOO_FEW * this.#askedPart()), names.length + 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#fits(names.slice(0, middle))) high = middle;
      else low = middle;
    }
    return high;
  }

  /** A cell of those machines alone agrees with every claim. */
  check(kept: ReadonlySet<string>): void {
    const cell = { machines: this.#cell.machines.filter(({ name }) => kept.has(name)), jobs: this.#cell.jobs };
    const state = build(cell);
    const mirror = mirrorOf(state);
    schedule(mirror, this.#queue(mirror), (transaction) => void commit(state, transaction), optionsOf(this.#args));
    assert.deepEqual(stateViolations(state), []);
  }

  #queue(mirror: Mirror): ReturnType<typeof queueFor> {
    return queueFor(this.#args.order, this.#cell, mirror, this.#args.seed + this.#seed);
  }

  #pendingOn(kept: ReadonlySet<string>): number {
    this.#keep(kept);
    const transactions: string[] = [];
    schedule(this.#mirror, this.#queue(this.#mirror), ({ id }) => void transactions.push(id), optionsOf(this.#args));
    const pending = pendingIn(this.#mirror);
    for (const id of transactions) this.#mirror.drop(id);
    return pending;
  }

  /** The feed says which machines answer. */
  #keep(kept: ReadonlySet<string>): void {
    const { position, timeMs } = this.#mirror;
    const records = [...this.#state.machines.values()].map((machine) => {
      machine.reachable = kept.has(machine.id);
      return feedRecord({ case: "machine", value: machineRecord(machine) });
    });
    assert.equal(this.#mirror.follow({ position: position + 1, timeMs, events: [], records, removed: [] }), undefined);
  }

  /** The larger part of the cell's cpu or memory that is asked for. */
  #askedPart(): number {
    let [cpu, ram] = [0, 0];
    for (const job of this.#state.jobs.values()) {
      for (const { index } of job.tasks) {
        const limit = limitOf(job, index);
        [cpu, ram] = [cpu + limit.cpu, ram + limit.ram];
      }
    }
    return Math.min(1, Math.max(cpu / this.#state.capacity.cpu, ram / this.#state.capacity.ram));
  }
}

const pendingIn = (mirror: Mirror): number => [...mirror.waiting.values()].reduce((sum, { indexes }) => sum + indexes.size, 0);

/** The cumulative distribution over the seeds, as a step line. */
function drawn({ policy, order, only }: CellArgs, percents: readonly number[]): string {
  const [width, height, left, bottom] = [480, 240, 40, 30];
  const [from, to] = [Math.floor((percents[0] ?? 0) - 1), Math.ceil((percents.at(-1) ?? 0) + 1)];
  const x = (percent: number): number => left + ((percent - from) / (to - from)) * (width - left - 10);
  const y = (part: number): number => 20 + (1 - part) * (height - bottom - 20);
  const steps = percents.map((percent, i) => `H${x(percent).toFixed(1)}V${y((i + 1) / percents.length).toFixed(1)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<text x="${left}" y="12">Machines needed, % of the cell: ${policy}, order ${order}, ${only} (${percents.length} seeds)</text>
<path d="M${x(from)} ${y(0)}${steps.join("")}H${x(to)}" fill="none" stroke="#07c" stroke-width="2"/>
<path d="M${x(from)} ${y(1)}V${y(0)}H${x(to)}" fill="none" stroke="#333"/>
<text x="${x(from)}" y="${height - 10}">${from}</text><text x="${x(to) - 14}" y="${height - 10}">${to}</text>
<text x="4" y="${y(0.9)}">90 %</text>
</svg>
`;
}
