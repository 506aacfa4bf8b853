/**
 * Machines with the same attributes are one trait: a set of constraints is asked once of each trait, not of each machine (Borg §3.4).
 * Verdicts are kept by the text of the constraints, so that jobs that ask the same share them.
 */
import { compareIds } from "../../base/id.ts";
import { holds, unmet } from "../../cell/constraint.ts";
import type { Constraint } from "../../wire/gen/borg/v1/spec_pb.ts";

/** Verdicts that are kept; beyond it all are forgotten and found again. */
export const VERDICTS_MAX = 1_000;

/** By trait: the share of the soft constraints' weight that is met, or less than zero: a hard one is not met. */
export type Verdict = Float64Array;

const FAILS = -1;

export class Traits {
  readonly #traits = new Map<string, number>();
  readonly #attributes: ReadonlyMap<string, string>[] = [];
  readonly #verdicts = new Map<string, Verdict>();

  get size(): number {
    return this.#attributes.length;
  }

  /** The trait of a set of attributes. They are copied: the machine's own may change. */
  traitOf(attributes: ReadonlyMap<string, string>): number {
    const key = textOf(attributes);
    const known = this.#traits.get(key);
    if (known !== undefined) return known;
    this.#traits.set(key, this.#attributes.length);
    this.#attributes.push(new Map(attributes));
    this.#verdicts.clear();
    return this.#attributes.length - 1;
  }

  /** Undefined: there is nothing to ask. */
  verdict(constraints: readonly Constraint[]): Verdict | undefined {
    if (constraints.length === 0) return undefined;
    const key = constraintsKey(constraints);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    if (this.#verdicts.size >= VERDICTS_MAX) this.#verdicts.clear();
    const verdict = Float64Array.from(this.#attributes, (each) =>
      unmet(constraints, each) === undefined ? preference(constraints, each) : FAILS,
    );
    this.#verdicts.set(key, verdict);
    return verdict;
  }
}

const textOf = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes]
    .sort(([a], [b]) => compareIds(a, b))
    .map(([key, value]) => `${key}=${value}`)
    .join("\n");

export const constraintsKey = (constraints: readonly Constraint[]): string =>
  constraints.map((c) => `${c.attribute}\t${c.operator}\t${c.values.join("\t")}\t${c.soft ? c.weight || 1 : ""}`).join("\n");

/** The share of the soft constraints' weight that a machine meets. One without weight weighs 1. */
export function preference(constraints: readonly Constraint[], attributes: ReadonlyMap<string, string>): number {
  let [met, all] = [0, 0];
  for (const constraint of constraints) {
    if (!constraint.soft) continue;
    const weight = constraint.weight || 1;
    all += weight;
    if (holds(constraint, attributes)) met += weight;
  }
  return all === 0 ? 0 : met / all;
}
