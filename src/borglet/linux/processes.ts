/** The processes of tasks: found by control group where there is one, else by their traces in /proc; signalled, counted and measured. */
import { readFileSync } from "node:fs";
import { instanceOf } from "../instance-key.ts";
import type { Sample } from "../machine.ts";
import { type Cgroups, type GroupPlace, signal } from "./cgroup.ts";
import { write } from "./cgroup-files.ts";
import { type CountedGroup, Cycles } from "./cycles.ts";
import { DiskTraffics } from "./disk-traffic.ts";
import { OOM_SCORES } from "./group-limits.ts";
import type { MemoryEnd } from "./memory-end.ts";
import { isAlive, type ProcessId, type ProcessStat, readMemory, readTable, TICKS_PER_SECOND } from "./proc.ts";
import { JAILERS } from "./shim.ts";
import { TaskTrees } from "./tree.ts";

export interface RunOfTask extends GroupPlace {
  readonly instance: string;
  readonly main: ProcessId | undefined;
  readonly shim: ProcessId | undefined;
}

/** A tree that forks while it is killed is looked at again so often in one go; the rest has to wait for the next. */
const SWEEPS_MAX = 5;
/** Over less time than this no rate is told: the last one stands. */
const RATE_MS_MIN = 500;

export class Processes {
  readonly #cgroups: Cgroups | undefined;
  readonly #trees: TaskTrees;
  readonly #cycles = new Cycles();
  readonly #traffics = new DiskTraffics();
  /** Processor time at the last look. */
  readonly #before = new Map<string, { readonly cpuMs: number; readonly atMs: number; readonly cpuMilli: number }>();

  constructor(mark: string, cgroups: Cgroups | undefined) {
    this.#trees = new TaskTrees(mark);
    this.#cgroups = cgroups;
  }

  /**
   * SIGTERM to all of them. Bubblewrap and the witness hand no signals on and would only die of it, so the jail's own processes are left out. `all`, here
   * and below: whoever else is there, so that nobody is taken for another. One look at the machine serves all runs: it costs more the more there are.
   */
  terminate(runs: readonly RunOfTask[], all: readonly RunOfTask[]): void {
    const found = this.#find(runs, all);
    for (const run of runs) for (const pid of found.get(run.instance) ?? []) if (!isJailer(pid, run.main)) signal(pid, "SIGTERM");
  }

  kill(runs: readonly RunOfTask[], all: readonly RunOfTask[]): void {
    for (const run of runs) this.#cgroups?.kill(run);
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
      const pids = [...this.#find(runs, all).values()].flat();
      if (pids.length === 0) return;
      for (const pid of pids) signal(pid, "SIGKILL");
      if (this.#cgroups !== undefined) return;
    }
  }

  /** Groups that an earlier borglet made. One of nobody's goes with all that is in it; one of another band than its task's is left from a move, which is done to its end. */
  adopt(runs: ReadonlyMap<string, RunOfTask>): void {
    for (const place of this.#cgroups?.list() ?? []) {
      const run = runs.get(instanceOf(place.key) ?? "");
      this.#cgroups?.thaw(run ?? place);
      if (run === undefined) this.#cgroups?.kill(place);
      if (run === undefined) this.#cgroups?.remove(place);
      else if (run.band !== place.band) this.score(run, [...runs.values()]);
    }
  }

  /** Whom the kernel kills first when the machine is out of memory. Who is begun meanwhile has that of its parent, and is found by another look. */
  score(run: RunOfTask, all: readonly RunOfTask[]): void {
    const scored = new Set<number>();
    for (let look = 0; look < SWEEPS_MAX; look++) {
      const pids = this.of(run, all).filter((pid) => !scored.has(pid));
      if (pids.length === 0) return;
      for (const pid of pids) if (write(`/proc/${pid}`, "oom_score_adj", String(OOM_SCORES[run.band]))) scored.add(pid);
    }
  }

  of(run: RunOfTask, all: readonly RunOfTask[]): readonly number[] {
    return this.#find([run], all).get(run.instance) ?? [];
  }

  /** Instances of which something was left; it was killed just now. */
  killRest(runs: readonly RunOfTask[], all: readonly RunOfTask[]): ReadonlySet<string> {
    const found = this.#find(runs, all);
    const left = runs.filter(({ instance }) => (found.get(instance) ?? []).length > 0);
    if (left.length > 0) this.kill(left, all);
    return new Set(left.map(({ instance }) => instance));
  }

  /** The shim with its log keepers; its task is not touched. */
  killShim(shim: ProcessId): void {
    if (!isAlive(shim)) return;
    for (const stat of readTable().values()) if (stat.session === shim.pid) signal(stat.pid, "SIGKILL");
  }

  /** Gives its group back; answers whose memory ran out, if the kernel killed processes of it for that. */
  release(run: RunOfTask): MemoryEnd | undefined {
    this.#trees.forget(run.instance);
    this.#before.delete(run.instance);
    this.#cycles.forget(run.instance);
    this.#traffics.forget(run.instance);
    const end = this.#cgroups?.memoryEnd(run);
    this.#cgroups?.remove(run);
    return end;
  }

  /** Files are counted elsewhere (disk-watch.ts): they take longer. */
  measure(runs: readonly RunOfTask[]): Omit<Sample, "diskBytes">[] {
    if (runs.length === 0) return [];
    const trees = this.#cgroups === undefined ? this.#trees.find(runs) : undefined;
    const atMs = performance.now();
    this.#cycles.tick(
      atMs,
      runs.flatMap((run) => groupOf(run.instance, this.#cgroups?.counted(run))),
    );
    return runs.flatMap((run) => {
      const use = trees === undefined ? this.#groupUse(run) : treeUse(trees.get(run.instance) ?? []);
      if (use === undefined) return [];
      const before = this.#before.get(run.instance);
      const more = { ...this.#counted(run.instance), ...this.#traffic(run, atMs, trees) };
      if (before !== undefined && atMs - before.atMs < RATE_MS_MIN) {
        return [{ instance: run.instance, cpuMilli: before.cpuMilli, ramBytes: use.ramBytes, ...more }];
      }
      const cpuMilli = before === undefined ? 0 : Math.round(Math.max(0, ((use.cpuMs - before.cpuMs) / (atMs - before.atMs)) * 1000));
      this.#before.set(run.instance, { cpuMs: use.cpuMs, atMs, cpuMilli });
      return [{ instance: run.instance, cpuMilli, ramBytes: use.ramBytes, ...more }];
    });
  }

  #counted(instance: string): Pick<Sample, "cpi"> {
    const cpi = this.#cycles.of(instance);
    return cpi === undefined ? {} : { cpi };
  }

  #traffic(run: RunOfTask, nowMs: number, trees: ReadonlyMap<string, readonly ProcessStat[]> | undefined): Pick<Sample, "diskTraffic"> {
    const diskTraffic = this.#traffics.of(run.instance, nowMs, {
      group: () => this.#cgroups?.diskTraffic(run),
      pids: () => trees?.get(run.instance)?.map(({ pid }) => pid) ?? this.#members(run),
    });
    return diskTraffic === undefined ? {} : { diskTraffic };
  }

  #groupUse(run: RunOfTask): Use | undefined {
    const use = this.#cgroups?.use(run);
    return use === undefined ? undefined : { cpuMs: use.cpuNs / 1e6, ramBytes: use.ramBytes };
  }

  /** The processes of each of these runs. */
  #find(runs: readonly RunOfTask[], all: readonly RunOfTask[]): ReadonlyMap<string, readonly number[]> {
    const trees = this.#cgroups === undefined ? this.#trees.find(all) : undefined;
    return new Map(
      runs.map((run) => [run.instance, trees?.get(run.instance)?.map(({ pid }) => pid) ?? (trees ? [] : this.#members(run))] as const),
    );
  }

  #members(run: RunOfTask): readonly number[] {
    const pids = this.#cgroups?.processes(run) ?? [];
    // It may not have joined its group yet.
    if (run.main !== undefined && !pids.includes(run.main.pid) && isAlive(run.main)) pids.push(run.main.pid);
    return pids;
  }
}

interface Use {
  readonly cpuMs: number;
  readonly ramBytes: number;
}

/** Pages of files are shared by most of a tree: the largest share is counted once. */
function treeUse(stats: readonly ProcessStat[]): Use {
  let ticks = 0;
  let own = 0;
  let files = 0;
  for (const { pid, cpuTicks } of stats) {
    const memory = readMemory(pid);
    ticks += cpuTicks;
    own += memory.own;
    files = Math.max(files, memory.files);
  }
  return { cpuMs: (ticks * 1000) / TICKS_PER_SECOND, ramBytes: own + files };
}

/** The jail's own processes: the one outside, which is the task's first, and the first few inside, by the numbers that they have there. */
function isJailer(pid: number, main: ProcessId | undefined): boolean {
  if (main === undefined) return false;
  try {
    if (readFileSync(`/proc/${main.pid}/comm`, "latin1") !== "bwrap\n") return false;
    const inside = /^NSpid:\t\d+\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return pid === main.pid || (inside !== undefined && Number(inside) <= JAILERS);
  } catch {
    return false;
  }
}

const groupOf = (instance: string, group: string | undefined): CountedGroup[] => (group === undefined ? [] : [{ instance, group }]);
