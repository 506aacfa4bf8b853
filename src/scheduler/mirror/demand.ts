/**
 * What the work asks for altogether that the cell can hold, running and waiting: in these proportions room is worth something (policy.ts). Work counts
 * from high priority to low until cpu or ram of the cell is used up: what prod leaves over is for the others, so prod goes by what they ask for too,
 * and whoever cannot be placed has no say. Packing goes by the proportions in steps, because every place is read anew when they change.
 */

import type { JobId } from "../../base/id.ts";
import { equal, plus, times, type Vector, ZERO } from "../../base/vector.ts";
import { limitOf } from "../../cell/spec.ts";
import type { Job } from "../../cell/state.ts";
import type { Totals } from "./totals.ts";
import type { Waiting } from "./waiting.ts";

/** Of an octave. */
const STEPS = 4;

export class Demand {
  readonly #totals: Totals;
  readonly #jobs: ReadonlyMap<JobId, Job>;
  readonly #waiting: ReadonlyMap<JobId, Waiting>;
  /** What packing goes by. */
  now: Vector = ZERO;

  constructor(totals: Totals, jobs: ReadonlyMap<JobId, Job>, waiting: ReadonlyMap<JobId, Waiting>) {
    this.#totals = totals;
    this.#jobs = jobs;
    this.#waiting = waiting;
  }

  /** Takes proportions anew. Nobody may be searching: the mirror's arrays are made anew where they moved. */
  renew(): void {
    const asked = new Map(this.#totals.limits);
    for (const [id, { indexes }] of this.#waiting) {
      const job = this.#jobs.get(id);
      if (job === undefined || job.wants.allocSet !== "") continue;
      asked.set(job.priority, plus(asked.get(job.priority) ?? ZERO, askedBy(job, indexes)));
    }
    const now = rounded(held(asked, this.#totals.answering));
    if (!equal(this.now, now)) this.now = now;
  }

  clear(): void {
    this.now = ZERO;
  }
}

/** As much as there is room for, the highest priority first; of the one that it ends in, a part. */
function held(asked: ReadonlyMap<number, Vector>, room: Vector): Vector {
  let sum = ZERO;
  for (const [, vector] of [...asked].sort(([a], [b]) => b - a)) {
    const part = Math.min(1, partOf(room.cpu - sum.cpu, vector.cpu), partOf(room.ram - sum.ram, vector.ram));
    sum = plus(sum, times(vector, part));
    if (part < 1) break;
  }
  return sum;
}

const partOf = (left: number, asked: number): number => (asked === 0 ? 1 : Math.max(0, left) / asked);

/** Task by task only where they differ. What is asked for is the same before and after it is placed, so that placing it moves nothing. */
function askedBy(job: Job, indexes: ReadonlySet<number>): Vector {
  if (job.wants.overrides.length === 0) return times(job.limit, indexes.size);
  let sum = ZERO;
  for (const index of indexes) sum = plus(sum, limitOf(job, index));
  return sum;
}

/** What one core stands for, where proportions to it are all that matters. */
const WHOLE = 2 ** 20;

/**
 * In steps of a quarter of an octave, a fifth. Whoever looks at the same work finds the same proportions, whatever there was before: a decision can be had again from a
 * checkpoint. And where little comes and goes, they stay as they are.
 */
function rounded(asked: Vector): Vector {
  const base = asked.cpu > 0 ? asked.cpu : asked.ram;
  const part = (amount: number): number => (amount > 0 ? WHOLE * 2 ** (Math.round(STEPS * Math.log2(amount / base)) / STEPS) : 0);
  const extras = asked.extras.map(({ name, amount }) => ({ name, amount: part(amount) }));
  return { ...ZERO, cpu: part(asked.cpu), ram: part(asked.ram), disk: part(asked.disk), extras };
}
