/** What was last measured on each machine, for people: usage is never journaled, so a new master learns it again within a poll. */
import { type MachineId, machineId } from "../../base/id.ts";
import type { Usage } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";

interface Heard {
  readonly wallMs: number;
  readonly byInstance: ReadonlyMap<string, Resources>;
}

export class UsageTable {
  readonly #machines = new Map<MachineId, Heard>();

  learn(machine: string, usage: readonly Usage[], wallMs: number): void {
    const byInstance = new Map<string, Resources>();
    for (const { instance, last } of usage) if (last !== undefined) byInstance.set(instance, last);
    this.#machines.set(machineId(machine), { wallMs, byInstance });
  }

  forget(machine: MachineId): void {
    this.#machines.delete(machine);
  }

  of(machine: MachineId, instance: string): Resources | undefined {
    return this.#machines.get(machine)?.byInstance.get(instance);
  }

  on(machine: MachineId): Iterable<Resources> {
    return this.#machines.get(machine)?.byInstance.values() ?? [];
  }

  heardMs(machine: MachineId): number {
    return this.#machines.get(machine)?.wallMs ?? 0;
  }
}
