/** What was last heard of each machine and is never journaled: use, and when tasks in a back-off are started again. A new master learns it again within a poll. */
import { type MachineId, machineId } from "../../base/id.ts";
import type { MachineMoment } from "../../wire/gen/borg/v1/api_pb.ts";
import type { DiskTraffic, Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { MachineUsage } from "../message.ts";
import { MachineMoments } from "./machine-moments.ts";

interface Heard {
  readonly wallMs: number;
  readonly byInstance: ReadonlyMap<string, Resources>;
  /** Cycles per instruction. */
  readonly cpi: ReadonlyMap<string, number>;
  readonly diskTraffic: ReadonlyMap<string, DiskTraffic>;
  /** In cell time. */
  readonly nextTryMs: ReadonlyMap<string, number>;
  /** What starts wait for. */
  readonly words: ReadonlyMap<string, string>;
}

export class UsageTable {
  readonly #machines = new Map<MachineId, Heard>();
  readonly #moments = new Map<MachineId, MachineMoments>();

  learn(machines: readonly MachineUsage[], now: { readonly wallMs: number; readonly cellMs: number }): void {
    for (const each of machines) this.#learn(each, now);
  }

  #learn({ machine, usage, waiting, strain }: MachineUsage, now: { readonly wallMs: number; readonly cellMs: number }): void {
    const byInstance = new Map<string, Resources>();
    for (const { instance, last } of usage) if (last !== undefined) byInstance.set(instance, last);
    const cpi = new Map(usage.flatMap((each) => (each.cpi === undefined ? [] : [[each.instance, each.cpi]])));
    const diskTraffic = new Map(usage.flatMap((each) => (each.diskTraffic === undefined ? [] : [[each.instance, each.diskTraffic]])));
    const nextTryMs = new Map(waiting.flatMap(({ instance, backoffMs }) => (backoffMs > 0 ? [[instance, now.cellMs + backoffMs]] : [])));
    const words = new Map(waiting.map((each) => [each.instance, each.waiting]));
    this.#machines.set(machineId(machine), { wallMs: now.wallMs, byInstance, cpi, diskTraffic, nextTryMs, words });
    let [cpuMilli, ramBytes] = [0, 0];
    for (const used of byInstance.values()) [cpuMilli, ramBytes] = [cpuMilli + used.cpuMilli, ramBytes + used.ramBytes];
    const moments = this.#moments.get(machineId(machine)) ?? new MachineMoments();
    moments.add(now.cellMs, cpuMilli, ramBytes, strain);
    this.#moments.set(machineId(machine), moments);
  }

  forget(machine: MachineId): void {
    this.#machines.delete(machine);
    this.#moments.delete(machine);
  }

  of(machine: MachineId, instance: string): Resources | undefined {
    return this.#machines.get(machine)?.byInstance.get(instance);
  }

  /** By instance; undefined: nothing was heard of it. */
  onMachine(machine: MachineId): ReadonlyMap<string, Resources> | undefined {
    return this.#machines.get(machine)?.byInstance;
  }

  /** Cycles per instruction; undefined: its machine does not count them. */
  cpi(machine: MachineId, instance: string): number | undefined {
    return this.#machines.get(machine)?.cpi.get(instance);
  }

  /** Of its current run; undefined: its machine cannot tell. */
  diskTraffic(machine: MachineId, instance: string): DiskTraffic | undefined {
    return this.#machines.get(machine)?.diskTraffic.get(instance);
  }

  /** Undefined: it is in no back-off, as far as its machine has told. */
  nextTryMs(machine: MachineId, instance: string): number | undefined {
    return this.#machines.get(machine)?.nextTryMs.get(instance);
  }

  /** What a start waits for, as far as its machine has told; empty: nothing. */
  waiting(machine: MachineId, instance: string): string {
    return this.#machines.get(machine)?.words.get(instance) ?? "";
  }

  on(machine: MachineId): Iterable<Resources> {
    return this.#machines.get(machine)?.byInstance.values() ?? [];
  }

  /** Its last reports, oldest first. */
  moments(machine: MachineId): MachineMoment[] {
    return this.#moments.get(machine)?.list() ?? [];
  }

  heardMs(machine: MachineId): number {
    return this.#machines.get(machine)?.wallMs ?? 0;
  }
}
