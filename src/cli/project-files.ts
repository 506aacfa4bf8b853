/**
 * Reads the files of a BCL project. Paths are walked part by part through open directories, and symbolic links are not followed,
 * so that no link, and no rename while we look, leads out of the project's root.
 */

import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, refused } from "../base/result.ts";
import type { Project } from "../bcl/modules.ts";

/** Larger than any file the language takes; looked at before reading. */
const BYTES_MAX = 1 << 23;

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export function projectFiles(root: string): Project {
  return { read: (path) => readInside(root, path) };
}

function readInside(root: string, path: string): Result<string> {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return refused("not a plain path inside the project");
  const open: number[] = [];
  try {
    open.push(openSync(root, O_RDONLY | O_DIRECTORY));
    parts.forEach((part, i) => {
      const flags = O_RDONLY | O_NOFOLLOW | (i < parts.length - 1 ? O_DIRECTORY : O_NONBLOCK);
      open.push(openSync(join("/proc/self/fd", String(open.at(-1)), part), flags));
    });
    return readOpen(open.at(-1)!);
  } catch (error) {
    return refused(reasonOf(error));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

function readOpen(descriptor: number): Result<string> {
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) return refused("it is not a file");
  if (stat.size > BYTES_MAX) return refused(`it has more than ${BYTES_MAX} bytes`);
  const bytes = readFileSync(descriptor);
  return isUtf8(bytes) ? ok(bytes.toString("utf8")) : refused("it is not UTF-8 text");
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "there is no such file";
  if (code === "ELOOP" || code === "ENOTDIR") return "imports do not follow symbolic links";
  if (code === "EACCES") return "you may not read it";
  if (code === "EISDIR") return "it is a directory";
  return code ?? String(error);
}
