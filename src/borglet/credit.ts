/**
 * A poll is a credit for one report (Borg §3.3: the master sets the pace). It may be held back for a while when there is nothing to
 * tell, a newer one replaces it, and none is used twice.
 */
import type { Address, Env, TimerHandle } from "../base/env.ts";
import type { Poll } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Framed, FromBorglet } from "../wire/link-message.ts";

export interface Given {
  readonly from: Address;
  readonly poll: Poll;
}

/** A credit that is used now. */
export interface Taken extends Given {
  /** Its master has heard nothing of us yet, in this term or over this link. */
  readonly first: boolean;
}

export class Credit {
  /** Something happened that the master does not know yet. */
  news = true;
  readonly #env: Env<Framed<FromBorglet>>;
  #given: Given | undefined;
  #timer: TimerHandle | undefined;
  #number = 0;
  #due = false;
  /** The term of the master that has heard a full report over this link. */
  #toldTerm = 0;
  #answered = { term: 0, sequence: 0 };

  constructor(env: Env<Framed<FromBorglet>>) {
    this.#env = env;
  }

  give(from: Address, poll: Poll): void {
    if (poll.term === this.#answered.term && poll.sequence === this.#answered.sequence) return;
    this.#cancel();
    this.#given = { from, poll };
    this.#number += 1;
    this.#timer = this.#env.timer(poll.holdMs, `hold ${this.#number}`);
    if (this.#toldTerm !== poll.term) this.news = true;
  }

  /** The time to hold back is over. */
  due(number: number): void {
    if (number === this.#number) this.#due = true;
  }

  /** The credit to use now, if there is one and a reason. */
  take(): Taken | undefined {
    const given = this.#given;
    if (given === undefined || !(this.news || this.#due)) return undefined;
    this.#cancel();
    this.news = false;
    this.#answered = { term: given.poll.term, sequence: given.poll.sequence };
    const first = this.#toldTerm !== given.poll.term;
    this.#toldTerm = given.poll.term;
    return { ...given, first };
  }

  /** The link to this master is gone, and with it the credit. */
  drop(master: Address): void {
    if (this.#given?.from === master) this.#cancel();
    this.#toldTerm = 0;
    this.news = true;
  }

  /** Whoever polls from now on has heard nothing of us. */
  forgetTold(): void {
    this.#toldTerm = 0;
  }

  #cancel(): void {
    if (this.#timer !== undefined) this.#env.cancel(this.#timer);
    this.#timer = undefined;
    this.#given = undefined;
    this.#due = false;
  }
}
