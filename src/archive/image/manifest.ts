/** Which layers an image has and what it says of itself: the documents of an OCI layout or of `docker save`, each held to the digest that names it. */
import { createHash } from "node:crypto";
import { type Fields, type ImageConfig, listOf, objectOf, parsed, wordOf, wordsOf } from "../image-config.ts";
import { refuse, shown } from "../refusal.ts";
import type { ImageBounds } from "./bounds.ts";
import type { ImageSource } from "./source.ts";

export interface Layer {
  /** Of the file that holds it. */
  readonly name: string;
  /** Of that file's bytes; undefined: nobody says, and the digest of the contents decides. */
  readonly digest: string | undefined;
  readonly size: number | undefined;
  /** Of its tar, decompressed. */
  readonly contents: string;
}

export interface Image {
  readonly layers: readonly Layer[];
  readonly config: ImageConfig;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly stopSignal: string;
}

const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** Indexes of indexes. */
const DEPTH_MAX = 3;

export async function readManifest(source: ImageSource, architecture: string, bounds: ImageBounds): Promise<Image> {
  const documents = new Documents(source, bounds);
  if ((await source.size("index.json")) !== undefined) return ofLayout(documents, architecture);
  if ((await source.size("manifest.json")) !== undefined) return ofDocker(documents, architecture);
  return refuse('it is no image: there is neither "index.json" (an OCI layout) nor "manifest.json" (docker save) in it');
}

class Documents {
  readonly #source: ImageSource;
  readonly bounds: ImageBounds;

  constructor(source: ImageSource, bounds: ImageBounds) {
    this.#source = source;
    this.bounds = bounds;
  }

  async named(name: string, digest?: string): Promise<unknown> {
    const size = await this.#source.size(name);
    if (size === undefined) refuse(`${shown(name)} is missing`);
    if (size > this.bounds.documentBytes) refuse(`${shown(name)} is larger than ${this.bounds.documentBytes} bytes`);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#source.read(name)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (digest !== undefined) refuseOther(shown(name), digest, createHash("sha256").update(bytes).digest("hex"));
    return parsed(bytes.toString("utf8"), name);
  }

  blob(digest: string): Promise<unknown> {
    return this.named(blobName(digest), hexOf(digest));
  }
}

export function refuseOther(what: string, wanted: string, found: string): void {
  if (wanted !== found)
    refuse(`${what} has the SHA-256 ${found.slice(0, 12)}..., not ${wanted.slice(0, 12)}...: it is damaged, or not what its image names`);
}

function hexOf(digest: unknown): string {
  const hex = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
  return hex ?? refuse(`Digest ${shown(String(digest))} is no "sha256:" and 64 hex digits`);
}

const blobName = (digest: string): string => `blobs/sha256/${hexOf(digest)}`;

interface Choice {
  readonly digest: string;
  readonly platform: string;
}

async function ofLayout(documents: Documents, architecture: string): Promise<Image> {
  const found = await choicesIn(documents, objectOf(await documents.named("index.json"), "index.json"), 0);
  const wanted = `linux/${architecture}`;
  const fitting = new Set(found.filter(({ platform }) => platform === wanted).map(({ digest }) => digest));
  const platforms = [...new Set(found.map(({ platform }) => platform))].sort().join(", ") || "none";
  if (fitting.size === 0) refuse(`it has no image for ${wanted}: there is ${platforms}`);
  if (fitting.size > 1) refuse(`it has ${fitting.size} images for ${wanted}: save one at a time`);
  const [digest = ""] = fitting;
  const manifest = objectOf(await documents.blob(digest), "manifest");
  const config = await documents.blob(wordOf(objectOf(manifest["config"], "config")["digest"], "digest"));
  const layers = listOf(manifest["layers"], "layers").map((each) => objectOf(each, "layer"));
  return imageOf(
    documents.bounds,
    config,
    layers.map(({ digest: named, size }) => ({
      name: blobName(wordOf(named, "digest")),
      digest: hexOf(named),
      size: typeof size === "number" ? size : undefined,
    })),
  );
}

/** An entry of an index that says no platform is asked for its configuration. */
async function choicesIn(documents: Documents, index: Fields, depth: number): Promise<Choice[]> {
  if (depth > DEPTH_MAX) refuse(`its indexes are more than ${DEPTH_MAX} deep`);
  const found: Choice[] = [];
  for (const each of listOf(index["manifests"], "manifests")) {
    const { digest, platform, mediaType } = objectOf(each, "manifests");
    const name = wordOf(digest, "digest");
    const isIndex = /(image\.index|manifest\.list)\./.test(wordOf(mediaType, "mediaType"));
    if (isIndex) found.push(...(await choicesIn(documents, objectOf(await documents.blob(name), "index"), depth + 1)));
    else found.push({ digest: name, platform: platform === undefined ? await platformOf(documents, name) : platformText(platform) });
  }
  return found;
}

async function platformOf(documents: Documents, digest: string): Promise<string> {
  const { config } = objectOf(await documents.blob(digest), "manifest");
  return platformText(await documents.blob(wordOf(objectOf(config, "config")["digest"], "digest")));
}

function platformText(value: unknown): string {
  const { os, architecture } = objectOf(value, "platform");
  return `${wordOf(os, "os")}/${wordOf(architecture, "architecture")}`;
}

const CONFIG_NAME = /(?:^|\/)([0-9a-f]{64})(?:\.json)?$/;

async function ofDocker(documents: Documents, architecture: string): Promise<Image> {
  const all = listOf(await documents.named("manifest.json"), "manifest.json").map((each) => objectOf(each, "manifest.json"));
  const [only, ...more] = all;
  if (only === undefined) refuse("it has no image in it");
  const tags = all.flatMap(({ RepoTags }) => wordsOf(RepoTags, "RepoTags")).join(", ");
  if (more.length > 0) refuse(`it has ${all.length} images (${tags}): save one at a time`);
  const name = wordOf(only["Config"], "Config");
  const config = await documents.named(
    name,
    CONFIG_NAME.exec(name)?.[1] ?? refuse(`Configuration ${shown(name)} is not named by its digest`),
  );
  if (platformText(config) !== `linux/${architecture}`)
    refuse(`it has no image for linux/${architecture}: there is ${platformText(config)}`);
  const layers = wordsOf(only["Layers"], "Layers").map((layer) => ({ name: layer, digest: undefined, size: undefined }));
  return imageOf(documents.bounds, config, layers);
}

function imageOf(bounds: ImageBounds, document: unknown, layers: readonly Omit<Layer, "contents">[]): Image {
  const whole = objectOf(document, "configuration");
  const said = objectOf(whole["config"], "config");
  const contents = wordsOf(objectOf(whole["rootfs"], "rootfs")["diff_ids"], "diff_ids").map(hexOf);
  if (layers.length === 0) refuse("it has no layers");
  if (layers.length > bounds.layers) refuse(`it has ${layers.length} layers: at most ${bounds.layers} are read`);
  if (contents.length !== layers.length) refuse(`it has ${layers.length} layers, but its configuration names ${contents.length}`);
  return {
    layers: layers.map((layer, i) => ({ ...layer, contents: contents[i]! })),
    config: {
      architecture: wordOf(whole["architecture"], "architecture"),
      entrypoint: wordsOf(said["Entrypoint"], "Entrypoint"),
      command: wordsOf(said["Cmd"], "Cmd"),
      environment: wordsOf(said["Env"], "Env").map(variableOf),
      directory: wordOf(said["WorkingDir"], "WorkingDir"),
      user: wordOf(said["User"], "User"),
    },
    ports: Object.keys(objectOf(said["ExposedPorts"], "ExposedPorts")),
    volumes: Object.keys(objectOf(said["Volumes"], "Volumes")),
    stopSignal: wordOf(said["StopSignal"], "StopSignal"),
  };
}

function variableOf(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  return equals < 1 ? refuse(`Variable ${shown(text)} of the image has no key and value`) : [text.slice(0, equals), text.slice(equals + 1)];
}
