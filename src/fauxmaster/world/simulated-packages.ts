/** Packages of a simulated machine: their bytes are a few, their trees are names. What was unpacked, and pieces that came, outlive the borglet. */
import type { Random } from "../../base/random.ts";
import { Sha256 } from "../../base/sha256.ts";
import type { PackageFiles, PackageThere, Unpacked } from "../../borglet/machine.ts";
import type { Kernel } from "./kernel.ts";

/** Of a tree that is made. */
const UNPACK_MS_MAX = 2000;

/** What of packages is on a machine's disk. */
export class PackageDisk {
  readonly trees = new Map<string, PackageThere>();
  readonly parts = new Map<string, Uint8Array>();
}

export class SimulatedPackages implements PackageFiles {
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #disk: PackageDisk;
  readonly #deliver: (unpacked: Unpacked) => void;

  constructor(kernel: Kernel, machine: string, disk: PackageDisk, deliver: (unpacked: Unpacked) => void) {
    this.#kernel = kernel;
    this.#random = kernel.streams.of(`packages/${machine}`);
    this.#disk = disk;
    this.#deliver = deliver;
  }

  list(): readonly PackageThere[] {
    return [...this.#disk.trees.values()];
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
      const problem = new Sha256().update(bytes).hex() === digest ? "" : "Its bytes have another hash";
      if (problem === "") this.#disk.trees.set(digest, { digest, names: [name], bytes: bytes.length });
      this.#deliver({ digest, bytes: bytes.length, problem });
    });
  }

  drop(digest: string): void {
    this.#disk.trees.delete(digest);
  }
}
