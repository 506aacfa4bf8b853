/**
 * The key and the certificate of a machine from elsewhere: the key is made once, and whoever approved the machine approved it; certificates are asked for with it, at the first start until the cell
 * has decided, and then every few hours. Both are kept in the machine's directory.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { derOf, isFresh, type KeyAndCertificate, makeRequest, pemOf } from "../rpc/certificates.ts";
import { askToJoin, type JoinOutcome } from "../rpc/link-join.ts";
import type { DataDirectory } from "./data.ts";
import { atOf, type GuestFile, writeGuest } from "./guest-file.ts";
import type { MachineShare } from "./machine-share.ts";

/** Between two questions: of a machine that waits for its approval, and where nobody answers. */
const AGAIN_MS = 3000;
/** Whether its certificate is old or not: the cell may have another authority meanwhile, and says so with the new one. */
export const RENEW_MS = 6 * 3_600_000;

export interface GuestIdentityOptions {
  readonly data: DataDirectory;
  readonly guest: GuestFile;
  readonly share: MachineShare;
  /** Shown once; empty: somebody has to approve it. */
  readonly token: string;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** For people. */
  readonly say: (line: string) => void;
  readonly log: (line: string) => void;
}

/** The cell said no; asking again does not help. */
export class JoinError extends Error {}

/** A certificate may be replaced while its link is open: the next dial shows the new one. */
type Identity = { -readonly [K in keyof KeyAndCertificate]: KeyAndCertificate[K] };
type Joined = Extract<JoinOutcome, { readonly type: "joined" }>;

export class GuestIdentity {
  readonly #options: GuestIdentityOptions;
  readonly #name: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: GuestIdentityOptions) {
    this.#options = options;
    this.#name = nameOf(options.guest);
  }

  /** Asks until the cell has decided. Undefined: it was told to stop before. */
  async take(): Promise<Identity | undefined> {
    const { data, signal, nowMs } = this.#options;
    const { key, request } = await this.#request();
    const kept = data.read(`${this.#name}.pem`);
    if (kept !== undefined && isFresh(kept, nowMs())) return { key, certificate: kept };
    let said = "";
    while (!signal.aborted) {
      const answer = await this.#ask(request);
      if (answer.type === "joined") return { key, certificate: this.#keep(answer) };
      if (answer.type === "refused") throw new JoinError(answer.reason);
      const line = this.#waitingWords(answer);
      if (line !== said) this.#options.say(line);
      said = line;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** From now on `identity` is kept new. `atOnce`: it was not asked for in this start, so the cell may have another authority by now. */
  keepNew(identity: Identity, atOnce: boolean): void {
    this.#timer = setInterval(() => void this.renew(identity), RENEW_MS);
    if (atOnce) void this.renew(identity);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** With the key it has, which is approved: nobody has to be asked again. */
  async renew(identity: Identity): Promise<void> {
    const { request } = await this.#request();
    const answer = await this.#ask(request);
    if (answer.type === "joined") identity.certificate = this.#keep(answer);
    else {
      const reason = answer.type === "waiting" ? "it is no longer approved" : answer.reason;
      this.#options.log(`Its certificate could not be renewed: ${reason}; asked again in ${RENEW_MS / 3_600_000} hours`);
    }
  }

  /** The first master that answers decides. */
  async #ask(request: string): Promise<JoinOutcome> {
    const { host, others = [] } = this.#options.guest;
    let answer = await this.#askAt(host, request);
    for (const other of others) {
      if (answer.type !== "unreachable") return answer;
      answer = await this.#askAt(other, request);
    }
    return answer;
  }

  #askAt(host: string, request: string): Promise<JoinOutcome> {
    const { guest, token, share } = this.#options;
    const { cpuMilli, ramBytes, diskBytes } = share;
    return askToJoin(
      { ...atOf(guest), host },
      { machine: guest.machine, request: derOf(request), token, capacity: { cpuMilli, ramBytes, diskBytes } },
    );
  }

  /** Both are used from the next dial on: whoever dials has the same list. */
  #keep({ certificate, authorities }: Joined): string {
    const { data, guest } = this.#options;
    const believed = authorities.map((der) => pemOf(der, "CERTIFICATE"));
    if (believed.length > 0 && JSON.stringify(believed) !== JSON.stringify(guest.authorities)) {
      guest.authorities.splice(0, guest.authorities.length, ...believed);
      writeGuest(data, guest);
    }
    const pem = pemOf(certificate, "CERTIFICATE");
    data.write(`${this.#name}.pem`, pem);
    return pem;
  }

  async #request(): Promise<{ readonly key: string; readonly request: string }> {
    const { data, guest } = this.#options;
    const [key, request] = [data.read(`${this.#name}.key`), data.read(`${this.#name}.csr`)];
    if (key !== undefined && request !== undefined) return { key, request };
    const made = await makeRequest(guest.machine);
    data.write(`${this.#name}.key`, made.key);
    data.write(`${this.#name}.csr`, made.request);
    return made;
  }

  #waitingWords(answer: Exclude<JoinOutcome, Joined | { readonly type: "refused" }>): string {
    const { guest, share } = this.#options;
    if (answer.type === "unreachable")
      return `Cannot reach a master of cell ${guest.cell} at ${guest.host}:${guest.port}: ${answer.reason}; trying again`;
    const mib = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}MiB`;
    const size = `--cpu ${share.cpuMilli / 1000} --ram ${mib(share.ramBytes)} --disk ${mib(share.diskBytes)}`;
    return `Machine ${guest.machine} waits for an approval: borg machine approve ${guest.machine} --fingerprint ${answer.key} ${size}`;
  }
}

export const nameOf = ({ machine }: Pick<GuestFile, "machine">): string => join("machines", machine, "identity");
