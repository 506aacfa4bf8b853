/** Sums over all machines of a mirror, kept up to date as instances come and go. What is inside allocs counts with its alloc. */
import { isInstance, type MachineId } from "../base/id.ts";
import { isProd } from "../cell/band.ts";
import type { Instance, Machine } from "../cell/state.ts";

export class Totals {
  readonly #machines: ReadonlyMap<MachineId, Machine>;
  #capacity: number | undefined;
  /** Cpu that prod may use at most, and that is reserved for all. */
  prodLimit = 0;
  reserved = 0;
  /** Instances above their memory limit: whoever asks may name them as victims. */
  overRam = 0;

  constructor(machines: ReadonlyMap<MachineId, Machine>) {
    this.#machines = machines;
  }

  /** Cpu of all machines. */
  get capacity(): number {
    if (this.#capacity !== undefined) return this.#capacity;
    this.#capacity = 0;
    for (const { place } of this.#machines.values()) this.#capacity += place.capacity.cpu;
    return this.#capacity;
  }

  add(instance: Instance, sign: 1 | -1): void {
    if (instance.overRam) this.overRam += sign;
    if (isInstance(instance.place.id)) return;
    if (isProd(instance.priority)) this.prodLimit += sign * instance.limit.cpu;
    this.reserved += sign * instance.reservation.cpu;
  }

  /** Machines came, went or changed. */
  forgetCapacity(): void {
    this.#capacity = undefined;
  }

  clear(): void {
    this.forgetCapacity();
    [this.prodLimit, this.reserved, this.overRam] = [0, 0, 0];
  }
}
