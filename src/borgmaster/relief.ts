/**
 * Machines on which somebody is starved of the processor although the kernel favours whom it should: the lowest task that is not prod moves away
 * (Borg §6.2: "if the situation does not improve, tasks are removed from the machine"). One at a time, and then it is seen whether that was enough. [I5]
 */
import { compareIds } from "../base/id.ts";
import { masterOp, type Op } from "../cell/op.ts";
import type { CellState, Instance, Machine } from "../cell/state.ts";
import { isProd } from "../wire/band.ts";
import { Cause } from "../wire/gen/borg/v1/op_pb.ts";
import type { MachineUsage } from "./message.ts";

/** Starvation is told after a minute of it; so long it takes to see whether one less is enough. */
export const RELIEF_MS = 90_000;
/** Machines of which it is remembered; beyond it the oldest are forgotten, and may be relieved sooner. */
const MACHINES_MAX = 100_000;

export class Relief {
  /** Machines on which somebody is starved. */
  readonly #starving = new Set<string>();
  readonly #relievedMs = new Map<string, number>();

  learn({ machine, waiting }: MachineUsage): void {
    if (waiting.some(({ starved }) => starved)) this.#starving.add(machine);
    else this.#starving.delete(machine);
  }

  /** What one leader heard says nothing to the next. */
  clear(): void {
    this.#starving.clear();
    this.#relievedMs.clear();
  }

  tick(state: CellState, nowMs: number): Op[] {
    const ops: Op[] = [];
    for (const name of this.#starving) {
      const machine = state.machines.get(name as never);
      if (machine === undefined || nowMs - (this.#relievedMs.get(name) ?? Number.NEGATIVE_INFINITY) < RELIEF_MS) continue;
      const lowest = lowestOf(machine);
      if (lowest === undefined) continue;
      this.#remember(name, nowMs);
      ops.push(masterOp({ case: "taskEvict", value: { instances: [lowest.id], cause: Cause.OUT_OF_RESOURCES } }));
    }
    return ops;
  }

  #remember(name: string, nowMs: number): void {
    this.#relievedMs.delete(name);
    this.#relievedMs.set(name, nowMs);
    const oldest = this.#relievedMs.keys().next().value;
    if (this.#relievedMs.size > MACHINES_MAX && oldest !== undefined) this.#relievedMs.delete(oldest);
  }
}

/** Of those that use a processor: an alloc is only room. */
function lowestOf(machine: Machine): Instance | undefined {
  const movable = [...machine.place.occupants.values()].filter(
    ({ stop, inside, priority }) => stop === undefined && inside === undefined && !isProd(priority),
  );
  return movable.sort((a, b) => a.priority - b.priority || compareIds(a.id, b.id))[0];
}
