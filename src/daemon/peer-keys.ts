/**
 * Which keys of secrets the masters of other machines have. The process that speaks to them writes it down beside the own keys; the vault takes from there what is missing
 * here, and counts who has a new key.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KeyRing, NO_KEYS, plainRing, ringOf, writeWhole } from "./key-ring.ts";
import { Looks } from "./looks.ts";

const FILE = "peers.json";

export interface PeerRing extends KeyRing {
  /** Otherwise these are its keys as of when it last did. */
  readonly answers: boolean;
}

export interface PeerKeys {
  /** Rises with every look. */
  readonly look: number;
  /** Of the cell, this one among them. */
  readonly masters: number;
  readonly peers: ReadonlyMap<number, PeerRing>;
}

export function writePeerKeys(directory: string, { look, masters, peers }: PeerKeys): void {
  const plain = [...peers].map(([replica, ring]) => [replica, { answers: ring.answers, ...plainRing(ring) }]);
  writeWhole(join(directory, FILE), { look, masters, peers: Object.fromEntries(plain) });
}

/** Undefined: nobody has looked, or it cannot be read. */
export function readPeerKeys(directory: string): PeerKeys | undefined {
  try {
    const { look, masters, peers } = JSON.parse(readFileSync(join(directory, FILE), "utf8")) as {
      readonly look: number;
      readonly masters: number;
      readonly peers: Readonly<Record<string, { readonly answers: boolean }>>;
    };
    const rings = Object.entries(peers).map(
      ([replica, written]) => [Number(replica), { ...(ringOf(written) ?? NO_KEYS), answers: written.answers }] as const,
    );
    return { look, masters, peers: new Map(rings) };
  } catch {
    return undefined;
  }
}

/** How many of the cell's masters have a key: for sure, and for sure not. The others cannot be asked now. */
export interface Holders {
  readonly masters: number;
  readonly have: number;
  readonly lack: number;
}

/** More than half: any two such crowds have a master in common. */
export const mostOf = (masters: number): number => Math.floor(masters / 2) + 1;

export class PeerEye {
  readonly #directory: string;
  readonly #masters: number;
  readonly #looks: Looks;

  /** `masters`: how many there are while nobody has looked. `now`: of a clock that only goes forward. */
  constructor(directory: string, masters: number, now: () => number) {
    this.#directory = directory;
    this.#masters = masters;
    this.#looks = new Looks(now);
  }

  /** What others have or had, and how many of all masters have a key, this one counted as `own` says. */
  read(): { readonly rings: readonly KeyRing[]; readonly holders: (id: string, own: boolean) => Holders } {
    const found = readPeerKeys(this.#directory);
    const rings = [...(found?.peers.values() ?? [])];
    const answering = this.#looks.isOld(found?.look) ? [] : rings.filter(({ answers }) => answers);
    const holders = (id: string, own: boolean): Holders => {
      const have = answering.filter(({ keys }) => keys.some((key) => key.id === id)).length;
      const lack = answering.length - have;
      return { masters: found?.masters ?? this.#masters, have: have + (own ? 1 : 0), lack: lack + (own ? 0 : 1) };
    };
    return { rings, holders };
  }
}
