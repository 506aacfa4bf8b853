/** The terms of the score that are a file each: one line here, under the name of the file. In this order they are added up, and told by `borg why`. */
import type { Face } from "../../cell/state.ts";
import type { CostTerm, FactTerm, Term } from "./term.ts";
import { devices } from "./terms/devices.ts";
import { packages } from "./terms/packages.ts";

export const TERMS: Readonly<Record<string, Term>> = { packages, devices };

interface Named<T extends Term> {
  readonly name: string;
  readonly term: T;
}

export const FACT_TERMS = Object.entries(TERMS).flatMap(([name, term]): Named<FactTerm>[] => (term.isCost ? [] : [{ name, term }]));
export const COST_TERMS = Object.entries(TERMS).flatMap(([name, term]): Named<CostTerm>[] => (term.isCost ? [{ name, term }] : []));

const ASKING = Object.values(TERMS).flatMap(({ asks }) => (asks === undefined ? [] : [asks]));

/** What jobs of one class have in common, as far as these terms go. */
export const askedOf = (face: Face): string => ASKING.map((asks) => asks(face)).join("\n");
