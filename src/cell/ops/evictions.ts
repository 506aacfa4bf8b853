/** The master's own hand: evictions, giving up, and reservations. */
import { ok, type Result, refused } from "../../base/result.ts";
import { equal, fits, type Vector } from "../../base/vector.ts";
import { isProd } from "../../wire/band.ts";
import type { Reservation, Reservations, TaskEvict, TaskLost } from "../../wire/gen/borg/v1/op_pb.ts";
import { amounts } from "../amounts.ts";
import { type Cause, causeOf } from "../cause.ts";
import { DownBudget } from "../down.ts";
import { count, counts, uncount } from "../place.ts";
import type { CellState, Instance, Machine } from "../state.ts";
import { isPlaced } from "../task.ts";
import type { Turn } from "../turn.ts";
import { COUNTED_DRAINS, DRAIN_PACE } from "../version.ts";
import { lose, stopInstance } from "./lifecycle.ts";
import { findMachine } from "./machines.ts";
import { findInstance } from "./reports.ts";
import { stopOf } from "./tasks.ts";

const EVICTION_CAUSES: ReadonlySet<Cause | undefined> = new Set<Cause>([
  "out-of-resources",
  "machine-failure",
  "machine-shutdown",
  "other",
]);

/** All or none: an instance that has gone meanwhile is passed over, one that must not be evicted refuses the op. */
export function evict(turn: Turn, op: TaskEvict): Result<undefined> {
  const cause = causeOf(op.cause);
  if (cause === undefined || !EVICTION_CAUSES.has(cause))
    return refused("An eviction is for lack of resources, a machine's failure or shutdown, or another reason");
  const instances = there(turn.state, op.instances);
  for (const instance of instances) {
    const problem = evictionProblem(instance, cause);
    if (problem !== undefined) return refused(problem);
  }
  const budget = new DownBudget(turn.state.version >= DRAIN_PACE ? turn.timeMs : undefined);
  const isCounted = cause === "machine-shutdown" && turn.state.version >= COUNTED_DRAINS;
  for (const instance of instances) {
    // It was down when the master chose it: another turn comes.
    if (isCounted && !budget.takes(instance)) continue;
    turn.raise(instance.place.machine);
    stopInstance(turn, instance, "evict", stopOf(turn, instance, cause));
  }
  for (const job of budget.paced) {
    job.drainedMs = turn.timeMs;
    turn.touch.job(job);
  }
  return ok(undefined);
}

/** prod is never killed for lack of resources, unless it is over its own memory limit (Borg §5.5). [R3] */
function evictionProblem(instance: Instance, cause: Cause): string | undefined {
  const machine = instance.place.machine;
  if (cause === "out-of-resources" && isProd(instance.priority) && !instance.overRam)
    return `Instance "${instance.id}" is prod: it is not evicted for lack of resources`;
  if (cause === "machine-shutdown" && !machine.draining) return `Machine "${machine.id}" is not draining`;
  return undefined;
}

/** Instances that are placed and not stopping yet, each once. */
function there(state: CellState, ids: readonly string[]): readonly Instance[] {
  return [...new Set(ids)]
    .map((id) => findInstance(state, id))
    .filter((instance): instance is Instance => instance !== undefined && isPlaced(instance.task.state));
}

/** Gives up instances one by one; only while the machine does not answer. What is inside an alloc goes with it. */
export function giveUp(turn: Turn, op: TaskLost): Result<undefined> {
  const found = findMachine(turn.state, op.machine);
  if (!found.ok) return found;
  const machine = found.value;
  if (machine.reachable) return refused(`Machine "${machine.id}" answers: nothing on it is given up`);
  for (const id of op.instances) {
    const instance = findInstance(turn.state, id);
    if (instance?.place.machine === machine) lose(turn, instance, "lost");
  }
  return ok(undefined);
}

/** The estimator's result for one machine (Borg §5.5). All or none. */
export function reserve(turn: Turn, op: Reservations): Result<undefined> {
  const found = findMachine(turn.state, op.machine);
  if (!found.ok) return found;
  const changes: { readonly instance: Instance; readonly amount: Vector }[] = [];
  for (const reservation of op.reservations) {
    const instance = findInstance(turn.state, reservation.instance);
    if (instance === undefined || instance.place.machine !== found.value) continue;
    const amount = reservedAmount(instance, reservation);
    if (typeof amount === "string") return refused(amount);
    changes.push({ instance, amount });
  }
  for (const change of changes) setReservation(turn, found.value, change.instance, change.amount);
  return ok(undefined);
}

/** Ports and devices always count whole. */
function reservedAmount(instance: Instance, reservation: Reservation): Vector | string {
  if (!instance.reclaimable) return `Instance "${instance.id}" keeps its reservation at the limit`;
  const asked = amounts(reservation.amount, 0, "up");
  const amount = { ...asked, ports: instance.limit.ports, extras: instance.limit.extras };
  return fits(amount, instance.limit) ? amount : `A reservation of instance "${instance.id}" above its limit`;
}

function setReservation(turn: Turn, machine: Machine, instance: Instance, amount: Vector): void {
  if (equal(amount, instance.reservation)) return;
  if (!fits(amount, instance.reservation)) turn.raise(machine);
  const counted = counts(instance);
  if (counted) uncount(instance);
  instance.reservation = amount;
  turn.touch.instance(instance);
  if (counted) count(instance);
  turn.emit({ kind: "reservation.changed", subject: instance.task.id, instance: instance.id, machine: machine.id });
}
