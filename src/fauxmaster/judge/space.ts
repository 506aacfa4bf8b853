/**
 * Whether there is room for pending tasks, worked out from the records of a state by looking at every place, one after the other: neither the
 * scheduler's search nor the cell's judge has a part in it. It shares with them only what a spec means (its limits, its constraints on attributes).
 */
import { isInstance, splitTask, taskOf } from "../../base/id.ts";
import { fits, plus, times, type Vector, ZERO } from "../../base/vector.ts";
import { unmet } from "../../cell/constraint.ts";
import { besideIn, domainAt, isOnePerMachine, volumesIn, wishOf } from "../../cell/invariants-words.ts";
import { isHardSpread, limitOf } from "../../cell/spec.ts";
import type { CellState, Face, Instance, Job, Machine, Place, Task } from "../../cell/state.ts";
import { bandOf, isProd } from "../../wire/band.ts";

/** `free`: as things are. `victims`: when all go that these tasks may evict. */
export type Space = "free" | "victims" | undefined;

/** Space for all of these tasks of one job at the same time; undefined also where their limits differ, which nobody has worked out. */
export function spaceFor(state: CellState, job: Job, tasks: readonly Task[]): Space {
  const [first] = tasks;
  if (first === undefined) return undefined;
  const wish = wishOf(first);
  const limit = limitOf(wish, first.index);
  if (tasks.some((task) => wishOf(task) !== wish || limitOf(wish, task.index) !== limit)) return undefined;
  const only = isOnePerMachine(wish) || volumesIn(wish).length > 0 ? first.pinned : undefined;
  const holds = (evicting: boolean): boolean => {
    let found = 0;
    const taken = new Set<string>();
    for (const machine of state.machines.values()) {
      const domain = domainAt(machine, wish);
      if (domain !== undefined && (domain === "" || taken.has(domain) || isTaken(job, wish, machine, domain))) continue;
      const most = Math.min(tasks.length - found, allowance(machine, job, wish, evicting));
      const here = most === 0 ? 0 : countOn(machine, { id: job.id, wish }, only, limit, most, evicting);
      if (here > 0 && domain !== undefined) taken.add(domain);
      found += here;
    }
    return found >= tasks.length;
  };
  return holds(false) ? "free" : holds(true) ? "victims" : undefined;
}

/** How many more tasks of a job limits between jobs leave room for. What is inside an alloc is nobody's victim. */
function allowance(machine: Machine, job: Job, wish: Face, evicting: boolean): number {
  const others = [...onMachine(machine)].filter(
    (other) => isCounted(other) && !(evicting && other.place === machine.place && isEvictable(wish.priority, other)),
  );
  const found = (id: string): number => others.filter((other) => other.task.job.id === id).length;
  if (besideIn(wish).some((limit) => found(limit.job) > limit.max)) return 0;
  const limits = others.filter((other) => other.task.job.owner === job.owner).flatMap((other) => besideIn(wishOf(other.task)));
  const own = limits.filter((limit) => limit.job === job.id).map(({ max }) => Math.max(0, max - found(job.id)));
  return Math.min(Number.POSITIVE_INFINITY, ...own);
}

/** Whether another machine of the same rack or power domain has a task of the job. */
const isTaken = ({ tasks }: Job, wish: Face, machine: Machine, domain: string): boolean =>
  tasks.some(({ instance }) => {
    if (instance === undefined || !isCounted(instance) || instance.place.machine === machine) return false;
    return domainAt(instance.place.machine, wish) === domain;
  });

/** How many tasks of that limit a machine could take, at most `most`. */
/** A job, and what those of its tasks go by that are looked at. */
interface Wishing {
  readonly id: Job["id"];
  readonly wish: Face;
}

function countOn(
  machine: Machine,
  { id, wish }: Wishing,
  pinned: string | undefined,
  limit: Vector,
  most: number,
  evicting: boolean,
): number {
  const isClosed = !machine.reachable || machine.draining || isOverfull(machine.place);
  if (isClosed || (pinned !== undefined && pinned !== machine.id) || unmet(wish.wants.constraints, machine.attributes) !== undefined)
    return 0;
  const mayStay = (other: Instance): boolean => !(evicting && isEvictable(wish.priority, other));
  if (isHardSpread(wish)) {
    const here = [...onMachine(machine)].some((other) => other.task.job.id === id && isCounted(other) && mayStay(other));
    return here ? 0 : Math.min(most, 1, Math.max(0, ...placesOf(machine, wish).map((place) => countAt(place, wish, limit, 1, mayStay))));
  }
  return placesOf(machine, wish).reduce((sum, place) => sum + countAt(place, wish, limit, most - sum, mayStay), 0);
}

function countAt(place: Place, { priority }: Face, limit: Vector, most: number, mayStay: (other: Instance) => boolean): number {
  let [limits, reservations, heldPorts] = [ZERO, ZERO, 0];
  for (const other of place.occupants.values()) {
    // A victim's room is free before it is gone; its ports are not.
    heldPorts += other.ports.length;
    if (!isCounted(other) || !mayStay(other)) continue;
    if (isProd(other.priority)) limits = plus(limits, other.limit);
    reservations = plus(reservations, other.reservation);
  }
  const byUnits = Math.min(most, countByUnits(place, limit, mayStay));
  for (let count = byUnits; count > 0; count--) {
    const wanted = times(limit, count);
    const hasSpace = fits(plus(reservations, wanted), place.capacity) && (!isProd(priority) || fits(plus(limits, wanted), place.capacity));
    if (hasSpace && heldPorts + wanted.ports <= place.capacity.ports) return count;
  }
  return 0;
}

/** How many have the units that they ask for: parts of one each, or whole ones. Who has no numbers may be using any of them. */
function countByUnits(place: Place, limit: Vector, mayStay: (other: Instance) => boolean): number {
  let least = Number.POSITIVE_INFINITY;
  const staying = [...place.occupants.values()].filter((other) => isCounted(other) && mayStay(other));
  for (const { name, amount } of limit.extras) {
    const units = place.units?.get(name);
    if (units === undefined) continue;
    const isUnnumbered = staying.some(
      ({ limit: own, devices }) => own.extras.some((extra) => extra.name === name) && !devices.some((device) => device.name === name),
    );
    const free = units.map((unit) => {
      const held = staying.flatMap(({ devices }) => devices.filter((each) => each.name === name && each.number === unit.number));
      return held.reduce((left, each) => left - each.amount, unit.amount);
    });
    const size = units[0]?.amount ?? 0;
    const whole = free.filter((left) => left === size).length;
    const count =
      amount <= size
        ? free.reduce((sum, left) => sum + Math.floor(left / amount), 0)
        : amount % size === 0
          ? Math.floor((whole * size) / amount)
          : 0;
    least = Math.min(least, isUnnumbered ? 0 : count);
  }
  return least;
}

/** The machine itself, or the allocs on it that belong to the job's alloc set and stay. */
function placesOf(machine: Machine, { spec }: Face): readonly Place[] {
  const set = spec.kind === "job" ? spec.job.allocSet : "";
  if (set === "") return [machine.place];
  return [...machine.place.occupants.values()].flatMap((alloc) =>
    alloc.inside !== undefined && alloc.stop === undefined && isInstance(alloc.id) && splitTask(taskOf(alloc.id)).job === set
      ? [alloc.inside]
      : [],
  );
}

function* onMachine(machine: Machine): Generator<Instance> {
  for (const occupant of machine.place.occupants.values()) {
    yield occupant;
    yield* occupant.inside?.occupants.values() ?? [];
  }
}

const isCounted = (other: Instance): boolean => other.stop?.preemptor === undefined;

/** Borg §2.5: lower priority, and never inside a production band; §5.5: who is over its memory limit goes whoever asks. */
function isEvictable(priority: number, other: Instance): boolean {
  if (other.stop !== undefined) return false;
  const inBand = isProd(priority) && bandOf(other.priority) === bandOf(priority);
  return other.overRam || (other.priority < priority && !inBand);
}

function isOverfull(place: Place): boolean {
  let [limits, reservations] = [ZERO, ZERO];
  for (const other of place.occupants.values()) {
    if (!isCounted(other)) continue;
    if (isProd(other.priority)) limits = plus(limits, other.limit);
    reservations = plus(reservations, other.reservation);
  }
  return !fits(limits, place.capacity) || !fits(reservations, place.capacity);
}
