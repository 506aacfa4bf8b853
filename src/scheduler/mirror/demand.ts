/**
 * What the cell's work asks for altogether, running and waiting: in these proportions room is worth something (policy.ts). Packing goes by them in
 * steps, because every place is read anew when they change.
 */

import type { JobId } from "../../base/id.ts";
import { equal, plus, times, type Vector, ZERO } from "../../base/vector.ts";
import { limitOf } from "../../cell/spec.ts";
import type { Job } from "../../cell/state.ts";
import { isProd } from "../../wire/band.ts";
import type { Totals } from "./totals.ts";
import type { Waiting } from "./waiting.ts";

/** Of an octave. */
const STEPS = 4;

export class Demand {
  readonly #totals: Totals;
  readonly #jobs: ReadonlyMap<JobId, Job>;
  readonly #waiting: ReadonlyMap<JobId, Waiting>;
  /** What packing goes by. */
  prod: Vector = ZERO;
  all: Vector = ZERO;

  constructor(totals: Totals, jobs: ReadonlyMap<JobId, Job>, waiting: ReadonlyMap<JobId, Waiting>) {
    this.#totals = totals;
    this.#jobs = jobs;
    this.#waiting = waiting;
  }

  /** Whoever has no quota for prod has no say in how prod is packed: there prod's own work counts, elsewhere all of it. */
  of(prod: boolean): Vector {
    return prod ? this.prod : this.all;
  }

  /** Takes proportions anew. Nobody may be searching: the mirror's arrays are made anew where they moved. */
  renew(): void {
    let [prod, all] = [this.#totals.prodLimits, this.#totals.limits];
    for (const [id, { indexes }] of this.#waiting) {
      const job = this.#jobs.get(id);
      if (job === undefined || job.wants.allocSet !== "") continue;
      const asked = askedBy(job, indexes);
      all = plus(all, asked);
      if (isProd(job.priority)) prod = plus(prod, asked);
    }
    [this.prod, this.all] = [kept(this.prod, rounded(prod)), kept(this.all, rounded(all))];
  }

  clear(): void {
    [this.prod, this.all] = [ZERO, ZERO];
  }
}

/** Task by task only where they differ. What is asked for is the same before and after it is placed, so that placing it moves nothing. */
function askedBy(job: Job, indexes: ReadonlySet<number>): Vector {
  if (job.wants.overrides.length === 0) return times(job.limit, indexes.size);
  let sum = ZERO;
  for (const index of indexes) sum = plus(sum, limitOf(job, index));
  return sum;
}

/** The same object while nothing has changed: that is what the mirror's arrays are known by. */
const kept = (before: Vector, now: Vector): Vector => (equal(before, now) ? before : now);

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
