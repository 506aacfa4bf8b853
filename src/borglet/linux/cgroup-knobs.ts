/** The knobs of one control group, which version 1 and version 2 of the kernel's interface name differently. Each turns one of them, where it is. */
import { statSync } from "node:fs";
import { readIfThere, write } from "./cgroup-files.ts";

const PERIOD_US = 100_000;
/** Weights are those of version 2; version 1 counts shares, so many for each. */
const WEIGHT_MAX = 10_000;
const SHARES_MAX = 262_144;
const SHARES_MIN = 2;
const NO_LIMIT_V1 = "-1";

export class Knobs {
  readonly #version: 1 | 2;

  constructor(version: 1 | 2) {
    this.#version = version;
  }

  /** What it gets of a busy processor against others of the same parent: up to 10,000. */
  weigh(directory: string, weight: number): void {
    if (this.#version === 2) write(directory, "cpu.weight", String(clamp(Math.round(weight), 1, WEIGHT_MAX)));
    else write(directory, "cpu.shares", String(clamp(Math.round((weight * SHARES_MAX) / WEIGHT_MAX), SHARES_MIN, SHARES_MAX)));
  }

  /** Runs only when nobody else wants to, and gives way at once. A group that does has no weight of its own. */
  idle(directory: string, isIdle: boolean): void {
    write(directory, "cpu.idle", isIdle ? "1" : "0");
  }

  /** Infinity: no limit but the parent's. */
  limitCpu(directory: string, cpuMilli: number): void {
    const isLimited = Number.isFinite(cpuMilli);
    const quota = Math.max(1000, Math.round((cpuMilli * PERIOD_US) / 1000));
    if (this.#version === 2) write(directory, "cpu.max", `${isLimited ? quota : "max"} ${PERIOD_US}`);
    else if (write(directory, "cpu.cfs_period_us", String(PERIOD_US)))
      write(directory, "cpu.cfs_quota_us", isLimited ? String(quota) : NO_LIMIT_V1);
  }

  /** Swap counts as memory: a task that swaps harms its neighbours. Infinity: no limit but the parent's. */
  limitRam(directory: string, ramBytes: number): void {
    if (ramBytes <= 0) return;
    if (this.#version === 2) {
      write(directory, "memory.max", Number.isFinite(ramBytes) ? String(ramBytes) : "max");
      write(directory, "memory.swap.max", "0");
      return;
    }
    const bytes = Number.isFinite(ramBytes) ? String(ramBytes) : NO_LIMIT_V1;
    // The larger of the two has to move first, and which one that is depends on what was there.
    write(directory, "memory.limit_in_bytes", bytes);
    write(directory, "memory.memsw.limit_in_bytes", bytes);
    write(directory, "memory.limit_in_bytes", bytes);
  }

  /** Whether a limit can be set under what is used now without anybody being killed for it. */
  hasRoomFor(directory: string, ramBytes: number): boolean {
    const file = this.#version === 2 ? "memory.current" : "memory.usage_in_bytes";
    return Number(readIfThere(directory, file)) <= ramBytes;
  }

  limitPids(directory: string, most: number): void {
    write(directory, "pids.max", String(most));
  }

  /** Bytes a second of one disk, read and written each; 0: no limit. Version 1 sees only what is written through. */
  limitDisk(directory: string, device: string, bytesPerSecond: number): void {
    if (device === "") return;
    if (this.#version === 2) {
      const most = bytesPerSecond > 0 ? String(bytesPerSecond) : "max";
      write(directory, "io.max", `${device} rbps=${most} wbps=${most}`);
      return;
    }
    for (const way of ["read", "write"]) write(directory, `blkio.throttle.${way}_bps_device`, `${device} ${bytesPerSecond}`);
  }

  /** What it gets of a busy disk, where the disk's scheduler knows weights. */
  weighDisk(directory: string, weight: number): void {
    if (this.#version === 2) write(directory, "io.weight", String(clamp(Math.round(weight), 1, WEIGHT_MAX)));
    else write(directory, "blkio.bfq.weight", String(clamp(Math.round(weight / 10), 1, 1000)));
  }

  /** Version 2: a controller works in a group only when its parent hands it down. */
  delegate(directory: string): void {
    if (this.#version === 2)
      for (const each of ["+cpuset", "+io", "+cpu", "+memory", "+pids"]) write(directory, "cgroup.subtree_control", each);
  }

  /** Version 1: nobody can join a group whose processors and memory nodes were not said. */
  inheritCpus(directory: string, parent: string): void {
    if (this.#version === 2) return;
    for (const file of ["cpuset.cpus", "cpuset.mems"])
      if (readIfThere(directory, file).trim() === "") write(directory, file, readIfThere(parent, file).trim());
  }

  setCpus(directory: string, cpus: readonly number[]): void {
    write(directory, "cpuset.cpus", cpus.join(","));
  }
}

/** The disk under a path, as `major:minor`; empty when it is none that can be limited. Limits are for whole disks, not for their parts. */
export function diskOf(path: string): string {
  const { dev } = statSync(path);
  const [major, minor] = [((dev >> 8) & 0xfff) >>> 0, ((dev & 0xff) | ((dev >> 12) & 0xfff00)) >>> 0];
  if (major === 0) return "";
  const found = `/sys/dev/block/${major}:${minor}`;
  const whole = readIfThere(found, "partition") === "" ? readIfThere(found, "dev") : readIfThere(`${found}/..`, "dev");
  return whole.trim();
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
