/**
 * Reads a tar as its bytes come: ustar, extended (pax) and GNU long names. It hands on only entries that stay inside the tree and within their bounds, and
 * refuses everything else in words; after a refusal nothing more comes. It keeps names, never contents, and touches no file.
 */
import { ARCHIVE_BOUNDS, type ArchiveBounds } from "./bounds.ts";
import { type EntryType, linkProblem, partsOf, Tree } from "./paths.ts";
import { refuse, shown } from "./refusal.ts";
import { TarBlocks } from "./tar-blocks.ts";
import type { Header } from "./tar-header.ts";

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
const SET_ID = 0o6000;
const ANYBODY_RUNS = 0o111;

/** Old archives tell a directory by its name. Undefined: of a kind that no package has. */
export function typeOf({ type: letter, path }: Pick<Header, "type" | "path">): EntryType | undefined {
  const type = TYPES.get(letter);
  return type === "file" && path.endsWith("/") ? "directory" : type;
}

/** A kind that no package has, in words. */
export const kindWords = ({ type }: Pick<Header, "type">): string => REFUSED.get(type) ?? `of the unknown kind ${shown(type)}`;

export class TarReader {
  readonly #take: EntryTaker;
  readonly #bounds: ArchiveBounds;
  readonly #tree = new Tree();
  readonly #blocks: TarBlocks;
  #entries = 0;
  #bytes = 0;

  constructor(take: EntryTaker, bounds: ArchiveBounds = ARCHIVE_BOUNDS) {
    this.#take = take;
    this.#bounds = bounds;
    this.#blocks = new TarBlocks({ entry: (header) => this.#header(header), data: (bytes) => take.data(bytes) }, bounds.extraBytes);
  }

  /** Throws an ArchiveRefusal. */
  push(chunk: Uint8Array): void {
    this.#blocks.push(chunk);
  }

  /** Nothing more comes. Throws an ArchiveRefusal when that is too early. */
  end(): Summary {
    this.#blocks.end();
    return { entries: this.#entries, bytes: this.#bytes };
  }

  #header(header: Header): void {
    const { path, mode, size, link } = header;
    const type = typeOf(header);
    if (type === undefined) refuse(`Entry ${shown(path)} is ${kindWords(header)}: a package has files, directories and links`);
    this.#entry(path, type, mode, size, link);
  }

  #entry(path: string, type: EntryType, mode: number, size: number, link: string): void {
    const bounds = this.#bounds;
    const parts = partsOf(path, bounds);
    if (type !== "file" && size !== 0) refuse(`Entry ${shown(path)} has contents, but is no file`);
    if ((mode & SET_ID) !== 0) refuse(`Entry ${shown(path)} is setuid or setgid: take that away (chmod a-s)`);
    if (parts.length === 0 && type === "directory") return;
    if (parts.length === 0) refuse("An entry has no name");
    this.#entries += 1;
    this.#bytes += size;
    if (this.#entries > bounds.entries) refuse(`The archive has more than ${bounds.entries} entries`);
    if (this.#bytes > bounds.bytes) refuse(`The archive has more than ${bounds.bytes} bytes of files`);
    const target = this.#target(parts, type, link);
    const above = this.#tree.add(parts, type === "hardlink" ? "file" : type);
    if (this.#tree.size > bounds.entries) refuse(`The archive has more than ${bounds.entries} entries, with the directories on the way`);
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
}
