/** What a bench's cell asked for, what of it was placed, and where: for people who check a packing by other means. */
import { writeFileSync } from "node:fs";
import { amountIn, namesIn, plus, type Vector, ZERO } from "../src/base/vector.ts";
import { limitOf } from "../src/cell/spec.ts";
import type { CellState, Task } from "../src/cell/state.ts";
import type { Figures } from "./figures.ts";
import { UsageError } from "./usage.ts";

const tasksOf = (state: CellState): Task[] => [...state.jobs.values()].flatMap((job) => job.tasks);

/** Of each resource in the cell's units (millicores, KiB): what all tasks ask for, what those have that were placed, and what the machines have. */
export function amountsOf(state: CellState): Figures {
  let [asked, used]: [Vector, Vector] = [ZERO, ZERO];
  for (const task of tasksOf(state)) {
    asked = plus(asked, limitOf(task.job, task.index));
    if (task.instance !== undefined) used = plus(used, task.instance.limit);
  }
  const names = new Set([...namesIn(asked), ...namesIn(state.capacity)]);
  return Object.fromEntries(
    [...names].flatMap((name) =>
      Object.entries({ asked, used, there: state.capacity }).map(([what, vector]) => [`${what} ${name}`, amountIn(vector, name)]),
    ),
  );
}

/** Every task, its machine and its devices; those that were not placed have neither. */
export function placementsText(state: CellState): string {
  const rows = tasksOf(state).map(({ id, instance }) => {
    const devices = (instance?.devices ?? []).map(({ name, number, amount }) => `${name}:${number}:${amount}`).join(" ");
    return `${id},${instance?.place.machine.id ?? ""},${devices}`;
  });
  return `${["task,machine,devices", ...rows.sort()].join("\n")}\n`;
}

/** Where nothing is asked for nothing is written. */
export function writePlacements(file: string, state: CellState): void {
  if (file === "") return;
  try {
    writeFileSync(file, placementsText(state));
  } catch (cause) {
    throw new UsageError(`Cannot write --placements "${file}": ${(cause as Error).message}`, { cause });
  }
}
