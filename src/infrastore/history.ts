/**
 * The history on the disk: rows become Parquet files, one for each table, owner and day of a batch, and the manifest then names them together with the position
 * they tell up to. So a batch is there with its position, or neither is. Small files are merged, old days go.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { livingSql } from "./living.ts";
import {
  type DataFile,
  folderOf,
  type Manifest,
  makeFolder,
  pathOf,
  readManifest,
  sweep,
  syncDirectory,
  writeManifest,
} from "./manifest.ts";
import type { Placed, Row, TableName } from "./tables.ts";

const DAY_MS = 86_400_000;
/** So many files of one table, owner and day are merged into one. */
const FILES_TO_MERGE = 8;
/** Of one merge; a partition with more is merged in steps. */
const MERGED_ROWS_MAX = 2_000_000;
/** Files that were merged or are too old stay so long for the questions that read them. */
export const GRACE_MS = 120_000;
const OWNER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

export class History {
  readonly directory: string;
  readonly #database: Database;
  readonly #now: () => number;
  #manifest: Manifest;
  /** The last change, failed or not: each begins with what the one before left. */
  #changing: Promise<unknown> = Promise.resolve();
  /** No longer named, and when they go. */
  #leaving: { readonly path: string; readonly atMs: number }[] = [];

  constructor(directory: string, database: Database, now: () => number) {
    this.directory = directory;
    this.#database = database;
    this.#now = now;
    mkdirSync(join(directory, "new"), { recursive: true, mode: 0o700 });
    this.#manifest = readManifest(directory);
    sweep(directory, this.#manifest);
  }

  get position(): number {
    return this.#manifest.position;
  }

  get files(): readonly DataFile[] {
    return this.#manifest.files;
  }

  /** All of these rows, and that everything up to `position` is told; or none of them, and it is not. */
  add(rows: readonly Placed[], position: number): Promise<void> {
    return this.#inTurn(() => this.#add(rows, position));
  }

  async #add(rows: readonly Placed[], position: number): Promise<void> {
    const files: DataFile[] = [];
    let { next } = this.#manifest;
    try {
      for (const part of partsOf(rows)) {
        files.push(await this.#write(part, next));
        next += 1;
      }
      this.#commit({ format: 1, position, next, files: [...this.#manifest.files, ...files] });
    } catch (error) {
      this.#remove(files);
      throw error;
    }
  }

  /** Of a change that failed: a disk that is full needs their room. */
  #remove(files: readonly DataFile[]): void {
    for (const file of files) rmSync(join(this.directory, pathOf(file)), { force: true });
  }

  /** A batch and a merge at once would number their files alike, and the last to end would forget the files of the other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #write({ table, owner, day, rows }: Part, number: number): Promise<DataFile> {
    const file: DataFile = { table, owner, day, name: `${String(number).padStart(9, "0")}.parquet`, rows: rows.length };
    const temporary = join(this.directory, "new", file.name);
    await this.#database.write(table, rows, temporary);
    this.#place(file, temporary);
    return file;
  }

  /** Its bytes are safe before its name is, and both before the manifest names it. */
  #place(file: DataFile, temporary: string): void {
    const written = openSync(temporary, "r+");
    try {
      fsyncSync(written);
    } finally {
      closeSync(written);
    }
    makeFolder(this.directory, folderOf(file));
    renameSync(temporary, join(this.directory, pathOf(file)));
    syncDirectory(join(this.directory, folderOf(file)));
  }

  /** What the disk says counts: a manifest may be in its place although making that safe failed. Were it taken for refused, its rows would be told twice. */
  #commit(manifest: Manifest): void {
    try {
      writeManifest(this.directory, manifest);
    } catch (error) {
      if (JSON.stringify(readManifest(this.directory)) !== JSON.stringify(manifest)) throw error;
    }
    this.#manifest = manifest;
  }

  /** One merge, if a partition has many small files. Answers whether there was one. */
  merge(): Promise<boolean> {
    return this.#inTurn(() => this.#merge());
  }

  async #merge(): Promise<boolean> {
    const crowd = crowdOf(this.#manifest.files);
    const [first] = crowd;
    if (first === undefined) return false;
    const { next, files, position } = this.#manifest;
    const rows = crowd.reduce((sum, file) => sum + file.rows, 0);
    const merged: DataFile = { ...first, name: `${String(next).padStart(9, "0")}.parquet`, rows };
    const temporary = join(this.directory, "new", merged.name);
    await this.#database.merge(
      crowd.map((file) => join(this.directory, pathOf(file))),
      temporary,
    );
    this.#place(merged, temporary);
    const gone = new Set(crowd);
    this.#commit({ format: 1, position, next: next + 1, files: [...files.filter((file) => !gone.has(file)), merged] });
    this.#leave(crowd);
    return true;
  }

  /** Days that ended longer ago than this are forgotten. What still lives is carried on to the first day that is kept. */
  forget(keptMs: number): Promise<number> {
    return this.#inTurn(() => this.#forget(dayOf(this.#now() - keptMs - DAY_MS)));
  }

  async #forget(first: string): Promise<number> {
    const old = this.#manifest.files.filter(({ day }) => day < first);
    if (old.length === 0) return 0;
    const carried: DataFile[] = [];
    let { next } = this.#manifest;
    try {
      for (const { table, owner } of new Map(old.map((file) => [`${file.table} ${file.owner}`, file])).values()) {
        const file = await this.#carry({ table, owner, day: first }, next);
        if (file === undefined) continue;
        carried.push(file);
        next += 1;
      }
      const files = [...this.#manifest.files.filter(({ day }) => day >= first), ...carried];
      this.#commit({ ...this.#manifest, next, files });
    } catch (error) {
      this.#remove(carried);
      throw error;
    }
    this.#leave(old);
    return old.length;
  }

  /** Into `day`, out of all days before it. */
  async #carry({ table, owner, day }: Pick<DataFile, "table" | "owner" | "day">, number: number): Promise<DataFile | undefined> {
    const paths = (isMeant: (file: DataFile) => boolean) => (table: TableName) =>
      this.#manifest.files
        .filter((file) => file.table === table && file.owner === owner && isMeant(file))
        .map((file) => join(this.directory, pathOf(file)));
    const sql = livingSql(table, { old: paths((file) => file.day < day), kept: paths((file) => file.day >= day) });
    if (sql === undefined) return undefined;
    const name = `${String(number).padStart(9, "0")}.parquet`;
    const temporary = join(this.directory, "new", name);
    const rows = await this.#database.pick(sql, temporary);
    const file: DataFile = { table, owner, day, name, rows };
    if (rows > 0) this.#place(file, temporary);
    return rows > 0 ? file : undefined;
  }

  /** Files that no question can be reading any more go. */
  clear(): void {
    const now = this.#now();
    for (const { path, atMs } of this.#leaving) if (atMs <= now) rmSync(path, { force: true });
    this.#leaving = this.#leaving.filter(({ atMs }) => atMs > now);
  }

  #leave(files: readonly DataFile[]): void {
    const atMs = this.#now() + GRACE_MS;
    this.#leaving.push(...files.map((file) => ({ path: join(this.directory, pathOf(file)), atMs })));
  }
}

interface Part {
  readonly table: TableName;
  readonly owner: string;
  readonly day: string;
  readonly rows: Row[];
}

/** An owner that could not be a folder would be a bug of ours: names of users are checked at the edge. */
function partsOf(rows: readonly Placed[]): Iterable<Part> {
  const parts = new Map<string, Part>();
  for (const { table, owner, timeMs, row } of rows) {
    const key = `${table} ${owner} ${Math.floor(timeMs / DAY_MS)}`;
    const part = parts.get(key);
    if (part !== undefined) part.rows.push(row);
    // The day in words is worked out once for each part: for each row it would be half of all the work.
    else if (OWNER.test(owner)) parts.set(key, { table, owner, day: dayOf(timeMs), rows: [row] });
    else throw new Error(`Cannot keep rows of owner "${owner}"`);
  }
  return parts.values();
}

/** The files of one partition that should be one. */
function crowdOf(files: readonly DataFile[]): readonly DataFile[] {
  const byFolder = new Map<string, DataFile[]>();
  for (const file of files) {
    if (file.rows >= MERGED_ROWS_MAX) continue;
    const folder = folderOf(file);
    const crowd = byFolder.get(folder) ?? [];
    byFolder.set(folder, crowd);
    crowd.push(file);
    if (crowd.length >= FILES_TO_MERGE && crowd.reduce((sum, each) => sum + each.rows, 0) >= MERGED_ROWS_MAX) return crowd;
  }
  return [...byFolder.values()].find((crowd) => crowd.length >= FILES_TO_MERGE) ?? [];
}
