/**
 * Whether a replica may stand for election, beside what the lock says: not while most masters contradict its clock, and not without the keys of secrets. It looks once a
 * second, and says so in words when that changes.
 */

import { type KeyRing, NO_KEYS, readRing } from "./key-ring.ts";
import type { ClockEye } from "./peer/clocks.ts";
import { mostOf, type PeerEye } from "./peer-keys.ts";

const LOOK_MS = 1000;
const WRONG_CLOCK =
  "The clock of this machine is more than 5 s from those of most masters: it does not stand for election until that is mended (borg status shows the clocks)";
const NO_KEY =
  "The key of secrets (secrets/keys.json) is missing here or cannot be read: this replica does not stand for election until it has it. It is fetched from the master that leads; if none does, put the file back from where you kept it";
const lacksKeys = (ids: readonly string[]): string =>
  `The key ${ids.join(", ")}, which secrets are encrypted with, is missing here (secrets/keys.json): this replica does not stand for election until it has it. It is fetched from any master that has it; if none answers, bring the others back, or put the file back from where you kept it`;
/** Ids that one line says. */
const SAID_MAX = 3;

export interface StandingOptions {
  /** Absent where all masters are on one machine and have one clock. */
  readonly clock: Pick<ClockEye, "isWrong"> | undefined;
  /** The directory of the key of secrets. */
  readonly secrets: string;
  /** Keys that something in the cell is encrypted with, as far as this replica has read the journal. */
  readonly named: () => ReadonlySet<string>;
  /** Absent where all masters are on one machine and have one file of keys. */
  readonly peers: PeerEye | undefined;
  /** Of a clock that only goes forward. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

export class Standing {
  readonly #options: StandingOptions;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;
  /** Keys that were seen are in the memory of this process; the file may go. */
  readonly #seen = new Set<string>();

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
    for (const { id } of keysIn(secrets).keys) this.#seen.add(id);
    if (this.#seen.size === 0) return NO_KEY;
    const lacking = this.#lacking();
    if (lacking.length > 0) return lacksKeys(lacking.slice(0, SAID_MAX));
    return clock?.isWrong() === true ? WRONG_CLOCK : undefined;
  }

  /** A key that most masters lack is lost, or was never used: to wait for it would leave the cell without a leader. Any other one some master of every majority has. */
  #lacking(): readonly string[] {
    const { named, peers } = this.#options;
    if (peers === undefined) return [];
    const { holders } = peers.read();
    return [...named()]
      .filter((id) => !this.#seen.has(id))
      .filter((id) => {
        const { masters, lack } = holders(id, false);
        return lack < mostOf(masters);
      })
      .sort();
  }
}

/** What nobody can read is none. */
function keysIn(directory: string): KeyRing {
  try {
    return readRing(directory);
  } catch {
    return NO_KEYS;
  }
}
