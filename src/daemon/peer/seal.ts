/**
 * What only the holder of one key can read: encrypted with AES-256-GCM under a secret that an ephemeral key and his public key agree on (ECDH on P-256, HKDF). `purpose` is
 * bound in, so that what was sealed for one thing opens for no other.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from "node:crypto";

export interface Sealed {
  /** Base64: the ephemeral public key (SPKI, DER), the nonce, and the ciphertext with its tag. */
  readonly from: string;
  readonly nonce: string;
  readonly bytes: string;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `to`: a public key, SPKI in DER. */
export function sealTo(to: Uint8Array, plain: Uint8Array, purpose: string): Sealed {
  const publicKey = createPublicKey({ key: Buffer.from(to), format: "der", type: "spki" });
  const ephemeral = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const from = ephemeral.publicKey.export({ type: "spki", format: "der" });
  const key = Buffer.from(hkdfSync("sha256", diffieHellman({ privateKey: ephemeral.privateKey, publicKey }), from, purpose, KEY_BYTES));
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const bytes = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { from: from.toString("base64"), nonce: nonce.toString("base64"), bytes: bytes.toString("base64") };
}

/** Undefined for what was sealed for somebody else, for something else, or was changed on the way. */
export function openSealed(privateKeyPem: string, sealed: Sealed, purpose: string): Uint8Array | undefined {
  try {
    const from = Buffer.from(sealed.from, "base64");
    const publicKey = createPublicKey({ key: from, format: "der", type: "spki" });
    const shared = diffieHellman({ privateKey: createPrivateKey(privateKeyPem), publicKey });
    const key = Buffer.from(hkdfSync("sha256", shared, from, purpose, KEY_BYTES));
    const bytes = Buffer.from(sealed.bytes, "base64");
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(sealed.nonce, "base64"), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]));
  } catch {
    return undefined;
  }
}
