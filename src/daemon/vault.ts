/**
 * The keys that secrets are encrypted with, in a file of their own beside the journal: AES-256-GCM with random nonces, and owner, name, version and cell authenticated.
 * The file is made when it is not there, and is replaced whole before a new key is used; where other machines have masters a new key is used when most masters have it
 * on their disks. No key is ever journaled, logged or put into a backup, and only masters of the cell are sent it. One of several masters makes no first key: its own
 * would open nothing.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { assert } from "../base/assert.ts";
import { holderText, placeText, type SecretPlace, type Vault, type WaitingKey } from "../borgmaster/vault.ts";
import { NONCE_BYTES, TAG_BYTES } from "../cell/secret.ts";
import type { Sealed } from "../cell/state.ts";
import { KEY_BYTES, KEYS_MAX, type Key, type KeyRing, merged, NO_KEYS, readRing, writeRing } from "./key-ring.ts";
import { mostOf, type PeerEye } from "./peer-keys.ts";

const CIPHER = "aes-256-gcm";
const DIGEST_BYTES = 16;
/** Whatever was encrypted with a key before another took its place is in the journal by then. */
const FORMER_KEEP_MS = 10 * 60_000;

export interface VaultOptions {
  readonly now?: () => number;
  /** Whether there is a new key when there is none, or none until `reload` finds one. */
  readonly ifMissing?: "make" | "wait";
  /** Where other machines have masters: who of them has which keys. */
  readonly peers?: PeerEye | undefined;
}

export class FileVault implements Vault {
  readonly #directory: string;
  readonly #now: () => number;
  readonly #peers: PeerEye | undefined;
  #ring: KeyRing;
  #waiting: WaitingKey | undefined;

  constructor(directory: string, { now = Date.now, ifMissing = "make", peers }: VaultOptions = {}) {
    this.#directory = directory;
    this.#now = now;
    this.#peers = peers;
    this.#ring = readRing(directory);
    if (this.#ring.keys.length === 0 && ifMissing === "make") this.#keep({ ...this.#ring, keys: [this.#fresh(false)] });
    this.reload();
  }

  get keyId(): string {
    return this.#newest.id;
  }

  get waiting(): WaitingKey | undefined {
    return this.#waiting;
  }

  /** Those that something may be encrypted with. */
  get #settled(): readonly Key[] {
    return this.#ring.keys.filter(({ waits }) => !waits);
  }

  get #newest(): Key {
    const [newest] = this.#settled;
    assert(newest !== undefined, "A master without the key of secrets does not lead");
    return newest;
  }

  has(keyId: string): boolean {
    return this.#ring.keys.some(({ id }) => id === keyId);
  }

  seal(plain: Uint8Array, place: SecretPlace): Sealed {
    const { id: keyId, key } = this.#newest;
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(placeText(place)));
    const ciphertext = new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    return { keyId, nonce, ciphertext };
  }

  open({ keyId, nonce, ciphertext }: Sealed, place: SecretPlace): Uint8Array | undefined {
    const known = this.#ring.keys.find(({ id }) => id === keyId);
    if (known === undefined || nonce.length !== NONCE_BYTES || ciphertext.length < TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, known.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(placeText(place)));
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
    try {
      return new Uint8Array(Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]));
    } catch {
      return undefined;
    }
  }

  digests(request: Uint8Array): readonly Uint8Array[] {
    return this.#settled.map(({ key }) => {
      const own = Buffer.from(hkdfSync("sha256", key, "", "digests of requests", KEY_BYTES));
      return new Uint8Array(createHmac("sha256", own).update(request).digest().subarray(0, DIGEST_BYTES));
    });
  }

  tokenOf(cell: string, instance: string): string {
    return proofBy(this.#newest, cell, instance).toString("hex");
  }

  /** Former keys count while they are kept. Compared in the same time whatever is shown. */
  isTokenOf(cell: string, instance: string, token: string): boolean {
    const shown = Buffer.from(token, "hex");
    return this.#settled.some((key) => {
      const proof = proofBy(key, cell, instance);
      return shown.length === proof.length && timingSafeEqual(shown, proof);
    });
  }

  /**
   * Takes what others have: replicas of one machine share the file, and only the one that leads writes; of other machines each has a file of its own, which this one alone
   * writes. A file that is gone takes no key away.
   */
  reload(): void {
    const found = readRing(this.#directory);
    if (this.#peers === undefined) {
      if (found.keys.length > 0) this.#ring = found;
      return;
    }
    const { rings, holders } = this.#peers.read();
    let ring = [found, ...rings].reduce(merged, this.#ring);
    const [newest] = ring.keys;
    if (newest?.waits === true) {
      // It counts here when it is on this disk.
      const { masters, have } = holders(
        newest.id,
        found.keys.some(({ id }) => id === newest.id),
      );
      const isSettled = have >= mostOf(masters);
      if (isSettled) ring = { ...ring, keys: [this.#settle(newest, ring), ...ring.keys.slice(1)] };
      this.#waiting = isSettled ? undefined : { keyId: newest.id, held: have, needed: mostOf(masters), masters };
    } else this.#waiting = undefined;
    if (!isSame(ring, found)) this.#keep(ring);
    else this.#ring = ring;
  }

  /** What it takes the place of is needed from now on for some time. */
  #settle(key: Key, { keys }: KeyRing): Key {
    return { ...key, waits: false, createdMs: Math.max(this.#now(), ...keys.map(({ createdMs }) => createdMs)) };
  }

  rotate(): void {
    const { keys, gone } = this.#ring;
    if (keys.length >= KEYS_MAX)
      throw new Error(`There are ${keys.length} keys already; old ones go when nothing is encrypted with them: ask again later`);
    this.#keep({ keys: [this.#fresh(this.#peers !== undefined), ...keys], gone });
    this.reload();
  }

  /** Newer than all that are there, whatever the clocks of their masters said. */
  #fresh(waits: boolean): Key {
    const [newest] = this.#ring.keys;
    const createdMs = Math.max(this.#now(), (newest?.createdMs ?? 0) + 1);
    return { id: randomBytes(8).toString("hex"), key: randomBytes(KEY_BYTES), createdMs, waits };
  }

  keepOnly(named: ReadonlySet<string>): void {
    const { keys, gone } = this.#ring;
    const isNeeded = ({ id }: Key, i: number): boolean => {
      const followed = keys.slice(0, i).findLast(({ waits }) => !waits)?.createdMs;
      return followed === undefined || named.has(id) || this.#now() - followed < FORMER_KEEP_MS;
    };
    const left = keys.filter(isNeeded);
    if (left.length === keys.length) return;
    const taken = keys.filter((key) => !left.includes(key)).map(({ id }) => id);
    // Other machines still have them, and would give them back.
    this.#keep(merged({ keys: left, gone: this.#peers === undefined ? [] : taken }, { ...NO_KEYS, gone }));
  }

  /** On the disk, whole, before anything is encrypted with it. */
  #keep(ring: KeyRing): void {
    writeRing(this.#directory, ring);
    this.#ring = ring;
  }
}

const isSame = (one: KeyRing, other: KeyRing): boolean => JSON.stringify(one) === JSON.stringify(other);

function proofBy({ key }: Key, cell: string, instance: string): Buffer {
  const own = Buffer.from(hkdfSync("sha256", key, "", "tokens of controllers", KEY_BYTES));
  return createHmac("sha256", own).update(holderText(cell, instance)).digest();
}
