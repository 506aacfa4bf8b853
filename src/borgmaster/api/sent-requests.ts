/** Requests that were sent to the master of this process, by their user and id: the same id, asked again, may be on its way to the journal. */
import type { Op } from "../../cell/op.ts";

/** The oldest are forgotten: a journal that takes longer than this many further requests is not there. */
const SENT_MAX = 20_000;

export class SentRequests {
  readonly #keys = new Set<string>();

  has(op: Op): boolean {
    return this.#keys.has(keyOf(op));
  }

  add(op: Op): void {
    const key = keyOf(op);
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= SENT_MAX) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }
}

const keyOf = ({ actor, requestId }: Op): string => `${actor?.name ?? ""} ${requestId}`;
