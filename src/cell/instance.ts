/** A new instance: where it is and what it was promised. Nothing has happened to it yet, and all of its limit is reserved. */
import { instanceId } from "../base/id.ts";
import { newPlace } from "./place.ts";
import type { Failing, Instance } from "./state.ts";

const NOT_FAILING: Failing = Object.freeze({ runs: 0, backOffUntilMs: 0 });

/** What does not change as long as it lives. */
type Placing = Pick<
  Instance,
  "task" | "generation" | "incarnation" | "place" | "priority" | "limit" | "reclaimable" | "noticeMs" | "ports" | "scheduler" | "placedMs"
>;

export const failing = (runs: number, backOffUntilMs: number): Failing =>
  runs === 0 && backOffUntilMs === 0 ? NOT_FAILING : { runs, backOffUntilMs };

/** An alloc is a place of its own, for others. */
export function newInstance(placing: Placing, isAlloc: boolean): Instance {
  const { task, generation, incarnation, place, priority, limit, reclaimable, noticeMs, ports, scheduler, placedMs } = placing;
  const id = instanceId(task.id, incarnation);
  return {
    id,
    task,
    incarnation,
    place,
    priority,
    limit,
    reclaimable,
    noticeMs,
    generation,
    reservation: limit,
    ports,
    scheduler,
    placedMs,
    startedMs: 0,
    run: 0,
    runMs: 0,
    failing: NOT_FAILING,
    health: "unknown",
    overRam: false,
    stop: undefined,
    inside: isAlloc ? newPlace(id, place.machine, limit, ports) : undefined,
  };
}
