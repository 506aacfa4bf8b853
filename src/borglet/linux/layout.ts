/**
 * Where a borglet's files are. Its own (records, run files, logs) are in its directory, which only it can read. What tasks see is in its
 * area, which other users may pass through. What an instance is called in a path: borglet/instance-key.ts.
 */
import { createHash } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** What stands for a name that may be long or secret. */
export const markOf = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 16);

/** The parts of a task's directory that are the task's to write. */
export const OF_THE_TASK = ["work", "tmp"] as const;

/** The part of an alloc's directory that its tasks write, whoever's they are. */
export const SHARED = "shared";

/** What users without rights wrote into, of tasks, of packages and of allocs. */
export const OF_OTHERS = [...OF_THE_TASK, "tree", SHARED] as const;

export const tasksOf = (area: string): string => join(area, "tasks");
export const allocsOf = (area: string): string => join(area, "allocs");
export const treesOf = (area: string): string => join(area, "packages");
export const trashOf = (area: string): string => join(area, "trash");

export class Layout {
  readonly directory: string;
  /** Task directories are here. */
  readonly area: string;
  /** What its tasks' processes carry, and those of no other borglet of this host. */
  readonly mark: string;

  constructor(directory: string, area: string, mark = markOf(directory)) {
    this.directory = directory;
    this.area = area;
    this.mark = mark;
    for (const each of [directory, this.runs, this.logs]) makeDirectory(each, 0o700);
    makeDirectory(this.tasks, 0o711);
    makeDirectory(this.allocs, 0o711);
    makeDirectory(this.trash, 0o700);
  }

  get uids(): string {
    return join(this.directory, "uids.json");
  }

  /** Whose files are in directories that outlive their tasks. */
  get sharers(): string {
    return join(this.directory, "sharers.json");
  }

  /** What shims write: one small file for each fact of a run. */
  get runs(): string {
    return join(this.directory, "runs");
  }

  /** What executors said of their tasks, and what they are known by. */
  get executors(): string {
    return join(this.directory, "executors");
  }

  get logs(): string {
    return join(this.directory, "logs");
  }

  get tasks(): string {
    return tasksOf(this.area);
  }

  get allocs(): string {
    return allocsOf(this.area);
  }

  /** Bytes of packages that are not verified yet. */
  get packageParts(): string {
    return join(this.directory, "packages");
  }

  /** What packages are unpacked to. */
  get packageTrees(): string {
    return treesOf(this.area);
  }

  /** What is on its way out. */
  get trash(): string {
    return trashOf(this.area);
  }

  run(key: string, run: number): string {
    return join(this.runs, `${key}.${run}`);
  }

  log(key: string): string {
    return join(this.logs, key);
  }

  task(key: string): string {
    return join(this.tasks, key);
  }

  alloc(key: string): string {
    return join(this.allocs, key);
  }

  /** Where the tasks of an alloc meet. */
  shared(key: string): string {
    return join(this.alloc(key), SHARED);
  }

  /** Where a task's own files are. */
  parts(key: string): readonly string[] {
    return OF_THE_TASK.map((part) => join(this.task(key), part));
  }
}

/** With just this mode, whatever our umask is: other users pass through some of them. */
export function makeDirectory(path: string, mode: number): void {
  mkdirSync(path, { recursive: true, mode });
  chmodSync(path, mode);
}

/** Replaces a file whole: whoever reads it, also after a power cut, finds the old one or the new one. */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o600): void {
  const fd = openSync(`${path}.new`, "w", mode);
  try {
    writeSync(fd, typeof content === "string" ? Buffer.from(content) : content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.new`, path);
  syncDirectory(dirname(path));
}

export function syncDirectory(directory: string): void {
  const fd = openSync(directory, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
