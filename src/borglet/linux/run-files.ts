/** What a shim wrote of one run, and how the borglet calls a run off that has not begun. */
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Exit } from "../machine.ts";
import { parseExit, parseProcess, type Written } from "./shim.ts";

const NAME = /^(.+)\.(\d+)\.(shim|pid|exit|err|word)(?:\.new)?$/;
const WORDS_MAX = 200;

export interface RunName {
  readonly key: string;
  readonly run: number;
}

export function parseRunName(name: string): RunName | undefined {
  const parts = NAME.exec(name);
  return parts === null ? undefined : { key: parts[1]!, run: Number(parts[2]) };
}

/** The newest run of every instance that has run files. */
export function listRuns(directory: string): Map<string, number> {
  const newest = new Map<string, number>();
  for (const name of readdirSync(directory)) {
    const found = parseRunName(name);
    if (found !== undefined) newest.set(found.key, Math.max(found.run, newest.get(found.key) ?? 0));
  }
  return newest;
}

/** All runs of one instance, or those before `before`. */
export function removeRuns(directory: string, key: string, before = Number.POSITIVE_INFINITY): void {
  for (const name of readdirSync(directory)) {
    const found = parseRunName(name);
    if (found?.key === key && found.run < before) rmSync(join(directory, name), { force: true });
  }
}

export const readShim = (prefix: string): Written | undefined => parseProcess(read(`${prefix}.shim`));
export const readPid = (prefix: string): Written | undefined => parseProcess(read(`${prefix}.pid`));
export const readExit = (prefix: string): Exit | undefined => parseExit(read(`${prefix}.exit`));

/** What the shim itself complained of. */
export const readComplaint = (prefix: string): string => (read(`${prefix}.err`).trim().split("\n")[0] ?? "").slice(0, WORDS_MAX);

/** True: the run has not begun and never will. False: its shim was first. */
export function callOff(prefix: string): boolean {
  try {
    const fd = openSync(`${prefix}.shim`, "wx", 0o600);
    writeSync(fd, "called off\n");
    closeSync(fd);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
