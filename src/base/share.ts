/** Dominant shares (Mesos §3.3): the largest part that somebody has of any one resource of the cell. */
import { SIZED } from "./dimension.ts";
import { amountOf, type Vector } from "./vector.ts";

/** Of what has a size, and of extras. Ports are many and cheap: nobody's share is in ports. Bandwidth counts where a cell has any. */
export function dominantShare(held: Vector, total: Vector): number {
  let most = 0;
  for (const dimension of SIZED) most = Math.max(most, part(held[dimension], total[dimension]));
  for (const { name, amount } of held.extras) most = Math.max(most, part(amount, amountOf(total, name)));
  return most;
}

/** What is gone from the cell while somebody still has it counts as all of it. */
const part = (held: number, total: number): number => (held === 0 ? 0 : total === 0 ? 1 : held / total);
