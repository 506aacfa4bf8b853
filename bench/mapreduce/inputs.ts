/**
 * What the experiment on Omega's MapReduce scheduler (§6.1, Figures 15 and 16) is given, fixed before its first run. From the paper: the three policies, the cap of 60 %, four times
 * as many workers, a fifth of the jobs being MapReduce, and that they are run repeatedly. From the trace: machines, tasks and where they ran. Not in either, and chosen here: the
 * three cells (the whole one; half of the machines with most of their tasks; a small one with few), what a task holds (its highest use by bench/cells/drawn-usage.ts), and how many
 * activities of which length a job has.
 */
export interface CellInputs {
  readonly name: string;
  /** Parts of the trace's machines, and of the tasks that ran on them. */
  readonly machines: number;
  readonly tasks: number;
}

/** The median of a log-normal distribution, and its sigma. */
export interface LogNormal {
  readonly median: number;
  readonly sigma: number;
}

const median = (value: number, sigma: number): LogNormal => ({ median: value, sigma });

const CELLS: readonly CellInputs[] = [
  { name: "A", machines: 1, tasks: 1 },
  { name: "C", machines: 0.5, tasks: 0.9 },
  { name: "D", machines: 0.1, tasks: 0.4 },
];

export const MAPREDUCE_INPUTS = {
  cells: CELLS,
  /** Of all batch jobs so many are MapReduce; they are drawn from those with so many tasks. */
  part: 0.2,
  workersMin: 2,
  workersMost: 2_000,
  hours: 12,
  /** Each job is run so often, at random times. */
  repeats: 5,
  /** Activities for each worker that the user asked for. */
  mapsPerWorker: median(20, 1),
  reducesPerWorker: median(4, 1),
  mapMs: median(30_000, 0.5),
  reduceMs: median(60_000, 0.5),
  /** One run of a job differs from another by so much. */
  runSigma: 0.2,
  /** A worker holds at least such a part of its limit, however little it was drawn to use. */
  heldMin: 0.1,
  /** How often the scheduler looks. */
  reviewMs: 60_000,
  /** Utilisation is sampled so often. */
  sampleMs: 60_000,
} as const;
