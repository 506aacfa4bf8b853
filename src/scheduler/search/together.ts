/**
 * How many machines are left for each of several jobs that want no two tasks on one machine, when those before it are given theirs: one walk over the
 * machines that keeps room for every job in turn. Counted one by one, each of them would be promised the same machines.
 */
import { BLOCK } from "./blocks.ts";
import type { Openings } from "./openings.ts";

export interface Wish {
  readonly openings: Openings;
  /** How many machines it wants. */
  readonly wanted: number;
}

/** Machines with room for one task of a wish: of all, and beside what is kept for the wishes before it. */
export interface Room {
  readonly alone: number;
  readonly beside: number;
}

/** By wish. All are of one set of places; machines are asked in the order of their names, so that the answer depends on nothing else. */
export function countTogether(wishes: readonly Wish[]): readonly Room[] {
  const rooms = wishes.map(() => ({ alone: 0, beside: 0 }));
  const slots = wishes[0]?.openings.slots;
  if (slots === undefined) return rooms;
  slots.flush();
  const { rowOf, size } = slots.blocks;
  const mayOpen = new Uint8Array(size * wishes.length);
  for (let b = 0; b < size; b++)
    for (const [w, { openings }] of wishes.entries()) if (openings.mayOpen(b)) mayOpen[b * wishes.length + w] = 1;
  const kept = new Float64Array(slots.view.width);
  for (let i = 0; i < slots.places.length; i++) {
    const block = Math.floor((rowOf[i] as number) / BLOCK) * wishes.length;
    kept.fill(0);
    for (let w = 0; w < wishes.length; w++) {
      if (mayOpen[block + w] === 0) continue;
      const { openings, wanted } = wishes[w] as Wish;
      if (!openings.isOpen(i)) continue;
      const room = rooms[w] as { alone: number; beside: number };
      room.alone += 1;
      if (!openings.isBeside(i, kept)) continue;
      room.beside += 1;
      if (room.beside <= wanted) openings.keep(kept);
    }
  }
  return rooms;
}
