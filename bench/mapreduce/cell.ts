/** A cell for the MapReduce experiment: what is free on each machine, as numbers, and workers that come and go. */
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { readCell } from "../cells/csv.ts";
import { drawUsage } from "../cells/drawn-usage.ts";
import type { CellPlan } from "../cells/plan.ts";
import { UsageError } from "../usage.ts";
import { type CellInputs, MAPREDUCE_INPUTS as INPUTS } from "./inputs.ts";

export interface Size {
  readonly cpu: number;
  readonly ram: number;
}

/** A job of the trace that is taken for MapReduce. */
export interface Template {
  readonly name: string;
  readonly workers: number;
  readonly size: Size;
}

export interface PlannedCell {
  readonly capacity: Size;
  readonly free: readonly Size[];
  readonly templates: readonly Template[];
}

export function readTrace(): CellPlan {
  const directory = process.env["BORG_TRACE_DIR"] ?? "";
  if (directory === "")
    throw new UsageError("No trace: say with BORG_TRACE_DIR where machines.csv.gz and tasks.csv.gz of the Google trace of 2011 are");
  return readCell(join(directory, "machines.csv.gz"), join(directory, "tasks.csv.gz"));
}

const sum = (a: Size, b: Size): Size => ({ cpu: a.cpu + b.cpu, ram: a.ram + b.ram });

/** Some of the machines, with some of the tasks that ran there; MapReduce jobs among them are left out, to come later. */
export function planCell(trace: CellPlan, { name, machines: part, tasks }: CellInputs, seed: number): PlannedCell {
  const random = new Random(seed, `cell ${name}`);
  const free = new Map<string, { cpu: number; ram: number }>();
  for (const machine of trace.machines) {
    const { cpuMilli = 0, ramBytes = 0 } = machine.facts.capacity ?? {};
    if (random.chance(part)) free.set(machine.name, { cpu: cpuMilli, ram: ramBytes });
  }
  const capacity = [...free.values()].reduce(sum, { cpu: 0, ram: 0 });
  const templates = drawTemplates(trace, part * tasks, random);
  const names = new Set(templates.map((template) => template.name));
  for (const { spec, ranOn } of trace.jobs) {
    for (let index = 0; index < spec.count; index++) {
      const usage = drawUsage(random, spec.priority);
      const machine = free.get(ranOn[index] ?? "");
      if (machine === undefined || names.has(spec.name) || !random.chance(tasks)) continue;
      const limit = spec.overrides?.find(({ first = 0, last = 0 }) => first <= index && index <= last)?.limit ?? spec.task?.limit ?? {};
      machine.cpu = Math.max(0, machine.cpu - (limit.cpuMilli ?? 0) * usage.peak.cpu);
      machine.ram = Math.max(0, machine.ram - (limit.ramBytes ?? 0) * usage.peak.ram);
    }
  }
  return { capacity, free: [...free.values()], templates };
}

/** As many as there would be on such a part of the cell. */
function drawTemplates({ jobs }: CellPlan, part: number, random: Random): readonly Template[] {
  const batch = jobs.filter(({ spec }) => spec.priority < 120);
  const able = batch.filter(({ spec }) => spec.count >= INPUTS.workersMin && spec.count <= INPUTS.workersMost);
  const count = Math.round(batch.length * INPUTS.part * part);
  return random
    .shuffle(able)
    .slice(0, count)
    .map(({ spec }) => {
      const usage = drawUsage(random, spec.priority);
      const { cpuMilli = 0, ramBytes = 0 } = spec.task?.limit ?? {};
      return { name: spec.name, workers: spec.count, size: { cpu: cpuMilli * held(usage.peak.cpu), ram: ramBytes * held(usage.peak.ram) } };
    });
}

const held = (part: number): number => Math.max(INPUTS.heldMin, part);

/** Where workers are. First fit from where the last one was placed. */
export class Floor {
  readonly #cpu: Float64Array;
  readonly #ram: Float64Array;
  readonly #capacity: Size;
  #cpuFree: number;
  #ramFree: number;
  #next = 0;

  constructor({ capacity, free }: PlannedCell) {
    this.#capacity = capacity;
    this.#cpu = Float64Array.from(free, ({ cpu }) => cpu);
    this.#ram = Float64Array.from(free, ({ ram }) => ram);
    this.#cpuFree = this.#cpu.reduce((a, b) => a + b, 0);
    this.#ramFree = this.#ram.reduce((a, b) => a + b, 0);
  }

  /** The larger part of the two that is held. */
  get utilisation(): number {
    return 1 - Math.min(this.#cpuFree / this.#capacity.cpu, this.#ramFree / this.#capacity.ram);
  }

  /** So many workers fit before that part is held. */
  belowCap({ cpu, ram }: Size, cap: number): number {
    const left = (free: number, capacity: number, size: number): number =>
      size <= 0 ? Number.POSITIVE_INFINITY : (free - (1 - cap) * capacity) / size;
    return Math.max(0, Math.floor(Math.min(left(this.#cpuFree, this.#capacity.cpu, cpu), left(this.#ramFree, this.#capacity.ram, ram))));
  }

  /** How many fit, counted up to so many. */
  count({ cpu, ram }: Size, most: number): number {
    let found = 0;
    for (let i = 0; i < this.#cpu.length && found < most; i++) {
      const here = Math.min((this.#cpu[i] as number) / cpu, (this.#ram[i] as number) / ram);
      found += Math.floor(here);
    }
    return Math.min(found, most);
  }

  /** Machines of as many as fit, so many at most. */
  place({ cpu, ram }: Size, count: number): number[] {
    const placed: number[] = [];
    for (let looked = 0; looked < this.#cpu.length && placed.length < count; ) {
      const at = this.#next;
      if ((this.#cpu[at] as number) >= cpu && (this.#ram[at] as number) >= ram) {
        this.#change(at, -cpu, -ram);
        placed.push(at);
        looked = 0;
      } else {
        this.#next = (at + 1) % this.#cpu.length;
        looked += 1;
      }
    }
    return placed;
  }

  remove({ cpu, ram }: Size, machines: readonly number[]): void {
    for (const at of machines) this.#change(at, cpu, ram);
  }

  #change(at: number, cpu: number, ram: number): void {
    this.#cpu[at] = (this.#cpu[at] as number) + cpu;
    this.#ram[at] = (this.#ram[at] as number) + ram;
    this.#cpuFree += cpu;
    this.#ramFree += ram;
  }
}
