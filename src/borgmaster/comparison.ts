/** What the follower's copy is compared with. A large cell is compared slice by slice, one at a time, so that no step is long. */
import type { NewHash } from "../base/sha256.ts";
import { stateHash } from "../cell/checkpoint/checkpoint.ts";
import type { CellState } from "../cell/state.ts";
import type { ToFollower } from "./message.ts";

/** Machines, jobs and tasks whose hash is compared with the follower's in one turn: a few milliseconds. */
const COMPARED_AT_ONCE = 500;

/** `count`: of comparisons so far. */
export function comparisonOf(state: CellState, count: number, { newHash }: { readonly newHash: NewHash }): ToFollower {
  const size = state.machines.size + state.jobs.size + state.taskCount;
  const of = Math.ceil(size / COMPARED_AT_ONCE);
  const slice = { index: count % of, of };
  return { type: "compare", position: state.position, slice, hash: stateHash(state, slice, newHash) };
}
