/**
 * What a claim or a submit should come to, worked out the slow way straight from the words of the design: every sum is taken over all
 * tasks of the cell, and nothing of the judge, the places' sums or the quota ledger is used.
 */
import type { CellState, Instance, Job, Machine, Task } from "../../src/cell/state.ts";
import type { Claim } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { Quota, Resources } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";

/** Amounts by name; what is not named is zero. */
type Bag = Record<string, number>;

const add = (a: Bag, b: Bag): Bag => {
  const sum: Bag = { ...a };
  for (const name of Object.keys(b)) sum[name] = (sum[name] ?? 0) + (b[name] ?? 0);
  return sum;
};
const within = (a: Bag, b: Bag): boolean => Object.keys(a).every((name) => (a[name] ?? 0) <= (b[name] ?? 0));

function bag(resources: Resources | undefined, ports: number): Bag {
  const out: Bag = {
    cpu: resources?.cpuMilli ?? 0,
    ram: Math.ceil((resources?.ramBytes ?? 0) / 1024),
    disk: Math.ceil((resources?.diskBytes ?? 0) / 1024),
    ports,
  };
  out["bandwidth"] = resources?.diskBandwidth ?? 0;
  for (const extra of resources?.extras ?? []) out[extra.name] = extra.amount;
  return out;
}

const vectorBag = (v: Instance["limit"]): Bag => ({
  cpu: v.cpu,
  ram: v.ram,
  disk: v.disk,
  bandwidth: v.bandwidth,
  ports: v.ports,
  ...Object.fromEntries(v.extras.map((e) => [e.name, e.amount])),
});

const allInstances = (state: CellState): Instance[] =>
  [...state.jobs.values()].flatMap((job) => job.tasks.flatMap((task) => (task.instance === undefined ? [] : [task.instance])));

const prod = (priority: number): boolean => priority >= 120;
const bandNumber = (priority: number): number => (priority < 100 ? 0 : priority < 120 ? 1 : priority < 360 ? 2 : 3);

type Wish = Pick<Job, "spec" | "priority">;

/** What a task asks for: what its job does, or what the job's update does if it was told so. */
function wishOf({ job, told, launched }: Task): Wish {
  if (launched !== undefined) return launched.spec;
  const isTold = job.update !== undefined && told?.generation === job.update.generation && told.kind !== "skip" && told.kind !== "back";
  return isTold ? (job.update as Wish) : job;
}

function taskBag(job: Wish, index: number): Bag {
  if (job.spec.kind === "alloc-set") return bag(job.spec.allocSet.limit, job.spec.allocSet.ports);
  if (job.spec.kind === "framework") throw new Error("A framework itself takes no room");
  const { overrides, task } = job.spec.job;
  const own = overrides.filter((o) => o.first <= index && index <= o.last && o.limit !== undefined).at(-1);
  return bag(own?.limit ?? task?.limit, task?.ports.length ?? 0);
}

/** Whether a single claim should be accepted. */
/** `held`: jobs that the scheduler had tasks of when the transaction began. A victim leaves its cap at once, its count of jobs when all is done. */
export function acceptable(state: CellState, schedulerName: string, claim: Claim, held: Iterable<string> = []): boolean {
  const task = findTask(state, claim.task);
  const scheduler = state.schedulers.get(schedulerName);
  if (task === undefined || scheduler === undefined) return false;
  const claimable =
    task.state === "pending" && task.incarnation === claim.incarnation && !task.job.held && task.notBeforeMs <= state.timeMs;
  if (!claimable) return false;
  const where = findPlace(state, claim.place);
  if (where === undefined || !usable(state, where.machine)) return false;
  if (scheduler.limits.coarse && where.machine.sequence !== claim.seen) return false;
  if (!belongs(task, claim.place)) return false;
  const here = allInstances(state).filter((instance) => instance.place.id === claim.place);
  const victims = [...new Set(claim.victims)].map((id) => here.find((instance) => instance.id === id));
  if (victims.some((victim) => victim === undefined || !mayGo(victim, wishOf(task).priority))) return false;
  const gone = victims as Instance[];
  if (!withinScheduler(state, schedulerName, task, gone, held)) return false;
  return suits(state, task, where.machine, gone) && hasSpace(task, where.capacity, here, gone) && hasUnits(task, where.units, here, gone);
}

function findTask(state: CellState, id: string): Task | undefined {
  return [...state.jobs.values()].flatMap((job) => job.tasks).find((task) => task.id === id);
}

function findPlace(state: CellState, id: string): { machine: Machine; capacity: Bag; units: Units } | undefined {
  const machine = [...state.machines.values()].find((m) => m.id === id);
  if (machine !== undefined) return { machine, capacity: vectorBag(machine.place.capacity), units: machineUnits(machine) };
  const alloc = allInstances(state).find((instance) => instance.id === id && instance.inside !== undefined && instance.stop === undefined);
  return alloc && { machine: alloc.place.machine, capacity: vectorBag(alloc.limit), units: Map.groupBy(alloc.devices, ({ name }) => name) };
}

function usable(state: CellState, machine: Machine): boolean {
  const on = allInstances(state).filter((instance) => instance.place.id === machine.id && instance.stop?.preemptor === undefined);
  const reserved = on.map((instance) => vectorBag(instance.reservation)).reduce(add, {});
  const limits = on
    .filter((instance) => prod(instance.priority))
    .map((instance) => vectorBag(instance.limit))
    .reduce(add, {});
  const capacity = vectorBag(machine.place.capacity);
  return machine.reachable && !machine.draining && within(reserved, capacity) && within(limits, capacity);
}

/** Jobs that a scheduler has tasks of. */
export const jobsHeld = (state: CellState, name: string): readonly string[] =>
  allInstances(state)
    .filter((instance) => instance.scheduler === name && instance.stop?.preemptor === undefined)
    .map((instance) => instance.task.job.id);

function belongs(task: Task, place: string): boolean {
  const { spec } = wishOf(task);
  const set = spec.kind === "job" ? spec.job.allocSet : "";
  const inSet = place.includes("/") ? place.split("/").slice(0, 2).join("/") : "";
  return set === inSet && (task.pinned === undefined || task.pinned === place);
}

function mayGo(victim: Instance, priority: number): boolean {
  if (victim.stop !== undefined) return false;
  if (victim.overRam) return true;
  const sameProdBand = prod(priority) && bandNumber(victim.priority) === bandNumber(priority);
  return victim.priority < priority && !sameProdBand;
}

function withinScheduler(state: CellState, name: string, task: Task, gone: readonly Instance[], held: Iterable<string>): boolean {
  const limits = state.schedulers.get(name)?.limits;
  const { priority } = wishOf(task);
  if (limits === undefined || priority < limits.priorityMin || priority > limits.priorityMax) return false;
  const mine = allInstances(state).filter((instance) => instance.scheduler === name && instance.stop?.preemptor === undefined);
  const jobs = new Set<string>([...mine.map((instance) => instance.task.job.id), ...held]);
  if (limits.jobsMax !== undefined && !jobs.has(task.job.id) && jobs.size >= limits.jobsMax) return false;
  if (limits.cap === undefined) return true;
  const after = mine
    .filter((instance) => !gone.includes(instance))
    .map((instance) => vectorBag(instance.limit))
    .reduce(add, taskBag(wishOf(task), task.index));
  const counted = Object.fromEntries(Object.entries(after).filter(([key]) => key !== "ports" && key !== "bandwidth"));
  return within(counted, {
    ...bag(limits.cap, 0),
    ram: Math.floor(limits.cap.ramBytes / 1024),
    disk: Math.floor(limits.cap.diskBytes / 1024),
  });
}

function suits(state: CellState, task: Task, machine: Machine, gone: readonly Instance[]): boolean {
  const wish = wishOf(task);
  if (wish.spec.kind === "framework") return false;
  const spec = wish.spec.kind === "job" ? wish.spec.job : wish.spec.allocSet;
  for (const constraint of spec.constraints) {
    if (constraint.operator !== Operator.EQUAL) throw new Error("The model knows only equality");
    if (machine.facts.attributes.find((a) => a.key === constraint.attribute)?.value !== constraint.values[0]) return false;
  }
  const volumes = wish.spec.kind === "job" ? (wish.spec.job.task?.volumes ?? []) : [];
  const isOffered = (name: string): boolean => machine.facts.volumes.some((offer) => offer.user === task.job.owner && offer.name === name);
  if (!volumes.every(({ name }) => isOffered(name))) return false;
  if (!mayBeBeside(state, task, machine, gone)) return false;
  const isApart = spec.spread !== Spread.UNSPECIFIED && spec.spread !== Spread.SOFT;
  if (!isApart && volumes.every(({ readOnly }) => readOnly)) return true;
  const of = ({ id, facts: { rack, powerDomain } }: Machine): string =>
    spec.spread === Spread.RACK ? rack : spec.spread === Spread.POWER ? powerDomain : id;
  if (of(machine) === "") return false;
  return !allInstances(state).some(
    (i) => i.task.job === task.job && of(i.place.machine) === of(machine) && i.stop?.preemptor === undefined && !gone.includes(i),
  );
}

const limitsOf = ({ spec }: Wish) => (spec.kind === "job" ? spec.job.beside : []);

/** No more of another job than the task wants, and no more of its job than others of its user want. */
function mayBeBeside(state: CellState, task: Task, machine: Machine, gone: readonly Instance[]): boolean {
  const here = allInstances(state).filter((i) => i.place.machine === machine && i.stop?.preemptor === undefined && !gone.includes(i));
  const tasksOf = (id: string): number => here.filter((i) => i.task.job.id === id).length;
  if (limitsOf(wishOf(task)).some(({ job, max }) => tasksOf(job) > max)) return false;
  const own = here.filter((i) => i.task.job.owner === task.job.owner).flatMap((i) => limitsOf(wishOf(i.task)));
  return own.every(({ job, max }) => job !== task.job.id || tasksOf(job) < max);
}

/** Both inequalities, and enough port numbers that nobody holds. */
function hasSpace(task: Task, capacity: Bag, here: readonly Instance[], gone: readonly Instance[]): boolean {
  const wish = wishOf(task);
  const own = taskBag(wish, task.index);
  const staying = here.filter((instance) => instance.stop?.preemptor === undefined && !gone.includes(instance));
  const limits = staying
    .filter((instance) => prod(instance.priority))
    .map((instance) => vectorBag(instance.limit))
    .reduce(add, own);
  const reservations = staying.map((instance) => vectorBag(instance.reservation)).reduce(add, own);
  const held = here.reduce((sum, instance) => sum + instance.ports.length, 0);
  if (prod(wish.priority) && !within(limits, capacity)) return false;
  return within(reservations, capacity) && held + (own["ports"] ?? 0) <= (capacity["ports"] ?? 0);
}

type Units = ReadonlyMap<string, Instance["devices"]>;

/** What a machine has in units, each with its size. */
const machineUnits = ({ facts, place }: Machine): Units =>
  new Map(
    facts.devices.map(({ name, unit }) => {
      const amount = vectorBag(place.capacity)[name] ?? 0;
      return [name, Array.from({ length: Math.floor(amount / unit) }, (_, number) => ({ name, number, amount: unit }))];
    }),
  );

/** One unit with enough room, or whole ones that nobody has; nobody there is without numbers. */
function hasUnits(task: Task, units: Units, here: readonly Instance[], gone: readonly Instance[]): boolean {
  const own = taskBag(wishOf(task), task.index);
  const staying = here.filter((instance) => instance.stop?.preemptor === undefined && !gone.includes(instance));
  return [...units].every(([name, all]) => {
    const asked = own[name] ?? 0;
    if (asked === 0) return true;
    const held = staying.flatMap((instance) => instance.devices.filter((device) => device.name === name));
    const sum = (devices: Instance["devices"]): number => devices.reduce((total, { amount }) => total + amount, 0);
    if (sum(held) < staying.reduce((total, instance) => total + (vectorBag(instance.limit)[name] ?? 0), 0)) return false;
    const free = all.map(({ number, amount }) => amount - sum(held.filter((device) => device.number === number)));
    const size = all[0]?.amount ?? 0;
    return asked <= size
      ? free.some((left) => left >= asked)
      : free.filter((left) => left === size).length * size >= asked && asked % size === 0;
  });
}

/** Whether a user may have `wanted` more in a band, given the jobs that are alive. */
export function withinQuota(state: CellState, user: string, priority: number, wanted: readonly Bag[]): boolean {
  const band = bandNumber(priority);
  if (band === 0) return true;
  const quota = state.users.get(user as never)?.quotas.get((["free", "batch", "production", "monitoring"] as const)[band] as never) as
    | Quota
    | undefined;
  // After a clock that was set ahead, what ends by the clock lags for a while.
  const nowMs = state.timeMs - (state.timeMs < state.expiryLagUntilMs ? state.expiryLagMs : 0);
  if (quota === undefined || (quota.untilMs !== 0 && quota.untilMs <= nowMs)) return false;
  if (quota.unlimited) return true;
  const alive = [...state.jobs.values()].filter((job) => job.owner === user && job.state !== "dead");
  const admitted = alive.flatMap((job) => heldIn(job, band));
  const sum = [...admitted, ...wanted].reduce(add, {});
  const allowed: Bag = { ...bag(quota.limit, quota.ports ?? Infinity), ram: Math.floor((quota.limit?.ramBytes ?? 0) / 1024) };
  return within(sum, { ...allowed, bandwidth: quota.diskBandwidth ?? Infinity });
}

/** What a job holds in a band. Of one that is updated both specs count: in one band task by task the larger one. */
function heldIn(job: Job, band: number): readonly Bag[] {
  const { update } = job;
  const isOwn = bandNumber(job.priority) === band;
  if (update === undefined) return isOwn ? jobBags(job) : [];
  const isOther = bandNumber(update.priority) === band;
  const size = update.wants.perMachine ? job.tasks.filter((task) => task.pinned !== undefined).length : undefined;
  const [before, after] = [size ?? update.countBefore, size ?? update.wants.count];
  if (update.wants.allocSet !== "") return [];
  return Array.from({ length: Math.max(before, after) }, (_, index) => {
    const bags = [isOwn && index < before ? taskBag(job, index) : {}, isOther && index < after ? taskBag(update, index) : {}] as const;
    return Object.fromEntries(
      [...new Set(bags.flatMap((each) => Object.keys(each)))].map((name) => [name, Math.max(...bags.map((each: Bag) => each[name] ?? 0))]),
    );
  });
}

/** Limits a job is charged for, task by task. */
export function jobBags(job: Job): Bag[] {
  if (job.spec.kind === "job" && job.spec.job.allocSet !== "") return [];
  const count =
    job.spec.kind === "job" && job.spec.job.perMachine ? job.tasks.filter((task) => task.pinned !== undefined).length : job.count;
  return Array.from({ length: count }, (_, index) => taskBag(job, index));
}
