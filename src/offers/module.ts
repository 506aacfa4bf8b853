/**
 * Allocation modules (Mesos §3.3, §4.3): who is offered the next machine. One that is below its guaranteed share comes before all others, the one that
 * lacks the largest part of its guarantee first; after that each module has its own order. Ties go to the first name, so the same shares give the same order.
 */
import { compareIds } from "../base/id.ts";
import type { Random } from "../base/random.ts";

/** A role among roles, or a framework among those of its role. */
export interface Entrant {
  readonly name: string;
  readonly weight: number;
  readonly priority: number;
  /** A part of the cell, 0 to 1. */
  readonly guarantee: number;
  /** Its dominant share of what it uses and is offered. [Z5] */
  readonly share: number;
  /** The same, but of its offers only as much of cores and memory as there is of both: what is guaranteed to it must be of use. */
  readonly usable: number;
}

/** An order that lasts for a cycle. Shares change meanwhile, by what is offered. */
export interface Line<E extends Entrant> {
  /** The first is to be offered first; if it can use nothing of this, the next. */
  inOrder(): Iterable<E>;
  /** The share of that one changed. */
  changed(entrant: E): void;
}

export interface AllocationModule {
  readonly name: string;
  line<E extends Entrant>(entrants: readonly E[]): Line<E>;
}

export const MODULE_NAMES = ["drf", "priority", "lottery"] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

export function moduleOf(name: ModuleName, random: Random): AllocationModule {
  switch (name) {
    case "drf":
      return { name, line: (entrants) => new SortedLine(entrants, byShare) };
    case "priority":
      return { name, line: (entrants) => new SortedLine(entrants, byPriority) };
    case "lottery":
      return { name, line: (entrants) => new DrawnLine(entrants, random) };
  }
}

type Compare = (a: Entrant, b: Entrant) => number;

/** Max-min fairness: the smallest share for its weight. */
const byShare: Compare = (a, b) => a.share / a.weight - b.share / b.weight || compareIds(a.name, b.name);

const byPriority: Compare = (a, b) => b.priority - a.priority || byShare(a, b);

export const isBelowGuarantee = ({ usable, guarantee }: Entrant): boolean => usable < guarantee;

/** By how much of its guarantee somebody is short. */
const byNeed: Compare = (a, b) => a.usable / a.guarantee - b.usable / b.guarantee || compareIds(a.name, b.name);

const guaranteedFirst =
  (then: Compare): Compare =>
  (a, b) => {
    const [left, right] = [isBelowGuarantee(a), isBelowGuarantee(b)];
    if (left && right) return byNeed(a, b);
    return left ? -1 : right ? 1 : then(a, b);
  };

class SortedLine<E extends Entrant> implements Line<E> {
  readonly #sorted: E[];
  readonly #compare: Compare;

  constructor(entrants: readonly E[], compare: Compare) {
    this.#compare = guaranteedFirst(compare);
    this.#sorted = [...entrants].sort(this.#compare);
  }

  /** Ends where a share changes: who goes on after that asks anew. */
  inOrder(): Iterable<E> {
    return this.#sorted;
  }

  /** All others are in order, so it has one place among them. */
  changed(entrant: E): void {
    const sorted = this.#sorted;
    const at = sorted.indexOf(entrant);
    if (at < 0) return;
    sorted.splice(at, 1);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(sorted[middle] as E, entrant) < 0) low = middle + 1;
      else high = middle;
    }
    sorted.splice(low, 0, entrant);
  }
}

/** Every offer is drawn anew; who has twice the weight is first twice as often (Z9). */
class DrawnLine<E extends Entrant> implements Line<E> {
  readonly #entrants: readonly E[];
  readonly #random: Random;

  constructor(entrants: readonly E[], random: Random) {
    this.#entrants = [...entrants].sort((a, b) => compareIds(a.name, b.name));
    this.#random = random;
  }

  *inOrder(): Iterable<E> {
    const below = this.#entrants.filter(isBelowGuarantee);
    yield* below.sort(byNeed);
    const left = this.#entrants.filter((entrant) => !below.includes(entrant));
    while (left.length > 0) yield left.splice(this.#drawn(left), 1)[0] as E;
  }

  changed(): void {}

  #drawn(left: readonly E[]): number {
    const tickets = left.reduce((sum, { weight }) => sum + weight, 0);
    let ticket = this.#random.float() * tickets;
    const found = left.findIndex(({ weight }) => {
      ticket -= weight;
      return ticket < 0;
    });
    return found < 0 ? left.length - 1 : found;
  }
}
