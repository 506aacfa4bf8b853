/**
 * An image as the root of a task: its files are bound read-only, each at the top of a root that bubblewrap makes, so that nothing in the image decides where the jail's own places are.
 * A path inside is followed by names through the image alone, and what is bound over it is bound where no link is part of the way.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { IMAGE_FILE, IMAGE_FILE_BYTES_MAX, IMAGE_ROOT, type ImageConfig, readImage } from "../../archive/image-config.ts";
import type { JailFile } from "./jail.ts";

/** At the image's top, and in a directory that gets one more file; with more it is refused. */
const ENTRIES_MAX = 2000;
const HOPS_MAX = 40;
/** The jail's own, whatever an image has there. */
const OURS: ReadonlySet<string> = new Set(["proc", "dev", "sys", "tmp", "borg"]);
const RESOLV_CONF = "/etc/resolv.conf";
/** What a task finds as the machine has it, unless its job brings its own. */
const FROM_HOST = [RESOLV_CONF, "/etc/hosts"] as const;
const IS_FULL = `more than ${ENTRIES_MAX} entries`;

export interface TaskImage {
  /** Where its files are on the host. */
  readonly root: string;
  readonly config: ImageConfig;
}

/** Of a package's tree. Throws, in words, when the package is no image. */
export function taskImage(tree: string, name: string): TaskImage {
  const root = join(tree, IMAGE_ROOT);
  if (
    lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true ||
    lstatSync(join(tree, IMAGE_FILE), { throwIfNoEntry: false }) === undefined
  )
    throw new Error(`Package "${name}" is no image: borg package push ${name} --oci makes one`);
  const fd = openSync(join(tree, IMAGE_FILE), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(fd);
    if (size > IMAGE_FILE_BYTES_MAX) throw new Error(`The configuration of image "${name}" is longer than ${IMAGE_FILE_BYTES_MAX} bytes`);
    const bytes = Buffer.alloc(size);
    readSync(fd, bytes, 0, size, 0);
    return { root, config: readImage(bytes.toString("utf8")) };
  } finally {
    closeSync(fd);
  }
}

/** The image's own files. */
export function imageBinds(root: string): string[] {
  return namesIn(root, "/")
    .filter((name) => !OURS.has(name))
    .flatMap((name) => bindAsIs(join(root, name), `/${name}`));
}

/** What is put over the image, where the links of the image lead. `resolver`: in place of the machine's resolv.conf, where there is one. Directories that get a new name are put together anew, the outer ones first. */
export function imageFiles(root: string, files: readonly JailFile[], resolver = ""): string[] {
  const own = new Set(files.map(({ path }) => path));
  const placed = [
    ...files.map(({ source, path }) => ({ source, parts: placeOf(root, path, source) ?? refuseTaken(path) })),
    ...FROM_HOST.filter((path) => !own.has(path)).flatMap((path) =>
      fromHost(root, path, path === RESOLV_CONF && resolver !== "" ? resolver : path),
    ),
  ];
  const anew = new Set(placed.flatMap(({ parts }) => growing(root, parts)));
  const directories = [...anew].sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  return [
    ...directories.flatMap((directory) => ["--tmpfs", directory, ...contentsOf(root, directory)]),
    ...placed.flatMap(({ source, parts }) => ["--ro-bind", source, `/${parts.join("/")}`]),
    ...directories.flatMap((directory) => ["--remount-ro", directory]),
  ];
}

interface Placed {
  readonly source: string;
  readonly parts: readonly string[];
}

function fromHost(root: string, path: string, from: string): Placed[] {
  try {
    const source = realpathSync(from);
    const parts = placeOf(root, path, source);
    return parts === undefined ? [] : [{ source, parts }];
  } catch {
    // The host has none, or the image has something else there.
    return [];
  }
}

function refuseTaken(path: string): never {
  throw new Error(`Cannot put a file at "${path}": that is not the task's`);
}

/** Where a path really is, as parts without a link; undefined: in what is the jail's own. */
function placeOf(root: string, path: string, source: string): readonly string[] | undefined {
  const parts = resolved(root, path);
  const [top] = parts;
  if (top === undefined || OURS.has(top)) return undefined;
  const found = lstatSync(join(root, ...parts), { throwIfNoEntry: false });
  if (found !== undefined && found.isDirectory() !== lstatSync(source).isDirectory())
    throw new Error(`Cannot put a ${found.isDirectory() ? "file" : "directory"} at "${path}": the image has another kind of thing there`);
  return parts;
}

function resolved(root: string, path: string): string[] {
  const way: string[] = [];
  const left = partsOf(path).reverse();
  for (let hops = 0; left.length > 0; ) {
    const part = left.pop()!;
    if (part === "..") {
      way.pop();
      continue;
    }
    // What the image has there is not seen.
    if (way.length === 0 && OURS.has(part)) return [part];
    const stat = lstatSync(join(root, ...way, part), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) {
      if (stat?.isFile() === true && left.length > 0) throw new Error(`Cannot put a file at "${path}": the image has a file on the way`);
      way.push(part);
      continue;
    }
    hops += 1;
    if (hops > HOPS_MAX) throw new Error(`Cannot put a file at "${path}": the image has a circle of links there`);
    const target = readlinkSync(join(root, ...way, part));
    if (target.startsWith("/")) way.length = 0;
    left.push(...partsOf(target).reverse());
  }
  return way;
}

/** Where the image's own links lead. */
export const hasFile = (root: string, path: string): boolean =>
  lstatSync(join(root, ...resolved(root, path)), { throwIfNoEntry: false })?.isFile() ?? false;

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** The directory of the image that would have to hold a new name; none when it is there, or at the top, which is bubblewrap's. */
function growing(root: string, parts: readonly string[]): string[] {
  const there = (some: readonly string[]): boolean => lstatSync(join(root, ...some), { throwIfNoEntry: false }) !== undefined;
  if (there(parts)) return [];
  let above = parts.slice(0, -1);
  while (above.length > 0 && !there(above)) above = above.slice(0, -1);
  return above.length === 0 ? [] : [`/${above.join("/")}`];
}

const contentsOf = (root: string, directory: string): string[] =>
  namesIn(join(root, directory), directory).flatMap((name) => bindAsIs(join(root, directory, name), join(directory, name)));

function namesIn(directory: string, called: string): string[] {
  const names = readdirSync(directory).sort();
  if (names.length > ENTRIES_MAX) throw new Error(`Cannot use the image: "${called}" has ${IS_FULL}`);
  return names;
}

/** A link stays a link. */
const bindAsIs = (source: string, path: string): string[] =>
  lstatSync(source).isSymbolicLink() ? ["--symlink", readlinkSync(source), path] : ["--ro-bind", source, path];
