/** Questions that wait for the follower, in turn by who asks: however many one user has, the others' next one is never more than a round away. */
import type { Address } from "../base/env.ts";
import type { FollowerQuestion } from "./message.ts";

/** Of one user; one more is refused. */
export const QUESTIONS_MAX = 16;

export interface Waiting {
  readonly from: Address;
  readonly question: FollowerQuestion;
}

export class Questions {
  /** In the order in which they are asked. */
  readonly #byUser = new Map<string, Waiting[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(from: Address, question: FollowerQuestion): boolean {
    const own = this.#byUser.get(question.user) ?? [];
    if (own.length >= QUESTIONS_MAX) return false;
    this.#byUser.set(question.user, own);
    own.push({ from, question });
    this.#size += 1;
    return true;
  }

  forget(id: string): void {
    for (const [user, own] of this.#byUser) {
      const at = own.findIndex(({ question }) => question.id === id);
      if (at < 0) continue;
      own.splice(at, 1);
      this.#size -= 1;
      if (own.length === 0) this.#byUser.delete(user);
      return;
    }
  }

  next(): Waiting | undefined {
    for (const [user, own] of this.#byUser) {
      const first = own.shift();
      this.#byUser.delete(user);
      if (own.length > 0) this.#byUser.set(user, own);
      this.#size -= 1;
      return first;
    }
    return undefined;
  }
}
