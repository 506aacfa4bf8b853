/**
 * Makes reads linearizable: a read waits until the master has confirmed, after the read came, how far the journal goes, and until the copy has
 * got there. One confirmation serves all reads that came before it was asked for; those that come while it is on its way need the next one.
 */
import type { OpenCall } from "./open-calls.ts";

/** A confirmation that has not come after so long is asked for again. */
const CONFIRM_MS = 5_000;

/** What is known of a copy that nobody waits for is not confirmed more often than this. */
const FRESH_MS = 1_000;

interface Waiting {
  readonly open: OpenCall;
  readonly then: () => void;
}

interface Batch {
  readonly askedMs: number;
  readonly waiting: readonly Waiting[];
}

export interface CurrencyHost {
  now(): number;
  /** Where the copy stands. */
  position(): number;
  /** Asks the master to confirm. */
  ask(id: string): void;
  notCurrent(open: OpenCall, reason: string): void;
}

export class Currency {
  readonly #host: CurrencyHost;
  #asking: (Batch & { readonly id: string }) | undefined;
  #next: Waiting[] = [];
  /** Confirmed up to a position that the copy has not reached yet. */
  #reaching: (Batch & { readonly position: number })[] = [];
  #sequence = 0;
  #currentMs: number | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(host: CurrencyHost) {
    this.#host = host;
  }

  /** The copy shows everything that was acknowledged before this moment, by the monotonic clock; undefined: nobody knows. */
  get currentMs(): number | undefined {
    return this.#currentMs;
  }

  /** Bounded by the calls that may be open: one call waits once. */
  wait(open: OpenCall, then: () => void): void {
    this.#next.push({ open, then });
    this.#giveUpLost();
    this.#ask();
  }

  /** Somebody reads what is there and is told how old it may be: who reads next shall be told less. */
  refresh(): void {
    const now = this.#host.now();
    this.#giveUpLost();
    if (this.#asking !== undefined || now - this.#refreshedMs < FRESH_MS) return;
    this.#refreshedMs = now;
    this.#confirm([]);
  }

  confirmed(id: string, position: number): void {
    const asked = this.#take(id);
    if (asked === undefined) return;
    this.#reaching.push({ ...asked, position });
    this.#ask();
    this.moved();
  }

  notConfirmed(id: string, reason: string): void {
    const asked = this.#take(id);
    if (asked === undefined) return;
    for (const { open } of asked.waiting) if (!open.ended) this.#host.notCurrent(open, reason);
    this.#ask();
  }

  /** The copy may have got further. */
  moved(): void {
    if (this.#reaching.length === 0) return;
    const position = this.#host.position();
    const reached = this.#reaching.filter((batch) => batch.position <= position);
    if (reached.length === 0) return;
    this.#reaching = this.#reaching.filter((batch) => batch.position > position);
    for (const { askedMs, waiting } of reached) {
      this.#currentMs = Math.max(this.#currentMs ?? 0, askedMs);
      for (const { open, then } of waiting) if (!open.ended) then();
    }
  }

  /** The copy begins anew. */
  reset(): void {
    this.#currentMs = undefined;
  }

  #giveUpLost(): void {
    if (this.#asking === undefined || this.#host.now() - this.#asking.askedMs <= CONFIRM_MS) return;
    this.#next = [...this.#asking.waiting, ...this.#next];
    this.#asking = undefined;
  }

  #take(id: string): Batch | undefined {
    const asked = this.#asking;
    if (asked?.id !== id) return undefined;
    this.#asking = undefined;
    return asked;
  }

  #ask(): void {
    // Nothing is looked through while an answer is awaited: a crowd that waits would be looked through again at each call.
    if (this.#asking !== undefined) return;
    const waiting = this.#next.filter(({ open }) => !open.ended);
    if (waiting.length === 0) return;
    this.#next = [];
    this.#confirm(waiting);
  }

  #confirm(waiting: readonly Waiting[]): void {
    this.#sequence += 1;
    this.#asking = { id: `confirm/${this.#sequence}`, askedMs: this.#host.now(), waiting };
    this.#host.ask(this.#asking.id);
  }
}
