/** What a borglet knows of an instance only while it lives itself: where its process is, when it may start, its use and its health. */
import { Health } from "../wire/gen/borg/v1/machine_pb.ts";
import type { HealthWatch } from "./health.ts";
import { isEnded, type Kept } from "./kept.ts";
import type { Actual, Desired } from "./reconcile.ts";
import { UsageWindow, type Use } from "./usage.ts";

export interface Live {
  process: "none" | "launching" | "alive";
  terminated: boolean;
  killedMs: number;
  /** Since when this run was seen alive. */
  sinceMs: number;
  notBeforeMs: number;
  killAtMs: number;
  /** Its run went with a restart of the machine. */
  rebooted: boolean;
  usage: UsageWindow;
  /** The use that the master was told last. */
  told: Use | undefined;
  health: HealthWatch | undefined;
}

export const newLive = (): Live => ({
  process: "none",
  terminated: false,
  killedMs: Number.NEGATIVE_INFINITY,
  sinceMs: 0,
  notBeforeMs: 0,
  killAtMs: Number.POSITIVE_INFINITY,
  rebooted: false,
  usage: new UsageWindow(),
  told: undefined,
  health: undefined,
});

/** Nothing of a run is left; what may come next starts clean. */
export function clear(live: Live): void {
  live.process = "none";
  live.terminated = false;
  live.killedMs = Number.NEGATIVE_INFINITY;
  live.killAtMs = Number.POSITIVE_INFINITY;
  live.usage = new UsageWindow();
  live.told = undefined;
  live.health = undefined;
}

export function desiredOf(kept: Kept, live: Live): Desired {
  const { after } = kept.order;
  const { notBeforeMs, killAtMs } = live;
  if (isEnded(kept)) return { want: "nothing", after, notBeforeMs, killAtMs };
  const want = kept.phase === "starting" ? "start" : kept.phase === "stopping" ? "stop" : "run";
  return { want, after, notBeforeMs, killAtMs };
}

export function actualOf(live: Live): Actual | undefined {
  const { terminated, killedMs } = live;
  return live.process === "none" ? undefined : { process: live.process, terminated, killedMs };
}

/** Runs as it should, or has ended: only news can change that. */
export const isAtRest = (kept: Kept, live: Live): boolean =>
  isEnded(kept) ? live.process === "none" : kept.phase === "running" && live.process === "alive";

/** Not said for a task without a check, nor while it does not run. */
export const healthOf = (kept: Kept, live: Live): Health =>
  kept.phase === "running" && live.process === "alive" && live.health !== undefined ? live.health.health : Health.UNSPECIFIED;
