/** One short name for what stands in files: with another letter in one of them it is another. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "./usage.ts";

const DIGITS = 16;

/** Of files, and of all programs below directories. Of nothing: an empty word. */
export function digestOf(...paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const hash = createHash("sha256");
  for (const path of paths) for (const file of filesBelow(path)) hash.update(`${file.slice(path.length)}\n`).update(read(file));
  return hash.digest("hex").slice(0, DIGITS);
}

function filesBelow(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.sort().map((name) => join(path, name));
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
}
