/** Claims that are planned and not yet decided, found by task, machine, job and transaction. The mirror lays them on and lifts them off. */
import { type InstanceId, instanceId, type JobId, type MachineId, type TaskId } from "../base/id.ts";
import type { Vector } from "../base/vector.ts";
import { newPlace } from "../cell/place.ts";
import type { Instance, Place, Stop, Task } from "../cell/state.ts";

export interface Underway {
  readonly transaction: string;
  readonly task: Task;
  /** What the task will have if the claim is accepted; it is on its place, but not yet the task's. */
  readonly instance: Instance;
  readonly victims: readonly InstanceId[];
  /** Victims that were taken out of the sums for it, while it lies on the mirror. */
  readonly marked: Instance[];
}

export class Ledger {
  readonly #byTask = new Map<TaskId, Underway>();
  /** Few on each, so that a list is enough. */
  readonly #onMachine = new Map<MachineId, Underway[]>();
  readonly #ofJob = new Map<JobId, Set<Underway>>();
  readonly #ofTransaction = new Map<string, Set<Underway>>();

  get size(): number {
    return this.#byTask.size;
  }

  add(claim: Underway): void {
    this.#byTask.set(claim.task.id, claim);
    const machine = claim.instance.place.machine.id;
    const there = this.#onMachine.get(machine);
    if (there === undefined) this.#onMachine.set(machine, [claim]);
    else there.push(claim);
    addTo(this.#ofJob, claim.task.job.id, claim);
    addTo(this.#ofTransaction, claim.transaction, claim);
  }

  remove(claim: Underway): void {
    this.#byTask.delete(claim.task.id);
    const machine = claim.instance.place.machine.id;
    const there = this.#onMachine.get(machine) ?? [];
    if (there.length > 1) there.splice(there.indexOf(claim), 1);
    else this.#onMachine.delete(machine);
    removeFrom(this.#ofJob, claim.task.job.id, claim);
    removeFrom(this.#ofTransaction, claim.transaction, claim);
  }

  clear(): void {
    for (const index of [this.#byTask, this.#onMachine, this.#ofJob, this.#ofTransaction]) index.clear();
  }

  of(task: TaskId): Underway | undefined {
    return this.#byTask.get(task);
  }

  onMachine(machine: MachineId): Iterable<Underway> {
    return this.#onMachine.get(machine) ?? NONE;
  }

  ofJob(job: JobId): Iterable<Underway> {
    return this.#ofJob.get(job) ?? NONE;
  }

  ofTransaction(transaction: string): readonly Underway[] {
    return [...(this.#ofTransaction.get(transaction) ?? NONE)];
  }
}

const NONE: readonly Underway[] = [];

function addTo<Key>(index: Map<Key, Set<Underway>>, key: Key, claim: Underway): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([claim]));
  else known.add(claim);
}

function removeFrom<Key>(index: Map<Key, Set<Underway>>, key: Key, claim: Underway): void {
  const known = index.get(key);
  known?.delete(claim);
  if (known?.size === 0) index.delete(key);
}

const NO_PORTS: readonly number[] = [];

/** What a claim would make. Its port numbers are not known, but how many there are. */
export function plannedInstance(scheduler: string, task: Task, place: Place, limit: Vector, timeMs: number): Instance {
  const id = instanceId(task.id, task.incarnation);
  const ports = limit.ports === 0 ? NO_PORTS : new Array<number>(limit.ports).fill(0);
  return {
    id,
    task,
    incarnation: task.incarnation,
    place,
    priority: task.job.priority,
    limit,
    reclaimable: false,
    noticeMs: 0,
    reservation: limit,
    ports,
    scheduler,
    placedMs: timeMs,
    startedMs: 0,
    run: 0,
    health: "unknown",
    overRam: false,
    stop: undefined,
    inside: task.job.spec.kind === "alloc-set" ? newPlace(id, place.machine, limit, ports) : undefined,
  };
}

export const plannedStop = (preemptor: InstanceId, timeMs: number): Stop => ({ cause: "preemption", timeMs, noticeMs: 0, preemptor });
