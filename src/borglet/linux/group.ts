/** The control groups of one task, or of all tasks together, as far as they were looked up: where they are, and what of them is open. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Band } from "./cgroup.ts";
import type { Charged } from "./cgroup-host.ts";

/** One group in every hierarchy, with what is read every second kept open. */
export class Group {
  /** By hierarchy. */
  readonly directories: ReadonlyMap<string, string>;
  /** Those of other bands, beside these: what a move has not reached. */
  readonly others: readonly string[];
  readonly #files = new Map<string, number>();
  readonly #buffer = Buffer.alloc(8192);

  /** How often those around it had met their limit when it came: its alloc, and all tasks together. */
  readonly before: { readonly alloc: number; readonly all: number };

  last: Charged | undefined;
  looks = 0;

  readonly band: Band | undefined;

  constructor(directories: Group["directories"], others: readonly string[], before: Group["before"], band?: Band) {
    this.directories = directories;
    this.others = others;
    this.before = before;
    this.band = band;
  }

  read(path: string): string {
    let fd = this.#files.get(path);
    if (fd === undefined) {
      fd = openSync(path, "r");
      this.#files.set(path, fd);
    }
    return this.#buffer.toString("latin1", 0, readSync(fd, this.#buffer, 0, this.#buffer.length, 0));
  }

  close(): void {
    for (const fd of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }
}
