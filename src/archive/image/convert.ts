/**
 * An image as a package: its layers merged into one tree under `root/`, and beside it what it says of how it is run. Nothing is unpacked on the way: the layers are read twice, once for
 * their names and once for the contents that are left. The same image gives the same bytes, whatever it came in.
 */
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "../bounds.ts";
import { IMAGE_FILE, IMAGE_ROOT, imageText } from "../image-config.ts";
import { linkProblem, partsOf } from "../paths.ts";
import { refuse, shown } from "../refusal.ts";
import type { RawTaker } from "../tar-blocks.ts";
import type { Summary } from "../tar-reader.ts";
import { headerOf, paddingAfter, TAR_END, type Written } from "../tar-writer.ts";
import { IMAGE_BOUNDS, type ImageBounds } from "./bounds.ts";
import { readLayer } from "./layer.ts";
import { relativeLink } from "./links.ts";
import { type Image, readManifest } from "./manifest.ts";
import { notesOn } from "./notes.ts";
import type { ImageSource } from "./source.ts";
import { type Contents, type Directory, ImageTree } from "./tree.ts";

export interface Converted {
  readonly image: Image;
  /** What a job from this image will miss, in sentences. */
  readonly notes: readonly string[];
  readonly summary: Summary;
  /** The package's tar. */
  tar(): AsyncGenerator<Uint8Array>;
}

export interface ConvertOptions {
  /** In the words of images: amd64, arm64. */
  readonly architecture: string;
  readonly image?: ImageBounds;
  readonly archive?: ArchiveBounds;
}

/** Throws an ArchiveRefusal for an image that is not taken. */
export async function convertImage(source: ImageSource, options: ConvertOptions): Promise<Converted> {
  const { architecture, image: bounds = IMAGE_BOUNDS, archive = ARCHIVE_BOUNDS } = options;
  const image = await readManifest(source, architecture, bounds);
  const tree = new ImageTree(archive);
  let [entries, bytesLeft] = [0, bounds.bytes];
  for (const [number, layer] of image.layers.entries()) {
    let order = 0;
    const take: RawTaker = {
      entry: (header) => {
        entries += 1;
        if (entries > bounds.entries) refuse(`the image's layers have more than ${bounds.entries} entries`);
        tree.take(header, number, order++);
      },
      data: () => {},
    };
    let read = 0;
    for await (const bytes of readLayer(source, layer, bytesLeft, take)) read = bytes;
    bytesLeft -= read;
  }
  // As others do: where the program starts is there, though no layer brought it.
  if (image.config.directory.startsWith("/")) tree.enter(partsOf(image.config.directory.slice(1), archive), image.layers.length);
  const listed = new Listing(tree, imageText(image.config), archive);
  return { image, notes: notesOn(image, tree), summary: listed.summary, tar: () => tarOf(source, image, listed) };
}

/** What is left in the end, in an order of its own: directories, files as their layers have them, links, further names. */
class Listing {
  readonly text: Uint8Array;
  readonly directories: Written[] = [{ ...PLAIN, path: IMAGE_ROOT, type: "directory" }];
  readonly symlinks: Written[] = [];
  /** Of the same contents, the first name in the order of names comes first. */
  readonly files = new Map<Contents, string[]>();
  readonly summary: Summary;

  constructor(tree: ImageTree, text: string, bounds: ArchiveBounds) {
    this.text = Buffer.from(text);
    this.#list(tree, tree.root, [], bounds);
    let [entries, bytes] = [1 + this.directories.length + this.symlinks.length, this.text.length];
    for (const [{ size }, names] of this.files) {
      entries += names.length;
      bytes += size;
    }
    if (entries > bounds.entries) refuse(`The image has more than ${bounds.entries} files, directories and links`);
    if (bytes > bounds.bytes) refuse(`The image has more than ${bounds.bytes} bytes of files`);
    this.summary = { entries, bytes };
  }

  #list(tree: ImageTree, directory: Directory, above: readonly string[], bounds: ArchiveBounds): void {
    const names = [...directory.children.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const name of names) {
      const node = directory.children.get(name)!;
      const parts = [...above, name];
      const path = partsOf([IMAGE_ROOT, ...parts].join("/"), bounds).join("/");
      if (node.kind === "directory") {
        this.directories.push({ ...PLAIN, path, type: "directory" });
        this.#list(tree, node, parts, bounds);
      } else if (node.kind === "file") {
        this.files.set(node.contents, [...(this.files.get(node.contents) ?? []), path]);
      } else {
        const target = relativeLink(tree, above, node.target);
        const problem = linkProblem([IMAGE_ROOT, ...above], target, bounds);
        if (problem !== undefined) refuse(`Link ${shown(parts.join("/"))} to ${shown(node.target)} ${problem}`);
        this.symlinks.push({ ...PLAIN, path, type: "symlink", target });
      }
    }
  }
}

const PLAIN = { executable: false, size: 0, target: "" } as const;

async function* tarOf(source: ImageSource, image: Image, listed: Listing): AsyncGenerator<Uint8Array> {
  const { text, directories, symlinks, files } = listed;
  yield headerOf({ ...PLAIN, path: IMAGE_FILE, type: "file", size: text.length });
  yield text;
  yield paddingAfter(text.length);
  for (const directory of directories) yield headerOf(directory);
  for (const number of image.layers.keys()) yield* filesOf(source, image, number, files);
  for (const symlink of symlinks) yield headerOf(symlink);
  const further = [...files].flatMap(([{ executable }, [target = "", ...names]]) =>
    names.map((path): Written => ({ path, type: "hardlink", executable, size: 0, target })),
  );
  for (const name of further.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))) yield headerOf(name);
  yield TAR_END;
}

/** The contents that are left of one layer. */
async function* filesOf(source: ImageSource, image: Image, number: number, files: Listing["files"]): AsyncGenerator<Uint8Array> {
  const here = [...files].filter(([{ layer }]) => layer === number);
  const wanted = new Map(here.map(([contents, [path = ""]]) => [contents.order, { contents, path }]));
  if (wanted.size === 0) return;
  const out: Uint8Array[] = [];
  let [order, left, whole] = [0, 0, 0];
  const take: RawTaker = {
    entry: ({ size }) => {
      const found = wanted.get(order++);
      left = found === undefined ? 0 : size;
      whole = left;
      if (found === undefined) return;
      if (found.contents.size !== size) refuse("it changed while it was read: try again");
      out.push(headerOf({ path: found.path, type: "file", executable: found.contents.executable, size, target: "" }));
    },
    data: (bytes) => {
      if (left === 0) return;
      left -= bytes.length;
      out.push(bytes);
      if (left === 0) out.push(paddingAfter(whole));
    },
  };
  for await (const _ of readLayer(source, image.layers[number]!, Number.POSITIVE_INFINITY, take)) yield* out.splice(0);
  yield* out.splice(0);
}
