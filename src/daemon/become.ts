/** How a process of a cell of root stops being root, and what it can still reach then. */
import { constants, lchownSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Gives up root for good, in all threads. Journal, packages and keys of secrets go with it; they are then reached through open descriptors, because the new user may not pass
 * through the directories above them.
 */
export function become(uid: number, journal: string, ...others: readonly string[]): string {
  for (const owned of [journal, ...others]) {
    for (const name of readdirSync(owned)) own(join(owned, name), uid);
    lchownSync(owned, uid, uid);
  }
  const directory = openSync(journal, constants.O_RDONLY | constants.O_DIRECTORY);
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
  return `/proc/self/fd/${directory}`;
}

/** Another replica may have taken it away meanwhile. */
function own(path: string, uid: number): void {
  try {
    lchownSync(path, uid, uid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Threads reach it so when this process has become another user, too. */
export const reached = (path: string): string => `/proc/self/fd/${openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)}`;
