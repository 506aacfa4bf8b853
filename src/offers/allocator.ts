/**
 * Who is offered what (Mesos §3). It is told what there is (machines, roles, frameworks, quota) and what frameworks answer, and says in cycles which offers
 * are new and which are rescinded. A cycle looks only at machines where something changed: room came or went, an offer ended, a decline ran out, or somebody
 * began to want offers, who then looks at the machines that nobody had use for. It knows no clock, no messages and no cell: only amounts.
 */
import { Heap, type Timed } from "../base/heap.ts";
import { compareIds, type MachineId } from "../base/id.ts";
import { dominantShare } from "../base/share.ts";
import { fits, minus, plus, rest, type Vector, ZERO } from "../base/vector.ts";
import { balanced, FrameworkAccount, type FrameworkTerms, RoleAccount, type RoleTerms } from "./account.ts";
import { meets, reaches } from "./filters.ts";
import { Holds } from "./holds.ts";
import { Ledger, type Offer, type Part, within } from "./ledger.ts";
import { type AllocationModule, isBelowGuarantee, type Line } from "./module.ts";
import type { Room } from "./room.ts";

export interface AllocatorOptions {
  /** Stands before the number of every offer: other masters of the cell made offers too. */
  readonly prefix: string;
  readonly offerTimeoutMs: number;
  /** A cycle offers so many machines at most; the others wait for the next, so that whoever shares the thread gets its turn. */
  readonly machinesPerCycle: number;
}

export const MACHINES_PER_CYCLE = 500;

export const OFFER_TIMEOUT_MS = 60_000;
/** Each looks at all machines. Who waits longer than the others comes first, so each has its turn. */
const HOLDS_PER_CYCLE = 4;
/** Mesos' own: less than this is not worth an offer. */
const SMALLEST_CPU_MILLI = 10;
const SMALLEST_RAM_KIB = 32 * 1024;
/** Offers that one framework can have at once. More wait until it has answered some. */
export const OFFERS_MAX = 1_000;
export const DECLINE_MS = 5_000;
/** A decline lasts no longer, whatever was said; after that there is one more offer to decline. */
export const DECLINE_MOST_MS = 24 * 3_600_000;

export interface MachineView {
  readonly room: Room;
  readonly attributes: ReadonlyMap<string, string>;
  /** What tasks of frameworks have of it: it would be free if all of them ended. */
  readonly lent: Vector;
  /** Kept for tasks that say that they take no longer; undefined: for all. [Z9] */
  readonly maxCompletionMs: number | undefined;
}

export interface Cycle {
  readonly offers: readonly Offer[];
  readonly rescinded: readonly Offer[];
}

interface Wake extends Timed {
  readonly machine: MachineId;
}

export class Allocator {
  readonly ledger = new Ledger();
  readonly #options: AllocatorOptions;
  #module: AllocationModule;
  readonly #machines = new Map<MachineId, MachineView>();
  readonly #roles = new Map<string, RoleAccount>();
  readonly #frameworks = new Map<string, FrameworkAccount>();
  /** By purse: what its quota has left; none: it is not limited. */
  readonly #purses = new Map<string, Vector>();
  readonly #holds = new Holds();
  /** To be looked at in the next cycle. */
  readonly #dirty = new Set<MachineId>();
  /** Has room that nobody had use for when it was looked at last. */
  readonly #spare = new Set<MachineId>();
  /** When the first decline of somebody runs out there. */
  readonly #wakes = new Map<MachineId, number>();
  readonly #wakeups = new Heap<Wake>();
  #rescinded: Offer[] = [];
  #total: Vector = ZERO;
  #made = 0;
  #woken = 0;

  constructor(options: AllocatorOptions, module: AllocationModule) {
    this.#options = options;
    this.#module = module;
  }

  /** From the next cycle on. */
  setModule(module: AllocationModule): void {
    this.#module = module;
  }

  // What there is

  /** All that the cell has; shares are parts of it. */
  setTotal(total: Vector): void {
    this.#total = total;
    for (const role of this.#roles.values()) role.reckon(this.ledger.offeredToRole(role.name), total);
    for (const framework of this.#frameworks.values()) this.#reckon(framework);
  }

  /** Undefined: it is no more. */
  setMachine(id: MachineId, view: MachineView | undefined): void {
    const known = this.#machines.get(id);
    if (view !== undefined) this.#machines.set(id, view);
    else {
      this.#machines.delete(id);
      this.#spare.delete(id);
      this.#holds.lost(id);
    }
    if (known?.maxCompletionMs !== view?.maxCompletionMs || view === undefined) this.#rescindAll(id);
    this.#dirty.add(id);
  }

  /** What they said of that machine is no longer so. */
  #rescindAll(id: MachineId): void {
    for (const offer of [...this.ledger.at(id)]) if (!this.ledger.isTaken(offer.id)) this.#rescind(offer);
  }

  /** A new role, or other terms of one. */
  setRole(terms: RoleTerms): void {
    const known = this.#roles.get(terms.name);
    if (known?.weight === terms.weight && known.guarantee === terms.guarantee) return;
    if (known !== undefined) known.terms = terms;
    else this.#roles.set(terms.name, new RoleAccount(terms));
    this.#stirSpare();
  }

  /** Its role must be known. It wants nothing until it says so. */
  setFramework(terms: FrameworkTerms): void {
    const known = this.#frameworks.get(terms.id);
    if (known?.role.name === terms.role) {
      known.terms = terms;
      if (known.wants) this.#stirSpare();
      return;
    }
    if (known !== undefined) this.removeFramework(terms.id);
    this.#frameworks.set(terms.id, new FrameworkAccount(terms, this.#roles.get(terms.role) as RoleAccount));
  }

  /** Its offers go with it, without a word: nobody is there to hear it. */
  removeFramework(id: string): void {
    const account = this.#frameworks.get(id);
    if (account === undefined) return;
    this.setUsed(id, ZERO);
    this.setWants(id, false, 0);
    for (const offer of [...this.ledger.of(id)]) this.#remove(offer.id);
    this.#frameworks.delete(id);
  }

  /** What its tasks have, by their limits. */
  setUsed(id: string, used: Vector): void {
    const account = this.#frameworks.get(id);
    if (account === undefined || account.used === used) return;
    account.role.used = plus(minus(account.role.used, account.used), used);
    account.used = used;
    this.#reckon(account);
  }

  setPurse(purse: string, left: Vector | undefined): void {
    const known = this.#purses.get(purse);
    if (left === undefined) this.#purses.delete(purse);
    else this.#purses.set(purse, left);
    if (known !== undefined && (left === undefined || !fits(left, known))) this.#stirSpare();
  }

  // What frameworks say

  /** Subscribed and not suppressed, or no longer. Its open offers stay: it may still answer them. */
  setWants(id: string, wants: boolean, nowMs: number): void {
    const account = this.#frameworks.get(id);
    if (account === undefined || account.wants === wants) return;
    account.wants = wants;
    if (wants) {
      account.role.wanting.set(id, account);
      this.#holds.content(id, nowMs);
      this.#stirSpare();
    } else {
      account.role.wanting.delete(id);
      this.#stir(this.#holds.forget(id));
    }
  }

  /** Forgets all that it declined, and wants offers. */
  revive(id: string, nowMs: number): void {
    this.#frameworks.get(id)?.declines.clear();
    this.setWants(id, true, nowMs);
    this.#stirSpare();
  }

  /** Nothing of an offer was used; for so long it wants no such offer again. False: it has no such offer. */
  decline(framework: string, offerId: string, filterMs: number, nowMs: number): boolean {
    const offer = this.ledger.get(offerId);
    if (offer?.framework !== framework) return false;
    this.#declined(offer, offer.amount, filterMs, nowMs);
    this.#remove(offerId);
    this.#refused(offer, nowMs);
    return true;
  }

  /** It answered with launches. The room is nobody's until `settle`. */
  take(framework: string, offerId: string): Offer | undefined {
    const offer = this.ledger.get(offerId);
    if (offer?.framework !== framework) return undefined;
    this.ledger.take(offerId);
    return offer;
  }

  /** The cell decided about a launch, and all it changed was told here. `used` of these offers was launched; what is left over is declined for so long. */
  settle(offerIds: readonly string[], used: Vector, filterMs: number, nowMs: number): void {
    const offers = offerIds.map((id) => this.#remove(id)).filter((offer) => offer !== undefined);
    const first = offers[0];
    if (first === undefined || !this.#frameworks.has(first.framework)) return;
    if (!fits(used, ZERO)) this.#stir(this.#holds.content(first.framework, nowMs));
    const whole = offers.reduce((sum, { amount }) => plus(sum, amount), ZERO);
    this.#declined(first, rest(whole, used), filterMs, nowMs);
  }

  // Cycles

  cycle(nowMs: number): Cycle {
    for (const offer of this.ledger.overdue(nowMs)) this.#unanswered(offer, nowMs);
    this.#wake(nowMs);
    this.#renewHolds(nowMs);
    const machines = [...this.#dirty].sort(compareIds);
    this.#dirty.clear();
    for (const id of machines) this.#reviewOffers(id);
    for (const id of machines.splice(this.#options.machinesPerCycle)) this.#dirty.add(id);
    const offers = this.#offerAll(machines, nowMs);
    const rescinded = this.#rescinded;
    this.#rescinded = [];
    return { offers, rescinded };
  }

  /** Whether a cycle would find something to do now. */
  isIdle(nowMs: number): boolean {
    return this.#dirty.size === 0 && this.#rescinded.length === 0 && (this.nextMs ?? Number.POSITIVE_INFINITY) > nowMs;
  }

  /** When a cycle has something to do, if nothing else happens: an offer runs out, or a decline. */
  get nextMs(): number | undefined {
    const times = [this.ledger.nextDueMs, this.#wakeups.peek()?.timeMs].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  // For whoever explains

  shareOf(framework: string): number {
    return this.#frameworks.get(framework)?.share ?? 0;
  }

  get roles(): Iterable<RoleAccount> {
    return this.#roles.values();
  }

  /** Those of its frameworks that want offers, have quota left for one, and could use that machine. */
  couldUse(role: string, machine: MachineId): boolean {
    const view = this.#machines.get(machine);
    if (view === undefined) return false;
    for (const { terms } of this.#roles.get(role)?.wanting.values() ?? []) {
      const quota = this.#quotaLeft(terms.purse);
      if (meets(terms.constraints, view.attributes) && (quota === undefined || isWorthwhile(quota))) return true;
    }
    return false;
  }

  /** All that is free where it could run, whoever is offered it now. Cores without memory, or memory without cores, are of no use to anybody. */
  freeFor(role: string): Vector {
    let sum = ZERO;
    for (const [id, { room }] of this.#machines) if (this.couldUse(role, id)) sum = plus(sum, balanced(room.byReservations, this.#total));
    return sum;
  }

  #offerAll(machines: readonly MachineId[], nowMs: number): readonly Offer[] {
    const wanting = [...this.#roles.values()].filter((role) => role.wanting.size > 0);
    const lines: Lines = { roles: this.#module.line(wanting), frameworks: new Map() };
    const offers: Offer[] = [];
    for (const id of machines) {
      const view = this.#machines.get(id);
      if (view !== undefined) this.#offerMachine(id, view, lines, offers, nowMs);
    }
    return offers;
  }

  /** Everything that is left goes to the first who can use it; what its quota does not reach for, to the next. */
  #offerMachine(id: MachineId, view: MachineView, lines: Lines, offers: Offer[], nowMs: number): void {
    const served = new Set<string>();
    while (isWorthwhile(this.ledger.left(id, view.room, false).amount)) {
      const offer = this.#nextOffer(id, view, lines, served, nowMs);
      if (offer === undefined) {
        this.#spare.add(id);
        return;
      }
      served.add(offer.framework);
      offers.push(offer);
      this.#add(offer, lines);
    }
    this.#spare.delete(id);
  }

  #nextOffer(id: MachineId, view: MachineView, lines: Lines, served: ReadonlySet<string>, nowMs: number): Offer | undefined {
    for (const role of lines.roles.inOrder()) {
      for (const framework of this.#lineOf(role, lines).inOrder()) {
        const part = served.has(framework.name) ? undefined : this.#partFor(framework, id, view, nowMs);
        if (part !== undefined) return this.#offerOf(framework, id, view, part, nowMs);
      }
    }
    return undefined;
  }

  #lineOf(role: RoleAccount, { frameworks }: Lines): Line<FrameworkAccount> {
    const known = frameworks.get(role.name);
    if (known !== undefined) return known;
    const line = this.#module.line([...role.wanting.values()]);
    frameworks.set(role.name, line);
    return line;
  }

  /** What of a machine a framework can be offered, if anything. */
  #partFor(framework: FrameworkAccount, id: MachineId, view: MachineView, nowMs: number): Part | undefined {
    const { terms, declines, name } = framework;
    // Nothing is held back from whoever is below its guarantee: what was revoked for it would wait with the rest.
    const holder = isBelowGuarantee(framework.role) ? undefined : this.#holds.holderOf(id);
    if (holder !== undefined && holder !== name) return undefined;
    if (this.ledger.of(name).size >= OFFERS_MAX) return undefined;
    const part = within(this.ledger.left(id, view.room, terms.prod), this.#quotaLeft(terms.purse));
    if (!isWorthwhile(part.amount) || !reaches(part.amount, terms.minimums)) return undefined;
    // What is held for somebody who does not say how much it needs is offered when it is whole.
    if (holder === name && terms.minimums.length === 0 && !isUnlent(view)) return undefined;
    if (!meets(terms.constraints, view.attributes)) return undefined;
    const untilMs = declines.coversUntil(id, part.amount, nowMs);
    if (untilMs === undefined) return part;
    this.#wakeAt(id, untilMs);
    return undefined;
  }

  #quotaLeft(purse: string): Vector | undefined {
    const left = this.#purses.get(purse);
    return left === undefined ? undefined : rest(left, this.ledger.offeredFrom(purse));
  }

  #offerOf({ terms, role }: FrameworkAccount, machine: MachineId, view: MachineView, { amount, ports }: Part, nowMs: number): Offer {
    this.#made += 1;
    return {
      id: `${this.#options.prefix}-${this.#made}`,
      framework: terms.id,
      role: role.name,
      purse: terms.purse,
      machine,
      prod: terms.prod,
      amount,
      ports,
      madeMs: nowMs,
      untilMs: nowMs + this.#options.offerTimeoutMs,
      maxCompletionMs: view.maxCompletionMs,
    };
  }

  #add(offer: Offer, lines: Lines): void {
    this.ledger.add(offer);
    const framework = this.#frameworks.get(offer.framework) as FrameworkAccount;
    this.#reckon(framework);
    lines.roles.changed(framework.role);
    lines.frameworks.get(framework.role.name)?.changed(framework);
  }

  /** Its room is to be offered to somebody. */
  #remove(id: string): Offer | undefined {
    const offer = this.ledger.remove(id);
    if (offer === undefined) return undefined;
    this.#dirty.add(offer.machine);
    const framework = this.#frameworks.get(offer.framework);
    if (framework === undefined) return offer;
    this.#reckon(framework);
    if (this.ledger.of(offer.framework).size === OFFERS_MAX - 1) this.#stirSpare();
    return offer;
  }

  #rescind(offer: Offer): void {
    this.#remove(offer.id);
    this.#rescinded.push(offer);
  }

  /** Somebody else comes first now. [Z6] */
  #unanswered(offer: Offer, nowMs: number): void {
    this.#rescind(offer);
    this.#declined(offer, offer.amount, this.#options.offerTimeoutMs, nowMs);
    this.#refused(offer, nowMs);
  }

  /** What is offered there is no longer free. */
  #reviewOffers(id: MachineId): void {
    const view = this.#machines.get(id);
    if (view !== undefined) for (const offer of this.ledger.excess(id, view.room)) this.#rescind(offer);
    this.#dirty.delete(id);
  }

  #declined(offer: Offer, amount: Vector, filterMs: number, nowMs: number): void {
    const lastsMs = Math.min(filterMs, DECLINE_MOST_MS);
    if (lastsMs > 0) this.#frameworks.get(offer.framework)?.declines.add(offer.machine, amount, nowMs, nowMs + lastsMs);
  }

  /** Used and offered count alike. [Z5] */
  #reckon(framework: FrameworkAccount): void {
    framework.reckon(this.ledger.offeredTo(framework.name), this.#total);
    framework.role.reckon(this.ledger.offeredToRole(framework.role.name), this.#total);
  }

  // What is to be looked at

  #stir(machine: MachineId | undefined): void {
    if (machine !== undefined) this.#dirty.add(machine);
  }

  #stirSpare(): void {
    for (const id of this.#spare) this.#dirty.add(id);
  }

  /** One alarm for each machine is enough: who is still covered then sets the next. */
  #wakeAt(machine: MachineId, timeMs: number): void {
    const known = this.#wakes.get(machine);
    if (known !== undefined && known <= timeMs) return;
    this.#wakes.set(machine, timeMs);
    this.#woken += 1;
    this.#wakeups.push({ timeMs, sequence: this.#woken, machine });
  }

  #wake(nowMs: number): void {
    for (let wake = this.#wakeups.peek(); wake !== undefined && wake.timeMs <= nowMs; wake = this.#wakeups.peek()) {
      this.#wakeups.pop();
      if (this.#wakes.get(wake.machine) !== wake.timeMs) continue;
      this.#wakes.delete(wake.machine);
      this.#dirty.add(wake.machine);
    }
  }

  // Machines that are held for somebody

  /** A machine as whole as it can be was of no use: one that was held for it, or meets its minimums, is not tried again soon. Perhaps a larger one is. */
  #refused({ framework, machine, amount }: Offer, nowMs: number): void {
    const minimums = this.#frameworks.get(framework)?.terms.minimums ?? [];
    const view = this.#machines.get(machine);
    if (minimums.length === 0 && view !== undefined && !isUnlent(view)) return;
    if (minimums.length > 0 || this.#holds.machineOf(framework) === machine) this.#stir(this.#holds.inVain(framework, nowMs));
    else this.#holds.refuse(framework, amount);
  }

  #renewHolds(nowMs: number): void {
    for (const framework of this.#holds.expired(nowMs)) this.#stir(this.#holds.inVain(framework, nowMs));
    for (const name of this.#holds.impatient(nowMs).slice(0, HOLDS_PER_CYCLE)) {
      if (!this.#holds.mayHoldMore(this.#machines.size)) return;
      const account = this.#frameworks.get(name);
      const machine = account === undefined ? undefined : this.#worthHolding(account);
      if (machine === undefined) this.#holds.inVain(name, nowMs);
      else {
        this.#holds.hold(machine, name, nowMs);
        this.#dirty.add(machine);
      }
    }
  }

  /** The machine that would have the most for it if all tasks of frameworks there ended; among equals the one that has the most now. */
  #worthHolding({ terms }: FrameworkAccount): MachineId | undefined {
    let best: { readonly id: MachineId; readonly rank: readonly [number, number] } | undefined;
    for (const [id, view] of this.#machines) {
      const free = terms.prod ? view.room.byLimits : view.room.byReservations;
      const whole = plus(free, view.lent);
      if (isUnlent(view) || this.#holds.holderOf(id) !== undefined) continue;
      if (this.#holds.hasRefused(terms.id, whole)) continue;
      if (!reaches(whole, terms.minimums) || !meets(terms.constraints, view.attributes)) continue;
      const rank = [dominantShare(whole, this.#total), dominantShare(free, this.#total)] as const;
      if (best === undefined || isBetter(rank, best.rank, id, best.id)) best = { id, rank };
    }
    return best?.id;
  }
}

interface Lines {
  readonly roles: Line<RoleAccount>;
  readonly frameworks: Map<string, Line<FrameworkAccount>>;
}

const isUnlent = ({ lent }: MachineView): boolean => fits(lent, ZERO);

const isWorthwhile = ({ cpu, ram }: Vector): boolean => cpu >= SMALLEST_CPU_MILLI || ram >= SMALLEST_RAM_KIB;

function isBetter(a: readonly [number, number], b: readonly [number, number], id: string, other: string): boolean {
  return a[0] !== b[0] ? a[0] > b[0] : a[1] !== b[1] ? a[1] > b[1] : compareIds(id, other) < 0;
}
