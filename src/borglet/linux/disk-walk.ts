/**
 * Counts what a task's directories take on the disk, while the task goes on changing them. It walks by open descriptors, through no link and into no
 * other file system, so a directory that is swapped meanwhile leads it nowhere else. It stops whenever it is told to and goes on from there later.
 */
import { closeSync, constants, type Dir, fstatSync, lstatSync, opendirSync, openSync } from "node:fs";
import { DISK_DEPTH_MAX, DISK_ENTRY_BYTES } from "../bounds.ts";

/** A pipe of that name must not be waited for. */
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const BLOCK_BYTES = 512;
/** Of a task above its limit no more than this is counted: how far above is of interest to nobody. */
const ENTRIES_OVER_MAX = 10_000;
/** Files that are remembered, so that one with several names, or one that was moved meanwhile, counts once. Beyond it every name counts. */
const KNOWN_MAX = 100_000;

interface Level {
  readonly fd: number;
  readonly names: Dir;
}

export class DiskWalk {
  readonly #limitBytes: number;
  readonly #roots: string[];
  readonly #levels: Level[] = [];
  /** By their inodes. */
  readonly #known = new Set<number>();
  #device = 0;
  #entries = 0;
  #bytes = 0;
  #isTooDeep = false;

  constructor(roots: readonly string[], limitBytes: number) {
    this.#roots = [...roots];
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** There are directories so deep that they were not counted. */
  get isTooDeep(): boolean {
    return this.#isTooDeep;
  }

  /** Entry by entry until there are no more, which is true, or it is time to stop. */
  go(isTime: () => boolean): boolean {
    while (!this.#isOver()) {
      if (isTime()) return false;
      this.#step();
    }
    this.close();
    return true;
  }

  close(): void {
    this.#roots.length = 0;
    while (this.#levels.length > 0) this.#leave();
  }

  /** Every entry counts, so a task within its limit has no more of them than the limit has room for. */
  #isOver(): boolean {
    if (this.#levels.length === 0 && this.#roots.length === 0) return true;
    return this.#isTooDeep || (this.#bytes > this.#limitBytes && this.#entries > ENTRIES_OVER_MAX);
  }

  #step(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.#enter(this.#roots.shift()!, undefined);
      return;
    }
    const name = nextName(level.names);
    if (name === undefined) this.#leave();
    else this.#count(Buffer.concat([Buffer.from(`/proc/self/fd/${level.fd}/`), Buffer.from(name, "latin1")]));
  }

  #count(path: Buffer): void {
    const stat = attempt(() => lstatSync(path));
    if (stat === undefined) return;
    const isNew = !this.#known.has(stat.ino);
    if (this.#known.size < KNOWN_MAX) this.#known.add(stat.ino);
    this.#entries += 1;
    this.#bytes += isNew ? Math.max(DISK_ENTRY_BYTES, stat.blocks * BLOCK_BYTES) : DISK_ENTRY_BYTES;
    if (!stat.isDirectory() || !isNew) return;
    if (this.#levels.length >= DISK_DEPTH_MAX) this.#isTooDeep = true;
    else this.#enter(path, this.#device);
  }

  /** What is no directory any more, or closed to us, is passed over. `device`: the only one that is entered. */
  #enter(path: string | Buffer, device: number | undefined): void {
    const fd = attempt(() => openSync(path, DIRECTORY));
    if (fd === undefined) return;
    const { dev } = fstatSync(fd);
    // Latin letters stand for bytes: a name need not be UTF-8.
    const names =
      device === undefined || dev === device ? attempt(() => opendirSync(`/proc/self/fd/${fd}`, { encoding: "latin1" })) : undefined;
    if (names === undefined) {
      closeSync(fd);
      return;
    }
    this.#device = dev;
    this.#levels.push({ fd, names });
  }

  #leave(): void {
    const { fd, names } = this.#levels.pop()!;
    names.closeSync();
    closeSync(fd);
  }
}

/** Undefined: there are no more, or it cannot be read on. */
const nextName = (names: Dir): string | undefined => attempt(() => names.readSync())?.name;

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
