/**
 * What the cell's work asks for altogether, running and waiting: in these proportions room is worth something (policy.ts). Proportions that packing
 * goes by are kept until they have moved by a step, because every place is read anew when they do.
 */

import type { JobId } from "../../base/id.ts";
import { amountOf, plus, times, type Vector, ZERO } from "../../base/vector.ts";
import type { Job } from "../../cell/state.ts";
import { isProd } from "../../wire/band.ts";
import type { Totals } from "./totals.ts";
import type { Waiting } from "./waiting.ts";

/** A proportion that changed by less is not followed: a quarter of an octave, a fifth. */
const STEP = 2 ** 0.25;

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
      const asked = times(job.limit, indexes.size);
      all = plus(all, asked);
      if (isProd(job.priority)) prod = plus(prod, asked);
    }
    if (hasMoved(this.prod, prod)) this.prod = prod;
    if (hasMoved(this.all, all)) this.all = all;
  }

  clear(): void {
    [this.prod, this.all] = [ZERO, ZERO];
  }
}

/** Whether a resource is asked for in another proportion to cpu, by a step or more. */
function hasMoved(before: Vector, now: Vector): boolean {
  if ((before.cpu === 0 && before.ram === 0) !== (now.cpu === 0 && now.ram === 0)) return true;
  if (differs(before.ram * now.cpu, now.ram * before.cpu)) return true;
  if (before.extras.length !== now.extras.length) return true;
  return now.extras.some(({ name, amount }) => differs(amountOf(before, name) * now.cpu, amount * before.cpu));
}

const differs = (a: number, b: number): boolean => a !== b && (a >= b * STEP || b >= a * STEP);
