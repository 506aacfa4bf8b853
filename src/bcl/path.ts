/** Paths of imports. They are relative to the importing file, and there is no way out of the project's root. */
import { ok, type Result, refused } from "../base/result.ts";

const LENGTH_MAX = 1024;

/** The path from the root of what `from` calls `path`. */
export function resolvePath(from: string, path: string): Result<string> {
  if (path === "") return refused("Expected the path of a file, found none");
  if (path.length > LENGTH_MAX) return refused("Path is too long");
  if (path.includes("\\") || path.includes("\0") || path.includes("//")) return refused("Expected a path with single / between its parts");
  if (path.startsWith("/")) return refused("Cannot import an absolute path: imports are relative to the file that has them");
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return refused("Cannot import from outside the project");
  }
  const name = parts.at(-1) ?? "";
  if (!name.endsWith(".bcl") && !name.endsWith(".json"))
    return refused('Cannot import this kind of file: expected a name that ends in ".bcl" or ".json"');
  return ok(parts.join("/"));
}
