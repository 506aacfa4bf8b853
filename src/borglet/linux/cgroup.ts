/**
 * Control groups, written directly: `<parent>/<band>/[alloc/]<task>` in every hierarchy, of version 2 or of version 1. The kernel then holds a task to
 * its memory and number of processes, shares the processor by bands, classes and limits, counts what is used, and names every process of a
 * task. What one knob cannot do is left undone; what the whole cannot do is found out by the probe.
 */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { isProd, LOWEST } from "../../wire/band.ts";
import { BAND_PIDS_MAX, MACHINE_PIDS_MAX, TASK_PIDS_MAX } from "../bounds.ts";
import type { DiskTraffic } from "../machine.ts";
import { directoriesIn, makeGroup, parseCpus, procs, readIfThere, removeGroup, waitFrozen, write } from "./cgroup-files.ts";
import type { CgroupHost } from "./cgroup-host.ts";
import { diskOf, Knobs } from "./cgroup-knobs.ts";
import { parseIoStat } from "./disk-traffic.ts";
import { Group } from "./group.ts";
import type { MemoryEnd } from "./memory-end.ts";

export type Band = "prod" | "batch" | "free";
export const BANDS: readonly Band[] = ["prod", "batch", "free"];

export const bandOf = (priority: number): Band => (isProd(priority) ? "prod" : priority >= LOWEST.batch ? "batch" : "free");

/** Where a task's group is. */
export interface GroupPlace {
  readonly key: string;
  readonly band: Band;
  /** The alloc around it; empty: none. */
  readonly alloc: string;
}

export interface GroupLimits {
  readonly cpuMilli: number;
  /** Infinity: no limit but that of what is around it. */
  readonly ramBytes: number;
  /** Goes before others of its band. */
  readonly isLatencySensitive: boolean;
  /** Bytes a second; 0: no limit. */
  readonly diskBandwidth: number;
  /** Idle processors are not for it. */
  readonly holdCpu?: boolean;
}

export interface GroupUse {
  readonly cpuNs: number;
  readonly ramBytes: number;
}

/** Weights of a band, and while it has its turn: see leftovers.ts. `free` runs only when nobody else wants to. */
const WEIGHTS: Readonly<Record<Band, number>> = { prod: 10_000, batch: 1, free: 1 };
const TURN_WEIGHT = 500;
/** Of a latency-sensitive task for each millicore of its limit, and of others: a hundredth (Borg §6.2: tiny shares). */
const SENSITIVE_WEIGHT = 1;
const OTHER_WEIGHT = 0.01;
/** What a disk's scheduler gives the bands. */
const DISK_WEIGHTS: Readonly<Record<Band, number>> = { prod: 10_000, batch: 500, free: 50 };
/** The kernel charges memory in pieces of this size, so a full group may be short of its limit by one. */
const CHARGED_BYTES = 262_144;
/** File pages age while nothing is charged: so often everything is read all the same. */
const LOOKS_MAX = 30;
/** Processes of a task that are asked how long they waited. */
const WAITING_PIDS_MAX = 16;
/** Before a task that forks without an end is left as it is. */
const JOIN_LOOKS = 20;
/** No task's key has such a sign in it. */
const ALLOC = "alloc@";

export class Cgroups {
  readonly #host: CgroupHost;
  readonly #knobs: Knobs;
  readonly #parent: string;
  /** The disk that tasks write to; empty: none that can be limited. */
  readonly #disk: string;
  readonly #groups = new Map<string, Group>();
  /** All tasks together, and each band. */
  readonly #wholes = new Map<string, Group>();

  constructor(host: CgroupHost, parent: string, taskDirectory = "") {
    this.#host = host;
    this.#knobs = new Knobs(host.version);
    this.#parent = parent;
    this.#disk = taskDirectory === "" ? "" : diskOf(taskDirectory);
  }

  /** Whether the kernel can hold tasks to bytes a second of their disk. */
  get limitsDisk(): boolean {
    return this.#host.also("io") !== undefined && this.#disk !== "";
  }

  /** The parent holds all tasks together to what this machine has, for it may be only a share of the host. */
  prepare(capacity: Pick<GroupLimits, "cpuMilli" | "ramBytes">): void {
    for (const root of this.#allRoots()) {
      const parent = join(root, this.#parent);
      this.#make(parent, root);
      this.#knobs.delegate(root);
      this.#knobs.delegate(parent);
      for (const band of BANDS) {
        this.#make(join(parent, band), root);
        this.#knobs.delegate(join(parent, band));
        this.#knobs.weigh(join(parent, band), WEIGHTS[band]);
        this.#knobs.weighDisk(join(parent, band), DISK_WEIGHTS[band]);
        this.#knobs.limitPids(join(parent, band), BAND_PIDS_MAX[band]);
      }
      if (capacity.cpuMilli > 0) this.#knobs.limitCpu(parent, capacity.cpuMilli);
      this.#knobs.limitRam(parent, capacity.ramBytes);
      this.#knobs.limitPids(parent, MACHINE_PIDS_MAX);
      this.#knobs.idle(join(parent, "free"), true);
    }
  }

  /** Another capacity while tasks run. Less memory than they use is not set: who has to go the cell decides. */
  holdTogether({ cpuMilli, ramBytes }: Pick<GroupLimits, "cpuMilli" | "ramBytes">): void {
    if (cpuMilli > 0) this.#knobs.limitCpu(join(this.#host.rootOf("cpu"), this.#parent), cpuMilli);
    this.#limitRamLater(join(this.#host.rootOf("memory"), this.#parent), ramBytes);
  }

  /** A band that went without for too long gets some of the processor, or no longer. */
  giveTurn(band: Exclude<Band, "prod">, isItsTurn: boolean): void {
    const directory = join(this.#host.rootOf("cpu"), this.#parent, band);
    if (band === "free") this.#knobs.idle(directory, !isItsTurn);
    this.#knobs.weigh(directory, isItsTurn ? TURN_WEIGHT : WEIGHTS[band]);
  }

  /** Makes the group of a task and answers what its first process has to join. */
  make(place: GroupPlace, limits: GroupLimits, alloc?: GroupLimits): readonly string[] {
    for (const root of this.#rootsFor(limits, alloc)) {
      const directory = this.#makeIn(root, place, alloc);
      this.#share(directory, limits);
      this.#knobs.limitRam(directory, limits.ramBytes);
      this.#limitPids(directory);
    }
    if (limits.holdCpu === true) this.#holdCpu(place, limits);
    return this.directories(place);
  }

  #holdCpu(place: GroupPlace, { cpuMilli, holdCpu = false }: GroupLimits): void {
    this.#knobs.limitCpu(this.#in(this.#host.rootOf("cpu"), place), holdCpu ? cpuMilli : Number.POSITIVE_INFINITY);
  }

  /**
   * Other limits for a task that runs, perhaps in another band. False: not all of it is as it should be, and it is to be asked again. Either it uses more memory than
   * its new limit, which is not set then, because nobody is killed for a limit that fell; or it began or forked while it was moved.
   */
  adjust(place: GroupPlace, limits: GroupLimits, alloc?: GroupLimits): boolean {
    const isGathered = place.alloc !== "" || this.#gather(place, limits);
    this.#joinLater(place, limits, alloc);
    for (const directory of this.directories(place)) this.#share(directory, limits);
    this.#holdCpu(place, limits);
    return this.#limitRamLater(this.#in(this.#host.rootOf("memory"), place), limits.ramBytes) && isGathered;
  }

  /** The same for the alloc that a task is in: what all tasks in it may use together. */
  adjustAlloc(place: GroupPlace, limits: GroupLimits): boolean {
    const whole = this.#pathOf({ ...place, key: "" });
    for (const root of this.#rootsFor(limits)) this.#share(join(root, whole), limits);
    return this.#limitRamLater(join(this.#host.rootOf("memory"), whole), limits.ramBytes);
  }

  /**
   * Into the groups of its band, out of those of another one that its priority was of before. No kernel takes the memory along that was charged to a group. So where memory
   * has a hierarchy of its own, a task stays there in the group that it began in, and all of it goes on to count for its limit. False: not everything has come yet.
   */
  #gather(place: GroupPlace, limits: GroupLimits): boolean {
    let isGathered = true;
    for (const root of this.#allRoots().filter((each) => each !== this.#staying)) {
      for (const band of BANDS) {
        const from = join(root, this.#pathOf({ ...place, band }));
        if (band !== place.band && existsSync(from)) isGathered = this.#moveAll(root, from, place, limits) && isGathered;
      }
    }
    return isGathered;
  }

  #moveAll(root: string, from: string, place: GroupPlace, limits: GroupLimits): boolean {
    const to = join(root, this.#pathOf(place));
    // A task that is about to begin looks for the group that it was told to join.
    if (procs(from).length === 0 && procs(to).length === 0) return false;
    if (!existsSync(to)) this.#limitPids(this.#makeIn(root, place, undefined));
    if (root === this.#host.also("cpuset") && limits.isLatencySensitive)
      this.#knobs.setCpus(to, parseCpus(readIfThere(from, "cpuset.cpus")));
    for (let looks = 0; looks < JOIN_LOOKS && procs(from).length > 0; looks++)
      for (const pid of procs(from)) write(to, "cgroup.procs", String(pid));
    this.#forget(place.key);
    return removeGroup(from);
  }

  /** The hierarchy of memory, where nothing but memory is in it. */
  get #staying(): string | undefined {
    const memory = this.#host.rootOf("memory");
    return this.#host.version === 1 && this.#host.rootOf("cpu") !== memory ? memory : undefined;
  }

  /** Of a task, which ends as a whole where its memory does. */
  #limitPids(directory: string): void {
    write(directory, "memory.oom.group", "1");
    this.#knobs.limitPids(directory, TASK_PIDS_MAX);
  }

  #makeIn(root: string, place: GroupPlace, alloc: GroupLimits | undefined): string {
    if (place.alloc !== "") this.#makeAlloc(join(root, this.#pathOf({ ...place, key: "" })), root, alloc);
    const directory = join(root, this.#pathOf(place));
    this.#make(directory, root);
    return directory;
  }

  /** A hierarchy that it had no need of when it started. Who was begun while the others were moved is found by the next look. */
  #joinLater(place: GroupPlace, limits: GroupLimits, alloc: GroupLimits | undefined): void {
    for (const root of this.#rootsFor(limits, alloc)) {
      if (existsSync(this.#in(root, place))) continue;
      const directory = this.#makeIn(root, place, alloc);
      for (let looks = 0; looks < JOIN_LOOKS; looks++) {
        const joined = new Set(procs(directory));
        const rest = this.processes(place).filter((pid) => !joined.has(pid));
        if (rest.length === 0) break;
        for (const pid of rest) write(directory, "cgroup.procs", String(pid));
      }
    }
  }

  /** False: more is in use, and the limit stays as it was. */
  #limitRamLater(memory: string, ramBytes: number): boolean {
    const hasRoom = this.#knobs.hasRoomFor(memory, ramBytes);
    if (hasRoom) this.#knobs.limitRam(memory, ramBytes);
    return hasRoom;
  }

  /** The processors that a task runs on. */
  setCores(place: GroupPlace, cores: readonly number[]): void {
    const root = this.#host.also("cpuset");
    if (root !== undefined) this.#knobs.setCpus(this.#in(root, place), cores);
  }

  /** Those that a task was given, as the kernel has them; none: it was given none. */
  coresOf(place: GroupPlace): readonly number[] {
    const root = this.#host.also("cpuset");
    return root === undefined ? [] : parseCpus(readIfThere(this.#in(root, place), "cpuset.cpus"));
  }

  /** All processors of the host that can be given to tasks; none where tasks cannot be kept on any. */
  cores(): readonly number[] {
    const root = this.#host.also("cpuset");
    if (root === undefined) return [];
    return parseCpus(readIfThere(root, this.#host.version === 2 ? "cpuset.cpus.effective" : "cpuset.cpus"));
  }

  /** How long processes of a task could have run and did not, since it began; undefined: the kernel does not say. Version 1: of its first processes. */
  waitedNs(place: GroupPlace): number | undefined {
    if (this.#host.version === 2) {
      const total = /^some .*total=(\d+)$/m.exec(readIfThere(this.#in(this.#host.rootOf("cpu"), place), "cpu.pressure"))?.[1];
      return total === undefined ? undefined : Number(total) * 1000;
    }
    const pids = procs(this.#in(this.#host.rootOf("cpu"), place)).slice(0, WAITING_PIDS_MAX);
    return pids.reduce((sum, pid) => sum + Number(readIfThere(`/proc/${pid}`, "schedstat").split(" ")[1] ?? 0), 0);
  }

  /** What a process of the task has to join. */
  directories(place: GroupPlace): readonly string[] {
    const more = this.#moreRoots().map((root) => this.#in(root, place));
    return [...this.#everybodys(place), ...more.filter((directory) => existsSync(directory))];
  }

  /** In the hierarchies that everybody joins. */
  #everybodys(place: GroupPlace): readonly string[] {
    return this.#host.roots.map((root) => this.#in(root, place));
  }

  /** With those that a move to another band has not reached. */
  processes(place: GroupPlace): number[] {
    const pids = new Set<number>();
    for (const directory of this.#whereverItIs(place)) for (const pid of procs(directory)) pids.add(pid);
    return [...pids];
  }

  /** Mostly just one of each hierarchy. */
  #whereverItIs(place: GroupPlace): readonly string[] {
    return [...this.#everybodys(place), ...this.#group(place).others];
  }

  /** Nothing of it can fork away while it is killed. */
  kill(place: GroupPlace): void {
    if (this.#host.version === 2) {
      const isKilled = this.#whereverItIs(place).map((directory) => write(directory, "cgroup.kill", "1"));
      if (isKilled.every((each) => each)) return;
    }
    this.#freeze(place, true);
    for (const pid of this.processes(place)) signal(pid, "SIGKILL");
    this.#freeze(place, false);
  }

  /** A group that was left frozen when a borglet died goes on. */
  thaw(place: GroupPlace): void {
    this.#freeze(place, false);
  }

  use(place: GroupPlace): GroupUse | undefined {
    return this.#useOf(this.#group(place), (controller) => this.#in(this.#host.rootOf(controller), place));
  }

  /** What it moved between memory and disks. Undefined: no group tells, or only a part of it (disk-traffic.ts). */
  diskTraffic(place: GroupPlace): DiskTraffic | undefined {
    const root = this.#host.version === 2 ? this.#host.also("io") : undefined;
    if (root === undefined) return undefined;
    try {
      return parseIoStat(this.#group(place).read(join(this.#in(root, place), "io.stat")));
    } catch {
      return undefined;
    }
  }

  /** The group as the kernel's counters call it; undefined: they do not know it. */
  counted(place: GroupPlace): string | undefined {
    const { counted } = this.#host;
    if (counted === undefined) return undefined;
    const [root = ""] = this.#host.roots;
    return join(counted, relative(root, this.#in(root, place)));
  }

  /** Of a band, or of all tasks together. */
  useOfAll(band?: Band): GroupUse | undefined {
    const path = band === undefined ? this.#parent : join(this.#parent, band);
    const group = this.#wholes.get(path) ?? new Group(new Map(), [], { alloc: 0, all: 0 });
    this.#wholes.set(path, group);
    return this.#useOf(group, (controller) => join(this.#host.rootOf(controller), path));
  }

  /** Whose memory ran out when the kernel killed processes of a task; undefined: it killed none. The kernel counts kills with the victim, whoever was too large. */
  memoryEnd(place: GroupPlace): MemoryEnd | undefined {
    const { before } = this.#group(place);
    try {
      const text = this.#read(place, "memory", this.#host.version === 2 ? "memory.events" : "memory.oom_control");
      if (Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) === 0) return undefined;
      const memory = this.#host.rootOf("memory");
      if (this.#full(this.#in(memory, place)) > 0) return "task";
      if (place.alloc !== "" && this.#full(join(memory, this.#pathOf({ ...place, key: "" }))) > before.alloc) return "alloc";
      return this.#full(join(memory, this.#parent)) > before.all ? "tasks" : "machine";
    } catch {
      return undefined;
    }
  }

  /** True when nothing is left of it. An alloc's group goes with the last task in it. */
  remove(place: GroupPlace): boolean {
    this.#forget(place.key);
    const everywhere = BANDS.flatMap((band) => this.#allRoots().map((root) => join(root, this.#pathOf({ ...place, band }))));
    const gone = everywhere.map((directory) => removeGroup(directory));
    if (place.alloc !== "") for (const root of this.#allRoots()) removeGroup(join(root, this.#pathOf({ ...place, key: "" })));
    return gone.every((each) => each);
  }

  /** Closes what is open of it. */
  #forget(key: string): void {
    this.#groups.get(key)?.close();
    this.#groups.delete(key);
  }

  /** Groups that tasks have. A task may have been moved from one band to another, and have groups in both. */
  list(): GroupPlace[] {
    const found = new Map<string, GroupPlace>();
    const add = (place: GroupPlace): unknown => found.set(this.#pathOf(place), place);
    for (const root of this.#allRoots())
      for (const band of BANDS) {
        const parent = join(root, this.#parent, band);
        for (const name of directoriesIn(parent)) {
          if (!name.startsWith(ALLOC)) add({ key: name, band, alloc: "" });
          else for (const key of directoriesIn(join(parent, name))) add({ key, band, alloc: name.slice(ALLOC.length) });
        }
      }
    return [...found.values()];
  }

  /** Takes everything away that is empty. */
  close(): void {
    for (const group of [...this.#groups.values(), ...this.#wholes.values()]) group.close();
    for (const root of this.#allRoots()) {
      const parent = join(root, this.#parent);
      for (const band of BANDS) {
        for (const name of directoriesIn(join(parent, band))) if (name.startsWith(ALLOC)) removeGroup(join(parent, band, name));
        removeGroup(join(parent, band));
      }
      removeGroup(parent);
    }
  }

  /** What lives in the same hierarchy as everything else needs no directory of its own. */
  #moreRoots(): string[] {
    const { roots } = this.#host;
    const found = [this.#host.also("cpuset"), this.#host.also("io")].filter((root): root is string => root !== undefined);
    return [...new Set(found)].filter((root) => !roots.includes(root));
  }

  #allRoots(): readonly string[] {
    return [...this.#host.roots, ...this.#moreRoots()];
  }

  /** A hierarchy of its own is joined only by those it is for: each one costs a start. */
  #rootsFor({ isLatencySensitive, diskBandwidth }: GroupLimits, alloc?: GroupLimits): readonly string[] {
    const [cpuset, io] = [this.#host.also("cpuset"), this.#host.also("io")];
    const wanted = [isLatencySensitive ? cpuset : undefined, diskBandwidth > 0 || (alloc?.diskBandwidth ?? 0) > 0 ? io : undefined];
    return [...this.#host.roots, ...this.#moreRoots().filter((root) => wanted.includes(root))];
  }

  #make(directory: string, root: string): void {
    makeGroup(directory);
    if (root === this.#host.also("cpuset")) this.#knobs.inheritCpus(directory, join(directory, ".."));
  }

  #makeAlloc(directory: string, root: string, limits: GroupLimits | undefined): void {
    this.#make(directory, root);
    this.#knobs.delegate(directory);
    if (limits === undefined) return;
    this.#share(directory, limits);
    this.#knobs.limitRam(directory, limits.ramBytes);
  }

  /** What is compressible: sharing. Idle time is anybody's who did not ask to be held (Borg §6.2). [I8] */
  #share(directory: string, { cpuMilli, isLatencySensitive, diskBandwidth }: GroupLimits): void {
    this.#knobs.weigh(directory, Math.max(1, cpuMilli) * (isLatencySensitive ? SENSITIVE_WEIGHT : OTHER_WEIGHT));
    if (this.#host.also("io") !== undefined) this.#knobs.limitDisk(directory, this.#disk, diskBandwidth);
  }

  #pathOf({ key, band, alloc }: GroupPlace): string {
    return alloc === "" ? join(this.#parent, band, key) : join(this.#parent, band, `${ALLOC}${alloc}`, key);
  }

  /** Where it is in one hierarchy: in its band, or in another one if it was not moved from there. */
  #in(root: string, place: GroupPlace): string {
    return this.#group(place).directories.get(root) ?? join(root, this.#pathOf(place));
  }

  #group(place: GroupPlace): Group {
    let group = this.#groups.get(place.key);
    if (group?.band !== place.band) {
      group?.close();
      group = this.#find(place);
      this.#groups.set(place.key, group);
    }
    return group!;
  }

  #find(place: GroupPlace): Group {
    const bands = [place.band, ...BANDS.filter((band) => band !== place.band)];
    const found = this.#allRoots().map((root) => {
      const all = bands.map((band) => join(root, this.#pathOf({ ...place, band }))).filter((path) => existsSync(path));
      return { root, all };
    });
    const directories = new Map(found.flatMap(({ root, all }) => (all[0] === undefined ? [] : [[root, all[0]]])));
    const others = found.flatMap(({ all }) => all.slice(1));
    const alloc = place.alloc === "" ? 0 : this.#fullBefore(join(this.#host.rootOf("memory"), this.#pathOf({ ...place, key: "" })));
    return new Group(directories, others, { alloc, all: this.#fullBefore(join(this.#host.rootOf("memory"), this.#parent)) }, place.band);
  }

  /** How often a group met its own limit and nothing could be freed; version 1 only tells whether it came up to it. */
  #full(directory: string): number {
    if (this.#host.version === 2) return Number(/^oom (\d+)$/m.exec(readIfThere(directory, "memory.events.local"))?.[1] ?? 0);
    const [most, limit] = ["memory.max_usage_in_bytes", "memory.limit_in_bytes"].map((file) => Number(readIfThere(directory, file)));
    return limit! > 0 && most! >= limit! - CHARGED_BYTES ? 1 : 0;
  }

  /** What `#full` said of those around a task before it came. Version 1 begins to watch anew. */
  #fullBefore(directory: string): number {
    if (this.#host.version === 2) return this.#full(directory);
    write(directory, "memory.max_usage_in_bytes", "0");
    return 0;
  }

  #useOf(group: Group, directoryOf: (controller: string) => string): GroupUse | undefined {
    try {
      const last = group.looks++ % LOOKS_MAX === 0 ? undefined : group.last;
      group.last = this.#host.use((controller, file) => group.read(join(directoryOf(controller), file)), last);
      return { cpuNs: group.last.cpuNs, ramBytes: group.last.ramBytes };
    } catch {
      return undefined;
    }
  }

  #read(place: GroupPlace, controller: string, file: string): string {
    return this.#group(place).read(join(this.#in(this.#host.rootOf(controller), place), file));
  }

  #freeze(place: GroupPlace, frozen: boolean): void {
    for (const directory of this.#whereverItIs(place)) {
      if (this.#host.version === 2) write(directory, "cgroup.freeze", frozen ? "1" : "0");
      else if (write(directory, "freezer.state", frozen ? "FROZEN" : "THAWED") && frozen) waitFrozen(directory);
    }
  }
}

export function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has gone meanwhile, which is what was wanted; what is still there is found by the next look.
  }
}
