/** Machines that are the same to every task of a cell, and tasks that none of them could take even when it is empty. */
import { unitOf } from "../../src/base/dimension.ts";
import { amountIn, keyOf, namesIn, type Vector } from "../../src/base/vector.ts";
import { constraintText, unmet } from "../../src/cell/constraint.ts";
import { limitOf } from "../../src/cell/spec.ts";
import type { CellState, Job, Machine } from "../../src/cell/state.ts";
import { Dimensions } from "../../src/scheduler/mirror/dimensions.ts";
import { UsageError } from "../usage.ts";

export interface Kind {
  readonly machine: Machine;
  readonly capacity: readonly number[];
  count: number;
}

/** Every resource that a machine has. */
export function dimensionsOf(state: CellState): Dimensions {
  const dimensions = new Dimensions();
  for (const { place } of state.machines.values()) dimensions.learn(place.capacity);
  return dimensions;
}

export function kindsOf(state: CellState, dimensions: Dimensions): Kind[] {
  const asked = new Set<string>();
  for (const { wants } of state.jobs.values()) for (const { attribute } of wants.constraints) asked.add(attribute);
  const names = [...asked].sort();
  const kinds = new Map<string, Kind>();
  for (const machine of state.machines.values()) {
    const key = `${keyOf(machine.place.capacity)}\n${names.map((name) => machine.attributes.get(name) ?? "\0").join("\n")}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { machine, capacity: dimensions.amounts(machine.place.capacity), count: 1 });
    else known.count += 1;
  }
  return [...kinds.values()];
}

const meets = (job: Job, { machine }: Kind): boolean => unmet(job.wants.constraints, machine.attributes) === undefined;

/** Which kinds would take a task of the job with this limit. */
export function fitting(job: Job, limit: readonly number[], kinds: readonly Kind[]): number[] {
  const fits = (kind: Kind): boolean => limit.every((amount, d) => amount <= (kind.capacity[d] as number)) && meets(job, kind);
  return kinds.flatMap((kind, k) => (fits(kind) ? [k] : []));
}

/** Refuses a cell with more tasks for which no machine is made than the part that may stay pending. */
export function expectHomes(state: CellState, pendingPart: number): void {
  const dimensions = dimensionsOf(state);
  const kinds = kindsOf(state, dimensions);
  let [tasks, homeless, first]: [number, number, string | undefined] = [0, 0, undefined];
  for (const job of state.jobs.values()) {
    const known = new Map<string, boolean>();
    for (const { index, id } of job.tasks) {
      const limit = limitOf(job, index);
      const key = keyOf(limit);
      let hasHome = known.get(key);
      if (hasHome === undefined) {
        hasHome = dimensions.knows(limit) && fitting(job, dimensions.amounts(limit), kinds).length > 0;
        known.set(key, hasHome);
      }
      tasks += 1;
      if (hasHome) continue;
      homeless += 1;
      first ??= `task "${id}" ${lacking(job, limit, kinds)}`;
    }
  }
  if (homeless > Math.floor(tasks * pendingPart))
    throw new UsageError(
      `${homeless} of ${tasks} tasks fit on no machine even when it is empty: ${first}; give the cell such machines, or leave these tasks out`,
    );
}

/** What no machine has for it. */
function lacking(job: Job, limit: Vector, kinds: readonly Kind[]): string {
  const allowed = kinds.filter((kind) => meets(job, kind));
  if (allowed.length === 0)
    return `needs ${job.wants.constraints
      .filter(({ soft }) => !soft)
      .map(constraintText)
      .join(" and ")}, which no machine has`;
  for (const name of namesIn(limit)) {
    const most = Math.max(...allowed.map(({ machine }) => amountIn(machine.place.capacity, name)));
    if (amountIn(limit, name) > most)
      return `asks for ${amountIn(limit, name)} ${unitOf(name)} where the largest machine that it may use has ${most}`;
  }
  return "asks for more at once than any machine that it may use has";
}
