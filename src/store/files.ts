/**
 * The real Disk: one directory, synchronous calls, made for a worker thread of its own. A failed sync is always `io`:
 * the kernel may have dropped the pages, and no second sync can tell.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { type Disk, DiskError, type DiskFault } from "../base/env.ts";

/** Codes that go away when space returns: no space, over quota, over the file-size limit. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const FAULTS = new Map<string, DiskFault>([
  ["ENOENT", "missing"],
  ["EEXIST", "exists"],
]);
const ZEROS = new Uint8Array(2 ** 20);
/** With room for the key of the longest instance (borglet/instance-key.ts); the kernel takes 255. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,191}$/;
/** Beyond this the descriptor that was not used for longest is closed; the log writes to one or two files at a time. */
const OPEN_FILES_MAX = 16;

export class FilesDisk implements Disk {
  readonly #directory: string;
  readonly #open = new Map<string, number>();

  /** Makes the directory if it is not there. */
  constructor(directory: string) {
    this.#directory = directory;
    attempt(`Cannot make directory "${directory}"`, () => fs.mkdirSync(directory, { recursive: true, mode: 0o700 }));
  }

  list(): readonly string[] {
    const entries = attempt("Cannot list files", () => fs.readdirSync(this.#directory, { withFileTypes: true }));
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
  }

  size(name: string): number {
    return attempt(`Cannot look at "${name}"`, () => fs.fstatSync(this.#descriptor(name)).size);
  }

  read(name: string, offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.min(length, Math.max(0, this.size(name) - offset)));
    return attempt(`Cannot read "${name}"`, () => {
      let done = 0;
      while (done < bytes.length) {
        const count = fs.readSync(this.#descriptor(name), bytes, done, bytes.length - done, offset + done);
        if (count === 0) break;
        done += count;
      }
      return bytes.subarray(0, done);
    });
  }

  create(name: string, size: number): void {
    attempt(`Cannot create "${name}"`, () => {
      this.#keep(name, fs.openSync(this.#path(name), "wx+", 0o600));
      try {
        for (let at = 0; at < size; at += ZEROS.length) this.#writeAll(name, at, ZEROS.subarray(0, Math.min(ZEROS.length, size - at)));
      } catch (cause) {
        this.remove(name);
        throw cause;
      }
    });
  }

  write(name: string, offset: number, bytes: Uint8Array): void {
    attempt(`Cannot write "${name}"`, () => this.#writeAll(name, offset, bytes));
  }

  truncate(name: string, size: number): void {
    attempt(`Cannot truncate "${name}"`, () => fs.ftruncateSync(this.#descriptor(name), size));
  }

  sync(name: string): void {
    attempt(`Cannot sync "${name}"`, () => fs.fdatasyncSync(this.#descriptor(name)), "io");
  }

  rename(from: string, to: string): void {
    attempt(`Cannot rename "${from}" to "${to}"`, () => {
      fs.renameSync(this.#path(from), this.#path(to));
      this.#release(to);
      const descriptor = this.#open.get(from);
      if (descriptor === undefined) return;
      this.#open.delete(from);
      this.#open.set(to, descriptor);
    });
  }

  remove(name: string): void {
    attempt(`Cannot remove "${name}"`, () => {
      this.#release(name);
      fs.unlinkSync(this.#path(name));
    });
  }

  syncNames(): void {
    attempt(
      "Cannot sync the directory",
      () => {
        const descriptor = fs.openSync(this.#directory, "r");
        try {
          fs.fsyncSync(descriptor);
        } finally {
          fs.closeSync(descriptor);
        }
      },
      "io",
    );
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.#release(name);
  }

  #writeAll(name: string, offset: number, bytes: Uint8Array): void {
    const descriptor = this.#descriptor(name);
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
  }

  #path(name: string): string {
    if (!NAME.test(name)) throw new DiskError("io", `Cannot use "${name}" as a file name`);
    return join(this.#directory, name);
  }

  #descriptor(name: string): number {
    const known = this.#open.get(name);
    this.#open.delete(name);
    return this.#keep(name, known ?? fs.openSync(this.#path(name), "r+"));
  }

  /** Last used, last in line: the one that has waited longest makes room. */
  #keep(name: string, descriptor: number): number {
    if (this.#open.size >= OPEN_FILES_MAX) this.#release(this.#open.keys().next().value!);
    this.#open.set(name, descriptor);
    return descriptor;
  }

  #release(name: string): void {
    const descriptor = this.#open.get(name);
    if (descriptor === undefined) return;
    this.#open.delete(name);
    fs.closeSync(descriptor);
  }
}

/** `always` names the fault whatever the kernel says. */
function attempt<T>(what: string, act: () => T, always?: DiskFault): T {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof DiskError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    const fault = always ?? (FULL.has(code) ? "full" : (FAULTS.get(code) ?? "io"));
    throw new DiskError(fault, `${what}: ${(cause as Error).message}`, cause);
  }
}
