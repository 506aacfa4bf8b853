/**
 * What the experiments on sharing (Mesos §4.2, §6.1) are given, fixed before their first run. From the paper: machines and their size, the four workloads with
 * the numbers of their jobs and tasks, when they are submitted as far as it says so, Tables 2 to 5. Not in the paper, and chosen here: how long a task takes, so that
 * a job alone on a quarter of the machines takes about what Table 5 says; what a task asks for, and what of it it uses; that jobs of the first mix come at random
 * times with the paper's mean gap; that two machines of 96 are slower, as one of the paper's was.
 */

/** Amounts are cores and GiB. A task asks for `cpus` and `ram`; while it runs it uses these parts of them. */
export interface TaskInputs {
  readonly cpus: number;
  readonly ram: number;
  readonly cpuUsed: number;
  readonly ramUsed: number;
}

/** Maps, then reduces, step after step. */
export interface StepInputs {
  readonly maps: number;
  readonly reduces: number;
}

export interface BinInputs {
  readonly name: string;
  readonly jobs: number;
  readonly steps: readonly StepInputs[];
  readonly mapMs: number;
  readonly reduceMs: number;
  readonly cpuUsed: number;
  /** Table 5. */
  readonly paperSeconds: number;
  readonly paperSpeedup: number;
}

/** Table 3. Searching is reading; selections and aggregations reckon more. A join is several steps. */
const BINS: readonly BinInputs[] = [
  bin("selection1", 38, [{ maps: 1, reduces: 0 }], 0.6, 24, 0.84),
  bin("search2", 18, [{ maps: 2, reduces: 0 }], 0.4, 31, 0.9),
  bin("aggregation3", 14, [{ maps: 10, reduces: 2 }], 0.7, 82, 0.94),
  bin("selection4", 12, [{ maps: 50, reduces: 0 }], 0.6, 65, 1.4),
  bin("aggregation5", 6, [{ maps: 100, reduces: 10 }], 0.7, 192, 1.26),
  bin("selection6", 6, [{ maps: 200, reduces: 0 }], 0.6, 136, 1.71),
  bin("search7", 4, [{ maps: 400, reduces: 0 }], 0.4, 137, 2.14),
  bin("join8", 2, [...steps(3, 100, 8), { maps: 100, reduces: 6 }], 0.7, 662, 1.35),
];

export const MACRO_INPUTS = {
  machines: 96,
  cores: 4,
  ramGib: 15,
  /** So many machines are so fast; the others are 1. */
  slowMachines: 2,
  slowSpeed: 0.75,
  /** A task takes between so much less and so much more, evenly. */
  jitter: 0.2,
  runs: 3,
  /** A Hadoop job's first task starts so long after it was submitted. */
  setupMs: 4_000,
  facebook: { bins: BINS, meanGapMs: 14_000, ...task(1, 3, 0.6, 0.6) },
  large: { jobs: 10, tasks: 2_400, taskMs: 12_000, ...task(1, 3, 0.4, 0.6) },
  /** Each iteration ends with parameters that all nodes must have; a part that a machine has not in memory takes `coldFactor` times as long. */
  spark: {
    jobs: 5,
    pauseMs: 120_000,
    iterations: 10,
    parts: 192,
    taskMs: 14_000,
    broadcastMs: 4_000,
    coldFactor: 2,
    ...task(1, 3.5, 0.95, 0.9),
  },
  /** S and L, a job each, submitted one after the other. */
  torque: { sizes: "SSLSSSLS", gapMs: 180_000, tasks: 24, smallMs: 255_000, largeMs: 816_000, ...task(1, 1, 1, 0.3) },
} as const;

/** Added after the first run, to see why Spark gained little in it: a second Spark that waits so long for a machine with its data (§6.3), as a figure of its own. */
export const PATIENT_SPARK_MS = 3_000;

/** Tables 4 and 5, and what Figure 7 says of utilisation. */
export const MACRO_PAPER = {
  facebook: { seconds: 7_235, speedup: 1.14 },
  large: { seconds: 3_143, speedup: 2.1 },
  spark: { seconds: 1_684, speedup: 1.26 },
  torque: { seconds: 3_210, speedup: 0.96 },
  cpuMorePercent: 10,
  ramMorePercent: 17,
} as const;

/**
 * Table 2: `slots` of one core, all busy with tasks of `meanMs`; a framework comes that is entitled to the `entitled` slots it prefers, with a job that takes
 * `beta` times that mean on all of them.
 */
export const TABLE2_INPUTS = { slots: 100, entitled: 50, meanMs: 100_000, betas: [1, 4], runs: 20 } as const;

function bin(
  name: string,
  jobs: number,
  all: readonly StepInputs[],
  cpuUsed: number,
  paperSeconds: number,
  paperSpeedup: number,
): BinInputs {
  return { name, jobs, steps: all, mapMs: 18_000, reduceMs: 45_000, cpuUsed, paperSeconds, paperSpeedup };
}

function steps(count: number, maps: number, reduces: number): readonly StepInputs[] {
  return Array.from({ length: count }, () => ({ maps, reduces }));
}

function task(cpus: number, ram: number, cpuUsed: number, ramUsed: number): TaskInputs {
  return { cpus, ram, cpuUsed, ramUsed };
}
