/** Images made by tests: layers as tars with whatever is in them, and the documents around them as OCI layouts and docker save have them. */
import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { BLOCK, sumOf } from "../tar-header.ts";
import { paddingAfter, TAR_END } from "../tar-writer.ts";
import type { ImageSource } from "./source.ts";

export interface Made {
  readonly path: string;
  /** The letter of a tar: "0" file, "1" hard link, "2" link, "3" device, "5" directory. */
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  readonly content?: string | Uint8Array;
}

export const file = (path: string, content: string | Uint8Array = "", mode = 0o644): Made => ({ path, content, mode });
export const link = (path: string, to: string): Made => ({ path, type: "2", link: to });
export const same = (path: string, as: string): Made => ({ path, type: "1", link: as });
export const directory = (path: string): Made => ({ path, type: "5", mode: 0o755 });

export const tar = (...entries: readonly Made[]): Buffer => Buffer.concat([...entries.map(entry), TAR_END]);

const NAME_BYTES = 100;

function entry({ path, type = "0", mode = 0o644, link: target = "", content = "" }: Made): Buffer {
  const data = Buffer.from(content);
  const long = Buffer.byteLength(path) > NAME_BYTES ? entry({ path: "long", type: "L", content: `${path}\0` }) : Buffer.alloc(0);
  const bytes = Buffer.alloc(BLOCK);
  bytes.write(path, 0, NAME_BYTES);
  bytes.write(mode.toString(8).padStart(7, "0"), 100);
  bytes.write(data.length.toString(8).padStart(11, "0"), 124);
  bytes.write(type, 156, "latin1");
  bytes.write(target, 157);
  bytes.write("ustar\x0000", 257, "latin1");
  bytes.write(`${sumOf(bytes).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([long, bytes, data, paddingAfter(data.length)]);
}

const hex = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export type Files = Map<string, Buffer>;
type Pack = "plain" | "gzip" | "zstd";
const packed = (layer: Buffer, how: Pack): Buffer => (how === "gzip" ? gzipSync(layer) : how === "zstd" ? zstdCompressSync(layer) : layer);

export interface ImageOptions {
  readonly config?: object;
  readonly architecture?: string;
  readonly os?: string;
}

const configOf = (layers: readonly Buffer[], { config = {}, architecture = "amd64", os = "linux" }: ImageOptions): Buffer =>
  Buffer.from(
    JSON.stringify({ architecture, os, config, rootfs: { type: "layers", diff_ids: layers.map((each) => `sha256:${hex(each)}`) } }),
  );

/** `platform`: whether the index says it; else it is found in the configuration. */
export function layout(
  layers: readonly Buffer[],
  options: ImageOptions & { readonly pack?: Pack; readonly platform?: object } = {},
): Files {
  const { pack = "gzip", platform } = options;
  const files: Files = new Map([["oci-layout", Buffer.from('{"imageLayoutVersion":"1.0.0"}')]]);
  const blob = (bytes: Buffer): { digest: string; size: number } => {
    files.set(`blobs/sha256/${hex(bytes)}`, bytes);
    return { digest: `sha256:${hex(bytes)}`, size: bytes.length };
  };
  const config = { mediaType: "application/vnd.oci.image.config.v1+json", ...blob(configOf(layers, options)) };
  const descriptors = layers.map((each) => ({ mediaType: "application/vnd.oci.image.layer.v1.tar", ...blob(packed(each, pack)) }));
  const manifest = blob(Buffer.from(JSON.stringify({ schemaVersion: 2, config, layers: descriptors })));
  const one = { mediaType: "application/vnd.oci.image.manifest.v1+json", ...manifest, ...(platform === undefined ? {} : { platform }) };
  files.set("index.json", Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [one] })));
  return files;
}

/** As docker save wrote it for years: layers in directories, the configuration named by its digest. */
export function saved(layers: readonly Buffer[], options: ImageOptions = {}): Files {
  const config = configOf(layers, options);
  const names = layers.map((_, i) => `layer-${i}/layer.tar`);
  const manifest = [{ Config: `${hex(config)}.json`, RepoTags: ["made:1"], Layers: names }];
  return new Map([
    ...layers.map((each, i): [string, Buffer] => [names[i]!, each]),
    [`${hex(config)}.json`, config],
    ["manifest.json", Buffer.from(JSON.stringify(manifest))],
  ]);
}

export const inTar = (files: Files): Buffer => tar(...[...files].map(([path, content]) => file(path, content)));

export const inMemory = (files: Files): ImageSource => ({
  size: (name) => Promise.resolve(files.get(name)?.length),
  async *read(name) {
    // In pieces that no block ends with.
    const bytes = files.get(name)!;
    for (let at = 0; at < bytes.length; at += 1000) yield await Promise.resolve(bytes.subarray(at, at + 1000));
  },
});
