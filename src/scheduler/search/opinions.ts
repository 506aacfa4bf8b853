/** What the terms of the table (terms.ts) say of one task: worked out when its search begins. Of most tasks none says anything. */
import type { Place } from "../../cell/state.ts";
import type { Need } from "./feasible.ts";
import type { Slots } from "./slots.ts";
import type { Cost } from "./term.ts";
import { COST_TERMS, FACT_TERMS, TERMS } from "./terms.ts";

/** A fact term: what a slot has of its points. */
export interface FactOpinion {
  readonly name: string;
  readonly points: number;
  readonly parts: Float64Array;
}

export interface CostOpinion {
  readonly name: string;
  readonly points: number;
  readonly cost: Cost;
}

export const factsOf = ({ facts }: Slots, need: Need): readonly FactOpinion[] =>
  FACT_TERMS.flatMap(({ name, term: { points } }, k) => {
    const parts = facts[k]?.parts(need);
    return parts === undefined ? [] : [{ name, points, parts }];
  });

export const costsOf = (need: Need): readonly CostOpinion[] =>
  COST_TERMS.flatMap(({ name, term: { points, costs } }) => {
    const cost = costs(need);
    return cost === undefined ? [] : [{ name, points, cost }];
  });

export const partOf = ({ points, parts }: FactOpinion, slot: number): number => points * (parts[slot] as number);

const NOTHING_SAID = Object.fromEntries(Object.keys(TERMS).map((name) => [name, 0]));

/** All terms of the table by their names, in points. */
export function said(
  facts: readonly FactOpinion[],
  costs: readonly CostOpinion[],
  slot: number,
  place: Place,
): Readonly<Record<string, number>> {
  const given = facts.map((fact) => [fact.name, partOf(fact, slot)] as const);
  const taken = costs.map(({ name, points, cost }) => [name, 0 - points * cost(place)] as const);
  return { ...NOTHING_SAID, ...Object.fromEntries(given), ...Object.fromEntries(taken) };
}
