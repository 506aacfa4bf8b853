/** Machines that would take a task of a job that wants no two on one machine: counted, not scored. Ports that are held by number are not looked at. */
import type { Tally } from "../mirror/tally.ts";
import { BLOCK } from "./blocks.ts";
import type { Need } from "./feasible.ts";
import type { Slots } from "./slots.ts";
import type { Verdict } from "./traits.ts";

/** What is asked for, and the column of the room for it. */
interface Asked {
  readonly column: number;
  readonly amount: number;
}

export class Openings {
  readonly slots: Slots;
  readonly #need: Need;
  readonly #tally: Tally;
  readonly #limit: readonly number[];
  readonly #asks: readonly Asked[];
  readonly #impossible: boolean;
  readonly #verdict: Verdict | undefined;

  constructor(slots: Slots, need: Need, tally: Tally) {
    this.slots = slots;
    this.#need = need;
    this.#tally = tally;
    const { dimensions, traits, view } = slots;
    this.#impossible = !dimensions.knows(need.limit);
    this.#limit = dimensions.amounts(need.limit);
    this.#asks = this.#limit.flatMap((amount, d) => (amount > 0 ? [{ column: view.roomColumn(d), amount }] : []));
    this.#verdict = traits.verdict(need.constraints);
  }

  /** How many machines take work, and how many of these would take a task while they are empty. */
  countEmpty(): { readonly open: number; readonly able: number } {
    const { shapes, places, shapeOf } = this.slots;
    this.slots.flush();
    const takes = shapes.map(({ capacity }) => this.#limit.every((amount, d) => amount <= (capacity[d] as number)));
    let [open, able] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      if (this.slots.isClosed(i)) continue;
      open += 1;
      if (!this.#impossible && takes[shapeOf[i] as number] === true && this.#meets(i)) able += 1;
    }
    return { open, able };
  }

  /** How many machines would take a task now. */
  count(): number {
    this.slots.flush();
    const { blocks } = this.slots;
    let open = 0;
    for (let b = 0; b < blocks.size; b++) {
      if (!this.mayOpen(b)) continue;
      const to = b * BLOCK + (blocks.counts[b] as number);
      for (let k = b * BLOCK; k < to; k++) if (this.isOpen(blocks.members[k] as number)) open += 1;
    }
    return open;
  }

  /** Whether a block may have a machine with room. */
  mayOpen(b: number): boolean {
    const { bounds, width } = this.slots.view;
    return !this.#impossible && this.#hasRoom(bounds, b * width);
  }

  isOpen(i: number): boolean {
    if (this.#impossible || !this.#hasRoom(this.slots.view.rows, this.#rowOf(i)) || !this.#meets(i)) return false;
    return !isTaken(this.slots, this.#need, this.#tally, i, this.#tally.onMachine(this.slots.machineOf[i] as number));
  }

  /** Whether there is room beside what is kept for others, by column. */
  isBeside(i: number, kept: Float64Array): boolean {
    const { rows } = this.slots.view;
    const row = this.#rowOf(i);
    return this.#asks.every(({ column, amount }) => (rows[row + column] as number) - (kept[column] as number) >= amount);
  }

  /** Adds what a task asks for to what is kept. */
  keep(kept: Float64Array): void {
    for (const { column, amount } of this.#asks) kept[column] = (kept[column] as number) + amount;
  }

  #meets(i: number): boolean {
    return this.#verdict === undefined || (this.#verdict[this.slots.traitOf[i] as number] as number) >= 0;
  }

  #rowOf(i: number): number {
    return (this.slots.blocks.rowOf[i] as number) * this.slots.view.width;
  }

  #hasRoom(rows: Float64Array, row: number): boolean {
    for (let k = 0; k < this.#asks.length; k++) {
      const { column, amount } = this.#asks[k] as Asked;
      if ((rows[row + column] as number) < amount) return false;
    }
    return true;
  }
}

/** Whether a task of the job is where no other of it may be. `here`: how many are on the machine. */
export function isTaken({ rackOf, powerOf }: Slots, { domain }: Need, tally: Tally, i: number, here: number): boolean {
  if (domain === undefined || here > 0) return here > 0;
  return (domain === "rack" ? tally.inRack(rackOf[i] as number) : tally.inPower(powerOf[i] as number)) > 0;
}
