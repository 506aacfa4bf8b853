/** A new instance: where it is and what it was promised. Nothing has happened to it yet, and all of its limit is reserved. */
import { instanceId } from "../base/id.ts";
import { unitsInside } from "./device.ts";
import type { HealthName } from "./health.ts";
import { newPlace } from "./place.ts";
import type { Checks, Failing, Instance } from "./state.ts";

const NOT_FAILING: Failing = Object.freeze({ runs: 0, backOffUntilMs: 0 });
export const NOT_CHECKED: Checks = Object.freeze({ ready: "unknown", wellMs: 0, problem: "" });

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

export const failing = (runs: number, backOffUntilMs: number): Failing =>
  runs === 0 && backOffUntilMs === 0 ? NOT_FAILING : { runs, backOffUntilMs };

export const checks = (ready: HealthName, wellMs: number, problem: string): Checks =>
  ready === "unknown" && wellMs === 0 && problem === "" ? NOT_CHECKED : { ready, wellMs, problem };

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
    runMs: 0,
    failing: NOT_FAILING,
    health: "unknown",
    checks: NOT_CHECKED,
    overRam: false,
    stop: undefined,
    inside: isAlloc ? newPlace(id, place.machine, limit, { portNumbers: ports, units: unitsInside(devices) }) : undefined,
  };
}
