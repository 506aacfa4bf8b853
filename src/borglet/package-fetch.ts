/**
 * A package on its way to a machine, piece by piece: from the master, or from another machine that the master named. A machine that fails, is slow or talks
 * nonsense is named to the master, which then says another; after a few of them only the master itself will do. What came stays: whoever is next goes on there. [S6]
 */
import type { Address } from "../base/env.ts";
import { make } from "../wire/codec.ts";
import {
  type PackageChunk,
  type PackageRequest,
  PackageRequestSchema,
  type PackageSource,
  PeerRequestSchema,
} from "../wire/gen/borg/v1/link_pb.ts";
import { type BetweenBorglets, type FromBorglet, peerAddress } from "../wire/link-message.ts";

export const PIECE_BYTES = 512 * 1024;
/** What the master has not answered by then is asked again; while another machine gives it, the master is told this often. */
export const PIECE_MS = 10_000;
/** A machine that takes longer for a piece is too slow. */
export const PEER_MS = 5000;
/** After so many machines that did not give it the master does. */
export const SOURCES_MAX = 3;

/** What is asked for. */
export interface Wanted {
  readonly digest: string;
  /** As people know it: user/name@hash. */
  readonly name: string;
}

export interface FetchOptions {
  /** Which asks. */
  readonly machine: string;
  readonly bytesMax: number;
  readonly now: () => number;
  readonly master: () => Address;
  readonly say: (to: Address, frame: FromBorglet | BetweenBorglets) => void;
}

/** `problem`: it cannot be had. */
export type Heard = { readonly data: Uint8Array; readonly total: number } | { readonly problem: string };

export class PackageFetch implements Wanted {
  readonly digest: string;
  readonly name: string;
  readonly #options: FetchOptions;
  readonly #failed: string[] = [];
  #onlyMaster: boolean;
  #source: PackageSource | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #toldMs = Number.NEGATIVE_INFINITY;
  /** How far it has come. */
  offset: number;
  /** Of the whole; 0: not known yet. */
  total = 0;
  /** Some of it came from other machines. */
  hadPeers = false;

  constructor({ digest, name }: Wanted, offset: number, onlyMaster: boolean, options: FetchOptions) {
    this.digest = digest;
    this.name = name;
    this.offset = offset;
    this.#onlyMaster = onlyMaster;
    this.#options = options;
  }

  /** The machine that gives it; empty: the master. */
  get from(): string {
    return this.#source?.machine ?? "";
  }

  /** Asks for what is next, or again for what has not come. Answers when to be asked again. */
  go(): number {
    const now = this.#options.now();
    const [isWhole, patienceMs] = [this.total > 0 && this.offset >= this.total, this.#source === undefined ? PIECE_MS : PEER_MS];
    if (!isWhole && now - this.#askedMs >= patienceMs) this.#late();
    const isOthers = isWhole || this.#source !== undefined;
    if (isOthers && now - this.#toldMs >= PIECE_MS) this.#tell();
    const dueMs = isWhole ? Number.POSITIVE_INFINITY : this.#askedMs + (this.#source === undefined ? PIECE_MS : PEER_MS);
    return isOthers ? Math.min(dueMs, this.#toldMs + PIECE_MS) : dueMs;
  }

  /** A new link: what was asked over the old one does not come, and who is at its other end may know nothing. */
  again(): void {
    this.#toldMs = Number.NEGATIVE_INFINITY;
    if (this.#source === undefined) this.#askedMs = Number.NEGATIVE_INFINITY;
  }

  /** The master names a machine that has it. */
  take(source: PackageSource): void {
    if (source.digest !== this.digest || this.#source !== undefined || this.#onlyMaster) return;
    this.#source = source;
    this.#toldMs = this.#options.now();
    this.#ask();
  }

  /** Undefined: that was not for us, or from a machine that is given up now. */
  hear(from: Address, { digest, offset, data, total, problem }: PackageChunk): Heard | undefined {
    const source = this.#source;
    const giver = source === undefined ? this.#options.master() : peerAddress(source.machine);
    if (digest !== this.digest || offset !== this.offset || from !== giver) return undefined;
    const fault = problem || this.#faultOf(data.length, total);
    if (fault === "") return { data, total };
    if (source === undefined) return { problem: fault };
    this.#giveUp(source);
    return undefined;
  }

  /** The piece that was heard is on the disk. True: it was the last. */
  wrote({ length }: Uint8Array, total: number): boolean {
    this.total = total;
    this.offset += length;
    if (this.#source === undefined) this.#toldMs = this.#options.now();
    if (this.#source !== undefined) this.hadPeers = true;
    if (this.offset >= total) return true;
    this.#ask();
    return false;
  }

  #faultOf(length: number, total: number): string {
    if (length === 0 || this.offset + length > total || (this.total !== 0 && this.total !== total))
      return "The master sent a piece that is none";
    const { bytesMax } = this.#options;
    return total > bytesMax ? `It has ${total} bytes, and this machine has ${bytesMax} for packages` : "";
  }

  #late(): void {
    if (this.#source === undefined) this.#ask();
    else this.#giveUp(this.#source);
  }

  #giveUp({ machine }: PackageSource): void {
    this.#failed.push(machine);
    if (this.#failed.length >= SOURCES_MAX) this.#onlyMaster = true;
    this.#source = undefined;
    this.#ask();
  }

  #ask(): void {
    const { digest, offset } = this;
    const { now, say, master } = this.#options;
    this.#askedMs = now();
    if (this.#source === undefined) return say(master(), this.#request({ offset, bytesMax: PIECE_BYTES, peers: !this.#onlyMaster }));
    const { machine, voucher } = this.#source;
    const value = make(PeerRequestSchema, { voucher, digest, offset, bytesMax: PIECE_BYTES });
    say(peerAddress(machine), { case: "peerRequest", value });
  }

  /** The master need not be asked, but counts on it. */
  #tell(): void {
    this.#toldMs = this.#options.now();
    this.#options.say(this.#options.master(), this.#request({ offset: this.offset, from: this.from }));
  }

  #request(more: Partial<Pick<PackageRequest, "offset" | "bytesMax" | "peers" | "from">>): FromBorglet {
    const { digest } = this;
    const value = make(PackageRequestSchema, { machine: this.#options.machine, digest, failed: this.#failed, ...more });
    return { case: "packageRequest", value };
  }
}
