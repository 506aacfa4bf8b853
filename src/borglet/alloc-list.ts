/** Allocs that have a directory on the machine, which its borglet tells in every report: the master says which of them go. */
import { compareIds } from "../base/id.ts";
import type { Memory } from "./kept.ts";
import type { BorgletMachine } from "./machine.ts";

export class AllocList {
  readonly #machine: BorgletMachine;
  readonly #names = new Set<string>();

  constructor(machine: BorgletMachine) {
    this.#machine = machine;
  }

  start(): void {
    for (const alloc of this.#machine.allocs()) this.#names.add(alloc);
  }

  get names(): string[] {
    return [...this.#names].sort(compareIds);
  }

  /** A task of it is about to be started, and makes its directory. Empty: it is in none. */
  add(alloc: string): void {
    if (alloc !== "") this.#names.add(alloc);
  }

  /** What is to be done about an order to drop it: nothing when it is gone, or while something of it is kept, which is told first. */
  drop(alloc: string, { instances }: Memory): (() => void)[] {
    if (!this.#names.has(alloc) || [...instances.values()].some(({ order }) => order.alloc === alloc || order.directory === alloc))
      return [];
    this.#names.delete(alloc);
    return [() => this.#machine.dropAlloc(alloc)];
  }
}
