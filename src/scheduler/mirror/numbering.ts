/** Machines, racks and power domains by number, so that a search can ask where a job's tasks are without going to a machine's record. */
import { compareIds } from "../../base/id.ts";
import type { Machine } from "../../cell/state.ts";

export interface Numbers {
  readonly machine: number;
  /** Less than zero: in none. */
  readonly rack: number;
  readonly power: number;
  /** Its place among all machines by their names, while those are in order. */
  slot: number;
}

export class Numbering {
  readonly #known = new Map<Machine, Numbers>();
  readonly #racks = new Map<string, number>();
  readonly #powers = new Map<string, number>();
  #next = 0;

  of(machine: Machine): Numbers {
    return this.#known.get(machine) ?? this.#set(machine, this.#next++, -1);
  }

  /** Its facts changed: it may be in another rack now. */
  renew(machine: Machine): Numbers {
    const known = this.of(machine);
    return this.#set(machine, known.machine, known.slot);
  }

  #set(machine: Machine, number: number, slot: number): Numbers {
    const { attributes } = machine;
    const rack = numberOf(this.#racks, attributes.get("rack"));
    const power = numberOf(this.#powers, attributes.get("power"));
    const numbers = { machine: number, rack, power, slot };
    this.#known.set(machine, numbers);
    return numbers;
  }

  /** All machines by their names, beginning at a part of them; each learns its slot. */
  order(machines: Iterable<Machine>, start: number): readonly Machine[] {
    const named = [...machines].sort((a, b) => compareIds(a.id, b.id));
    const first = Math.floor(named.length * start);
    const ordered = [...named.slice(first), ...named.slice(0, first)];
    for (const [slot, machine] of ordered.entries()) this.of(machine).slot = slot;
    return ordered;
  }

  /** It left. */
  forget(machine: Machine): void {
    this.#known.delete(machine);
  }

  clear(): void {
    for (const known of [this.#known, this.#racks, this.#powers]) known.clear();
    this.#next = 0;
  }
}

function numberOf(numbers: Map<string, number>, name: string | undefined): number {
  if (name === undefined) return -1;
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
