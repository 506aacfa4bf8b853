/**
 * Files of a task, read for its owner while the task goes on changing them. It walks by open descriptors and through no link, so a directory that is swapped
 * meanwhile leads it nowhere else; and it reads only regular files that are the task's own, so another name of somebody else's file tells nothing.
 */
import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync, readSync, type Stats } from "node:fs";
import { make } from "../../wire/codec.ts";
import { type FileEntry, FileEntrySchema, FileKind } from "../../wire/gen/borg/v1/link_pb.ts";
import type { FilePiece } from "../machine.ts";

/** A pipe must not be waited for. */
const LOOK = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Names in one answer; the answer says when there are more. */
const ENTRIES_MAX = 1000;

const NONE: FilePiece = { missing: true, problem: "There is no such file" };
const CLOSED: FilePiece = { missing: false, problem: "It cannot be read" };
const FOREIGN: FilePiece = { missing: false, problem: "It is not a file of the task's own" };
const ODD: FilePiece = { missing: false, problem: "Only regular files and directories are read; links are not followed" };

/** `root`: the task's directory; its owner is the task's user. */
export function readTaskFile(root: string, parts: readonly string[], offset: number, bytesMax: number): FilePiece {
  const opened: number[] = [];
  try {
    let fd = openSync(root, LOOK | constants.O_DIRECTORY);
    opened.push(fd);
    const top = fstatSync(fd);
    for (const [i, part] of parts.entries()) {
      fd = openSync(`/proc/self/fd/${fd}/${part}`, i < parts.length - 1 ? LOOK | constants.O_DIRECTORY : LOOK);
      opened.push(fd);
    }
    const stat = fstatSync(fd);
    if (!stat.isDirectory() && !stat.isFile()) return ODD;
    if (stat.uid !== top.uid || stat.dev !== top.dev) return FOREIGN;
    return stat.isDirectory() ? listed(fd) : piece(fd, stat, offset, bytesMax);
  } catch (error) {
    return refusalOf((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function refusalOf(code: string): FilePiece {
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return NONE;
  // Links and sockets.
  return code === "ELOOP" || code === "ENXIO" ? ODD : CLOSED;
}

function piece(fd: number, { size }: Stats, offset: number, bytesMax: number): FilePiece {
  const data = new Uint8Array(Math.max(0, Math.min(bytesMax, size - offset)));
  const count = data.length === 0 ? 0 : readSync(fd, data, 0, data.length, offset);
  return { kind: FileKind.FILE, bytes: size, data: data.subarray(0, count) };
}

/** Of a directory with more names than one answer holds only those that came first are looked at. */
function listed(fd: number): FilePiece {
  // Latin letters stand for bytes: a name need not be UTF-8.
  const names = opendirSync(`/proc/self/fd/${fd}`, { encoding: "latin1" });
  const entries: FileEntry[] = [];
  let more = false;
  try {
    for (let found = names.readSync(); found !== null && !more; found = names.readSync()) {
      more = entries.length >= ENTRIES_MAX;
      const entry = more ? undefined : entryAt(fd, Buffer.from(found.name, "latin1"));
      if (entry !== undefined) entries.push(entry);
    }
  } finally {
    names.closeSync();
  }
  return { kind: FileKind.DIRECTORY, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), more };
}

/** Undefined: it is gone meanwhile. */
function entryAt(fd: number, name: Buffer): FileEntry | undefined {
  const stat = lstatSync(Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]), { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const modifiedMs = Math.max(0, Math.floor(stat.mtimeMs));
  return make(FileEntrySchema, { name: name.toString("utf8"), kind: kindOf(stat), bytes: stat.isFile() ? stat.size : 0, modifiedMs });
}

function kindOf(stat: Stats): FileKind {
  if (stat.isFile()) return FileKind.FILE;
  if (stat.isDirectory()) return FileKind.DIRECTORY;
  return stat.isSymbolicLink() ? FileKind.LINK : FileKind.OTHER;
}
