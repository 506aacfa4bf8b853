/** A new instance: where it is and what it was promised. Nothing has happened to it yet, and all of its limit is reserved. */
import { instanceId } from "../base/id.ts";
import { unitsInside } from "./device.ts";
import { newPlace } from "./place.ts";
import type { Faring, Instance } from "./state.ts";

export const FRESH: Faring = Object.freeze({
  runMs: 0,
  failures: 0,
  backOffUntilMs: 0,
  health: "unknown",
  ready: "unknown",
  wellMs: 0,
  problem: "",
});

/** What does not change as long as it lives. */
type Placing = Pick<
  Instance,
  | "task"
  | "generation"
  | "incarnation"
  | "place"
  | "priority"
  | "limit"
  | "reclaimable"
  | "noticeMs"
  | "lameDuckMs"
  | "ports"
  | "devices"
  | "scheduler"
  | "placedMs"
>;

export const faring = (now: Faring): Faring => (faresAlike(now, FRESH) ? FRESH : now);

export const faresAlike = (a: Faring, b: Faring): boolean =>
  a.runMs === b.runMs &&
  a.failures === b.failures &&
  a.backOffUntilMs === b.backOffUntilMs &&
  a.health === b.health &&
  a.ready === b.ready &&
  a.wellMs === b.wellMs &&
  a.problem === b.problem;

/** An alloc is a place of its own, for others. */
export function newInstance(placing: Placing, isAlloc: boolean): Instance {
  const { task, generation, incarnation, place, priority, limit, reclaimable, noticeMs, lameDuckMs, ports, devices } = placing;
  const { scheduler, placedMs } = placing;
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
    lameDuckMs,
    generation,
    reservation: limit,
    ports,
    devices,
    scheduler,
    placedMs,
    startedMs: 0,
    run: 0,
    faring: FRESH,
    overRam: false,
    stop: undefined,
    inside: isAlloc ? newPlace(id, place.machine, limit, { portNumbers: ports, units: unitsInside(devices) }) : undefined,
  };
}
