/** A cell of amounts only: machines, tasks on them, and an allocator that is told of every change. */
import { type MachineId, machineId } from "../../src/base/id.ts";
import { Random } from "../../src/base/random.ts";
import { fits, minus, plus, rest, type Vector, vectorOf, ZERO } from "../../src/base/vector.ts";
import type { FrameworkTerms } from "../../src/offers/account.ts";
import { Allocator, type Cycle } from "../../src/offers/allocator.ts";
import type { Offer } from "../../src/offers/ledger.ts";
import { type ModuleName, moduleOf } from "../../src/offers/module.ts";
import { NO_ROOM, type Room } from "../../src/offers/room.ts";

export const amount = (cpu: number, ram = 0, disk = 0, ports = 0): Vector => ({ ...vectorOf(() => 0), cpu, ram, disk, ports });

export interface ToyTask {
  readonly framework: string;
  readonly machine: MachineId;
  readonly limit: Vector;
}

interface ToyMachine {
  readonly capacity: Vector;
  /** What Borg jobs have of it. */
  borg: Vector;
  up: boolean;
  readonly attributes: Map<string, string>;
  readonly isShort: boolean;
}

export class ToyCell {
  readonly allocator: Allocator;
  readonly machines = new Map<MachineId, ToyMachine>();
  readonly tasks = new Map<number, ToyTask>();
  nowMs = 0;
  #last = 0;

  constructor(module: ModuleName = "drf", seed = 1, timeoutMs = 60_000, machinesPerCycle = Number.POSITIVE_INFINITY) {
    const options = { machinesPerCycle, prefix: "o", offerTimeoutMs: timeoutMs };
    this.allocator = new Allocator(options, moduleOf(module, new Random(seed)));
  }

  addMachine(name: string, capacity: Vector, attributes: readonly (readonly [string, string])[] = [], isShort = false): MachineId {
    const id = machineId(name);
    this.machines.set(id, { capacity, borg: ZERO, up: true, attributes: new Map(attributes), isShort });
    this.allocator.setTotal(this.total);
    this.publish(id);
    return id;
  }

  /** A role of its own, with one framework of the same name. */
  addFramework(name: string, terms: Partial<FrameworkTerms & { weight: number; guarantee: number }> = {}): void {
    const { weight = 1, guarantee = 0, role = name, ...own } = terms;
    this.allocator.setRole({ name: role, weight, guarantee });
    this.allocator.setFramework({ id: name, role, purse: name, priority: 100, prod: false, constraints: [], minimums: [], ...own });
    this.allocator.setWants(name, true, this.nowMs);
  }

  get total(): Vector {
    return [...this.machines.values()].reduce((sum, { capacity }) => plus(sum, capacity), ZERO);
  }

  used(framework: string): Vector {
    return this.#sum(({ framework: owner }) => owner === framework);
  }

  free(id: MachineId): Vector {
    const { capacity, borg } = this.machines.get(id) as ToyMachine;
    return rest(minus(capacity, borg), this.lent(id));
  }

  lent(id: MachineId): Vector {
    return this.#sum(({ machine }) => machine === id);
  }

  /** By reservations and by limits the same: nobody uses less than it asked for. */
  room(id: MachineId): Room {
    const machine = this.machines.get(id) as ToyMachine;
    if (!machine.up) return NO_ROOM;
    const free = this.free(id);
    return { byLimits: free, byReservations: free, ports: free.ports === 0 ? [] : [{ begin: 1, end: free.ports }] };
  }

  publish(id: MachineId): void {
    const { attributes, isShort } = this.machines.get(id) as ToyMachine;
    this.allocator.setMachine(id, { room: this.room(id), attributes, lent: this.lent(id), maxCompletionMs: isShort ? 600_000 : undefined });
  }

  cycle(afterMs = 100): Cycle {
    this.nowMs += afterMs;
    return this.allocator.cycle(this.nowMs);
  }

  /** As the actor does it: taken, decided by the cell (here: it fits or not), shown, settled. */
  accept(offer: Offer, limits: readonly Vector[], filterMs = 0): boolean {
    const wanted = limits.reduce(plus, ZERO);
    if (this.allocator.take(offer.framework, offer.id) === undefined) return false;
    const done = fits(wanted, this.free(offer.machine));
    if (done) for (const limit of limits) this.#start({ framework: offer.framework, machine: offer.machine, limit });
    this.publish(offer.machine);
    this.allocator.settle([offer.id], done ? wanted : ZERO, filterMs, this.nowMs);
    return done;
  }

  decline(offer: Offer, filterMs = 5_000): boolean {
    return this.allocator.decline(offer.framework, offer.id, filterMs, this.nowMs);
  }

  end(id: number): void {
    const task = this.tasks.get(id);
    if (task === undefined) return;
    this.tasks.delete(id);
    this.allocator.setUsed(task.framework, this.used(task.framework));
    this.publish(task.machine);
  }

  setBorg(id: MachineId, borg: Vector): void {
    (this.machines.get(id) as ToyMachine).borg = borg;
    this.publish(id);
  }

  setUp(id: MachineId, up: boolean): void {
    (this.machines.get(id) as ToyMachine).up = up;
    this.publish(id);
  }

  #start(task: ToyTask): void {
    this.#last += 1;
    this.tasks.set(this.#last, task);
    this.allocator.setUsed(task.framework, this.used(task.framework));
  }

  #sum(which: (task: ToyTask) => boolean): Vector {
    return [...this.tasks.values()].filter(which).reduce((sum, { limit }) => plus(sum, limit), ZERO);
  }
}
