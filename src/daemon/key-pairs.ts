/** Keys with their certificates as files of a cell's directory, `NAME.key` and `NAME.pem`. */
import { isFresh, type KeyAndCertificate } from "../rpc/certificates.ts";
import type { DataDirectory } from "./data.ts";

export class KeyPairs {
  readonly #data: DataDirectory;

  constructor(data: DataDirectory) {
    this.#data = data;
  }

  read(name: string): KeyAndCertificate | undefined {
    const [key, certificate] = [this.#data.read(`${name}.key`), this.#data.read(`${name}.pem`)];
    return key === undefined || certificate === undefined ? undefined : { key, certificate };
  }

  /** Whether it is there, and half of its time is not over. */
  isFresh(name: string, nowMs: number): boolean {
    const found = this.read(name);
    return found !== undefined && isFresh(found.certificate, nowMs);
  }

  /** The certificate last: with it the pair is complete. */
  keep(name: string, made: KeyAndCertificate): KeyAndCertificate {
    this.#data.write(`${name}.key`, made.key);
    this.#data.write(`${name}.pem`, made.certificate);
    return made;
  }
}
