/**
 * Cells made from another: tasks that lean to memory or to cpu ask for more of it, a part of the machines and jobs, or jobs drawn anew. The same
 * words give the same cell. What a packer does well on one cell it may do badly on the next, and a cell of one's own is none of the recorded.
 */
import { Random } from "../../src/base/random.ts";
import type { CellPlan, JobPlan } from "./plan.ts";

export interface Variation {
  /** What tasks that lean to a resource ask of it, times this. */
  readonly scaleRam: number;
  readonly scaleCpu: number;
  /** The part of machines and of jobs that is kept. */
  readonly sample: number;
  /** Which part that is. Without a sample: 0 for the jobs as they are, else as many drawn from them, each perhaps more than once. */
  readonly vary: number;
}

interface Limit {
  readonly cpuMilli?: number;
  readonly ramBytes?: number;
}
type Resource = "cpuMilli" | "ramBytes";

/** Nobody asks for more, after scaling, than this part of the machines have: what only a few could take would wait for those alone. */
const COMMON_PART = 0.1;

/** A spec holds no more limits on other jobs (proto/borg/v1/spec.proto). */
const BESIDE_MAX = 8;

export function varied(plan: CellPlan, variation: Variation): CellPlan {
  const scaled = scaledBy(scaledBy(plan, "ramBytes", variation.scaleRam), "cpuMilli", variation.scaleCpu);
  if (variation.sample < 1) return sampled(scaled, variation.sample, new Random(variation.vary, "sample"));
  return variation.vary === 0 ? scaled : redrawn(scaled, new Random(variation.vary, "jobs"));
}

/** A task leans to a resource if it asks for a larger share of the cell's than of the other. */
function scaledBy(plan: CellPlan, resource: Resource, times: number): CellPlan {
  if (times === 1) return plan;
  const other = resource === "ramBytes" ? "cpuMilli" : "ramBytes";
  const [all, others] = [totalOf(plan, resource), totalOf(plan, other)];
  const most = commonest(plan, resource);
  const scale = <L extends Limit>(limit: L): L => {
    const asked = limit[resource] ?? 0;
    if (asked / all <= (limit[other] ?? 0) / others) return limit;
    return { ...limit, [resource]: Math.max(asked, Math.min(most, Math.round(asked * times))) };
  };
  return { machines: plan.machines, jobs: plan.jobs.map((job) => withLimits(job, scale)) };
}

function withLimits(job: JobPlan, change: <L extends Limit>(limit: L) => L): JobPlan {
  const { task, overrides } = job.spec;
  if (task?.limit === undefined) return job;
  const changed = (overrides ?? []).map((each) => (each.limit === undefined ? each : { ...each, limit: change(each.limit) }));
  return { ...job, spec: { ...job.spec, task: { ...task, limit: change(task.limit) }, overrides: changed } as JobPlan["spec"] };
}

const capacityOf = (plan: CellPlan, resource: Resource): number[] => plan.machines.map(({ facts }) => facts.capacity?.[resource] ?? 0);

const totalOf = (plan: CellPlan, resource: Resource): number => capacityOf(plan, resource).reduce((sum, amount) => sum + amount, 0);

/** As much as that part of the machines have, or more. */
function commonest(plan: CellPlan, resource: Resource): number {
  const sorted = capacityOf(plan, resource).sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length * COMMON_PART)] ?? 0;
}

/** In the order they had. */
function sampled({ machines, jobs }: CellPlan, part: number, random: Random): CellPlan {
  return { machines: some(machines, part, random), jobs: some(jobs, part, random) };
}

function some<T>(items: readonly T[], part: number, random: Random): T[] {
  const places = random.shuffle(Array.from(items.keys())).slice(0, Math.max(1, Math.round(items.length * part)));
  return places.sort((a, b) => a - b).map((place) => items[place] as T);
}

/**
 * As many jobs, and each band keeps about its share, because each is as likely as another. Those drawn twice are told apart by name; limits on a job
 * are limits on those that were drawn from it, on the first BESIDE_MAX in all.
 */
function redrawn({ machines, jobs }: CellPlan, random: Random): CellPlan {
  const drawn = jobs.map(() => random.pick(jobs));
  const names = new Map<string, string[]>();
  for (const [i, { spec }] of drawn.entries()) {
    const known = names.get(`${spec.user}/${spec.name}`);
    if (known === undefined) names.set(`${spec.user}/${spec.name}`, [`${spec.user}/${spec.name}-${i}`]);
    else known.push(`${spec.user}/${spec.name}-${i}`);
  }
  const renamed = drawn.map(({ spec, ranOn }, i) => {
    const beside = (spec.beside ?? []).flatMap((limit) => (names.get(limit.job ?? "") ?? []).map((job) => ({ ...limit, job })));
    return { spec: { ...spec, name: `${spec.name}-${i}`, beside: beside.slice(0, BESIDE_MAX) }, ranOn };
  });
  return { machines, jobs: renamed };
}
