/**
 * The keys of a cell's own etcd. Its authority is not the cell's: etcd lets in whoever shows a certificate of it, and a machine has one of the cell's. Made once by the
 * owner; certificates are made anew when half of their time is over.
 */
import { join } from "node:path";
import { type KeyAndCertificate, makeAuthority, makeMaster } from "../rpc/certificates.ts";
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

  /** Makes what is not there. */
  async prepare(cell: string, host: string, members: readonly number[], nowMs: number): Promise<void> {
    const authority = this.#pairs.read(AUTHORITY) ?? this.#pairs.keep(AUTHORITY, await makeAuthority(`${cell}-etcd`, nowMs));
    const make = (member: number): Promise<KeyAndCertificate> =>
      makeMaster(authority, { cell: `${cell}-etcd`, replica: member, hosts: [host, "localhost"] }, nowMs);
    if (!this.#pairs.isFresh(CLIENT, nowMs)) this.#pairs.keep(CLIENT, await make(0));
    for (const member of members) {
      const name = join("etcd", String(member), "member");
      if (!this.#pairs.isFresh(name, nowMs)) this.#pairs.keep(name, await make(member));
      this.#data.write(join("etcd", String(member), MEMBER_FILES.authority), authority.certificate);
    }
  }

  client(): EtcdTls {
    const [authority, own] = [this.#pairs.read(AUTHORITY), this.#pairs.read(CLIENT)];
    if (authority === undefined || own === undefined)
      throw new Error(`There are no keys of etcd in "${this.#data.path}": borg up --replicas makes them`);
    return { authority: authority.certificate, ...own };
  }
}
