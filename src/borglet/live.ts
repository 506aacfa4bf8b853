/** What a borglet knows of an instance only while it lives itself: where its process is, when it may start, its use and its health. */
import { taskOf } from "../base/id.ts";
import { Health, type StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { executorFor } from "./executor.ts";
import type { HealthWatch } from "./health.ts";
import { isEnded, type Kept } from "./kept.ts";
import type { Actual, Desired } from "./reconcile.ts";
import { Starvation } from "./starvation.ts";
import { UsageWindow, type Use } from "./usage.ts";

export interface Live {
  process: "none" | "launching" | "alive";
  terminated: boolean;
  killedMs: number;
  /** Since when this run was seen alive. */
  sinceMs: number;
  notBeforeMs: number;
  terminateAtMs: number;
  killAtMs: number;
  /** Its run went with a restart of the machine. */
  rebooted: boolean;
  usage: UsageWindow;
  starvation: Starvation;
  /** The use that the master was told last. */
  told: Use | undefined;
  health: HealthWatch | undefined;
  ready: HealthWatch | undefined;
}

export const newLive = (): Live => ({
  process: "none",
  terminated: false,
  killedMs: Number.NEGATIVE_INFINITY,
  sinceMs: 0,
  notBeforeMs: 0,
  terminateAtMs: Number.POSITIVE_INFINITY,
  killAtMs: Number.POSITIVE_INFINITY,
  rebooted: false,
  usage: new UsageWindow(),
  starvation: new Starvation(),
  told: undefined,
  health: undefined,
  ready: undefined,
});

/**
 * Whoever writes into a volume starts only when every earlier instance of its task has gone from here: one that was given up, because its machine did not
 * answer for long, may still write.
 */
export function afterItself(order: StartOrder, here: Iterable<string>): StartOrder {
  if ((order.task?.volumes.length ?? 0) === 0) return order;
  const earlier = [...here].filter((other) => other !== order.instance && taskOf(other) === taskOf(order.instance));
  return earlier.length === 0 ? order : { ...order, after: [...new Set([...order.after, ...earlier])] };
}

/** Nothing of a run is left; what may come next starts clean. */
export function clear(live: Live): void {
  live.process = "none";
  live.terminated = false;
  live.killedMs = Number.NEGATIVE_INFINITY;
  live.terminateAtMs = Number.POSITIVE_INFINITY;
  live.killAtMs = Number.POSITIVE_INFINITY;
  live.usage = new UsageWindow();
  live.starvation = new Starvation();
  live.told = undefined;
  live.health = undefined;
  live.ready = undefined;
}

/** From now on it stops. Of several orders the earliest end counts, and what was begun goes on. */
export function stopsFrom(live: Live, nowMs: number, { lameDuckMs, noticeMs }: Pick<Kept, "lameDuckMs" | "noticeMs">): void {
  live.terminateAtMs = Math.min(live.terminateAtMs, nowMs + lameDuckMs);
  live.killAtMs = Math.min(live.killAtMs, nowMs + lameDuckMs + noticeMs);
}

export function desiredOf(kept: Kept, live: Live): Desired {
  const { after } = kept.order;
  const { notBeforeMs, terminateAtMs, killAtMs } = live;
  if (isEnded(kept)) return { want: "nothing", after, notBeforeMs, terminateAtMs, killAtMs };
  const want = kept.phase === "starting" ? "start" : kept.phase === "stopping" ? "stop" : "run";
  return { want, after, notBeforeMs, terminateAtMs, killAtMs };
}

/** An executor may take its time with a task; that keeps nobody else from starting. */
export function actualOf(live: Live, order: StartOrder | undefined): Actual | undefined {
  const { terminated, killedMs } = live;
  if (live.process === "none") return undefined;
  const isInside = order !== undefined && executorFor(order) !== "";
  return { process: isInside ? "alive" : live.process, terminated, killedMs };
}

/** Runs as it should, or has ended: only news can change that. */
export const isAtRest = (kept: Kept, live: Live): boolean =>
  isEnded(kept) ? live.process === "none" : kept.phase === "running" && live.process === "alive";

interface Said {
  readonly health: Health;
  readonly ready: Health;
  readonly problem: string;
}

const NOTHING_SAID: Said = { health: Health.UNSPECIFIED, ready: Health.UNSPECIFIED, problem: "" };

/** What its checks say: nothing of a task without, nor while it does not run. */
export function saidOf(kept: Kept, live: Live): Said {
  if (kept.phase !== "running" || live.process !== "alive") return NOTHING_SAID;
  const { health, ready } = live;
  return {
    health: health?.health ?? Health.UNSPECIFIED,
    ready: ready?.health ?? Health.UNSPECIFIED,
    problem: health?.problem || ready?.problem || "",
  };
}
