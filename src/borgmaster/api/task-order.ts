/**
 * Tasks by a figure of theirs, the largest first. There may be 144,339 of them: each is looked at once, and no more are kept and sorted than the window needs. What
 * it costs is metered like everything else, so a view of it comes as often as its part of the thread allows.
 */
import type { Task } from "../../cell/state.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { shownState } from "./shown.ts";
import { restartsOf } from "./task-counts.ts";
import type { UsageTable } from "./usage-table.ts";
import { limitedTo } from "./views.ts";

/** A window ends here: whoever wants more of them lists them all. */
export const SORTED_MAX = 10_000;
/** A record is looked at, and put into its place. */
export const SORTED_AS = 3;

type Figure = (task: Task, usage: UsageTable) => number | string;

function used({ instance }: Task, usage: UsageTable, field: "cpuMilli" | "ramBytes"): number {
  return instance === undefined ? 0 : (usage.of(instance.place.machine.id, instance.id)?.[field] ?? 0);
}

function shareOf(task: Task, usage: UsageTable, field: keyof Resources & ("cpuMilli" | "ramBytes")): number {
  const limit = limitedTo(task)[field] ?? 0;
  return limit === 0 ? 0 : used(task, usage, field) / limit;
}

export const TASK_FIGURES: Readonly<Record<string, Figure>> = {
  cpu: (task, usage) => used(task, usage, "cpuMilli"),
  ram: (task, usage) => used(task, usage, "ramBytes"),
  "cpu-share": (task, usage) => shareOf(task, usage, "cpuMilli"),
  "ram-share": (task, usage) => shareOf(task, usage, "ramBytes"),
  restarts: restartsOf,
  // As jobs and machines: what is oldest first.
  age: ({ sinceMs }) => -sinceMs,
  state: shownState,
  machine: ({ instance }) => instance?.place.machine.id ?? "",
};

interface Figured {
  readonly name: string;
  readonly figure: number | string;
}

/** Numbers from the largest, words from a. */
function compared(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return b - a;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The names of the first `most`, among equals in the order in which they come. `sort` is a figure's name; with a - before it from the other end. */
export function firstTasks(tasks: Iterable<Task>, sort: string, most: number, usage: UsageTable): readonly string[] {
  const figure = TASK_FIGURES[sort.replace(/^-/, "")]!;
  const sign = sort.startsWith("-") ? -1 : 1;
  const count = Math.min(most, SORTED_MAX);
  let best: Figured[] = [];
  const cut = (): void => {
    best = best.sort((a, b) => sign * compared(a.figure, b.figure)).slice(0, count);
  };
  for (const task of tasks) {
    best.push({ name: task.id, figure: figure(task, usage) });
    if (best.length >= 2 * SORTED_MAX) cut();
  }
  cut();
  return best.map(({ name }) => name);
}
