/** The cell and the work of the comparison: the same machines, jobs, sizes, times and moments in every world. */
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { isProd } from "../../src/wire/band.ts";
import { readCell } from "../cells/csv.ts";
import type { CellPlan, JobPlan, MachinePlan } from "../cells/plan.ts";
import { syntheticCell } from "../cells/synthetic.ts";
import type { KindInputs, WorldsInputs } from "./inputs.ts";

export type Kind = "batch" | "service";
export const KINDS: readonly Kind[] = ["batch", "service"];

export interface Arrival {
  readonly name: string;
  readonly kind: Kind;
  readonly atMs: number;
  readonly cpuMilli: number;
  readonly ramBytes: number;
  /** How long each task runs. */
  readonly taskMs: readonly number[];
}

export interface Work {
  readonly machines: readonly MachinePlan[];
  readonly arrivals: readonly Arrival[];
}

/** What a job of the cell looks like. */
interface Shape {
  readonly count: number;
  readonly cpuMilli: number;
  readonly ramBytes: number;
}

/** The recorded cell, if there is one, or a made-up one of its kind. */
const cellOf = (inputs: WorldsInputs, seed: number): CellPlan => {
  const directory = process.env["BORG_TRACE_DIR"] ?? "";
  if (directory === "") return syntheticCell(inputs.machines, seed);
  return readCell(join(directory, "machines.csv.gz"), join(directory, "tasks.csv.gz"));
};

export function drawWork(inputs: WorldsInputs, seed: number): Work {
  const cell = cellOf(inputs, seed);
  const machines = new Random(seed, "machines")
    .shuffle([...cell.machines])
    .slice(0, inputs.machines)
    .map(bare);
  const cpuMilli = machines.reduce((sum, { facts }) => sum + (facts.capacity?.cpuMilli ?? 0), 0);
  const largest = Math.max(...machines.map(({ facts }) => facts.capacity?.cpuMilli ?? 0));
  const arrivals = KINDS.flatMap((kind) => {
    const shapes = shapesOf(cell.jobs, kind, inputs[kind], largest / 2);
    return drawKind(kind, shapes, inputs, cpuMilli, new Random(seed, `jobs/${kind}`));
  });
  return { machines, arrivals: arrivals.sort((a, b) => a.atMs - b.atMs) };
}

/** Of a machine only its size: no framework of this comparison looks at attributes, so nobody asks for them. */
function bare({ name, facts }: MachinePlan): MachinePlan {
  const { cpuMilli = 0, ramBytes = 0, diskBytes = 0 } = facts.capacity ?? {};
  return { name, facts: { capacity: { cpuMilli, ramBytes, diskBytes } } };
}

function shapesOf(jobs: readonly JobPlan[], kind: Kind, { tasksMost }: KindInputs, cpuMost: number): readonly Shape[] {
  return jobs.flatMap(({ spec }) => {
    const { cpuMilli = 0, ramBytes = 0 } = spec.task?.limit ?? {};
    const isOfKind = isProd(spec.priority) === (kind === "service");
    return isOfKind && spec.count <= tasksMost && cpuMilli > 0 && cpuMilli <= cpuMost ? [{ count: spec.count, cpuMilli, ramBytes }] : [];
  });
}

/** Tasks run for an exponential time whose mean makes the load what it should be. */
function drawKind(kind: Kind, shapes: readonly Shape[], inputs: WorldsInputs, cpuMilli: number, random: Random): Arrival[] {
  const { everyMs, part } = inputs[kind];
  const perJob = shapes.reduce((sum, shape) => sum + shape.count * shape.cpuMilli, 0) / shapes.length;
  const meanMs = (inputs.load * part * cpuMilli * everyMs) / perJob;
  const untilMs = 60_000 * (inputs.fillMinutes + inputs.minutes);
  const exponential = (mean: number): number => -Math.log(1 - random.float()) * mean;
  const arrivals: Arrival[] = [];
  for (let atMs = exponential(everyMs); atMs < untilMs; atMs += exponential(everyMs)) {
    const { count, ...size } = random.pick(shapes);
    const taskMs = Array.from({ length: count }, () => Math.max(1_000, Math.round(exponential(meanMs))));
    arrivals.push({ name: `${kind}-${arrivals.length}`, kind, atMs: Math.round(atMs), ...size, taskMs });
  }
  return arrivals;
}
