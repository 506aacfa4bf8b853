/**
 * Which records an entry changed. Whoever changes a record says so here, at the place where it changes it; what is told to people (events) is
 * another matter. A record is named once per entry, however often it changed.
 */
import type { JobId, MachineId, UserId } from "../base/id.ts";
import type { FrameworkRole } from "../wire/gen/borg/v1/op_pb.ts";
import type { Instance, Job, Machine, Scheduler, Task, User } from "./state.ts";

export class Touched {
  /** Name, version, configuration, or what expires when; never position, time or the count of incarnations, which every entry may move. */
  isCell = false;
  readonly users = new Set<UserId>();
  readonly schedulers = new Set<string>();
  readonly roles = new Set<string>();
  readonly machines = new Set<MachineId>();
  /** Of these also what they are made of: a machine's facts are most of its record and rarely change. */
  readonly facts = new Set<MachineId>();
  readonly jobs = new Set<JobId>();
  /** By job, so that a job's tasks travel together; those of a removed task too. */
  readonly tasks = new Map<JobId, Set<number>>();

  cell(): void {
    this.isCell = true;
  }

  user({ id }: User): void {
    this.users.add(id);
  }

  scheduler({ name }: Scheduler): void {
    this.schedulers.add(name);
  }

  role({ name }: FrameworkRole): void {
    this.roles.add(name);
  }

  machine({ id }: Machine): void {
    this.machines.add(id);
  }

  factsOf(machine: Machine): void {
    this.facts.add(machine.id);
    this.machine(machine);
  }

  job({ id }: Job): void {
    this.jobs.add(id);
  }

  /** Also when its instance changed: that is part of its record. */
  task({ job, index }: Task): void {
    const indexes = this.tasks.get(job.id);
    if (indexes === undefined) this.tasks.set(job.id, new Set([index]));
    else indexes.add(index);
  }

  instance({ task }: Instance): void {
    this.task(task);
  }
}
