/**
 * Cycles of the allocator alone, with as many frameworks as the paper's (Mesos §6.5): what the first cycle over a whole cell costs, and what one costs
 * in which some machines changed. Times are of the processor, so neighbours do not count.
 */
import { type MachineId, machineId } from "../src/base/id.ts";
import { Random } from "../src/base/random.ts";
import { plus, rest, type Vector, vectorOf, ZERO } from "../src/base/vector.ts";
import { Allocator } from "../src/offers/allocator.ts";
import type { Offer } from "../src/offers/ledger.ts";
import { moduleOf } from "../src/offers/module.ts";
import { type Figures, percentile, rounded } from "./figures.ts";

const FRAMEWORKS = 200;
const ROLES = 20;
const CHANGED = 100;
const CYCLES = 200;
const CYCLE_MS = 50;

const amount = (cpu: number, ram: number): Vector => ({ ...vectorOf(() => 0), cpu, ram });
const WHOLE = amount(8000, 8_000_000);
const TASK = amount(500, 500_000);

export function benchOffers(machines: number, seed: number): Figures {
  const cell = new Cell(machines, seed);
  const firstMs = cell.timed(() => cell.cycle());
  cell.acceptAll();
  const cycles: number[] = [];
  let launched = 0;
  for (let i = 0; i < CYCLES; i++) {
    cell.endSome(CHANGED);
    cycles.push(cell.timed(() => cell.cycle()));
    launched += cell.acceptAll();
  }
  const at = (part: number): number => rounded(percentile(cycles, part));
  return {
    ...{ machines, frameworks: FRAMEWORKS, firstCycleMs: rounded(firstMs), changedMachines: CHANGED, launchesPerCycle: launched / CYCLES },
    ...{ cycleP50Ms: at(0.5), cycleP99Ms: at(0.99) },
  };
}

class Cell {
  readonly #allocator: Allocator;
  readonly #random: Random;
  readonly #free = new Map<MachineId, Vector>();
  readonly #used = new Map<string, Vector>();
  readonly #tasks: { readonly machine: MachineId; readonly framework: string }[] = [];
  #offers: readonly Offer[] = [];
  #nowMs = 0;

  constructor(machines: number, seed: number) {
    this.#random = new Random(seed);
    const module = moduleOf("drf", this.#random);
    const bounds = { offerTimeoutMs: 60_000, machinesPerCycle: Number.POSITIVE_INFINITY };
    this.#allocator = new Allocator({ prefix: "bench", ...bounds }, module);
    this.#allocator.setTotal(amount(WHOLE.cpu * machines, WHOLE.ram * machines));
    for (let i = 0; i < machines; i++) this.#set(machineId(`m${i}`), WHOLE);
    for (let i = 0; i < FRAMEWORKS; i++) {
      const [id, role] = [`f${i}`, `r${i % ROLES}`];
      this.#allocator.setRole({ name: role, weight: 1 + (i % 3), guarantee: 0 });
      this.#allocator.setFramework({ id, role, purse: id, priority: 100, prod: false, constraints: [], minimums: [] });
      this.#allocator.setWants(id, true, 0);
    }
  }

  timed(work: () => void): number {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  cycle(): void {
    this.#nowMs += CYCLE_MS;
    this.#offers = this.#allocator.cycle(this.#nowMs).offers;
  }

  /** Each framework takes one task of what it is offered. */
  acceptAll(): number {
    for (const { id, machine, framework } of this.#offers) {
      this.#allocator.take(framework, id);
      this.#tasks.push({ machine, framework });
      this.#use(framework, plus(this.#used.get(framework) ?? ZERO, TASK));
      this.#set(machine, rest(this.#free.get(machine) ?? ZERO, TASK));
      this.#allocator.settle([id], TASK, 3_600_000, this.#nowMs);
    }
    return this.#offers.length;
  }

  endSome(count: number): void {
    for (let i = 0; i < count; i++) {
      const [task] = this.#tasks.splice(this.#random.int(0, this.#tasks.length), 1);
      if (task === undefined) return;
      this.#use(task.framework, rest(this.#used.get(task.framework) ?? ZERO, TASK));
      this.#set(task.machine, plus(this.#free.get(task.machine) ?? ZERO, TASK));
    }
  }

  #use(framework: string, used: Vector): void {
    this.#used.set(framework, used);
    this.#allocator.setUsed(framework, used);
  }

  #set(id: MachineId, free: Vector): void {
    this.#free.set(id, free);
    const room = { byLimits: free, byReservations: free, ports: [{ begin: 20_000, end: 20_099 }] };
    this.#allocator.setMachine(id, { room, attributes: new Map([["hostname", id]]), lent: ZERO, maxCompletionMs: undefined });
  }
}
