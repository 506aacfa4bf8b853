/**
 * Secrets of tasks as files: in memory, never on a disk, where only the borglet and the task's own user can read them, and only while a run of the task is there.
 * The directory is the borglet's, so a task can neither add to it nor put a link into it.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { SecretFile } from "../machine.ts";
import type { Owner } from "./config-files.ts";
import { removeOwn } from "./remove.ts";

/** File systems that are memory: tmpfs, ramfs. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
const PLACES = ["/dev/shm", "/run"] as const;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export class SecretFiles {
  readonly #name: string;
  readonly #places: readonly string[];
  #made: string | undefined;

  /** `mark`: what this borglet is known by on its host. */
  constructor(mark: string, places: readonly string[] = PLACES) {
    this.#name = `openborg-${mark}`;
    this.#places = places;
  }

  /** Made anew, with what is given. Throws, in words, where there is no memory to put them. */
  write(key: string, secrets: readonly SecretFile[], owner: Owner): string {
    this.remove(key);
    const directory = join(this.#base(), key);
    mkdirSync(directory, { mode: 0o700 });
    for (const { path, data } of secrets) writeOne(join(directory, basename(path)), data, owner);
    if (owner === undefined) return directory;
    chownSync(directory, process.getuid?.() ?? 0, owner);
    chmodSync(directory, 0o750);
    return directory;
  }

  directoryOf(key: string): string {
    return join(this.#base(), key);
  }

  remove(key: string): void {
    this.keepOnly((each) => each !== key);
  }

  /** What is left of runs that are no more goes, and the whole directory when nothing is left. */
  keepOnly(isKept: (key: string) => boolean): void {
    for (const base of this.#bases()) {
      const left = readdirSync(base).filter((key) => isKept(key) || !removeOwn(join(base, key)));
      if (left.length > 0) continue;
      rmdirSync(base);
      this.#made = undefined;
    }
  }

  /** All that are there: in whichever place they were made. */
  #bases(): readonly string[] {
    return this.#places.map((place) => join(place, this.#name)).filter(isOurs);
  }

  #base(): string {
    this.#made ??= this.#places
      .filter(isMemory)
      .map((place) => join(place, this.#name))
      .find(isOursOrMade);
    if (this.#made === undefined)
      throw new Error(`There is no memory to put secrets into: neither ${this.#places.join(" nor ")} is a tmpfs that can be written`);
    return this.#made;
  }
}

function writeOne(path: string, data: Uint8Array, owner: Owner): void {
  const file = openSync(path, NEW, 0o400);
  try {
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
    if (owner !== undefined) fchownSync(file, owner, owner);
    fchmodSync(file, 0o400);
  } finally {
    closeSync(file);
  }
}

function isMemory(place: string): boolean {
  try {
    return IN_MEMORY.has(statfsSync(place).type);
  } catch {
    return false;
  }
}

/** Others may write beside it: one that is not ours alone is not used. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o066) === 0;
}

function isOursOrMade(path: string): boolean {
  if (isOurs(path)) return true;
  try {
    // Task users pass through it, and cannot list it.
    mkdirSync(path, { mode: 0o711 });
    chmodSync(path, 0o711);
    return true;
  } catch {
    return false;
  }
}
