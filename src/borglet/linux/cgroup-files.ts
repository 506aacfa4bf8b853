/** Files of control groups: made, written, read and removed. What is not there, or not on this kernel, is passed over. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Freezing takes a moment; killing works without it, only not against those who fork faster than we look. */
const FROZEN_TRIES = 20;

/** A knob that is not in this hierarchy, or not on this kernel, is not turned. */
export function write(directory: string, file: string, value: string): boolean {
  try {
    writeFileSync(join(directory, file), value, { flag: "r+" });
    return true;
  } catch {
    return false;
  }
}

export function makeGroup(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
}

export function removeGroup(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT";
  }
}

export function procs(directory: string): number[] {
  return readIfThere(directory, "cgroup.procs").split("\n").filter(Boolean).map(Number);
}

export function waitFrozen(directory: string): void {
  for (let tries = 0; tries < FROZEN_TRIES; tries++) if (readIfThere(directory, "freezer.state").startsWith("FROZEN")) return;
}

export function readIfThere(directory: string, file: string): string {
  try {
    return readFileSync(join(directory, file), "latin1");
  } catch {
    return "";
  }
}

export function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** `0-1,4`: the numbers of processors, as the kernel writes them. */
export function parseCpus(text: string): number[] {
  return text
    .trim()
    .split(",")
    .filter((part) => part !== "")
    .flatMap((part) => {
      const [first = 0, last = first] = part.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}
