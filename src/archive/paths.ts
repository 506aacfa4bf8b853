/**
 * Which paths and links an archive may have. Everything stays inside the tree: this is decided by names alone, before anything is written, and holds
 * because no entry lies behind a link and every link climbs only at its beginning.
 */
import type { ArchiveBounds } from "./bounds.ts";
import { refuse, shown } from "./refusal.ts";

export type EntryType = "file" | "directory" | "symlink" | "hardlink";

const CONTROL = /\p{Cc}/u;

/** The parts of a path inside the tree; none for the top itself. */
export function partsOf(path: string, bounds: ArchiveBounds): string[] {
  if (CONTROL.test(path)) refuse(`Path ${shown(path)} has a control character in it`);
  if (path.startsWith("/")) refuse(`Path ${shown(path)} is absolute: an archive has paths inside its own tree`);
  if (Buffer.byteLength(path) > bounds.pathBytes) refuse(`Path ${shown(path)} is longer than ${bounds.pathBytes} bytes`);
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) refuse(`Path ${shown(path)} leads out of the tree`);
  if (parts.length > bounds.depth) refuse(`Path ${shown(path)} is deeper than ${bounds.depth} directories`);
  const long = parts.find((part) => Buffer.byteLength(part) > bounds.nameBytes);
  if (long !== undefined) refuse(`Name ${shown(long)} is longer than ${bounds.nameBytes} bytes`);
  return parts;
}

/** Why a link in this directory (its parts) may not lead there. A link climbs first and then only goes down, so that no other link can make it climb further. */
export function linkProblem(directory: readonly string[], target: string, bounds: ArchiveBounds): string | undefined {
  if (target === "") return "leads nowhere";
  if (CONTROL.test(target)) return "has a control character in it";
  if (Buffer.byteLength(target) > bounds.pathBytes) return `is longer than ${bounds.pathBytes} bytes`;
  if (target.startsWith("/")) return "is absolute";
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const down = parts.findIndex((part) => part !== "..");
  const climbs = down === -1 ? parts.length : down;
  if (climbs > directory.length) return "leads out of the tree";
  return parts.slice(climbs).includes("..") ? "goes down and up again: a link climbs at its beginning only" : undefined;
}

/** What was there so far, so that nothing comes twice and nothing lies behind a link. */
export class Tree {
  readonly #types = new Map<string, EntryType>();

  get size(): number {
    return this.#types.size;
  }

  typeAt(path: string): EntryType | undefined {
    return this.#types.get(path);
  }

  /** Directories on the way come into being with what is in them; answers those that are new, the outermost first. */
  add(parts: readonly string[], type: EntryType): string[] {
    const made: string[] = [];
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join("/");
      const found = this.#types.get(above);
      if (found !== undefined && found !== "directory")
        refuse(`Path ${shown(parts.join("/"))} goes through ${shown(above)}, which is no directory`);
      if (found === undefined) made.push(above);
      this.#types.set(above, "directory");
    }
    const path = parts.join("/");
    const before = this.#types.get(path);
    if (before !== undefined && (before !== "directory" || type !== "directory")) refuse(`Path ${shown(path)} comes twice`);
    this.#types.set(path, type);
    return made;
  }
}
