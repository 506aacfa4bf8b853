/**
 * The change feed: after every entry, what happened (events) and what the changed records are now. A reader that has an image of the
 * cell at some position and all items after it knows the cell as it is: items are ordered, without gap, one per entry. [KD6]
 * Records are those of a checkpoint, so a reader fills them in the same way whether they come from an image or from an item.
 */
import { type JobId, type MachineId, splitTask } from "../base/id.ts";
import type { CheckpointRecord } from "../wire/gen/borg/v1/checkpoint_pb.ts";
import type { Outcome } from "./cell.ts";
import { jobRecord, machineRecord, records, schedulerRecord, taskRecords } from "./checkpoint/checkpoint.ts";
import type { CellState } from "./state.ts";
import type { CellEvent, Effect } from "./turn.ts";

export interface FeedItem {
  readonly position: number;
  readonly timeMs: number;
  readonly events: readonly CellEvent[];
  /** What others have to do, in the declared order. */
  readonly effects: readonly Effect[];
  /** Whole records of what changed, as they are after the entry: scheduler, machine, job (before its tasks), tasks (a run of them). */
  readonly records: readonly CheckpointRecord[];
  /** What is no more. A job takes its tasks along; a task that is no more had an index at or beyond its job's count. */
  readonly removed: readonly Removed[];
}

export type Removed =
  | { readonly kind: "job"; readonly id: JobId }
  | { readonly kind: "machine"; readonly id: MachineId }
  | { readonly kind: "task"; readonly id: string };

/** The whole cell at a position. */
export interface Image {
  readonly position: number;
  readonly timeMs: number;
  readonly records: readonly CheckpointRecord[];
}

export const imageOf = (state: CellState): Image => ({ position: state.position, timeMs: state.timeMs, records: [...records(state)] });

/** What one applied entry changed. Call it before the next entry is applied. */
export function feedItem(state: CellState, outcomes: readonly Outcome[]): FeedItem {
  const events = outcomes.flatMap((outcome) => (outcome.ok ? outcome.events : []));
  const touched = new Touched();
  for (const event of events) touched.note(event);
  const effects = outcomes.flatMap((outcome) => (outcome.ok ? outcome.effects : []));
  return { position: state.position, timeMs: state.timeMs, events, effects, ...touched.collect(state) };
}

/** The names of changed records; each is sent once per entry, however often it changed. */
class Touched {
  readonly #machines = new Set<MachineId>();
  readonly #jobs = new Set<JobId>();
  readonly #tasks = new Map<JobId, Set<number>>();
  readonly #schedulers = new Set<string>();

  note(event: CellEvent): void {
    const room = event.kind.slice(0, event.kind.indexOf("."));
    if (room === "machine") this.#machines.add(event.subject as MachineId);
    if (room === "scheduler") this.#schedulers.add(event.subject);
    if (room === "job") this.#jobs.add(event.subject as JobId);
    if (event.machine !== undefined) this.#machines.add(event.machine);
    if (room !== "task" && room !== "instance" && room !== "reservation") return;
    const { job, index } = splitTask(event.subject);
    // A job with one task per machine has as many as there are: its count changed.
    if (event.kind === "task.added") this.#jobs.add(job);
    this.#tasks.set(job, (this.#tasks.get(job) ?? new Set<number>()).add(index));
  }

  collect(state: CellState): { readonly records: readonly CheckpointRecord[]; readonly removed: readonly Removed[] } {
    const out: CheckpointRecord[] = [];
    const removed: Removed[] = [];
    for (const name of this.#schedulers) out.push(schedulerRecord(state.schedulers.get(name)!));
    for (const id of this.#machines) {
      const machine = state.machines.get(id);
      if (machine === undefined) removed.push({ kind: "machine", id });
      else out.push(machineRecord(machine));
    }
    for (const id of new Set([...this.#jobs, ...this.#tasks.keys()])) {
      const job = state.jobs.get(id);
      if (job === undefined) {
        removed.push({ kind: "job", id });
        continue;
      }
      if (this.#jobs.has(id)) out.push(jobRecord(job));
      const indexes = [...(this.#tasks.get(id) ?? [])].sort((a, b) => a - b);
      out.push(
        ...taskRecords(
          job,
          indexes.filter((index) => index < job.tasks.length),
        ),
      );
      for (const index of indexes) if (index >= job.tasks.length) removed.push({ kind: "task", id: `${id}/${index}` });
    }
    return { records: out, removed };
  }
}
