/** Makes a failing world smaller as long as it breaks the same invariant: fewer classes of faults, fewer clients, fewer machines, less time. */
import { FAULT_KINDS, type Options } from "../../src/fauxmaster/options.ts";
import type { World } from "../../src/fauxmaster/world.ts";
import { runSeed } from "./runner.ts";

export interface ShrinkBounds {
  readonly runsMax: number;
  readonly secondsMax: number;
}

/** A failure is worth this much of somebody's patience. */
export const SHRINK_BOUNDS: ShrinkBounds = { runsMax: 40, secondsMax: 60 };

const CLIENTS_MIN = 1;
const MACHINES_MIN = 2;
const SAFETY_MS_MIN = 10_000;

/** The smallest world found; the given one if nothing smaller fails in the same way. */
export function shrink(failed: World, { runsMax, secondsMax }: ShrinkBounds = SHRINK_BOUNDS): World {
  const id = failed.kernel.violation?.id;
  const untilMs = performance.now() + secondsMax * 1000;
  let smallest = failed;
  let runs = 0;
  for (let candidates = smaller(smallest.options); candidates.length > 0 && runs < runsMax && performance.now() < untilMs; ) {
    // When masters are upgraded is drawn anew for the time that is left, as it is for who types the command that is printed.
    const { seed, upgradesMs: _, ...told } = candidates.shift() as Options;
    const world = runSeed(seed, told);
    runs += 1;
    if (world.kernel.violation?.id !== id) continue;
    smallest = world;
    candidates = smaller(smallest.options);
  }
  return smallest;
}

/** Worlds with one thing less, the largest step first. Nothing that happened after the violation is needed. */
function smaller(options: Options): Options[] {
  const { faults, clients, machines, batch, frameworks, safetyMs } = options;
  const on = FAULT_KINDS.filter((name) => faults.has(name));
  return [
    ...(on.length > 1 ? [{ ...options, faults: new Set<(typeof on)[number]>() }] : []),
    ...on.map((name) => ({ ...options, faults: new Set(on.filter((other) => other !== name)) })),
    ...less(clients, CLIENTS_MIN).map((count) => ({ ...options, clients: count })),
    ...less(machines, MACHINES_MIN).map((count) => ({ ...options, machines: count })),
    ...(batch > 1 ? [{ ...options, batch: 1 }] : []),
    ...less(frameworks, 0).map((count) => ({ ...options, frameworks: count })),
    ...less(safetyMs, SAFETY_MS_MIN).map((ms) => ({ ...options, safetyMs: ms })),
  ];
}

/** Half of it, then a tenth less. */
const less = (amount: number, min: number): number[] =>
  [...new Set([Math.floor(amount / 2), Math.floor(amount * 0.9)])].filter((each) => each >= min && each < amount);
