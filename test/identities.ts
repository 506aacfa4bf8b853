/** Keys of a cell for tests that play its master or its machines. */
import { type KeyAndCertificate, makeAuthority, makeRequest, signMachine } from "../src/rpc/certificates.ts";

export interface Identities {
  /** PEM. */
  readonly authority: string;
  readonly machine: (name: string) => Promise<KeyAndCertificate>;
}

export async function makeIdentities(cell: string): Promise<Identities> {
  const nowMs = Date.now();
  const authority = await makeAuthority(cell, nowMs);
  const machine = async (name: string): Promise<KeyAndCertificate> => {
    const { key, request } = await makeRequest(name);
    return { key, certificate: (await signMachine(authority, request, { cell, machine: name }, nowMs))! };
  };
  return { authority: authority.certificate, machine };
}
