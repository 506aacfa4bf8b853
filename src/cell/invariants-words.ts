/**
 * The words that invariants need, worked out again from the papers and the specs. Nothing here is used by the code that decides, and nothing of that code
 * is used here: a mistake in one of the two shows as a difference. docs/RELIABILITY.md lists the few helpers that both share, and why.
 */
import { DIMENSIONS, MEASURES, SIZED } from "../base/dimension.ts";
import { type Vector, ZERO } from "../base/vector.ts";
import type { BandName } from "../wire/band.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Quota, Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import {
  type Beside,
  type Constraint,
  type JobSpec,
  Operator,
  SchedulingMode,
  Spread,
  type TaskSpec,
  type Volume,
} from "../wire/gen/borg/v1/spec_pb.ts";
import type { CellState, Face, Instance, Job, Machine, Spec, Task } from "./state.ts";
import type { TaskState } from "./task.ts";

/** From the lowest priority of each band on (the public trace of 2019). */
const LOWEST: readonly (readonly [number, BandName])[] = [
  [360, "monitoring"],
  [120, "production"],
  [100, "batch"],
  [0, "free"],
];

export const BAND_NAMES: readonly BandName[] = LOWEST.map(([, name]) => name);

export const bandAt = (priority: number): BandName => LOWEST.find(([lowest]) => priority >= lowest)?.[1] ?? "free";

export const isProdAt = (priority: number): boolean => bandAt(priority) === "production" || bandAt(priority) === "monitoring";

export const hasPlace = (state: TaskState): boolean => ["starting", "running"].includes(state);

export const hasEnded = (state: TaskState): boolean => ["ending", "dead"].includes(state);

/** Named as a victim, it leaves its room to who named it. */
export const isVictim = ({ stop }: Instance): boolean => stop !== undefined && stop.preemptor !== undefined;

/** Whether it goes by the spec of its job's update. */
export const isToldTo = ({ job: { update }, told }: Pick<Task, "job" | "told">): boolean =>
  update !== undefined && told?.generation === update.generation && !["skip", "back"].includes(told.kind);

/** The spec that a task goes by. */
export const wishOf = (task: Task): Face => task.launched?.spec ?? (isToldTo(task) ? (task.job.update as Face) : task.job);

/** The spec of a generation, wherever the job has it. */
export const specNamed = ({ generation, spec, update, kept }: Job, named: number): Spec | undefined =>
  named === generation ? spec : named === update?.generation ? update.spec : kept.find((each) => each.generation === named)?.spec;

/** Whatever has a spec: a job, or its update. */
type Has = Pick<Job, "spec">;

export const isOnePerMachine = ({ spec }: Has): boolean => spec.kind === "job" && spec.job.perMachine;

type Asked = Pick<JobSpec, "mode" | "spread" | "constraints" | "drainEveryMs"> & { readonly downMax?: number | undefined };

/** What a framework itself asks for: nothing, its tasks do. */
const ASKS_NOTHING: Asked = { mode: SchedulingMode.UNSPECIFIED, spread: Spread.UNSPECIFIED, constraints: [], drainEveryMs: 0 };

function askedIn(spec: Spec): Asked {
  if (spec.kind === "framework") return ASKS_NOTHING;
  return spec.kind === "job" ? spec.job : spec.allocSet;
}

export const wantsGang = ({ spec }: Has): boolean => askedIn(spec).mode === SchedulingMode.GANG;

/** Whoever writes into a volume of a machine has that machine's to itself, of all tasks of its job. */
export const spreadsHard = ({ spec }: Has): boolean =>
  [Spread.HARD, Spread.RACK, Spread.POWER].some((each) => each === askedIn(spec).spread) ||
  volumesIn({ spec }).some(({ readOnly }) => !readOnly);

/** Where a task of a job is, as far as no other of its tasks may be there: its rack or its power domain; empty: it names none. Undefined: it need not. */
export function domainAt({ facts }: Machine, { spec }: Has): string | undefined {
  const { spread } = askedIn(spec);
  if (spread !== Spread.RACK && spread !== Spread.POWER) return undefined;
  return attributeOf(facts, spread === Spread.RACK ? "rack" : "power") ?? "";
}

export const besideIn = ({ spec }: Has): readonly Beside[] => (spec.kind === "job" ? spec.job.beside : []);

export const volumesIn = ({ spec }: Has): readonly Volume[] =>
  spec.kind === "job" ? (spec.job.task?.volumes ?? []).filter(({ name }) => name.length > 0) : [];

export const drainEveryOf = ({ spec }: Has): number => askedIn(spec).drainEveryMs;

export const downMaxOf = ({ spec }: Has): number | undefined => askedIn(spec).downMax;

/** What tasks of a job that are not over are to run; of a framework each has its own. */
export function tasksAsked({ spec, tasks }: Job): readonly TaskSpec[] {
  const living = tasks.filter(({ state }) => !hasEnded(state));
  const specs = spec.kind === "job" ? (living.length > 0 ? [spec] : []) : living.flatMap(({ launched }) => launched?.spec.spec ?? []);
  return specs.flatMap((each) => (each.kind === "job" ? (each.job.task ?? []) : []));
}

/** By its name, "user/job/index:incarnation", looked up through the tasks. */
export function instanceNamed(state: CellState, id: string): Instance | undefined {
  const [, job = "", index = "", incarnation = ""] = /^(.*)\/(\d+):(\d+)$/.exec(id) ?? [];
  const instance = state.jobs.get(job as Job["id"])?.tasks[Number(index)]?.instance;
  return instance?.incarnation === Number(incarnation) ? instance : undefined;
}

/** On the machine itself and in its allocs. */
export const instancesOn = (machine: Machine): readonly Instance[] =>
  [...machine.place.occupants.values()].flatMap((each) => [each, ...(each.inside?.occupants.values() ?? [])]);

/** Whole KiB, rounded against whoever gains by it: what is asked for up, what is there down. */
export function vectorOf(resources: Resources | undefined, ports: number, round: (kib: number) => number): Vector {
  const { extras = [] } = resources ?? {};
  const named = new Map(extras.filter(({ amount }) => amount > 0).map(({ name, amount }) => [name, amount]));
  let vector: Vector = { ...ZERO, ports, extras: [...named.keys()].sort().map((name) => ({ name, amount: named.get(name) as number })) };
  for (const dimension of SIZED) {
    const { field, scale } = MEASURES[dimension];
    vector = { ...vector, [dimension]: round((resources?.[field] ?? 0) / scale) };
  }
  return vector;
}

/** `allowed`; but what a quota need not name is bound by what `said` has of it, and else not at all. */
export function boundVector(allowed: Vector, held: Vector, said: Quota | undefined): Vector {
  let vector = allowed;
  for (const dimension of DIMENSIONS) {
    const { quota } = MEASURES[dimension];
    if (quota !== undefined) vector = { ...vector, [dimension]: said?.[quota] ?? held[dimension] };
  }
  return vector;
}

/** What task `index` of a job may use: the last override with a limit that covers it wins. */
export function limitAt({ spec }: Has, index: number): Vector {
  if (spec.kind === "alloc-set") return vectorOf(spec.allocSet.limit, spec.allocSet.ports, Math.ceil);
  if (spec.kind === "framework") return ZERO;
  let limit = spec.job.task?.limit;
  for (const override of spec.job.overrides) {
    if (override.limit !== undefined && override.first <= index && index <= override.last) limit = override.limit;
  }
  return vectorOf(limit, spec.job.task?.ports.length ?? 0, Math.ceil);
}

/** What a machine has, by what it says of itself; cores count by their speed (Borg §5.4). One from elsewhere has no more of anything than was approved. */
export function capacityBy({ facts, approval }: Machine): Vector {
  const vector = vectorOf(facts.capacity, facts.portLast > 0 ? 1 + facts.portLast - facts.portFirst : 0, Math.floor);
  const speed = facts.coreSpeedPermille > 0 ? facts.coreSpeedPermille : 1000;
  const said = { ...vector, cpu: Math.floor((vector.cpu * speed) / 1000) };
  if (approval === undefined) return said;
  const most = vectorOf(approval.capacity, said.ports, Math.floor);
  const devices = said.extras.map(({ name, amount }) => {
    const allowed = most.extras.find((extra) => extra.name === name)?.amount ?? 0;
    return { name, amount: amount < allowed ? amount : allowed };
  });
  const cut = (dimension: "cpu" | "ram" | "disk" | "bandwidth"): number =>
    said[dimension] < most[dimension] ? said[dimension] : most[dimension];
  const sizes = { cpu: cut("cpu"), ram: cut("ram"), disk: cut("disk"), bandwidth: cut("bandwidth"), ports: said.ports };
  return { ...sizes, extras: devices.filter(({ amount }) => amount > 0) };
}

function attributeOf(facts: MachineFacts, name: string): string | undefined {
  const said = facts.attributes.findLast(({ key }) => key === name)?.value;
  if (said !== undefined) return said;
  const own = name === "rack" ? facts.rack : name === "power" ? facts.powerDomain : "";
  return own === "" ? undefined : own;
}

/** Whether a machine meets every hard constraint, and offers the job's user every volume that it names. */
export function suits(facts: MachineFacts, { spec }: Has): boolean {
  const { constraints } = askedIn(spec);
  const isOffered = (name: string): boolean =>
    facts.volumes.some((offer) => spec.kind === "job" && offer.user === spec.job.user && offer.name === name);
  if (!volumesIn({ spec }).every(({ name }) => isOffered(name))) return false;
  return constraints.filter(({ soft }) => !soft).every((constraint) => meets(attributeOf(facts, constraint.attribute), constraint));
}

function meets(value: string | undefined, { operator, values }: Constraint): boolean {
  const isOne = value !== undefined && values.some((each) => each === value);
  if (operator === Operator.EQUAL || operator === Operator.IN) return isOne;
  if (operator === Operator.NOT_EQUAL || operator === Operator.NOT_IN) return !isOne;
  if (operator === Operator.EXISTS) return value !== undefined;
  if (operator === Operator.NOT_EXISTS) return value === undefined;
  if (operator === Operator.PREFIX) return value !== undefined && value.indexOf(values[0] ?? "") === 0;
  const order = value === undefined ? undefined : versionOrder(value, values[0] ?? "");
  if (operator === Operator.AT_LEAST) return order !== undefined && order >= 0;
  return operator === Operator.AT_MOST && order !== undefined && order <= 0;
}

/** Part by part between the dots: numbers by value, words by letters, a number before a word, nothing before anything. */
function versionOrder(a: string, b: string): number {
  const rank = (part: string): number => (part === "" ? 0 : /^\d+$/.test(part) ? 1 : 2);
  const [left, right] = [a.split("."), b.split(".")];
  for (const i of Array.from({ length: Math.max(left.length, right.length) }, (_, n) => n)) {
    const [x, y] = [left[i] ?? "", right[i] ?? ""];
    if (x === y) continue;
    if (rank(x) !== rank(y)) return rank(x) - rank(y);
    const byValue = rank(x) === 1 ? Number(BigInt(x) - BigInt(y)) : 0;
    if (byValue !== 0) return byValue;
    if (rank(x) === 2) return x < y ? -1 : 1;
  }
  return 0;
}

/** The time by which quota ends: after the clock was set far ahead it lags behind for a while (rule E7). */
export const believedMs = ({ timeMs, expiryLagMs, expiryLagUntilMs }: CellState): number =>
  timeMs >= expiryLagUntilMs ? timeMs : timeMs - expiryLagMs;
