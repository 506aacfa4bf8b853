/**
 * Whether a replica may stand for election, beside what the lock says: not while most masters contradict its clock, and not without the key of secrets. It looks once a
 * second, and says so in words when that changes.
 */
import type { ClockEye } from "./peer/clocks.ts";
import { hasKeys } from "./vault.ts";

const LOOK_MS = 1000;
const WRONG_CLOCK =
  "The clock of this machine is more than 5 s from those of most masters: it does not stand for election until that is mended (borg status shows the clocks)";
const NO_KEY =
  "The key of secrets (secrets/keys.json) is missing here or cannot be read: this replica does not stand for election until it has it. It is fetched from the master that leads; if none does, put the file back from where you kept it";

export interface StandingOptions {
  /** Absent where all masters are on one machine and have one clock. */
  readonly clock: Pick<ClockEye, "isWrong"> | undefined;
  /** The directory of the key of secrets. */
  readonly secrets: string;
  /** Of a clock that only goes forward. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export class Standing {
  readonly #options: StandingOptions;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;
  /** A key that was seen is in the memory of this process; the file may go. */
  #hasKey = false;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  get stands(): boolean {
    const { now, log } = this.#options;
    if (now() - this.#lookedMs < LOOK_MS) return this.#problem === undefined;
    this.#lookedMs = now();
    const problem = this.#look();
    if (problem !== this.#problem) log(problem ?? "This replica stands for election again");
    this.#problem = problem;
    return problem === undefined;
  }

  #look(): string | undefined {
    const { clock, secrets } = this.#options;
    this.#hasKey ||= hasKeys(secrets);
    if (!this.#hasKey) return NO_KEY;
    return clock?.isWrong() === true ? WRONG_CLOCK : undefined;
  }
}
