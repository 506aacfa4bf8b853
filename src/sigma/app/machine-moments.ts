/** A machine's last reports, as the page heard of them: what the cell still knows, and what the page saw before that. Pure: it knows no page. */

export interface MachineMoment {
  readonly timeMs?: number;
  readonly cpuMilli?: number;
  readonly ramBytes?: number;
  /** Absent: its machine does not tell. */
  readonly strain?: { readonly cpuWaitingPermille?: number; readonly ramUsedBytes?: number };
}

export const NO_MOMENTS: readonly MachineMoment[] = [];
/** An hour and a quarter at one in five seconds; the oldest go. */
const MOMENTS_MAX = 900;

/** With those that are new. */
export function grown(known: readonly MachineMoment[], told: readonly MachineMoment[]): readonly MachineMoment[] {
  const untilMs = known.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY;
  const fresh = told.filter(({ timeMs = 0 }) => timeMs > untilMs);
  return fresh.length === 0 ? known : [...known, ...fresh].slice(-MOMENTS_MAX);
}
