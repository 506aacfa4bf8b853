/**
 * How a cell exchanges its authority, as files of its directory. In three steps, so that everybody believes the new one before anybody has to:
 *
 *   one      master/authority.{key,pem}                it signs everything
 *   both     and master/authority-next.{key,pem}       the next one signs for machines, and both are believed; masters still show certificates of the old one
 *   ending   master/authority-former.pem               the new one signs everything; what the old one signed is still believed, but it has no key any more
 *
 * A kill at any moment leaves a step that is whole, or that `mend` completes.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type KeyAndCertificate, makeAuthority } from "../rpc/certificates.ts";
import type { DataDirectory } from "./data.ts";
import { KeyPairs } from "./key-pairs.ts";

export const AUTHORITY = join("master", "authority");
export const NEXT_AUTHORITY = join("master", "authority-next");
export const FORMER_AUTHORITY = join("master", "authority-former.pem");

/** What masters hand each other while authorities are exchanged; none of it is there otherwise. */
export const CHANGE_FILES: readonly string[] = [`${NEXT_AUTHORITY}.key`, `${NEXT_AUTHORITY}.pem`, FORMER_AUTHORITY];

export type AuthorityStep = "one" | "both" | "ending";

/** What an authority is known by: the SHA-256 of its certificate. */
export const authorityId = (certificate: string): string => createHash("sha256").update(certificate.trim()).digest("hex");

export class AuthorityChange {
  readonly #data: DataDirectory;
  readonly #pairs: KeyPairs;

  constructor(data: DataDirectory) {
    this.#data = data;
    this.#pairs = new KeyPairs(data);
  }

  get step(): AuthorityStep {
    if (this.#pairs.read(NEXT_AUTHORITY) !== undefined) return "both";
    return this.#data.read(FORMER_AUTHORITY) === undefined ? "one" : "ending";
  }

  /** The newest: what will be the only one. */
  get newest(): string | undefined {
    return (this.#pairs.read(NEXT_AUTHORITY) ?? this.#pairs.read(AUTHORITY))?.certificate;
  }

  async begin(cell: string, nowMs: number): Promise<KeyAndCertificate> {
    return this.take(await makeAuthority(cell, nowMs));
  }

  take(next: KeyAndCertificate): KeyAndCertificate {
    return this.#pairs.keep(NEXT_AUTHORITY, next);
  }

  /** Everybody believes the next one: it takes the old one's place. */
  turn(): void {
    const old = this.#data.read(`${AUTHORITY}.pem`);
    if (this.step !== "both" || old === undefined) return;
    this.#data.write(FORMER_AUTHORITY, old);
    this.#data.rename(`${NEXT_AUTHORITY}.key`, `${AUTHORITY}.key`);
    this.mend();
  }

  /** Nothing that the old one signed is believed any more. */
  end(): void {
    this.#data.remove(FORMER_AUTHORITY);
  }

  /** A certificate whose key has moved on follows it. */
  mend(): void {
    const isTorn = this.#data.read(`${NEXT_AUTHORITY}.key`) === undefined && this.#data.read(`${NEXT_AUTHORITY}.pem`) !== undefined;
    if (isTorn) this.#data.rename(`${NEXT_AUTHORITY}.pem`, `${AUTHORITY}.pem`);
  }
}
