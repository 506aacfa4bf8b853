/**
 * A borglet's full report against what the cell knows of its machine: the differences, which become one op, and the orders that would make
 * the machine what it should be. Pure: the same two always give the same. It is done anew at every report, so nothing is lost. [B3]
 */
import type { InstanceId } from "../../base/id.ts";
import { sizesOf } from "../../cell/amounts.ts";
import { taskSpecOf } from "../../cell/spec.ts";
import { make } from "../../wire/codec.ts";
import {
  Health,
  type InstanceReport,
  InstanceReportSchema,
  type Order,
  OrderSchema,
  Phase,
  type Report,
} from "../../wire/gen/borg/v1/machine_pb.ts";
import type { CellConfig } from "../../wire/gen/borg/v1/op_pb.ts";
import { TaskState } from "../../wire/gen/borg/v1/record_pb.ts";
import { type RestartPolicy, RestartPolicySchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import { NOTICE_MS_DEFAULT, RESTART_DEFAULTS } from "../../wire/spec-defaults.ts";
import { type Desired, isStarting, isStopping, type Wanted } from "./desired.ts";

/** What the cell does not know yet. */
export function differences(wanted: ReadonlyMap<InstanceId, Wanted>, report: Report): InstanceReport[] {
  const told = new Map(report.instances.map((instance) => [instance.instance, instance]));
  const found: InstanceReport[] = [];
  for (const each of wanted.values()) {
    const instance = told.get(each.id);
    if (instance === undefined) {
      // It was there or must go, and the machine has nothing of it. One that only should start gets its order again.
      if (!isStarting(each)) found.push(make(InstanceReportSchema, { instance: each.id, phase: Phase.GONE }));
    } else if (isNews(each, instance)) {
      found.push(instance);
    }
  }
  return found;
}

const isNews = (wanted: Wanted, told: InstanceReport): boolean => newsOf(wanted, told) !== undefined;

/** The most important that a report says of an instance and the cell does not know. `run`: another run, or a back-off between two. */
export function newsOf({ state, record }: Wanted, told: InstanceReport): "state" | "run" | "health" | "ready" | undefined {
  if (told.phase === Phase.FINISHED || told.phase === Phase.FAILED || told.phase === Phase.GONE) return "state";
  if (told.phase === Phase.RUNNING && state === TaskState.STARTING) return "state";
  if (told.overRam !== record.overRam) return "state";
  const [waits, waited] = [told.backoffMs > 0, record.backoffUntilMs > 0];
  if (told.run > record.run || (waits && !waited) || (waited && told.phase === Phase.RUNNING)) return "run";
  if (told.health !== Health.UNSPECIFIED && told.health !== record.health) return "health";
  // A record does not say what is not known.
  return told.ready !== Health.UNSPECIFIED && told.ready !== (record.ready || Health.UNKNOWN) ? "ready" : undefined;
}

/** Whether there are any orders, without making them. */
export function hasOrders(desired: Desired, machine: string, report: Report | undefined): boolean {
  const wanted = desired.on(machine as never);
  const told = new Set<string>();
  for (const each of report?.instances ?? []) {
    const known = wanted.get(each.instance as InstanceId);
    if (known === undefined || isHeldOtherwise(desired, known, each)) return true;
    told.add(each.instance);
  }
  for (const each of wanted.values()) if (isStopping(each) || (isStarting(each) && !told.has(each.id))) return true;
  return leftAllocs(desired, machine, report).length > 0;
}

/** Allocs that have a directory on the machine, and are no more; those whose directories are kept aside. */
const leftAllocs = (desired: Desired, machine: string, report: Report | undefined): readonly string[] =>
  (report?.allocs ?? []).filter((alloc) => !desired.hasAlloc(machine, alloc) && !desired.keeps(machine, alloc));

/** Stops before starts. An instance the cell does not know is told to stop at once; for one that has ended that means: forget it. */
export function ordersFor(desired: Desired, machine: string, report: Report | undefined, ordersMax: number): Order[] {
  const wanted = desired.on(machine as never);
  const told = new Set(report?.instances.map((instance) => instance.instance));
  const stops: Order[] = [];
  const adjusts: Order[] = [];
  for (const id of told) if (!wanted.has(id as InstanceId)) stops.push(stopOrder(id, 0));
  for (const each of wanted.values())
    if (isStopping(each)) stops.push(stopOrder(each.id, each.record.stop?.noticeMs ?? 0, each.record.stop?.lameDuckMs ?? 0));
  for (const alloc of leftAllocs(desired, machine, report)) stops.push(make(OrderSchema, { body: { case: "drop", value: { alloc } } }));
  const starts = [...wanted.values()].filter((each) => isStarting(each) && !isStopping(each) && !told.has(each.id));
  for (const each of report?.instances ?? []) {
    const known = wanted.get(each.instance as InstanceId);
    if (known !== undefined && isHeldOtherwise(desired, known, each)) adjusts.push(...adjustOrder(desired, known));
  }
  const first = [...stops, ...adjusts].slice(0, ordersMax);
  return [...first, ...starts.slice(0, Math.max(0, ordersMax - first.length)).map((each) => startOrder(desired, each))];
}

/** It lives, and goes by another spec than it is held to. A borglet of before cannot be told. */
const isHeldOtherwise = (desired: Desired, wanted: Wanted, { phase, generation, allocGeneration }: InstanceReport): boolean =>
  (isAnother(generation, wanted.record.generation) || isAnother(allocGeneration, desired.allocOf(wanted)?.generation)) &&
  (phase === Phase.RUNNING || phase === Phase.STARTING) &&
  !isStopping(wanted);

const isAnother = (told: number | undefined, wanted: number | undefined): boolean =>
  told !== undefined && wanted !== undefined && told !== wanted;

function adjustOrder(desired: Desired, wanted: Wanted): Order[] {
  const spec = desired.specOf(wanted);
  if (spec === undefined) return [];
  const { limit, slackRam, holdCpu } = taskSpecOf(spec, wanted.index);
  const { generation, priority } = wanted.record;
  const alloc = desired.allocOf(wanted);
  const shared = alloc?.limit === undefined ? {} : { allocLimit: sizesOf(alloc.limit), allocGeneration: alloc.generation };
  const held = limit === undefined ? shared : { limit, ...shared };
  const treated = { appClass: spec.appClass, restart: restartFor(spec.restart, desired.config, wanted.failedRuns) };
  const value = { instance: wanted.id, generation, priority, slackRam, holdCpu, ...treated, ...held };
  return [make(OrderSchema, { body: { case: "adjust", value } })];
}

const stopOrder = (instance: string, noticeMs: number, lameDuckMs = 0): Order =>
  make(OrderSchema, { body: { case: "stop", value: { instance, noticeMs, lameDuckMs } } });

function startOrder(desired: Desired, wanted: Wanted): Order {
  const spec = desired.specOf(wanted);
  const task = taskSpecOf(spec, wanted.index);
  const { record } = wanted;
  const alloc = desired.allocOf(wanted);
  const victims = [...desired.on(wanted.machine).values()].filter((other) => (other.record.stop?.preemptor ?? "") !== "");
  return make(OrderSchema, {
    body: {
      case: "start",
      value: {
        instance: wanted.id,
        task: { ...task, noticeMs: task.noticeMs ?? desired.config?.noticeMs ?? NOTICE_MS_DEFAULT },
        priority: record.priority,
        ports: record.ports,
        devices: record.devices,
        after: victims.map((victim) => victim.id).sort(),
        alloc: record.place.includes(":") ? record.place : "",
        ...(alloc?.limit === undefined
          ? {}
          : { allocLimit: sizesOf(alloc.limit), allocPriority: alloc.priority, allocGeneration: alloc.generation }),
        generation: record.generation,
        directory: spec?.keptDirectory ?? "",
        trace: desired.traceOf(wanted),
        restart: restartFor(spec?.restart, desired.config, wanted.failedRuns),
        ...(spec === undefined ? {} : { appClass: spec.appClass }),
      },
    },
  });
}

/** With the cell's own back-off where the job names none, and no more restarts in place than failures are left until the task is dead. */
function restartFor(policy: RestartPolicy | undefined, config: CellConfig | undefined, failedRuns: number): RestartPolicy {
  const given = policy ?? make(RestartPolicySchema, {});
  const inPlaceMax = given.inPlaceMax ?? RESTART_DEFAULTS.inPlaceMax;
  const left = given.failuresMax === undefined ? inPlaceMax : Math.max(0, given.failuresMax - failedRuns - 1);
  return {
    ...given,
    inPlaceMax: Math.min(inPlaceMax, left),
    backoffMinMs: given.backoffMinMs || (config?.backoffMinMs ?? RESTART_DEFAULTS.backoffMinMs),
    backoffMaxMs: given.backoffMaxMs || (config?.backoffMaxMs ?? RESTART_DEFAULTS.backoffMaxMs),
  };
}
