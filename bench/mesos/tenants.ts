/**
 * The paper's four frameworks (Mesos §6.1.1): two of Hadoop, Spark, and MPI jobs under Torque. Each knows its own jobs and says what it does with an offer. What they
 * are given is in inputs.ts.
 */
import type { MachineId } from "../../src/base/id.ts";
import type { Random } from "../../src/base/random.ts";
import type { Vector } from "../../src/base/vector.ts";
import { amount, type Cluster, type Running, type Tenant } from "./cluster.ts";
import { type BinInputs, MACRO_INPUTS as INPUTS, type TaskInputs } from "./inputs.ts";

/** A job that is over: which kind it was, and how long it took from when it was submitted. */
export interface Done {
  readonly kind: string;
  readonly ms: number;
}

export type SpeedOf = (machine: MachineId) => number;

abstract class Framework implements Tenant {
  readonly id: string;
  readonly weight = 1;
  readonly task: Vector;
  readonly done: Done[] = [];
  protected readonly speedOf: SpeedOf;
  readonly #inputs: TaskInputs;
  #cluster: Cluster | undefined;

  constructor(id: string, inputs: TaskInputs, speedOf: SpeedOf) {
    this.id = id;
    this.#inputs = inputs;
    this.speedOf = speedOf;
    this.task = amount(inputs.cpus, inputs.ram);
  }

  protected get cluster(): Cluster {
    return this.#cluster as Cluster;
  }

  begin(cluster: Cluster): void {
    this.#cluster = cluster;
    this.started();
  }

  protected running(machine: MachineId, cpuUsed = this.#inputs.cpuUsed): Running {
    const { cpus, ram, ramUsed } = this.#inputs;
    return { tenant: this, machine, cpuUsed: cpuUsed * cpus, ramUsed: ramUsed * ram };
  }

  /** It ends by itself after about so long, sooner or later by chance and by its machine. */
  protected lasting(running: Running, ms: number): Running {
    const factor = 1 + INPUTS.jitter * (2 * this.cluster.random.float() - 1);
    this.cluster.endAt(running, this.cluster.nowMs + (ms * factor) / this.speedOf(running.machine));
    return running;
  }

  abstract readonly wants: boolean;
  abstract readonly isOver: boolean;
  protected abstract started(): void;
  abstract take(machine: MachineId): Running | undefined;
  abstract ended(running: Running): void;
  abstract woken(): void;
}

interface Phase {
  readonly tasks: number;
  readonly ms: number;
}

/** Tasks of one phase must be over before those of the next begin. */
class HadoopJob {
  readonly kind: string;
  readonly cpuUsed: number;
  readonly submitMs: number;
  readonly #phases: readonly Phase[];
  #phase = 0;
  #begun = 0;
  running = 0;

  constructor(kind: string, cpuUsed: number, phases: readonly Phase[], submitMs: number) {
    this.kind = kind;
    this.cpuUsed = cpuUsed;
    this.#phases = phases.filter(({ tasks }) => tasks > 0);
    this.submitMs = submitMs;
  }

  get hasTask(): boolean {
    return this.#begun < (this.#phases[this.#phase]?.tasks ?? 0);
  }

  get isOver(): boolean {
    return this.#phase === this.#phases.length;
  }

  /** How long it takes. */
  begin(): number {
    this.#begun += 1;
    this.running += 1;
    return this.#phases[this.#phase]?.ms ?? 0;
  }

  end(): void {
    this.running -= 1;
    if (this.running > 0 || this.hasTask) return;
    this.#phase += 1;
    this.#begun = 0;
  }
}

/** Hadoop with fair sharing between its jobs: the one with the fewest running tasks is served first. */
class Hadoop extends Framework {
  /** To be submitted, the first first. */
  readonly #later: HadoopJob[];
  readonly #jobs: HadoopJob[] = [];
  readonly #jobOf = new Map<Running, HadoopJob>();
  /** Each is submitted when the one before is over, not at a time of its own. */
  readonly #isSeries: boolean;

  constructor(id: string, inputs: TaskInputs, jobs: readonly HadoopJob[], speedOf: SpeedOf, isSeries: boolean) {
    super(id, inputs, speedOf);
    this.#later = [...jobs];
    this.#isSeries = isSeries;
  }

  get wants(): boolean {
    return this.#jobs.some(({ hasTask }) => hasTask);
  }

  get isOver(): boolean {
    return this.#later.length === 0 && this.#jobs.length === 0;
  }

  protected started(): void {
    if (this.#isSeries) this.cluster.wakeAt(this, INPUTS.setupMs);
    else for (const { submitMs } of this.#later) this.cluster.wakeAt(this, submitMs + INPUTS.setupMs);
  }

  woken(): void {
    const job = this.#later.shift();
    if (job !== undefined) this.#jobs.push(job);
  }

  take(machine: MachineId): Running | undefined {
    const able = this.#jobs.filter(({ hasTask }) => hasTask);
    const first = able[0];
    if (first === undefined) return undefined;
    const job = able.reduce((least, each) => (each.running < least.running ? each : least), first);
    const running = this.lasting(this.running(machine, job.cpuUsed), job.begin());
    this.#jobOf.set(running, job);
    return running;
  }

  ended(running: Running): void {
    const job = this.#jobOf.get(running) as HadoopJob;
    this.#jobOf.delete(running);
    job.end();
    if (!job.isOver) return;
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    const sinceMs = this.#isSeries ? this.#seriesMs : job.submitMs;
    this.done.push({ kind: job.kind, ms: this.cluster.nowMs - sinceMs });
    if (!this.#isSeries) return;
    this.#seriesMs = this.cluster.nowMs;
    if (this.#later.length > 0) this.cluster.wakeAt(this, this.cluster.nowMs + INPUTS.setupMs);
  }

  /** When the running job of a series was submitted. */
  #seriesMs = 0;
}

/** Iterations over data that stays in the memory of machines; between two of them nothing runs. It waits so long for a machine with its data. */
class Spark extends Framework {
  readonly #waitMs: number;
  #warmMs = 0;
  #jobs = 0;
  #submitMs = 0;
  #iteration = 0;
  #waiting = new Set<number>();
  #running = 0;
  /** Which parts a machine has read, in this job. */
  readonly #cached = new Map<MachineId, Set<number>>();
  #isPaused = false;
  /** Tasks that found nothing of their part in memory; the first iteration of every job must. */
  cold = 0;

  constructor(speedOf: SpeedOf, waitMs: number) {
    super("spark", INPUTS.spark, speedOf);
    this.#waitMs = waitMs;
  }

  get wants(): boolean {
    return this.#waiting.size > 0;
  }

  get isOver(): boolean {
    return this.#jobs === INPUTS.spark.jobs;
  }

  protected started(): void {
    this.#submit();
  }

  #submit(): void {
    this.#submitMs = this.cluster.nowMs;
    this.#iteration = 0;
    this.#cached.clear();
    this.#fill();
  }

  #fill(): void {
    this.#warmMs = this.cluster.nowMs;
    this.#waiting = new Set(Array.from({ length: INPUTS.spark.parts }, (_, part) => part));
  }

  take(machine: MachineId): Running | undefined {
    const there = this.#cached.get(machine) ?? new Set<number>();
    const warm = [...there].find((part) => this.#waiting.has(part));
    const [first] = this.#waiting;
    const part = warm ?? first;
    if (part === undefined) return undefined;
    const { nowMs } = this.cluster;
    if (warm === undefined && this.#iteration > 0 && nowMs - this.#warmMs < this.#waitMs) return undefined;
    if (warm !== undefined) this.#warmMs = nowMs;
    this.#waiting.delete(part);
    this.#running += 1;
    this.#cached.set(machine, there.add(part));
    this.cold += warm === undefined ? 1 : 0;
    return this.lasting(this.running(machine), INPUTS.spark.taskMs * (warm === undefined ? INPUTS.spark.coldFactor : 1));
  }

  ended(): void {
    this.#running -= 1;
    if (this.#running > 0 || this.#waiting.size > 0) return;
    this.cluster.wakeAt(this, this.cluster.nowMs + INPUTS.spark.broadcastMs);
  }

  /** All nodes have the new parameters, or the pause between two jobs is over. */
  woken(): void {
    if (this.#isPaused) {
      this.#isPaused = false;
      return this.#submit();
    }
    this.#iteration += 1;
    if (this.#iteration < INPUTS.spark.iterations) return this.#fill();
    this.done.push({ kind: "als", ms: this.cluster.nowMs - this.#submitMs });
    this.#jobs += 1;
    this.#isPaused = true;
    if (!this.isOver) this.cluster.wakeAt(this, this.cluster.nowMs + INPUTS.spark.pauseMs);
  }
}

/** All tasks of an MPI job begin together, and it runs as slowly as its slowest machine. */
interface Gang {
  readonly kind: string;
  readonly ms: number;
  readonly submitMs: number;
  readonly held: Running[];
  left: number;
}

class Torque extends Framework {
  readonly #queue: Gang[] = [];
  readonly #gangOf = new Map<Running, Gang>();
  #submitted = 0;
  #over = 0;

  get wants(): boolean {
    return this.#queue.length > 0;
  }

  get isOver(): boolean {
    return this.#over === INPUTS.torque.sizes.length;
  }

  protected started(): void {
    for (let i = 0; i < INPUTS.torque.sizes.length; i++) this.cluster.wakeAt(this, i * INPUTS.torque.gapMs);
  }

  woken(): void {
    const { sizes, smallMs, largeMs, tasks } = INPUTS.torque;
    const isSmall = sizes[this.#submitted] === "S";
    this.#submitted += 1;
    const [kind, ms] = isSmall ? ["small", smallMs] : ["large", largeMs];
    this.#queue.push({ kind: kind as string, ms: ms as number, submitMs: this.cluster.nowMs, held: [], left: tasks });
  }

  take(machine: MachineId): Running | undefined {
    const [gang] = this.#queue;
    if (gang === undefined) return undefined;
    const running = this.running(machine);
    gang.held.push(running);
    this.#gangOf.set(running, gang);
    if (gang.held.length === INPUTS.torque.tasks) this.#run(gang);
    return running;
  }

  #run({ held, ms }: Gang): void {
    this.#queue.shift();
    const slowest = Math.min(...held.map(({ machine }) => this.speedOf(machine)));
    for (const running of held) this.cluster.endAt(running, this.cluster.nowMs + ms / slowest);
  }

  ended(running: Running): void {
    const gang = this.#gangOf.get(running) as Gang;
    this.#gangOf.delete(running);
    gang.left -= 1;
    if (gang.left > 0) return;
    this.#over += 1;
    this.done.push({ kind: gang.kind, ms: this.cluster.nowMs - gang.submitMs });
  }
}

/** The jobs of Table 3 in random order, with random gaps of the given mean. */
function facebookJobs(random: Random): readonly HadoopJob[] {
  const { bins, meanGapMs } = INPUTS.facebook;
  const order: readonly BinInputs[] = random.shuffle(bins.flatMap((bin) => Array.from({ length: bin.jobs }, () => bin)));
  let atMs = 0;
  return order.map(({ name, cpuUsed, steps, mapMs, reduceMs }) => {
    const phases = steps.flatMap(({ maps, reduces }) => [
      { tasks: maps, ms: mapMs },
      { tasks: reduces, ms: reduceMs },
    ]);
    const job = new HadoopJob(name, cpuUsed, phases, Math.round(atMs));
    atMs -= Math.log(1 - random.float()) * meanGapMs;
    return job;
  });
}

const NAMES = ["facebook", "large", "spark", "torque"] as const;
export type Name = (typeof NAMES)[number];
export const TENANT_NAMES: readonly Name[] = NAMES;

export type Played = Tenant & { readonly done: readonly Done[]; readonly cold?: number };

/** The same jobs at the same times for the same seed, however they share. */
export function tenants(random: Random, speedOf: SpeedOf, sparkWaitMs: number): readonly Played[] {
  const { facebook, large, torque } = INPUTS;
  const series = Array.from(
    { length: large.jobs },
    () => new HadoopJob("search", large.cpuUsed, [{ tasks: large.tasks, ms: large.taskMs }], 0),
  );
  return [
    new Hadoop("facebook", facebook, facebookJobs(random), speedOf, false),
    new Hadoop("large", large, series, speedOf, true),
    new Spark(speedOf, sparkWaitMs),
    new Torque("torque", torque, speedOf),
  ];
}
