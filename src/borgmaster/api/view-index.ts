/**
 * What pages need to know of every job and machine at once, kept so that a look costs as much as what changed since the look before. It exists
 * while somebody watches; an entry or a report only marks what it changed, and the next look works that out.
 */
import type { JobId, MachineId } from "../../base/id.ts";
import { plus, type Vector, ZERO } from "../../base/vector.ts";
import type { Touched } from "../../cell/touched.ts";
import { bandOf } from "../../wire/band.ts";
import type { JobView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { Copy } from "./copy.ts";
import type { Meter } from "./price.ts";
import { jobView, machineState } from "./views.ts";

/** What a job is in a list; `wrong`: how much it wants to be looked at, 0 for one that is well. */
export interface JobLine {
  readonly view: JobView;
  readonly owner: string;
  readonly wrong: number;
}

/** Millicores and bytes. */
export interface Amount {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
}

export interface Level {
  readonly limit: Amount;
  readonly reserved: Amount;
  readonly used: Amount;
}

export interface MachineLine {
  readonly name: MachineId;
  readonly rack: string;
  readonly state: string;
  readonly sinceMs: number;
  readonly tasks: number;
  readonly capacity: Amount;
  readonly production: Level;
  readonly rest: Level;
  readonly wrong: number;
}

const KIB = 1024;
const NOTHING: Amount = { cpu: 0, ram: 0, disk: 0 };
const WRONG: Readonly<Record<string, number>> = { unreachable: 3, draining: 2, drained: 1 };

export const sumOf = (a: Amount, b: Amount): Amount => ({ cpu: a.cpu + b.cpu, ram: a.ram + b.ram, disk: a.disk + b.disk });
const amountOf = ({ cpu, ram, disk }: Vector): Amount => ({ cpu, ram: ram * KIB, disk: disk * KIB });
const measured = ({ cpuMilli, ramBytes, diskBytes }: Resources): Amount => ({ cpu: cpuMilli, ram: ramBytes, disk: diskBytes });

export class ViewIndex {
  readonly #copy: Copy;
  readonly #jobs = new Map<JobId, JobLine>();
  readonly #machines = new Map<MachineId, MachineLine>();
  readonly #jobsTouched: Set<JobId>;
  readonly #machinesTouched: Set<MachineId>;
  /** Counts the times that a machine came or went. */
  fleet = 0;

  constructor(copy: Copy) {
    this.#copy = copy;
    this.#jobsTouched = new Set(copy.state.jobs.keys());
    this.#machinesTouched = new Set(copy.state.machines.keys());
  }

  touched({ jobs, tasks, machines }: Touched): void {
    for (const id of jobs) this.#jobsTouched.add(id);
    for (const id of tasks.keys()) this.#jobsTouched.add(id);
    for (const id of machines) this.#machinesTouched.add(id);
  }

  measured(machines: Iterable<string>): void {
    for (const machine of machines) this.#machinesTouched.add(machine as MachineId);
  }

  jobs(meter: Meter): ReadonlyMap<JobId, JobLine> {
    for (const id of this.#jobsTouched) {
      const job = this.#copy.state.jobs.get(id);
      meter.lookedAt(1 + (job?.tasks.length ?? 0));
      if (job === undefined) this.#jobs.delete(id);
      else this.#jobs.set(id, jobLine(jobView(job), job.owner));
    }
    this.#jobsTouched.clear();
    return this.#jobs;
  }

  machines(meter: Meter): ReadonlyMap<MachineId, MachineLine> {
    for (const id of this.#machinesTouched) {
      const known = this.#machines.has(id);
      const line = this.#machineLine(id);
      meter.lookedAt(1 + (line?.tasks ?? 0));
      if (known !== (line !== undefined)) this.fleet += 1;
      if (line === undefined) this.#machines.delete(id);
      else this.#machines.set(id, line);
    }
    this.#machinesTouched.clear();
    return this.#machines;
  }

  #machineLine(id: MachineId): MachineLine | undefined {
    const machine = this.#copy.state.machines.get(id);
    if (machine === undefined) return undefined;
    const { usage } = this.#copy;
    const sums = { production: emptySums(), rest: emptySums() };
    for (const instance of machine.place.occupants.values()) {
      const sum = sums[isProduction(instance.priority) ? "production" : "rest"];
      sum.limit = plus(sum.limit, instance.limit);
      sum.reserved = plus(sum.reserved, instance.reservation);
      const used = usage.of(id, instance.id);
      if (used !== undefined) sum.used = sumOf(sum.used, measured(used));
    }
    const state = machineState(machine);
    return {
      ...{ name: id, rack: machine.facts.rack, state, sinceMs: machine.sinceMs, tasks: machine.place.occupants.size },
      capacity: amountOf(machine.place.capacity),
      production: levelOf(sums.production),
      rest: levelOf(sums.rest),
      wrong: WRONG[state] ?? 0,
    };
  }
}

interface Sums {
  limit: Vector;
  reserved: Vector;
  used: Amount;
}

const emptySums = (): Sums => ({ limit: ZERO, reserved: ZERO, used: NOTHING });
const levelOf = ({ limit, reserved, used }: Sums): Level => ({ limit: amountOf(limit), reserved: amountOf(reserved), used });

export const NO_LEVEL: Level = { limit: NOTHING, reserved: NOTHING, used: NOTHING };
export const addLevels = (a: Level, b: Level): Level => ({
  limit: sumOf(a.limit, b.limit),
  reserved: sumOf(a.reserved, b.reserved),
  used: sumOf(a.used, b.used),
});

/** Prod in the paper's sense: the bands of production and monitoring. */
export const isProduction = (priority: number): boolean => ["production", "monitoring"].includes(bandOf(priority));

const jobLine = (view: JobView, owner: string): JobLine => ({ view, owner, wrong: wrongness(view) });

/** Tasks that fail come before tasks that wait, those before tasks that start; a dead job is well, unless it failed. */
function wrongness({ state, backingOff, failures, pending, starting, stopping, count, held, failed, lost }: JobView): number {
  if (state === "dead") return failed + lost > 0 ? 1 : 0;
  const part = (tasks: number): number => Math.min(1, tasks / Math.max(1, count));
  if (backingOff > 0) return 50 + 10 * part(backingOff);
  if (failures > 0) return 40 + 10 * part(failures);
  if (pending > 0 && !held) return 30 + 10 * part(pending);
  if (starting > 0) return 10 + 5 * part(starting);
  return stopping > 0 ? 5 : 0;
}
