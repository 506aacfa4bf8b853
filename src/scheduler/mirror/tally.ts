/** How many tasks of a job are on each machine, in each rack and power domain, claims under way included. One for all classes of the job. */
import { counts } from "../../cell/place.ts";
import type { Job } from "../../cell/state.ts";
import type { Mirror } from "./mirror.ts";
import type { Numbers } from "./numbering.ts";

export class Tally {
  /** By number (numbering.ts). */
  readonly #machines = new Map<number, number>();
  readonly #racks = new Map<number, number>();
  readonly #powers = new Map<number, number>();
  /** Rises with every change. */
  revision = 0;
  /** Rises when one leaves: what was too full may no longer be. */
  losses = 0;

  constructor(mirror: Mirror, job: Job) {
    let pending = 0;
    for (const { instance, state } of job.tasks) {
      if (instance !== undefined && counts(instance)) this.add(mirror.numbering.of(instance.place.machine), 1);
      if (state === "pending") pending += 1;
    }
    if (pending > (mirror.waiting.get(job.id)?.indexes.size ?? 0)) this.#addPlanned(mirror, job);
  }

  #addPlanned(mirror: Mirror, job: Job): void {
    for (const task of job.tasks) {
      const planned = mirror.plannedFor(task);
      if (planned !== undefined) this.add(mirror.numbering.of(planned.place.machine), 1);
    }
  }

  add(numbers: Numbers, by: 1 | -1): void {
    change(this.#machines, numbers.machine, by);
    if (numbers.rack >= 0) change(this.#racks, numbers.rack, by);
    if (numbers.power >= 0) change(this.#powers, numbers.power, by);
    if (numbers.rack >= 0 || numbers.power >= 0) this.revision += 1;
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
