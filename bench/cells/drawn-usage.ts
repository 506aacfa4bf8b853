/**
 * Made-up usage, by a fixed formula: neither trace says what tasks of 2011 used. Of each task two numbers are drawn, uniform in [0, 1), one for cpu and one for
 * memory, in the order of jobs and indexes. They are looked up in the quantiles of average use over request that the public 2019 trace has for its band (straight
 * lines between them, from 0 at 0, flat beyond 95 percent). No task uses more than its limit. The highest use of cpu in five minutes is three times the average.
 */
import type { Random } from "../../src/base/random.ts";
import { type BandName, bandOf } from "../../src/wire/band.ts";

/** At 10, 25, 50, 75, 90 and 95 percent of the tasks. */
const AT = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95] as const;

type Quantiles = readonly [number, number, number, number, number, number];

interface Shape {
  readonly cpu: Quantiles;
  readonly ram: Quantiles;
}

const PROD: Shape = { cpu: [0, 0.04, 0.29, 0.54, 1.2, 2.1], ram: [0, 0.16, 0.54, 0.83, 1.2, 2.6] };

/** Average use over request. The trace's sample says nothing of monitoring by itself. */
const SHAPES: Readonly<Record<BandName, Shape>> = {
  free: { cpu: [0, 0.02, 0.11, 0.37, 0.69, 0.78], ram: [0.04, 0.16, 0.28, 0.62, 0.71, 0.84] },
  batch: { cpu: [0.01, 0.03, 0.15, 0.56, 0.92, 1.5], ram: [0.01, 0.11, 0.36, 0.63, 0.82, 1.0] },
  production: PROD,
  monitoring: PROD,
};

const PEAK_OF_CPU = 3;

/** Parts of the limit. */
export interface DrawnUsage {
  readonly average: { readonly cpu: number; readonly ram: number };
  readonly peak: { readonly cpu: number; readonly ram: number };
}

export function drawUsage(random: Random, priority: number): DrawnUsage {
  const shape = SHAPES[bandOf(priority)];
  const [cpu, ram] = [quantile(shape.cpu, random.float()), quantile(shape.ram, random.float())];
  return {
    average: { cpu: Math.min(1, cpu), ram: Math.min(1, ram) },
    peak: { cpu: Math.min(1, PEAK_OF_CPU * cpu), ram: Math.min(1, ram) },
  };
}

export function quantile(values: Quantiles, part: number): number {
  let [before, low] = [0, 0];
  for (const [i, at] of AT.entries()) {
    const high = values[i] as number;
    if (part < at) return low + ((part - before) / (at - before)) * (high - low);
    [before, low] = [at, high];
  }
  return low;
}
