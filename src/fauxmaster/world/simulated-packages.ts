/** Packages of a simulated machine: their bytes are a few, their trees are names. What was unpacked, and pieces that came, outlive the borglet. */
import type { Random } from "../../base/random.ts";
import { Sha256 } from "../../base/sha256.ts";
import type { PackageFiles, PackageThere, Unpacked } from "../../borglet/machine.ts";
import type { Kernel } from "./kernel.ts";

/** Of a tree that is made. */
const UNPACK_MS_MAX = 2000;
/** Pieces for other machines are small, so that every package has several; so many of them are damaged. */
const PIECE_BYTES = 5;
const DAMAGED = 0.03;

/** What of packages is on a machine's disk. */
export class PackageDisk {
  readonly trees = new Map<string, PackageThere>();
  /** Bytes of those. */
  readonly packed = new Map<string, Uint8Array>();
  readonly parts = new Map<string, Uint8Array>();
}

export class SimulatedPackages implements PackageFiles {
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #disk: PackageDisk;
  readonly #deliver: (unpacked: Unpacked) => void;
  readonly #isBad: () => boolean;

  constructor(kernel: Kernel, machine: string, disk: PackageDisk, isBad: () => boolean, deliver: (unpacked: Unpacked) => void) {
    this.#isBad = isBad;
    this.#kernel = kernel;
    this.#random = kernel.streams.of(`packages/${machine}`);
    this.#disk = disk;
    this.#deliver = deliver;
  }

  list(): readonly PackageThere[] {
    return [...this.#disk.trees.values()].map((each) => ({ ...each, packedBytes: this.#disk.packed.get(each.digest)?.length ?? 0 }));
  }

  part(digest: string): number {
    return this.#disk.parts.get(digest)?.length ?? 0;
  }

  write(digest: string, offset: number, data: Uint8Array): string {
    const before = this.#disk.parts.get(digest) ?? new Uint8Array();
    const after = new Uint8Array(offset + data.length);
    after.set(before.subarray(0, offset));
    after.set(data, offset);
    this.#disk.parts.set(digest, after);
    return "";
  }

  unpack(digest: string, name: string): void {
    const bytes = this.#disk.parts.get(digest) ?? new Uint8Array();
    this.#disk.parts.delete(digest);
    this.#kernel.after(this.#random.int(1, UNPACK_MS_MAX), () => {
      const isWrong = new Sha256().update(bytes).hex() !== digest;
      const packedBytes = bytes.length;
      if (!isWrong) {
        this.#disk.trees.set(digest, { digest, names: [name], bytes: bytes.length, packedBytes });
        this.#disk.packed.set(digest, bytes);
      }
      this.#deliver({ digest, bytes: bytes.length, packedBytes, problem: isWrong ? "Its bytes have another hash" : "", isWrong });
    });
  }

  /** While the world is bad, some of it is damaged. */
  read(digest: string, offset: number, bytesMax: number): { readonly total: number; readonly data: Uint8Array } | undefined {
    const bytes = this.#disk.packed.get(digest);
    if (bytes === undefined) return undefined;
    const data = bytes.slice(offset, offset + Math.min(bytesMax, PIECE_BYTES));
    const isDamaged = this.#isBad() && this.#random.float() < DAMAGED;
    return { total: bytes.length, data: isDamaged ? data.map((byte) => byte ^ 1) : data };
  }

  dropPacked(digest: string): void {
    this.#disk.packed.delete(digest);
  }

  drop(digest: string): void {
    this.#disk.packed.delete(digest);
    this.#disk.trees.delete(digest);
  }
}
