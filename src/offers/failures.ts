/**
 * Which machines frameworks are told to be lost: each once, when what was on it is given up, or when it leaves the cell. While one only does not answer its
 * tasks may go on, and nothing is said (Mesos removes an agent after its health checks, and says FAILURE then).
 */
import type { MachineId } from "../base/id.ts";
import type { CellState } from "../cell/state.ts";
import type { Touched } from "../cell/touched.ts";

export class Failures {
  /** Instances are given up one by one, a few at a time: only the first of a machine is told. */
  readonly #told = new Set<MachineId>();

  /** Those that an entry showed to be lost. */
  of(state: CellState, touched: Touched): readonly MachineId[] {
    const failed: MachineId[] = [];
    for (const id of givenUp(state, touched)) {
      if (!this.#told.has(id)) failed.push(id);
      this.#told.add(id);
    }
    for (const id of touched.machines) {
      const machine = state.machines.get(id);
      if (machine !== undefined && !machine.reachable) continue;
      const wasTold = this.#told.delete(id);
      if (machine === undefined && !wasTold) failed.push(id);
    }
    return failed;
  }
}

function givenUp(state: CellState, { tasks }: Touched): ReadonlySet<MachineId> {
  const found = new Set<MachineId>();
  for (const [job, indexes] of tasks) {
    const known = state.jobs.get(job)?.tasks ?? [];
    for (const index of indexes) {
      const task = known[index];
      // Of this very entry: what was lost before is still said of the task when something else of it changes.
      if (task?.cause !== "lost" || task.sinceMs !== state.timeMs || task.past.last === undefined) continue;
      if (state.machines.get(task.past.last.machine)?.reachable === false) found.add(task.past.last.machine);
    }
  }
  return found;
}
