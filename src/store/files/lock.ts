/**
 * Only one process may use a directory. The lock is a file in it, held with flock: it belongs to the open file, so the kernel gives it back when its
 * process dies, however it dies, and nobody who cannot enter the directory can hold it. Node has no flock; the program of that name locks our own open
 * file, and the lock stays when it ends.
 */
import { spawnSync } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import { join } from "node:path";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
/** What `flock -n` answers when somebody else has it. */
const HELD = 1;

export interface Lock {
  /** Who inherits it holds the lock too. */
  readonly fd: number;
  release(): void;
}

/** Undefined when another process holds it. */
export function lockFile(path: string): Lock | undefined {
  const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const { status, error } = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", file] });
    if (error !== undefined)
      throw new Error(`Cannot lock "${path}": the program flock (Debian's util-linux) does not run`, { cause: error });
    if (status === 0 && isStill(path, file)) return { fd: file, release: () => closeSync(file) };
    if (status !== 0 && status !== HELD) throw new Error(`Cannot lock "${path}": flock ended with ${status}`);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  closeSync(file);
  return undefined;
}

/** A file that was replaced meanwhile is a lock on nothing. */
function isStill(path: string, file: number): boolean {
  const [there, ours] = [statSync(path, { throwIfNoEntry: false }), fstatSync(file)];
  return there !== undefined && there.dev === ours.dev && there.ino === ours.ino;
}

/** Throws when another process uses this directory. `what`: what it is to people, "journal". */
export function lockDirectory(directory: string, what: string): Lock {
  const lock = lockFile(join(directory, LOCK_NAME));
  if (lock === undefined) throw new Error(`Cannot use "${directory}": another process uses this ${what}`);
  return lock;
}

/** Not a file of whatever the directory holds. */
export const LOCK_NAME = "lock";
