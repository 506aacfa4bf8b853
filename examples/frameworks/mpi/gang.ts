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
  readonly #ranks: number;
  readonly #size: RankSize;
  readonly #together: number;
  readonly #held = new Map<string, Offer>();

  /** `together`: ranks on one machine at most. */
  constructor(ranks: number, size: RankSize, together = Number.POSITIVE_INFINITY) {
    this.#ranks = ranks;
    this.#size = size;
    this.#together = together;
  }

  /** False: it has room for no rank. */
  hold(offer: Offer): boolean {
    if (this.#roomIn(offer) === 0) return false;
    this.#held.set(offer.id, offer);
    return true;
  }

  forget(offerId: string): void {
    this.#held.delete(offerId);
  }

  /** All ranks on what is held, on as few machines as do; undefined: not all have room yet. Nothing is held afterwards but what is left over. */
  gather(): { readonly shares: readonly Share[]; readonly left: readonly Offer[] } | undefined {
    const shares: Share[] = [];
    const left: Offer[] = [];
    let missing = this.#ranks;
    for (const offer of [...this.#held.values()].sort((a, b) => this.#roomIn(b) - this.#roomIn(a) || (a.machine < b.machine ? -1 : 1))) {
      const ranks = Math.min(missing, this.#roomIn(offer));
      if (ranks > 0) shares.push({ offer, ranks });
      else left.push(offer);
      missing -= ranks;
    }
    if (missing > 0) return undefined;
    this.#held.clear();
    return { shares, left };
  }

  #roomIn({ cpus, mem }: Offer): number {
    // Amounts come in thousandths of a core: 0.3 / 0.1 is three.
    return Math.min(this.#together, Math.floor(cpus / this.#size.cpus + 1e-6), Math.floor(mem / this.#size.mem + 1e-6));
  }
}
