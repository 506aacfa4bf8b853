/** How this machine is shared between the borglets of `borg up --machines N`: capacity in equal parts, a range of ports for each. */
import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { CellFile } from "./data.ts";
import { SLOT_PORTS } from "./port-slots.ts";

/** BORG_WITHOUT=bubblewrap,cgroups: do as if these were not there, for hosts where they are there but must not be used. */
export function abilityOptions(env: Readonly<Record<string, string | undefined>>): { readonly without: ("bubblewrap" | "cgroups")[] } {
  const words = (env["BORG_WITHOUT"] ?? "").split(",").map((word) => word.trim());
  return { without: (["bubblewrap", "cgroups"] as const).filter((word) => words.includes(word)) };
}

export interface MachineShare {
  readonly machine: string;
  readonly cpuMilli: number;
  readonly ramBytes: number;
  readonly diskBytes: number;
  readonly portFirst: number;
  readonly portLast: number;
}

/** Left to the system and to the cell itself. */
const RAM_SHARE = 0.85;
const DISK_SHARE = 0.8;

/** `firstPort`: where the cell's slot of ports begins (port-slots.ts). */
export function machineShares(count: number, directory: string, firstPort: number, base?: string): readonly MachineShare[] {
  const ports = Math.floor(SLOT_PORTS / count);
  const { bavail, bsize } = statfsSync(directory);
  return Array.from({ length: count }, (_, i) => ({
    machine: machineName(i, base),
    cpuMilli: Math.floor((availableParallelism() * 1000) / count),
    ramBytes: wholeMiB((memoryBytes() * RAM_SHARE) / count),
    diskBytes: wholeMiB((bavail * bsize * DISK_SHARE) / count),
    portFirst: firstPort + i * ports,
    portLast: firstPort + (i + 1) * ports - 1,
  }));
}

/** What machines are called on a host of a cell on several: by its address, so that no machine of another host is called the same, and none that comes later. */
export const machineBase = ({ host, spread }: Pick<CellFile, "host" | "spread">): string | undefined =>
  spread === undefined ? undefined : `m-${host.replace(/[.:]/g, "-").replace(/-$/, "-0")}`;

const machineName = (i: number, base: string | undefined): string =>
  base === undefined ? `m${i + 1}` : i === 0 ? base : `${base}-m${i + 1}`;

/** Which of its host it is, from 0 on. */
export function machineIndex(machine: string, base: string | undefined): number {
  if (base === undefined) return Number(machine.slice(1)) - 1;
  return machine === base ? 0 : Number(machine.slice(base.length + "-m".length)) - 1;
}

const wholeMiB = (bytes: number): number => Math.floor(bytes / 2 ** 20) * 2 ** 20;

/** In a container less than the machine has may be ours. */
function memoryBytes(): number {
  const limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].map(readNumber);
  return Math.min(totalmem(), ...limits);
}

function readNumber(path: string): number {
  try {
    const value = Number(readFileSync(path, "utf8"));
    return Number.isFinite(value) && value > 0 ? value : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
