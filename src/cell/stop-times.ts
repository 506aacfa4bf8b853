/** How long an instance has between the order to stop and its end. */
import type { Instance } from "./state.ts";

/** The longest that a spec can ask for. */
export const NOTICE_MS_MAX = 86_400_000;
export const LAME_DUCK_MS_MAX = 3_600_000;

interface StopTimes {
  /** From SIGTERM to SIGKILL. */
  readonly noticeMs: number;
  /** From the order to SIGTERM. */
  readonly lameDuckMs: number;
}

/** What an instance asked for, as far as `boundMs` allows for both together: the notice goes first, because without it work is lost. */
export function stopTimes({ noticeMs, lameDuckMs }: Pick<Instance, "noticeMs" | "lameDuckMs">, boundMs: number): StopTimes {
  const granted = Math.min(noticeMs, boundMs);
  return { noticeMs: granted, lameDuckMs: Math.min(lameDuckMs, boundMs - granted) };
}
