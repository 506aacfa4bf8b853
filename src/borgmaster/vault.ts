/**
 * What encrypts and decrypts secrets: the keys of a cell, in the hands of whoever takes calls. The cell, its feed and its schedulers have no such thing. In a
 * master process it is a file beside the journal (src/daemon/vault.ts), in simulations a toy (src/fauxmaster/world/toy-vault.ts). Nothing here waits.
 */
import type { Sealed } from "../cell/state.ts";

/** What a secret is bound to: encrypted for one of these it does not decrypt as another. */
export interface SecretPlace {
  readonly cell: string;
  readonly owner: string;
  readonly name: string;
  readonly version: number;
}

/** A new key that nothing is encrypted with yet: were it lost with the few masters that have it, so would be what it encrypted. */
export interface WaitingKey {
  readonly keyId: string;
  /** Masters that have it, how many must, and how many there are. */
  readonly held: number;
  readonly needed: number;
  readonly masters: number;
}

export interface Vault {
  /** Of the key that encrypts from now on. */
  readonly keyId: string;
  /** The key that will encrypt when most masters have it; undefined: the newest does. */
  readonly waiting: WaitingKey | undefined;
  has(keyId: string): boolean;
  seal(plain: Uint8Array, place: SecretPlace): Sealed;
  /** Undefined: there is no such key, or it was encrypted for another place, or changed. */
  open(sealed: Sealed, place: SecretPlace): Uint8Array | undefined;
  /** What stands for a request in the cell's memory: nobody without the key can try guesses by it. One for each key, that of the newest first. */
  digests(request: Uint8Array): readonly Uint8Array[];
  /** What proves that somebody is this instance, and holds for as long as the key is kept. */
  tokenOf(cell: string, instance: string): string;
  isTokenOf(cell: string, instance: string, token: string): boolean;
  /** Makes a new key, which is kept before it is used, and by most masters where there are several. Throws, in words, where it cannot. */
  rotate(): void;
  /** Forgets keys that nothing is encrypted with any more, but for the newest. */
  keepOnly(named: ReadonlySet<string>): void;
}

/** What a token of an instance is made from. */
export const holderText = (cell: string, instance: string): string => ["borg-controller", cell, instance].join("\0");

/** As it is authenticated: no part of it can have a NUL in it. */
export const placeText = ({ cell, owner, name, version }: SecretPlace): string => ["borg-secret", cell, owner, name, version].join("\0");
