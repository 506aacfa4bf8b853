/** A scheduler's copy of the cell, as the feed tells it: machines with what is free, everybody's tasks, and the MapReduce jobs that are ours. It asks nobody anything. */
import type { Idle } from "./policy.ts";

/** As JSON has it: fields that are zero are left out. Specs and facts count in bytes, records of tasks in KiB. */
interface Limit {
  readonly cpuMilli?: number;
  readonly ramBytes?: number | string;
  readonly diskBytes?: number | string;
}

interface Amounts {
  readonly cpu?: number;
  readonly ram?: number;
  readonly disk?: number;
}

interface JobSpec {
  readonly user: string;
  readonly name: string;
  readonly count?: number;
  readonly scheduler?: string;
  readonly labels?: readonly { readonly key: string; readonly value?: string }[];
  readonly task: { readonly limit?: Limit };
}

interface TaskRecord {
  readonly state?: string;
  readonly incarnation?: number;
  readonly instance?: { readonly place?: string; readonly limit?: Amounts; readonly reservation?: Amounts };
}

export interface Record {
  readonly machine?: {
    readonly name: string;
    readonly facts?: { readonly capacity?: Limit };
    readonly approval?: { readonly capacity?: Limit };
    readonly reachable?: boolean;
    readonly draining?: boolean;
  };
  readonly job?: { readonly job?: JobSpec; readonly count?: number; readonly killed?: boolean };
  readonly tasks?: { readonly job: string; readonly first?: number; readonly tasks?: readonly TaskRecord[] };
}

interface Removed {
  readonly kind: string;
  readonly id: string;
}

export interface Answer {
  readonly items?: readonly { readonly records?: readonly Record[]; readonly removed?: readonly Removed[] }[];
  readonly piece?: readonly Record[];
  readonly next?: number;
  readonly anew?: boolean;
  readonly more?: string;
  readonly verdicts?: readonly { readonly task: string; readonly refusal?: string }[];
}

type Vector = readonly [cpu: number, ram: number, disk: number];

const KIB = 1024;
const inKib = ({ cpuMilli = 0, ramBytes = 0, diskBytes = 0 }: Limit = {}): Vector => [
  cpuMilli,
  Math.ceil(Number(ramBytes) / KIB),
  Math.ceil(Number(diskBytes) / KIB),
];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const fits = (need: Vector, room: Vector): boolean => need.every((amount, i) => amount <= (room[i] as number));

interface Ours {
  readonly id: string;
  /** The same for all runs of one job: what is learned of one is used for the next. */
  readonly family: string;
  readonly asked: number;
  readonly count: number;
  readonly maps: number;
  readonly reduces: number;
  readonly need: Vector;
  readonly isKilled: boolean;
}

export interface KnownJob extends Ours {
  readonly running: number;
  readonly isOver: boolean;
}

export interface Claim {
  readonly task: string;
  readonly incarnation: number;
  readonly place: string;
}

interface Task {
  readonly job: string;
  readonly state: string;
  readonly incarnation: number;
  readonly machine: string;
  readonly held: Vector;
}

const PENDING = "TASK_STATE_PENDING";
const DEAD = "TASK_STATE_DEAD";
/** A label that is no such number counts as this. */
const ACTIVITIES_MAX = 1_000_000;

export class Copy {
  readonly #scheduler: string;
  readonly #machines = new Map<string, { readonly told: Vector; readonly counts: Vector; readonly isUp: boolean }>();
  readonly #jobs = new Map<string, Ours>();
  readonly #tasks = new Map<string, Task>();

  constructor(scheduler: string) {
    this.#scheduler = scheduler;
  }

  clear(): void {
    for (const map of [this.#machines, this.#jobs, this.#tasks]) map.clear();
  }

  learn({ machine, job, tasks }: Record): void {
    if (machine !== undefined) this.#learnMachine(machine);
    const spec = job?.job;
    if (spec?.scheduler === this.#scheduler) {
      const ours = oursOf(spec, job?.count ?? spec.count ?? 1, job?.killed === true);
      this.#jobs.set(ours.id, ours);
    }
    for (const [i, { state = "", incarnation = 0, instance }] of (tasks?.tasks ?? []).entries()) {
      const { cpu = 0, ram = 0, disk = 0 } = instance?.reservation ?? instance?.limit ?? {};
      const id = `${tasks?.job}/${(tasks?.first ?? 0) + i}`;
      this.#tasks.set(id, { job: tasks?.job ?? "", state, incarnation, machine: instance?.place ?? "", held: [cpu, ram, disk] });
    }
  }

  /** Facts are told when they changed; of a machine from elsewhere no more counts than was approved. */
  #learnMachine({ name, facts, approval, reachable, draining }: NonNullable<Record["machine"]>): void {
    const told = facts === undefined ? this.#machines.get(name)?.told : inKib(facts.capacity);
    if (told === undefined) return;
    const most = approval === undefined ? told : inKib(approval.capacity);
    const counts: Vector = [Math.min(told[0], most[0]), Math.min(told[1], most[1]), Math.min(told[2], most[2])];
    this.#machines.set(name, { told, counts, isUp: reachable === true && draining !== true });
  }

  forget({ kind, id }: Removed): void {
    if (kind === "REMOVED_KIND_MACHINE") this.#machines.delete(id);
    if (kind === "REMOVED_KIND_TASK") this.#tasks.delete(id);
    if (kind !== "REMOVED_KIND_JOB") return;
    this.#jobs.delete(id);
    for (const name of this.#tasks.keys()) if (name.startsWith(`${id}/`)) this.#tasks.delete(name);
  }

  jobs(): readonly KnownJob[] {
    const [running, living] = [new Map<string, number>(), new Set<string>()];
    for (const { job, state } of this.#tasks.values()) {
      if (state === "TASK_STATE_RUNNING") running.set(job, (running.get(job) ?? 0) + 1);
      if (state !== DEAD) living.add(job);
    }
    return [...this.#jobs.values()].map((job) => ({
      ...job,
      running: running.get(job.id) ?? 0,
      isOver: job.isKilled || !living.has(job.id),
    }));
  }

  /** Somebody has a task that is not placed, and it is not one of ours. */
  get othersWait(): boolean {
    for (const { job, state } of this.#tasks.values()) if (state === PENDING && !this.#jobs.has(job)) return true;
    return false;
  }

  /** How many more workers of that job have room, beside those of ours that already wait. */
  idleFor({ need }: KnownJob, cap: number): Idle {
    const free = this.#free();
    for (const task of this.#tasks.values()) this.#take(free, task);
    let [workers, capacity, left] = [0, [0, 0, 0] as Vector, [0, 0, 0] as Vector];
    for (const [name, room] of free) {
      workers += perMachine(need, room);
      capacity = minus(capacity, minus([0, 0, 0], this.#machines.get(name)?.counts ?? [0, 0, 0]));
      left = minus(left, minus([0, 0, 0], room));
    }
    const belowCap = need.map((amount, i) =>
      amount === 0 ? Number.POSITIVE_INFINITY : Math.floor(((left[i] as number) - (1 - cap) * (capacity[i] as number)) / amount),
    );
    return { workers, workersBelowCap: Math.max(0, Math.min(...belowCap)) };
  }

  /** Places for our tasks that wait: first fit. */
  claims(most: number): readonly Claim[] {
    const free = this.#free();
    const claims: Claim[] = [];
    for (const [id, task] of this.#tasks) {
      if (claims.length === most) break;
      const place = this.#take(free, task);
      if (place !== undefined) claims.push({ task: id, incarnation: task.incarnation, place });
    }
    return claims;
  }

  /** Makes room for a task of ours that waits. */
  #take(free: Map<string, Vector>, { job, state }: Task): string | undefined {
    const ours = state === PENDING ? this.#jobs.get(job) : undefined;
    if (ours === undefined) return undefined;
    const found = [...free].find(([, room]) => fits(ours.need, room));
    if (found === undefined) return undefined;
    free.set(found[0], minus(found[1], ours.need));
    return found[0];
  }

  #free(): Map<string, Vector> {
    const free = new Map<string, Vector>();
    for (const [name, { counts, isUp }] of this.#machines) if (isUp) free.set(name, counts);
    for (const { machine, held } of this.#tasks.values()) {
      const room = free.get(machine);
      if (room !== undefined) free.set(machine, minus(room, held));
    }
    return free;
  }
}

function perMachine(need: Vector, room: Vector): number {
  const parts = need.map((amount, i) => (amount === 0 ? Number.POSITIVE_INFINITY : Math.floor((room[i] as number) / amount)));
  const least = Math.min(...parts);
  return Number.isFinite(least) ? Math.max(0, least) : 0;
}

/** Labels `maps` and `reduces` say how many activities there are; a job without them is not grown. Runs are of one family by the label `family`, or by their name without the number at its end. */
function oursOf({ user, name, count = 1, labels = [], task }: JobSpec, size: number, isKilled: boolean): Ours {
  const label = (key: string): string => labels.find((each) => each.key === key)?.value ?? "";
  const number = (key: string): number => (/^\d{1,7}$/.test(label(key)) ? Math.min(ACTIVITIES_MAX, Number(label(key))) : 0);
  return {
    id: `${user}/${name}`,
    family: `${user}/${label("family") || name.replace(/[-_.]?\d+$/, "")}`,
    asked: count,
    count: size,
    maps: number("maps"),
    reduces: number("reduces"),
    need: inKib(task.limit),
    isKilled,
  };
}
