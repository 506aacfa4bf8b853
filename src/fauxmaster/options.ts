/** What a seed stands for: how large the world is, and which whole kinds of faults are on. Leaving kinds out finds what their noise would hide. */
import { Random } from "../base/random.ts";

export const FAULT_KINDS = [
  "crash",
  "pause",
  "partition",
  "loss",
  "duplicate",
  "store",
  "disk",
  "rot",
  "clock",
  "machine",
  "usage",
  "mass",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Options {
  readonly seed: number;
  /** One master with a journal on its own disk, or several on one store. */
  readonly cell: "embedded" | "replicated";
  /** What several masters share: a store that fails call by call, or the etcd journal of production over a model of etcd. */
  readonly store: "memory" | "etcd";
  readonly masters: number;
  readonly machines: number;
  readonly clients: number;
  /** Batch schedulers of each master, beside the service scheduler. */
  readonly batch: number;
  /** Programs that speak Mesos; in a third of the worlds none, so that their noise hides nothing there. */
  readonly frameworks: number;
  /** Between two calls of a client, on average. */
  readonly thinkMs: number;
  /** Faults, then none: by the end of the second phase everything must have come right. */
  readonly safetyMs: number;
  readonly healingMs: number;
  readonly faults: ReadonlySet<FaultKind>;
  /** By master: it begins one cell version behind and is upgraded then; 0: it begins with the newest. */
  readonly upgradesMs: readonly number[];
  /** Compares every message of two runs, not only their types. */
  readonly deepTrace: boolean;
}

/** How long there are faults, by how busy clients are: about as many calls in each world, for a call costs more to simulate than a quiet second. */
const SAFETY_MS: ReadonlyMap<number, number> = new Map([
  [500, 100_000],
  [2_000, 200_000],
  [6_000, 300_000],
]);
export const HEALING_MS = 90_000;
type Chance = Readonly<Record<Options["cell"], number>>;
const ANYWHERE: Chance = { embedded: 0.55, replicated: 0.55 };
/**
 * How likely each kind of fault is on in each kind of cell. One that can strike in one of these only is on more often there, so that every one strikes in at least
 * 40 % of all seeds.
 */
export const CHANCES: Readonly<Record<FaultKind, Chance>> = {
  crash: ANYWHERE,
  pause: ANYWHERE,
  partition: ANYWHERE,
  loss: ANYWHERE,
  duplicate: ANYWHERE,
  store: { embedded: 0, replicated: 0.97 },
  disk: ANYWHERE,
  rot: { embedded: 0.97, replicated: 0 },
  clock: ANYWHERE,
  machine: ANYWHERE,
  usage: ANYWHERE,
  // Seldom and large: in some seeds it is on and does not come.
  mass: { embedded: 0.65, replicated: 0.65 },
};

/** What the seed draws, unless told otherwise. Every draw is made in any case and from its own stream, so that an override shifts no other. */
export function drawOptions(seed: number, told: Partial<Omit<Options, "seed">> = {}): Options {
  const random = new Random(seed, "options");
  const drawn = new Random(seed, "cell").chance(0.5) ? "embedded" : "replicated";
  const cell = told.cell ?? drawn;
  const luck = new Random(seed, "classes");
  const faults = new Set<FaultKind>(FAULT_KINDS.filter((name) => luck.chance(CHANCES[name][cell])));
  const masters = told.masters ?? (cell === "embedded" ? 1 : 3);
  const [machines, clients, thinkMs] = [random.pick([20, 20, 24, 32]), random.int(2, 6), random.pick([...SAFETY_MS.keys()])];
  const safetyMs = told.safetyMs ?? (SAFETY_MS.get(thinkMs) as number);
  return {
    cell,
    store: new Random(seed, "store").chance(0.5) ? "etcd" : "memory",
    masters,
    machines,
    clients,
    batch: new Random(seed, "schedulers").chance(0.3) ? 4 : 1,
    frameworks: new Random(seed, "frameworks").pick([0, 3, 3]),
    thinkMs,
    safetyMs,
    healingMs: HEALING_MS,
    faults,
    upgradesMs: drawUpgrades(new Random(seed, "versions"), masters, safetyMs),
    deepTrace: false,
    ...told,
    seed,
  };
}

/** In half of the seeds masters are upgraded one after the other, at any time before all heals. */
function drawUpgrades(random: Random, masters: number, safetyMs: number): readonly number[] {
  const isMixed = random.chance(0.5);
  return Array.from({ length: masters }, () => {
    const atMs = random.chance(0.7) ? random.int(1, Math.max(2, safetyMs)) : 0;
    return isMixed ? atMs : 0;
  });
}

/** On one line, for a report. */
export function describeOptions(options: Options): string {
  const { cell, store, masters, machines, clients, batch, frameworks, thinkMs, safetyMs, healingMs, faults, upgradesMs } = options;
  const on = FAULT_KINDS.map((name) => (faults.has(name) ? name : `no ${name}`)).join(", ");
  return `${cell} cell${cell === "replicated" ? ` on ${store}` : ""}, ${masters} masters, ${machines} machines, ${batch} batch schedulers, ${frameworks} frameworks, ${clients} clients every ${thinkMs} ms, ${safetyMs / 1000} s + ${healingMs / 1000} s; upgrades at ${upgradesMs.join(", ")} ms; faults: ${on}`;
}
