/**
 * Machines that frameworks share by offers, or that each has a part of: simulated time, real offers (offers/allocator.ts, in cycles as the desk has them). What
 * frameworks do with an offer, and how long tasks take, is theirs to say (`Tenant`).
 */
import { Heap, type Timed } from "../../src/base/heap.ts";
import { type MachineId, machineId } from "../../src/base/id.ts";
import type { Random } from "../../src/base/random.ts";
import { fits, plus, rest, type Vector, vectorOf, ZERO } from "../../src/base/vector.ts";
import { Allocator, OFFER_TIMEOUT_MS } from "../../src/offers/allocator.ts";
import type { Offer } from "../../src/offers/ledger.ts";
import { moduleOf } from "../../src/offers/module.ts";

/** As the desk collects changes. */
const CYCLE_MS = 50;
/** What a framework had no use for is offered to it again so soon. */
const DECLINE_MS = 1_000;
const GIB_IN_KIB = 2 ** 20;

export const amount = (cores: number, gib: number): Vector => ({
  ...vectorOf(() => 0),
  cpu: 1000 * cores,
  ram: Math.round(gib * GIB_IN_KIB),
});

/** A framework: its scheduler and its tasks. */
export interface Tenant {
  readonly id: string;
  readonly weight: number;
  /** What each of its tasks asks for. */
  readonly task: Vector;
  /** Whether it would take an offer. */
  readonly wants: boolean;
  readonly isOver: boolean;
  /** Before the first cycle. */
  begin(cluster: Cluster): void;
  /** Starts a task on that machine, if it likes it. */
  take(machine: MachineId): Running | undefined;
  ended(running: Running): void;
  /** The time has come that it asked for. */
  woken(): void;
}

export interface Running {
  readonly tenant: Tenant;
  readonly machine: MachineId;
  /** Cores and GiB that it really uses; a gang that waits uses none. */
  readonly cpuUsed: number;
  readonly ramUsed: number;
}

/** What was so at a moment: cores held by each tenant, in their order, and what all use. */
export interface Sample {
  readonly timeMs: number;
  readonly cores: readonly number[];
  readonly cpuUsed: number;
  readonly ramUsed: number;
}

export interface ClusterOptions {
  readonly machines: number;
  readonly cores: number;
  readonly ramGib: number;
  /** Tenants that share; more than one list: each has as many machines as the others. */
  readonly parts: readonly (readonly Tenant[])[];
  readonly random: Random;
  readonly sampleMs: number;
}

type Event = Timed & ({ readonly kind: "end"; readonly running: Running } | { readonly kind: "wake"; readonly tenant: Tenant });

export class Cluster {
  readonly samples: Sample[] = [];
  readonly random: Random;
  readonly #options: ClusterOptions;
  readonly #whole: Vector;
  readonly #tenants: readonly Tenant[];
  readonly #byId: ReadonlyMap<string, Tenant>;
  readonly #allocators: readonly Allocator[];
  readonly #owners = new Map<MachineId, Allocator>();
  readonly #homes = new Map<Tenant, Allocator>();
  readonly #free = new Map<MachineId, Vector>();
  readonly #used = new Map<Tenant, Vector>();
  readonly #running = new Set<Running>();
  readonly #events = new Heap<Event>();
  #sequence = 0;
  #nowMs = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.random = options.random;
    this.#whole = amount(options.cores, options.ramGib);
    this.#tenants = options.parts.flat();
    this.#byId = new Map(this.#tenants.map((tenant) => [tenant.id, tenant]));
    this.#allocators = options.parts.map((tenants) => this.#allocatorOf(tenants));
    for (let i = 0; i < options.machines; i++) {
      const id = machineId(`m${i}`);
      this.#owners.set(id, this.#allocators[Math.floor((i * this.#allocators.length) / options.machines)] as Allocator);
      this.#set(id, this.#whole);
    }
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get machines(): readonly MachineId[] {
    return [...this.#free.keys()];
  }

  run(isOver: () => boolean = () => this.#tenants.every((tenant) => tenant.isOver)): void {
    for (const tenant of this.#tenants) tenant.begin(this);
    while (!isOver()) {
      this.#cycles();
      this.#advance();
    }
  }

  endAt(running: Running, timeMs: number): void {
    this.#push({ kind: "end", running }, timeMs);
  }

  wakeAt(tenant: Tenant, timeMs: number): void {
    this.#push({ kind: "wake", tenant }, timeMs);
  }

  /** A task that is there before the first offer. */
  place(running: Running): void {
    this.#started(running);
  }

  coresOf(tenant: Tenant): number {
    return (this.#used.get(tenant) ?? ZERO).cpu / 1000;
  }

  #push(event: { kind: "end"; running: Running } | { kind: "wake"; tenant: Tenant }, timeMs: number): void {
    this.#sequence += 1;
    this.#events.push({ ...event, timeMs: Math.round(timeMs), sequence: this.#sequence });
  }

  #allocatorOf(tenants: readonly Tenant[]): Allocator {
    const { random, machines, parts } = this.#options;
    const bounds = { offerTimeoutMs: OFFER_TIMEOUT_MS, machinesPerCycle: Number.POSITIVE_INFINITY };
    const allocator = new Allocator({ prefix: "o", ...bounds }, moduleOf("drf", random));
    const count = machines / parts.length;
    allocator.setTotal({ ...this.#whole, cpu: this.#whole.cpu * count, ram: this.#whole.ram * count });
    for (const tenant of tenants) {
      const { id, weight } = tenant;
      this.#homes.set(tenant, allocator);
      allocator.setRole({ name: id, weight, guarantee: 0 });
      allocator.setFramework({ id, role: id, purse: id, priority: 100, prod: false, constraints: [], minimums: [] });
    }
    return allocator;
  }

  #cycles(): void {
    for (const tenant of this.#tenants) this.#homes.get(tenant)?.setWants(tenant.id, tenant.wants, this.#nowMs);
    for (const allocator of this.#allocators) {
      if (allocator.isIdle(this.#nowMs)) continue;
      for (const offer of allocator.cycle(this.#nowMs).offers) this.#answer(allocator, offer);
    }
  }

  /** To the next cycle that has something to do, with all that happens until then. */
  #advance(): void {
    const isDue = this.#allocators.some((allocator) => !allocator.isIdle(this.#nowMs));
    const times = this.#allocators.flatMap(({ nextMs }) => (nextMs === undefined ? [] : [nextMs]));
    const nextMs = isDue ? 0 : Math.min(this.#events.peek()?.timeMs ?? Number.POSITIVE_INFINITY, ...times);
    const toMs = Math.max(this.#nowMs + CYCLE_MS, Math.ceil(nextMs / CYCLE_MS) * CYCLE_MS);
    for (let event = this.#events.peek(); event !== undefined && event.timeMs <= toMs; event = this.#events.peek()) {
      this.#sampleUntil(event.timeMs);
      this.#events.pop();
      this.#nowMs = event.timeMs;
      if (event.kind === "end") this.#ended(event.running);
      else event.tenant.woken();
    }
    this.#sampleUntil(toMs);
    this.#nowMs = toMs;
  }

  #sampleUntil(timeMs: number): void {
    const { sampleMs } = this.#options;
    while (this.samples.length * sampleMs <= timeMs) {
      const held = [...this.#running];
      this.samples.push({
        timeMs: this.samples.length * sampleMs,
        cores: this.#tenants.map((tenant) => this.coresOf(tenant)),
        cpuUsed: held.reduce((sum, { cpuUsed }) => sum + cpuUsed, 0),
        ramUsed: held.reduce((sum, { ramUsed }) => sum + ramUsed, 0),
      });
    }
  }

  #ended(running: Running): void {
    const { tenant, machine } = running;
    this.#running.delete(running);
    this.#use(tenant, rest(this.#used.get(tenant) ?? ZERO, tenant.task));
    this.#set(machine, plus(this.#free.get(machine) ?? ZERO, tenant.task));
    tenant.ended(running);
  }

  #started(running: Running): void {
    const { tenant, machine } = running;
    this.#running.add(running);
    this.#use(tenant, plus(this.#used.get(tenant) ?? ZERO, tenant.task));
    this.#set(machine, rest(this.#free.get(machine) ?? ZERO, tenant.task));
  }

  #answer(allocator: Allocator, offer: Offer): void {
    const tenant = this.#byId.get(offer.framework) as Tenant;
    const taken: Running[] = [];
    for (let used = tenant.task; fits(used, offer.amount); used = plus(used, tenant.task)) {
      const running = tenant.wants ? tenant.take(offer.machine) : undefined;
      if (running === undefined) break;
      taken.push(running);
    }
    if (taken.length === 0) return void allocator.decline(tenant.id, offer.id, DECLINE_MS, this.#nowMs);
    allocator.take(tenant.id, offer.id);
    for (const running of taken) this.#started(running);
    const used = taken.reduce((sum) => plus(sum, tenant.task), ZERO);
    allocator.settle([offer.id], used, DECLINE_MS, this.#nowMs);
  }

  #use(tenant: Tenant, used: Vector): void {
    this.#used.set(tenant, used);
    this.#homes.get(tenant)?.setUsed(tenant.id, used);
  }

  #set(id: MachineId, free: Vector): void {
    this.#free.set(id, free);
    const room = { byLimits: free, byReservations: free, ports: [] };
    this.#owners
      .get(id)
      ?.setMachine(id, { room, attributes: new Map([["hostname", id]]), lent: rest(this.#whole, free), maxCompletionMs: undefined });
  }
}
