/** How hard a machine is at work, as its kernel tells it: of the whole host, for whoever else is on it strains its tasks as well. */
import { readFileSync } from "node:fs";
import type { Strain } from "../machine.ts";

/** Kernels have had pressure files since 4.20, and may be started without. */
const [PRESSURE, MEMORY] = ["/proc/pressure/cpu", "/proc/meminfo"] as const;
const KIB = 1024;

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

export function parseStrain(pressure: string, memory: string): Strain {
  const percent = /^some avg10=(\d+(?:\.\d+)?)/m.exec(pressure)?.[1];
  const bytes = (name: string): number => KIB * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(memory)?.[1] ?? 0);
  const [ramBytes, freeBytes] = [bytes("MemTotal"), bytes("MemAvailable")];
  return {
    ...(percent === undefined ? {} : { cpuWaitingPermille: Math.min(1000, Math.round(10 * Number(percent))) }),
    ramBytes,
    ramUsedBytes: Math.max(0, ramBytes - freeBytes),
  };
}

export const readStrain = (): Strain => parseStrain(textOf(PRESSURE), textOf(MEMORY));
