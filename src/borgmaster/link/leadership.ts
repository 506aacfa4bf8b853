/**
 * What a link shard knows of the elected master: where it is, and until when something may be started for it. Shards of other replicas ask all masters twice a second, and only the one that leads answers, with
 * what is left of its lease. A shard counts that from when it asked, by its own clock, and not before its copy of the cell shows what the leader had then: so it starts nothing that was given up long ago.
 */
import type { Address, Env } from "../../base/env.ts";
import type { ShardAsk, ShardTold } from "../message.ts";

/** Where a shard is one of several. */
export interface ShardPlace {
  readonly replica: string;
  /** The masters of all replicas, this one's too. */
  readonly masters: readonly Address[];
  readonly versionMax: number;
}

const ASK_MS = 500;
/** Questions whose answers still count. */
const ASKS_MAX = 8;

export class Leadership {
  readonly #env: Env<ShardAsk>;
  readonly #place: ShardPlace | undefined;
  readonly #life: string;
  readonly #askedMs = new Map<number, number>();
  #sequence = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** When it was last answered; monotonic. */
  #heardMs: number;
  #term = 0;
  #master: Address;
  /** Nothing is started after it: somebody else may lead by then. A master that is alone has no lease that ends. */
  #untilMs: number;
  /** Counts once this shard has seen as much. */
  #coming: { readonly untilMs: number; readonly position: number } | undefined;

  constructor(env: Env<ShardAsk>, own: Address, place: ShardPlace | undefined, life: string) {
    this.#env = env;
    this.#place = place;
    this.#life = life;
    this.#master = own;
    this.#heardMs = env.now();
    this.#untilMs = place === undefined ? Number.POSITIVE_INFINITY : 0;
  }

  /** Where differences go. */
  get master(): Address {
    return this.#master;
  }

  /** For how long no master has said that it leads. */
  get silentMs(): number {
    return this.#env.now() - this.#heardMs;
  }

  mayStart(position: number): boolean {
    const coming = this.#coming;
    if (coming !== undefined && position >= coming.position) {
      this.#untilMs = coming.untilMs;
      this.#coming = undefined;
    }
    return this.#env.now() < this.#untilMs;
  }

  /** The master of this process leads from now on. */
  leads(own: Address, term: number): void {
    this.#master = own;
    this.#term = Math.max(this.#term, term);
    this.#heardMs = this.#env.now();
  }

  /** The lease of the master of this process. */
  lease(untilMs: number): void {
    this.#untilMs = untilMs;
    this.#coming = undefined;
  }

  ask(): void {
    if (this.#place === undefined || this.#env.now() - this.#lastMs < ASK_MS) return;
    this.#lastMs = this.#env.now();
    this.#sequence += 1;
    this.#askedMs.set(this.#sequence, this.#lastMs);
    this.#askedMs.delete(this.#sequence - ASKS_MAX);
    const { replica, masters, versionMax } = this.#place;
    const ask: ShardAsk = { type: "shard-ask", replica, life: this.#life, versionMax, sequence: this.#sequence };
    for (const master of masters) this.#env.send(master, ask);
  }

  told(from: Address, { term, sequence, leftMs, position }: ShardTold): void {
    const askedMs = this.#askedMs.get(sequence);
    if (askedMs === undefined || term < this.#term) return;
    this.#askedMs.delete(sequence);
    this.#term = term;
    this.#master = from;
    this.#heardMs = this.#env.now();
    this.#coming = { untilMs: askedMs + leftMs, position };
  }
}
