/**
 * How a borglet proves which machine it is: it signs the master's challenge with a key that was made on that machine, and shows the certificate that the
 * cell's authority gave for its name. The key is never sent, and a signature is good for one connection.
 */
import { createPrivateKey, sign, verify, X509Certificate } from "node:crypto";
import type { LinkOpen } from "../wire/gen/borg/v1/link_pb.ts";
import { type KeyAndCertificate, machineName, provenName } from "./certificates.ts";

export const NONCE_BYTES = 32;

/** What is signed cannot be taken for anything else that a key of ours signs. */
const signedBytes = (nonce: Uint8Array, machine: string): Uint8Array =>
  Buffer.concat([Buffer.from(`openborg link of ${machine}\0`), nonce]);

export interface LinkProof {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly signature: Uint8Array;
}

export function proveMachine({ key, certificate }: KeyAndCertificate, machine: string, nonce: Uint8Array): LinkProof {
  return {
    certificate: new X509Certificate(certificate).raw,
    signature: sign("sha256", signedBytes(nonce, machine), createPrivateKey(key)),
  };
}

/** Why this is not the machine that it says it is; undefined: it is. */
export function machineProblem(
  open: LinkOpen,
  nonce: Uint8Array,
  { cell, authorities, nowMs }: { readonly cell: string; readonly authorities: readonly string[]; readonly nowMs: number },
): string | undefined {
  const certificate = parsed(open.certificate);
  const name = certificate === undefined ? undefined : provenName(certificate, authorities, nowMs);
  if (certificate === undefined || name === undefined)
    return "Its certificate is not one of this cell: borg up makes new ones for its machines";
  if (name !== machineName(cell, open.machine)) return `Its certificate is for ${name}, not for machine "${open.machine}"`;
  const isSigned = verify("sha256", signedBytes(nonce, open.machine), certificate.publicKey, open.signature);
  return isSigned ? undefined : "It does not hold the key of its certificate";
}

function parsed(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(der));
  } catch {
    return undefined;
  }
}
