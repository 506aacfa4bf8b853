/**
 * Tasks that wait although there is room for them, in the world's own time: a cell whose clock stands still must not look as if nobody waited.
 * A task counts from the end of its back-off, as it was when it began: the milliseconds that were left then, counted in the world. [KS3] [KS4]
 */
import { splitTask } from "../../base/id.ts";
import type { CellEvent } from "../../cell/event.ts";
import { wishOf } from "../../cell/invariants-words.ts";
import { isGang } from "../../cell/spec.ts";
import type { CellState, Face, Job, Scheduler, Task } from "../../cell/state.ts";
import { ownJobs, schedulerNames } from "../../scheduler/responsibility.ts";
import type { Violation } from "../world/kernel.ts";
import { type Space, spaceFor } from "./space.ts";

/** With room all the time, a task runs within this. */
export const FITS_MS = 20_000;
/** How often is looked whether the room is still there. */
export const LOOK_MS = 4_000;
const TOLD_MAX = 3;

export class Waiting {
  readonly #schedulers: readonly string[];
  /** When each task may run again, in the world's time. */
  readonly #readyMs = new Map<string, number>();
  /** Tasks that waited at every look so far, and what room there was at the worst of them. */
  #kept: Map<string, Exclude<Space, undefined>> | undefined;

  constructor(batch: number) {
    this.#schedulers = schedulerNames(batch);
  }

  /** What an entry did, and when it did it. */
  note(state: CellState, nowMs: number, events: readonly CellEvent[]): void {
    for (const { kind, subject, to } of events) {
      if (kind === "job.released") for (const task of state.jobs.get(subject as never)?.tasks ?? []) this.#ready(state, nowMs, task);
      if (kind !== "task.added" && kind !== "task.changed" && !(kind === "task.state" && to === "pending")) continue;
      const { job, index } = splitTask(subject);
      const task = state.jobs.get(job)?.tasks[index];
      if (task !== undefined) this.#ready(state, nowMs, task);
    }
  }

  #ready(state: CellState, nowMs: number, task: Task): void {
    this.#readyMs.set(task.id, nowMs + Math.max(0, task.notBeforeMs - state.timeMs));
  }

  /** Looks at all that wait, as the state is at `nowMs` of the world. Who was ready at `sinceMs` and has room at every look waits too long. */
  look(state: CellState, sinceMs: number): void {
    const now = new Map<string, Exclude<Space, undefined>>();
    for (const job of state.jobs.values()) {
      const pending = job.held ? [] : job.tasks.filter((task) => task.state === "pending");
      for (const tasks of Map.groupBy(pending, wishOf)
        .entries()
        .flatMap(([wish, waiting]) => this.#groups(state, job, wish, waiting))) {
        if (tasks.some((task) => (this.#readyMs.get(task.id) ?? 0) > sinceMs)) continue;
        const room = spaceFor(state, job, tasks);
        const [first] = tasks;
        if (room !== undefined && first !== undefined) now.set(`${first.id} of incarnation ${first.incarnation}`, room);
      }
    }
    this.#kept = this.#kept === undefined ? now : both(this.#kept, now);
  }

  /** Those that have to be placed together, of the tasks that go by one spec. */
  #groups(state: CellState, job: Job, wish: Face, waiting: readonly Task[]): readonly (readonly Task[])[] {
    if (!this.#mayPlace(state, { id: job.id, wants: wish.wants, priority: wish.priority })) return [];
    return isGang(wish) ? wholeGang(job, waiting) : waiting.map((task) => [task]);
  }

  violations(): readonly Violation[] {
    return [...(this.#kept ?? [])].slice(0, TOLD_MAX).map(([task, room]) => {
      const how = room === "free" ? "fitted somewhere" : "had victims that would make room for it";
      return { id: room === "free" ? "KS3" : "KS4", text: `${task} ${how} for ${FITS_MS} ms of the world's time, and still waits` };
    });
  }

  /** A scheduler that has reached its own limits leaves tasks waiting, and may. */
  #mayPlace(state: CellState, job: Pick<Job, "id" | "wants" | "priority">): boolean {
    const name = this.#schedulers.find((each) => ownJobs(each, this.#schedulers)(job));
    const scheduler = name === undefined ? undefined : state.schedulers.get(name);
    return scheduler !== undefined && isFree(scheduler, job.priority);
  }
}

const isFree = ({ limits }: Scheduler, priority: number): boolean =>
  limits.cap === undefined && limits.jobsMax === undefined && priority >= limits.priorityMin && priority <= limits.priorityMax;

/** A gang waits as a whole, and while one of its tasks still stops none can be placed. */
const wholeGang = (job: Job, waiting: readonly Task[]): readonly (readonly Task[])[] =>
  job.tasks.some((task) => task.state === "stopping") ? [] : [waiting];

function both(a: ReadonlyMap<string, Exclude<Space, undefined>>, b: ReadonlyMap<string, Exclude<Space, undefined>>) {
  const out = new Map<string, Exclude<Space, undefined>>();
  for (const [task, room] of a) {
    const other = b.get(task);
    if (other !== undefined) out.set(task, room === "victims" ? room : other);
  }
  return out;
}
