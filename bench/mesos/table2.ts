/**
 * Table 2 of the Mesos paper (§4.2) against the allocator: all slots are busy with one framework's tasks when another comes that is entitled to the k slots it
 * prefers. It is offered what becomes free, takes the slots it prefers and declines the others. Measured: when it has all k (ramp-up), when its job is done, and which part of the time
 * that it held slots they worked. As the paper's footnote says, the last tasks of a job end together: a job is done when its slots worked as long as it needs.
 */
import type { MachineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { type Figures, rounded } from "../figures.ts";
import { amount, Cluster, type Running, type Tenant } from "./cluster.ts";
import { TABLE2_INPUTS as INPUTS } from "./inputs.ts";

export type Durations = "constant" | "exponential";

const TASK = amount(1, 1);
const BACKGROUND: { readonly cpuUsed: number; readonly ramUsed: number } = { cpuUsed: 1, ramUsed: 1 };

function drawnMs(durations: Durations, random: Random): number {
  return durations === "constant" ? INPUTS.meanMs : -Math.log(1 - random.float()) * INPUTS.meanMs;
}

/** Has tasks without end, and all slots at first; those of constant length are then somewhere in their time. */
class Elsewhere implements Tenant {
  readonly id = "elsewhere";
  readonly weight = INPUTS.slots - INPUTS.entitled;
  readonly task = TASK;
  readonly wants = true;
  readonly isOver = false;
  readonly #durations: Durations;
  #cluster: Cluster | undefined;

  constructor(durations: Durations) {
    this.#durations = durations;
  }

  begin(cluster: Cluster): void {
    this.#cluster = cluster;
    for (const machine of cluster.machines) {
      const running = { tenant: this, machine, ...BACKGROUND };
      cluster.place(running);
      const leftMs = drawnMs(this.#durations, cluster.random) * (this.#durations === "constant" ? cluster.random.float() : 1);
      cluster.endAt(running, leftMs);
    }
  }

  take(machine: MachineId): Running {
    const cluster = this.#cluster as Cluster;
    const running = { tenant: this, machine, ...BACKGROUND };
    cluster.endAt(running, cluster.nowMs + drawnMs(this.#durations, cluster.random));
    return running;
  }

  ended(): void {}
  woken(): void {}
}

/** Takes each preferred slot when it is offered, and keeps it: what it runs there one after the other is its own. */
class Newcomer implements Tenant {
  readonly id = "newcomer";
  readonly weight = INPUTS.entitled;
  readonly task = TASK;
  readonly #preferred: ReadonlySet<string>;
  #cluster: Cluster | undefined;
  /** When it got each of its slots. */
  readonly gotMs: number[] = [];

  constructor(preferred: ReadonlySet<string>) {
    this.#preferred = preferred;
  }

  get wants(): boolean {
    return !this.isOver;
  }

  get isOver(): boolean {
    return this.gotMs.length === INPUTS.entitled;
  }

  begin(cluster: Cluster): void {
    this.#cluster = cluster;
  }

  take(machine: MachineId): Running | undefined {
    if (!this.#preferred.has(machine)) return undefined;
    this.gotMs.push((this.#cluster as Cluster).nowMs);
    return { tenant: this, machine, ...BACKGROUND };
  }

  ended(): void {}
  woken(): void {}
}

/** When it got each of the slots that it prefers, in means of a task. */
export function acquired(durations: Durations, seed: number): readonly number[] {
  const { slots, entitled, meanMs } = INPUTS;
  const random = new Random(seed, durations);
  const preferred = new Set(Array.from({ length: entitled }, (_, i) => `m${i}`));
  const newcomer = new Newcomer(preferred);
  const background = new Elsewhere(durations);
  const parts = [[background, newcomer]];
  const cluster = new Cluster({ machines: slots, cores: 1, ramGib: 1, parts, random, sampleMs: Number.POSITIVE_INFINITY });
  cluster.run(() => newcomer.isOver);
  return newcomer.gotMs.map((ms) => ms / meanMs);
}

export interface Outcome {
  readonly ramp: number;
  readonly completion: number;
  readonly utilisation: number;
}

/** Of a job that needs `beta` on all slots: an elastic one works with what it has, a rigid one from when it has all. */
export function outcomeOf(gotAt: readonly number[], beta: number, isElastic: boolean): Outcome {
  const ramp = Math.max(...gotAt);
  const work = beta * gotAt.length;
  const lost = gotAt.reduce((sum, at) => sum + at, 0);
  if (isElastic) return { ramp, completion: elasticEnd(gotAt, work), utilisation: 1 };
  const completion = ramp + beta;
  return { ramp, completion, utilisation: work / (completion * gotAt.length - lost) };
}

/** When slots that came one after the other have done so much work together. */
function elasticEnd(gotAt: readonly number[], work: number): number {
  const sorted = [...gotAt].sort((a, b) => a - b);
  let [done, at] = [0, 0];
  for (const [slots, next] of sorted.entries()) {
    const more = slots * (next - at);
    if (done + more >= work) return at + (work - done) / slots;
    [done, at] = [done + more, next];
  }
  return at + (work - done) / sorted.length;
}

/** Table 2. */
export function formulaOf(durations: Durations, k: number, beta: number, isElastic: boolean): Outcome {
  const isConstant = durations === "constant";
  const ramp = isConstant ? 1 : Math.log(k);
  if (isElastic) return { ramp, completion: (isConstant ? 0.5 : 1) + beta, utilisation: 1 };
  return { ramp, completion: ramp + beta, utilisation: beta / ((isConstant ? 0.5 : ramp - 1) + beta) };
}

export function benchTable2(seed: number): Figures {
  const { entitled, betas, runs, slots } = INPUTS;
  const figures: Record<string, number> = { slots, entitled, runs };
  for (const durations of ["constant", "exponential"] as const) {
    const all = Array.from({ length: runs }, (_, run) => acquired(durations, seed + run));
    for (const beta of betas) {
      for (const isElastic of [true, false]) {
        const name = `${isElastic ? "elastic" : "rigid"}${durations === "constant" ? "Constant" : "Exponential"}Beta${beta}`;
        const outcomes = all.map((gotAt) => outcomeOf(gotAt, beta, isElastic));
        const formula = formulaOf(durations, entitled, beta, isElastic);
        for (const what of ["ramp", "completion", "utilisation"] as const) {
          figures[`${name}.${what}`] = rounded(outcomes.reduce((sum, each) => sum + each[what], 0) / runs, 2);
          figures[`${name}.${what}Paper`] = rounded(formula[what], 2);
        }
      }
    }
  }
  return figures;
}
