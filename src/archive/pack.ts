/**
 * Packs a directory: the same files give the same bytes, whoever packs them and when. It follows no link, leaves `.git` out, and refuses what a package
 * cannot have (devices, links out of the tree, too much) in words before a byte goes out.
 */
import { createReadStream } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { createZstdCompress, constants as zlib } from "node:zlib";
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "./bounds.ts";
import { linkProblem, partsOf } from "./paths.ts";
import { refuse, shown } from "./refusal.ts";
import type { Summary } from "./tar-reader.ts";
import { headerOf, paddingAfter, TAR_END, type Written } from "./tar-writer.ts";

/** Kept out at any depth: history of the sources, not the program. */
export const LEFT_OUT: ReadonlySet<string> = new Set([".git"]);
const LEVEL = 3;
const READ_BYTES = 256 * 1024;
const SET_ID = 0o6000;
const ANYBODY_RUNS = 0o111;

/** What is in a directory, in the order of names. */
export async function listTree(root: string, bounds: ArchiveBounds = ARCHIVE_BOUNDS): Promise<{ entries: Written[]; summary: Summary }> {
  const entries: Written[] = [];
  let bytes = 0;
  const walk = async (parts: readonly string[]): Promise<void> => {
    for (const name of await namesIn(join(root, ...parts))) {
      if (LEFT_OUT.has(name)) continue;
      const entry = await entryAt(root, [...parts, name], bounds);
      bytes += entry.size;
      entries.push(entry);
      if (entries.length > bounds.entries) refuse(`"${root}" has more than ${bounds.entries} entries`);
      if (bytes > bounds.bytes) refuse(`"${root}" has more than ${bounds.bytes} bytes of files`);
      if (entry.type === "directory") await walk([...parts, name]);
    }
  };
  await walk([]);
  return { entries, summary: { entries: entries.length, bytes } };
}

async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { encoding: "buffer" });
  return names
    .map((name) => {
      const text = name.toString("utf8");
      return Buffer.from(text).equals(name) ? text : refuse(`A name in "${directory}" is not UTF-8: ${shown(name.toString("latin1"))}`);
    })
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function entryAt(root: string, parts: readonly string[], bounds: ArchiveBounds): Promise<Written> {
  const path = partsOf(parts.join("/"), bounds).join("/");
  const full = join(root, path);
  const stat = await lstat(full);
  const plain = { path, executable: false, size: 0, target: "" };
  if (stat.isSymbolicLink()) {
    const target = await readlink(full);
    const problem = linkProblem(parts.slice(0, -1), target, bounds);
    if (problem !== undefined) refuse(`Link "${full}" to ${shown(target)} ${problem}`);
    return { ...plain, type: "symlink", target };
  }
  if (stat.isDirectory()) return { ...plain, type: "directory" };
  if (!stat.isFile()) refuse(`"${full}" is neither file, directory nor link`);
  if ((stat.mode & SET_ID) !== 0) refuse(`"${full}" is setuid or setgid: take that away (chmod a-s)`);
  return { ...plain, type: "file", executable: (stat.mode & ANYBODY_RUNS) !== 0, size: stat.size };
}

/** The tar of what was listed. A file that changes meanwhile ends it. */
export async function* tarOf(root: string, entries: readonly Written[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield headerOf(entry);
    if (entry.type !== "file") continue;
    let left = entry.size;
    const file = await open(join(root, entry.path), "r");
    for await (const chunk of createReadStream("", { fd: file, highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
    if (left !== 0) refuse(`"${join(root, entry.path)}" changed while it was packed: try again`);
    yield paddingAfter(entry.size);
  }
  yield TAR_END;
}

/** The one way in which packages are compressed. */
export const compressor = (): ReturnType<typeof createZstdCompress> =>
  createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: LEVEL, [zlib.ZSTD_c_checksumFlag]: 1 } });
