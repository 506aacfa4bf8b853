/** How many tasks of a job are on each machine, in each rack and power domain, claims under way included. One for all classes of the job. */
import { counts } from "../cell/place.ts";
import type { Job, Machine } from "../cell/state.ts";
import type { Addresses } from "./addresses.ts";
import type { Mirror } from "./mirror.ts";

export class Tally {
  readonly #addresses: Addresses;
  /** By number (addresses.ts). */
  readonly #machines = new Map<number, number>();
  readonly #racks = new Map<number, number>();
  readonly #powers = new Map<number, number>();
  /** Rises with every change. */
  revision = 0;
  /** Rises when one leaves: what was too full may no longer be. */
  losses = 0;

  constructor(mirror: Mirror, job: Job) {
    this.#addresses = mirror.addresses;
    for (const { instance } of job.tasks) if (instance !== undefined && counts(instance)) this.add(instance.place.machine, 1);
    for (const { instance } of mirror.underwayOf(job.id)) this.add(instance.place.machine, 1);
  }

  add(machine: Machine, by: 1 | -1): void {
    const address = this.#addresses.of(machine);
    change(this.#machines, address.machine, by);
    if (address.rack >= 0) change(this.#racks, address.rack, by);
    if (address.power >= 0) change(this.#powers, address.power, by);
    if (address.rack >= 0 || address.power >= 0) this.revision += 1;
    if (by < 0) this.losses += 1;
  }

  onMachine(machine: number): number {
    return this.#machines.get(machine) ?? 0;
  }

  inRack(rack: number): number {
    return rack < 0 ? 0 : (this.#racks.get(rack) ?? 0);
  }

  inPower(power: number): number {
    return power < 0 ? 0 : (this.#powers.get(power) ?? 0);
  }
}

function change(counts: Map<number, number>, key: number, by: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + by;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}
