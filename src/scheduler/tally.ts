/** How many tasks of a job are on each machine, in each rack and power domain, claims under way included. One for all classes of the job. */
import { counts } from "../cell/place.ts";
import type { Job, Machine } from "../cell/state.ts";
import type { Mirror } from "./mirror.ts";

export class Tally {
  readonly #machines = new Map<Machine, number>();
  readonly #racks = new Map<string, number>();
  readonly #powers = new Map<string, number>();
  /** Rises with every change. */
  revision = 0;
  /** Rises when one leaves: what was too full may no longer be. */
  losses = 0;

  constructor(mirror: Mirror, job: Job) {
    for (const { instance } of job.tasks) if (instance !== undefined && counts(instance)) this.add(instance.place.machine, 1);
    for (const { instance } of mirror.underwayOf(job.id)) this.add(instance.place.machine, 1);
  }

  add(machine: Machine, by: 1 | -1): void {
    const { rack, powerDomain } = machine.facts;
    change(this.#machines, machine, by);
    if (rack !== "") change(this.#racks, rack, by);
    if (powerDomain !== "") change(this.#powers, powerDomain, by);
    if (rack !== "" || powerDomain !== "") this.revision += 1;
    if (by < 0) this.losses += 1;
  }

  onMachine(machine: Machine): number {
    return this.#machines.get(machine) ?? 0;
  }

  inRack(rack: string): number {
    return rack === "" ? 0 : (this.#racks.get(rack) ?? 0);
  }

  inPower(power: string): number {
    return power === "" ? 0 : (this.#powers.get(power) ?? 0);
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + by;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}
