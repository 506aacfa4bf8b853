/** What a borglet changed and has not saved yet. All of it becomes one batch of records. */
import type { KeptRecord } from "../wire/gen/borg/v1/borglet_pb.ts";
import { forgottenRecord, keptRecord, type Memory, termRecord } from "./kept.ts";

export class Unsaved {
  readonly #instances = new Set<string>();
  #term = false;

  add(instance: string): void {
    this.#instances.add(instance);
  }

  addTerm(): void {
    this.#term = true;
  }

  /** False: it could not be written, and stays unsaved. */
  save(memory: Memory, write: (records: readonly KeptRecord[]) => boolean): boolean {
    if (!this.#term && this.#instances.size === 0) return true;
    const records = this.#term ? [termRecord(memory)] : [];
    for (const instance of this.#instances) {
      const kept = memory.instances.get(instance);
      records.push(kept === undefined ? forgottenRecord(instance) : keptRecord(kept));
    }
    if (!write(records)) return false;
    this.#term = false;
    this.#instances.clear();
    return true;
  }
}
