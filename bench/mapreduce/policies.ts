/**
 * Omega's MapReduce scheduler on cells made from the trace (Omega §6.1, Figures 15 and 16): how much sooner jobs end with each policy, and what that does to the cell's utilisation. The policies
 * and their prediction are those of the scheduler that runs on real cells (examples/scheduler/mapreduce).
 */
import { writeFileSync } from "node:fs";
import { CAP, chosenWorkers, History, POLICIES, type Policy, predictMs } from "../../examples/scheduler/mapreduce/policy.ts";
import { Random } from "../../src/base/random.ts";
import { type Figures, percentile, rounded } from "../figures.ts";
import { Floor, type PlannedCell, planCell, readTrace, type Template } from "./cell.ts";
import { MAPREDUCE_INPUTS as INPUTS, type LogNormal } from "./inputs.ts";
import { drawnSpeedups } from "./plot.ts";

/** One run of a job. */
export interface Run {
  readonly template: Template;
  readonly submitMs: number;
  readonly maps: number;
  readonly reduces: number;
  readonly mapMs: number;
  readonly reduceMs: number;
}

const drawn = ({ median, sigma }: LogNormal, random: Random): number => median * Math.exp(sigma * gauss(random));
const gauss = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());

export function drawRuns(templates: readonly Template[], random: Random): readonly Run[] {
  const runs = templates.flatMap((template) => {
    const own = { maps: drawn(INPUTS.mapsPerWorker, random), reduces: drawn(INPUTS.reducesPerWorker, random) };
    const [mapMs, reduceMs] = [drawn(INPUTS.mapMs, random), drawn(INPUTS.reduceMs, random)];
    const differ = (ms: number): number => drawn({ median: ms, sigma: INPUTS.runSigma }, random);
    return Array.from({ length: INPUTS.repeats }, () => ({
      template,
      submitMs: Math.round(random.float() * INPUTS.hours * 3_600_000),
      maps: Math.max(1, Math.round(own.maps * template.workers)),
      reduces: Math.max(1, Math.round(own.reduces * template.workers)),
      mapMs: differ(mapMs),
      reduceMs: differ(reduceMs),
    }));
  });
  return runs.sort((a, b) => a.submitMs - b.submitMs);
}

export interface Outcome {
  /** In the order of the runs. */
  readonly tookMs: readonly number[];
  /** Predicted when it began, over what it took with these workers. */
  readonly predicted: readonly number[];
  readonly utilisation: readonly number[];
}

/** A run that goes on. Work is worker-milliseconds of the phase that it is in. */
interface Live {
  readonly run: Run;
  readonly index: number;
  readonly machines: number[];
  phase: "map" | "reduce";
  work: number;
}

/** One cell for a day with one policy; none: every job has what it asked for. */
export class Day {
  readonly #floor: Floor;
  readonly #runs: readonly Run[];
  readonly #policy: Policy | undefined;
  readonly #history = new History({ mapMs: INPUTS.mapMs.median, reduceMs: INPUTS.reduceMs.median });
  readonly #live = new Set<Live>();
  readonly #tookMs: number[] = [];
  readonly #predicted: number[] = [];
  readonly #utilisation: number[] = [];
  #nowMs = 0;
  #next = 0;

  constructor(cell: PlannedCell, runs: readonly Run[], policy: Policy | undefined) {
    this.#floor = new Floor(cell);
    this.#runs = runs;
    this.#policy = policy;
  }

  live(): Outcome {
    while (this.#next < this.#runs.length || this.#live.size > 0) {
      this.#advance();
      for (const live of this.#live) if (live.work <= 0) this.#phaseOver(live);
      for (let run = this.#runs[this.#next]; run !== undefined && run.submitMs <= this.#nowMs; run = this.#runs[this.#next])
        this.#begin(run);
      if (this.#nowMs % INPUTS.reviewMs === 0) this.#review();
    }
    return { tookMs: this.#tookMs, predicted: this.#predicted, utilisation: this.#utilisation };
  }

  /** To the next thing that happens, or the next look. */
  #advance(): void {
    let untilMs = Math.min(
      (Math.floor(this.#nowMs / INPUTS.reviewMs) + 1) * INPUTS.reviewMs,
      this.#runs[this.#next]?.submitMs ?? Number.POSITIVE_INFINITY,
    );
    for (const live of this.#live)
      if (live.machines.length > 0)
        untilMs = Math.min(untilMs, Math.max(this.#nowMs + 1, Math.ceil(this.#nowMs + live.work / rateOf(live))));
    const tookMs = untilMs - this.#nowMs;
    const ofDay = INPUTS.hours * 3_600_000;
    while (this.#utilisation.length * INPUTS.sampleMs <= Math.min(untilMs, ofDay)) this.#utilisation.push(this.#floor.utilisation);
    for (const live of this.#live) live.work -= tookMs * rateOf(live);
    this.#nowMs = untilMs;
  }

  /** What was asked for always comes first: it is placed before anything more is. */
  #begin(run: Run): void {
    const index = this.#next;
    this.#next += 1;
    const machines = this.#floor.place(run.template.size, run.template.workers);
    this.#live.add({ run, index, machines, phase: "map", work: run.maps * run.mapMs });
  }

  #phaseOver(live: Live): void {
    const { run, index, machines } = live;
    if (live.phase === "map") {
      live.phase = "reduce";
      live.work = run.reduces * run.reduceMs;
      // Workers that no reduce activity needs are given back.
      this.#floor.remove(run.template.size, machines.splice(Math.max(run.template.workers, run.reduces)));
      return;
    }
    this.#floor.remove(run.template.size, machines);
    this.#live.delete(live);
    this.#tookMs[index] = this.#nowMs - run.submitMs;
    this.#history.add(run.template.name, run);
  }

  #review(): void {
    for (const live of this.#live) {
      const { template } = live.run;
      const wanted = Math.max(template.workers, this.#policy === undefined ? 0 : this.#wanted(live, this.#policy));
      if (wanted > live.machines.length) live.machines.push(...this.#floor.place(template.size, wanted - live.machines.length));
      this.#predicted[live.index] ??= predictMs(live.run, Math.max(1, live.machines.length), this.#history.lengthsOf(template.name));
    }
  }

  #wanted(live: Live, policy: Policy): number {
    const { template, maps, reduces } = live.run;
    const lengths = this.#history.lengthsOf(template.name);
    // The scheduler knows how many activities are done, not how long the others will take.
    const left = Math.ceil(live.work / (live.phase === "map" ? live.run.mapMs : live.run.reduceMs));
    const useful = live.phase === "map" ? { maps: left, reduces } : { maps: 0, reduces: left };
    const most = Math.max(0, Math.max(live.phase === "map" ? maps : 0, reduces) - live.machines.length);
    if (most === 0) return live.machines.length;
    const idle = { workers: this.#floor.count(template.size, most), workersBelowCap: this.#floor.belowCap(template.size, CAP) };
    return chosenWorkers(policy, { asked: template.workers, workers: live.machines.length, ...useful }, lengths, idle);
  }
}

const rateOf = ({ run, phase, machines }: Live): number => Math.min(machines.length, phase === "map" ? run.maps : run.reduces);

export interface Compared {
  readonly cell: string;
  readonly policy: Policy;
  /** Of each run, how many times sooner it was done. */
  readonly speedups: readonly number[];
}

export function benchMapReduce(seed: number, svg = ""): Figures {
  const trace = readTrace();
  const figures: Record<string, number> = {};
  const all: Compared[] = [];
  for (const inputs of INPUTS.cells) {
    const cell = planCell(trace, inputs, seed);
    const runs = drawRuns(cell.templates, new Random(seed, `runs ${inputs.name}`));
    const without = new Day(cell, runs, undefined).live();
    Object.assign(
      figures,
      { [`${inputs.name}.machines`]: cell.free.length, [`${inputs.name}.runs`]: runs.length },
      useOf(inputs.name, without),
    );
    for (const policy of POLICIES) {
      const outcome = new Day(cell, runs, policy).live();
      const speedups = outcome.tookMs.map((ms, i) => (without.tookMs[i] ?? 0) / ms);
      all.push({ cell: inputs.name, policy, speedups });
      const name = `${inputs.name}.${policy}`;
      Object.assign(figures, speedFigures(name, speedups), useOf(name, outcome), { [`${name}.predictedOverTookP50`]: errorOf(outcome) });
      process.stderr.write(`${name}: half of the jobs at least ${figures[`${name}.speedupP50`]} times sooner\n`);
    }
  }
  if (svg !== "") writeFileSync(svg, drawnSpeedups(all));
  return figures;
}

/** Points of the CDF of Figure 15. */
function speedFigures(name: string, speedups: readonly number[]): Figures {
  const at = (part: number): number => rounded(percentile(speedups, part), 2);
  return {
    [`${name}.soonerPercent`]: rounded((100 * speedups.filter((each) => each > 1.01).length) / speedups.length, 1),
    ...Object.fromEntries([10, 50, 80, 90, 99].map((part) => [`${name}.speedupP${part}`, at(part / 100)])),
  };
}

/** Figure 16: how high, and how much it varies. */
function useOf(name: string, { utilisation }: Outcome): Figures {
  const mean = utilisation.reduce((sum, each) => sum + each, 0) / utilisation.length;
  const variance = utilisation.reduce((sum, each) => sum + (each - mean) ** 2, 0) / utilisation.length;
  return {
    [`${name}.utilisationPercent`]: rounded(100 * mean, 1),
    [`${name}.utilisationDeviation`]: rounded(100 * Math.sqrt(variance), 2),
  };
}

const errorOf = ({ predicted, tookMs }: Outcome): number =>
  rounded(
    percentile(
      tookMs.map((ms, i) => (predicted[i] ?? 0) / ms),
      0.5,
    ),
    2,
  );
