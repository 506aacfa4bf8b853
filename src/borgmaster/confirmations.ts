/**
 * Whoever asks whether this master still leads, and how far the journal goes. The journal is asked once for all who wait; who asks while that
 * question is on its way gets the answer to the next one, because this one may have been decided before.
 */
import type { Address, Env } from "../base/env.ts";
import type { Journal, JournalAnswer } from "../wire/journal.ts";
import type { FromMaster } from "./message.ts";

/** Questions that wait; one more is answered `not-confirmed`. An API has one at a time. */
const WAITING_MAX = 1_000;

interface Asker {
  readonly to: Address;
  readonly id: string;
}

export class Confirmations {
  readonly #env: Env<FromMaster>;
  readonly #journal: Journal;
  #asked: { readonly term: number; readonly askers: readonly Asker[] } | undefined;
  #next: Asker[] = [];
  /** Of the last question that waits. */
  #term = 0;

  constructor(env: Env<FromMaster>, journal: Journal) {
    this.#env = env;
    this.#journal = journal;
  }

  /** `term`: under which this master leads, 0 when it does not; then `why` says so. */
  ask(to: Address, id: string, term: number, why: string): void {
    if (term === 0) return this.#refuse({ to, id }, why);
    if (this.#next.length >= WAITING_MAX) return this.#refuse({ to, id }, "Too much waits");
    this.#next.push({ to, id });
    this.#term = term;
    this.#send();
  }

  /** Answers to what an earlier term asked come late, and are nobody's. */
  onAnswer(answer: Extract<JournalAnswer, { readonly type: "confirmed" | "not-confirmed" }>): void {
    const asked = this.#asked;
    if (asked === undefined || asked.term !== answer.term) return;
    this.#asked = undefined;
    for (const { to, id } of asked.askers) {
      if (answer.type === "confirmed") this.#env.send(to, { type: "confirmed", id, position: answer.position });
      else this.#refuse({ to, id }, answer.reason);
    }
    if (answer.type === "not-confirmed") this.#env.log("~not-confirmed");
    this.#send();
  }

  /** This master no longer leads. */
  drop(reason: string): void {
    const waiting = [...(this.#asked?.askers ?? []), ...this.#next];
    this.#asked = undefined;
    this.#next = [];
    for (const asker of waiting) this.#refuse(asker, reason);
  }

  #send(): void {
    if (this.#asked !== undefined || this.#next.length === 0) return;
    this.#asked = { term: this.#term, askers: this.#next };
    this.#next = [];
    this.#journal.confirm(this.#term);
  }

  #refuse({ to, id }: Asker, reason: string): void {
    this.#env.send(to, { type: "not-confirmed", id, reason });
  }
}
