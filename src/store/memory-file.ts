/** One file of the simulated disk: what can be read now, what a power cut would leave, and the changes between the two. */
import type { Random } from "../base/random.ts";

/** A disk writes so many bytes at once or, rarely, tears them. */
export const SECTOR_BYTES = 512;

export type Written = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };

/** Bytes that grow by doubling; beyond `size` they are zero. */
class Content {
  #bytes: Uint8Array;
  size: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  apply(change: Written): void {
    const size = "size" in change ? change.size : Math.max(this.size, change.offset + change.bytes.length);
    if (size !== this.size) this.resize(size);
    if ("bytes" in change) this.#bytes.set(change.bytes, change.offset);
  }

  resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(this.size === 0 ? size : Math.max(size, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.size));
      this.#bytes = larger;
    }
    this.#bytes.fill(0, Math.min(size, this.size), this.size);
    this.size = size;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#bytes.slice(offset, Math.max(offset, Math.min(offset + length, this.size)));
  }

  flip(bit: number): void {
    if (bit >> 3 < this.size) this.#bytes[bit >> 3]! ^= 1 << (bit & 7);
  }

  clone(): Content {
    return new Content(this.#bytes.slice(0, this.size));
  }
}

export class MemoryFile {
  #now = new Content(new Uint8Array(0));
  #durable = new Content(new Uint8Array(0));
  #pending: Written[] = [];

  get size(): number {
    return this.#now.size;
  }

  /** Changes that a power cut may lose. */
  get pending(): number {
    return this.#pending.length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#now.read(offset, length);
  }

  change(change: Written): void {
    this.#now.apply(change);
    this.#pending.push(change);
  }

  sync(): void {
    for (const change of this.#pending) this.#durable.apply(change);
    this.#pending = [];
  }

  /** A failed sync: the kernel forgets that the pages were dirty, so no later sync writes them. */
  forgetPending(): void {
    this.#pending = [];
  }

  /** Power cut: whole changes are kept or lost as `keep` says, by their index among the pending ones. */
  crash(keep: (index: number) => boolean): void {
    this.#settle(this.#pending.filter((_, index) => keep(index)));
  }

  /** Power cut: sectors are kept or lost one by one, in any order, and now and then one is torn. */
  crashTorn(random: Random, keepProbability: number): void {
    this.#settle(this.#pending.flatMap((change) => survivors(change, random, keepProbability)));
  }

  /** Bit rot: what is on the disk changes by itself. */
  flip(bit: number): void {
    this.#now.flip(bit);
    this.#durable.flip(bit);
  }

  clone(): MemoryFile {
    const copy = new MemoryFile();
    copy.#now = this.#now.clone();
    copy.#durable = this.#durable.clone();
    copy.#pending = [...this.#pending];
    return copy;
  }

  #settle(kept: readonly Written[]): void {
    for (const change of kept) this.#durable.apply(change);
    this.#now = this.#durable.clone();
    this.#pending = [];
  }
}

function survivors(change: Written, random: Random, keepProbability: number): Written[] {
  if ("size" in change) return random.chance(keepProbability) ? [change] : [];
  const kept: Written[] = [];
  for (let at = 0; at < change.bytes.length; ) {
    const length = Math.min(SECTOR_BYTES - ((change.offset + at) % SECTOR_BYTES), change.bytes.length - at);
    const whole = change.bytes.subarray(at, at + length);
    if (random.chance(keepProbability)) kept.push({ offset: change.offset + at, bytes: random.chance(0.05) ? torn(whole, random) : whole });
    at += length;
  }
  return kept;
}

/** The first bytes arrived; sometimes what stood at the edge is neither old nor new. */
function torn(sector: Uint8Array, random: Random): Uint8Array {
  const bytes = sector.slice(0, random.int(0, sector.length + 1));
  if (bytes.length > 0 && random.chance(0.3)) bytes[bytes.length - 1] = random.int(0, 256);
  return bytes;
}
