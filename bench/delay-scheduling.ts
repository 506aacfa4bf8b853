/**
 * Delay scheduling (Mesos §6.3, Figure 8): sixteen frameworks scan one file whose blocks are spread over the machines, with a static part of the machines each, and
 * sharing all of them by offers with no delay, one second and five. Offers are made by the allocator itself (offers/allocator.ts, DRF), in cycles as
 * the desk has them; machines, blocks and the time that tasks take are made up by delay-inputs.ts.
 */
import { writeFileSync } from "node:fs";
import { Heap, type Timed } from "../src/base/heap.ts";
import { type MachineId, machineId } from "../src/base/id.ts";
import { Random } from "../src/base/random.ts";
import { plus, rest, type Vector, vectorOf, ZERO } from "../src/base/vector.ts";
import { Allocator, OFFER_TIMEOUT_MS } from "../src/offers/allocator.ts";
import type { Offer } from "../src/offers/ledger.ts";
import { moduleOf } from "../src/offers/module.ts";
import { DELAY_INPUTS as INPUTS, PAPER } from "./delay-inputs.ts";
import { type Figures, rounded } from "./figures.ts";

/** As the desk collects changes. */
const CYCLE_MS = 50;
/** What was declined for want of data is offered again so soon. */
const DECLINE_MS = 1_000;
const GIB_IN_KIB = 2 ** 20;

const amount = (cpu: number, ram: number): Vector => ({ ...vectorOf(() => 0), cpu, ram });
const SLOT = amount(1000, Math.floor((INPUTS.ramGib * GIB_IN_KIB) / INPUTS.cores));
const MACHINE = amount(1000 * INPUTS.cores, INPUTS.ramGib * GIB_IN_KIB);

/** `delayMs` undefined: each has machines of its own. */
interface Scenario {
  readonly name: string;
  readonly delayMs: number | undefined;
}

const SCENARIOS: readonly Scenario[] = [
  { name: "static", delayMs: undefined },
  ...INPUTS.delaysMs.map((delayMs) => ({ name: `delay${delayMs / 1000}`, delayMs })),
];

export function benchDelayScheduling(seed: number, svg = ""): Figures {
  const figures: Record<string, number> = {
    machines: INPUTS.machines,
    instances: INPUTS.instances,
    tasks: INPUTS.instances * INPUTS.blocks,
  };
  for (const scenario of SCENARIOS) {
    const runs = Array.from({ length: INPUTS.runs }, (_, run) => new Trial(seed + run, scenario).run());
    const mean = (of: (run: Outcome) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
    figures[`${scenario.name}LocalPercent`] = rounded(100 * mean(({ local }) => local), 1);
    figures[`${scenario.name}JobSeconds`] = rounded(mean(({ jobMs }) => jobMs) / 1000, 1);
    process.stderr.write(
      `${scenario.name}: ${figures[`${scenario.name}LocalPercent`]} % local, ${figures[`${scenario.name}JobSeconds`]} s a job\n`,
    );
  }
  if (svg !== "") writeFileSync(svg, drawn(figures));
  const fixed = figures["staticJobSeconds"] ?? 0;
  for (const { name } of SCENARIOS.slice(1)) figures[`${name}Speedup`] = rounded(fixed / (figures[`${name}JobSeconds`] ?? 1), 2);
  return {
    ...figures,
    ...Object.fromEntries(Object.entries(PAPER).map(([name, value]) => [`paper${name.charAt(0).toUpperCase()}${name.slice(1)}`, value])),
  };
}

/** As Figure 8: a bar for what is local, and the seconds of a job beside it. */
function drawn(figures: Figures): string {
  const bars = SCENARIOS.map(({ name }, i) => {
    const [local, seconds] = [figures[`${name}LocalPercent`] ?? 0, figures[`${name}JobSeconds`] ?? 0];
    const x = 40 + i * 105;
    const bar = `<rect x="${x}" y="${(200 - 1.6 * local).toFixed(1)}" width="60" height="${(1.6 * local).toFixed(1)}" fill="#07c"/>`;
    return `${bar}\n<text x="${x}" y="${(194 - 1.6 * local).toFixed(1)}">${local} %</text>\n<text x="${x}" y="216">${name}</text>\n<text x="${x}" y="232">${seconds} s a job</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="240" font-family="sans-serif" font-size="11">
<text x="40" y="14">Map tasks that ran where their block is (Mesos, Figure 8)</text>
${bars.join("\n")}
<path d="M30 40V200H470" fill="none" stroke="#333"/>
</svg>
`;
}

/** One run; `delayMs` undefined: with machines of its own for each. */
export const delayTrial = (seed: number, delayMs: number | undefined): Outcome => new Trial(seed, { name: "", delayMs }).run();

interface Outcome {
  /** The part of all tasks that ran where their block is. */
  readonly local: number;
  /** The mean over the jobs. */
  readonly jobMs: number;
}

interface End extends Timed {
  readonly job: Job;
  readonly machine: MachineId;
}

/** One instance of Hadoop with its one job. */
class Job {
  readonly id: string;
  /** Blocks that wait, in the order of the file. */
  readonly waiting: Set<number>;
  readonly #delayMs: number;
  #sinceMs = 0;
  used: Vector = ZERO;
  running = 0;
  local = 0;
  endMs = 0;

  constructor(id: string, delayMs: number) {
    this.id = id;
    this.#delayMs = delayMs;
    this.waiting = new Set(Array.from({ length: INPUTS.blocks }, (_, block) => block));
  }

  /** The next block for a core of a machine that has these: one that is there, or any when it has waited long enough. */
  take(there: readonly number[], nowMs: number): { readonly isLocal: boolean } | undefined {
    const near = there.find((block) => this.waiting.has(block));
    if (near === undefined && nowMs - this.#sinceMs < this.#delayMs) return undefined;
    const [first] = this.waiting;
    const block = near ?? first;
    if (block === undefined) return undefined;
    this.waiting.delete(block);
    if (near !== undefined) this.#sinceMs = nowMs;
    if (near !== undefined) this.local += 1;
    return { isLocal: near !== undefined };
  }
}

class Trial {
  readonly #random: Random;

  readonly #jobs: readonly Job[];
  readonly #blocks = new Map<MachineId, number[]>();
  readonly #free = new Map<MachineId, Vector>();
  readonly #ends = new Heap<End>();
  readonly #allocators: readonly Allocator[];
  /** Which allocator has a machine. */
  readonly #owners = new Map<MachineId, Allocator>();
  #nowMs = 0;
  #sequence = 0;

  constructor(seed: number, scenario: Scenario) {
    this.#random = new Random(seed);

    this.#jobs = Array.from({ length: INPUTS.instances }, (_, i) => new Job(`hadoop-${i}`, scenario.delayMs ?? 0));
    this.#allocators = scenario.delayMs === undefined ? this.#jobs.map((job) => this.#allocator([job])) : [this.#allocator(this.#jobs)];
    for (let i = 0; i < INPUTS.machines; i++) {
      const id = machineId(`m${i}`);
      this.#owners.set(id, this.#allocators[i % this.#allocators.length] as Allocator);
      this.#blocks.set(id, []);
    }
    this.#spread();
    for (const id of this.#owners.keys()) this.#set(id, MACHINE);
  }

  #allocator(jobs: readonly Job[]): Allocator {
    const bounds = { offerTimeoutMs: OFFER_TIMEOUT_MS, machinesPerCycle: Number.POSITIVE_INFINITY };
    const allocator = new Allocator({ prefix: "o", ...bounds }, moduleOf("drf", this.#random));
    allocator.setTotal(amount(MACHINE.cpu * INPUTS.machines, MACHINE.ram * INPUTS.machines));
    allocator.setRole({ name: "*", weight: 1, guarantee: 0 });
    for (const { id } of jobs) {
      allocator.setFramework({ id, role: "*", purse: id, priority: 100, prod: false, constraints: [], minimums: [] });
      allocator.setWants(id, true, 0);
    }
    return allocator;
  }

  /** Copies of a block are on different machines. */
  #spread(): void {
    const machines = [...this.#blocks.keys()];
    for (let block = 0; block < INPUTS.blocks; block++) {
      const chosen = new Set<MachineId>();
      while (chosen.size < INPUTS.copies) chosen.add(this.#random.pick(machines));
      for (const id of chosen) this.#blocks.get(id)?.push(block);
    }
  }

  run(): Outcome {
    while (this.#jobs.some(({ waiting, running }) => waiting.size > 0 || running > 0)) {
      this.#advance();
      for (const allocator of this.#allocators) {
        if (allocator.isIdle(this.#nowMs)) continue;
        for (const offer of allocator.cycle(this.#nowMs).offers) this.#answer(allocator, offer);
      }
    }
    const count = INPUTS.instances * INPUTS.blocks;
    const [local, jobMs] = this.#jobs.reduce(([a, b], job) => [a + job.local, b + job.endMs], [0, 0]);
    return { local: local / count, jobMs: jobMs / this.#jobs.length };
  }

  /** To the next cycle that has something to do; tasks that end until then have ended. */
  #advance(): void {
    const isDue = this.#allocators.some((allocator) => !allocator.isIdle(this.#nowMs));
    const times = this.#allocators.flatMap(({ nextMs }) => (nextMs === undefined ? [] : [nextMs]));
    const nextMs = Math.min(this.#ends.peek()?.timeMs ?? Number.POSITIVE_INFINITY, ...times);
    this.#nowMs = isDue ? this.#nowMs + CYCLE_MS : Math.max(this.#nowMs + CYCLE_MS, nextMs);
    for (let end = this.#ends.peek(); end !== undefined && end.timeMs <= this.#nowMs; end = this.#ends.peek()) {
      this.#ends.pop();
      this.#ended(end);
    }
  }

  #ended({ job, machine, timeMs }: End): void {
    job.running -= 1;
    job.endMs = timeMs;
    this.#use(job, machine, rest(job.used, SLOT));
    this.#set(machine, plus(this.#free.get(machine) ?? ZERO, SLOT));
  }

  #answer(allocator: Allocator, offer: Offer): void {
    const job = this.#jobs.find(({ id }) => id === offer.framework) as Job;
    const there = this.#blocks.get(offer.machine) ?? [];
    let used = ZERO;
    for (let left = Math.floor(offer.amount.cpu / SLOT.cpu); left > 0; left--) {
      const found = job.take(there, this.#nowMs);
      if (found === undefined) break;
      this.#start(job, offer.machine, found.isLocal);
      used = plus(used, SLOT);
    }
    if (job.waiting.size === 0) allocator.setWants(job.id, false, this.#nowMs);
    if (used === ZERO) return void allocator.decline(job.id, offer.id, DECLINE_MS, this.#nowMs);
    allocator.take(job.id, offer.id);
    this.#use(job, offer.machine, plus(job.used, used));
    this.#set(offer.machine, rest(this.#free.get(offer.machine) ?? ZERO, used));
    allocator.settle([offer.id], used, DECLINE_MS, this.#nowMs);
  }

  #start(job: Job, machine: MachineId, isLocal: boolean): void {
    const factor = (isLocal ? 1 : INPUTS.remoteFactor) * (1 + INPUTS.jitter * (2 * this.#random.float() - 1));
    job.running += 1;
    this.#sequence += 1;
    this.#ends.push({ timeMs: this.#nowMs + Math.round(INPUTS.localMs * factor), sequence: this.#sequence, job, machine });
  }

  #use(job: Job, machine: MachineId, used: Vector): void {
    job.used = used;
    this.#owners.get(machine)?.setUsed(job.id, used);
  }

  #set(id: MachineId, free: Vector): void {
    this.#free.set(id, free);
    const room = { byLimits: free, byReservations: free, ports: [] };
    this.#owners
      .get(id)
      ?.setMachine(id, { room, attributes: new Map([["hostname", id]]), lent: rest(MACHINE, free), maxCompletionMs: undefined });
  }
}
