/**
 * The manifest: which files belong to the history, and up to which position of the journal they tell it. It is replaced whole, after the files it names are safe
 * on the disk. What it does not name is not there, whatever lies in the directory: a file that was being written when the process died, or that was merged into another.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TableName } from "./tables.ts";

export interface DataFile {
  readonly table: TableName;
  readonly owner: string;
  /** 2030-12-31. */
  readonly day: string;
  readonly name: string;
  readonly rows: number;
}

export interface Manifest {
  readonly format: 1;
  /** Everything up to this entry of the journal is in the files, and nothing after it. */
  readonly position: number;
  /** Of the next file: no name is used twice. */
  readonly next: number;
  readonly files: readonly DataFile[];
}

export const EMPTY: Manifest = { format: 1, position: 0, next: 1, files: [] };

const MANIFEST = "manifest.json";
const TABLES = "tables";

/** Below the directory of the history, as hive partitions. */
export const folderOf = ({ table, owner, day }: Pick<DataFile, "table" | "owner" | "day">): string =>
  join(TABLES, table, `owner=${owner}`, `day=${day}`);
export const pathOf = (file: DataFile): string => join(folderOf(file), file.name);

export function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST);
  if (!existsSync(path)) return EMPTY;
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    if (read.format === 1) return read;
  } catch (cause) {
    throw new Error(`Cannot understand "${path}": it says what the history is made of; put back what it was`, { cause });
  }
  throw new Error(`Cannot read "${path}": it was written by a newer version`);
}

/** Whole or not at all, and safe when this returns. */
export function writeManifest(directory: string, manifest: Manifest): void {
  const temporary = join(directory, `${MANIFEST}.new`);
  const file = openSync(temporary, "w", 0o600);
  try {
    writeSync(file, JSON.stringify(manifest));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(directory, MANIFEST));
  syncDirectory(directory);
}

/** A name in a directory is safe when the directory is. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Makes a folder whose name, and those of all folders above it up to the directory, are safe. */
export function makeFolder(directory: string, folder: string): void {
  if (existsSync(join(directory, folder))) return;
  if (folder !== ".") makeFolder(directory, dirname(folder));
  mkdirSync(join(directory, folder), { mode: 0o755 });
  syncDirectory(dirname(join(directory, folder)));
}

/** Removes what the manifest does not name. Answers how many files went. */
export function sweep(directory: string, manifest: Manifest): number {
  const named = new Set(manifest.files.map(pathOf));
  const root = join(directory, TABLES);
  if (!existsSync(root)) return 0;
  let swept = 0;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1);
    if (!entry.isFile() || named.has(path)) continue;
    rmSync(join(directory, path), { force: true });
    swept += 1;
  }
  return swept;
}
