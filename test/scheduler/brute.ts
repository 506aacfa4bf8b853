/** The slow way, for tests: what a place is worth and which is best, worked out from the records and the words of the design alone. */
import { amountOf, type Vector } from "../../src/base/vector.ts";
import { holds } from "../../src/cell/constraint.ts";
import { counts, everythingOn } from "../../src/cell/place.ts";
import type { Machine, Place } from "../../src/cell/state.ts";
import { compareHarm, type Preemption, victimsAt } from "../../src/scheduler/evict/preempt.ts";
import type { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { hasSpace, machineProblem, type Need } from "../../src/scheduler/search/feasible.ts";
import type { Policy } from "../../src/scheduler/search/policy.ts";
import { Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

/** Cpu of all machines when a pass began. */
export interface Cell {
  readonly capacity: number;
  readonly prodLimit: number;
  readonly reserved: number;
}

export interface Worth {
  readonly place: Place;
  readonly score: number;
}

/** Every place that takes a task as it is, with its score. `totals`: what the cell was when the pass began. */
export function feasible(mirror: Mirror, need: Need, policy: Policy, totals: Cell): readonly Worth[] {
  const places = mirror.sorted().map((machine) => machine.place);
  const fitting = places.filter(
    (place) =>
      machineProblem(need, place.machine) === undefined &&
      hasSpace(mirror, need, place) &&
      deviceCosts(need, place) !== undefined &&
      isApart(mirror, need, place.machine) &&
      isWelcome(need, place.machine),
  );
  return fitting.map((place) => ({ place, score: scoreOf(mirror, need, place, policy, totals) }));
}

/** Every way to give it units is tried: the cheapest one, from 0 to 1; undefined: there is none. */
function deviceCosts({ limit }: Need, { machine: { facts }, capacity, occupants }: Place): number | undefined {
  let worst = 0;
  for (const { name, unit } of facts.devices) {
    const asked = amountOf(limit, name);
    if (asked === 0) continue;
    const here = [...occupants.values()].filter(counts).flatMap(({ devices }) => devices.filter((device) => device.name === name));
    const free = Array.from({ length: amountOf(capacity, name) / unit }, (_, number) =>
      here.reduce((left, device) => (device.number === number ? left - device.amount : left), unit),
    );
    const whole = free.filter((left) => left === unit).length;
    const ways =
      asked >= unit
        ? asked % unit === 0 && whole >= asked / unit
          ? [0]
          : []
        : free.flatMap((left) => (left < asked ? [] : [partCost(left, asked, unit)]));
    if (ways.length === 0) return undefined;
    worst = Math.max(worst, Math.min(...ways));
  }
  return worst;
}

/** Half for a unit that nobody had, half for the part of it that is left. */
const partCost = (left: number, asked: number, unit: number): number => (left === unit ? 0.5 : 0) + ((left - asked) / unit) * 0.5;

/** No other task of a job that spreads over racks or power domains is in that of the machine, and it is in one. */
function isApart(mirror: Mirror, { job, face: { wants } }: Need, machine: Machine): boolean {
  if (wants.spread !== Spread.RACK && wants.spread !== Spread.POWER) return true;
  const of = ({ facts }: Machine): string => (wants.spread === Spread.RACK ? facts.rack : facts.powerDomain);
  if (of(machine) === "") return false;
  const near = [...mirror.machines.values()].filter((other) => of(other) === of(machine));
  return !near.some((other) => [...everythingOn(other)].some((instance) => instance.task.job === job && counts(instance)));
}

/** Limits between jobs, both ways; those of other users keep nobody away. */
function isWelcome({ job, face }: Need, machine: Machine): boolean {
  const here = [...everythingOn(machine)].filter(counts);
  const tasksOf = (id: string): number => here.filter((each) => each.task.job.id === id).length;
  if (face.wants.beside.some((limit) => tasksOf(limit.job) > limit.max)) return false;
  const limits = here.filter((each) => each.task.job.owner === job.owner).flatMap((each) => each.task.job.wants.beside);
  return limits.every((limit) => limit.job !== job.id || tasksOf(job.id) + 1 <= limit.max);
}

/** The least harm of all places that take it with victims. */
export function leastHarm(mirror: Mirror, need: Need): Preemption | undefined {
  let best: Preemption | undefined;
  for (const { place } of mirror.sorted()) {
    const found = machineProblem(need, place.machine) === undefined ? victimsAt(mirror, need, place) : undefined;
    if (found !== undefined && (best === undefined || compareHarm(found, best) < 0)) best = found;
  }
  return best;
}

function scoreOf(mirror: Mirror, need: Need, place: Place, policy: Policy, totals: Cell): number {
  const { machine } = place;
  const soft = need.constraints.filter((constraint) => constraint.soft);
  const weight = (all: typeof soft): number => all.reduce((sum, constraint) => sum + (constraint.weight || 1), 0);
  const preference = soft.length === 0 ? 0 : weight(soft.filter((each) => holds(each, machine.attributes))) / weight(soft);
  const packages = packagePart(need, machine);
  return (
    100 * preference +
    5 * packages +
    mixPoints(totals, need, place) -
    20 * cost(mirror, need, place, policy) -
    10 * (deviceCosts(need, place) ?? 0) -
    spread(mirror, need, machine)
  );
}

function packagePart({ job }: Need, machine: Machine): number {
  const asked = job.spec.kind === "job" ? (job.spec.job.task?.packages ?? []) : [];
  const there = asked.filter(({ name, version }) =>
    machine.facts.packages.some((each) => (version === "" ? each.split("@")[0] === name : each === `${name}@${version}`)),
  );
  return asked.length === 0 ? 0 : there.length / asked.length;
}

function mixPoints(totals: Cell, { prod }: Need, { capacity, reserved, prodLimit }: Place): number {
  const others = prod ? Math.max(0, totals.reserved - totals.prodLimit) : totals.prodLimit;
  const share = Math.round((others / totals.capacity) * 8) / 8;
  const own = (prod ? Math.max(0, reserved.cpu - prodLimit.cpu) : prodLimit.cpu) / capacity.cpu;
  return share === 0 ? 0 : 0.2 * Math.min(1, own / share);
}

function spread(mirror: Mirror, { job }: Need, machine: Machine): number {
  const tasksOn = (wanted: (other: Machine) => boolean): number => {
    let found = 0;
    for (const other of mirror.machines.values())
      if (wanted(other)) for (const instance of everythingOn(other)) found += Number(instance.task.job === job && counts(instance));
    return found;
  };
  const { rack, powerDomain } = machine.facts;
  const inRack = rack === "" ? 0 : tasksOn((other) => other.facts.rack === rack);
  const inPower = powerDomain === "" ? 0 : tasksOn((other) => other.facts.powerDomain === powerDomain);
  return (60 * tasksOn((other) => other === machine) + 30 * inRack + 15 * inPower) / Math.max(1, job.count);
}

type Part = (vector: Vector) => number;

function cost(mirror: Mirror, { limit, prod }: Need, { capacity, prodLimit, reserved }: Place, policy: Policy): number {
  const used = prod ? prodLimit : reserved;
  const extras = capacity.extras.map(
    ({ name }): Part =>
      (vector) =>
        amountOf(vector, name),
  );
  const parts: readonly Part[] = [(v) => v.cpu, (v) => v.ram, ...extras];
  if (policy === "best-fit") {
    const left = (of: Part): number => (of(capacity) === 0 ? 0 : (of(capacity) - of(used) - of(limit)) / of(capacity));
    return [...parts, (v: Vector) => v.disk].reduce((sum, of) => sum + left(of), 0) / (parts.length + 1);
  }
  if (policy === "e-pvm") {
    const price = (of: Part, more: number): number => 10 ** ((of(used) + more) / of(capacity));
    return parts.reduce((sum, of) => sum + price(of, of(limit)) - price(of, 0), 0);
  }
  const machines = [...mirror.machines.values()];
  const mean = (of: Part): number => {
    const having = machines.filter(({ place }) => of(place.capacity) > 0);
    return having.reduce((sum, { place }) => sum + of(place.capacity), 0) / having.length;
  };
  const demand = mirror.demand.now;
  const asked = (of: Part): number => of(demand) / machines.reduce((sum, { place }) => sum + of(place.capacity), 0);
  const scarcer = Math.max(
    asked((v) => v.cpu),
    asked((v) => v.ram),
  );
  const whole = (of: Part): number => mean(of) / (scarcer === 0 ? 1 : Math.min(8, Math.max(1, scarcer / asked(of))));
  const before = parts.map((of) => (of(capacity) - of(used)) / whole(of));
  const after = parts.map((of) => (of(capacity) - of(used) - of(limit)) / whole(of));
  const stranded = (free: readonly number[]): number => free.reduce((sum, each) => sum + each - Math.min(...free), 0);
  return stranded(after) - stranded(before) + 0.07 * after.reduce((sum, each) => sum + each, 0);
}
