/**
 * Unpacks a package into an empty directory, as it comes. It makes everything itself, so no path leads through what somebody else put there; the tree is
 * read-only when it is done. It runs in a process of its own (unpack-program.ts), without rights.
 */
import { chmodSync, closeSync, constants, linkSync, mkdirSync, openSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "./bounds.ts";
import { ArchiveRefusal } from "./refusal.ts";
import { type Entry, type EntryTaker, type Summary, TarReader } from "./tar-reader.ts";

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

class TreeWriter implements EntryTaker {
  readonly #root: string;
  readonly #directories: string[] = [];
  #fd: number | undefined;
  #left = 0;

  constructor(root: string) {
    this.#root = root;
  }

  entry({ path, type, executable, size, target }: Entry, above: readonly string[]): void {
    for (const each of above) this.#directory(each);
    const full = join(this.#root, path);
    if (type === "directory") this.#directory(path);
    else if (type === "symlink") symlinkSync(target, full);
    else if (type === "hardlink") linkSync(join(this.#root, target), full);
    else {
      this.#fd = openSync(full, NEW, executable ? 0o555 : 0o444);
      this.#left = size;
      if (size === 0) this.close();
    }
  }

  data(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd!, bytes, at);
    this.#left -= bytes.length;
    if (this.#left === 0) this.close();
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** The innermost first: what is closed cannot be entered to be written. */
  seal(): void {
    for (const path of this.#directories.toReversed()) chmodSync(join(this.#root, path), 0o555);
  }

  /** One that came with its contents may be named once more. */
  #directory(path: string): void {
    if (this.#made.has(path)) return;
    this.#made.add(path);
    mkdirSync(join(this.#root, path), { mode: 0o755 });
    this.#directories.push(path);
  }

  readonly #made = new Set<string>();
}

/** Throws an ArchiveRefusal for an archive that is not taken. What was written by then is for whoever called to remove. */
export async function unpack(packed: Readable, directory: string, bounds: ArchiveBounds = ARCHIVE_BOUNDS): Promise<Summary> {
  const writer = new TreeWriter(directory);
  const reader = new TarReader(writer, bounds);
  const tar = createZstdDecompress();
  packed.on("error", (error) => tar.destroy(error));
  try {
    for await (const chunk of packed.pipe(tar) as AsyncIterable<Uint8Array>) reader.push(chunk);
  } catch (error) {
    if (error instanceof ArchiveRefusal || !isDecompression(error)) throw error;
    throw new ArchiveRefusal(`Cannot decompress it: ${(error as Error).message}`, { cause: error });
  } finally {
    writer.close();
  }
  const summary = reader.end();
  writer.seal();
  return summary;
}

const isDecompression = (error: unknown): boolean => /^(ZSTD_|Z_|ERR_ZLIB)/.test(String((error as NodeJS.ErrnoException).code ?? ""));
