/**
 * Reads a tar as its bytes come: ustar, extended (pax) and GNU long names. It hands on only entries that stay inside the tree and within their bounds, and
 * refuses everything else in words; after a refusal nothing more comes. It keeps names, never contents, and touches no file.
 */
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "./bounds.ts";
import { type EntryType, linkProblem, partsOf, Tree } from "./paths.ts";
import { refuse, shown } from "./refusal.ts";
import { BLOCK, type Header, isZero, readHeader, readPax, textOf } from "./tar-header.ts";

export interface Entry {
  /** Its parts joined by "/": never absolute, never with "..". */
  readonly path: string;
  readonly type: EntryType;
  readonly executable: boolean;
  /** Of a file; its bytes follow. */
  readonly size: number;
  /** Of a link: as it is written for a symbolic one, a path of the tree for a hard one. */
  readonly target: string;
}

export interface EntryTaker {
  /** `above`: directories that were not named and have to be there first. */
  entry(entry: Entry, above: readonly string[]): void;
  /** Of the file that came last, never empty. */
  data(bytes: Uint8Array): void;
}

export interface Summary {
  readonly entries: number;
  /** Of all files together. */
  readonly bytes: number;
}

const TYPES: ReadonlyMap<string, EntryType> = new Map<string, EntryType>([
  ["0", "file"],
  ["\0", "file"],
  ["7", "file"],
  ["5", "directory"],
  ["2", "symlink"],
  ["1", "hardlink"],
]);
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["3", "a character device"],
  ["4", "a block device"],
  ["6", "a fifo"],
  ["S", "a sparse file"],
]);
/** What says more about the entry that follows: extended headers, and GNU's long path and long target. */
const EXTRAS: ReadonlySet<string> = new Set(["x", "g", "L", "K"]);
const SET_ID = 0o6000;
const ANYBODY_RUNS = 0o111;

type State =
  | { readonly at: "header" }
  | { readonly at: "data"; left: number; padding: number }
  | { readonly at: "extra"; readonly type: string; readonly bytes: Uint8Array; filled: number; padding: number }
  | { readonly at: "padding"; left: number }
  | { readonly at: "end"; zeros: number };

export class TarReader {
  readonly #take: EntryTaker;
  readonly #bounds: ArchiveBounds;
  readonly #tree = new Tree();
  readonly #block = new Uint8Array(BLOCK);
  #filled = 0;
  #state: State = { at: "header" };
  /** Said about the next entry. */
  #extra = new Map<string, string>();
  #extraBytes = 0;
  #entries = 0;
  #bytes = 0;

  constructor(take: EntryTaker, bounds: ArchiveBounds = ARCHIVE_BOUNDS) {
    this.#take = take;
    this.#bounds = bounds;
  }

  /** Throws an ArchiveRefusal. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) at += this.#step(chunk.subarray(at));
  }

  /** Nothing more comes. Throws an ArchiveRefusal when that is too early. */
  end(): Summary {
    if (this.#state.at !== "end" || this.#state.zeros < 2) refuse("The archive ends too early: it was cut off");
    return { entries: this.#entries, bytes: this.#bytes };
  }

  /** Answers how many bytes it took: at least one. */
  #step(bytes: Uint8Array): number {
    const state = this.#state;
    switch (state.at) {
      case "header":
      case "end":
        return this.#fillBlock(bytes);
      case "data": {
        const taken = Math.min(state.left, bytes.length);
        this.#take.data(bytes.subarray(0, taken));
        state.left -= taken;
        if (state.left === 0) this.#pad(state.padding);
        return taken;
      }
      case "extra": {
        const taken = Math.min(state.bytes.length - state.filled, bytes.length);
        state.bytes.set(bytes.subarray(0, taken), state.filled);
        state.filled += taken;
        if (state.filled === state.bytes.length) this.#learn(state.type, state.bytes, state.padding);
        return taken;
      }
      case "padding": {
        const taken = Math.min(state.left, bytes.length);
        state.left -= taken;
        if (state.left === 0) this.#state = { at: "header" };
        return taken;
      }
    }
  }

  #fillBlock(bytes: Uint8Array): number {
    const taken = Math.min(BLOCK - this.#filled, bytes.length);
    this.#block.set(bytes.subarray(0, taken), this.#filled);
    this.#filled += taken;
    if (this.#filled < BLOCK) return taken;
    this.#filled = 0;
    const zero = isZero(this.#block);
    if (this.#state.at === "end") {
      if (!zero) refuse("Something follows the archive's end");
      this.#state.zeros += 1;
    } else if (zero) {
      if (this.#extra.size > 0) refuse("The archive ends where an entry was announced");
      this.#state = { at: "end", zeros: 1 };
    } else {
      this.#header(readHeader(this.#block));
    }
    return taken;
  }

  #header(header: Header): void {
    if (EXTRAS.has(header.type)) return this.#beginExtra(header);
    const extra = this.#extra;
    this.#extra = new Map();
    this.#extraBytes = 0;
    const path = extra.get("path") ?? header.path;
    const type = TYPES.get(header.type);
    if (type === undefined) {
      const what = REFUSED.get(header.type) ?? `of the unknown kind ${shown(header.type)}`;
      refuse(`Entry ${shown(path)} is ${what}: a package has files, directories and links`);
    }
    const size = sizeOf(extra.get("size"), header.size);
    // Old archives tell a directory by its name.
    const isOldDirectory = type === "file" && path.endsWith("/");
    this.#entry(path, isOldDirectory ? "directory" : type, header.mode, size, extra.get("linkpath") ?? header.link);
  }

  #beginExtra({ type, size }: Header): void {
    this.#extraBytes += BLOCK + size;
    if (size === 0 || this.#extraBytes > this.#bounds.extraBytes)
      refuse(`An extended header has ${size} bytes: expected 1 to ${this.#bounds.extraBytes} for an entry`);
    this.#state = { at: "extra", type, bytes: new Uint8Array(size), filled: 0, padding: paddingOf(size) };
  }

  #learn(type: string, bytes: Uint8Array, padding: number): void {
    if (type === "g") refuseGlobal(readPax(bytes));
    else if (type === "x") for (const [key, value] of readPax(bytes)) this.#extra.set(key, value);
    else this.#extra.set(type === "L" ? "path" : "linkpath", textOf(bytes.subarray(0, endOf(bytes))));
    this.#pad(padding);
  }

  #entry(path: string, type: EntryType, mode: number, size: number, link: string): void {
    const bounds = this.#bounds;
    const parts = partsOf(path, bounds);
    if (type !== "file" && size !== 0) refuse(`Entry ${shown(path)} has contents, but is no file`);
    if ((mode & SET_ID) !== 0) refuse(`Entry ${shown(path)} is setuid or setgid: take that away (chmod a-s)`);
    if (parts.length === 0 && type === "directory") return this.#pad(0);
    if (parts.length === 0) refuse("An entry has no name");
    this.#entries += 1;
    this.#bytes += size;
    if (this.#entries > bounds.entries) refuse(`The archive has more than ${bounds.entries} entries`);
    if (this.#bytes > bounds.bytes) refuse(`The archive has more than ${bounds.bytes} bytes of files`);
    const target = this.#target(parts, type, link);
    const above = this.#tree.add(parts, type === "hardlink" ? "file" : type);
    if (this.#tree.size > bounds.entries) refuse(`The archive has more than ${bounds.entries} entries, with the directories on the way`);
    this.#state = size === 0 ? { at: "header" } : { at: "data", left: size, padding: paddingOf(size) };
    this.#take.entry({ path: parts.join("/"), type, executable: (mode & ANYBODY_RUNS) !== 0, size, target }, above);
  }

  #target(parts: readonly string[], type: EntryType, link: string): string {
    if (type === "symlink") {
      const problem = linkProblem(parts.slice(0, -1), link, this.#bounds);
      return problem === undefined ? link : refuse(`Link ${shown(parts.join("/"))} to ${shown(link)} ${problem}`);
    }
    if (type !== "hardlink") return "";
    const target = partsOf(link, this.#bounds).join("/");
    return this.#tree.typeAt(target) === "file"
      ? target
      : refuse(`Entry ${shown(parts.join("/"))} is another name of ${shown(link)}, which is no earlier file of the archive`);
  }

  #pad(left: number): void {
    this.#state = left === 0 ? { at: "header" } : { at: "padding", left };
  }
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const endOf = (bytes: Uint8Array): number => {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes.length : end;
};

function sizeOf(said: string | undefined, size: number): number {
  if (said === undefined) return size;
  const value = /^[0-9]{1,16}$/.test(said) ? Number(said) : Number.NaN;
  return Number.isSafeInteger(value) ? value : refuse(`An extended header gives the size ${shown(said)}`);
}

/** Said of all entries that follow: of paths and sizes that makes no sense. */
function refuseGlobal(records: ReadonlyMap<string, string>): void {
  const [key] = records.keys();
  if (key !== undefined) refuse(`A header for all entries gives them one ${key}`);
}
