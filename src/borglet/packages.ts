/**
 * The packages of a machine: which are there, which are on their way, and which have to go. Pieces are asked for one after the other, of whoever polled last;
 * a tree is made from them when the hash of the whole was found right. What an instance uses stays, whatever else has to go. [U8]
 */
import { compareIds } from "../base/id.ts";
import { make } from "../wire/codec.ts";
import { type PackageChunk, type PackageRequest, PackageRequestSchema } from "../wire/gen/borg/v1/link_pb.ts";
import type { StartOrder } from "../wire/gen/borg/v1/machine_pb.ts";
import { isEnded, type Memory } from "./kept.ts";
import type { PackageFiles, Unpacked } from "./machine.ts";

export const PIECE_BYTES = 512 * 1024;
/** A piece that has not come by then is asked for again. */
export const PIECE_MS = 10_000;
/** Trees that are made at a time. */
const UNPACKING_MAX = 2;
/** Packages on a machine: the facts of a machine name them all. */
export const PACKAGES_MAX = 1000;
const ID_DIGITS = 12;
const DIGEST = /^[0-9a-f]{64}$/;

interface Shelved {
  readonly names: Set<string>;
  readonly bytes: number;
  /** The last that was used has the highest. */
  used: number;
}

interface Wanted {
  readonly digest: string;
  /** As people know it: user/name@hash. */
  readonly name: string;
}

interface Fetch extends Wanted {
  offset: number;
  /** Of the whole; 0: not known yet. */
  total: number;
  askedMs: number;
}

export interface PackagesOptions {
  readonly files: PackageFiles;
  /** Bytes of trees that may be there, in use or not. */
  readonly bytesMax: number;
  readonly now: () => number;
  /** Packages of instances that have not ended, by their hashes. */
  readonly inUse: () => ReadonlySet<string>;
  readonly ask: (request: PackageRequest) => void;
}

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
  readonly #unpacking = new Map<string, Wanted>();
  #fetch: Fetch | undefined;
  #uses = 0;
  /** Which machine asks. */
  readonly #name: string;
  /** Since the facts were last told. */
  #names: string[] | undefined;

  constructor(name: string, options: PackagesOptions) {
    this.#name = name;
    this.#options = options;
  }

  /** The one used last comes last. */
  start(): void {
    for (const { digest, names, bytes } of this.#options.files.list())
      this.#shelf.set(digest, { names: new Set(names), bytes, used: ++this.#uses });
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
    const { digest, offset, total } = this.#fetch ?? { digest: "", offset: 0, total: 0 };
    if (digest !== missing.digest) return `waiting for package ${called}`;
    return `fetching package ${called}${total === 0 ? "" : ` (${Math.floor((100 * offset) / total)} %)`}`;
  }

  /** Asks for what is next, or again for what has not come. Answers when to be asked again; infinity: nothing is on its way. */
  go(): number {
    const now = this.#options.now();
    if (this.#fetch === undefined && this.#unpacking.size < UNPACKING_MAX) this.#begin();
    const coming = this.#fetch;
    if (coming === undefined) return Number.POSITIVE_INFINITY;
    if (now - coming.askedMs >= PIECE_MS) this.#ask(coming);
    return coming.askedMs + PIECE_MS;
  }

  /** A new link: what was asked over the old one does not come. */
  again(): void {
    if (this.#fetch !== undefined) this.#fetch.askedMs = Number.NEGATIVE_INFINITY;
  }

  /** Of a package that cannot be had: which, and why. */
  hear({ digest, offset, data, total, problem }: PackageChunk): Failure | undefined {
    const coming = this.#fetch;
    if (coming?.digest !== digest || coming.offset !== offset) return undefined;
    if (problem !== "") return this.#failed(coming, problem);
    if (data.length === 0 || offset + data.length > total) return this.#failed(coming, "The master sent a piece that is none");
    if (total > this.#options.bytesMax)
      return this.#failed(coming, `It has ${total} bytes, and this machine has ${this.#options.bytesMax} for packages`);
    const fault = this.#options.files.write(digest, offset, data);
    if (fault !== "") return this.#failed(coming, fault);
    coming.total = total;
    coming.offset += data.length;
    if (coming.offset < total) {
      this.#ask(coming);
      return undefined;
    }
    this.#fetch = undefined;
    this.#unpacking.set(digest, coming);
    this.#options.files.unpack(digest, coming.name);
    return undefined;
  }

  /** Its tree is made, or could not be. */
  unpacked({ digest, bytes, problem }: Unpacked): Failure | undefined {
    const wanted = this.#unpacking.get(digest);
    if (wanted === undefined) return undefined;
    this.#unpacking.delete(digest);
    if (problem !== "") return { digest, reason: `Cannot unpack package ${shortName(wanted.name)}: ${problem}` };
    this.#shelf.set(digest, { names: new Set([wanted.name]), bytes, used: ++this.#uses });
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
      if (this.#shelf.has(digest) || !this.#options.inUse().has(digest)) continue;
      this.#fetch = {
        ...wanted,
        offset: DIGEST.test(digest) ? this.#options.files.part(digest) : 0,
        total: 0,
        askedMs: Number.NEGATIVE_INFINITY,
      };
      return;
    }
  }

  #ask(coming: Fetch): void {
    coming.askedMs = this.#options.now();
    const { digest, offset } = coming;
    this.#options.ask(make(PackageRequestSchema, { machine: this.#name, digest, offset, bytesMax: PIECE_BYTES }));
  }

  #failed({ digest, name }: Fetch, problem: string): Failure {
    this.#fetch = undefined;
    return { digest, reason: `Cannot fetch package ${shortName(name)}: ${problem}` };
  }

  /** Those that nobody uses go, the one that was used longest ago first. */
  #makeRoom(newest: string): void {
    const inUse = this.#options.inUse();
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
    for (const { bytes } of this.#shelf.values()) sum += bytes;
    return sum;
  }
}

export interface Failure {
  readonly digest: string;
  readonly reason: string;
}

const shortName = (name: string): string => name.slice(0, name.indexOf("@") + 1 + ID_DIGITS);
