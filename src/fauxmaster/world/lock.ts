/**
 * A lock service, as far as an election needs one (Chubby, an etcd lease). It counts leases on its own clock, so a holder whose
 * clock is slow or who was paused may believe in a lease that somebody else has by now: mutual exclusion is not to be had here.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import type { LockAnswer, LockRequest } from "../../borgmaster/lock-message.ts";

/** Outlives the process: a restarted service lets the holder keep its lease for a whole term more, as etcd does. */
export interface LockMemory {
  holder: string;
  ttlMs: number;
  /** The highest cell version of each asker, as it told last. */
  readonly versions: Map<string, number>;
}

export const newLockMemory = (): LockMemory => ({ holder: "", ttlMs: 0, versions: new Map() });

export class LockService implements Actor<LockRequest> {
  readonly #env: Env<LockAnswer>;
  readonly #memory: LockMemory;
  #untilMs = 0;

  constructor(env: Env<LockAnswer>, memory: LockMemory) {
    this.#env = env;
    this.#memory = memory;
  }

  start(): void {
    this.#untilMs = this.#env.now() + this.#memory.ttlMs;
  }

  onTimer(): void {}

  onMessage(from: Address, message: LockRequest): void {
    this.#expire();
    if (message.type === "release") {
      if (this.#memory.holder === message.who) this.#memory.holder = "";
      return;
    }
    const { who, ttlMs, versionMax } = message;
    const { versions } = this.#memory;
    versions.set(who, versionMax);
    const echo = message.sequence === undefined ? {} : { sequence: message.sequence };
    if (this.#memory.holder !== "" && this.#memory.holder !== who) {
      this.#env.send(from, { type: "denied", holder: this.#memory.holder, leftMs: this.#untilMs - this.#env.now(), ...echo });
      return;
    }
    if (this.#memory.holder === "") this.#env.log("~lock changed hands");
    this.#memory.holder = who;
    this.#memory.ttlMs = ttlMs;
    this.#untilMs = this.#env.now() + ttlMs;
    const known = { masters: versions.size, lowest: Math.min(...versions.values()) };
    this.#env.send(from, { type: "granted", ttlMs, known, ...echo });
  }

  #expire(): void {
    if (this.#env.now() >= this.#untilMs) this.#memory.holder = "";
  }
}
