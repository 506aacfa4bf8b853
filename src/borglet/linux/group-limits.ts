/** From an order to control groups: where a task's group is, and what the kernel holds it to. */
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { diskBound, ramBound } from "../bounds.ts";
import { coresAsked } from "../cores.ts";
import { keyOf } from "../instance-key.ts";
import type { Limits } from "../notice.ts";
import { isLatencySensitive } from "../out-of-resources.ts";
import { type Band, bandOf, type GroupLimits, type GroupPlace } from "./cgroup.ts";

/** What a machine has for its tasks. */
export interface Capacity {
  readonly cpuMilli: number;
  readonly ramBytes: number;
  readonly diskBytes: number;
}

/** `ramBytes` and `diskBytes` are its limits, whoever holds it to them. */
export interface TaskLimits extends Limits {
  readonly group: GroupLimits;
  /** Of all tasks in its alloc together; absent: it is in none. */
  readonly alloc?: GroupLimits;
  /** Processors that it reserves; 0: none. */
  readonly cores: number;
}

/** Whom the kernel kills first when the whole machine is out of memory; the borglet itself has 0. */
export const OOM_SCORES: Readonly<Record<Band, number>> = { prod: 200, batch: 600, free: 900 };

/** Inside an alloc a task is in the alloc's band: what they share is bounded once. */
export const placeOf = ({ instance, priority, alloc, allocLimit, allocPriority }: StartOrder): GroupPlace => {
  const isInside = alloc !== "" && allocLimit !== undefined;
  return { key: keyOf(instance), band: bandOf(isInside ? allocPriority : priority), alloc: isInside ? keyOf(alloc) : "" };
};

export function limitsOf(order: StartOrder | undefined, capacity: Capacity): TaskLimits {
  const { limit, slackRam = false, holdCpu = false, wholeCores = false } = order?.task ?? {};
  const ramBytes = ramBound(limit?.ramBytes ?? 0, capacity.ramBytes);
  const isSensitive = order !== undefined && isLatencySensitive(order.appClass, order.priority);
  const group = {
    cpuMilli: limit?.cpuMilli ?? 0,
    ramBytes: slackRam ? Number.POSITIVE_INFINITY : ramBytes,
    isLatencySensitive: isSensitive,
    diskBandwidth: limit?.diskBandwidth ?? 0,
    // A limit that was not given holds nobody.
    holdCpu: holdCpu && (limit?.cpuMilli ?? 0) > 0,
  };
  const cores = isSensitive ? coresAsked(wholeCores, group.cpuMilli) : 0;
  const sharedBytes = diskBound(order?.allocLimit?.diskBytes ?? 0, capacity.diskBytes);
  const alloc = order === undefined ? undefined : allocLimitsOf(order);
  const bytes = { ramBytes, diskBytes: diskBound(limit?.diskBytes ?? 0, capacity.diskBytes), sharedBytes };
  return { ...bytes, group, cores, ...(alloc === undefined ? {} : { alloc }) };
}

/** Of all tasks in its alloc together. */
export function allocLimitsOf({ allocLimit, allocPriority }: StartOrder): GroupLimits | undefined {
  if (allocLimit === undefined) return undefined;
  const { cpuMilli, ramBytes, diskBandwidth } = allocLimit;
  return { cpuMilli, ramBytes: ramBytes || Number.POSITIVE_INFINITY, isLatencySensitive: bandOf(allocPriority) === "prod", diskBandwidth };
}
