/**
 * The keys of a cell in its directory: its authority and its master's (master/), and one for each of its machines (machines/NAME/). Each is made once, by the
 * owner; a certificate is made anew when half of its time is over. No key is ever sent or journaled.
 */
import { join } from "node:path";
import { type KeyAndCertificate, makeAuthority, makeMaster, makeRequest, signMachine } from "../rpc/certificates.ts";
import type { DataDirectory } from "./data.ts";
import { KeyPairs } from "./key-pairs.ts";

const AUTHORITY = join("master", "authority");
const MASTER = join("master", "master");

export class Keys {
  readonly #data: DataDirectory;
  readonly #pairs: KeyPairs;
  readonly #cell: string;

  constructor(data: DataDirectory, cell: string) {
    this.#data = data;
    this.#pairs = new KeyPairs(data);
    this.#cell = cell;
  }

  /** Makes what is not there. `hosts`: under which the master is reached. */
  async prepare(hosts: readonly string[], machines: readonly string[], nowMs: number): Promise<void> {
    const authority = this.#pairs.read(AUTHORITY) ?? this.#pairs.keep(AUTHORITY, await makeAuthority(this.#cell, nowMs));
    if (!this.#pairs.isFresh(MASTER, nowMs))
      this.#pairs.keep(MASTER, await makeMaster(authority, { cell: this.#cell, replica: 0, hosts }, nowMs));
    for (const machine of machines) {
      const name = nameOf(machine);
      if (!this.#pairs.isFresh(name, nowMs)) this.#pairs.keep(name, await this.#makeMachine(authority, machine, nowMs));
    }
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
    const certificate = await signMachine(authority, request, { cell: this.#cell, machine }, nowMs);
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
