/** Paths of imports and of read(). They are relative to the file that has them, and there is no way out of the project's root. */
import { ok, type Result, refused } from "../base/result.ts";

const LENGTH_MAX = 1024;

/** The path from the root of the file that `from` imports as `path`. */
export function resolvePath(from: string, path: string): Result<string> {
  const found = pathInside(from, path, "import");
  if (!found.ok || found.value.endsWith(".bcl") || found.value.endsWith(".json")) return found;
  return refused('Cannot import this kind of file: expected a name that ends in ".bcl" or ".json"');
}

/** The path from the root of what `from` calls `path`, whatever kind of file it is. */
export function pathInside(from: string, path: string, verb: "import" | "read"): Result<string> {
  if (path === "") return refused("Expected the path of a file, found none");
  if (path.length > LENGTH_MAX) return refused("Path is too long");
  if (path.includes("\\") || path.includes("\0") || path.includes("//")) return refused("Expected a path with single / between its parts");
  if (path.startsWith("/")) return refused(`Cannot ${verb} an absolute path: paths are relative to the file that has them`);
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return refused(`Cannot ${verb} from outside the project`);
  }
  return parts.length === 0 ? refused("Expected the path of a file, found that of the project") : ok(parts.join("/"));
}
