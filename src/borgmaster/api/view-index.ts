/**
 * What pages need to know of every job and machine at once, kept so that a look costs as much as what changed since the look before. It exists
 * while somebody watches, and all who watch share it; an entry or a report only marks what it changed, and the next look works that out.
 */
import type { JobId, MachineId } from "../../base/id.ts";
import type { Touched } from "../../cell/touched.ts";
import type { Copy } from "./copy.ts";
import { JobSums } from "./job-sums.ts";
import type { Meter } from "./price.ts";
import { type Order, orderOf, Ranking } from "./ranking.ts";
import { type JobLine, JobLines } from "./view-jobs.ts";
import { type MachineLine, MachineLines } from "./view-machines.ts";
import { MachineMap } from "./view-map.ts";

/** Each costs a byte for every machine and figure, and a look at each machine that changed. */
const GROUPINGS_MAX = 8;
const NO_TASKS: ReadonlySet<number> = new Set();

const JOB_FIGURES: Readonly<Record<string, (line: JobLine) => number>> = {
  wrong: ({ wrong, view }) => (view.state === "dead" ? wrong - 2 : wrong),
  age: ({ view }) => -view.submittedMs,
  priority: ({ view }) => view.priority,
  tasks: ({ view }) => view.count,
  cpu: ({ view }) => (view.limit?.cpuMilli ?? 0) * view.count,
  ram: ({ view }) => (view.limit?.ramBytes ?? 0) * view.count,
};

const MACHINE_FIGURES: Readonly<Record<string, (line: MachineLine) => number>> = {
  wrong: ({ wrong }) => wrong,
  tasks: ({ tasks }) => tasks,
  age: ({ sinceMs }) => -sinceMs,
  cpu: ({ production, rest, capacity }) => (production.used.cpu + rest.used.cpu) / Math.max(1, capacity.cpu),
  ram: ({ production, rest, capacity }) => (production.used.ram + rest.used.ram) / Math.max(1, capacity.ram),
  "cpu-used": ({ production, rest }) => production.used.cpu + rest.used.cpu,
  "ram-used": ({ production, rest }) => production.used.ram + rest.used.ram,
};

/** Orders that somebody asked for; there are as many as figures, from both ends. */
class Rankings<Row> {
  readonly #figures: Readonly<Record<string, (row: Row) => number>>;
  readonly #rows: ReadonlyMap<string, Row>;
  readonly #all = new Map<string, Ranking<Row>>();

  constructor(figures: Readonly<Record<string, (row: Row) => number>>, rows: ReadonlyMap<string, Row>) {
    this.#figures = figures;
    this.#rows = rows;
  }

  mark(name: string): void {
    for (const ranking of this.#all.values()) ranking.mark(name);
  }

  names(sort: string, meter: Meter): readonly string[] {
    const name = sort.replace(/^-/, "");
    const key = `${sort.startsWith("-") ? "-" : ""}${name === "" || Object.hasOwn(this.#figures, name) ? name || "wrong" : "name"}`;
    const order: Order<Row> = orderOf(key, this.#figures);
    const ranking = this.#all.get(key) ?? new Ranking(order, this.#rows);
    this.#all.set(key, ranking);
    return ranking.names(meter);
  }
}

export class ViewIndex {
  readonly sums: JobSums;
  /** Since when it counts what happens. */
  readonly countedSinceMs: number;
  readonly #copy: Copy;
  readonly #timeMs: () => number;
  readonly #jobs = new JobLines((machine) => void this.#machinesTouched.add(machine));
  readonly #machines = new MachineLines();
  /** By what they are grouped by. */
  readonly #maps = new Map<string, MachineMap>([["", new MachineMap(this.#machines.all, "")]]);
  readonly #jobOrders = new Rankings(JOB_FIGURES, this.#jobs.all);
  readonly #machineOrders = new Rankings(MACHINE_FIGURES, this.#machines.all);
  #jobsTouched: Map<JobId, Set<number> | undefined>;
  #machinesTouched = new Set<MachineId>();

  /** `timeMs`: cell time. */
  constructor(copy: Copy, timeMs: () => number) {
    this.#copy = copy;
    this.#timeMs = timeMs;
    this.countedSinceMs = timeMs();
    this.sums = new JobSums(copy);
    this.#jobsTouched = new Map([...copy.state.jobs.keys()].map((id) => [id, undefined]));
    this.#machinesTouched = new Set(copy.state.machines.keys());
  }

  get timeMs(): number {
    return this.#timeMs();
  }

  touched({ jobs, tasks, machines }: Touched): void {
    for (const id of jobs) if (!this.#jobsTouched.has(id)) this.#jobsTouched.set(id, undefined);
    for (const [id, indexes] of tasks) {
      const known = this.#jobsTouched.get(id);
      if (known === undefined) this.#jobsTouched.set(id, new Set(indexes));
      else for (const index of indexes) known.add(index);
    }
    for (const id of machines) this.#machinesTouched.add(id);
  }

  measured(machines: Iterable<string>): void {
    for (const machine of machines) this.#machinesTouched.add(machine as MachineId);
  }

  jobs(meter: Meter): JobLines {
    if (this.#jobsTouched.size === 0) return this.#jobs;
    for (const [id, indexes] of this.#jobsTouched) {
      const looked = this.#jobs.update(id, this.#copy.state.jobs.get(id), indexes ?? NO_TASKS, this.timeMs);
      meter.lookedAt(2 + looked);
      this.#jobOrders.mark(id);
    }
    this.#jobsTouched = new Map();
    return this.#jobs;
  }

  /** What is on a machine changes with the tasks of jobs. */
  machines(meter: Meter): MachineLines {
    this.jobs(meter);
    if (this.#machinesTouched.size === 0) return this.#machines;
    const { state, usage } = this.#copy;
    for (const id of this.#machinesTouched) {
      const before = this.#machines.all.get(id);
      const line = this.#machines.update(id, state.machines.get(id), usage);
      meter.lookedAt(1 + (line?.tasks ?? 0));
      this.#machineOrders.mark(id);
      const isMoved = before === undefined || line === undefined || before.facts !== line.facts;
      for (const map of this.#maps.values()) map.mark(id, isMoved);
    }
    this.#machinesTouched = new Set();
    return this.#machines;
  }

  /** All jobs, in this order. */
  jobNames(sort: string, meter: Meter): readonly string[] {
    this.jobs(meter);
    return this.#jobOrders.names(sort, meter);
  }

  machineNames(sort: string, meter: Meter): readonly string[] {
    this.machines(meter);
    return this.#machineOrders.names(sort, meter);
  }

  /** Grouped by what a query names (`group:KEY`). There are so many groupings at most; one more shows racks. */
  map(meter: Meter, group: string): MachineMap {
    this.machines(meter);
    if (!this.#maps.has(group) && this.#maps.size < GROUPINGS_MAX) this.#maps.set(group, new MachineMap(this.#machines.all, group));
    const map = this.#maps.get(group) ?? this.#maps.get("")!;
    map.draw(meter);
    return map;
  }
}
