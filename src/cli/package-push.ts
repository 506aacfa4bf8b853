/** Packs what is to be pushed into one file, says what is in it, and sends it in pieces. A push that was broken off goes on where it was. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { arch, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { PACKED_BYTES_MAX } from "../archive/bounds.ts";
import type { Converted } from "../archive/image/convert.ts";
import { compressor, listTree, tarOf } from "../archive/pack.ts";
import { ArchiveRefusal } from "../archive/refusal.ts";
import { type Summary, TarReader } from "../archive/tar-reader.ts";
import { change } from "./change.ts";
import type { Context } from "./context.ts";
import { Failure } from "./exit.ts";
import { bytesText, plural } from "./text/units.ts";

const PIECE_BYTES = 2 ** 20;
const ID_DIGITS = 12;
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP = [0x1f, 0x8b];

export interface Pushed {
  readonly user: string;
  readonly name: string;
  readonly digest: string;
  readonly bytes: number;
  readonly files: Summary;
  /** Of a package that was made of an image. */
  readonly converted: Pick<Converted, "image" | "notes"> | undefined;
  /** It was there before, just so. */
  readonly already: boolean;
  readonly position: number;
}

export interface Push {
  readonly name: string;
  /** A directory, or a tar: as it is, or compressed with gzip or zstd. */
  readonly path: string;
  readonly shared: boolean;
  /** What is there is an OCI image, which becomes the root of tasks. */
  readonly oci?: boolean;
  /** Absent: those that it has stay. */
  readonly labels?: { labels: { key: string; value: string }[] };
}

export const shortId = (digest: string): string => digest.slice(0, ID_DIGITS);

export async function pushPackage(context: Context, { name, path, shared, oci = false, labels }: Push): Promise<Pushed> {
  const user = await context.user();
  const place = await mkdtemp(join(tmpdir(), "borg-push-"));
  try {
    const packed = await pack(resolve(context.terminal.cwd, path), place, oci);
    const { digest, bytes, files, converted } = packed;
    if (!context.json && context.terminal.live)
      context.terminal.complain(
        `Packed ${plural(files.entries, "file")} of ${path}: ${bytesText(files.bytes)}, ${bytesText(bytes)} compressed\n`,
      );
    await upload(context, packed);
    const { already, position } = await change(context, `add package ${user}/${name}`, (client, requestId) =>
      client.addPackage({ requestId, user, name, digest, bytes, shared, ...(labels === undefined ? {} : { labels }) }),
    );
    return { user, name, digest, bytes, files, converted, already, position };
  } catch (error) {
    if (error instanceof ArchiveRefusal) throw new Failure("usage", `Cannot pack "${path}": ${error.message}`);
    throw error;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

interface Packed {
  readonly file: string;
  readonly digest: string;
  readonly bytes: number;
  readonly files: Summary;
  readonly converted: Pick<Converted, "image" | "notes"> | undefined;
}

async function pack(path: string, place: string, oci: boolean): Promise<Packed> {
  const file = join(place, "package");
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Failure("usage", `Cannot find "${path}"`, "name a directory or a tar");
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(bytes > PACKED_BYTES_MAX ? new ArchiveRefusal(`it has more than ${bytesText(PACKED_BYTES_MAX)}, compressed`) : null, chunk);
    },
  });
  const converted = oci ? await fromImage(path, place, counted, file) : undefined;
  const files = converted?.summary ?? (await (found.isDirectory() ? fromDirectory : fromTar)(path, counted, file));
  return { file, digest: hash.digest("hex"), bytes, files, converted };
}

/** Processors, as images call them. */
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([["x64", "amd64"]]);

/** The image for the processor of this machine. */
async function fromImage(path: string, place: string, counted: Transform, file: string): Promise<Converted> {
  const [{ convertImage }, { openImage }, { IMAGE_BOUNDS }] = await Promise.all([
    import("../archive/image/convert.ts"),
    import("../archive/image/source.ts"),
    import("../archive/image/bounds.ts"),
  ]);
  const source = await openImage(path, join(place, "image"), IMAGE_BOUNDS);
  const converted = await convertImage(source, { architecture: ARCHITECTURES.get(arch()) ?? arch() });
  await pipeline(converted.tar(), compressor(), counted, createWriteStream(file, { mode: 0o600 }));
  return converted;
}

async function fromDirectory(path: string, counted: Transform, file: string): Promise<Summary> {
  const { entries, summary } = await listTree(path);
  if (entries.length === 0) throw new ArchiveRefusal("there is nothing in it");
  await pipeline(tarOf(path, entries), compressor(), counted, createWriteStream(file, { mode: 0o600 }));
  return summary;
}

/** Read as a borglet will read it, so that what would be refused there is refused here. */
async function fromTar(path: string, counted: Transform, file: string): Promise<Summary> {
  const reader = new TarReader({ entry: () => {}, data: () => {} });
  const checked = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      try {
        reader.push(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeline(await decompressed(path), checked, compressor(), counted, createWriteStream(file, { mode: 0o600 }));
  return reader.end();
}

async function decompressed(path: string): Promise<Readable> {
  const file = await open(path, "r");
  const first = Buffer.alloc(ZSTD.length);
  await file.read(first, 0, first.length, 0).finally(() => file.close());
  const begins = (magic: readonly number[]): boolean => magic.every((byte, i) => first[i] === byte);
  const bytes = createReadStream(path);
  const tar = begins(ZSTD) ? createZstdDecompress() : begins(GZIP) ? createGunzip() : undefined;
  if (tar === undefined) return bytes;
  bytes.on("error", (error) => tar.destroy(error));
  return bytes.pipe(tar);
}

/** The cell says after each piece where the next one begins; when it has them all, it has verified them. */
async function upload(context: Context, { file, digest, bytes }: Packed): Promise<void> {
  const source = await open(file, "r");
  try {
    let { received, kept } = await context.ask((client) => client.uploadPackage({ digest, bytes }));
    // Each call that is not the last takes one piece: more of them mean that somebody sends the same package under the same name of a user.
    for (let calls = 0; !kept; calls++) {
      if (calls > 2 * (bytes / PIECE_BYTES + 1))
        throw new Failure("refused", "Cannot push: the same package is being pushed by somebody else; try again");
      const data = new Uint8Array(Math.min(PIECE_BYTES, bytes - received));
      await source.read(data, 0, data.length, received);
      const offset = received;
      ({ received, kept } = await context.ask((client) => client.uploadPackage({ digest, bytes, offset, data })));
    }
  } finally {
    await source.close();
  }
}
