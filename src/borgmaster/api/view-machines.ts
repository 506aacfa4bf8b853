/** What pages need to know of every machine at once, and its sums: worked out anew for those that changed. */
import type { MachineId } from "../../base/id.ts";
import type { Vector } from "../../base/vector.ts";
import type { Machine } from "../../cell/state.ts";
import { isProd } from "../../wire/band.ts";
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { UsageTable } from "./usage-table.ts";
import { type Amount, addAmount, addLevel, type Level, noAmount, noLevel } from "./view-amounts.ts";
import { machineState } from "./views.ts";

export interface MachineLine {
  readonly name: MachineId;
  readonly rack: string;
  readonly facts: MachineFacts;
  readonly state: string;
  readonly sinceMs: number;
  readonly tasks: number;
  readonly capacity: Amount;
  readonly production: Level;
  readonly rest: Level;
  readonly wrong: number;
}

const KIB = 1024;
const WRONG: Readonly<Record<string, number>> = { unreachable: 3, draining: 2, drained: 1 };

export class MachineLines {
  readonly all = new Map<MachineId, MachineLine>();
  readonly capacity = noAmount();
  readonly production = noLevel();
  readonly rest = noLevel();
  readonly states: Record<string, number> = { up: 0, draining: 0, drained: 0, unreachable: 0 };
  readonly #unreachable = new Set<MachineId>();

  /** Since when the first of those that do not answer has not; 0: all do. */
  get unreachableMs(): number {
    const since = [...this.#unreachable].map((id) => this.all.get(id)?.sinceMs ?? 0);
    return since.reduce((least, ms) => Math.min(least, ms), since[0] ?? 0);
  }

  /** Undefined: it is no longer there. Answers what is known of it now. */
  update(id: MachineId, machine: Machine | undefined, usage: UsageTable): MachineLine | undefined {
    const before = this.all.get(id);
    const line = machine === undefined ? undefined : lineOf(machine, usage);
    if (before !== undefined) this.#count(before, -1);
    if (line === undefined) this.all.delete(id);
    else {
      this.all.set(id, line);
      this.#count(line, 1);
    }
    if (line?.state === "unreachable") this.#unreachable.add(id);
    else this.#unreachable.delete(id);
    return line;
  }

  #count({ state, capacity, production, rest }: MachineLine, sign: 1 | -1): void {
    this.states[state] = (this.states[state] ?? 0) + sign;
    addAmount(this.capacity, capacity, sign);
    addLevel(this.production, production, sign);
    addLevel(this.rest, rest, sign);
  }
}

function lineOf(machine: Machine, usage: UsageTable): MachineLine {
  const { id, place, facts, sinceMs } = machine;
  const [production, rest, capacity] = [noLevel(), noLevel(), noAmount()];
  const used = usage.onMachine(id);
  for (const instance of place.occupants.values()) {
    const level = isProd(instance.priority) ? production : rest;
    addVector(level.limit, instance.limit);
    addVector(level.reserved, instance.reservation);
    const own = used?.get(instance.id);
    if (own === undefined) continue;
    level.used.cpu += own.cpuMilli;
    level.used.ram += own.ramBytes;
    level.used.disk += own.diskBytes;
  }
  addVector(capacity, place.capacity);
  const state = machineState(machine);
  return {
    ...{ name: id, rack: facts.rack, facts, state, sinceMs, tasks: place.occupants.size },
    ...{ capacity, production, rest, wrong: WRONG[state] ?? 0 },
  };
}

function addVector(sum: Amount, { cpu, ram, disk }: Vector): void {
  sum.cpu += cpu;
  sum.ram += KIB * ram;
  sum.disk += KIB * disk;
}
