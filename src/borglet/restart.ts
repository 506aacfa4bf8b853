/** What follows the end of a run on its machine: restart in place under the policy, or a word to the master. */
import { exitWords } from "../base/exit-words.ts";
import { RestartWhen } from "../wire/gen/borg/v1/spec_pb.ts";
import { isFatalExit, isOkExit } from "../wire/restart-exits.ts";
import { RESTART_DEFAULTS } from "../wire/spec-defaults.ts";
import { type Kept, MESSAGE_LENGTH_MAX } from "./kept.ts";
import type { Live } from "./live.ts";
import type { Exit } from "./machine.ts";
import { OVER_LIMIT } from "./usage.ts";

/** A run that lived this long was no failed start: the row of failures begins anew. */
export const CALM_MS = 600_000;

/** Settles a run that ended: the kept instance gets its next phase, its exit and the words for it. */
export function settle(kept: Kept, exit: Exit, message: string, livedMs: number): void {
  kept.exit = exit;
  kept.rebooted = false;
  if (kept.phase === "stopping" && (kept.condemned === "" || kept.evicted)) {
    goes(kept);
    return;
  }
  if (livedMs >= CALM_MS) kept.failures = 0;
  const end = endOf(kept, exit, message);
  const words = (kept.condemned || message || exitWords(exit.code, exit.signal)).slice(0, MESSAGE_LENGTH_MAX);
  kept.condemned = "";
  kept.message = end === "well" ? message : words;
  kept.phase = nextPhase(kept, end);
  if (kept.phase === "failed" && end === "badly" && kept.failures > 1)
    kept.message = `Failed ${kept.failures} times on this machine; last: ${words}`.slice(0, MESSAGE_LENGTH_MAX);
}

/** It is gone, because somebody ordered it or because its machine ran out of something. */
export function goes(kept: Kept): void {
  kept.phase = "gone";
  if (kept.evicted) kept.message = kept.condemned.slice(0, MESSAGE_LENGTH_MAX);
  kept.condemned = "";
}

/** Who was ended by others, or has words of the machine beside its code, says nothing with that code. */
function endOf(kept: Kept, exit: Exit, message: string): "well" | "badly" | "for good" {
  if (kept.condemned !== "" || exit.signal !== 0) return "badly";
  const policy = kept.order.restart;
  const ended = { ...exit, message };
  if (isFatalExit(policy, ended)) return "for good";
  return exit.code === 0 || isOkExit(policy, ended) ? "well" : "badly";
}

function nextPhase(kept: Kept, end: "well" | "badly" | "for good"): "starting" | "finished" | "failed" {
  const policy = kept.order.restart;
  const when = policy?.when ?? RestartWhen.UNSPECIFIED;
  const well = end === "well";
  if (well && when !== RestartWhen.ALWAYS) return "finished";
  if (!well) kept.failures += 1;
  if (when === RestartWhen.NEVER || end === "for good") return "failed";
  return !well && kept.failures > (policy?.inPlaceMax ?? RESTART_DEFAULTS.inPlaceMax) ? "failed" : "starting";
}

/** The back-off before the next start. Who took more than its limit waits at least as long as by default: a policy cannot make its machine start it in a tight loop. */
export function startsAfterMs(kept: Kept): number {
  const { backoffMinMs, backoffMaxMs } = RESTART_DEFAULTS;
  const least = kept.message.startsWith(OVER_LIMIT) ? { minMs: backoffMinMs, maxMs: backoffMaxMs } : { minMs: 0, maxMs: 0 };
  const minMs = Math.max(least.minMs, kept.order.restart?.backoffMinMs || backoffMinMs);
  const maxMs = Math.max(least.maxMs, minMs, kept.order.restart?.backoffMaxMs || backoffMaxMs);
  return Math.min(maxMs, minMs * 2 ** Math.min(20, Math.max(0, kept.failures - 1)));
}

/** Nothing is left of it, and nobody saw it end: that is not its fault, so it does not count as a failure. */
export function again(kept: Kept, live: Live, nowMs: number): void {
  kept.phase = "starting";
  kept.condemned = "";
  kept.rebooted = live.rebooted;
  live.rebooted = false;
  live.notBeforeMs = nowMs;
}

/** As the shim says it when it could not start the task's program. */
const CANNOT_START: Exit = { code: 125, signal: 0 };

/** What its run needs cannot be had: it counts as a run that failed. */
export function notBegun(kept: Kept, live: Live, reason: string, nowMs: number): void {
  kept.run += 1;
  settle(kept, CANNOT_START, `Cannot start: ${reason}`, 0);
  live.notBeforeMs = nowMs + startsAfterMs(kept);
}
