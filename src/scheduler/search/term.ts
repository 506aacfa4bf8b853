/**
 * What a term of the score is that stands in a file of its own (terms/) and in one line of the table (terms.ts). Search, blocks, preemption, classes of
 * tasks and `borg why` go over the table. Terms that depend on room, and those of spread and preference, are the scan's own: see search.ts.
 */
import type { Face, Place } from "../../cell/state.ts";
import type { Need } from "./feasible.ts";

interface Worth {
  /** For a place with all of what the term is about. Every place has a part of it, from 0 to 1. */
  readonly points: number;
  /** What of a job the term goes by, beside priority, limits and constraints, as a text: jobs with the same text are of one class. */
  readonly asks?: (face: Face) => string;
}

/** Gives points for facts of a machine, whatever room there is: preemption counts it too. It costs nothing where nothing is said of it. */
export interface FactTerm extends Worth {
  readonly isCost: false;
  /** What is known of that many places. */
  readonly learn: (size: number) => Facts;
}

/** What a term knows of the places of one `Slots`, by slot. */
export interface Facts {
  /** A place is new, or facts of its machine changed. */
  describe(slot: number, place: Place): void;
  /** By slot, the part that a job gets; undefined: none anywhere. What was given out stays as it was when facts change. */
  parts(need: Need): Float64Array | undefined;
}

/**
 * Takes points away, asked only of places that would be the best so far: it may look at the record of a place, and at nothing else, since it is asked
 * again only when that changed. Preemption leaves it out.
 */
export interface CostTerm extends Worth {
  readonly isCost: true;
  /** The part that a place costs; infinity: the judge would refuse it there, as feasible.ts does. Undefined: nothing anywhere, whatever is there. */
  readonly costs: (need: Need) => Cost | undefined;
}

export type Cost = (place: Place) => number;

export type Term = FactTerm | CostTerm;
