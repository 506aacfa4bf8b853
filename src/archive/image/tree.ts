/**
 * The files of an image while its layers come, the lowest first: names only, in memory. A layer adds, replaces and hides (whiteouts). Links are resolved here, inside the
 * image, where there is nothing else to lead to; the tree on a disk is made later, by names that no link is part of.
 */
import type { ArchiveBounds } from "../bounds.ts";
import { partsOf } from "../paths.ts";
import { refuse, shown } from "../refusal.ts";
import type { Header } from "../tar-header.ts";
import { typeOf } from "../tar-reader.ts";

const HIDES = ".wh.";
const HIDES_ALL = ".wh..wh..opq";
/** What one kind of file system left beside its whiteouts: no part of any image. */
const LEFTOVER = ".wh..wh.";
const HOPS_MAX = 40;
const SET_ID = 0o6000;
const ANYBODY_RUNS = 0o111;
/** Of things that are told about. */
const EXAMPLES_MAX = 3;

/** The contents of a file, which may have several names. */
export interface Contents {
  readonly layer: number;
  /** Which entry of the layer brought it. */
  readonly order: number;
  readonly size: number;
  readonly executable: boolean;
}

export interface Directory {
  readonly kind: "directory";
  /** The last layer that said something of it, or of something in it. */
  layer: number;
  readonly children: Map<string, Node>;
}

export type Node =
  | Directory
  | { readonly kind: "file"; readonly layer: number; readonly contents: Contents }
  | { readonly kind: "symlink"; readonly layer: number; readonly target: string };

/** What was left out, how often, and some of their paths. */
export class Tally {
  readonly examples: string[] = [];
  count = 0;

  add(path: string): void {
    this.count += 1;
    if (this.examples.length < EXAMPLES_MAX) this.examples.push(path);
  }
}

export class ImageTree {
  readonly root: Directory = { kind: "directory", layer: 0, children: new Map() };
  /** Devices and the like. */
  readonly skipped = new Tally();
  readonly setId = new Tally();
  readonly #bounds: ArchiveBounds;

  constructor(bounds: ArchiveBounds) {
    this.#bounds = bounds;
  }

  /** The entry of this number of this layer. */
  take(header: Header, layer: number, order: number): void {
    const parts = partsOf(header.path, this.#bounds);
    const type = typeOf(header);
    const name = parts.at(-1);
    if (name === undefined) return type === "directory" ? undefined : refuse("An entry has no name");
    const above = parts.slice(0, -1);
    if (above.some((part) => part.startsWith(HIDES)) || (name.startsWith(LEFTOVER) && name !== HIDES_ALL)) return;
    const into = this.enter(above, layer);
    if (name.startsWith(HIDES)) return this.#hide(into, name, layer);
    if (type === undefined) return this.skipped.add(parts.join("/"));
    if (type !== "file" && header.size !== 0) refuse(`Entry ${shown(header.path)} has contents, but is no file`);
    if (type !== "symlink" && (header.mode & SET_ID) !== 0 && type !== "directory") this.setId.add(parts.join("/"));
    const before = into.children.get(name);
    if (type === "directory" && before?.kind === "directory") before.layer = layer;
    else into.children.set(name, this.#node(type, header, layer, order));
  }

  #node(type: NonNullable<ReturnType<typeof typeOf>>, header: Header, layer: number, order: number): Node {
    if (type === "directory") return { kind: "directory", layer, children: new Map() };
    if (type === "symlink") return { kind: "symlink", layer, target: header.link };
    if (type === "hardlink") return this.#linked(header, layer);
    const executable = (header.mode & ANYBODY_RUNS) !== 0;
    return { kind: "file", layer, contents: { layer, order, size: header.size, executable } };
  }

  /** Another name of what is there, in this layer or in one below. */
  #linked({ path, link }: Header, layer: number): Node {
    const parts = partsOf(link, this.#bounds);
    const into = this.find(parts.slice(0, -1));
    const found = into?.children.get(parts.at(-1) ?? "");
    if (found === undefined || found.kind === "directory")
      refuse(`Entry ${shown(path)} is another name of ${shown(link)}, which is no earlier file of the image`);
    return { ...found, layer };
  }

  /** Whiteouts hide what lower layers brought, wherever in their layer they stand. */
  #hide(into: Directory, name: string, layer: number): void {
    if (name === HIDES_ALL) {
      for (const each of [...into.children.keys()]) removeLower(into, each, layer);
      return;
    }
    const hidden = name.slice(HIDES.length);
    if (hidden === "" || hidden === "." || hidden === "..") refuse(`Whiteout ${shown(name)} hides no name`);
    removeLower(into, hidden, layer);
  }

  /** The directory at this path, made where there is none. */
  enter(parts: readonly string[], layer: number): Directory {
    const found = this.#walk(parts, (into, part) => {
      const made: Directory = { kind: "directory", layer, children: new Map() };
      into.children.set(part, made);
      return made;
    });
    if (found === undefined) refuse(`Path ${shown(parts.join("/"))} goes through what is no directory`);
    for (const each of found) each.layer = layer;
    return found.at(-1) ?? this.root;
  }

  /** The directory at this path, if there is one. */
  find(parts: readonly string[]): Directory | undefined {
    const found = this.#walk(parts, () => undefined);
    return found === undefined ? undefined : (found.at(-1) ?? this.root);
  }

  /** The directories on the way, links followed: "/" is the image's, and nothing is above it. */
  #walk(parts: readonly string[], make: (into: Directory, part: string) => Directory | undefined): Directory[] | undefined {
    const way: Directory[] = [];
    const left = [...parts].reverse();
    for (let hops = 0; left.length > 0; ) {
      const part = left.pop()!;
      if (part === "..") {
        way.pop();
        continue;
      }
      const into = way.at(-1) ?? this.root;
      const child = into.children.get(part) ?? make(into, part);
      if (child === undefined || child.kind === "file") return undefined;
      if (child.kind === "directory") {
        if (way.push(child) > this.#bounds.depth) refuse(`Path ${shown(parts.join("/"))} is deeper than ${this.#bounds.depth} directories`);
        continue;
      }
      hops += 1;
      if (hops > HOPS_MAX) refuse(`Path ${shown(parts.join("/"))} goes through more than ${HOPS_MAX} links`);
      if (child.target.startsWith("/")) way.length = 0;
      left.push(...linkParts(child.target).reverse());
    }
    return way;
  }

  /** Where a path of the image really is, as far as it is there. */
  resolve(parts: readonly string[]): string[] {
    const way: string[] = [];
    const left = [...parts].reverse();
    for (let hops = 0; left.length > 0; ) {
      const part = left.pop()!;
      const child = part === ".." ? undefined : this.find(way)?.children.get(part);
      if (part === "..") way.pop();
      else if (child?.kind !== "symlink" || ++hops > HOPS_MAX) way.push(part);
      else {
        if (child.target.startsWith("/")) way.length = 0;
        left.push(...linkParts(child.target).reverse());
      }
    }
    return way;
  }
}

export const linkParts = (target: string): string[] => target.split("/").filter((part) => part !== "" && part !== ".");

/** Of a directory that this layer made, or put something into, only what is older. */
function removeLower(parent: Directory, name: string, layer: number): void {
  const found = parent.children.get(name);
  if (found === undefined) return;
  if (found.layer < layer) parent.children.delete(name);
  else if (found.kind === "directory") for (const each of [...found.children.keys()]) removeLower(found, each, layer);
}
