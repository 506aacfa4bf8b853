/**
 * How the borglet takes away a directory that it made itself. It walks by open descriptors, through no link, and enters only directories of its own
 * user: what a task could have changed is emptied by the task's user first (trash.ts). Node's recursive removal follows paths, which a task can swap.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Deeper than any path of a config file; what is deeper is not ours. */
const DEPTH_MAX = 300;

/** True when nothing is left of it. What is not there is gone; a link or a file of that name goes as it is. */
export function removeOwn(path: string): boolean {
  return removeEntry(path, 0);
}

function removeEntry(path: string, depth: number): boolean {
  const fd = openDirectory(path);
  if (fd === undefined) return attempt(() => unlinkSync(path));
  try {
    if (depth < DEPTH_MAX && fstatSync(fd).uid === process.getuid?.()) empty(fd, depth);
  } finally {
    closeSync(fd);
  }
  return attempt(() => rmdirSync(path));
}

/** A name under an open descriptor stays in that directory, wherever it is moved to. */
function empty(fd: number, depth: number): void {
  for (const name of readdirSync(`/proc/self/fd/${fd}`)) removeEntry(`/proc/self/fd/${fd}/${name}`, depth + 1);
}

/** Undefined: there is no directory of that name. */
function openDirectory(path: string): number | undefined {
  try {
    return openSync(path, DIRECTORY);
  } catch {
    return undefined;
  }
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
