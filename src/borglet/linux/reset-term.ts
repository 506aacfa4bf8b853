/**
 * Lets the borglet of a directory forget which masters it obeyed, for a machine that kept the term of a master that is lost or was never to be obeyed.
 * Whoever can write there could also remove the file; nobody else is asked, because a link proves a key of the cell, and a deposed master has one too.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { LOCK_NAME, lockFile } from "../../store/files/lock.ts";
import { FilesDisk } from "../../store/files.ts";
import { KeptFile } from "../kept-file.ts";

/** The term that was kept; undefined: a borglet runs there, and nothing was touched. */
export function resetTerm(directory: string): number | undefined {
  const lock = lockFile(join(directory, LOCK_NAME));
  if (lock === undefined) return undefined;
  const disk = new FilesDisk(directory);
  try {
    return new KeptFile(disk, { salt: randomInt(2 ** 32) }).forgetTerm();
  } finally {
    disk.close();
    lock.release();
  }
}
