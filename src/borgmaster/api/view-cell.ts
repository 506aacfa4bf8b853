/** The cell in sums, as it was in the last hour, and as a map with one byte for each machine. */
import { compareIds, userId } from "../../base/id.ts";
import { type Init, make } from "../../wire/codec.ts";
import {
  type ViewCell,
  ViewCellSchema,
  type ViewMap,
  ViewMapSchema,
  type ViewSampleSchema,
  type ViewSumsSchema,
} from "../../wire/gen/borg/v1/api_pb.ts";
import type { ResourcesSchema } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import {
  type Amount,
  addLevels,
  isProduction,
  type JobLine,
  type Level,
  type MachineLine,
  NO_LEVEL,
  sumOf,
  type ViewIndex,
} from "./view-index.ts";

/** One sample in ten seconds, for an hour; the oldest goes for a new one. */
export const SAMPLE_MS = 10_000;
const SAMPLES_MAX = 360;
const UNKNOWN = 255;
const PERCENT = 100;
const NOTHING: Amount = { cpu: 0, ram: 0, disk: 0 };
const STATES: readonly string[] = ["up", "draining", "drained", "unreachable"];

const resources = ({ cpu, ram, disk }: Amount): Init<typeof ResourcesSchema> => ({
  cpuMilli: cpu,
  ramBytes: ram,
  diskBytes: disk,
});

export class CellSamples {
  #samples: Init<typeof ViewSampleSchema>[] = [];
  #lastMs: number | undefined;

  get all(): readonly Init<typeof ViewSampleSchema>[] {
    return this.#samples;
  }

  /** `nowMs`: monotonic; the sample says cell time. */
  look(nowMs: number, timeMs: number, index: ViewIndex, meter: Meter): void {
    if (this.#lastMs !== undefined && nowMs - this.#lastMs < SAMPLE_MS) return;
    this.#lastMs = nowMs;
    const { capacity, production, rest } = machineSums(index.machines(meter).values());
    const { limit, reserved, used } = addLevels(production, rest);
    const sample = { capacity: resources(capacity), limit: resources(limit), reservation: resources(reserved), usage: resources(used) };
    this.#samples.push({ timeMs, ...sample });
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift();
  }
}

interface MachineSums {
  readonly capacity: Amount;
  readonly production: Level;
  readonly rest: Level;
  readonly states: Readonly<Record<string, number>>;
  readonly unreachableMs: number;
}

function machineSums(lines: Iterable<MachineLine>): MachineSums {
  const states: Record<string, number> = { up: 0, draining: 0, drained: 0, unreachable: 0 };
  let sums = { capacity: NOTHING, production: NO_LEVEL, rest: NO_LEVEL };
  let unreachableMs = 0;
  for (const { state, sinceMs, capacity, production, rest } of lines) {
    states[state] = (states[state] ?? 0) + 1;
    if (state === "unreachable") unreachableMs = unreachableMs === 0 ? sinceMs : Math.min(unreachableMs, sinceMs);
    sums = {
      capacity: sumOf(sums.capacity, capacity),
      production: addLevels(sums.production, production),
      rest: addLevels(sums.rest, rest),
    };
  }
  return { ...sums, states, unreachableMs };
}

const COUNTS = ["running", "starting", "pending", "failing", "stopping", "jobsFailing", "jobsPending"] as const;
type Counts = Record<(typeof COUNTS)[number], number>;
const noCounts = (): Counts => ({ running: 0, starting: 0, pending: 0, failing: 0, stopping: 0, jobsFailing: 0, jobsPending: 0 });

function taskCounts(lines: Iterable<JobLine>): { readonly production: Counts; readonly rest: Counts; readonly jobs: number } {
  const counts = { production: noCounts(), rest: noCounts() };
  let jobs = 0;
  for (const { view } of lines) {
    if (view.state === "dead") continue;
    jobs += 1;
    if (view.allocSet) continue;
    const sum = counts[isProduction(view.priority) ? "production" : "rest"];
    sum.running += view.running;
    sum.starting += view.starting;
    sum.pending += view.pending;
    sum.failing += view.backingOff;
    sum.stopping += view.stopping;
    if (view.backingOff + view.failures > 0) sum.jobsFailing += 1;
    if (view.pending > 0) sum.jobsPending += 1;
  }
  return { ...counts, jobs };
}

const sumsView = (counts: Counts, { limit, reserved, used }: Level): Init<typeof ViewSumsSchema> => ({
  ...counts,
  limit: resources(limit),
  reservation: resources(reserved),
  usage: resources(used),
});

export function cellView({ state }: Copy, index: ViewIndex, samples: CellSamples, user: string, meter: Meter): ViewCell {
  const machines = index.machines(meter);
  const jobs = index.jobs(meter);
  meter.lookedAt(machines.size + jobs.size);
  const sums = machineSums(machines.values());
  const tasks = taskCounts(jobs.values());
  return make(ViewCellSchema, {
    ...{ name: state.name, user, jobs: tasks.jobs, users: state.users.size, machines: machines.size, ...sums.states },
    roles: [...(state.users.get(userId(user))?.roles ?? [])].sort((a, b) => a - b),
    unreachableMs: sums.unreachableMs,
    capacity: resources(sums.capacity),
    production: sumsView(tasks.production, sums.production),
    rest: sumsView(tasks.rest, sums.rest),
    samples: [...samples.all],
  });
}

const FIGURES = {
  cpuUsed: [(level: Level) => level.used, "cpu"],
  cpuReserved: [(level: Level) => level.reserved, "cpu"],
  cpuLimit: [(level: Level) => level.limit, "cpu"],
  ramUsed: [(level: Level) => level.used, "ram"],
  ramReserved: [(level: Level) => level.reserved, "ram"],
  ramLimit: [(level: Level) => level.limit, "ram"],
} as const satisfies Partial<Record<keyof ViewMap, readonly [(level: Level) => Amount, keyof Amount]>>;

/** `named`: also what they are called, and where they stand. In the order of racks and names. */
export function mapView(index: ViewIndex, named: boolean, meter: Meter): ViewMap {
  const lines = [...index.machines(meter).values()].sort((a, b) => compareIds(a.rack, b.rack) || compareIds(a.name, b.name));
  // Sorted, and read once for each figure: 30 ms for 12,477 machines.
  meter.lookedAt(12 * lines.length);
  const racks = [...new Set(lines.map(({ rack }) => rack))];
  const rackNumbers = new Map(racks.map((rack, i) => [rack, i]));
  const bytes = (of: (line: MachineLine) => number): Uint8Array => Uint8Array.from(lines, of);
  const figures = Object.fromEntries(
    Object.entries(FIGURES).map(([name, [level, resource]]) => [name, bytes((line) => part(line, level, resource))]),
  );
  return make(ViewMapSchema, {
    ...(named ? { names: lines.map(({ name }) => name), racks, rack: lines.map(({ rack }) => rackNumbers.get(rack)!) } : {}),
    states: bytes(({ state }) => STATES.indexOf(state)),
    tasks: bytes(({ tasks }) => Math.min(UNKNOWN, tasks)),
    ...figures,
  });
}

/** Of a machine that does not answer nobody knows what is used. */
function part({ state, capacity, production, rest }: MachineLine, level: (of: Level) => Amount, resource: keyof Amount): number {
  if (state === "unreachable" || capacity[resource] === 0) return UNKNOWN;
  const all = level(production)[resource] + level(rest)[resource];
  return Math.min(UNKNOWN - 1, Math.round((PERCENT * all) / capacity[resource]));
}
