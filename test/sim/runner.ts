/** Runs seeds of the simulation and adds up what they met. Used by `make sim`, by the test suite and by the planted bugs. */
import { cellParts } from "../../src/fauxmaster/cell.ts";
import { drawOptions, FAULT_KINDS, type Options } from "../../src/fauxmaster/options.ts";
import { Tally } from "../../src/fauxmaster/world/tally.ts";
import { World } from "../../src/fauxmaster/world.ts";
import { newNativeSha256 } from "../../src/shell/native-sha256.ts";

export interface Ran {
  readonly first: number;
  readonly seeds: number;
  readonly simulatedSeconds: number;
  readonly wallSeconds: number;
  readonly events: number;
  readonly entries: number;
  readonly calls: number;
  readonly failures: readonly Failure[];
  /** In how many seeds each class of faults struck; how often each fault fired and each rare path was taken. */
  readonly classes: Tally;
  readonly faults: Tally;
  readonly probes: Tally;
}

export interface Failure {
  readonly seed: number;
  readonly id: string;
  readonly text: string;
  readonly world: World;
}

export interface RunOptions {
  readonly first: number;
  readonly seeds: number;
  /** Stops after so many wall seconds. */
  readonly secondsMax?: number;
  /** Stops after so many failures. */
  readonly failuresMax?: number;
  readonly told?: Partial<Omit<Options, "seed">>;
  readonly each?: (seed: number) => void;
}

export function runSeed(seed: number, told: Partial<Omit<Options, "seed">> = {}, sink?: (line: string) => void): World {
  const options = drawOptions(seed, told);
  const world = new World(options, cellParts(options, newNativeSha256));
  world.kernel.trace.sink = sink;
  return world.run();
}

export function runSeeds({ first, seeds, secondsMax = Number.POSITIVE_INFINITY, failuresMax = 1, told = {}, each }: RunOptions): Ran {
  const started = performance.now();
  const sums = { seeds: 0, simulatedSeconds: 0, events: 0, entries: 0, calls: 0 };
  const [classes, faults, probes] = [new Tally(), new Tally(), new Tally()];
  const failures: Failure[] = [];
  const wallSeconds = (): number => (performance.now() - started) / 1000;
  for (let seed = first; seed < first + seeds && failures.length < failuresMax && wallSeconds() < secondsMax; seed++) {
    const world = runSeed(seed, told);
    const { kernel } = world;
    sums.seeds += 1;
    sums.simulatedSeconds += kernel.nowMs / 1000;
    sums.events += kernel.events;
    if (kernel.violation === undefined) sums.entries += world.entries().length;
    sums.calls += world.history.calls.length;
    for (const name of FAULT_KINDS) if (kernel.faults.of(`class.${name}`) > 0) classes.add(name);
    faults.merge(kernel.faults);
    probes.merge(kernel.probes);
    if (kernel.violation !== undefined) failures.push({ seed, id: kernel.violation.id, text: kernel.violation.text, world });
    each?.(seed);
  }
  return { first, ...sums, wallSeconds: wallSeconds(), failures, classes, faults, probes };
}
