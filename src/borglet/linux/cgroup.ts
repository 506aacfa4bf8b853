/**
 * Control groups, written directly: `<parent>/<band>/<task>` in every hierarchy, of version 2 or of version 1. The kernel then holds a task to
 * its memory and number of processes, shares the processor by limits and bands, counts what is used, and names every process of a
 * task. What one knob cannot do is left undone; what the whole cannot do is found out by the probe.
 */

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProd, LOWEST } from "../../wire/band.ts";
import { MACHINE_PIDS_MAX, TASK_PIDS_MAX } from "../bounds.ts";
import type { CgroupHost } from "./cgroup-host.ts";
import type { MemoryEnd } from "./memory-end.ts";

export type Band = "prod" | "batch" | "free";
export const BANDS: readonly Band[] = ["prod", "batch", "free"];

export const bandOf = (priority: number): Band => (isProd(priority) ? "prod" : priority >= LOWEST.batch ? "batch" : "free");

export interface GroupLimits {
  readonly cpuMilli: number;
  readonly ramBytes: number;
}

export interface GroupUse {
  readonly cpuNs: number;
  readonly ramBytes: number;
}

const PERIOD_US = 100_000;
/** What bands get of a busy processor, relative to each other; `free` runs only when nobody else wants to. */
const BAND_MILLI: Readonly<Record<Band, number>> = { prod: 100_000, batch: 1000, free: 10 };
const FROZEN_TRIES = 20;
/** The kernel charges memory in pieces of this size, so a full group may be short of its limit by one. */
const CHARGED_BYTES = 262_144;

/** One task's group in every hierarchy, with what is read every second kept open. */
class Group {
  readonly directories: readonly string[];
  readonly #files = new Map<string, number>();
  readonly #buffer = Buffer.alloc(8192);

  /** How often all tasks together had met their limit when this one came. */
  readonly before: number;

  constructor(directories: readonly string[], before: number) {
    this.directories = directories;
    this.before = before;
  }

  read(path: string): string {
    let fd = this.#files.get(path);
    if (fd === undefined) {
      fd = openSync(path, "r");
      this.#files.set(path, fd);
    }
    return this.#buffer.toString("latin1", 0, readSync(fd, this.#buffer, 0, this.#buffer.length, 0));
  }

  close(): void {
    for (const fd of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }
}

export class Cgroups {
  readonly #host: CgroupHost;
  readonly #parent: string;
  readonly #groups = new Map<string, Group>();

  constructor(host: CgroupHost, parent: string) {
    this.#host = host;
    this.#parent = parent;
  }

  /** The parent holds all tasks together to what this machine has, for it may be only a share of the host. */
  prepare(capacity: GroupLimits): void {
    for (const root of this.#host.roots) {
      const parent = join(root, this.#parent);
      makeGroup(parent);
      this.#delegate(root);
      this.#delegate(parent);
      for (const band of BANDS) {
        makeGroup(join(parent, band));
        this.#delegate(join(parent, band));
        this.#weigh(join(parent, band), BAND_MILLI[band]);
      }
      if (capacity.cpuMilli > 0) this.#limitCpu(parent, capacity.cpuMilli);
      this.#limitRam(parent, capacity.ramBytes);
      write(parent, "pids.max", String(MACHINE_PIDS_MAX));
      write(join(parent, "free"), "cpu.idle", "1");
    }
  }

  /** Makes the group of a task and answers what its first process has to join. */
  make(key: string, band: Band, limits: GroupLimits): readonly string[] {
    const group = this.#group(key, band);
    for (const directory of group.directories) {
      makeGroup(directory);
      this.#weigh(directory, Math.max(1, limits.cpuMilli));
      this.#limitRam(directory, limits.ramBytes);
      write(directory, "memory.oom.group", "1");
      write(directory, "pids.max", String(TASK_PIDS_MAX));
    }
    return group.directories;
  }

  /** What a process of the task has to join. */
  directories(key: string, band: Band): readonly string[] {
    return this.#group(key, band).directories;
  }

  processes(key: string, band: Band): number[] {
    const group = this.#group(key, band);
    const pids = new Set<number>();
    for (const directory of group.directories) for (const pid of procs(directory)) pids.add(pid);
    return [...pids];
  }

  /** Nothing of it can fork away while it is killed. */
  kill(key: string, band: Band): void {
    const { directories } = this.#group(key, band);
    if (this.#host.version === 2) {
      for (const directory of directories) if (write(directory, "cgroup.kill", "1")) return;
    }
    this.#freeze(key, band, true);
    for (const pid of this.processes(key, band)) signal(pid, "SIGKILL");
    this.#freeze(key, band, false);
  }

  /** A group that was left frozen when a borglet died goes on. */
  thaw(key: string, band: Band): void {
    this.#freeze(key, band, false);
  }

  use(key: string, band: Band): GroupUse | undefined {
    try {
      return this.#host.use((controller, file) => this.#read(key, band, controller, file));
    } catch {
      return undefined;
    }
  }

  /** Whose memory ran out when the kernel killed processes of a task; undefined: it killed none. The kernel counts kills with the victim, whoever was too large. */
  memoryEnd(key: string, band: Band): MemoryEnd | undefined {
    const { before } = this.#group(key, band);
    try {
      const text = this.#read(key, band, "memory", this.#host.version === 2 ? "memory.events" : "memory.oom_control");
      if (Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) === 0) return undefined;
      if (this.#full(join(this.#parent, band, key)) > 0) return "task";
      return this.#full(this.#parent) > before ? "tasks" : "machine";
    } catch {
      return undefined;
    }
  }

  /** How often a group met its own limit and nothing could be freed; version 1 only tells whether it came up to it. */
  #full(group: string): number {
    const directory = join(this.#host.rootOf("memory"), group);
    if (this.#host.version === 2) return Number(/^oom (\d+)$/m.exec(readIfThere(directory, "memory.events.local"))?.[1] ?? 0);
    const [most, limit] = ["memory.max_usage_in_bytes", "memory.limit_in_bytes"].map((file) => Number(readIfThere(directory, file)));
    return limit! > 0 && most! >= limit! - CHARGED_BYTES ? 1 : 0;
  }

  /** What `#full` said of all tasks together before one more came. Version 1 begins to watch anew. */
  #before(): number {
    if (this.#host.version === 2) return this.#full(this.#parent);
    write(join(this.#host.rootOf("memory"), this.#parent), "memory.max_usage_in_bytes", "0");
    return 0;
  }

  /** True when nothing is left of it. */
  remove(key: string, band: Band): boolean {
    const group = this.#group(key, band);
    group.close();
    this.#groups.delete(key);
    return group.directories.map(removeGroup).every((gone) => gone);
  }

  /** Tasks that have a group. */
  list(): { readonly key: string; readonly band: Band }[] {
    const found = new Map<string, Band>();
    for (const root of this.#host.roots)
      for (const band of BANDS) for (const key of directoriesIn(join(root, this.#parent, band))) found.set(key, band);
    return [...found].map(([key, band]) => ({ key, band }));
  }

  /** Takes everything away that is empty. */
  close(): void {
    for (const group of this.#groups.values()) group.close();
    for (const root of this.#host.roots) {
      for (const band of BANDS) removeGroup(join(root, this.#parent, band));
      removeGroup(join(root, this.#parent));
    }
  }

  #group(key: string, band: Band): Group {
    let group = this.#groups.get(key);
    if (group === undefined) {
      const directories = this.#host.roots.map((root) => join(root, this.#parent, band, key));
      group = new Group(directories, this.#before());
      this.#groups.set(key, group);
    }
    return group;
  }

  #read(key: string, band: Band, controller: string, file: string): string {
    const root = this.#host.rootOf(controller);
    return this.#group(key, band).read(join(root, this.#parent, band, key, file));
  }

  #freeze(key: string, band: Band, frozen: boolean): void {
    for (const directory of this.#group(key, band).directories) {
      if (this.#host.version === 2) write(directory, "cgroup.freeze", frozen ? "1" : "0");
      else if (write(directory, "freezer.state", frozen ? "FROZEN" : "THAWED") && frozen) waitFrozen(directory);
    }
  }

  /** Version 2: a controller works in a group only when its parent hands it down. */
  #delegate(directory: string): void {
    if (this.#host.version === 2) for (const each of ["+cpu", "+memory", "+pids"]) write(directory, "cgroup.subtree_control", each);
  }

  #weigh(directory: string, cpuMilli: number): void {
    if (this.#host.version === 2) write(directory, "cpu.weight", String(clamp(Math.round(cpuMilli / 10), 1, 10_000)));
    else write(directory, "cpu.shares", String(clamp(Math.round((cpuMilli * 1024) / 1000), 2, 262_144)));
  }

  #limitCpu(directory: string, cpuMilli: number): void {
    const quota = Math.max(1000, Math.round((cpuMilli * PERIOD_US) / 1000));
    if (this.#host.version === 2) write(directory, "cpu.max", `${quota} ${PERIOD_US}`);
    else if (write(directory, "cpu.cfs_period_us", String(PERIOD_US))) write(directory, "cpu.cfs_quota_us", String(quota));
  }

  /** Swap counts as memory: a task that swaps harms its neighbours. */
  #limitRam(directory: string, ramBytes: number): void {
    if (ramBytes <= 0) return;
    if (this.#host.version === 2) {
      write(directory, "memory.max", String(ramBytes));
      write(directory, "memory.swap.max", "0");
    } else {
      // The larger of the two has to move first, and which one that is depends on what was there.
      write(directory, "memory.limit_in_bytes", String(ramBytes));
      write(directory, "memory.memsw.limit_in_bytes", String(ramBytes));
      write(directory, "memory.limit_in_bytes", String(ramBytes));
    }
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** A knob that is not in this hierarchy, or not on this kernel, is not turned. */
function write(directory: string, file: string, value: string): boolean {
  try {
    writeFileSync(join(directory, file), value, { flag: "r+" });
    return true;
  } catch {
    return false;
  }
}

function makeGroup(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 });
}

function removeGroup(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function procs(directory: string): number[] {
  try {
    return readFileSync(join(directory, "cgroup.procs"), "latin1").split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Freezing takes a moment; killing works without it, only not against those who fork faster than we look. */
function waitFrozen(directory: string): void {
  for (let tries = 0; tries < FROZEN_TRIES; tries++) {
    if (readFileSync(join(directory, "freezer.state"), "latin1").startsWith("FROZEN")) return;
  }
}

function readIfThere(directory: string, file: string): string {
  try {
    return readFileSync(join(directory, file), "latin1");
  } catch {
    return "";
  }
}

function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

export function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has gone meanwhile, which is what was wanted; what is still there is found by the next look.
  }
}
