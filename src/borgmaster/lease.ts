/**
 * The lock as this master knows it: until when it has it, and which versions all masters can do. It counts from when it asked, by its own monotonic clock, so it never
 * believes in a lease for longer than the lock service does. A lease says who should lead; the journal's term decides whose writes count.
 */
import type { Env } from "../base/env.ts";
import type { MasterOptions } from "./defaults.ts";
import type { KnownVersions, LockAnswer } from "./lock-message.ts";
import type { FromMaster } from "./message.ts";

export class Lease {
  readonly #env: Env<FromMaster>;
  readonly #options: MasterOptions;
  #untilMs = 0;
  #askedMs = 0;
  #sequence = 0;
  /** What the lock service said of all masters; a master without one knows only itself. */
  #known: KnownVersions;

  constructor(env: Env<FromMaster>, options: MasterOptions) {
    this.#env = env;
    this.#options = options;
    this.#known = { masters: options.lock === undefined ? options.replicas : 0, lowest: options.versionMax };
  }

  /** Whether it may still be this master's. */
  get isOver(): boolean {
    return this.#env.now() > this.#untilMs;
  }

  get untilMs(): number {
    return this.#untilMs;
  }

  /** The highest version that every configured master can do; while one was never heard of, nothing new is switched on. */
  get versionForAll(): number {
    const { masters, lowest } = this.#known;
    return masters < this.#options.replicas ? 0 : Math.min(lowest, this.#options.versionMax);
  }

  ask(): void {
    const { name, lock, lockTtlMs, versionMax } = this.#options;
    if (lock === undefined) return;
    this.#askedMs = this.#env.now();
    this.#sequence += 1;
    this.#env.send(lock, { type: "acquire", who: name, ttlMs: lockTtlMs, versionMax, sequence: this.#sequence });
  }

  /** Undefined: it answers an older question. */
  onAnswer(answer: LockAnswer): "granted" | "denied" | undefined {
    if (answer.sequence !== this.#sequence) return undefined;
    if (answer.type === "denied") return "denied";
    this.#known = answer.known;
    this.#untilMs = this.#askedMs + answer.ttlMs;
    return "granted";
  }

  drop(): void {
    this.#untilMs = 0;
  }
}
