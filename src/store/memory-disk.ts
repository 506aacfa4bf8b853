/**
 * A Disk in memory that is truthful about durability: bytes count only after `sync` of their file, names only after
 * `syncNames`, and a power cut keeps any part of the rest, in any order. Faults are asked for by the test, through
 * `fault`, `capacityBytes`, `flip` and `crash`; with none of these it is a perfect disk.
 */
import { type Disk, DiskError, type DiskFault } from "../base/env.ts";
import type { Random } from "../base/random.ts";
import { MemoryFile } from "./memory-file.ts";

export type DiskOperation =
  | { readonly type: "create"; readonly name: string; readonly size: number }
  | { readonly type: "write"; readonly name: string; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly type: "truncate"; readonly name: string; readonly size: number }
  | { readonly type: "sync"; readonly name: string }
  | { readonly type: "rename"; readonly name: string; readonly to: string }
  | { readonly type: "remove"; readonly name: string }
  | { readonly type: "sync-names" }
  | { readonly type: "read"; readonly name: string; readonly offset: number; readonly length: number };

/** `short`: a read answers fewer bytes than there are. */
export type InjectedFault = DiskFault | "short";

/** A change of names that a power cut may lose. A rename happens whole or not at all. */
interface NameChange {
  readonly from?: string;
  readonly to?: string;
  readonly file: MemoryFile;
}

export class MemoryDisk implements Disk {
  /** Asked before every operation. */
  fault: ((operation: DiskOperation) => InjectedFault | undefined) | undefined;
  /** Told every operation that changes something, after it succeeded; `apply` repeats it on another disk. */
  recorder: ((operation: DiskOperation) => void) | undefined;
  capacityBytes = Number.POSITIVE_INFINITY;
  #names = new Map<string, MemoryFile>();
  #durableNames = new Map<string, MemoryFile>();
  #pendingNames: NameChange[] = [];

  list(): readonly string[] {
    return [...this.#names.keys()].sort();
  }

  size(name: string): number {
    return this.#file(name).size;
  }

  read(name: string, offset: number, length: number): Uint8Array {
    const fault = this.fault?.({ type: "read", name, offset, length });
    if (fault !== undefined && fault !== "short") throw new DiskError(fault, `Cannot read "${name}"`);
    return this.#file(name).read(offset, fault === "short" ? length >> 1 : length);
  }

  create(name: string, size: number): void {
    this.#perform({ type: "create", name, size }, () => {
      if (this.#names.has(name)) throw new DiskError("exists", `Cannot create "${name}": it exists`);
      this.#takeSpace(size);
      const file = new MemoryFile();
      file.change({ size });
      this.#rename({ to: name, file });
    });
  }

  write(name: string, offset: number, bytes: Uint8Array): void {
    const own = bytes.slice();
    this.#perform({ type: "write", name, offset, bytes: own }, () => {
      const file = this.#file(name);
      this.#takeSpace(Math.max(0, offset + own.length - file.size));
      file.change({ offset, bytes: own });
    });
  }

  truncate(name: string, size: number): void {
    this.#perform({ type: "truncate", name, size }, () => this.#file(name).change({ size }));
  }

  sync(name: string): void {
    const operation: DiskOperation = { type: "sync", name };
    if (this.fault?.(operation) !== undefined) {
      this.#file(name).forgetPending();
      throw new DiskError("io", `Cannot sync "${name}"`);
    }
    this.#file(name).sync();
    this.recorder?.(operation);
  }

  rename(from: string, to: string): void {
    this.#perform({ type: "rename", name: from, to }, () => this.#rename({ from, to, file: this.#file(from) }));
  }

  remove(name: string): void {
    this.#perform({ type: "remove", name }, () => this.#rename({ from: name, file: this.#file(name) }));
  }

  syncNames(): void {
    this.#perform({ type: "sync-names" }, () => {
      this.#durableNames = new Map(this.#names);
      this.#pendingNames = [];
    });
  }

  /** Repeats a recorded operation. */
  apply(operation: DiskOperation): void {
    const { type } = operation;
    if (type === "create") this.create(operation.name, operation.size);
    else if (type === "write") this.write(operation.name, operation.offset, operation.bytes);
    else if (type === "truncate") this.truncate(operation.name, operation.size);
    else if (type === "sync") this.sync(operation.name);
    else if (type === "rename") this.rename(operation.name, operation.to);
    else if (type === "remove") this.remove(operation.name);
    else if (type === "sync-names") this.syncNames();
  }

  /** How many changes a power cut may lose: those of names, then those of every file. */
  get pending(): number {
    return this.#files().reduce((sum, file) => sum + file.pending, this.#pendingNames.length);
  }

  /** Power cut at random: changes of names survive or not, in any order; sectors of files survive, tear or are lost. */
  crash(random: Random): void {
    const keepProbability = random.pick([0, 0.2, 0.5, 0.9, 1]);
    for (const file of this.#files()) file.crashTorn(random, keepProbability);
    this.#settleNames(random.shuffle(this.#pendingNames).filter(() => random.chance(keepProbability)));
  }

  /** Power cut that keeps exactly the changes for which `keep` says so, by their index in [0, pending). */
  crashKeeping(keep: (index: number) => boolean): void {
    const names = this.#pendingNames.filter((_, index) => keep(index));
    let base = this.#pendingNames.length;
    for (const file of this.#files()) {
      const start = base;
      base += file.pending;
      file.crash((index) => keep(start + index));
    }
    this.#settleNames(names);
  }

  /** Bit rot in one file, also in what was synced. */
  flip(name: string, bit: number): void {
    this.#file(name).flip(bit);
  }

  /** A disk that has the same past and its own future. Faults and recorder are not copied. */
  clone(): MemoryDisk {
    const copies = new Map(this.#files().map((file) => [file, file.clone()]));
    const copied = (names: Map<string, MemoryFile>) => new Map([...names].map(([name, file]) => [name, copies.get(file)!]));
    const disk = new MemoryDisk();
    disk.#names = copied(this.#names);
    disk.#durableNames = copied(this.#durableNames);
    disk.#pendingNames = this.#pendingNames.map((change) => ({ ...change, file: copies.get(change.file)! }));
    disk.capacityBytes = this.capacityBytes;
    return disk;
  }

  /** Every file that has a name, had one, or may have one again after a power cut. */
  #files(): MemoryFile[] {
    return [...new Set([...this.#names.values(), ...this.#durableNames.values(), ...this.#pendingNames.map(({ file }) => file)])];
  }

  #file(name: string): MemoryFile {
    const file = this.#names.get(name);
    if (file === undefined) throw new DiskError("missing", `There is no file "${name}"`);
    return file;
  }

  #perform(operation: DiskOperation, act: () => void): void {
    const fault = this.fault?.(operation);
    if (fault !== undefined) throw new DiskError(fault === "short" ? "io" : fault, `Cannot ${operation.type}: injected`);
    act();
    this.recorder?.(operation);
  }

  #takeSpace(bytes: number): void {
    if (bytes === 0) return;
    let used = 0;
    for (const file of this.#names.values()) used += file.size;
    if (used + bytes > this.capacityBytes) throw new DiskError("full", `No space for ${bytes} more bytes`);
  }

  #rename(change: NameChange): void {
    rename(this.#names, change);
    this.#pendingNames.push(change);
  }

  #settleNames(kept: readonly NameChange[]): void {
    for (const change of kept) rename(this.#durableNames, change);
    this.#names = new Map(this.#durableNames);
    this.#pendingNames = [];
  }
}

/** Out of order, a change applies only where the file still stands. */
function rename(names: Map<string, MemoryFile>, { from, to, file }: NameChange): void {
  if (from !== undefined && names.get(from) !== file) return;
  if (from !== undefined) names.delete(from);
  if (to !== undefined) names.set(to, file);
}
