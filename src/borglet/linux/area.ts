/**
 * Where tasks of other users can reach their own directories. A borglet's directory is private, so one that runs as root keeps its
 * tasks in a public place; a plain user's tasks are the user's own and stay inside. The same holds for the Node that tasks are given.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { allocsOf, makeDirectory, tasksOf, trashOf, treesOf } from "./layout.ts";
import { removeOwn } from "./remove.ts";

const PUBLIC = "/var/lib/openborg";
const OTHERS_MAY_PASS = 0o001;
const OTHERS_MAY_READ_AND_RUN = 0o005;

/** Names the directory that an area belongs to. */
const ORIGIN = "origin";
/** The same file in both. */
const OWNER = "area-owner";
const MOVED_MS_MAX = 86_400_000;

/** `directory` is resolved already. `mark` is what the borglet is known by, wherever its directory is moved. */
export function areaOf(directory: string, mark: string, isRoot: boolean): string {
  if (!isRoot || isReachable(directory)) return directory;
  const area = join(PUBLIC, mark);
  for (const each of [PUBLIC, area]) makeDirectory(each, 0o711);
  tieArea(area, directory);
  sweepAreas(PUBLIC, trashOf(area), Date.now());
  return area;
}

/** A file that has two names, one in the directory and one in the area: while it has both, the directory is there, under whatever path. */
export function tieArea(area: string, directory: string): void {
  writeFileSync(join(area, ORIGIN), directory);
  const [own, tied] = [join(directory, OWNER), join(area, OWNER)];
  if (!existsSync(own)) writeFileSync(own, "", { mode: 0o600 });
  if (existsSync(tied) && statSync(tied).ino === statSync(own).ino) return;
  rmSync(tied, { force: true });
  // On another file system the path has to do.
  linked(own, tied);
}

/** An area whose borglet's directory was removed is nobody's any more. What was its tasks' goes the way of all task directories, through our trash. */
export function sweepAreas(parent: string, trash: string, nowMs: number): void {
  for (const name of namesIn(parent)) {
    const area = join(parent, name);
    if (!isLeft(area, nowMs)) continue;
    makeDirectory(trash, 0o700);
    for (const from of [tasksOf(area), allocsOf(area), trashOf(area), treesOf(area)])
      for (const task of namesIn(from)) moveIfThere(join(from, task), join(trash, `${task}~${name}`));
    removeOwn(area);
  }
}

/** Two borglets that start at the same time sweep the same areas; what one of them took is not there for the other. */
function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Without a tie a directory that is gone may have been moved: while there are tasks, it has a day to be started again. */
function isLeft(area: string, nowMs: number): boolean {
  const tied = statSync(join(area, OWNER), { throwIfNoEntry: false });
  if (tied !== undefined) return tied.nlink < 2;
  const origin = readIfThere(join(area, ORIGIN));
  if (origin === "" || existsSync(origin)) return false;
  return namesIn(tasksOf(area)).length === 0 || nowMs - statSync(join(area, ORIGIN)).mtimeMs > MOVED_MS_MAX;
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Whether anyone may pass through all of it. */
export function isReachable(directory: string): boolean {
  for (let path = directory; ; path = dirname(path)) {
    if ((statSync(path).mode & OTHERS_MAY_PASS) === 0) return false;
    if (path === "/") return true;
  }
}

/** A directory with `node` in it that every task can use: the one it is in, or one with a copy. */
export function nodeDirectory(area: string, isRoot: boolean, executable: string = process.execPath): string {
  const own = dirname(executable);
  const { mode, size } = statSync(executable);
  const isPublic = (mode & OTHERS_MAY_READ_AND_RUN) === OTHERS_MAY_READ_AND_RUN;
  if (!isRoot || (isPublic && isReachable(own))) return own;
  const directory = join(area, "node");
  const copy = join(directory, "node");
  makeDirectory(directory, 0o755);
  if (sizeOf(copy) === size) return directory;
  rmSync(`${copy}.new`, { force: true });
  if (!isPublic || !linked(executable, `${copy}.new`)) {
    copyFileSync(executable, `${copy}.new`);
    chmodSync(`${copy}.new`, 0o755);
  }
  renameSync(`${copy}.new`, copy);
  return directory;
}

/** A link costs nothing, but works on one file system only. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return -1;
  }
}
