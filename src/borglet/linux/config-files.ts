/**
 * The files of a task's spec. With a jail they lie under numbers and are bound to their paths; without one they lie under a root of their own,
 * made anew for every run, so that nothing a task left behind (a link, say) can lead a write astray. Packages are links there: without a jail
 * only the modes of their files keep tasks of the same user from changing them.
 */
import { chownSync, closeSync, constants, fchmodSync, fchownSync, openSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ConfigFile } from "../../wire/gen/borg/v1/spec_pb.ts";
import { FILE_MODE_DEFAULT } from "../../wire/spec-defaults.ts";
import type { JailFile } from "./jail.ts";
import { makeDirectory } from "./layout.ts";
import { removeOwn } from "./remove.ts";

/** Undefined: the borglet's own user. */
export type Owner = number | undefined;

export function writeNumbered(directory: string, files: readonly ConfigFile[], owner: Owner): JailFile[] {
  removeOwn(directory);
  makeDirectory(directory, 0o711);
  for (const [i, { content, mode }] of files.entries()) writeNew(join(directory, String(i)), content, mode || FILE_MODE_DEFAULT, owner);
  return numbered(directory, files);
}

/** Where they lie since they were written. */
export const numbered = (directory: string, files: readonly ConfigFile[]): JailFile[] =>
  files.map(({ path }, i) => ({ source: join(directory, String(i)), path }));

/** Parts of the paths are names only: the check at the edge lets no "..", no empty part and no relative path through, and neither do we. */
export function writeUnder(root: string, files: readonly ConfigFile[], packages: readonly JailFile[], owner: Owner): void {
  removeOwn(root);
  makeDirectory(root, 0o755);
  for (const { source, path } of packages) symlinkSync(source, placeUnder(root, path));
  for (const { path, content, mode } of files) writeNew(placeUnder(root, path), content, mode || FILE_MODE_DEFAULT, owner);
}

/** Makes the directories above it. */
function placeUnder(root: string, path: string): string {
  const parts = path.split("/").slice(1);
  if (!path.startsWith("/") || parts.some((part) => part === "" || part === "." || part === ".."))
    throw new Error(`Cannot write "${path}": it is no plain path`);
  let directory = root;
  for (const part of parts.slice(0, -1)) {
    directory = join(directory, part);
    makeDirectory(directory, 0o755);
  }
  return join(directory, parts.at(-1)!);
}

/** Never through a link, never over something that is there. */
function writeNew(path: string, content: Uint8Array, mode: number, owner: Owner): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, content);
    if (owner !== undefined) fchownSync(fd, owner, owner);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

/** A directory that belongs to the task. */
export function makeOwn(path: string, owner: Owner): void {
  makeDirectory(path, 0o700);
  if (owner !== undefined) chownSync(path, owner, owner);
}
