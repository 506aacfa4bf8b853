/**
 * What tasks use, from what the cell was last told by their machines: looked at every few seconds, summed to five minutes at most. A row stands for the seconds
 * in which the task was seen, so rows of one task can be added up, and a window that was cut by a question or a stop loses nothing.
 */
import type { TaskView } from "../wire/gen/borg/v1/api_pb.ts";
import { splitSubject } from "./rows.ts";
import type { Placed } from "./tables.ts";

export const WINDOW_MS = 300_000;
/** A look that comes later than this tells of a task that was not watched between. */
const SEEN_MS_MAX = 120_000;
const MILLI = 1000;

interface Sum {
  readonly startMs: number;
  readonly task: TaskView;
  ms: number;
  cpu: number;
  cpuMax: number;
  ram: number;
  ramMax: number;
  /** Undefined: nobody told. */
  moved: Moved | undefined;
}

/** Between memory and disks. */
interface Moved {
  readonly read: number;
  readonly written: number;
}

/** All that a run had moved at a look. */
interface Told extends Moved {
  readonly run: number;
}

export class UsageSums {
  readonly #sums = new Map<string, Sum>();
  #firstMs: number | undefined;
  #lastMs: number | undefined;
  /** By instance of those that run, when it was told last. */
  #told = new Map<string, Told>();

  /** What all running tasks use now. */
  look(tasks: readonly TaskView[], nowMs: number): void {
    const passed = Math.min(nowMs - (this.#lastMs ?? nowMs), SEEN_MS_MAX);
    this.#firstMs ??= nowMs;
    const told = new Map<string, Told>();
    for (const task of tasks) {
      const now = toldOf(task);
      const last = now ?? this.#told.get(task.instance);
      if (last !== undefined) told.set(task.instance, last);
      if (task.usage !== undefined && !task.alloc) this.#add(task, passed, nowMs, now && this.#moved(task, now));
    }
    this.#told = told;
    this.#lastMs = nowMs;
  }

  /** Since it was told last. Of a run that had begun before the first one it is not known when it moved what it has. */
  #moved(task: TaskView, now: Told): Moved {
    const before = this.#told.get(task.instance);
    if (before?.run === now.run) return { read: Math.max(0, now.read - before.read), written: Math.max(0, now.written - before.written) };
    return before !== undefined || task.runMs >= (this.#firstMs ?? 0) ? now : { read: 0, written: 0 };
  }

  #add(task: TaskView, passed: number, nowMs: number, moved: Moved | undefined): void {
    const { cpuMilli = 0, ramBytes = 0 } = task.usage ?? {};
    // It was not there in all of the time since the last look.
    const ms = Math.max(0, Math.min(passed, task.runMs > 0 ? nowMs - task.runMs : passed));
    const known = this.#sums.get(task.instance);
    const sum = known ?? { startMs: nowMs - ms, task, ms: 0, cpu: 0, cpuMax: 0, ram: 0, ramMax: 0, moved };
    if (known === undefined) this.#sums.set(task.instance, sum);
    else if (moved !== undefined)
      sum.moved = { read: (sum.moved?.read ?? 0) + moved.read, written: (sum.moved?.written ?? 0) + moved.written };
    sum.ms += ms;
    sum.cpu += cpuMilli * ms;
    sum.ram += ramBytes * ms;
    sum.cpuMax = Math.max(sum.cpuMax, cpuMilli);
    sum.ramMax = Math.max(sum.ramMax, ramBytes);
  }

  /** What was seen since the last time; `nowMs` given: only of windows that are over. */
  take(nowMs?: number): readonly Placed[] {
    const rows: Placed[] = [];
    for (const [instance, sum] of this.#sums) {
      if (nowMs !== undefined && Math.floor(sum.startMs / WINDOW_MS) === Math.floor(nowMs / WINDOW_MS)) continue;
      this.#sums.delete(instance);
      if (sum.ms > 0) rows.push(rowOf(sum));
    }
    return rows;
  }
}

function toldOf({ run, diskTraffic }: TaskView): Told | undefined {
  return diskTraffic === undefined ? undefined : { run, read: diskTraffic.readBytes, written: diskTraffic.writtenBytes };
}

function rowOf({ startMs, task, ms, cpu, cpuMax, ram, ramMax, moved }: Sum): Placed {
  const { job, index } = splitSubject(task.name);
  const row = [
    startMs,
    ms / 1000,
    job,
    index,
    task.machine,
    task.priority,
    cpu / ms / MILLI,
    cpuMax / MILLI,
    ram / ms,
    ramMax,
    (task.limit?.cpuMilli ?? 0) / MILLI,
    task.limit?.ramBytes ?? 0,
    moved?.read ?? null,
    moved?.written ?? null,
  ];
  return { table: "usage", owner: task.name.split("/")[0] ?? "", timeMs: startMs, row };
}
