/**
 * How masters of several machines exchange the cell's authority together: a note in etcd says how far they are, and holds the new authority with its key, sealed for each master
 * of the roster by the public key that it is known by. Who was taken out can read none of it. Every machine follows the note by itself (spread-keeper.ts).
 */
import type { KeyAndCertificate } from "../rpc/certificates.ts";
import { type AuthorityChange, type AuthorityStep, authorityId } from "./authority-change.ts";
import { openSealed, type Sealed, sealTo } from "./peer/seal.ts";

export interface AuthorityNote {
  readonly step: AuthorityStep;
  /** Of the new one: authorityId. */
  readonly id: string;
  /** By replica; nothing when the exchange is over. */
  readonly sealed: Readonly<Record<string, Sealed>>;
}

const purposeOf = (cell: string, replica: number): string => `borg: the next authority of cell ${cell} for its master ${replica}`;

/** `keys`: public keys of the masters (SPKI, DER), by replica. */
export const beginNote = (cell: string, next: KeyAndCertificate, keys: ReadonlyMap<number, Uint8Array>): AuthorityNote => ({
  step: "both",
  id: authorityId(next.certificate),
  sealed: Object.fromEntries(
    [...keys].map(([replica, key]) => [replica, sealTo(key, Buffer.from(JSON.stringify(next)), purposeOf(cell, replica))]),
  ),
});

export interface Follower {
  readonly cell: string;
  readonly self: number;
  /** The private key (PEM) that this master keeps. */
  readonly key: string;
}

/** Goes as far as the note says, and never back. True: files are new. Throws for a master that was left out: it was away, or joined meanwhile. */
export function followNote(change: AuthorityChange, { step, id, sealed }: AuthorityNote, { cell, self, key }: Follower): boolean {
  const isNew = change.newest === undefined || authorityId(change.newest) !== id;
  const before = change.step;
  if (isNew) change.take(opened(sealed[self], key, purposeOf(cell, self)));
  if (step !== "both") change.turn();
  if (step === "one") change.end();
  return isNew || change.step !== before;
}

function opened(sealed: Sealed | undefined, key: string, purpose: string): KeyAndCertificate {
  const plain = sealed === undefined ? undefined : openSealed(key, sealed, purpose);
  if (plain === undefined)
    throw new Error("the cell has a new authority, and it was not handed to this master: borg replica remove it, and let it join anew");
  return JSON.parse(Buffer.from(plain).toString("utf8")) as KeyAndCertificate;
}
