/**
 * The keys of a cell's own etcd. Its authority is not the cell's: etcd lets in whoever shows a certificate of it, and a machine has one of the cell's. Made once by the
 * owner; certificates are made anew when half of their time is over.
 */
import { join } from "node:path";
import { CERTIFICATE_MS, type KeyAndCertificate, makeAuthority, makeMaster } from "../rpc/certificates.ts";
import type { EtcdTls } from "../store/etcd-client.ts";
import type { DataDirectory } from "./data.ts";
import { KeyPairs } from "./key-pairs.ts";

const AUTHORITY = join("etcd", "authority");
const CLIENT = join("etcd", "client");
export const MEMBER_FILES = { certificate: "member.pem", key: "member.key", authority: "authority.pem" } as const;

export class EtcdKeys {
  readonly #data: DataDirectory;
  readonly #pairs: KeyPairs;

  constructor(data: DataDirectory) {
    this.#data = data;
    this.#pairs = new KeyPairs(data);
  }

  /** Makes what is not there, and anew what is half over. etcd reads its files anew with every connection. True: something is new. */
  async prepare(
    { cell, host, lifeMs = CERTIFICATE_MS }: { readonly cell: string; readonly host: string; readonly lifeMs?: number },
    members: readonly number[],
    nowMs: number,
  ): Promise<boolean> {
    let isNew = false;
    const authority = this.#pairs.read(AUTHORITY) ?? this.#pairs.keep(AUTHORITY, await makeAuthority(`${cell}-etcd`, nowMs));
    const make = (member: number): Promise<KeyAndCertificate> =>
      makeMaster(authority, { cell: `${cell}-etcd`, replica: member, hosts: [host, "localhost"] }, nowMs, lifeMs);
    const renew = async (name: string, member: number): Promise<void> => {
      if (this.#pairs.isFresh(name, nowMs)) return;
      this.#pairs.keep(name, await make(member));
      isNew = true;
    };
    await renew(CLIENT, 0);
    for (const member of members) {
      await renew(join("etcd", String(member), "member"), member);
      this.#data.write(join("etcd", String(member), MEMBER_FILES.authority), authority.certificate);
    }
    return isNew;
  }

  client(): EtcdTls {
    const [authority, own] = [this.#pairs.read(AUTHORITY), this.#pairs.read(CLIENT)];
    if (authority === undefined || own === undefined)
      throw new Error(`There are no keys of etcd in "${this.#data.path}": borg up --replicas makes them`);
    return { authority: authority.certificate, ...own };
  }
}
