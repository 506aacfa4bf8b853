/** Files that only their owner may read, replaced whole. Never leaves half a file, and never follows what was there before. */
import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "./exit.ts";

/** Writes beside the file and renames, so that no reader ever sees half of it. */
export function writePrivate(file: string, text: string): void {
  const beside = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, text, { mode: 0o600, flag: "wx" });
    renameSync(beside, file);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw new Failure("usage", `Cannot write "${resolve(file)}": ${codeOf(cause)}`, undefined, { cause });
  }
}

/** Two `borg up` at once each add their cell: whoever comes second waits, at most two seconds. */
const LOCK_TRIES_MAX = 100;
const LOCK_WAIT_MS = 20;
/** A lock this old was left by a process that died. */
const LOCK_OLD_MS = 10_000;

/** Runs `work` while no other borg changes the file. */
export function whileLocked(file: string, work: () => void): void {
  const lock = `${file}.lock`;
  takeLock(lock);
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): void {
  for (let tries = 0; tries < LOCK_TRIES_MAX; tries++) {
    try {
      mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
      closeSync(openSync(lock, "wx", 0o600));
      return;
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw new Failure("usage", `Cannot write "${lock}": ${codeOf(cause)}`, undefined, { cause });
      if (ageMs(lock) > LOCK_OLD_MS) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
    }
  }
  throw new Failure("usage", `Cannot change your configuration: "${lock}" is held by another borg`, "try again, or remove that file");
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/** `ENOENT` and the like. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
