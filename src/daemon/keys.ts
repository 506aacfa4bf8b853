/**
 * The keys of a cell in its directory: its authority and its master's (master/), and one for each of its machines (machines/NAME/). Each is made once, by the
 * owner; a certificate is made anew when half of its time is over. No key is ever sent or journaled.
 */
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import {
  CERTIFICATE_MS,
  certifyMaster,
  hostsIn,
  type KeyAndCertificate,
  keyOf,
  makeAuthority,
  makeMaster,
  makeRequest,
  SHORT_MS,
  signMachine,
} from "../rpc/certificates.ts";
import type { DataDirectory } from "./data.ts";
import { KeyPairs } from "./key-pairs.ts";

const AUTHORITY = join("master", "authority");
const MASTER = join("master", "master");

export class Keys {
  readonly #data: DataDirectory;
  readonly #pairs: KeyPairs;
  readonly #cell: string;
  readonly #replica: number | undefined;

  /** `replica`: which master of several machines this one is; absent: all masters of the cell are here, and share a key. */
  constructor(data: DataDirectory, cell: string, replica?: number) {
    this.#replica = replica;
    this.#data = data;
    this.#pairs = new KeyPairs(data);
    this.#cell = cell;
  }

  /** Makes what is not there, and anew what is half over. `hosts`: under which the master is reached. True: something is new. */
  async prepare(hosts: readonly string[], machines: readonly string[], nowMs: number): Promise<boolean> {
    const authority = this.#pairs.read(AUTHORITY) ?? this.#pairs.keep(AUTHORITY, await makeAuthority(this.#cell, nowMs));
    let isNew = false;
    if (!this.#pairs.isFresh(MASTER, nowMs) || (this.#replica !== undefined && !this.#names(hosts))) {
      this.#pairs.keep(MASTER, await this.#makeMaster(authority, hosts, nowMs));
      isNew = true;
    }
    for (const machine of machines) {
      const name = nameOf(machine);
      if (this.#pairs.isFresh(name, nowMs)) continue;
      this.#pairs.keep(name, await this.#makeMachine(authority, machine, nowMs));
      isNew = true;
    }
    return isNew;
  }

  /** Who this master is to the others: the SHA-256 of its public key. */
  fingerprint(): string {
    return keyOf(new X509Certificate(this.master().certificate));
  }

  #names(hosts: readonly string[]): boolean {
    const there = hostsIn(this.master().certificate);
    // Node writes the parts of an IPv6 address in full.
    return hosts.every((host) => host.includes(":") || there.includes(host));
  }

  /** Of several machines each master keeps its key: the others know it by it. */
  #makeMaster(authority: KeyAndCertificate, hosts: readonly string[], nowMs: number): Promise<KeyAndCertificate> {
    const replica = this.#replica;
    const names = { cell: this.#cell, replica: replica ?? 0, hosts };
    const key = replica === undefined ? undefined : this.#data.read(`${MASTER}.key`);
    if (key !== undefined) return certifyMaster(authority, key, names, nowMs, SHORT_MS);
    return makeMaster(authority, names, nowMs, this.#lifeMs);
  }

  get #lifeMs(): number {
    return this.#replica === undefined ? CERTIFICATE_MS : SHORT_MS;
  }

  authority(): KeyAndCertificate {
    return this.#must(AUTHORITY);
  }

  /** All whose certificates are accepted: two while one is exchanged for another. */
  authorities(): readonly string[] {
    const former = this.#data.read(join("master", "authority-former.pem"));
    return [this.authority().certificate, ...(former === undefined ? [] : [former])];
  }

  master(): KeyAndCertificate {
    return this.#must(MASTER);
  }

  machine(machine: string): KeyAndCertificate {
    return this.#must(nameOf(machine));
  }

  async #makeMachine(authority: KeyAndCertificate, machine: string, nowMs: number): Promise<KeyAndCertificate> {
    const { key, request } = await makeRequest(machine);
    const certificate = await signMachine(authority, request, { cell: this.#cell, machine }, nowMs, this.#lifeMs);
    if (certificate === undefined) throw new Error(`Cannot sign the certificate of machine "${machine}"`);
    return { key, certificate };
  }

  #must(name: string): KeyAndCertificate {
    const found = this.#pairs.read(name);
    if (found === undefined) throw new Error(`There is no key "${name}" in "${this.#data.path}": borg up makes it`);
    return found;
  }
}

const nameOf = (machine: string): string => join("machines", machine, "identity");
