/** What the next item of the feed stirs up in a mirror. */
import { isInstance, type JobId, type MachineId, splitTask } from "../../base/id.ts";
import type { FeedItem } from "../../cell/feed.ts";
import type { Job, Task } from "../../cell/state.ts";
import type { InstanceRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import { isAlone, isAsPlanned, type Ledger, type Underway } from "./underway.ts";

interface Upset {
  /** Machines on which it changes something. */
  readonly touched: ReadonlySet<MachineId>;
  /** Claims that cannot stay on the mirror while it is filled in. */
  readonly lifted: ReadonlySet<Underway>;
}

export function upsetBy(item: FeedItem, jobs: ReadonlyMap<JobId, Job>, underway: Ledger): Upset {
  const touched = new Set<MachineId>();
  const lifted = new Set<Underway>();
  const note = (task: Task | undefined, record?: InstanceRecord): void => {
    if (task?.instance !== undefined) touched.add(task.instance.place.machine.id);
    const claim = task === undefined ? undefined : underway.of(task.id);
    if (claim === undefined) return;
    touched.add(claim.instance.place.machine.id);
    if (!isAsPlanned(claim, record)) lifted.add(claim);
  };
  for (const { body } of item.records) {
    if (body.case === "machine") touched.add(body.value.name as MachineId);
    if (body.case !== "tasks") continue;
    const tasks = jobs.get(body.value.job as JobId)?.tasks;
    for (const [i, { instance }] of body.value.tasks.entries()) {
      note(tasks?.[body.value.first + i], instance);
      if (instance !== undefined && !isInstance(instance.place)) touched.add(instance.place as MachineId);
    }
  }
  for (const removed of item.removed) {
    if (removed.kind === "machine") {
      touched.add(removed.id);
      for (const claim of underway.onMachine(removed.id)) lifted.add(claim);
    } else if (removed.kind === "job") {
      for (const task of jobs.get(removed.id)?.tasks ?? []) note(task);
    } else {
      const { job, index } = splitTask(removed.id);
      note(jobs.get(job)?.tasks[index]);
    }
  }
  // The item may speak of its victims, or of the alloc that it goes into.
  for (const machine of touched) for (const claim of underway.onMachine(machine)) if (!isAlone(claim)) lifted.add(claim);
  return { touched, lifted };
}
