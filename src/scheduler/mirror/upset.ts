/** Which claims under way the next item of the feed stirs up in a mirror: they cannot stay on it while the item is filled in. */
import { isInstance, type JobId, type MachineId, splitTask } from "../../base/id.ts";
import type { FeedItem } from "../../cell/feed.ts";
import type { Job, Task } from "../../cell/state.ts";
import type { InstanceRecord, TasksRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import { isAlone, isAsPlanned, type Ledger, type Underway } from "./underway.ts";

const NOBODY: ReadonlySet<Underway> = new Set();

export function upsetBy(item: FeedItem, jobs: ReadonlyMap<JobId, Job>, underway: Ledger): ReadonlySet<Underway> {
  if (underway.size === 0) return NOBODY;
  const upset = new Upset(jobs, underway);
  for (const { body } of item.records) {
    if (body.case === "machine") upset.machine(body.value.name as MachineId);
    if (body.case === "tasks") upset.tasks(body.value);
  }
  for (const removed of item.removed) {
    if (removed.kind === "machine") upset.removed(removed.id);
    else if (removed.kind === "job") for (const task of jobs.get(removed.id)?.tasks ?? []) upset.task(task);
    else {
      const { job, index } = splitTask(removed.id);
      upset.task(jobs.get(job)?.tasks[index]);
    }
  }
  return upset.lifted;
}

class Upset {
  readonly lifted = new Set<Underway>();
  readonly #jobs: ReadonlyMap<JobId, Job>;
  readonly #underway: Ledger;

  constructor(jobs: ReadonlyMap<JobId, Job>, underway: Ledger) {
    this.#jobs = jobs;
    this.#underway = underway;
  }

  tasks({ job, first, tasks }: TasksRecord): void {
    const known = this.#jobs.get(job as JobId)?.tasks;
    for (let i = 0; i < tasks.length; i++) {
      const instance = tasks[i]?.instance;
      this.task(known?.[first + i], instance);
      if (instance !== undefined && !isInstance(instance.place)) this.machine(instance.place as MachineId);
    }
  }

  /** `record`: what its instance is, if it has one. */
  task(task: Task | undefined, record?: InstanceRecord): void {
    if (task === undefined) return;
    if (task.instance !== undefined) this.machine(task.instance.place.machine.id);
    const claim = this.#underway.of(task.id);
    if (claim === undefined) return;
    this.machine(claim.instance.place.machine.id);
    if (!isAsPlanned(claim, record)) this.lifted.add(claim);
  }

  /** The item may speak of victims of a claim there, or of the alloc that it goes into. */
  machine(machine: MachineId): void {
    for (const claim of this.#underway.onMachine(machine)) if (!isAlone(claim)) this.lifted.add(claim);
  }

  removed(machine: MachineId): void {
    for (const claim of this.#underway.onMachine(machine)) this.lifted.add(claim);
  }
}
