/** Sums over all machines of a mirror, kept up to date as instances come and go. What is inside allocs counts with its alloc. */
import { isInstance, type MachineId } from "../../base/id.ts";
import { minus, plus, type Vector, ZERO } from "../../base/vector.ts";
import type { Instance, Machine } from "../../cell/state.ts";
import { isProd } from "../../wire/band.ts";
import { LEVELS, levelOf } from "../evict/level.ts";

export class Totals {
  readonly #machines: ReadonlyMap<MachineId, Machine>;
  #capacity: number | undefined;
  #answering: Vector | undefined;
  /** Cpu that prod may use at most, and that is reserved for all. */
  prodLimit = 0;
  reserved = 0;
  /** What work may use at most, by priority. */
  readonly limits = new Map<number, Vector>();
  /** Instances above their memory limit: whoever asks may name them as victims. */
  overRam = 0;
  /** How many of each level count and are not only planned: among them are all victims there could be. */
  readonly #there = new Int32Array(LEVELS);

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

  /** What machines have that take work: they answer, and nobody drains them. */
  get answering(): Vector {
    if (this.#answering !== undefined) return this.#answering;
    this.#answering = ZERO;
    for (const { reachable, draining, place } of this.#machines.values())
      if (reachable && !draining) this.#answering = plus(this.#answering, place.capacity);
    return this.#answering;
  }

  add(instance: Instance, sign: 1 | -1): void {
    if (instance.overRam) this.overRam += sign;
    this.#note(instance, sign);
    if (isInstance(instance.place.id)) return;
    const sum = sign === 1 ? plus : minus;
    this.limits.set(instance.priority, sum(this.limits.get(instance.priority) ?? ZERO, instance.limit));
    if (isProd(instance.priority)) this.prodLimit += sign * instance.limit.cpu;
    this.reserved += sign * instance.reservation.cpu;
  }

  /** What was counted is only planned: nobody's victim. */
  planned(instance: Instance, sign: 1 | -1): void {
    this.#note(instance, sign === 1 ? -1 : 1);
  }

  /** Whether anybody could be evicted for somebody with that top level. */
  hasVictims(top: number): boolean {
    if (this.overRam > 0) return true;
    for (let level = 0; level <= top; level++) if ((this.#there[level] as number) > 0) return true;
    return false;
  }

  #note({ priority }: Instance, sign: 1 | -1): void {
    const level = levelOf(priority);
    if (level < LEVELS) this.#there[level] = (this.#there[level] as number) + sign;
  }

  /** Machines came, went or changed. */
  forgetCapacity(): void {
    this.#capacity = undefined;
    this.forgetAnswering();
  }

  /** A machine answers again or no longer, or is drained or no longer. */
  forgetAnswering(): void {
    this.#answering = undefined;
  }

  clear(): void {
    this.forgetCapacity();
    [this.prodLimit, this.reserved, this.overRam] = [0, 0, 0];
    this.limits.clear();
    this.#there.fill(0);
  }
}
