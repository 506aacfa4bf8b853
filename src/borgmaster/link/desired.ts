/** What should be on each machine, as the change feed tells it: a link shard's own copy of just what borglets need to know. */
import { type InstanceId, instanceId, isInstance, type JobId, type MachineId, taskId } from "../../base/id.ts";
import type { FeedItem, Removed } from "../../cell/feed.ts";
import type { FeedRecord } from "../../wire/gen/borg/v1/feed_pb.ts";
import type { CellConfig, LinkPartition } from "../../wire/gen/borg/v1/op_pb.ts";
import {
  type CellSettings,
  type InstanceRecord,
  type JobRecord,
  type MachineRecord,
  type TaskRecord,
  TaskState,
  type TasksRecord,
} from "../../wire/gen/borg/v1/record_pb.ts";
import type { JobSpec } from "../../wire/gen/borg/v1/spec_pb.ts";

/** One instance that the cell knows on a machine. */
export interface Wanted {
  readonly id: InstanceId;
  readonly job: JobId;
  readonly index: number;
  readonly machine: MachineId;
  readonly state: TaskState;
  /** Failed runs of its task so far. */
  readonly failedRuns: number;
  readonly record: InstanceRecord;
  /** What a framework launched it with. */
  readonly launched: JobSpec | undefined;
}

/** Jobs whose request is remembered, for logs; the oldest is forgotten first. */
const TRACES_MAX = 10_000;

interface NamedSpec {
  readonly generation: number;
  readonly spec: JobSpec;
}

interface Alloc {
  readonly machine: MachineId;
  readonly record: InstanceRecord;
}

export class Desired {
  readonly machines = new Map<MachineId, MachineRecord>();
  /** What a spec that is silent means in this cell. */
  config: CellConfig | undefined;
  version = 1;
  /** Which shards share the machines; undefined: the leader's has all. */
  links: LinkPartition | undefined;
  /** By job and generation, the newest first. */
  readonly #specs = new Map<JobId, readonly NamedSpec[]>();
  readonly #traces = new Map<JobId, string>();
  /** Processes by machine; allocs have none, so they are not here. */
  readonly #wanted = new Map<MachineId, Map<InstanceId, Wanted>>();
  readonly #allocs = new Map<InstanceId, Alloc>();
  /** The instance each task has, so that a changed task's old one is found. */
  readonly #byTask = new Map<string, { readonly id: InstanceId; readonly machine: MachineId }>();

  /** Machines on which something changed. */
  fill(records: Iterable<FeedRecord>): Set<MachineId> {
    const touched = new Set<MachineId>();
    const later: TasksRecord[] = [];
    for (const { body } of records) {
      if (body.case === "cell") this.#fillCell(body.value);
      if (body.case === "machine") this.#fillMachine(body.value);
      if (body.case === "job") this.#fillJob(body.value);
      if (body.case === "tasks" && this.#fillTasks(body.value, false, touched)) later.push(body.value);
    }
    // Allocs first: what runs inside them finds its machine through them.
    for (const tasks of later) this.#fillTasks(tasks, true, touched);
    return touched;
  }

  follow(item: FeedItem): Set<MachineId> {
    const touched = this.fill(item.records);
    for (const { job, trace } of item.traces ?? []) this.#trace(job, trace);
    for (const removed of item.removed) this.#remove(removed, touched);
    return touched;
  }

  on(machine: MachineId): ReadonlyMap<InstanceId, Wanted> {
    return this.#wanted.get(machine) ?? NOTHING;
  }

  /** What an instance has to run. */
  specOf({ job, record, launched }: Wanted): JobSpec | undefined {
    return launched ?? this.#specs.get(job)?.find(({ generation }) => generation === record.generation)?.spec;
  }

  /** The alloc that an instance is in. */
  allocOf({ record }: Wanted): InstanceRecord | undefined {
    return isInstance(record.place) ? this.#allocs.get(record.place)?.record : undefined;
  }

  /** Whether a machine has, or is to have, an alloc: also one that stops, until it is gone. */
  hasAlloc(machine: string, alloc: string): boolean {
    return this.#allocs.get(alloc as InstanceId)?.machine === machine;
  }

  /** Whether the directory of an alloc that is gone stays. */
  keeps(machine: string, alloc: string): boolean {
    return this.machines.get(machine as MachineId)?.directories.some((each) => each.alloc === alloc) ?? false;
  }

  #fillCell({ config, version, links }: CellSettings): void {
    this.config = config;
    this.links = links;
    this.version = version;
  }

  #fillJob({ spec, generation, kept, update }: JobRecord): void {
    if (spec.case !== "job") return;
    const named = [
      { generation, spec: spec.value },
      ...(update?.spec === undefined ? [] : [{ generation: update.generation, spec: update.spec }]),
      ...kept.flatMap((each) => (each.spec.case === "job" ? [{ generation: each.generation, spec: each.spec.value }] : [])),
    ];
    this.#specs.set(`${spec.value.user}/${spec.value.name}` as JobId, named);
  }

  /** Facts that did not change are not sent again. */
  #fillMachine(record: MachineRecord): void {
    const id = record.name as MachineId;
    const facts = record.facts ?? this.machines.get(id)?.facts;
    this.machines.set(id, facts === undefined || facts === record.facts ? record : { ...record, facts });
  }

  /** Whether there are others, inside an alloc or not. */
  #fillTasks({ job, first, tasks }: TasksRecord, inside: boolean, touched: Set<MachineId>): boolean {
    let others = false;
    for (const [i, task] of tasks.entries()) {
      const isInside = task.instance !== undefined && isInstance(task.instance.place);
      if (isInside === inside) this.#fillTask(job as JobId, first + i, task, touched);
      else others = true;
    }
    return others;
  }

  #fillTask(job: JobId, index: number, task: TaskRecord, touched: Set<MachineId>): void {
    const name = taskId(job, index);
    this.#drop(name, touched);
    const record = task.instance;
    if (record === undefined) return;
    const id = instanceId(name, record.incarnation);
    const machine = isInstance(record.place) ? this.#allocs.get(record.place)?.machine : (record.place as MachineId);
    if (machine === undefined) return;
    this.#byTask.set(name, { id, machine });
    if (record.alloc) {
      this.#allocs.set(id, { machine, record });
      return;
    }
    const wanted = this.#wanted.get(machine) ?? new Map<InstanceId, Wanted>();
    const { state, failedRuns } = task;
    this.#wanted.set(machine, wanted.set(id, { id, job, index, machine, state, failedRuns, record, launched: task.launched?.spec }));
    touched.add(machine);
  }

  #drop(name: string, touched: Set<MachineId>): void {
    const old = this.#byTask.get(name);
    if (old === undefined) return;
    this.#byTask.delete(name);
    if (this.#allocs.delete(old.id)) touched.add(old.machine);
    if (this.#wanted.get(old.machine)?.delete(old.id)) touched.add(old.machine);
  }

  /** The request that its job goes back to; empty: that is not known here any more. */
  traceOf({ job }: Wanted): string {
    return this.#traces.get(job) ?? "";
  }

  #trace(job: JobId, trace: string): void {
    this.#traces.delete(job);
    if (this.#traces.size >= TRACES_MAX) this.#traces.delete(this.#traces.keys().next().value as JobId);
    this.#traces.set(job, trace);
  }

  #remove(removed: Removed, touched: Set<MachineId>): void {
    if (removed.kind === "task") this.#drop(removed.id, touched);
    if (removed.kind === "job") {
      this.#specs.delete(removed.id);
      this.#traces.delete(removed.id);
    }
    if (removed.kind === "machine") {
      this.machines.delete(removed.id);
      this.#wanted.delete(removed.id);
    }
  }
}

const NOTHING: ReadonlyMap<InstanceId, Wanted> = new Map();

export const isStopping = (wanted: Wanted): boolean => wanted.record.stop !== undefined;

export const isStarting = (wanted: Wanted): boolean => wanted.state === TaskState.STARTING;
