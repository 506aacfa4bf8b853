/** The names of all jobs in their order, kept as jobs come and go, so that a page of a list costs what it shows and not a sort of the whole cell. */
import { compareIds, type JobId } from "../../base/id.ts";
import type { CellState } from "../../cell/state.ts";

export class JobNames {
  #names: JobId[] = [];

  reset(state: CellState): void {
    this.#names = [...state.jobs.keys()].sort(compareIds);
  }

  /** A job may have come or gone. */
  touched(state: CellState, id: JobId): void {
    const at = this.#firstFrom(id);
    const isListed = this.#names[at] === id;
    if (isListed === state.jobs.has(id)) return;
    if (isListed) this.#names.splice(at, 1);
    else this.#names.splice(at, 0, id);
  }

  /** Names after this one; all of them after the empty one. */
  *after(name: string): Generator<JobId> {
    const at = this.#firstFrom(name);
    for (let i = this.#names[at] === name ? at + 1 : at; i < this.#names.length; i++) yield this.#names[i] as JobId;
  }

  #firstFrom(name: string): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareIds(this.#names[middle] as JobId, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
