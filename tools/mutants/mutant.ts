/** What a planted bug is: one text of one file replaced, and who has to notice. */
interface Bug {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

/** The simulation notices within SEEDS_MAX seeds, by one of these invariants; "throw" is an assertion of our own. */
export interface SimulatedBug extends Bug {
  readonly caughtBy: readonly string[];
}

/** An assertion in this test file fails, which passes without the bug. */
export interface TestedBug extends Bug {
  readonly suite: string;
}

export type Mutant = SimulatedBug | TestedBug;

export const isTested = (mutant: Mutant): mutant is TestedBug => "suite" in mutant;
