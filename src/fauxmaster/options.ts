/** What a seed stands for: how large the world is, and which whole classes of faults are on. Leaving classes out finds what their noise would hide. */
import { Random } from "../base/random.ts";

export const FAULT_CLASSES = [
  "crash",
  "pause",
  "partition",
  "loss",
  "duplicate",
  "store",
  "disk",
  "clock",
  "machine",
  "usage",
  "mass",
] as const;
export type FaultClass = (typeof FAULT_CLASSES)[number];

export interface Options {
  readonly seed: number;
  /** One master with a journal on its own disk, or several on one store. */
  readonly cell: "embedded" | "replicated";
  readonly masters: number;
  readonly machines: number;
  readonly clients: number;
  /** Batch schedulers of each master, beside the service scheduler. */
  readonly batch: number;
  /** Between two calls of a client, on average. */
  readonly thinkMs: number;
  /** Faults, then none: by the end of the second phase everything must have come right. */
  readonly safetyMs: number;
  readonly healingMs: number;
  readonly faults: ReadonlySet<FaultClass>;
  /** Compares every message of two runs, not only their types. */
  readonly deepTrace: boolean;
}

export const SAFETY_MS = 300_000;
export const HEALING_MS = 90_000;
/** How likely each class is on. */
const ON = 0.55;

/** What the seed draws, unless told otherwise. Every draw is made in any case, so that an override shifts no other. */
export function drawOptions(seed: number, told: Partial<Omit<Options, "seed">> = {}): Options {
  const random = new Random(seed, "options");
  const faults = new Set<FaultClass>(FAULT_CLASSES.filter(() => random.chance(ON)));
  const cell = told.cell ?? (random.chance(0.4) ? "embedded" : "replicated");
  return {
    cell,
    masters: cell === "embedded" ? 1 : 3,
    machines: random.pick([20, 20, 24, 32]),
    clients: random.int(2, 6),
    batch: new Random(seed, "schedulers").chance(0.3) ? 4 : 1,
    thinkMs: random.pick([500, 2000, 6000]),
    safetyMs: SAFETY_MS,
    healingMs: HEALING_MS,
    faults,
    deepTrace: false,
    ...told,
    seed,
  };
}

/** On one line, for a report. */
export function describeOptions(options: Options): string {
  const { cell, masters, machines, clients, batch, thinkMs, safetyMs, healingMs, faults } = options;
  const on = FAULT_CLASSES.map((name) => (faults.has(name) ? name : `no ${name}`)).join(", ");
  return `${cell} cell, ${masters} masters, ${machines} machines, ${batch} batch schedulers, ${clients} clients every ${thinkMs} ms, ${safetyMs / 1000} s + ${healingMs / 1000} s; faults: ${on}`;
}
