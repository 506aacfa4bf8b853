/** What the tasks of a job have and use together. A list shows it of many jobs to many pages, so it is worked out once in a while and kept. */
import { plus, ZERO } from "../../base/vector.ts";
import { resourcesOf } from "../../cell/amounts.ts";
import { isAllocSet } from "../../cell/spec.ts";
import type { Job } from "../../cell/state.ts";
import type { Init } from "../../wire/codec.ts";
import type { ViewJobSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import { sumUsage } from "./views.ts";

/** Use is measured all the time: sums are as old as this at most. */
export const SUMS_MS = 2000;
/** Of a job with more tasks the sums are left out. */
const SUMMED_TASKS_MAX = 2000;

type Sums = Pick<Init<typeof ViewJobSchema>, "limit" | "reservation" | "usage" | "unreachable">;

interface Kept {
  readonly atMs: number;
  readonly tasks: number;
  readonly sums: Sums;
}

export class JobSums {
  readonly #copy: Copy;
  readonly #kept = new WeakMap<Job, Kept>();

  constructor(copy: Copy) {
    this.#copy = copy;
  }

  of(job: Job, nowMs: number, meter: Meter): Sums {
    const { length } = job.tasks;
    if (length > SUMMED_TASKS_MAX) return {};
    const known = this.#kept.get(job);
    if (known !== undefined && known.tasks === length && nowMs - known.atMs < SUMS_MS) return known.sums;
    meter.lookedAt(2 * length);
    const sums = this.#sum(job);
    this.#kept.set(job, { atMs: nowMs, tasks: length, sums });
    return sums;
  }

  #sum(job: Job): Sums {
    const { usage } = this.#copy;
    let limit = ZERO;
    let reserved = ZERO;
    let unreachable = 0;
    const used: Resources[] = [];
    for (const { instance } of job.tasks) {
      if (instance === undefined) continue;
      const { machine } = instance.place;
      limit = plus(limit, instance.limit);
      reserved = plus(reserved, instance.reservation);
      if (!machine.reachable) unreachable += 1;
      const own = usage.of(machine.id, instance.id);
      if (own !== undefined) used.push(own);
    }
    const usageSum = isAllocSet(job) ? {} : { usage: sumUsage(used) };
    return { limit: resourcesOf(limit), reservation: resourcesOf(reserved), ...usageSum, unreachable };
  }
}
