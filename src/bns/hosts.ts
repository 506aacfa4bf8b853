/** Addresses of machines that are known by a name: looked up as this machine looks names up, and remembered for a while. */
import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";

export type Lookup = (host: string) => Promise<readonly string[]>;

const KEPT_MS = 30_000;
/** What could not be found is asked for again sooner. */
const FAILED_MS = 3_000;
/** More are forgotten, the oldest first. */
const HOSTS_MAX = 20_000;
/** So many are looked up at a time: each takes a thread of the process. Others are answered without. */
const LOOKUPS_MAX = 4;
/** Who asks is answered by then, without those that are not found yet. */
const LATE_MS = 2_000;

interface Known {
  addresses: readonly string[];
  untilMs: number;
  coming: Promise<void> | undefined;
}

const bySystem: Lookup = async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address);

export class Hosts {
  readonly #known = new Map<string, Known>();
  readonly #lookup: Lookup;
  readonly #now: () => number;
  #open = 0;

  constructor(lookup: Lookup = bySystem, now: () => number = () => performance.now()) {
    this.#lookup = lookup;
    this.#now = now;
  }

  /** What was known before is told while it is looked up again. */
  async addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    if (host === "") return [];
    const known = this.#known.get(host) ?? this.#add(host);
    if (known.untilMs <= this.#now() && known.coming === undefined && this.#open < LOOKUPS_MAX) known.coming = this.#look(host, known);
    if (known.addresses.length === 0 && known.coming !== undefined) await Promise.race([known.coming, late()]);
    return known.addresses;
  }

  #add(host: string): Known {
    if (this.#known.size >= HOSTS_MAX) this.#known.delete(this.#known.keys().next().value as string);
    const known: Known = { addresses: [], untilMs: 0, coming: undefined };
    this.#known.set(host, known);
    return known;
  }

  async #look(host: string, known: Known): Promise<void> {
    this.#open += 1;
    try {
      known.addresses = await this.#lookup(host);
      known.untilMs = this.#now() + KEPT_MS;
    } catch {
      known.untilMs = this.#now() + FAILED_MS;
    } finally {
      this.#open -= 1;
      known.coming = undefined;
    }
  }
}

const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LATE_MS).unref());
