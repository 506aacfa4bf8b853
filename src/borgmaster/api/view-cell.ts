/** The cell in sums, and as it was in the last hour. */
import { userId } from "../../base/id.ts";
import { type Init, make } from "../../wire/codec.ts";
import { type ViewCell, ViewCellSchema, type ViewSampleSchema, type ViewSumsSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import { addLevel, type Level, noLevel, resourcesOfAmount } from "./view-amounts.ts";
import type { ViewIndex } from "./view-index.ts";
import type { ClassCounts } from "./view-jobs.ts";

/** One sample in ten seconds, for an hour; the oldest goes for a new one. */
export const SAMPLE_MS = 10_000;
const SAMPLES_MAX = 360;

export type Sample = Init<typeof ViewSampleSchema> & { readonly timeMs: number };

export class CellSamples {
  #samples: Sample[] = [];
  #lastMs: number | undefined;

  /** Those later than this, in cell time; 0: of the last hour. */
  after(timeMs: number): readonly Sample[] {
    const first = this.#samples.findLastIndex((sample) => sample.timeMs <= timeMs) + 1;
    return this.#samples.slice(first);
  }

  /** `nowMs`: monotonic; the sample says cell time. */
  look(nowMs: number, timeMs: number, index: ViewIndex, meter: Meter): void {
    if (this.#lastMs !== undefined && nowMs - this.#lastMs < SAMPLE_MS) return;
    this.#lastMs = nowMs;
    const { capacity, production, rest } = index.machines(meter);
    const all = noLevel();
    addLevel(all, production);
    addLevel(all, rest);
    const { limit, reserved, used } = all;
    const levels = { limit: resourcesOfAmount(limit), reservation: resourcesOfAmount(reserved), usage: resourcesOfAmount(used) };
    this.#samples.push({ timeMs, capacity: resourcesOfAmount(capacity), ...levels });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }
}

const sumsView = (counts: ClassCounts, { limit, reserved, used }: Level): Init<typeof ViewSumsSchema> => ({
  ...counts,
  limit: resourcesOfAmount(limit),
  reservation: resourcesOfAmount(reserved),
  usage: resourcesOfAmount(used),
});

/** `samples`: those that whoever looks has not been told. */
export function cellView({ state }: Copy, index: ViewIndex, samples: readonly Sample[], user: string, meter: Meter): ViewCell {
  const machines = index.machines(meter);
  const jobs = index.jobs(meter);
  return make(ViewCellSchema, {
    ...{ name: state.name, user, jobs: jobs.living, users: state.users.size, machines: machines.all.size, ...machines.states },
    roles: [...(state.users.get(userId(user))?.roles ?? [])].sort((a, b) => a - b),
    unreachableMs: machines.unreachableMs,
    capacity: resourcesOfAmount(machines.capacity),
    production: sumsView(jobs.production, machines.production),
    rest: sumsView(jobs.rest, machines.rest),
    samples: [...samples],
    countedSinceMs: index.countedSinceMs,
  });
}
