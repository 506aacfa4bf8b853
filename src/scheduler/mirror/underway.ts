/** Claims that are planned and not yet decided, found by task, machine and transaction. The mirror lays them on and lifts them off. */

import type { InstanceId, MachineId, TaskId } from "../../base/id.ts";
import type { Vector } from "../../base/vector.ts";
import { type Device, devicesFor, NO_DEVICES } from "../../cell/device.ts";
import { faceOf, generationOf } from "../../cell/face.ts";
import { newInstance } from "../../cell/instance.ts";
import { hasLimit, isCountedAlike } from "../../cell/record/read.ts";
import { isAllocSet } from "../../cell/spec.ts";
import type { Instance, Place, Stop, Task } from "../../cell/state.ts";
import type { InstanceRecord } from "../../wire/gen/borg/v1/record_pb.ts";

/** What an item says of a task's instance: read after all jobs and tasks, and what is in allocs last. */
export interface Later {
  readonly task: Task;
  readonly record: InstanceRecord;
}

export interface Underway {
  readonly transaction: string;
  readonly task: Task;
  /** What the task will have if the claim is accepted; it is on its place, but not yet the task's. */
  readonly instance: Instance;
  readonly victims: readonly InstanceId[];
  /** Victims that were taken out of the sums for it, while it lies on the mirror. */
  readonly marked: Instance[];
  isLaid: boolean;
}

export function underwayOf(transaction: string, instance: Instance, victims: readonly Instance[]): Underway {
  const { task } = instance;
  if (victims.length === 0) return { transaction, task, instance, victims: NOBODY, marked: NOT_MARKED, isLaid: false };
  return { transaction, task, instance, victims: victims.map(({ id }) => id), marked: [], isLaid: false };
}

/** For claims without victims, which is most. */
const NOBODY: readonly InstanceId[] = [];
const NOT_MARKED: Instance[] = [];

/** Whether nobody else is concerned: it has no victims, is no alloc and goes into none. */
export const isAlone = ({ instance, victims }: Underway): boolean =>
  victims.length === 0 && instance.inside === undefined && instance.place === instance.place.machine.place;

/** Whether the feed shows just what is planned: then everything that counts is counted already. */
export function isAsPlanned(claim: Underway, record: InstanceRecord | undefined): boolean {
  const { instance } = claim;
  if (record === undefined || !isAlone(claim) || record.place !== instance.place.id) return false;
  if (record.incarnation !== instance.incarnation || record.priority !== instance.priority) return false;
  if (!isSame(record.devices, instance.devices)) return false;
  return record.scheduler === instance.scheduler && hasLimit(record, instance.limit) && isCountedAlike(instance, record);
}

const isSame = (a: readonly Device[], b: readonly Device[]): boolean =>
  a.length === b.length &&
  a.every(({ name, number, amount }, i) => b[i]?.name === name && b[i].number === number && b[i].amount === amount);

/** Claims that were sent together, the decided ones too; how many are not. */
interface Sent {
  readonly claims: Underway[];
  open: number;
}

export class Ledger {
  readonly #byTask = new Map<TaskId, Underway>();
  /** Few on each, so that a list is enough. */
  readonly #onMachine = new Map<MachineId, Underway[]>();
  readonly #ofTransaction = new Map<string, Sent>();

  get size(): number {
    return this.#byTask.size;
  }

  add(claim: Underway): void {
    this.#byTask.set(claim.task.id, claim);
    const machine = claim.instance.place.machine.id;
    const there = this.#onMachine.get(machine);
    if (there === undefined) this.#onMachine.set(machine, [claim]);
    else there.push(claim);
    const sent = this.#ofTransaction.get(claim.transaction);
    if (sent === undefined) {
      this.#ofTransaction.set(claim.transaction, { claims: [claim], open: 1 });
    } else {
      sent.claims.push(claim);
      sent.open += 1;
    }
  }

  remove(claim: Underway): void {
    this.#byTask.delete(claim.task.id);
    const machine = claim.instance.place.machine.id;
    const there = this.#onMachine.get(machine) ?? [];
    if (there.length > 1) there.splice(there.indexOf(claim), 1);
    else this.#onMachine.delete(machine);
    const sent = this.#ofTransaction.get(claim.transaction);
    if (sent === undefined) return;
    sent.open -= 1;
    if (sent.open === 0) this.#ofTransaction.delete(claim.transaction);
  }

  clear(): void {
    for (const index of [this.#byTask, this.#onMachine, this.#ofTransaction]) index.clear();
  }

  of(task: TaskId): Underway | undefined {
    return this.#byTask.size === 0 ? undefined : this.#byTask.get(task);
  }

  onMachine(machine: MachineId): Iterable<Underway> {
    return this.#onMachine.get(machine) ?? NONE;
  }

  ofTransaction(transaction: string): readonly Underway[] {
    return (this.#ofTransaction.get(transaction)?.claims ?? NONE).filter((claim) => this.#byTask.get(claim.task.id) === claim);
  }
}

const NONE: readonly Underway[] = [];

const NO_PORTS: readonly number[] = [];

/** What a claim would make. Its port numbers are not known, but how many there are; its devices are those that the cell would give it now. */
export function plannedInstance(
  scheduler: string,
  task: Task,
  place: Place,
  limit: Vector,
  timeMs: number,
  victims: readonly Instance[],
): Instance {
  const found = devicesFor(place, limit, { gone: (instance) => victims.includes(instance), taken: NO_DEVICES });
  const ports = limit.ports === 0 ? NO_PORTS : new Array<number>(limit.ports).fill(0);
  const { incarnation } = task;
  const { priority } = faceOf(task);
  const placing = {
    task,
    generation: generationOf(task),
    incarnation,
    place,
    priority,
    limit,
    reclaimable: false,
    noticeMs: 0,
    lameDuckMs: 0,
    ports,
    devices: typeof found === "string" ? NO_DEVICES : found,
    scheduler,
    placedMs: timeMs,
  };
  return newInstance(placing, isAllocSet(task.job));
}

export const plannedStop = (preemptor: InstanceId, timeMs: number): Stop => ({
  cause: "preemption",
  timeMs,
  noticeMs: 0,
  lameDuckMs: 0,
  preemptor,
});
