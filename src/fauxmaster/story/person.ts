/** Somebody who calls the API of a master as a user, or speaks to the master as a scheduler, and remembers what was answered. */
import type { Actor, Address, Env } from "../../base/env.ts";

/** Answers that are remembered; the oldest go first. */
const HEARD_MAX = 1000;

export class Person implements Actor<unknown> {
  readonly #env: Env<unknown>;
  readonly #heard = new Map<string, unknown>();

  constructor(env: Env<unknown>) {
    this.#env = env;
  }

  start(): void {}

  onTimer(): void {}

  /** The first answer to each question counts. */
  onMessage(_from: Address, message: unknown): void {
    const { id } = message as { readonly id?: unknown };
    if (typeof id !== "string" || this.#heard.has(id)) return;
    this.#heard.set(id, message);
    for (const oldest of this.#heard.keys()) {
      if (this.#heard.size <= HEARD_MAX) break;
      this.#heard.delete(oldest);
    }
  }

  say(to: Address, message: { readonly id: string }): void {
    this.#heard.delete(message.id);
    this.#env.send(to, message);
  }

  heard(id: string): unknown {
    return this.#heard.get(id);
  }
}
