/** Whether the disks that a borglet and its tasks write to are full. It says so only when that changed for good: a disk at its limit goes back and forth. */
import { statfsSync } from "node:fs";

const MIB = 2 ** 20;
/** With less than this nothing can be started. */
const FULL_BYTES = MIB;
/** With this much there is room again. */
const ROOM_BYTES = 16 * MIB;

export const DISK_FULL = "the disk of this machine is full";

/** No space, over quota. */
const FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

export const isFullError = (error: unknown): boolean => FULL_CODES.has((error as NodeJS.ErrnoException).code ?? "");

export class DiskRoom {
  readonly #free: () => number;
  #full = false;

  constructor(paths: readonly string[], free: (path: string) => number = freeBytes) {
    this.#free = () => Math.min(...paths.map(free));
  }

  /** Just now, whatever was said last. */
  get isFull(): boolean {
    return this.#free() < FULL_BYTES;
  }

  /** True or false when that is new; undefined: as before. */
  look(): boolean | undefined {
    const free = this.#free();
    const full = this.#full ? free < ROOM_BYTES : free < FULL_BYTES;
    if (full === this.#full) return undefined;
    this.#full = full;
    return full;
  }
}

/** For those who are not root, as tasks are. A disk that cannot be asked is not called full. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
