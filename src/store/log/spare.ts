/**
 * The next segment, made ready piece by piece while the current one fills: writing and syncing a whole segment of zeros
 * at the moment of rolling over would stop the log for a fifth of a second or more. It is an unfinished file until it is
 * taken, so a power cut at any moment only means that opening removes it.
 */
import { type Disk, DiskError } from "../../base/env.ts";
import { removeIfThere, TEMPORARY } from "./segment.ts";

const FILE = `spare${TEMPORARY}`;
/** Made ready and synced at a time. */
const STEP_BYTES = 2 ** 20;

export class Spare {
  readonly #disk: Disk;
  readonly #bytes: number;
  #ready = 0;
  /** On a full disk there is no spare until the next rollover, which will say what is wrong. */
  #givenUp = false;

  constructor(disk: Disk, bytes: number) {
    this.#disk = disk;
    this.#bytes = bytes;
  }

  /** Makes one more piece ready. Throws DiskError, but not for a full disk. */
  step(): void {
    if (this.#givenUp || this.#ready === this.#bytes) return;
    const bytes = Math.min(STEP_BYTES, this.#bytes - this.#ready);
    try {
      if (this.#ready === 0) this.#disk.create(FILE, bytes);
      else this.#disk.write(FILE, this.#ready, new Uint8Array(bytes));
      this.#disk.sync(FILE);
      this.#ready += bytes;
    } catch (cause) {
      if (!(cause instanceof DiskError) || cause.fault !== "full") throw cause;
      this.discard();
      this.#givenUp = true;
    }
  }

  /** Gives the file away under this name, if it is ready and large enough. */
  take(name: string, bytes: number): boolean {
    this.#givenUp = false;
    if (this.#ready < this.#bytes || this.#bytes < bytes) return false;
    this.#disk.rename(FILE, name);
    this.#ready = 0;
    return true;
  }

  /** Gives its space back. */
  discard(): void {
    removeIfThere(this.#disk, FILE);
    this.#ready = 0;
  }
}
