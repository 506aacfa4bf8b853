/**
 * What a framework does not want to be offered, evaluated here so that nobody has to decline it (Mesos §3.5). Three kinds: which machines (offer
 * constraints), how much at least (minimums), and what it declined a moment ago.
 */
import type { MachineId } from "../base/id.ts";
import { fits, highest, type Vector } from "../base/vector.ts";

/** `exists` and `not-exists` have no text. Patterns are left out on purpose: nothing here can take long. */
export interface Predicate {
  readonly attribute: string;
  readonly is: "exists" | "not-exists" | "equals" | "not-equals";
  readonly text: string;
}

/** All predicates of a group must hold, of one group at least. None: every machine will do. */
export type Constraints = readonly (readonly Predicate[])[];

/** One of these at least must be there in full. None: anything will do. */
export type Minimums = readonly Vector[];

/** The attribute that stands for a machine's own name. */
export const HOSTNAME = "hostname";

/** What a machine is to a constraint. Mesos: a predicate on the text of an attribute that is not there holds only if it is a negation. */
export function meets(constraints: Constraints, attributes: ReadonlyMap<string, string>): boolean {
  return constraints.length === 0 || constraints.some((group) => group.every((predicate) => holds(predicate, attributes)));
}

function holds({ attribute, is, text }: Predicate, attributes: ReadonlyMap<string, string>): boolean {
  const found = attributes.get(attribute);
  switch (is) {
    case "exists":
      return found !== undefined;
    case "not-exists":
      return found === undefined;
    case "equals":
      return found === text;
    case "not-equals":
      return found !== text;
  }
}

export const reaches = (amount: Vector, minimums: Minimums): boolean =>
  minimums.length === 0 || minimums.some((minimum) => fits(minimum, amount));

interface Declined {
  /** More than this is offered all the same: what did not suffice then may suffice now. */
  readonly amount: Vector;
  readonly untilMs: number;
}

/** What one framework declined, by machine. */
export class Declines {
  readonly #declined = new Map<MachineId, Declined>();

  get size(): number {
    return this.#declined.size;
  }

  /** Several offers of one machine may be declined one by one. */
  add(machine: MachineId, amount: Vector, nowMs: number, untilMs: number): void {
    const known = this.#declined.get(machine);
    if (known === undefined || known.untilMs <= nowMs) this.#declined.set(machine, { amount, untilMs });
    else this.#declined.set(machine, { amount: highest(known.amount, amount), untilMs: Math.max(known.untilMs, untilMs) });
  }

  /** Until when an offer of so much there would be declined again; undefined: it would not. */
  coversUntil(machine: MachineId, amount: Vector, nowMs: number): number | undefined {
    const declined = this.#declined.get(machine);
    if (declined === undefined) return undefined;
    if (declined.untilMs > nowMs) return fits(amount, declined.amount) ? declined.untilMs : undefined;
    this.#declined.delete(machine);
    return undefined;
  }

  /** REVIVE. */
  clear(): void {
    this.#declined.clear();
  }
}
