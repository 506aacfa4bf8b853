/** A program of MPI runs with all its ranks or not at all: offers are gathered until they have room for every one (a rigid framework, Mesos §4.1). It knows no network. */
import type { Offer } from "../../../clients/framework/framework.ts";

export interface RankSize {
  readonly cpus: number;
  readonly mem: number;
}

/** Ranks on one machine. */
export interface Share {
  readonly offer: Offer;
  readonly ranks: number;
}

export class Gang {
  readonly #size: RankSize;
  readonly #together: number;
  readonly #held = new Map<string, Offer>();
  /** Ranks that have no room yet, and those of each machine that have. */
  #missing: number;
  readonly #placed = new Map<string, number>();

  /** `together`: ranks on one machine at most. */
  constructor(ranks: number, size: RankSize, together = Number.POSITIVE_INFINITY) {
    this.#missing = ranks;
    this.#size = size;
    this.#together = together;
  }

  get isWhole(): boolean {
    return this.#missing === 0;
  }

  /** False: nothing is missing, or it has room for no rank. */
  hold(offer: Offer): boolean {
    if (this.isWhole || this.#roomIn(offer) === 0) return false;
    this.#held.set(offer.id, offer);
    return true;
  }

  forget(offerId: string): void {
    this.#held.delete(offerId);
  }

  /** Another master: what the one before it offered counts for nothing, and its machines are offered again. */
  clear(): void {
    this.#held.clear();
  }

  /** The launch came to nothing: its ranks need room again. */
  lost({ offer: { machine }, ranks }: Share): void {
    this.#place(machine, -ranks);
  }

  /** All ranks that have none on what is held, on as few machines as do; undefined: not all have room yet. Nothing is held afterwards but what is left over. */
  gather(): { readonly shares: readonly Share[]; readonly left: readonly Offer[] } | undefined {
    if (this.isWhole) return undefined;
    const shares: Share[] = [];
    const left: Offer[] = [];
    for (const offer of [...this.#held.values()].sort((a, b) => this.#roomIn(b) - this.#roomIn(a) || (a.machine < b.machine ? -1 : 1))) {
      const ranks = Math.min(this.#missing, this.#roomIn(offer));
      if (ranks > 0) shares.push({ offer, ranks });
      else left.push(offer);
      this.#place(offer.machine, ranks);
    }
    if (!this.isWhole) {
      for (const share of shares) this.lost(share);
      return undefined;
    }
    this.#held.clear();
    return { shares, left };
  }

  #place(machine: string, ranks: number): void {
    this.#missing -= ranks;
    this.#placed.set(machine, this.#on(machine) + ranks);
  }

  #on(machine: string): number {
    return this.#placed.get(machine) ?? 0;
  }

  #roomIn({ machine, cpus, mem }: Offer): number {
    // Amounts come in thousandths of a core: 0.3 / 0.1 is three.
    const room = Math.min(Math.floor(cpus / this.#size.cpus + 1e-6), Math.floor(mem / this.#size.mem + 1e-6));
    return Math.min(this.#together - this.#on(machine), room);
  }
}
