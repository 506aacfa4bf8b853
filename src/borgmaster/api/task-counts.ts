/**
 * The tasks of a job, counted by what they show, and counted on as they change: a job of ten thousand tasks costs as much as those of them that changed.
 * What a task shows is a small number, its code: lists of tasks are made of codes, and look at a task itself only to send it.
 */
import type { MachineId } from "../../base/id.ts";
import type { Job, Task } from "../../cell/state.ts";
import { LastHour } from "./last-hour.ts";
import { type ShownState, shownState } from "./shown.ts";

const SHOWN: readonly ShownState[] = ["pending", "starting", "running", "backing-off", "stopping", "ending", "dead"];
const ENDS = ["", "finished", "failed", "killed", "lost"] as const;
export type End = Exclude<(typeof ENDS)[number], "">;
const [END_BIT, FAILING_BIT] = [8, 64];
export const CODES = 128;

/** What it shows, how it ended, and whether it fails. */
export function codeOf(task: Task): number {
  const shown = shownState(task);
  const end = shown === "dead" ? Math.max(0, ENDS.indexOf(task.cause as End)) : 0;
  return SHOWN.indexOf(shown) + END_BIT * end + (task.failures > 0 ? FAILING_BIT : 0);
}

export const shownOf = (code: number): ShownState => SHOWN[code % END_BIT] as ShownState;
export const isFailing = (code: number): boolean => code >= FAILING_BIT;
const endOf = (code: number): End | "" => ENDS[Math.floor((code % FAILING_BIT) / END_BIT)] ?? "";

export interface Counts {
  readonly shown: Readonly<Record<ShownState, number>>;
  readonly ends: Readonly<Record<End, number>>;
  readonly failures: number;
}

/** Beyond the first start: on its machine, and on others. */
export const restartsOf = ({ starts, instance }: Task): number => Math.max(0, starts - 1) + Math.max(0, (instance?.run ?? 1) - 1);

export class TaskCounts {
  /** By index. */
  codes = new Uint8Array(0);
  /** How many tasks have each code that some task has. */
  readonly byCode = new Map<number, number>();
  restarts = 0;
  readonly #moved: (machine: MachineId) => void;
  #job: Job;
  #machineOf: (MachineId | undefined)[] = [];
  #failures = 0;
  #failuresOf = new Uint32Array(0);
  #startsOf = new Uint32Array(0);
  #runsOf = new Uint32Array(0);
  /** Restarts of the last hour, of those that it has seen. */
  readonly #lastHour = new LastHour();

  /** `moved`: hears of each machine that a changed task was on, or is. */
  constructor(job: Job, moved: (machine: MachineId) => void = () => {}) {
    this.#job = job;
    this.#moved = moved;
    this.#begin();
  }

  restartsLately(timeMs: number): number {
    return this.#lastHour.at(timeMs);
  }

  /** These tasks of it changed; answers how many were looked at. */
  update(job: Job, indexes: ReadonlySet<number>, timeMs: number): number {
    if (job !== this.#job || job.tasks.length !== this.codes.length) {
      this.#job = job;
      this.leave();
      this.#begin();
      return job.tasks.length;
    }
    for (const index of indexes) this.#look(index, timeMs);
    return indexes.size;
  }

  /** The job is gone, or is another under its name. */
  leave(): void {
    for (const machine of this.#machineOf) if (machine !== undefined) this.#moved(machine);
  }

  counts(): Counts {
    const shown = { pending: 0, starting: 0, running: 0, "backing-off": 0, stopping: 0, ending: 0, dead: 0 };
    const ends = { finished: 0, failed: 0, killed: 0, lost: 0 };
    for (const [code, tasks] of this.byCode) {
      shown[shownOf(code)] += tasks;
      const end = endOf(code);
      if (end !== "") ends[end] += tasks;
    }
    return { shown, ends, failures: this.#failures };
  }

  #begin(): void {
    const { length } = this.#job.tasks;
    this.codes = new Uint8Array(length);
    this.#failuresOf = new Uint32Array(length);
    this.#machineOf = new Array(length).fill(undefined);
    this.#startsOf = new Uint32Array(length);
    this.#runsOf = new Uint32Array(length);
    this.byCode.clear();
    this.byCode.set(0, length);
    this.#failures = 0;
    this.restarts = 0;
    for (let index = 0; index < length; index++) this.#look(index);
  }

  /** `timeMs`: what it shows is new; undefined: it may have been so for long. */
  #look(index: number, timeMs?: number): void {
    const task = this.#job.tasks[index];
    if (task === undefined) return;
    const code = codeOf(task);
    if (code !== this.codes[index]) this.#recode(index, code);
    const [before, machine] = [this.#machineOf[index], task.instance?.place.machine.id];
    if (before !== undefined) this.#moved(before);
    if (machine !== undefined && machine !== before) this.#moved(machine);
    this.#machineOf[index] = machine;
    const [starts, run] = [Math.max(1, task.starts), Math.max(1, task.instance?.run ?? 1)];
    const [startsBefore, runBefore] = [Math.max(1, this.#startsOf[index] as number), Math.max(1, this.#runsOf[index] as number)];
    this.#failures += task.failures - (this.#failuresOf[index] as number);
    this.restarts += starts + run - startsBefore - runBefore;
    // On another machine its runs begin anew.
    const begun = starts > startsBefore ? starts - startsBefore + run - 1 : Math.max(0, run - runBefore);
    if (timeMs !== undefined && begun > 0) this.#lastHour.add(timeMs, begun);
    this.#failuresOf[index] = task.failures;
    this.#startsOf[index] = starts;
    this.#runsOf[index] = run;
  }

  #recode(index: number, code: number): void {
    const before = this.codes[index] as number;
    const left = (this.byCode.get(before) ?? 0) - 1;
    if (left > 0) this.byCode.set(before, left);
    else this.byCode.delete(before);
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    this.codes[index] = code;
  }
}
