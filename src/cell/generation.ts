/**
 * Which spec an instance runs. A job's name may have several specs one after the other; an instance names the one it was placed with, and goes on with it
 * whatever its job wants by now. A spec is kept as long as an instance names it. [cell.J14]
 */
import { weigh } from "./bounds.ts";
import { setSpec } from "./spec.ts";
import type { CellState, Instance, Job, KeptSpec, Spec } from "./state.ts";
import { GENERATIONS } from "./version.ts";

export const NO_SPECS: readonly KeptSpec[] = [];

/** Gives a job its next spec; the caller weighs it. */
export function nextSpec(state: CellState, job: Job, spec: Spec): void {
  if (state.version >= GENERATIONS) {
    const instances = job.tasks.filter(({ instance }) => instance?.generation === job.generation).length;
    if (instances > 0) job.kept = [...job.kept, { generation: job.generation, spec: job.spec, instances }];
    job.generation += 1;
  }
  setSpec(job, spec);
}

/** The spec that an instance runs. */
export const specOf = ({ task: { job }, generation }: Pick<Instance, "task" | "generation">): Spec =>
  job.kept.find((each) => each.generation === generation)?.spec ?? job.spec;

/** An instance is there that names an older spec: only when a state is read. */
export const holdSpec = (instance: Instance): void => count(instance, 1);

/** It is gone, and its spec with the last one. */
export function releaseSpec(state: CellState, instance: Instance): boolean {
  const { job } = instance.task;
  if (instance.generation === job.generation) return false;
  count(instance, -1);
  const left = job.kept.filter(({ instances }) => instances > 0);
  if (left.length === job.kept.length) return false;
  job.kept = left.length === 0 ? NO_SPECS : left;
  weigh(state, job);
  return true;
}

function count({ task: { job }, generation }: Instance, by: number): void {
  if (generation === job.generation) return;
  job.kept = job.kept.map((each) => (each.generation === generation ? { ...each, instances: each.instances + by } : each));
}
