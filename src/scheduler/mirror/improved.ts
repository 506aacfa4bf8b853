/**
 * Which machines changed lately. Who failed to place something need not look at the whole cell again: only what changed since can
 * have become better. The log is bounded; who comes too late is told to look at everything.
 */
import type { MachineId } from "../../base/id.ts";
import { fits } from "../../base/vector.ts";
import type { Instance } from "../../cell/state.ts";

/** Entries kept; when there are more, the older half goes. */
export const CHANGES_MAX = 20_000;

export class Improved {
  #log: MachineId[] = [];
  /** The number of the first entry in the log. */
  #first = 0;
  #last: { readonly since: number; readonly now: number; readonly machines: ReadonlySet<MachineId> } | undefined;

  /** A point in time, for `since`. */
  get now(): number {
    return this.#first + this.#log.length;
  }

  add(machine: MachineId): void {
    this.#log.push(machine);
    if (this.#log.length <= CHANGES_MAX) return;
    const gone = this.#log.length - CHANGES_MAX / 2;
    this.#log = this.#log.slice(gone);
    this.#first += gone;
  }

  /** Everything may be different. */
  reset(): void {
    this.#first = this.now + 1;
    this.#log = [];
    this.#last = undefined;
  }

  /** Machines that changed since then; undefined: nobody remembers, so all may have. */
  since(then: number): ReadonlySet<MachineId> | undefined {
    if (then < this.#first) return undefined;
    const known = this.#last;
    if (known?.since === then && known.now === this.now) return known.machines;
    const machines = new Set(this.#log.slice(then - this.#first));
    this.#last = { since: then, now: this.now, machines };
    return machines;
  }
}

type Counted = Pick<Instance, "priority" | "reservation" | "overRam" | "stop">;

/** Whether what became of an instance may help somebody else: it can be evicted by others than before, it goes, or it needs less. */
export const mayHelp = (before: Counted, after: Counted): boolean =>
  before.priority !== after.priority ||
  before.overRam !== after.overRam ||
  (before.stop === undefined) !== (after.stop === undefined) ||
  !fits(before.reservation, after.reservation);
