/** Reads one layer: its bytes must be those that the image names, compressed or not, and come to an end within the bounds. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { ARCHIVE_BOUNDS } from "../bounds.ts";
import { ArchiveRefusal, refuse, shown } from "../refusal.ts";
import { type RawTaker, TarBlocks } from "../tar-blocks.ts";
import { type Layer, refuseOther } from "./manifest.ts";
import { decompressor, type ImageSource, packingOf } from "./source.ts";

const MAGIC_BYTES = 4;

/**
 * Hands the entries of a layer to `take`, and yields after each piece of it, with how many bytes came so far, so that whoever asks can go on with what was taken. What was taken counts
 * only when it comes to its end without throwing.
 */
export async function* readLayer(source: ImageSource, layer: Layer, bytesMax: number, take: RawTaker): AsyncGenerator<number> {
  const blocks = new TarBlocks(take, ARCHIVE_BOUNDS.extraBytes);
  let bytes = 0;
  try {
    for await (const chunk of verified(source, layer)) {
      bytes += chunk.length;
      if (bytes > bytesMax) refuse(`the image has more than ${bytesMax} bytes, decompressed`);
      blocks.push(chunk);
      yield bytes;
    }
    blocks.end();
  } catch (error) {
    const isDamage = /^(ZSTD_|Z_|ERR_ZLIB)/.test(String((error as NodeJS.ErrnoException).code ?? ""));
    if (!isDamage && !(error instanceof ArchiveRefusal)) throw error;
    throw new ArchiveRefusal(`Layer ${shown(layer.name)}: ${isDamage ? "cannot decompress it: " : ""}${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function* verified(source: ImageSource, { name, digest, size, contents }: Layer): AsyncGenerator<Uint8Array> {
  const there = await source.size(name);
  if (there === undefined) refuse("it is missing");
  if (size !== undefined && size !== there) refuse(`it has ${there} bytes, not ${size}`);
  const [packed, unpacked] = [createHash("sha256"), createHash("sha256")];
  for await (const chunk of plain(seen(source.read(name), (piece) => packed.update(piece)))) {
    unpacked.update(chunk);
    yield chunk;
  }
  if (digest !== undefined) refuseOther("its file", digest, packed.digest("hex"));
  refuseOther("its tar", contents, unpacked.digest("hex"));
}

async function* seen(chunks: AsyncIterable<Uint8Array>, look: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    look(chunk);
    yield chunk;
  }
}

/** By its first bytes: what a manifest says of the kind is not needed. */
async function* plain(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rest = chunks[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < MAGIC_BYTES) {
    const next = await rest.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  const packing = packingOf(first);
  const whole = joined(first, rest);
  if (packing === "plain") return yield* whole;
  const input = Readable.from(whole, { objectMode: false });
  const out = decompressor(packing);
  input.on("error", (error) => out.destroy(error));
  yield* input.pipe(out) as AsyncIterable<Uint8Array>;
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
