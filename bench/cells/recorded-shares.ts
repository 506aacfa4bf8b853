/**
 * Which part of the work ran in reclaimed resources where the recorded cell itself had put it: what Borg's own scheduler did with the same tasks. A figure of ours is
 * read beside it. On each machine tasks line up as in src/cell/reclaimed.ts: the highest priority first, among equals as they stand in the file.
 */
import type { CellPlan, JobPlan } from "./plan.ts";

interface Amounts {
  readonly cpu: number;
  readonly ram: number;
}

interface Recorded extends Amounts {
  readonly priority: number;
}

export interface RecordedShares {
  readonly tasks: number;
  readonly tasksInReclaimed: number;
  readonly limit: Amounts;
  /** Of limits: the parts for which nothing was left. */
  readonly parts: Amounts;
  /** The whole limits of tasks that have such a part. */
  readonly whole: Amounts;
}

const NONE: Amounts = { cpu: 0, ram: 0 };
const plus = (a: Amounts, b: Amounts): Amounts => ({ cpu: a.cpu + b.cpu, ram: a.ram + b.ram });

export function recordedShares({ machines, jobs }: CellPlan): RecordedShares {
  const lines = linesOf(jobs);
  const sums = { tasks: 0, tasksInReclaimed: 0, limit: NONE, parts: NONE, whole: NONE };
  for (const { name, facts } of machines) {
    const capacity = { cpu: facts.capacity?.cpuMilli ?? 0, ram: facts.capacity?.ramBytes ?? 0 };
    let before = NONE;
    for (const task of (lines.get(name) ?? []).sort((a, b) => b.priority - a.priority)) {
      const after = plus(before, task);
      const beyond = (of: "cpu" | "ram"): number => Math.min(task[of], Math.max(0, after[of] - capacity[of]));
      const part = { cpu: beyond("cpu"), ram: beyond("ram") };
      before = after;
      sums.tasks += 1;
      sums.limit = plus(sums.limit, task);
      if (part.cpu + part.ram === 0) continue;
      sums.tasksInReclaimed += 1;
      sums.parts = plus(sums.parts, part);
      sums.whole = plus(sums.whole, task);
    }
  }
  return sums;
}

function linesOf(jobs: readonly JobPlan[]): Map<string, Recorded[]> {
  const lines = new Map<string, Recorded[]>();
  for (const { spec, ranOn } of jobs)
    for (const [index, machine] of ranOn.entries()) {
      if (machine === undefined) continue;
      const own = spec.overrides?.find(({ first = 0, last = 0, limit }) => limit !== undefined && first <= index && index <= last);
      const limit = own?.limit ?? spec.task?.limit;
      const line = lines.get(machine) ?? [];
      line.push({ priority: spec.priority, cpu: limit?.cpuMilli ?? 0, ram: limit?.ramBytes ?? 0 });
      lines.set(machine, line);
    }
  return lines;
}
