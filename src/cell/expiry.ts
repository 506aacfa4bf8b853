/**
 * The time by which things end: quota, tokens, the keeping of dead jobs and of request ids. It is cell time, except for a while after the clock was
 * set far ahead: then it goes on from where it was. A clock may be wrong, and what has ended does not come back.
 */
import type { CellState } from "./state.ts";

/** How long nothing ends because the clock was set ahead. */
export const CLOCK_GRACE_MS = 10 * 60_000;

/** The time of expiries when cell time is `nowMs`: now, or a little later in a cell without entries. */
export const expiryAt = (state: CellState, nowMs: number): number => (nowMs < state.expiryLagUntilMs ? nowMs - state.expiryLagMs : nowMs);
