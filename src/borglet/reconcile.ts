/**
 * What has to be done so that a machine becomes what it should be: compares what is wanted of each instance with what is there of it.
 * Pure: the same two at the same time always give the same actions, and doing them twice does no harm. It never starts what is there,
 * never starts before those it comes after are gone, and never stops what is wanted. [B1]
 */

/** `run`: its start was tried. `nothing`: it has ended. */
export type Want = "start" | "run" | "stop" | "nothing";

export interface Desired {
  readonly want: Want;
  /** Not before these are gone from the machine. */
  readonly after: readonly string[];
  readonly notBeforeMs: number;
  /** When one that stops gets its SIGTERM, and when its notice is over. */
  readonly terminateAtMs: number;
  readonly killAtMs: number;
}

export interface Actual {
  readonly process: "launching" | "alive";
  /** Had its SIGTERM. */
  readonly terminated: boolean;
  /** When it last had its SIGKILL; minus infinity: never. */
  readonly killedMs: number;
}

export type Action =
  | { readonly type: "start"; readonly instance: string }
  | { readonly type: "terminate"; readonly instance: string }
  | { readonly type: "kill"; readonly instance: string }
  /** Nothing is left of one that was told to stop. */
  | { readonly type: "gone"; readonly instance: string }
  /** Nothing is left of one that should run, and nobody said why. */
  | { readonly type: "vanished"; readonly instance: string };

export interface Steps {
  readonly actions: readonly Action[];
  /** When to look again though nothing was heard; infinity: never. */
  readonly wakeMs: number;
}

/** A process that did not go at its SIGKILL (it hangs in the kernel, or forked meanwhile) gets another after this. */
export const KILL_AGAIN_MS = 250;
/** Processes on their way at a time; further starts wait for one of them, so that a machine full of new tasks still answers its master. */
export const LAUNCHING_MAX = 32;

export function reconcile(desired: ReadonlyMap<string, Desired>, actual: ReadonlyMap<string, Actual>, nowMs: number): Steps {
  const actions: Action[] = [];
  const starts = new Map<string, Action>();
  let wakeMs = Number.POSITIVE_INFINITY;
  const kill = (instance: string, seen: Actual): void => {
    if (nowMs - seen.killedMs >= KILL_AGAIN_MS) actions.push({ type: "kill", instance });
    wakeMs = Math.min(wakeMs, Math.max(nowMs, seen.killedMs) + KILL_AGAIN_MS);
  };
  for (const [instance, seen] of actual) {
    const wanted = desired.get(instance);
    if (wanted === undefined || wanted.want === "nothing") kill(instance, seen);
    else if (wanted.want === "stop" && nowMs >= wanted.killAtMs) kill(instance, seen);
    else if (wanted.want === "stop") {
      const isDue = nowMs >= wanted.terminateAtMs;
      if (isDue && !seen.terminated && seen.process === "alive") actions.push({ type: "terminate", instance });
      wakeMs = Math.min(wakeMs, isDue ? wanted.killAtMs : wanted.terminateAtMs);
    }
  }
  let room = LAUNCHING_MAX;
  for (const seen of actual.values()) if (seen.process === "launching") room -= 1;
  for (const [instance, wanted] of desired) {
    if (actual.has(instance)) continue;
    if (wanted.want === "stop") actions.push({ type: "gone", instance });
    else if (wanted.want === "run") actions.push({ type: "vanished", instance });
    else if (wanted.want === "start" && nowMs < wanted.notBeforeMs) wakeMs = Math.min(wakeMs, wanted.notBeforeMs);
    else if (wanted.want !== "start" || starts.size >= room) continue;
    else if (!wanted.after.some((other) => other !== instance && (actual.has(other) || starts.has(other))))
      starts.set(instance, { type: "start", instance });
  }
  return { actions: [...actions, ...starts.values()], wakeMs };
}
