/**
 * Whether an instance counts as ready, and since when. Names, waiting commands and updates all ask here, so that they never disagree: an instance is ready
 * when it runs, its machine answers, nobody stops it, and every check that its spec declares is good.
 */
import type { TaskSpec } from "../wire/gen/borg/v1/spec_pb.ts";
import { specOf } from "./generation.ts";
import type { Instance } from "./state.ts";

type Declared = Pick<TaskSpec, "health" | "ready">;

const NOTHING: Declared = {};

/** The checks of the spec that an instance runs. */
export function declaredOf(instance: Instance): Declared {
  const spec = specOf(instance);
  return spec.kind === "job" ? (spec.job.task ?? NOTHING) : NOTHING;
}

/** 0: it is not ready. */
export function readySinceMs(instance: Instance): number {
  const { task, place, stop, faring, startedMs, placedMs } = instance;
  if (task.state !== "running" || stop !== undefined || faring.backOffUntilMs > 0 || !place.machine.reachable) return 0;
  // An alloc has no process that could be asked.
  if (instance.inside !== undefined) return placedMs;
  const { health, ready } = declaredOf(instance);
  if (ready !== undefined) return faring.wellMs;
  if (health !== undefined && faring.health !== "good") return 0;
  return faring.wellMs || faring.runMs || startedMs;
}

export const isReady = (instance: Instance): boolean => readySinceMs(instance) > 0;

/** Ready without a break for so long: what a gate waits for. */
export function isReadyFor(instance: Instance, forMs: number, nowMs: number): boolean {
  const sinceMs = readySinceMs(instance);
  return sinceMs > 0 && nowMs - sinceMs >= forMs;
}
