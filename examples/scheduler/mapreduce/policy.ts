/**
 * How many workers a MapReduce job gets (Omega §6.1). A job says how many it wants; where the cell has room, more of them end it sooner. The prediction is the paper's: as many
 * activities as there are workers run at once, maps before reduces, each as long as in earlier runs of the job. Nothing here knows a cell: only numbers.
 */

export const POLICIES = ["max-parallelism", "global-cap", "relative-job-size"] as const;
export type Policy = (typeof POLICIES)[number];

/** Idle room is used up to this part of the cell. */
export const CAP = 0.6;
/** No more workers than so many times those that were asked for. */
export const RELATIVE_MOST = 4;

export interface MapReduce {
  /** What the user asked for. It never has fewer. */
  readonly asked: number;
  readonly workers: number;
  /** Activities that are not done yet. */
  readonly maps: number;
  readonly reduces: number;
}

export interface Lengths {
  readonly mapMs: number;
  readonly reduceMs: number;
}

export interface Idle {
  /** So many more workers of this job have room. */
  readonly workers: number;
  /** The same while the cell as a whole stays below the cap. */
  readonly workersBelowCap: number;
}

/** How long it still takes with so many workers. */
export function predictMs({ maps, reduces }: Pick<MapReduce, "maps" | "reduces">, workers: number, { mapMs, reduceMs }: Lengths): number {
  const phase = (activities: number, ms: number): number => (activities === 0 ? 0 : (activities / Math.min(workers, activities)) * ms);
  return phase(maps, mapMs) + phase(reduces, reduceMs);
}

function mostWorkers(policy: Policy, { asked, workers }: MapReduce, idle: Idle): number {
  switch (policy) {
    case "max-parallelism":
      return workers + idle.workers;
    case "global-cap":
      return workers + Math.min(idle.workers, idle.workersBelowCap);
    case "relative-job-size":
      return Math.min(workers + idle.workers, RELATIVE_MOST * asked);
  }
}

/** Of the numbers of workers that the policy allows, the one with which the job is predicted to end first; of those the smallest. */
export function chosenWorkers(policy: Policy, job: MapReduce, lengths: Lengths, idle: Idle): number {
  const most = Math.max(job.asked, mostWorkers(policy, job, idle));
  let [best, bestMs] = [job.asked, predictMs(job, job.asked, lengths)];
  for (const workers of candidates(job, most)) {
    const ms = predictMs(job, workers, lengths);
    if (ms < bestMs || (ms === bestMs && workers < best)) [best, bestMs] = [workers, ms];
  }
  return best;
}

/** Twice as many, and twice again, as far as it goes; and as many as there are activities. */
function candidates({ asked, maps, reduces }: MapReduce, most: number): readonly number[] {
  const found = [maps, reduces, most].filter((workers) => workers > asked && workers <= most);
  for (let workers = asked * 2; workers < most; workers *= 2) found.push(workers);
  return found;
}

/** Means of earlier runs, by the name of a job; of one that never ran, those of all that did. */
export class History {
  readonly #runs = new Map<string, { count: number; mapMs: number; reduceMs: number }>();
  readonly #unknown: Lengths;
  /** Names that are remembered at most; the one that was first seen is forgotten. */
  static readonly NAMES_MAX = 10_000;

  /** What is predicted while nothing is known at all. */
  constructor(unknown: Lengths) {
    this.#unknown = unknown;
  }

  add(name: string, { mapMs, reduceMs }: Lengths): void {
    for (const key of [name, ALL]) {
      const known = this.#runs.get(key) ?? { count: 0, mapMs: 0, reduceMs: 0 };
      const count = known.count + 1;
      const mean = (before: number, value: number): number => before + (value - before) / count;
      this.#runs.set(key, { count, mapMs: mean(known.mapMs, mapMs), reduceMs: mean(known.reduceMs, reduceMs) });
    }
    if (this.#runs.size <= History.NAMES_MAX) return;
    const oldest = [...this.#runs.keys()].find((key) => key !== ALL);
    if (oldest !== undefined) this.#runs.delete(oldest);
  }

  lengthsOf(name: string): Lengths {
    const { mapMs, reduceMs } = this.#runs.get(name) ?? this.#runs.get(ALL) ?? this.#unknown;
    return { mapMs, reduceMs };
  }
}

/** No job is called so. */
const ALL = "";
