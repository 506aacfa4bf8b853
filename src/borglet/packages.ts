/**
 * The packages of a machine: which are there, which are on their way, and which have to go. A tree is made from bytes whose hash was found right, and the bytes
 * stay beside it as long as there is room, for other machines. What an instance uses stays, whatever else has to go. [U8]
 */
import type { Address } from "../base/env.ts";
import { compareIds } from "../base/id.ts";
import { make } from "../wire/codec.ts";
import { type PackageChunk, PackageGrantedSchema } from "../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import type { BetweenBorglets, ToBorglet } from "../wire/link-message.ts";
import { isEnded, type Memory } from "./kept.ts";
import type { PackageFiles, Unpacked } from "./machine.ts";
import { type FetchOptions, PackageFetch, type Wanted } from "./package-fetch.ts";
import { PeerDesk } from "./peer-desk.ts";

/** Trees that are made at a time. */
const UNPACKING_MAX = 2;
/** Packages on a machine: the facts of a machine name them all. */
export const PACKAGES_MAX = 1000;
const ID_DIGITS = 12;
const DIGEST = /^[0-9a-f]{64}$/;

interface Shelved {
  readonly names: Set<string>;
  readonly bytes: number;
  /** Kept for other machines; 0: they are not. */
  packedBytes: number;
  /** The last that was used has the highest. */
  used: number;
}

/** `bytesMax`: of trees and packages that may be there, in use or not. */
export interface PackagesOptions extends FetchOptions {
  readonly files: PackageFiles;
  /** Packages of instances that have not ended, by their hashes. */
  readonly inUse: () => ReadonlySet<string>;
}

/** What is said about packages, by masters and by other borglets. */
export type PackageFrame = Extract<
  ToBorglet | BetweenBorglets,
  { readonly case: "packageChunk" | "packageSource" | "packageGrant" | "peerRequest" }
>;

/** What packages an instance needs; those of a time before there were any have no hash. */
export function packagesOf({ instance, task }: StartOrder): Wanted[] {
  const user = instance.slice(0, instance.indexOf("/"));
  return (task?.packages ?? []).map((ref) => ({ digest: ref.version, name: `${ref.user || user}/${ref.name}@${ref.version}` }));
}

/** Of instances that have not ended, by their hashes. */
export function packagesInUse({ instances }: Memory): Set<string> {
  const found = new Set<string>();
  for (const kept of instances.values()) if (!isEnded(kept)) for (const { digest } of packagesOf(kept.order)) found.add(digest);
  return found;
}

export class Packages {
  readonly #options: PackagesOptions;
  readonly #shelf = new Map<string, Shelved>();
  readonly #waiting = new Map<string, Wanted>();
  readonly #unpacking = new Map<string, PackageFetch>();
  /** Other machines gave bytes that were not theirs: only the master will do. */
  readonly #onlyMaster = new Set<string>();
  readonly #desk: PeerDesk;
  #fetch: PackageFetch | undefined;
  #uses = 0;
  /** Since the facts were last told. */
  #names: string[] | undefined;

  constructor(options: PackagesOptions) {
    this.#options = options;
    this.#desk = new PeerDesk(options.files, options.now);
  }

  /** The one used last comes last. */
  start(): void {
    for (const { digest, names, bytes, packedBytes } of this.#options.files.list())
      this.#shelf.set(digest, { names: new Set(names), bytes, packedBytes, used: ++this.#uses });
  }

  /** As the machine's facts name them. */
  get names(): readonly string[] {
    this.#names ??= [...new Set([...this.#shelf.values()].flatMap(({ names }) => [...names]))].sort(compareIds).slice(0, PACKAGES_MAX);
    return this.#names;
  }

  /** True: all that the order needs is there. Else what is missing is on its way from now on. */
  isReady(order: StartOrder): boolean {
    const needed = packagesOf(order);
    for (const wanted of needed) {
      const shelved = this.#shelf.get(wanted.digest);
      if (shelved === undefined) this.#want(wanted);
      else this.#use(shelved, wanted);
    }
    return needed.every(({ digest }) => this.#shelf.has(digest));
  }

  /** What an order waits for, in words; empty when it waits for nothing. */
  words(order: StartOrder): string {
    const missing = packagesOf(order).find(({ digest }) => !this.#shelf.has(digest));
    if (missing === undefined) return "";
    const called = shortName(missing.name);
    if (this.#unpacking.has(missing.digest)) return `unpacking package ${called}`;
    if (this.#fetch?.digest !== missing.digest) return `waiting for package ${called}`;
    const { offset, total, from } = this.#fetch;
    return `fetching package ${called}${from === "" ? "" : ` from ${from}`}${total === 0 ? "" : ` (${Math.floor((100 * offset) / total)} %)`}`;
  }

  /** Asks for what is next, or again for what has not come. Answers when to be asked again; infinity: nothing is on its way. */
  go(): number {
    if (this.#fetch === undefined && this.#unpacking.size < UNPACKING_MAX) this.#begin();
    const ways = [this.#fetch, ...this.#unpacking.values()];
    return Math.min(...ways.map((each) => each?.go() ?? Number.POSITIVE_INFINITY));
  }

  /** A new link: what was asked over the old one does not come. */
  again(): void {
    this.#fetch?.again();
  }

  /** Of a package that cannot be had: which, and why. */
  hear(from: Address, frame: PackageFrame): Failure | undefined {
    if (frame.case === "packageChunk") return this.#onChunk(from, frame.value);
    if (frame.case === "packageSource") this.#fetch?.take(frame.value);
    else if (frame.case === "peerRequest") this.#options.say(from, { case: "packageChunk", value: this.#desk.piece(frame.value) });
    else {
      const { digest, voucher } = frame.value;
      const has = (this.#shelf.get(digest)?.packedBytes ?? 0) > 0;
      if (has) this.#desk.grant(frame.value);
      this.#options.say(from, {
        case: "packageGranted",
        value: make(PackageGrantedSchema, { machine: this.#options.machine, voucher, has }),
      });
    }
    return undefined;
  }

  #onChunk(from: Address, chunk: PackageChunk): Failure | undefined {
    const coming = this.#fetch;
    const heard = coming?.hear(from, chunk);
    if (coming === undefined || heard === undefined) return undefined;
    if ("problem" in heard) return this.#failed(coming, heard.problem);
    const fault = this.#options.files.write(coming.digest, coming.offset, heard.data);
    if (fault !== "") return this.#failed(coming, fault);
    if (!coming.wrote(heard.data, heard.total)) return undefined;
    this.#fetch = undefined;
    this.#unpacking.set(coming.digest, coming);
    this.#options.files.unpack(coming.digest, coming.name);
    return undefined;
  }

  /** Its tree is made, or could not be. */
  unpacked({ digest, bytes, packedBytes, problem, isWrong = false }: Unpacked): Failure | undefined {
    const wanted = this.#unpacking.get(digest);
    if (wanted === undefined) return undefined;
    this.#unpacking.delete(digest);
    if (isWrong && wanted.hadPeers) {
      this.#onlyMaster.add(digest);
      this.#want(wanted);
      return undefined;
    }
    this.#onlyMaster.delete(digest);
    if (problem !== "") return { digest, reason: `Cannot unpack package ${shortName(wanted.name)}: ${problem}` };
    this.#shelf.set(digest, { names: new Set([wanted.name]), bytes, packedBytes, used: ++this.#uses });
    this.#names = undefined;
    this.#makeRoom(digest);
    if (this.#bytes() <= this.#options.bytesMax) return undefined;
    this.#drop(digest);
    const used = this.#bytes();
    return {
      digest,
      reason: `No room for package ${shortName(wanted.name)}: ${used} of ${this.#options.bytesMax} bytes are in use by tasks`,
    };
  }

  #want(wanted: Wanted): void {
    const { digest } = wanted;
    if (this.#fetch?.digest !== digest && !this.#unpacking.has(digest)) this.#waiting.set(digest, wanted);
  }

  #use(shelved: Shelved, { name }: Wanted): void {
    shelved.used = ++this.#uses;
    if (shelved.names.has(name)) return;
    shelved.names.add(name);
    this.#names = undefined;
  }

  #begin(): void {
    for (const [digest, wanted] of this.#waiting) {
      this.#waiting.delete(digest);
      // Nobody waits for it any more, or it came under another name.
      if (this.#shelf.has(digest) || !this.#options.inUse().has(digest)) {
        this.#onlyMaster.delete(digest);
        continue;
      }
      const offset = DIGEST.test(digest) ? this.#options.files.part(digest) : 0;
      this.#fetch = new PackageFetch(wanted, offset, this.#onlyMaster.has(digest), this.#options);
      return;
    }
  }

  #failed({ digest, name }: Wanted, problem: string): Failure {
    this.#fetch = undefined;
    return { digest, reason: `Cannot fetch package ${shortName(name)}: ${problem}` };
  }

  /** First what only other machines would want, then trees that nobody uses; the one that was used longest ago first. */
  #makeRoom(newest: string): void {
    const inUse = this.#options.inUse();
    for (const [digest, shelved] of [...this.#shelf].sort(([, a], [, b]) => a.used - b.used)) {
      if (this.#bytes() <= this.#options.bytesMax) break;
      if (shelved.packedBytes > 0) this.#options.files.dropPacked(digest);
      shelved.packedBytes = 0;
    }
    const free = [...this.#shelf].filter(([digest]) => digest !== newest && !inUse.has(digest)).sort(([, a], [, b]) => a.used - b.used);
    for (const [digest] of free) {
      if (this.#bytes() <= this.#options.bytesMax && this.#shelf.size <= PACKAGES_MAX) return;
      this.#drop(digest);
    }
  }

  #drop(digest: string): void {
    this.#shelf.delete(digest);
    this.#names = undefined;
    this.#options.files.drop(digest);
  }

  #bytes(): number {
    let sum = 0;
    for (const { bytes, packedBytes } of this.#shelf.values()) sum += bytes + packedBytes;
    return sum;
  }
}

export interface Failure {
  readonly digest: string;
  readonly reason: string;
}

const shortName = (name: string): string => name.slice(0, name.indexOf("@") + 1 + ID_DIGITS);
