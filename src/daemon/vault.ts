/**
 * The keys that secrets are encrypted with, in a file of their own beside the journal: AES-256-GCM with random nonces, and owner, name, version and cell authenticated.
 * The file is made when it is not there, is read once, and is replaced whole before a new key is used. No key is ever journaled, logged or put into a backup, and only
 * masters of the cell are sent it. One of several masters makes none: a key of its own would open nothing, and take the place of the others'.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../base/assert.ts";
import { holderText, placeText, type SecretPlace, type Vault } from "../borgmaster/vault.ts";
import { NONCE_BYTES, TAG_BYTES } from "../cell/secret.ts";
import type { Sealed } from "../cell/state.ts";
import { DataError } from "./data-error.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const DIGEST_BYTES = 16;
/** Whatever was encrypted with a key before another took its place is in the journal by then. */
const FORMER_KEEP_MS = 10 * 60_000;
const ID = /^[0-9a-f]{16}$/;

/** What the file is called in its directory. */
export const KEY_FILE = "keys.json";

interface Key {
  readonly id: string;
  readonly key: Buffer;
  readonly createdMs: number;
}

export class FileVault implements Vault {
  readonly #directory: string;
  readonly #now: () => number;
  /** The newest first. */
  #keys: readonly Key[];

  /** `ifMissing`: whether there is a new key when there is none, or none until `reload` finds one. */
  constructor(directory: string, now: () => number = Date.now, ifMissing: "make" | "wait" = "make") {
    this.#directory = directory;
    this.#now = now;
    this.#keys = readKeys(join(directory, KEY_FILE));
    if (this.#keys.length === 0 && ifMissing === "make") this.rotate();
  }

  get keyId(): string {
    return this.#newest.id;
  }

  get #newest(): Key {
    const [newest] = this.#keys;
    assert(newest !== undefined, "A master without the key of secrets does not lead");
    return newest;
  }

  has(keyId: string): boolean {
    return this.#keys.some(({ id }) => id === keyId);
  }

  seal(plain: Uint8Array, place: SecretPlace): Sealed {
    const { id: keyId, key } = this.#newest;
    const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(placeText(place)));
    const ciphertext = new Uint8Array(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    return { keyId, nonce, ciphertext };
  }

  open({ keyId, nonce, ciphertext }: Sealed, place: SecretPlace): Uint8Array | undefined {
    const known = this.#keys.find(({ id }) => id === keyId);
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
    return this.#keys.map(({ key }) => {
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
    return this.#keys.some((key) => {
      const proof = proofBy(key, cell, instance);
      return shown.length === proof.length && timingSafeEqual(shown, proof);
    });
  }

  /** Another process may have changed the file: replicas of one machine share it, and only the one that leads writes. A file that is gone takes no key away. */
  reload(): void {
    const found = readKeys(join(this.#directory, KEY_FILE));
    if (found.length > 0) this.#keys = found;
  }

  rotate(): void {
    const key = { id: randomBytes(8).toString("hex"), key: randomBytes(KEY_BYTES), createdMs: this.#now() };
    this.#keep([key, ...this.#keys]);
  }

  keepOnly(named: ReadonlySet<string>): void {
    const left = this.#keys.filter(({ id }, i) => {
      const followed = this.#keys[i - 1]?.createdMs;
      return followed === undefined || named.has(id) || this.#now() - followed < FORMER_KEEP_MS;
    });
    if (left.length < this.#keys.length) this.#keep(left);
  }

  /** On the disk, whole, before anything is encrypted with it. */
  #keep(keys: readonly Key[]): void {
    const text = JSON.stringify({ keys: keys.map(({ id, key, createdMs }) => ({ id, key: key.toString("base64"), createdMs })) }, null, 2);
    const path = join(this.#directory, KEY_FILE);
    const file = openSync(`${path}.new`, "w", 0o600);
    try {
      writeSync(file, `${text}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
    syncDirectory(this.#directory);
    this.#keys = keys;
  }
}

function proofBy({ key }: Key, cell: string, instance: string): Buffer {
  const own = Buffer.from(hkdfSync("sha256", key, "", "tokens of controllers", KEY_BYTES));
  return createHmac("sha256", own).update(holderText(cell, instance)).digest();
}

/** Whether a key is there that this master could lead with. */
export function hasKeys(directory: string): boolean {
  try {
    return readKeys(join(directory, KEY_FILE)).length > 0;
  } catch {
    return false;
  }
}

/** Says at once, in words, what would keep a master from starting. */
export const checkKeys = (directory: string): void => void readKeys(join(directory, KEY_FILE));

function syncDirectory(directory: string): void {
  const fd = openSync(directory, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** None when there is no file. One that others can read, or that nobody can understand, is not used. */
function readKeys(path: string): readonly Key[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if ((found.mode & 0o077) !== 0)
    throw new DataError(
      "The key of the cell's secrets can be read by others",
      `run: chmod 600 '${path}', and borg secret rotate-key when it is up`,
    );
  try {
    const { keys } = JSON.parse(readFileSync(path, "utf8")) as { keys: { id: string; key: string; createdMs: number }[] };
    const read = keys.map(({ id, key, createdMs }) => ({ id, key: Buffer.from(key, "base64"), createdMs }));
    if (read.length === 0 || read.some(({ id, key }) => !ID.test(id) || key.length !== KEY_BYTES)) throw new Error("It is no key");
    return read;
  } catch (cause) {
    throw new DataError(
      "Cannot understand the key of the cell's secrets",
      `put the file "secrets/${KEY_FILE}" of the cell back from where you kept it`,
      { cause },
    );
  }
}
