/** Why a task is where it is. The first five are Borg's eviction causes (Figure 3). */
import { Cause as WireCause } from "../wire/gen/borg/v1/op_pb.ts";

export type Cause =
  | "preemption"
  | "out-of-resources"
  | "machine-failure"
  | "machine-shutdown"
  | "other"
  | "failed"
  | "killed"
  | "lost"
  | "finished"
  | "restart"
  | "submitted"
  | "placed"
  | "started"
  | "machine-restart";

const WIRE: Readonly<Record<Cause, WireCause>> = {
  preemption: WireCause.PREEMPTION,
  "out-of-resources": WireCause.OUT_OF_RESOURCES,
  "machine-failure": WireCause.MACHINE_FAILURE,
  "machine-shutdown": WireCause.MACHINE_SHUTDOWN,
  other: WireCause.OTHER,
  failed: WireCause.FAILED,
  killed: WireCause.KILLED,
  lost: WireCause.LOST,
  finished: WireCause.FINISHED,
  restart: WireCause.RESTART,
  submitted: WireCause.SUBMITTED,
  placed: WireCause.PLACED,
  started: WireCause.STARTED,
  "machine-restart": WireCause.MACHINE_RESTART,
};

const NAMES: ReadonlyMap<WireCause, Cause> = new Map((Object.keys(WIRE) as Cause[]).map((name) => [WIRE[name], name]));

export const wireCause = (cause: Cause): WireCause => WIRE[cause];

export const causeOf = (wire: WireCause): Cause | undefined => NAMES.get(wire);
