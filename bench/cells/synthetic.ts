/**
 * A made-up cell of any size with the shapes of a real one: machines and task sizes by the quantiles of the 2011 trace, job sizes and
 * spread by band, a fifth of prod and a sixth of batch with attribute constraints as in the 2019 trace, racks of 40, power domains of 800.
 * Two resources more than the traces have: flash on every machine, asked for by half of the jobs, and gpus on few, asked for by few.
 */
import { Random } from "../../src/base/random.ts";
import { Operator, Spread } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { type CellPlan, GI, type JobPlan, type MachinePlan } from "./plan.ts";

const TASKS_PER_MACHINE = 11;
const USERS_PER_MACHINE = 1 / 25;
const MACHINES_PER_RACK = 40;
const MACHINES_PER_POWER_DOMAIN = 800;
const CPU_MILLI = 64_000;
const RAM_GI = 256;
/** Of a machine of size 1, in GiB; what tasks ask for, in parts of it. */
const FLASH_GI = 2_000;
const FLASH: Quantiles = [0.005, 0.03, 0.1, 0.2];
const GPUS = 4;
const GPU_MACHINES = 0.05;
const GPU_JOBS = 0.005;

/** cpu, memory, how many of 12,477. */
const SHAPES: readonly (readonly [number, number, number])[] = [
  [0.5, 0.4995, 6672],
  [0.5, 0.2493, 3835],
  [0.5, 0.749, 992],
  [1, 1, 788],
  [0.25, 0.2498, 123],
  [0.5, 0.1241, 54],
  [0.5, 0.0309, 5],
  [0.5, 0.9678, 4],
  [1, 0.5, 3],
  [0.5, 0.0616, 1],
];

/** Quantiles at 10, 50, 90 and 99 percent. */
type Quantiles = readonly [number, number, number, number];

interface BandShape {
  readonly priority: number;
  /** Of all tasks. */
  readonly share: number;
  readonly single: number;
  readonly countMax: number;
  readonly hardSpread: number;
  readonly constrained: number;
  readonly cpu: Quantiles;
  readonly ram: Quantiles;
}

const BANDS: readonly BandShape[] = [
  {
    priority: 0,
    share: 0.3,
    single: 0.72,
    countMax: 938,
    hardSpread: 0.05,
    constrained: 0.05,
    cpu: [0.006, 0.013, 0.063, 0.25],
    ram: [0.003, 0.016, 0.04, 0.097],
  },
  {
    priority: 103,
    share: 0.3,
    single: 0.59,
    countMax: 988,
    hardSpread: 0.2,
    constrained: 0.15,
    cpu: [0.025, 0.063, 0.078, 0.25],
    ram: [0.013, 0.048, 0.16, 0.16],
  },
  {
    priority: 120,
    share: 0.38,
    single: 0.54,
    countMax: 340,
    hardSpread: 0.4,
    constrained: 0.19,
    cpu: [0.013, 0.063, 0.19, 0.38],
    ram: [0.005, 0.053, 0.15, 0.23],
  },
  {
    priority: 360,
    share: 0.02,
    single: 0.54,
    countMax: 340,
    hardSpread: 1,
    constrained: 0,
    cpu: [0.031, 0.063, 0.094, 0.094],
    ram: [0.016, 0.026, 0.032, 0.032],
  },
];

/** The same size and seed give the same cell. */
export function syntheticCell(machines: number, seed: number): CellPlan {
  const random = new Random(seed, "synthetic");
  return { machines: machinesOf(machines, random), jobs: jobsOf(machines, random) };
}

function machinesOf(count: number, random: Random): MachinePlan[] {
  const all = SHAPES.reduce((sum, [, , each]) => sum + each, 0);
  return Array.from({ length: count }, (_, i) => {
    const [cpu, ram] = shapeAt(random.int(0, all));
    const attributes = [
      { key: "os", value: random.pick(["a", "a", "a", "b"]) },
      { key: "kernel", value: `5.${random.int(4, 8)}` },
    ];
    if (random.chance(0.15)) attributes.push({ key: "ssd", value: "yes" });
    const extras = [{ name: "flash", amount: Math.round(cpu * FLASH_GI) }];
    if (random.chance(GPU_MACHINES)) extras.push({ name: "gpu", amount: GPUS });
    const facts = {
      capacity: {
        cpuMilli: Math.round(cpu * CPU_MILLI),
        ramBytes: Math.round(ram * RAM_GI * 1024) * 1024 ** 2,
        diskBytes: 4000 * GI,
        extras,
      },
      attributes,
      portFirst: 20_000,
      portLast: 29_999,
      rack: `r${Math.floor(i / MACHINES_PER_RACK)}`,
      powerDomain: `p${Math.floor(i / MACHINES_PER_POWER_DOMAIN)}`,
    };
    return { name: `m${String(i).padStart(6, "0")}`, facts };
  });
}

function shapeAt(draw: number): (typeof SHAPES)[number] {
  let left = draw;
  for (const shape of SHAPES) {
    left -= shape[2];
    if (left < 0) return shape;
  }
  return SHAPES[0] as (typeof SHAPES)[number];
}

function jobsOf(machines: number, random: Random): JobPlan[] {
  const users = Math.max(1, Math.round(machines * USERS_PER_MACHINE));
  const jobs: JobPlan[] = [];
  for (const band of BANDS) {
    for (let left = Math.round(band.share * TASKS_PER_MACHINE * machines); left > 0; ) {
      const job = jobOf(band, left, `u${random.int(0, users)}`, `j${jobs.length}`, random);
      jobs.push(job);
      left -= job.spec.count;
    }
  }
  return jobs;
}

function jobOf(band: BandShape, left: number, user: string, name: string, random: Random): JobPlan {
  const count = Math.min(left, random.chance(band.single) ? 1 : Math.ceil(band.countMax ** random.float()));
  const limit = {
    cpuMilli: Math.max(10, Math.round(drawn(band.cpu, random) * CPU_MILLI)),
    ramBytes: Math.max(1, Math.round(drawn(band.ram, random) * RAM_GI * 1024)) * 1024 ** 2,
    diskBytes: random.int(0, 4) * GI,
    extras: random.chance(0.5) ? [{ name: "flash", amount: Math.max(1, Math.round(drawn(FLASH, random) * FLASH_GI)) }] : [],
  };
  if (random.chance(GPU_JOBS) && count <= GPUS) limit.extras.push({ name: "gpu", amount: random.int(1, 3) });
  const constraints = random.chance(band.constrained) ? [constraint(random)] : [];
  const task = { command: ["run"], limit, ports: random.chance(0.3) ? ["http"] : [] };
  const spread = random.chance(band.hardSpread) ? Spread.HARD : Spread.SOFT;
  return { spec: { user, name, priority: band.priority, count, task, constraints, spread }, ranOn: [] };
}

function constraint(random: Random): NonNullable<JobPlan["spec"]["constraints"]>[number] {
  const soft = random.chance(0.3);
  if (random.chance(0.5)) return { attribute: "os", operator: Operator.EQUAL, values: ["a"], soft };
  if (random.chance(0.5)) return { attribute: "ssd", operator: Operator.EXISTS, soft };
  return { attribute: "kernel", operator: Operator.AT_LEAST, values: ["5.5"], soft };
}

/** Straight lines between the quantiles, on a logarithmic scale. */
function drawn([p10, p50, p90, p99]: Quantiles, random: Random): number {
  const points: readonly (readonly [number, number])[] = [
    [0, p10],
    [0.1, p10],
    [0.5, p50],
    [0.9, p90],
    [0.99, p99],
    [1, p99],
  ];
  const at = random.float();
  const next = points.findIndex(([share]) => share > at);
  const [[x0, y0], [x1, y1]] = [points[next - 1] ?? [0, p10], points[next] ?? [1, p99]];
  return y0 * (y1 / y0) ** ((at - x0) / (x1 - x0));
}
