/** Where the documents and layers of an image lie: an OCI layout in a directory, or a tar of one, or what `docker save` wrote. Names inside are never trusted as paths of this machine. */
import { createReadStream, createWriteStream } from "node:fs";
import { constants, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { ARCHIVE_BOUNDS } from "../bounds.ts";
import { linkProblem, partsOf } from "../paths.ts";
import { ArchiveRefusal, refuse, shown } from "../refusal.ts";
import { TarBlocks } from "../tar-blocks.ts";
import { typeOf } from "../tar-reader.ts";
import type { ImageBounds } from "./bounds.ts";

export interface ImageSource {
  /** Undefined: there is none of this name. */
  size(name: string): Promise<number | undefined>;
  read(name: string): AsyncIterable<Uint8Array>;
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];
/** Links of a tar that lead to its own files. */
const HOPS_MAX = 8;
const READ_BYTES = 256 * 1024;

export type Packing = "gzip" | "zstd" | "plain";

export function packingOf(first: Uint8Array): Packing {
  const begins = (magic: readonly number[]): boolean => magic.every((byte, i) => first[i] === byte);
  return begins(ZSTD) ? "zstd" : begins(GZIP) ? "gzip" : "plain";
}

export const decompressor = (packing: Exclude<Packing, "plain">): ReturnType<typeof createGunzip | typeof createZstdDecompress> =>
  packing === "zstd" ? createZstdDecompress() : createGunzip();

/** `place`: a file that may be made, for a tar that has to be decompressed first. */
export async function openImage(path: string, place: string, bounds: ImageBounds): Promise<ImageSource> {
  if ((await stat(path)).isDirectory()) return directorySource(path);
  const file = await open(path, "r");
  const first = Buffer.alloc(ZSTD.length);
  await file.read(first, 0, first.length, 0).finally(() => file.close());
  const packing = packingOf(first);
  if (packing === "plain") return tarSource(path);
  await pipeline(createReadStream(path), decompressor(packing), bounded(bounds.bytes), createWriteStream(place, { mode: 0o600 }));
  return tarSource(place);
}

/** What swells beyond this is refused. */
export function bounded(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      bytes += chunk.length;
      done(bytes > bytesMax ? new ArchiveRefusal(`The image has more than ${bytesMax} bytes, decompressed`) : null, chunk);
    },
  });
}

function directorySource(root: string): ImageSource {
  const at = (name: string): string => join(root, ...partsOf(name, ARCHIVE_BOUNDS));
  return {
    size: async (name) => {
      const found = await stat(at(name)).catch(() => undefined);
      return found?.isFile() ? found.size : undefined;
    },
    async *read(name) {
      const file = await open(at(name), constants.O_RDONLY | constants.O_NOFOLLOW);
      yield* file.createReadStream({ highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>;
    },
  };
}

interface Piece {
  readonly at: number;
  readonly size: number;
  /** Of a link: the name that is meant. */
  readonly target: string | undefined;
}

async function tarSource(path: string): Promise<ImageSource> {
  const pieces = await index(path);
  const find = (name: string): Piece | undefined => {
    let found = pieces.get(partsOf(name, ARCHIVE_BOUNDS).join("/"));
    for (let hops = 0; found?.target !== undefined && hops < HOPS_MAX; hops++) found = pieces.get(found.target);
    return found?.target === undefined ? found : undefined;
  };
  return {
    size: (name) => Promise.resolve(find(name)?.size),
    async *read(name) {
      const found = find(name) ?? refuse(`There is no ${shown(name)} in it`);
      if (found.size === 0) return;
      const end = found.at + found.size - 1;
      yield* createReadStream(path, { start: found.at, end, highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>;
    },
  };
}

/** Where the files of a tar begin. */
async function index(path: string): Promise<ReadonlyMap<string, Piece>> {
  const pieces = new Map<string, Piece>();
  const blocks: TarBlocks = new TarBlocks(
    {
      entry: (header) => {
        const parts = partsOf(header.path, ARCHIVE_BOUNDS);
        const type = typeOf(header);
        if (type === "directory" || type === undefined) return;
        pieces.set(parts.join("/"), { at: blocks.offset, size: header.size, target: targetOf(parts, type, header.link) });
        if (pieces.size > ARCHIVE_BOUNDS.entries) refuse(`It has more than ${ARCHIVE_BOUNDS.entries} files`);
      },
      data: () => {},
    },
    ARCHIVE_BOUNDS.extraBytes,
  );
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>) blocks.push(chunk);
  blocks.end();
  return pieces;
}

function targetOf(parts: readonly string[], type: "file" | "symlink" | "hardlink", link: string): string | undefined {
  if (type === "file") return undefined;
  if (type === "hardlink") return partsOf(link, ARCHIVE_BOUNDS).join("/");
  const problem = linkProblem(parts.slice(0, -1), link, ARCHIVE_BOUNDS);
  if (problem !== undefined) refuse(`Link ${shown(parts.join("/"))} to ${shown(link)} ${problem}`);
  const words = link.split("/").filter((part) => part !== "" && part !== ".");
  const climbs = words.filter((part) => part === "..").length;
  return [...parts.slice(0, parts.length - 1 - climbs), ...words.slice(climbs)].join("/");
}
