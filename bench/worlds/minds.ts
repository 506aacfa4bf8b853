/** Who decides in the three worlds: Borg's one scheduler, Omega's two that plan side by side on copies of their own, and Mesos' two frameworks, which see what they are offered. */
import assert from "node:assert/strict";
import type { MachineId } from "../../src/base/id.ts";
import type { Random } from "../../src/base/random.ts";
import { fits, plus, rest, type Vector, ZERO } from "../../src/base/vector.ts";
import { type FeedItem, imageOf } from "../../src/cell/feed.ts";
import type { Task } from "../../src/cell/state.ts";
import { Allocator, OFFER_TIMEOUT_MS } from "../../src/offers/allocator.ts";
import type { Offer } from "../../src/offers/ledger.ts";
import { moduleOf } from "../../src/offers/module.ts";
import { roomOf } from "../../src/offers/room.ts";
import type { PlannedClaim } from "../../src/scheduler/message.ts";
import { Mirror } from "../../src/scheduler/mirror/mirror.ts";
import { runPass } from "../../src/scheduler/pass.ts";
import { Queue } from "../../src/scheduler/queue.ts";
import type { Kind } from "./work.ts";
import type { Follower, Mind, Wanted, World } from "./world.ts";

abstract class Deciding {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly queue: Wanted[] = [];
  isBusy = false;
  busyMs = 0;
  claims = 0;
  refused = 0;

  constructor(name: string, kinds: readonly Kind[]) {
    this.name = name;
    this.kinds = kinds;
  }
}

/** The cell's own scheduler, on its copy of the cell. */
export class SchedulerMind extends Deciding implements Mind, Follower {
  readonly #mirror: Mirror;
  /** Transactions of this thought. The copy takes them for accepted until the cell has said what it thinks of them. */
  readonly #planned: string[] = [];
  #ids = 0;

  constructor(world: World, name: string, kinds: readonly Kind[]) {
    super(name, kinds);
    this.#mirror = new Mirror(name);
    assert.equal(this.#mirror.load(imageOf(world.state)), undefined);
    world.followers.push(this);
  }

  follow(item: FeedItem): void {
    assert.equal(this.#mirror.follow(item), undefined);
  }

  plan({ id }: Wanted): readonly PlannedClaim[] {
    const queue = new Queue({ mine: (job) => job.id === id, retryMs: 0 });
    const claims: PlannedClaim[] = [];
    const next = (): string => `${this.name}-${++this.#ids}`;
    for (let planned = -1; planned !== claims.length; ) {
      planned = claims.length;
      for (const transaction of runPass(this.#mirror, queue, { nowMs: this.#mirror.timeMs, id: next }).transactions) {
        claims.push(...transaction.claims);
        this.#planned.push(transaction.id);
      }
    }
    return claims;
  }

  still = (claims: readonly PlannedClaim[]): readonly PlannedClaim[] => claims;

  decided(): void {
    for (const transaction of this.#planned.splice(0)) this.#mirror.drop(transaction);
  }
}

/** As the desk collects changes. */
const CYCLE_MS = 50;
/** Claims of frameworks are judged as this scheduler's. */
export const OFFERS = "offers";

/** What makes offers, told of the cell as the desk is. */
export class Offering implements Follower {
  readonly #world: World;
  readonly #allocator: Allocator;
  readonly #frameworks: FrameworkMind[] = [];
  /** The next cycle; Infinity: nothing calls for one. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(world: World, random: Random) {
    this.#world = world;
    const bounds = { offerTimeoutMs: OFFER_TIMEOUT_MS, machinesPerCycle: Number.POSITIVE_INFINITY };
    this.#allocator = new Allocator({ prefix: "o", ...bounds }, moduleOf("drf", random));
    const all = [...world.state.machines.values()];
    this.#allocator.setTotal(all.reduce((sum, { place }) => plus(sum, place.capacity), ZERO));
    for (const { id } of all) this.#look(id);
    world.followers.push(this);
  }

  add(framework: FrameworkMind): void {
    const { id } = framework;
    this.#frameworks.push(framework);
    this.#allocator.setRole({ name: id, weight: 1, guarantee: 0 });
    this.#allocator.setFramework({ id, role: id, purse: id, priority: 100, prod: false, constraints: [], minimums: [] });
  }

  follow({ events }: FeedItem): void {
    for (const machine of new Set(events.flatMap(({ machine: each }) => (each === undefined ? [] : [each])))) this.#look(machine);
    this.#soon();
  }

  #look(id: MachineId): void {
    const machine = this.#world.state.machines.get(id);
    if (machine === undefined) return;
    const lent = rest(machine.place.capacity, roomOf(machine).byReservations);
    this.#allocator.setMachine(id, { room: roomOf(machine), attributes: new Map(), lent, maxCompletionMs: undefined });
  }

  wants({ id }: FrameworkMind, wants: boolean): void {
    this.#allocator.setWants(id, wants, this.#world.nowMs);
    this.#soon();
  }

  decline({ id }: FrameworkMind, offer: Offer): void {
    this.#allocator.decline(id, offer.id, this.#world.inputs.declineMs, this.#world.nowMs);
    this.#soon();
  }

  take = ({ id }: FrameworkMind, offer: Offer): boolean => this.#allocator.take(id, offer.id) !== undefined;

  settle(offer: Offer, used: Vector): void {
    this.#allocator.settle([offer.id], used, this.#world.inputs.declineMs, this.#world.nowMs);
    this.#soon();
  }

  #soon(atMs = this.#world.nowMs + CYCLE_MS): void {
    if (atMs >= this.#dueMs) return;
    this.#dueMs = atMs;
    this.#world.at(atMs, () => {
      if (this.#dueMs === atMs) this.#cycle();
    });
  }

  #cycle(): void {
    const { nowMs } = this.#world;
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const { id, kinds } of this.#frameworks) this.#allocator.setUsed(id, this.#world.held.get(kinds[0] as Kind) ?? ZERO);
    const { offers, rescinded } = this.#allocator.cycle(nowMs);
    for (const framework of this.#frameworks) {
      const own = ({ framework: name }: Offer): boolean => name === framework.id;
      framework.rescinded(rescinded.filter(own));
      framework.offered(offers.filter(own));
    }
    const { nextMs } = this.#allocator;
    if (nextMs !== undefined) this.#soon(Math.max(nextMs, nowMs + CYCLE_MS));
  }
}

/** A framework: it keeps what it is offered while it thinks, launches where there is most room first, and declines the rest. */
export class FrameworkMind extends Deciding implements Mind {
  readonly id: string;
  readonly #world: World;
  readonly #offering: Offering;
  readonly #offers = new Map<string, Offer>();

  constructor(world: World, offering: Offering, kind: Kind) {
    super(OFFERS, [kind]);
    this.id = kind;
    this.#world = world;
    this.#offering = offering;
    offering.add(this);
  }

  offered(offers: readonly Offer[]): void {
    for (const offer of offers) this.#offers.set(offer.id, offer);
    if (offers.length === 0) return;
    this.#world.stir(this);
    if (!this.isBusy && this.queue.length === 0) this.#declineAll();
  }

  rescinded(offers: readonly Offer[]): void {
    for (const { id } of offers) this.#offers.delete(id);
  }

  plan(wanted: Wanted): readonly PlannedClaim[] | undefined {
    this.#offering.wants(this, true);
    if (this.#offers.size === 0) return undefined;
    const left = new Map([...this.#offers.values()].map(({ machine, amount }) => [machine, amount]));
    return this.#world.waiting(wanted).flatMap((task) => claimOf(task, left));
  }

  still(claims: readonly PlannedClaim[]): readonly PlannedClaim[] {
    const machines = new Set([...this.#offers.values()].map(({ machine }) => machine));
    return claims.filter(({ place }) => machines.has(place as MachineId));
  }

  /** What it claimed counts as used; the rest goes back. */
  decided(_: Wanted, claims: readonly PlannedClaim[]): void {
    const places = new Set(claims.map(({ place }) => place ?? ""));
    for (const offer of [...this.#offers.values()]) {
      if (!places.has(offer.machine) || !this.#offering.take(this, offer)) continue;
      this.#offers.delete(offer.id);
      this.#offering.settle(offer, this.#usedAt(offer, claims));
    }
    this.#declineAll();
    if (this.queue.length === 0) this.#offering.wants(this, false);
  }

  #declineAll(): void {
    for (const offer of this.#offers.values()) this.#offering.decline(this, offer);
    this.#offers.clear();
  }

  #usedAt({ machine }: Offer, claims: readonly PlannedClaim[]): Vector {
    const tasks = new Set(claims.filter(({ place }) => place === machine).map(({ task }) => task));
    const found = this.#world.state.machines.get(machine)?.place.occupants.values() ?? [];
    return [...found].filter(({ task }) => tasks.has(task.id)).reduce((sum, { limit }) => plus(sum, limit), ZERO);
  }
}

/** On the machine with most room of those where it fits. */
function claimOf(task: Task, left: Map<MachineId, Vector>): readonly PlannedClaim[] {
  const { limit } = task.job;
  let best: MachineId | undefined;
  for (const [machine, amount] of left)
    if (fits(limit, amount) && (best === undefined || amount.cpu > (left.get(best)?.cpu ?? 0))) best = machine;
  if (best === undefined) return [];
  left.set(best, rest(left.get(best) ?? ZERO, limit));
  return [{ task: task.id, incarnation: task.incarnation, place: best }];
}
