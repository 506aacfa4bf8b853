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
  isOf,
  type KeyAndCertificate,
  keyOf,
  makeAuthority,
  makeMaster,
  makeRequest,
  SHORT_MS,
  signMachine,
} from "../rpc/certificates.ts";
import { AUTHORITY, AuthorityChange, FORMER_AUTHORITY, NEXT_AUTHORITY } from "./authority-change.ts";
import type { DataDirectory } from "./data.ts";
import { KeyPairs } from "./key-pairs.ts";

const MASTER = join("master", "master");

export class Keys {
  readonly #data: DataDirectory;
  readonly #pairs: KeyPairs;
  readonly #change: AuthorityChange;
  readonly #cell: string;
  readonly #replica: number | undefined;

  /** `replica`: which master of several machines this one is; absent: all masters of the cell are here, and share a key. */
  constructor(data: DataDirectory, cell: string, replica?: number) {
    this.#replica = replica;
    this.#data = data;
    this.#pairs = new KeyPairs(data);
    this.#change = new AuthorityChange(data);
    this.#cell = cell;
  }

  /** Makes what is not there, and anew what is half over. `hosts`: under which the master is reached. True: something is new. */
  async prepare(hosts: readonly string[], machines: readonly string[], nowMs: number): Promise<boolean> {
    this.#change.mend();
    const authority = this.#pairs.read(AUTHORITY) ?? this.#pairs.keep(AUTHORITY, await makeAuthority(this.#cell, nowMs));
    const forMachines = this.authority();
    let isNew = false;
    if (!this.#isGood(MASTER, authority, nowMs) || (this.#replica !== undefined && !this.#names(hosts))) {
      this.#pairs.keep(MASTER, await this.#makeMaster(authority, hosts, nowMs));
      isNew = true;
    }
    for (const machine of machines) {
      const name = nameOf(machine);
      if (this.#isGood(name, forMachines, nowMs)) continue;
      this.#pairs.keep(name, await this.#makeMachine(forMachines, machine, nowMs));
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

  /** Who signs for machines: while authorities are exchanged already the new one, so that a machine that has its certificate is known to believe it. */
  authority(): KeyAndCertificate {
    return this.#pairs.read(NEXT_AUTHORITY) ?? this.#must(AUTHORITY);
  }

  /** All whose certificates are accepted, the newest first: two while one is exchanged for another. */
  authorities(): readonly string[] {
    const all = [this.#pairs.read(NEXT_AUTHORITY)?.certificate, this.#must(AUTHORITY).certificate, this.#data.read(FORMER_AUTHORITY)];
    return all.filter((each) => each !== undefined);
  }

  /** Half of its time is not over, and it is of the authority that is meant. */
  #isGood(name: string, { certificate }: KeyAndCertificate, nowMs: number): boolean {
    const found = this.#pairs.read(name);
    return found !== undefined && this.#pairs.isFresh(name, nowMs) && isOf(found.certificate, certificate);
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
