/**
 * Runs seeds of the simulation: node test/sim/run.ts [--seed N] [--seeds N] [--first N] [--json], and what a seed draws can be told otherwise:
 * [--cell KIND] [--store memory|etcd] [--faults crash,clock] [--clients N] [--machines N] [--batch N] [--frameworks N] [--safety MS]. One seed prints its trace (legend in docs/simulation.md);
 * many print the first failures, each in the smallest world that fails in the same way (--shrink 0: as it is), and at the end what they met. With --tally FILE that is
 * written down, to be judged together with other parts (coverage.ts).
 */
import { parseArgs } from "node:util";
import { FAULT_KINDS, type Options } from "../../src/fauxmaster/options.ts";
import { failureReport, replayCommand } from "../../src/fauxmaster/report.ts";
import { coverageProblems, writeMet } from "./coverage.ts";
import { type Failure, type Ran, runSeed, runSeeds } from "./runner.ts";
import { SHRINK_BOUNDS, shrink } from "./shrink.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "200" },
    first: { type: "string", default: "1" },
    failures: { type: "string", default: "5" },
    shrink: { type: "string", default: String(SHRINK_BOUNDS.runsMax) },
    cell: { type: "string" },
    store: { type: "string" },
    faults: { type: "string" },
    clients: { type: "string" },
    machines: { type: "string" },
    batch: { type: "string" },
    frameworks: { type: "string" },
    safety: { type: "string" },
    tally: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

// `make sim SEED=1 | head` is no failure.
process.stdout.on("error", () => process.exit(0));
process.exitCode = values.seed === undefined ? many() : one(Number(values.seed));

/** What is told otherwise than the seed draws it. */
function told(): Partial<Omit<Options, "seed">> {
  const { cell, store, faults, clients, machines, batch, frameworks, safety } = values;
  const names = faults === "none" ? [] : (faults?.split(",") ?? []);
  return {
    ...(cell === undefined ? {} : { cell: cell === "embedded" ? "embedded" : "replicated" }),
    ...(store === undefined ? {} : { store: store === "etcd" ? "etcd" : "memory" }),
    ...(faults === undefined ? {} : { faults: new Set(FAULT_KINDS.filter((name) => names.includes(name))) }),
    ...(clients === undefined ? {} : { clients: Number(clients) }),
    ...(machines === undefined ? {} : { machines: Number(machines) }),
    ...(batch === undefined ? {} : { batch: Number(batch) }),
    ...(frameworks === undefined ? {} : { frameworks: Number(frameworks) }),
    ...(safety === undefined ? {} : { safetyMs: Number(safety) }),
  };
}

function one(seed: number): number {
  const { kernel, options, history } = runSeed(seed, told(), (line) => process.stdout.write(`${line}\n`));
  if (kernel.violation !== undefined) {
    process.stdout.write(failureReport(kernel, options));
    if (kernel.violation.cause instanceof Error) process.stdout.write(`${kernel.violation.cause.stack}\n`);
    return 1;
  }
  process.stdout.write(`Faults: ${kernel.faults}\nProbes: ${kernel.probes}\n`);
  process.stdout.write(`Seed ${seed} is clean: ${kernel.events} events, ${history.calls.length} calls, trace ${kernel.trace.hash}\n`);
  return 0;
}

function many(): number {
  const [first, seeds] = [Number(values.first), Number(values.seeds)];
  const ran = runSeeds({ first, seeds, failuresMax: Number(values.failures), told: told(), each: progress(first, seeds) });
  for (const failure of ran.failures) process.stdout.write(inShort(failure));
  if (values.tally !== undefined) writeMet(values.tally, ran);
  const problems = values.tally === undefined && ran.failures.length === 0 ? coverageProblems(ran) : [];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(values.json ? `${JSON.stringify(summary(ran))}\n` : words(ran, first));
  return ran.failures.length + problems.length > 0 ? 1 : 0;
}

/** What broke, and the command that shows it in the smallest world found. */
function inShort({ seed, id, text, world }: Failure): string {
  const runsMax = Number(values.shrink);
  const smallest = runsMax === 0 ? world : shrink(world, { ...SHRINK_BOUNDS, runsMax });
  return `Seed ${seed} broke ${id}: ${text.slice(0, 500)}\n  ${replayCommand(smallest.options)}\n`;
}

/** Long work shows that it goes on. */
function progress(first: number, seeds: number): (seed: number) => void {
  return (seed) => {
    if (process.stderr.isTTY && (seed - first) % 10 === 9) process.stderr.write(`\r${seed - first + 1} of ${seeds} seeds `);
  };
}

function summary({ seeds, failures, simulatedSeconds, wallSeconds, events, entries, calls }: Ran) {
  return {
    seeds,
    failures: failures.map(({ seed, id }) => ({ seed, id })),
    simulatedSeconds: Math.round(simulatedSeconds),
    wallSeconds: Math.round(wallSeconds),
    simulatedPerSecond: Math.round(simulatedSeconds / wallSeconds),
    events,
    entries,
    calls,
  };
}

function words(ran: Ran, first: number): string {
  const { seeds, failures, simulatedSeconds, wallSeconds, entries, calls } = ran;
  return [
    `Classes of faults that struck, by seeds: ${ran.classes}`,
    `Faults: ${ran.faults}`,
    `Rare paths: ${ran.probes}`,
    `${seeds - failures.length} of ${seeds} seeds from ${first} on are clean: ${Math.round(simulatedSeconds)} simulated seconds in ${Math.round(wallSeconds)} s (${Math.round(simulatedSeconds / wallSeconds)} per second), ${entries} entries, ${calls} calls`,
    "",
  ].join("\n");
}
