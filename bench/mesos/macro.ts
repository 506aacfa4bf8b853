/**
 * Four frameworks on 96 machines, sharing them by offers, and with 24 machines each (Mesos §6.1): how long jobs take (Tables 4 and 5), how much of the machines is
 * used (Figure 7), and who has how much when (Figures 5 and 6).
 */
import { writeFileSync } from "node:fs";
import type { MachineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { type Figures, rounded } from "../figures.ts";
import { Cluster, type Sample } from "./cluster.ts";
import { MACRO_INPUTS as INPUTS, MACRO_PAPER as PAPER, PATIENT_SPARK_MS } from "./inputs.ts";
import { drawnShares, drawnUse } from "./plot.ts";
import { type Done, type Name, TENANT_NAMES, tenants } from "./tenants.ts";

const SAMPLE_MS = 5_000;
const CORES = INPUTS.machines * INPUTS.cores;

export interface MacroRun {
  readonly done: Readonly<Record<Name, readonly Done[]>>;
  readonly samples: readonly Sample[];
  /** Of Spark's tasks, those that found nothing of their part in memory. */
  readonly coldPart: number;
}

/** One run; the same seed gives the same jobs and the same slow machines to both ways of sharing. */
export function macroRun(seed: number, isShared: boolean, sparkWaitMs = 0): MacroRun {
  const random = new Random(seed, "workload");
  const slow = new Set(random.shuffle(Array.from({ length: INPUTS.machines }, (_, i) => `m${i}`)).slice(0, INPUTS.slowMachines));
  const all = tenants(random, (machine: MachineId) => (slow.has(machine) ? INPUTS.slowSpeed : 1), sparkWaitMs);
  const { machines, cores, ramGib } = INPUTS;
  const parts = isShared ? [all] : all.map((tenant) => [tenant]);
  const cluster = new Cluster({ machines, cores, ramGib, parts, random: new Random(seed, "run"), sampleMs: SAMPLE_MS });
  cluster.run();
  const done = Object.fromEntries(all.map(({ id, done }) => [id, done])) as Record<Name, readonly Done[]>;
  const { jobs, iterations, parts: slices } = INPUTS.spark;
  const cold = all.reduce((sum, tenant) => sum + (tenant.cold ?? 0), 0);
  return { done, samples: cluster.samples, coldPart: cold / (jobs * iterations * slices) };
}

interface Pair {
  readonly fixed: MacroRun;
  readonly shared: MacroRun;
}

const pairOf = (seed: number): Pair => ({ fixed: macroRun(seed, false), shared: macroRun(seed, true) });

const seconds = (done: readonly Done[]): number => done.reduce((sum, { ms }) => sum + ms, 0) / 1000;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Tables 4 and 5, and Figure 7. */
export function benchMacro(seed: number, svg = ""): Figures {
  const pairs = Array.from({ length: INPUTS.runs }, (_, run) => pairOf(seed + run));
  const figures: Record<string, number> = { machines: INPUTS.machines, runs: INPUTS.runs };
  for (const name of TENANT_NAMES) Object.assign(figures, speedFigures(name, pairs), { [`${name}PaperSpeedup`]: PAPER[name].speedup });
  const patient = pairs.map(({ fixed }, run) => ({ fixed, shared: macroRun(seed + run, true, PATIENT_SPARK_MS) }));
  figures["sparkPatientSpeedup"] = speedFigures("spark", patient)["sparkSpeedup"] ?? 0;
  figures["sparkPatientColdPercent"] = rounded(100 * mean(patient.map(({ shared }) => shared.coldPart)), 1);
  figures["sparkStaticColdPercent"] = rounded(100 * mean(pairs.map(({ fixed }) => fixed.coldPart)), 1);
  figures["sparkOffersColdPercent"] = rounded(100 * mean(pairs.map(({ shared }) => shared.coldPart)), 1);
  Object.assign(figures, kindFigures(pairs), useFigures(pairs));
  if (svg !== "")
    writeFileSync(svg, drawnUse((pairs[0] as Pair).fixed.samples, (pairs[0] as Pair).shared.samples, untilOf(pairs[0] as Pair)));
  return { ...figures, paperCpuMorePercent: PAPER.cpuMorePercent, paperRamMorePercent: PAPER.ramMorePercent };
}

/** Table 4, and the least and the most of all runs. */
function speedFigures(name: Name, pairs: readonly Pair[]): Figures {
  const [fixed, shared] = [pairs.map((pair) => seconds(pair.fixed.done[name])), pairs.map((pair) => seconds(pair.shared.done[name]))];
  const each = fixed.map((value, run) => value / (shared[run] ?? 1));
  return {
    [`${name}StaticSeconds`]: rounded(mean(fixed), 0),
    [`${name}OffersSeconds`]: rounded(mean(shared), 0),
    [`${name}Speedup`]: rounded(mean(fixed) / mean(shared), 2),
    [`${name}LeastSpeedup`]: rounded(Math.min(...each), 2),
    [`${name}MostSpeedup`]: rounded(Math.max(...each), 2),
    [`${name}PaperStaticSeconds`]: PAPER[name].seconds,
  };
}

/** Table 5: the mean over jobs of a kind of how many times faster the same job is. */
function kindFigures(pairs: readonly Pair[]): Figures {
  const figures: Record<string, number> = {};
  for (const name of TENANT_NAMES) {
    for (const kind of new Set(pairs.flatMap(({ fixed }) => fixed.done[name].map((done) => done.kind)))) {
      const of = (run: MacroRun): number => mean(run.done[name].filter((done) => done.kind === kind).map(({ ms }) => ms / 1000));
      const [fixed, shared] = [mean(pairs.map((pair) => of(pair.fixed))), mean(pairs.map((pair) => of(pair.shared)))];
      figures[`${name}.${kind}StaticSeconds`] = rounded(fixed, 0);
      figures[`${name}.${kind}Speedup`] = rounded(fixed / shared, 2);
    }
  }
  return figures;
}

/** Until the last of those that share is done. */
function untilOf({ shared }: Pair): number {
  const lastMs = TENANT_NAMES.map((_, i) => shared.samples.findLast(({ cores }) => (cores[i] ?? 0) > 0)?.timeMs ?? 0);
  return lastMs.sort((a, b) => a - b).at(-1) ?? 0;
}

function useFigures(pairs: readonly Pair[]): Figures {
  const used = (run: MacroRun, untilMs: number, of: (sample: Sample) => number): number =>
    mean(run.samples.filter(({ timeMs }) => timeMs <= untilMs).map(of));
  const cpu = ({ cpuUsed }: Sample): number => (100 * cpuUsed) / CORES;
  const ram = ({ ramUsed }: Sample): number => (100 * ramUsed) / (INPUTS.machines * INPUTS.ramGib);
  const row = (of: (sample: Sample) => number): readonly [number, number] => [
    mean(pairs.map((pair) => used(pair.fixed, untilOf(pair), of))),
    mean(pairs.map((pair) => used(pair.shared, untilOf(pair), of))),
  ];
  const [cpus, rams] = [row(cpu), row(ram)];
  return {
    ...{
      staticCpuPercent: rounded(cpus[0], 1),
      offersCpuPercent: rounded(cpus[1], 1),
      cpuMorePercent: rounded(100 * (cpus[1] / cpus[0] - 1), 1),
    },
    ...{
      staticRamPercent: rounded(rams[0], 1),
      offersRamPercent: rounded(rams[1], 1),
      ramMorePercent: rounded(100 * (rams[1] / rams[0] - 1), 1),
    },
  };
}

/** Figures 5 and 6: shares over time. */
export function benchSharing(seed: number, svg = ""): Figures {
  const pair = pairOf(seed);
  const figures: Record<string, number> = { machines: INPUTS.machines };
  for (const [i, name] of TENANT_NAMES.entries()) {
    for (const [way, { samples }] of [
      ["Static", pair.fixed],
      ["Offers", pair.shared],
    ] as const) {
      const shares = samples.map(({ cores }) => (100 * (cores[i] ?? 0)) / CORES);
      const lastMs = samples.findLast(({ cores }) => (cores[i] ?? 0) > 0)?.timeMs ?? 0;
      figures[`${name}${way}MostPercent`] = rounded(Math.max(...shares), 1);
      figures[`${name}${way}MeanPercent`] = rounded(mean(shares.slice(0, lastMs / SAMPLE_MS + 1)), 1);
      figures[`${name}${way}EndSeconds`] = lastMs / 1000;
    }
  }
  if (svg !== "") writeFileSync(svg, drawnShares(pair.fixed.samples, pair.shared.samples, CORES));
  return figures;
}
