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
    const next = nextGeneration(job);
    keep(job, job.generation, job.spec);
    job.generation = next;
  }
  setSpec(job, spec);
}

/** A number that no living instance of the job names. */
export const nextGeneration = (job: Job): number => 1 + Math.max(job.generation, ...job.kept.map(({ generation }) => generation));

/** A spec that is no longer the job's stays for the instances that run it. The caller weighs. */
export function keep(job: Job, generation: number, spec: Spec): void {
  const instances = job.tasks.filter(({ instance }) => instance?.generation === generation).length;
  if (instances > 0) job.kept = [...job.kept, { generation, spec, instances }];
}

/** The spec that an instance runs. */
export function specOf({ task: { job, launched }, generation }: Pick<Instance, "task" | "generation">): Spec {
  if (launched !== undefined) return launched.spec.spec;
  if (generation === job.update?.generation) return job.update.spec;
  return job.kept.find((each) => each.generation === generation)?.spec ?? job.spec;
}

/** An instance is there that names an older spec: only when a state is read. */
export const holdSpec = (instance: Instance): void => count(instance, 1);

/** It is gone, and its spec with the last one. */
export function releaseSpec(state: CellState, instance: Instance): boolean {
  const { job } = instance.task;
  if (isCurrent(job, instance.generation)) return false;
  count(instance, -1);
  const left = job.kept.filter(({ instances }) => instances > 0);
  if (left.length === job.kept.length) return false;
  job.kept = left.length === 0 ? NO_SPECS : left;
  weigh(state, job);
  return true;
}

function count({ task: { job }, generation }: Instance, by: number): void {
  if (isCurrent(job, generation)) return;
  job.kept = job.kept.map((each) => (each.generation === generation ? { ...each, instances: each.instances + by } : each));
}

/** A spec that stands whether an instance names it or not. */
const isCurrent = ({ generation, update }: Job, asked: number): boolean => asked === generation || asked === update?.generation;
