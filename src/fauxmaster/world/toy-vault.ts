/**
 * A vault for simulations and tests: as strict as the real one about owner, name and version, but with a key that everybody can read here. All masters of a
 * world have the same one, as those of a cell have the same file. It never keeps anything.
 */
import { Sha256 } from "../../base/sha256.ts";
import { holderText, placeText, type SecretPlace, type Vault, type WaitingKey } from "../../borgmaster/vault.ts";
import type { Sealed } from "../../cell/state.ts";

const NONCE = 12;
const TAG = 16;
const DIGEST = 16;

const hashOf = (...parts: readonly (string | Uint8Array)[]): Uint8Array => {
  const hash = new Sha256();
  for (const part of parts) {
    const bytes = typeof part === "string" ? bytesOf(part) : part;
    hash.update(bytesOf(`${bytes.length} `)).update(bytes);
  }
  return Uint8Array.from(hash.hex().match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
};

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);

/** `random`: of the world's own chance, in [0, 1). */
export class ToyVault implements Vault {
  readonly #random: () => number;
  #keys: readonly string[] = ["toy-1"];

  constructor(random: () => number) {
    this.#random = random;
  }

  get keyId(): string {
    return this.#keys[0] as string;
  }

  /** All masters of a world have every key at once. */
  waiting: WaitingKey | undefined;

  has(keyId: string): boolean {
    return /^toy-\d+$/.test(keyId);
  }

  seal(plain: Uint8Array, place: SecretPlace): Sealed {
    const nonce = Uint8Array.from({ length: NONCE }, () => Math.floor(this.#random() * 256));
    const text = crossed(plain, this.keyId, nonce);
    const ciphertext = new Uint8Array(plain.length + TAG);
    ciphertext.set(text);
    ciphertext.set(tagOf(this.keyId, nonce, text, place), plain.length);
    return { keyId: this.keyId, nonce, ciphertext };
  }

  open({ keyId, nonce, ciphertext }: Sealed, place: SecretPlace): Uint8Array | undefined {
    if (!this.has(keyId)) return undefined;
    const text = ciphertext.slice(0, -TAG);
    const tag = tagOf(keyId, nonce, text, place);
    return ciphertext.subarray(-TAG).every((byte, i) => byte === tag[i]) ? crossed(text, keyId, nonce) : undefined;
  }

  digests(request: Uint8Array): readonly Uint8Array[] {
    return this.#keys.map((key) => hashOf("digest", key, request).slice(0, DIGEST));
  }

  tokenOf(cell: string, instance: string): string {
    return hexOf(hashOf("token", this.keyId, holderText(cell, instance)));
  }

  isTokenOf(cell: string, instance: string, token: string): boolean {
    return this.#keys.some((key) => hexOf(hashOf("token", key, holderText(cell, instance))) === token);
  }

  /** By number, so that every master of the world knows the keys of the others. */
  rotate(): void {
    this.#keys = [`toy-${Number(this.keyId.slice("toy-".length)) + 1}`, ...this.#keys];
  }

  keepOnly(): void {}
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const tagOf = (key: string, nonce: Uint8Array, text: Uint8Array, place: SecretPlace): Uint8Array =>
  hashOf("tag", key, nonce, text, placeText(place)).slice(0, TAG);

function crossed(bytes: Uint8Array, key: string, nonce: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let block = new Uint8Array();
  for (const [i, byte] of bytes.entries()) {
    if (i % 32 === 0) block = hashOf("stream", key, nonce, String(i)) as Uint8Array<ArrayBuffer>;
    out[i] = byte ^ (block[i % 32] as number);
  }
  return out;
}
