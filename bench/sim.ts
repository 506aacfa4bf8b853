/** How much cell time the simulation covers in a second of this machine, with the faults that seeds draw and with all of them. */
import { FAULT_KINDS } from "../src/fauxmaster/options.ts";
import { runSeeds } from "../test/sim/runner.ts";
import type { Figures } from "./figures.ts";

export async function benchSim(first: number, seconds: number): Promise<Figures> {
  const drawn = runSeeds({ first, seeds: 10_000, secondsMax: seconds });
  const all = { machines: 20, faults: new Set(FAULT_KINDS) };
  const embedded = runSeeds({ first, seeds: 10_000, secondsMax: seconds, told: { ...all, cell: "embedded", masters: 1 } });
  const replicated = runSeeds({ first, seeds: 10_000, secondsMax: seconds, told: { ...all, cell: "replicated", masters: 3 } });
  return {
    seeds: drawn.seeds,
    simulatedPerSecond: Math.round(drawn.simulatedSeconds / drawn.wallSeconds),
    eventsPerSecond: Math.round(drawn.events / drawn.wallSeconds),
    embeddedAllFaultsSimulatedPerSecond: Math.round(embedded.simulatedSeconds / embedded.wallSeconds),
    replicatedAllFaultsSimulatedPerSecond: Math.round(replicated.simulatedSeconds / replicated.wallSeconds),
    failures: drawn.failures.length + embedded.failures.length + replicated.failures.length,
  };
}
