/** Workloads that other schedulers were measured with, made from their descriptions, so that figures can be put side by side. */
import type { Random } from "../../src/base/random.ts";
import { Operator } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { type CellPlan, GI, type JobPlan, type MachinePlan } from "./plan.ts";

const MI = 1024 ** 2;
/** The most tasks of a machine, as a resource of its own. */
const SLOT = "slot";
const ONE_SLOT = [{ name: SLOT, amount: 1 }];
const TASKS_PER_JOB = 1000;
const RUNNING_BEFORE = 1000;

export interface Workload extends CellPlan {
  /** Jobs that run before anything is measured: their names. */
  readonly before: ReadonlySet<string>;
}

type Maker = (nodes: number, count: number, random: Random) => Workload;

export const WORKLOADS: Readonly<Record<string, Maker>> = {
  uniform: (nodes, count) => {
    const before = uniformJobs("before", RUNNING_BEFORE);
    return { machines: smallMachines(nodes), jobs: [...before, ...uniformJobs("web", count)], before: namesOf(before) };
  },
  distinct: (nodes, count, random) => ({
    machines: smallMachines(nodes),
    jobs: Array.from({ length: count }, (_, i) =>
      jobOf(`t${i}`, 100, 1, { cpuMilli: random.int(50, 150), ramBytes: random.int(250, 750) * MI, extras: ONE_SLOT }),
    ),
    before: new Set(),
  }),
  "borg-mix": (nodes, count, random) => ({
    machines: mixedMachines(nodes, random),
    jobs: Array.from({ length: count }, (_, i) => mixedJob(i, random)),
    before: new Set(),
  }),
  preempt: (nodes, count) => {
    const before = Array.from({ length: Math.ceil((4 * nodes) / TASKS_PER_JOB) }, (_, i) => {
      const tasks = Math.min(TASKS_PER_JOB, 4 * nodes - i * TASKS_PER_JOB);
      return jobOf(`low${i}`, 0, tasks, { cpuMilli: 900, ramBytes: GI, extras: ONE_SLOT });
    });
    const after = Array.from({ length: count }, (_, i) => jobOf(`high${i}`, 100, 1, { cpuMilli: 3000, ramBytes: GI, extras: ONE_SLOT }));
    return { machines: smallMachines(nodes), jobs: [...before, ...after], before: namesOf(before) };
  },
};

const namesOf = (jobs: readonly JobPlan[]): ReadonlySet<string> => new Set(jobs.map(({ spec }) => spec.name));

function uniformJobs(name: string, count: number): JobPlan[] {
  const jobs: JobPlan[] = [];
  for (let left = count; left > 0; left -= TASKS_PER_JOB) {
    const limit = { cpuMilli: 100, ramBytes: 500 * MI, extras: ONE_SLOT };
    jobs.push(jobOf(`${name}${jobs.length}`, 100, Math.min(left, TASKS_PER_JOB), limit));
  }
  return jobs;
}

type Limit = NonNullable<NonNullable<JobPlan["spec"]["task"]>["limit"]>;

function jobOf(name: string, priority: number, count: number, limit: Limit, more: Partial<JobPlan["spec"]> = {}): JobPlan {
  return { spec: { user: "u0", name, priority, count, task: { command: ["run"], limit }, ...more }, ranOn: [] };
}

const numbered = (prefix: string, index: number): string => `${prefix}${String(index).padStart(6, "0")}`;

function smallMachines(nodes: number): MachinePlan[] {
  const capacity = { cpuMilli: 4000, ramBytes: 32 * GI, extras: [{ name: SLOT, amount: 110 }] };
  return Array.from({ length: nodes }, (_, i) => ({ name: numbered("m", i), facts: { capacity } }));
}

const CORES: readonly (readonly [number, number])[] = [
  [4, 0.1],
  [8, 0.35],
  [16, 0.75],
  [32, 0.95],
  [64, 1],
];
const MACHINES_PER_RACK = 40;
const ZONES = 10;

function mixedMachines(nodes: number, random: Random): MachinePlan[] {
  return Array.from({ length: nodes }, (_, i) => {
    const draw = random.float();
    const cores = CORES.find(([, upTo]) => draw < upTo)?.[0] ?? 64;
    const attributes = [
      { key: "os", value: random.pick(["a", "b", "c"]) },
      { key: "zone", value: `z${i % ZONES}` },
    ];
    if (random.chance(0.1)) attributes.push({ key: "ssd", value: "yes" });
    const rack = `r${Math.floor(i / MACHINES_PER_RACK)}`;
    return { name: numbered("m", i), facts: { capacity: { cpuMilli: 1000 * cores, ramBytes: 4 * cores * GI }, attributes, rack } };
  });
}

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random.float());

function mixedJob(index: number, random: Random): JobPlan {
  const limit = {
    cpuMilli: Math.round(50 + exponential(random, 200)),
    ramBytes: Math.round(64 + exponential(random, 800)) * MI,
  };
  const constraints: NonNullable<JobPlan["spec"]["constraints"]> = [];
  if (random.chance(0.3)) constraints.push({ attribute: "os", operator: Operator.EQUAL, values: [random.pick(["a", "b", "c"])] });
  const draw = random.float();
  if (draw < 0.05) constraints.push({ attribute: "ssd", operator: Operator.EXISTS });
  else if (draw < 0.2) constraints.push({ attribute: "ssd", operator: Operator.EXISTS, soft: true, weight: 1 });
  return jobOf(`t${index}`, 100, 1, limit, { constraints });
}
