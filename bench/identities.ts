/** Certificates for many emulated machines. They share one key: making ten thousand would take longer than what is measured. */
import { type KeyAndCertificate, makeRequest, signMachine } from "../src/rpc/certificates.ts";

export const emulatedName = (i: number): string => `e${String(i).padStart(5, "0")}`;

export type MachineIdentities = Readonly<Record<string, KeyAndCertificate>>;

export async function machineIdentities(
  authority: KeyAndCertificate,
  cell: string,
  machines: readonly string[],
): Promise<MachineIdentities> {
  const { key, request } = await makeRequest("emulated");
  const nowMs = Date.now();
  const out: Record<string, KeyAndCertificate> = {};
  for (const machine of machines) {
    const certificate = await signMachine(authority, request, { cell, machine }, nowMs);
    if (certificate === undefined) throw new Error(`Cannot sign the certificate of machine "${machine}"`);
    out[machine] = { key, certificate };
  }
  return out;
}
